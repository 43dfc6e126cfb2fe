"""The history between two versions by GitHub's API: what a clone tells, a request a commit.

::

    commits    GET compare/BASE...HEAD          100 a page
    files      GET commits/SHA                  one a commit, kept for ever without patches
    tree       GET git/trees/SHA?recursive=1    one an end

A month of a fast repository is a thousand requests. What was answered is kept at once, so that
what is interrupted, or ends with the requests of the hour, goes on where it was.

What lies between two commits is GitHub's comparison
(https://docs.github.com/en/rest/commits/commits#compare-two-commits): `per_page` and `page` go
through the commits, oldest first; the newest page holds the head.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from digest import codec
from digest.errors import BadAnswer, CouldNotLook, NotFound, RateLimited
from digest.github_web import host
from digest.models import FileChange, Item, Repo, Span
from digest.ports import Steps
from digest.sources.forge import Forge, empty_span, is_version, no_end, spellings
from digest.sources.git.history import Changes, Commit, commit_items
from digest.sources.github import answers as rows
from digest.sources.github.answers import Shape, a_list, whole
from digest.sources.github.changes import known_repository
from digest.sources.github.client import Session, escaped, repo_path
from digest.sources.github.files import FilesOf, read_files
from digest.sources.github.items import commit_fact
from digest.sources.message import held_already, not_held
from digest.wording.phrases import SAY

MOST_PAGES = 60
"""Pages of 100 commits that are read of one span; what is beyond is said to be missing."""


@dataclass(frozen=True, slots=True)
class ComparedCommits:
    """The commits between two, oldest first, and the newest commit that both come from."""

    commits: tuple[rows.CommitNode, ...]
    fork: rows.CommitNode | None
    is_whole: bool


async def find_span(asker: Session, repo: Repo, base: str, head: str) -> Span:
    """Return what `head` has and `base` has not; see `digest.ports.Spans`."""
    repo, _ = await known_repository(asker, repo)
    base_name, before = await _end(asker, repo, base)
    head_name, after = await _end(asker, repo, head)
    found = await compared(asker, repo, before.oid, after.oid)
    ours = {row.oid: row.message for row in found.commits}
    picked, lacks = frozenset[str](), False
    if ours and found.fork and found.fork.oid != before.oid:
        # A branch for a release has picked from the other one: what it holds is no news after it.
        own = await compared(asker, repo, after.oid, before.oid)
        theirs = {row.oid: row.message for row in own.commits}
        picked = held_already(ours, theirs)
        # A merge brings nothing that its commits do not.
        brought = {row.oid: row.message for row in own.commits if row.parents.total_count == 1}
        lacks = not own.is_whole or bool(not_held(brought, ours))
    commits = frozenset(ours) - picked
    if not commits:
        raise empty_span(base, head)
    since, until = (found.fork or after).committed_date, after.committed_date
    ends = base_name, head_name, before.oid, after.oid
    based_at = before.committed_date
    return Span(*ends, since, until, commits, found.is_whole, based_at, lacks)


async def compared(
    asker: Session, repo: Repo, base: str, head: str, most_pages: int = MOST_PAGES
) -> ComparedCommits:
    """Return what lies between two full SHAs of a repository as it is called now."""
    url: str | None = repo_path(repo, "compare", f"{base}...{head}") + "?per_page=100"
    shape = Shape(rows.Comparison, SAY.objects.a_comparison, repo)
    commits: dict[str, rows.CommitNode] = {}
    total, pages, fork = 0, 0, None
    while url is not None and pages < most_pages:
        answer = await asker.get(url, shape, permanent=True)
        commits |= {row.oid: row for row in answer.value.commits}
        total = max(total, answer.value.total_commits)
        fork = fork or answer.value.merge_base_commit or answer.value.base_commit
        url, pages = answer.next_url, pages + 1
    is_whole = url is None and len(commits) >= total
    return ComparedCommits(tuple(commits.values()), fork, is_whole)


async def _end(asker: Session, repo: Repo, name: str) -> tuple[str, rows.CommitNode]:
    """Return a tag's own name, or a SHA, and the commit that it names; raises `NotFound`."""
    tags = ((f"refs/tags/{tag}", tag) for tag in spellings(name))
    for requested, own in (*tags, (name, name)):
        try:
            path = repo_path(repo, "commits", escaped(requested))
            answer = await asker.get(path, Shape(rows.CommitNode, SAY.objects.a_commit, repo))
        except NotFound:
            continue
        return own, answer.value
    raise no_end(repo, name)


RESERVED_REQUESTS = 500
"""Requests of the hour, of each kind, that stay left for what is told every morning."""

