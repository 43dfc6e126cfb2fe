"""Single changes: one looked at whole, through REST, and those that reverts take back."""

import re
from collections.abc import Iterable
from dataclasses import replace

from digest.errors import CouldNotLook, NotFound
from digest.models import Event, Gap, Item, Repo, State
from digest.phrase import Example, Phrase
from digest.reading.reverts import unknown_originals
from digest.sources.forge import spellings
from digest.sources.github import answers as rows
from digest.sources.github.answers import Json, Shape, T, a_list, read, whole
from digest.sources.github.client import Answer, Session, escaped, repo_path
from digest.sources.github.files import FilesOf, read_files, with_commit
from digest.sources.github.graphql import originals_document, repository_of
from digest.sources.github.items import (
    account,
    bare_tag,
    commit_fact,
    commit_item,
    issue_item,
    named_pull,
    pull_item,
    release_item,
    with_files,
)
from digest.sources.github.window import FoundWindow
from digest.wording.phrases import SAY

_NUMBER = re.compile(r"#?([0-9]{1,9})")
_SHA = re.compile(r"[0-9a-fA-F]{4,40}")


async def find_item(asker: Session, repo: Repo, ref: str) -> Item:
    """Find what `ref` names: a number (`#12`, `12`), a SHA of 4 or more digits, or a tag.

    Raises `NotFound` with a sentence that names it.
    """
    repo, _ = await known_repository(asker, repo)
    ref = ref.strip()
    if number := _NUMBER.fullmatch(ref):
        found = await _numbered(asker, repo, int(number[1]))
        if found:
            return found
    if _SHA.fullmatch(ref):
        found = await _commit(asker, repo, ref)
        if found:
            return found
    for name in spellings(ref) if ref and not ref.startswith("#") else ():
        found = await _release(asker, repo, name)
        if found:
            return found
    raise NotFound(SAY.github.no_item(repo, repr(ref[:60]), Example(f"{repo} yesterday")))


async def known_repository(asker: Session, repo: Repo) -> tuple[Repo, str]:
    """Return a repository's name as GitHub knows it now, and its default branch.

    Raises `Forbidden` for a private one that is not among those told.
    """
    try:
        # Nothing of a private repository is remembered before it is known that it may be told.
        answer = await asker.get(
            repo_path(repo), Shape(rows.Repository, SAY.objects.the_repository, None), cached=False
        )
    except NotFound as error:
        raise NotFound(SAY.github.no_repo(repo)) from error
    found = answer.value
    await asker.check_private(repo, found.full_name, found.private)
    return found.full_name, found.default_branch


async def _maybe(asker: Session, path: str, shape: Shape[T]) -> Answer[T] | None:
    try:
        return await asker.get(path, shape)
    except NotFound:
        return None


async def _numbered(asker: Session, repo: Repo, number: int) -> Item | None:
    shape = Shape(rows.IssueNode, f"#{number}", repo, lambda row: row.number == number)
    answer = await _maybe(asker, repo_path(repo, "issues", str(number)), shape)
    if answer is None:
        return None
    if answer.value.is_pull:
        return await _pull(asker, repo, number, answer.value.reactions.total_count)
    # Labels and mentions are events too, so the last closing may stand on any page.
    path = repo_path(repo, "issues", str(number), "events?per_page=100")
    listed = await _every_row(
        asker, path, a_list(rows.IssueEventRow, SAY.objects.an_issues_events, repo)
    )
    turns = [row for row in listed if row.event in ("closed", "reopened")]
    events = [Event(row.event, row.created_at) for row in turns]
    return issue_item(repo, answer.value, None, events)


async def _every_row(asker: Session, path: str, shape: Shape[list[T]]) -> list[T]:
    found: list[T] = []
    url: str | None = path
    while url is not None:
        answer = await asker.get(url, shape)
        found += whole(answer.value, answer.holes, shape.what)
        url = answer.next_url
    return found


async def _pull(asker: Session, repo: Repo, number: int, reactions: int) -> Item:
    shape = Shape(rows.PullNode, f"#{number}", repo, lambda row: row.number == number)
    row = (await asker.get(repo_path(repo, "pulls", str(number)), shape)).value
    item = replace(pull_item(repo, row), reactions=reactions)
    is_over = item.state is State.MERGED
    if is_over and row.merge_sha:
        item = await _landed(asker, repo, item, row.merge_sha)
        landed = FilesOf(item.key, sha=row.merge_sha)
        found = with_files(item, await read_files(asker, repo, landed))
        if len(found.files or ()) == row.changed_files and found.additions == item.additions:
            return found
    files = await read_files(asker, repo, FilesOf(item.key, pull=number), permanent=is_over)
    found = with_files(item, files)
    if len(files) >= row.changed_files and not row.is_listed:
        return found
    return replace(item, files=files, detail_missing=(*found.detail_missing, "files"))


