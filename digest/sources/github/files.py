"""Files of changes with their hunks, and whole files as they stood at commits.

A change's files are one request, kept for ever. Whole files are asked for by alias in one GraphQL
document, with their commits, since GitHub answers alike for a path that a commit does not have and
for a commit that is not there; each is asked for once. Without a token each is a request of REST,
as far as these last.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar
from urllib.parse import quote

from digest.errors import CouldNotLook, NotFound, RateLimited
from digest.models import FileAt, FileChange, Gap, Item, Kind, Repo
from digest.reading.paths import worth_reading
from digest.reading.releases import has_notes, is_prerelease
from digest.sources.github.answers import (
    Blob,
    CommitFiles,
    Elsewhere,
    File,
    FileContent,
    Json,
    Oid,
    ReleaseNode,
    Shape,
    a_list,
    read,
    whole,
)
from digest.sources.github.client import Answer, HeavyAnswer, Session, escaped, repo_path
from digest.sources.github.graphql import blobs_document, repository_of
from digest.sources.github.items import file_change, release_item, with_files
from digest.wording.phrases import SAY

K = TypeVar("K")
V = TypeVar("V")

MOST_FILES = 3_000
"""Files of one change at which GitHub's lists end, without a word.

https://docs.github.com/en/rest/pulls/pulls#list-pull-requests-files
"""

MAX_FILE_PAGES = 30
"""Pages of a file list: 3,000 files at most, 300 (commit) or 100 (pull request) a page.

https://docs.github.com/en/rest/commits/commits#get-a-commit
"""

MOST_PATCHES = 40
"""Changes read file by file at most, of 60 requests an hour.

https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
"""

RESERVED_REQUESTS = 8
"""Requests of an hour without a token that are left over for looking at single changes."""

UNTOLD_REQUESTS = 2
"""Whole files that one call reads without a token while GitHub has not told what is left."""

BLOBS_PER_DOCUMENT = 250
"""Files of one document: some megabytes of text, and far fewer than GitHub's 500,000 nodes.

https://docs.github.com/en/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api
"""


@dataclass(frozen=True, slots=True)
class FilesOf:
    """Where the files of a change are read: of a commit, or of a merged pull request."""

    key: str
    sha: str | None = None
    pull: int | None = None

    def path(self, repo: Repo) -> str:
        """Return the address of the first page of the files."""
        if self.sha is not None:
            return repo_path(repo, "commits", self.sha)
        return repo_path(repo, "pulls", str(self.pull), "files") + "?per_page=100"


def files_of(item: Item, own_shas: Sequence[str]) -> FilesOf:
    """Say where an item's files are read.

    `own_shas` are the commits of the first-parent chain that a pull request landed as: with one
    its diff is the pull request's, with several (a rebase) only the pull request has it.
    """
    if item.kind is Kind.COMMIT:
        return FilesOf(item.key, sha=item.commits[0])
    if len(own_shas) == 1:
        return FilesOf(item.key, sha=own_shas[0])
    return FilesOf(item.key, pull=item.number)


def is_wanted(item: Item) -> bool:
    """Return whether a change's patches are worth a request: unknown files are."""
    return item.files is None or worth_reading(item.files)


async def affordable(asker: Session, repo: Repo, places: Sequence[FilesOf]) -> list[FilesOf]:
    """Choose what may be read: without a token as far as requests last beside other things.

    What is remembered costs none. Who calls this counts on what is left until they have read it.
    """
    if asker.has_token:
        return list(places)
    # GitHub has told it with the answers before; a server that tells nothing has no limit.
    left = asker.left.get("core", MOST_PATCHES + RESERVED_REQUESTS)
    requests = min(MOST_PATCHES, left - RESERVED_REQUESTS)
    chosen: list[FilesOf] = []
    for where in places:
        if await asker.remembers(where.path(repo)):
            chosen.append(where)
        elif requests > 0:
            requests -= 1
            chosen.append(where)
    return chosen


async def read_files(
    asker: Session, repo: Repo, where: FilesOf, *, permanent: bool = True, cached: bool = True
) -> tuple[FileChange, ...]:
    """Read the whole file list of a change, every page, up to GitHub's 3,000.

    What has landed is `permanent`; a pull request that is open may still change. What is not
    `cached` is not remembered. Raises `BadAnswer` where a file of the list could not be read.
    """
    url: str | None = where.path(repo)
    files: list[FileChange] = []
    for _ in range(MAX_FILE_PAGES):
        if url is None:
            break
        answer = await _page_of_files(asker, repo, where, url, permanent, cached)
        files.extend(map(file_change, whole(answer.value, answer.holes, SAY.objects.changed_files)))
        url = answer.next_url
    return tuple(files)


