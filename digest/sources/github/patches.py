"""Reading files with their hunks: one request a change, kept for ever."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from digest.errors import CouldNotLook, NotFound
from digest.models import FileChange, Gap, Item, Kind, Repo
from digest.reading.paths import worth_reading
from digest.sources.github.answers import CommitFiles, File, Shape, a_list, whole
from digest.sources.github.api import (
    MAX_FILE_PAGES,
    MOST_FILES,
    Answer,
    Elsewhere,
    repo_path,
)
from digest.sources.github.client import Session
from digest.sources.github.items import file_change, with_files
from digest.wording.phrases import SAY


@dataclass(frozen=True, slots=True)
class FilesOf:
    """Where the files of a change are read: of a commit, or of a merged pull request."""

    key: str
    sha: str | None = None
    pull: int | None = None


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


def files_path(repo: Repo, where: FilesOf) -> str:
    """Return the address of the first page of a change's files."""
    if where.sha is not None:
        return repo_path(repo, "commits", where.sha)
    return repo_path(repo, "pulls", str(where.pull), "files") + "?per_page=100"


async def affordable(
    asker: Session, repo: Repo, places: Sequence[FilesOf], requests: int
) -> list[FilesOf]:
    """Choose what may be read with so many requests; what is remembered costs none."""
    chosen: list[FilesOf] = []
    for where in places:
        if await asker.remembers(files_path(repo, where)):
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
    url: str | None = files_path(repo, where)
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
) -> Answer[tuple[File, ...]]:
    if where.sha is None:
        return await asker.get(
            url, a_list(File, SAY.objects.changed_files, repo), permanent=permanent, cached=cached
        )
    shape = Shape(CommitFiles, SAY.objects.changed_files, repo, lambda row: row.sha == where.sha)
    answer = await asker.get(url, shape, permanent=permanent, cached=cached)
    return Answer(answer.value.files, answer.next_url, answer.holes)


@dataclass(frozen=True, slots=True)
class WithPatches:
    """Items after reading, and why some could not be read, or not to the end of their lists."""

    items: tuple[Item, ...]
    errors: tuple[CouldNotLook, ...] = ()
    cut: tuple[str, ...] = ()

    def gaps(self) -> tuple[Gap, ...]:
        """Say what is missing; what GitHub does not have will not be there later either."""
        absent = [error for error in self.errors if _is_absent(error)]
        others = [error for error in self.errors if not _is_absent(error)]
        gaps = [
            Gap(
                "patches",
                SAY.unread.patches(len(errors), errors[0].why),
                lasting=errors is absent,
            )
            for errors in (others, absent)
            if errors
        ]
        if self.cut:
            refs = ", ".join(self.cut)
            why = SAY.github.files_cut(f"{MOST_FILES:,}", refs)
            gaps.append(Gap("files", why, lasting=True))
        return tuple(gaps)


def _is_absent(error: CouldNotLook) -> bool:
    return isinstance(error, NotFound) and not isinstance(error, Elsewhere)


async def read_patches(
    asker: Session, repo: Repo, items: Sequence[Item], places: Sequence[FilesOf]
) -> WithPatches:
    """Read the patches of `places` at the same time and put them into their items."""
    found: dict[str, tuple[FileChange, ...]] = {}
    errors: list[CouldNotLook] = []

    async def read_one(where: FilesOf) -> None:
        try:
            found[where.key] = await read_files(asker, repo, where)
        except CouldNotLook as error:
            errors.append(error)

    await asyncio.gather(*(read_one(where) for where in places))
    failed = {where.key for where in places} - found.keys()
    read = tuple(
        _with_whole_sums(item, found[item.key])
        if item.key in found
        else (_without_patches(item) if item.key in failed else item)
        for item in items
    )
    cut = tuple(item.ref for item in read if len(found.get(item.key, ())) >= MOST_FILES)
    return WithPatches(read, tuple(errors), cut)


def _with_whole_sums(item: Item, files: tuple[FileChange, ...]) -> Item:
    """Return an item its files; where their list ends early, its own sums are the truer ones."""
    read = with_files(item, files)
    additions, deletions = max(read.additions, item.additions), max(read.deletions, item.deletions)
    is_cut = len(files) >= MOST_FILES
    return replace(read, additions=additions, deletions=deletions) if is_cut else read


def _without_patches(item: Item) -> Item:
    words = ("patches",) if item.files is not None else ("files", "patches")
    return replace(item, detail_missing=tuple(dict.fromkeys((*item.detail_missing, *words))))
