"""One change, issue or release looked at whole, through REST."""

import re
from dataclasses import replace

from digest.errors import NotFound
from digest.models import Event, Item, Repo, State, Window
from digest.phrase import Example, Phrase
from digest.sources.github import answers as rows
from digest.sources.github.answers import Shape, a_list, whole
from digest.sources.github.api import Answer, T, escaped, repo_path
from digest.sources.github.client import Session
from digest.sources.github.commit_facts import account, commit_from_rest, commit_item, named_pull
from digest.sources.github.items import (
    issue_from_rest,
    pull_from_rest,
    release,
    release_item,
    shown_events,
    with_files,
)
from digest.sources.github.patches import FilesOf, read_files
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
    if ref and not ref.startswith("#"):
        found = await _release(asker, repo, ref)
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
    await asker.private.check(repo, found.full_name, found.private)
    return found.full_name, found.default_branch


async def _maybe(asker: Session, path: str, shape: Shape[T]) -> Answer[T] | None:
    try:
        return await asker.get(path, shape)
    except NotFound:
        return None


async def _numbered(asker: Session, repo: Repo, number: int) -> Item | None:
    shape = Shape(rows.Issue, f"#{number}", repo, lambda row: row.number == number)
    answer = await _maybe(asker, repo_path(repo, "issues", str(number)), shape)
    if answer is None:
        return None
    if answer.value.is_pull:
        return await _pull(asker, repo, number, answer.value.reaction_count)
    events = await read_events(asker, repo, answer.value, None)
    return issue_from_rest(repo, answer.value, events)


async def read_events(
    asker: Session, repo: Repo, row: rows.Issue, window: Window | None
) -> tuple[Event, ...]:
    """Read when an issue was opened, closed and reopened (in a window), from every page.

    Labels and mentions are events too, so the last closing may stand on any page.
    """
    path = repo_path(repo, "issues", str(row.number), "events?per_page=100")
    shape = a_list(rows.Event, SAY.objects.an_issues_events, repo)
    return shown_events(row, await _every_row(asker, path, shape), window)


async def _every_row(asker: Session, path: str, shape: Shape[tuple[T, ...]]) -> list[T]:
    found: list[T] = []
    url: str | None = path
    while url is not None:
        answer = await asker.get(url, shape)
        found += whole(answer.value, answer.holes, shape.what)
        url = answer.next_url
    return found


async def _pull(asker: Session, repo: Repo, number: int, reactions: int) -> Item:
    shape = Shape(rows.Pull, f"#{number}", repo, lambda row: row.number == number)
    row = (await asker.get(repo_path(repo, "pulls", str(number)), shape)).value
    item = replace(pull_from_rest(repo, row), reactions=reactions)
    changed = row.changed_files
    if item.state is State.MERGED and row.merge_commit_sha:
        item = await _landed(asker, repo, item, row.merge_commit_sha)
        landed = FilesOf(item.key, sha=row.merge_commit_sha)
        found = with_files(item, await read_files(asker, repo, landed))
        if len(found.files or ()) == changed and found.additions == item.additions:
            return found
    is_over = item.state is State.MERGED
    files = await read_files(asker, repo, FilesOf(item.key, pull=number), permanent=is_over)
    found = with_files(item, files)
    if changed is not None and len(files) >= changed:
        return found
    missing = (*found.detail_missing, "files")
    return replace(item, files=files, detail_missing=missing)


async def _landed(asker: Session, repo: Repo, item: Item, merge_sha: str) -> Item:
    """Return a pull request with the commits by which it landed: its own and the merge, or one.

    Its parents are those of the merge: between these and it, whole files are compared.
    """
    merge = await _get_commit(asker, repo, merge_sha, SAY.objects.a_merge, permanent=True)
    parents = tuple(parent.sha for parent in merge.parents)
    if len(parents) < 2:
        return replace(item, commits=(merge_sha,), parents=parents)
    path = repo_path(repo, "pulls", str(item.number), "commits?per_page=100")
    listed = await _every_row(
        asker, path, a_list(rows.Commit, SAY.objects.a_pull_requests_commits, repo)
    )
    return replace(item, commits=(*(row.sha for row in listed), merge_sha), parents=parents)


async def _get_commit(
    asker: Session, repo: Repo, sha: str, what: Phrase, *, permanent: bool = False
) -> rows.Commit:
    """Ask for a commit by its SHA, or the first digits of one."""
    shape = Shape(rows.Commit, what, repo, lambda row: row.sha.startswith(sha))
    return (await asker.get(repo_path(repo, "commits", sha), shape, permanent=permanent)).value


async def _commit(asker: Session, repo: Repo, sha: str) -> Item | None:
    try:
        row = await _get_commit(asker, repo, sha.lower(), SAY.objects.a_commit)
    except NotFound:
        return None
    fact = commit_from_rest(row)
    item = commit_item(repo, fact, fact.committed_at, named_pull(fact))
    return with_files(item, await read_files(asker, repo, FilesOf(item.key, sha=fact.sha)))


async def _release(asker: Session, repo: Repo, tag: str) -> Item | None:
    shape = Shape(rows.Release, SAY.objects.a_release, repo, lambda row: row.tag_name == tag)
    answer = await _maybe(asker, repo_path(repo, "releases", "tags", escaped(tag)), shape)
    if answer is not None:
        return release_item(repo, answer.value)
    path = repo_path(repo, "git", "matching-refs", "tags", escaped(tag))
    refs = await _maybe(asker, path, a_list(rows.Ref, "tags", repo))
    listed = whole(refs.value, refs.holes, SAY.objects.tags) if refs else ()
    if not any(row.ref == f"refs/tags/{tag}" for row in listed):
        return None
    commit = await asker.get(
        repo_path(repo, "commits", escaped(tag)), Shape(rows.Commit, SAY.objects.a_commit, repo)
    )
    fact = commit_from_rest(commit.value)
    return release(
        repo,
        tag=tag,
        name="",
        body="",
        at=fact.committed_at,
        author=account(None, fact.author),
        state=State.TAGGED,
    )