AT_ONCE = 12
"""Commits that are asked for together; the session sends fewer of them at the same time."""

SECONDS_EACH = 60 / 800
"""GitHub takes 900 requests a minute, and refuses more:
https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits"""


@dataclass(frozen=True, slots=True)
class _Files:
    """What is kept of a commit."""

    files: tuple[FileChange, ...]


async def read_tree(asker: Session, repo: Repo, sha: str) -> Mapping[str, str]:
    """Return the files of a commit, as `digest.ports.Clone` does.

    https://docs.github.com/en/rest/git/trees#get-a-tree: 100,000 entries at most, of more GitHub
    says that it cut them.
    """
    repo, _ = await known_repository(asker, repo)
    shape = Shape(rows.TreeRow, SAY.objects.a_tree, repo)
    path = repo_path(repo, "git", "trees", sha) + "?recursive=1"
    answer = await asker.get(path, shape, permanent=True)
    if answer.value.truncated:
        raise CouldNotLook(SAY.upgrades.tree_too_large(repo))
    return {row.path: row.sha for row in answer.value.tree if row.type == "blob"}


async def read_brought(asker: Session, repo: Repo, span: Span, tell: Steps) -> Sequence[Item]:
    """Return the commits of a span, oldest first, as `digest.ports.Clone` does.

    One whose files cannot be read has none, and says so. Raises `RateLimited` where the requests of
    the hour end: what was read until then is kept.
    """
    repo, _ = await known_repository(asker, repo)
    comparison = await compared(asker, repo, span.base_sha, span.head_sha)
    listed = (row for row in comparison.commits if row.oid in span.commits)
    commits = [_commit(repo, row) for row in listed if row.parents.total_count == 1]
    files = await _listed(asker, repo, [one.sha for one in commits], tell)
    forge = Forge(host(), str(repo), "github")
    return commit_items(repo, forge, commits, {}, Changes(files, frozenset()))


def _commit(repo: Repo, row: rows.CommitNode) -> Commit:
    fact = commit_fact(row, repo)
    return Commit(fact.sha, fact.parents, fact.author, fact.committed_at, fact.message)


async def _listed(
    asker: Session, repo: Repo, shas: Sequence[str], tell: Steps
) -> dict[str, tuple[FileChange, ...]]:
    found: dict[str, tuple[FileChange, ...]] = {}
    for sha in shas:
        stored = await asker.recall(_name(repo, sha))
        if stored is not None:
            found[sha] = codec.load(_Files, stored).files
    wanted = [sha for sha in shas if sha not in found]
    if wanted and not asker.has_token:
        raise RateLimited(SAY.upgrades.needs_token(len(wanted), repo))

    async def read(sha: str) -> None:
        try:
            files = await read_files(asker, repo, FilesOf("", sha=sha), cached=False)
        except (BadAnswer, NotFound):
            return  # of this one nothing is known, which its item says
        # Neither patches nor counts: a clone lists none either, and they are most of the bytes.
        found[sha] = tuple(replace(one, patch=None, additions=0, deletions=0) for one in files)
        await asker.keep(_name(repo, sha), codec.dump(_Files(found[sha])))

    clock = asyncio.get_running_loop().time
    for at in range(0, len(wanted), AT_ONCE):
        tell(SAY.upgrades.listing(len(found), len(shas)))
        spare(asker)
        began = clock()
        await asyncio.gather(*(read(sha) for sha in wanted[at : at + AT_ONCE]))
        if at + AT_ONCE < len(wanted):
            await asyncio.sleep(began + AT_ONCE * SECONDS_EACH - clock())
    return found


def spare(asker: Session) -> None:
    """Raise `RateLimited` where going on would take what mornings need of the hour's requests."""
    if asker.has_token and min(asker.left.values(), default=5_000) <= RESERVED_REQUESTS:
        raise RateLimited(SAY.upgrades.spent)


async def read_releases(asker: Session, repo: Repo) -> Sequence[str]:
    """Return the tags of versions, newest first: those released, else those that are there."""
    repo, _ = await known_repository(asker, repo)
    listed = await asker.get(
        repo_path(repo, "releases") + "?per_page=100",
        a_list(rows.ReleaseNode, SAY.objects.releases, repo),
    )
    dated = [
        (row.published_at, row.tag_name)
        for row in whole(listed.value, listed.holes, SAY.objects.releases)
        if row.published_at is not None and not row.is_prerelease and is_version(row.tag_name)
    ]
    return [name for _, name in sorted(dated, reverse=True)]


def _name(repo: Repo, sha: str) -> str:
    return f"listed {str(repo).lower()} {sha}"