async def _page_of_files(
    asker: Session, repo: Repo, where: FilesOf, url: str, permanent: bool, cached: bool
) -> Answer[list[File]]:
    what = SAY.objects.changed_files
    if where.sha is None:
        listed = a_list(File, what, repo)
        return await asker.get(url, listed, permanent=permanent, cached=cached)
    shape = Shape(CommitFiles, what, repo, lambda row: row.sha == where.sha)
    answer = await asker.get(url, shape, permanent=permanent, cached=cached)
    return Answer(answer.value.files, answer.next_url, answer.holes)


async def read_patches(
    asker: Session, repo: Repo, items: Sequence[Item], places: Sequence[FilesOf]
) -> tuple[tuple[Item, ...], tuple[Gap, ...]]:
    """Read the patches of `places` at the same time and put them into their items.

    Gaps say what is missing; what GitHub does not have will not be there later either.
    """
    read, failed = await _read_each(places, lambda where: read_files(asker, repo, where))
    found = {where.key: files for where, files in read.items()}
    lost = {where.key for where in failed}
    patched = [
        _with_whole_sums(item, found[item.key])
        if item.key in found
        else (_without_patches(item) if item.key in lost else item)
        for item in items
    ]
    gaps = []
    for lasting in (False, True):
        if some := [error for error in failed.values() if _is_absent(error) is lasting]:
            gaps.append(Gap("patches", SAY.unread.patches(len(some), some[0].why), lasting))
    if cut := [item.ref for item in patched if len(found.get(item.key, ())) >= MOST_FILES]:
        why = SAY.github.files_cut(f"{MOST_FILES:,}", ", ".join(cut))
        gaps.append(Gap("files", why, lasting=True))
    return tuple(patched), tuple(gaps)


async def _read_each(
    places: Iterable[K], read: Callable[[K], Awaitable[V]]
) -> tuple[dict[K, V], dict[K, CouldNotLook]]:
    """Read places at the same time; return what was read, and why others could not be."""
    found: dict[K, V] = {}
    failed: dict[K, CouldNotLook] = {}

    async def read_one(place: K) -> None:
        try:
            found[place] = await read(place)
        except CouldNotLook as error:
            failed[place] = error

    await asyncio.gather(*map(read_one, places))
    return found, failed


def _is_absent(error: CouldNotLook) -> bool:
    return isinstance(error, NotFound) and not isinstance(error, Elsewhere)


def _with_whole_sums(item: Item, files: tuple[FileChange, ...]) -> Item:
    """Return an item with its files; where their list ends early, its own sums are truer."""
    read = with_files(item, files)
    if len(files) < MOST_FILES:
        return read
    additions, deletions = max(read.additions, item.additions), max(read.deletions, item.deletions)
    return replace(read, additions=additions, deletions=deletions)


def _without_patches(item: Item) -> Item:
    words = ("patches",) if item.files is not None else ("files", "patches")
    return replace(item, detail_missing=tuple(dict.fromkeys((*item.detail_missing, *words))))


async def with_commit(asker: Session, repo: Repo, release: ReleaseNode) -> ReleaseNode:
    """Return a final release without notes, as REST tells it, with the commit of its tag.

    Any other as it is, and where that is not told, or no request is left for it.
    """
    item, room = release_item(repo, release), _room(asker)
    if item is None or item.tagged or is_prerelease(item) or has_notes(item) or room == 0:
        return release
    path = repo_path(repo, "commits", escaped(f"refs/tags/{release.tag_name}"))
    try:
        commit = await asker.get(path, Shape(Oid, SAY.objects.a_commit, repo))
    except CouldNotLook:
        return release
    return release.model_copy(update={"tag_commit": commit.value})