async def _landed(asker: Session, repo: Repo, item: Item, merge_sha: str) -> Item:
    """Return a pull request with the commits by which it landed: its own and the merge, or one.

    Its parents are those of the merge: between these and it, whole files are compared.
    """
    merge = await _get_commit(asker, repo, merge_sha, SAY.objects.a_merge, permanent=True)
    parents = tuple(parent.oid for parent in merge.parents.nodes)
    if len(parents) < 2:
        return replace(item, commits=(merge_sha,), parents=parents)
    path = repo_path(repo, "pulls", str(item.number), "commits?per_page=100")
    listed = await _every_row(
        asker, path, a_list(rows.CommitNode, SAY.objects.a_pull_requests_commits, repo)
    )
    return replace(item, commits=(*(row.oid for row in listed), merge_sha), parents=parents)


async def _get_commit(
    asker: Session, repo: Repo, sha: str, what: Phrase, *, permanent: bool = False
) -> rows.CommitNode:
    """Ask for a commit by its SHA, or the first digits of one."""
    shape = Shape(rows.CommitNode, what, repo, lambda row: row.oid.startswith(sha))
    return (await asker.get(repo_path(repo, "commits", sha), shape, permanent=permanent)).value


async def _commit(asker: Session, repo: Repo, sha: str) -> Item | None:
    try:
        row = await _get_commit(asker, repo, sha.lower(), SAY.objects.a_commit)
    except NotFound:
        return None
    fact = commit_fact(row, repo)
    item = commit_item(repo, fact, fact.committed_at, named_pull(fact))
    return with_files(item, await read_files(asker, repo, FilesOf(item.key, sha=fact.sha)))


async def _release(asker: Session, repo: Repo, tag: str) -> Item | None:
    shape = Shape(rows.ReleaseNode, SAY.objects.a_release, repo, lambda row: row.tag_name == tag)
    answer = await _maybe(asker, repo_path(repo, "releases", "tags", escaped(tag)), shape)
    if answer is not None:
        return release_item(repo, await with_commit(asker, repo, answer.value))
    path = repo_path(repo, "git", "matching-refs", "tags", escaped(tag))
    refs = await _maybe(asker, path, a_list(rows.Ref, "tags", repo))
    listed = whole(refs.value, refs.holes, SAY.objects.tags) if refs else ()
    if not any(row.ref == f"refs/tags/{tag}" for row in listed):
        return None
    shape_of_commit = Shape(rows.CommitNode, SAY.objects.a_commit, repo)
    commit = await asker.get(repo_path(repo, "commits", escaped(tag)), shape_of_commit)
    fact = commit_fact(commit.value, repo)
    author = account(None, fact.author)
    return bare_tag(repo, tag, fact.committed_at, author, commit=fact.sha)


# ---- what reverts take back


async def find_originals(
    asker: Session, found: FoundWindow, items: Iterable[Item]
) -> tuple[tuple[Item, ...], tuple[Gap, ...]]:
    """Ask one GraphQL document for changes from before a window that items of it take back."""
    unknown, repo = unknown_originals(items), found.repo
    if not (unknown.numbers or unknown.shas):
        return (), ()
    originals: list[Item | None] = []
    gaps: tuple[Gap, ...] = ()
    try:
        query, variables = originals_document(repo, unknown.numbers, unknown.shas)
        answer = await asker.graphql(query, variables)
        _, row = repository_of(answer, repo, repo)
        for number in unknown.numbers:
            value = row.get(f"p{number}")
            if value is not None or not answer.errors_at("repository", f"p{number}"):
                node = _sound(rows.PullNode, value, f"#{number}", repo)
                originals += [_original(found, node)] if node.number == number else []
        for index, sha in enumerate(unknown.shas):
            if f"c{index}" not in row:
                raise rows.bad_answer(SAY.objects.a_commit)
            originals += _original_commit(found, sha, row[f"c{index}"])
    except CouldNotLook as error:
        gaps = (Gap("pull_requests", SAY.unread.originals(error.why)),)
    known = {one.key: one for one in originals if one and one.at < found.window.start}
    return tuple(known.values()), gaps


def _original(found: FoundWindow, node: rows.PullNode) -> Item | None:
    if not node.merged_at or node.base_ref_name != found.branch:
        return None
    return pull_item(found.repo, node, commits=[node.merge_sha] if node.merge_sha else [])


def _original_commit(found: FoundWindow, sha: str, value: Json) -> list[Item | None]:
    """Return a commit, and the pull request that landed as it."""
    if not value:  # nothing there, or a tree or tag of that SHA
        return []
    node = _sound(rows.OriginalCommit, value, SAY.objects.a_commit, found.repo)
    if not node.oid.startswith(sha):
        return []
    fact = commit_fact(node, found.repo, found.branch)
    merged = [_original(found, one) for one in node.brought_by.nodes]
    own = [one for one in merged if one and fact.sha in one.commits]
    number = fact.pull.number if fact.pull else None
    return [commit_item(found.repo, fact, fact.reached_at, number), *own]


def _sound(kind: type[T], value: Json, what: Phrase | str, repo: Repo) -> T:
    """Read a node, or raise `BadAnswer` where a part of it could not be read."""
    found, holes = read(kind, value, what, repo)
    if holes:
        raise rows.bad_answer(what)
    return found
