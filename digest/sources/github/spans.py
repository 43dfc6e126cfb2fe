"""What lies between two commits, by GitHub's comparison.

https://docs.github.com/en/rest/commits/commits#compare-two-commits: `per_page` and `page` go
through the commits, oldest first; the newest page holds the head.
"""

from dataclasses import dataclass

from digest.errors import NotFound
from digest.models import Repo, Span
from digest.sources.github import answers as rows
from digest.sources.github.answers import Shape, whole
from digest.sources.github.api import Asker, PrivateRepos, escaped, repo_path
from digest.sources.github.facts import commit_from_rest
from digest.sources.github.finding import known_repository
from digest.sources.spans import empty_span, no_end, spellings
from digest.wording.phrases import SAY

MOST_PAGES = 60
"""Pages of 100 commits that are read of one span; what is beyond is said to be missing."""


@dataclass(frozen=True, slots=True)
class _End:
    sha: str
    name: str


@dataclass(frozen=True, slots=True)
class Compared:
    """The commits between two, oldest first, and the newest commit that both come from."""

    commits: tuple[rows.Commit, ...]
    fork: rows.Commit | None
    is_whole: bool


async def find_span(asker: Asker, repo: Repo, base: str, head: str, private: PrivateRepos) -> Span:
    """Return what `head` has and `base` has not; see `digest.ports.Spans`."""
    repo, _ = await known_repository(asker, repo, private)
    before, after = [await _end(asker, repo, name) for name in (base, head)]
    found = await compared(asker, repo, before.sha, after.sha)
    commits = frozenset(row.sha for row in found.commits)
    if not commits:
        raise empty_span(base, head)
    newest = await asker.get(
        repo_path(repo, "commits", after.sha),
        Shape(rows.Commit, SAY.objects.a_commit, repo, lambda row: row.sha == after.sha),
        permanent=True,
    )
    until = commit_from_rest(newest.value).committed_at
    since = commit_from_rest(found.fork).committed_at if found.fork else until
    ends = before.name, after.name, before.sha, after.sha
    return Span(*ends, since, until, commits, found.is_whole)


async def compared(asker: Asker, repo: Repo, base: str, head: str) -> Compared:
    """Return what lies between two full SHAs of a repository as it is called now."""
    url: str | None = repo_path(repo, "compare", f"{base}...{head}") + "?per_page=100"
    shape = Shape(rows.Comparison, SAY.objects.a_comparison, repo)
    commits: dict[str, rows.Commit] = {}
    total, pages, fork = 0, 0, None
    while url is not None and pages < MOST_PAGES:
        answer = await asker.get(url, shape, permanent=True)
        told = whole(answer.value.commits, answer.holes, SAY.objects.a_comparison)
        commits |= {row.sha: row for row in told}
        total = max(total, answer.value.total_commits)
        fork = fork or answer.value.merge_base_commit or answer.value.base_commit
        url, pages = answer.next_url, pages + 1
    is_whole = url is None and len(commits) >= total
    return Compared(tuple(commits.values()), fork, is_whole)


async def _end(asker: Asker, repo: Repo, name: str) -> _End:
    """Return the commit that a tag or SHA names, and the tag's own name; raises `NotFound`."""
    tags = ((f"refs/tags/{tag}", tag) for tag in spellings(name))
    for asked, own in (*tags, (name, name)):
        try:
            path = repo_path(repo, "commits", escaped(asked))
            answer = await asker.get(path, Shape(rows.Commit, SAY.objects.a_commit, repo))
        except NotFound:
            continue
        return _End(answer.value.sha, own)
    raise no_end(repo, name)