async def read_blobs(
    asker: Session, repo: Repo, files: Sequence[FileAt], *, cached: bool = True
) -> dict[FileAt, str | None]:
    """Return the texts of files, as `digest.ports.Contents` does; remembered if `cached`.

    Without a token those at the end are absent that no request is left for; raises `RateLimited`
    where none is left at all.
    """
    wanted = tuple(dict.fromkeys(files))
    found: dict[FileAt, str | None] = {}
    for file in wanted:
        had = await asker.recall(_name(repo, file))
        if had is not None:
            found[file] = json.loads(had)["text"]
    missing = [file for file in wanted if file not in found]
    if asker.has_token:
        fresh = await _read_together(asker, repo, missing)
    else:
        fresh = await _read_one_by_one(asker, repo, missing, are_some_known=bool(found))
    for file, text in fresh.items() if cached else ():
        await asker.keep(_name(repo, file), json.dumps({"text": text}).encode())
    return found | fresh


def _name(repo: Repo, file: FileAt) -> str:
    return f"blob {str(repo).lower()} {file.sha}:{file.path}"


async def _read_one_by_one(
    asker: Session, repo: Repo, files: Sequence[FileAt], *, are_some_known: bool
) -> dict[FileAt, str | None]:
    """Read the first files by half of the requests that are left, as others want to be read too.

    One after the other, and one call of the session at a time: repositories that are read together
    would each count on the same rest. Raises only where none is known.
    """
    shape = Shape(FileContent, SAY.objects.a_file, repo)
    rows: dict[FileAt, FileContent] = {}
    failed: dict[FileAt, CouldNotLook] = {}
    async with asker.counting():
        room = _room(asker)
        for at, file in enumerate(files):
            if room is None and (left_now := _room(asker)) is not None:
                room = at + left_now
            left = asker.left.get("core", RESERVED_REQUESTS + 1)
            if at >= (UNTOLD_REQUESTS if room is None else room) or left <= RESERVED_REQUESTS:
                break
            path = repo_path(repo, "contents", quote(file.path)) + f"?ref={file.sha}"
            try:
                rows[file] = (await asker.get(path, shape, cached=False)).value
            except CouldNotLook as error:
                failed[file] = error
                if isinstance(error, RateLimited):
                    break
    lacking = [file for file, error in failed.items() if _is_absent(error)]
    errors = [error for error in failed.values() if not _is_absent(error)]
    if files and not (rows or failed):
        errors = [RateLimited(SAY.upgrades.needs_token(len(files), repo))]
    if errors and not (rows or are_some_known):
        raise errors[0]
    found = {file: row.text for file, row in rows.items() if row.is_whole}
    # A commit of which something was read is there: what it lacks is a path.
    known = {file.sha for file in rows}
    return found | {file: None for file in lacking if file.sha in known}


def _room(asker: Session) -> int | None:
    left = asker.left.get("core")
    return None if left is None else max(0, left - RESERVED_REQUESTS) // 2


async def _read_together(
    asker: Session, repo: Repo, files: Sequence[FileAt]
) -> dict[FileAt, str | None]:
    found: dict[FileAt, str | None] = {}
    size = BLOBS_PER_DOCUMENT
    waiting = [files[at : at + size] for at in range(0, len(files), size)]
    while waiting:
        some = waiting.pop(0)
        shas = tuple(dict.fromkeys(file.sha for file in some))
        query, variables = blobs_document(repo, some, shas)
        try:
            answer = await asker.graphql(query, variables)
        except HeavyAnswer:
            if len(some) > 1:  # one that alone is too much is absent
                half = len(some) // 2
                waiting[:0] = [some[:half], some[half:]]
            continue
        node, row = repository_of(answer, None, repo)
        await asker.check_private(repo, node.name_with_owner, node.is_private)
        known = {sha for at, sha in enumerate(shas) if _is_there(row, f"s{at}", sha)}
        for at, file in enumerate(some):
            name = f"b{at}"
            if file.sha in known and name in row and not answer.errors_at("repository", name):
                _take(found, file, row[name])
    return found


def _is_there(row: Mapping[str, Json], name: str, sha: str) -> bool:
    try:
        commit, _ = read(Oid, row.get(name), SAY.objects.a_commit, None)
    except CouldNotLook:
        return False
    return commit.oid == sha


def _take(found: dict[FileAt, str | None], file: FileAt, value: Json) -> None:
    """Handle a file that was read whole, that is not there, or that is no text."""
    if value is None:
        found[file] = None
        return
    try:
        blob, _ = read(Blob, value, SAY.objects.a_file, None)
    except CouldNotLook:
        return
    if blob.typename != "Blob" or blob.is_binary:
        found[file] = None
    elif blob.text is not None and not blob.is_truncated:
        found[file] = blob.text
