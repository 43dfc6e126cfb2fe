"""One change, issue or release looked at whole, through REST."""

import re
from dataclasses import replace

from digest.errors import NO_REPO, NotFound
from digest.models import Event, Item, Repo, State, Window
from digest.sources.github.api import (
    Answer,
    Asker,
    Json,
    check_visible,
    escaped,
    expecting,
    repo_path,
)
from digest.sources.github.facts import account, commit_from_rest, commit_item, named_pull
from digest.sources.github.nodes import release
from digest.sources.github.patches import FilesOf, read_files
from digest.sources.github.rest import (
    is_pull,
    issue_from_rest,
    pull_from_rest,
    reaction_count,
    release_from_rest,
    told_events,
    with_files,
)

_NUMBER = re.compile(r"#?([0-9]{1,9})")
_SHA = re.compile(r"[0-9a-fA-F]{4,40}")


async def find_item(asker: Asker, repo: Repo, ref: str, allowed: frozenset[Repo]) -> Item:
    """Find what `ref` names: a number (`#12`, `12`), a SHA of 4 or more digits, or a tag.

    Raises `NotFound` with a sentence that names it.
    """
    repo, _ = await known_repository(asker, repo, allowed)
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
    raise NotFound(
        "{repo} has no pull request, issue, commit or tag {ref}: see {repo} yesterday",
        repo=repo,
        ref=repr(ref[:60]),
    )


async def known_repository(asker: Asker, repo: Repo, allowed: frozenset[Repo]) -> tuple[Repo, str]:
    """Give a repository's name as GitHub knows it now, and its default branch.

    Raises `Forbidden` for a private one that is not among `allowed`.
    """
    try:
        # Nothing of a private repository is remembered before it is known that it may be told.
        answer = await asker.get(repo_path(repo), kept=False)
    except NotFound as error:
        raise NotFound(NO_REPO, repo=repo) from error
    with expecting("the repository"):
        found = Repo.parse(answer.json["full_name"])
        branch, is_private = str(answer.json["default_branch"]), bool(answer.json["private"])
    check_visible(repo, found, is_private, allowed)
    return found, branch


async def _maybe(asker: Asker, path: str) -> Answer | None:
    try:
        return await asker.get(path)
    except NotFound:
        return None


async def _numbered(asker: Asker, repo: Repo, number: int) -> Item | None:
    answer = await _maybe(asker, repo_path(repo, "issues", str(number)))
    if answer is None:
        return None
    with expecting(f"#{number}"):
        if is_pull(answer.json):
            return await _pull(asker, repo, number, reaction_count(answer.json))
        events = await read_events(asker, repo, answer.json, None)
        return issue_from_rest(repo, answer.json, events)


async def read_events(
    asker: Asker, repo: Repo, row: Json, window: Window | None
) -> tuple[Event, ...]:
    """Read when an issue was opened, closed and reopened (in a window), from every page.

    Labels and mentions are events too, so the last closing may stand on any page.
    """
    path = repo_path(repo, "issues", str(row["number"]), "events?per_page=100")
    return told_events(row, await _every_row(asker, path), window)


async def _every_row(asker: Asker, path: str) -> list[Json]:
    rows: list[Json] = []
    url: str | None = path
    while url is not None:
        answer = await asker.get(url)
        rows += answer.json
        url = answer.next_url
    return rows


async def _pull(asker: Asker, repo: Repo, number: int, reactions: int) -> Item:
    answer = await asker.get(repo_path(repo, "pulls", str(number)))
    with expecting(f"#{number}"):
        row = answer.json
        item = pull_from_rest(repo, row)
        changed, merge_sha = row["changed_files"], row["merge_commit_sha"]
        item = replace(item, reactions=reactions)
    if item.state is State.MERGED and merge_sha:
        item = replace(item, commits=await _brought(asker, repo, number, merge_sha))
        whole = with_files(item, await read_files(asker, repo, FilesOf(item.key, sha=merge_sha)))
        if len(whole.files or ()) == changed and whole.additions == item.additions:
            return whole
    landed = item.state is State.MERGED
    files = await read_files(asker, repo, FilesOf(item.key, pull=number), permanent=landed)
    whole = with_files(item, files)
    if len(files) >= changed:
        return whole
    missing = (*whole.detail_missing, "files")
    return replace(item, files=files, detail_missing=missing)


async def _brought(asker: Asker, repo: Repo, number: int, merge_sha: str) -> tuple[str, ...]:
    """The commits by which a pull request landed: its own and the merge, or one squash."""
    merge = await asker.get(repo_path(repo, "commits", merge_sha), permanent=True)
    with expecting("a merge"):
        if len(merge.json["parents"]) < 2:
            return (merge_sha,)
        path = repo_path(repo, "pulls", str(number), "commits?per_page=100")
        rows = await _every_row(asker, path)
        return (*(row["sha"] for row in rows), merge_sha)


async def _commit(asker: Asker, repo: Repo, sha: str) -> Item | None:
    answer = await _maybe(asker, repo_path(repo, "commits", sha.lower()))
    if answer is None:
        return None
    with expecting("a commit"):
        fact = commit_from_rest(answer.json)
    item = commit_item(repo, fact, fact.committed_at, named_pull(fact))
    return with_files(item, await read_files(asker, repo, FilesOf(item.key, sha=fact.sha)))


async def _release(asker: Asker, repo: Repo, tag: str) -> Item | None:
    answer = await _maybe(asker, repo_path(repo, "releases", "tags", escaped(tag)))
    if answer is not None:
        with expecting("a release"):
            return release_from_rest(repo, answer.json)
    refs = await _maybe(asker, repo_path(repo, "git", "matching-refs", "tags", escaped(tag)))
    with expecting("tags"):
        rows = refs.json if refs else []
        if not any(row["ref"] == f"refs/tags/{tag}" for row in rows):
            return None
    commit = await asker.get(repo_path(repo, "commits", escaped(tag)))
    with expecting("a commit"):
        fact = commit_from_rest(commit.json)
    return release(
        repo,
        tag=tag,
        name="",
        body="",
        at=fact.committed_at,
        author=account(None, fact.author),
        state=State.TAGGED,
    )
