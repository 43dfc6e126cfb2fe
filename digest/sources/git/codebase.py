"""The files of a codebase, read without checking anything out: a clone, an address, or a folder.

Git hands the files of one commit over as they are stored: no hook and no filter runs, no symbolic
link is followed, no submodule is entered, and what a partial clone lacks is not fetched.
"""

import asyncio
import os
import re
import shutil
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp

from digest.concern.reader import READ, Codebase
from digest.concern.surface import Place, Problem, Source
from digest.errors import CouldNotLook, NotFound, StoreFailed, UsageError
from digest.models import FileAt
from digest.ports import Progress
from digest.sources.forge import without_credentials
from digest.sources.git.blobs import BlobReader, question
from digest.sources.git.location import checked, folder_of, is_url
from digest.sources.git.mirror import FETCH_SECONDS, is_folder, remote
from digest.sources.git.process import GitFailed, GitProcess
from digest.wording.phrases import SAY

MOST_FILES = 30_000
FILE_LIMIT = 1_000_000
"""Bytes above which a file is none that people wrote."""

TOTAL_LIMIT = 192_000_000
"""Bytes of all files that are kept in memory; vllm-ascend has 20 million."""

_NO_FETCH = tuple(
    part
    for name in ("file", "git", "http", "https", "ssh")
    for part in ("-c", f"protocol.{name}.allow=never")
)
"""A partial clone names a program that hands over what is missing: reading must not start it."""

_REVISION = re.compile(r"[\w./@{}^~+-]{1,250}")
_ASIDE = frozenset(
    {
        ".git", ".hg", ".svn", ".tox", ".nox", ".venv", "venv", ".eggs", ".mypy_cache",
        "__pycache__", "node_modules", "site-packages", "dist-packages",
    }
)  # fmt: skip
"""Folders of what is installed or made, which is not the codebase's own."""

_ENTRY = re.compile(rb"(\d{6}) (\w+) ([0-9a-f]{40,64}) +(\S+)\t(.+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class _Listed:
    files: list[str]
    links: list[tuple[str, str]]
    problems: list[Problem]


async def codebase(
    location: str,
    *,
    revision: str = "",
    cache_dir: Path,
    environment: Mapping[str, str],
    progress: Progress,
) -> Codebase:
    """Read the files of a codebase at a commit; `revision` is `HEAD` where it is empty.

    `location` is a path within a clone or of a bare one, a clone URL (fetched without history, in
    a folder under `cache_dir` that is gone afterwards), or a folder without git, whose files are
    read as they are. Raises `UsageError`, `NotFound`, `Forbidden`, `Unreachable`, `StoreFailed`,
    `ConfigurationError`. What is too large or no text is left out, and said.
    """
    location = checked(location)
    if revision and (revision.startswith("-") or not _REVISION.fullmatch(revision)):
        raise UsageError(SAY.git.no_revision(f"{revision[:80]!r}"))
    git = GitProcess(environment)
    if is_url(location):
        return await _fetched(git, location, revision, cache_dir, progress)
    path = folder_of(location)
    if not is_folder(path):
        raise NotFound(SAY.git.no_codebase(location))
    name = _name(path)
    try:
        prefix = (await git.run(["rev-parse", "--show-prefix"], at=path)).decode(errors="replace")
    except GitFailed as error:
        if revision or "not a git repository" not in error.said:
            raise CouldNotLook(SAY.git.cannot_read(location[:200], error.said)) from error
        progress(f"Reading {location}")
        return await asyncio.to_thread(_of_folder, path, name)
    return await _at_commit(git, path, revision or "HEAD", prefix.strip(), name, progress)


def _name(path: Path) -> str:
    resolved = path.resolve()
    name = resolved.name.removesuffix(".git") or resolved.parent.name
    return name.encode(errors="surrogateescape").decode(errors="replace")[:200]


async def _fetched(
    git: GitProcess, url: str, revision: str, cache_dir: Path, progress: Progress
) -> Codebase:
    where = without_credentials(url)
    progress(f"Fetching {where}")
    try:
        folder = await asyncio.to_thread(_new_folder, cache_dir)
    except OSError as error:
        raise StoreFailed(SAY.files.no_room(cache_dir, error.strerror)) from error
    try:
        await git.run(["init", "--quiet", "--bare", "--template=", "."], at=folder)
        wanted = [f"refs/tags/{revision}", revision] if revision else ["HEAD"]
        for number, name in enumerate(wanted, 1):
            arguments = ["fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules"]
            arguments += ["--no-write-fetch-head", "--", url, f"+{name}:refs/infra/taken"]
            try:
                await remote(git, arguments, url, folder, FETCH_SECONDS)
                break
            except CouldNotLook as error:
                if number == len(wanted):
                    if revision and "remote ref" in str(error):
                        raise NotFound(SAY.git.lacks_revision(where, revision)) from error
                    raise
        return await _at_commit(git, folder, "refs/infra/taken", "", where[:200], progress)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _new_folder(cache_dir: Path) -> Path:
    cache_dir.mkdir(parents=True, exist_ok=True)
    return Path(mkdtemp(dir=cache_dir, prefix="codebase-"))


async def _at_commit(
    git: GitProcess, path: Path, revision: str, prefix: str, name: str, progress: Progress
) -> Codebase:
    try:
        told = await git.run(
            [*_NO_FETCH, "rev-parse", "--verify", "--end-of-options", f"{revision}^{{commit}}"],
            at=path,
        )
    except GitFailed as error:
        raise NotFound(SAY.git.lacks_revision(name, revision)) from error
    commit = told.decode(errors="replace").strip().splitlines()[-1]
    listing = await git.run(
        [*_NO_FETCH, "ls-tree", "-r", "-z", "-l", "--full-tree", commit, "--", prefix or "."],
        at=path,
    )
    listed = _listed(listing, prefix)
    progress(f"Reading {len(listed.files)} files of {name}")
    asked = [FileAt(commit, f"{prefix}{one}") for one in listed.files]
    reader = BlobReader(asked, FILE_LIMIT, TOTAL_LIMIT)
    await git.feed(reader.take, [*_NO_FETCH, "cat-file", "--batch"], at=path, given=question(asked))
    contents = reader.contents()
    files: dict[str, str] = {}
    for at, shown in zip(asked, listed.files, strict=True):
        text = contents.get(at)
        if text is not None:
            files[shown] = text
        elif at not in contents:
            listed.problems.append(_too_much(shown))
    return Codebase(Source(name, commit), files, listed.links, listed.problems)


def _listed(listing: bytes, prefix: str) -> _Listed:
    files: list[str] = []
    links: list[tuple[str, str]] = []
    problems: list[Problem] = []
    symbolic = beyond = 0
    for entry in listing.split(b"\0"):
        match = _ENTRY.fullmatch(entry)
        if match is None:
            continue
        path = match[5].decode("utf-8", "surrogateescape").removeprefix(prefix)
        if match[1] == b"160000":
            links.append((path, match[3].decode()))
        elif match[1] == b"120000":
            symbolic += 1
        elif READ.search(path) and not set(path.split("/")) & _ASIDE and "\n" not in path:
            if not match[4].isdigit():
                problems.append(Problem(Place(path), "is not in this partial clone"))
            elif int(match[4]) > FILE_LIMIT:
                problems.append(_too_large(path))
            elif len(files) >= MOST_FILES:
                beyond += 1
            else:
                files.append(path)
    return _Listed(files, links, [*problems, *_aside(symbolic, beyond)])


def _aside(symbolic: int, beyond: int) -> Iterator[Problem]:
    if symbolic:
        yield Problem(Place(), f"symbolic links are not followed ({symbolic})")
    if beyond:
        yield Problem(Place(), f"{beyond} files beyond the first {MOST_FILES:,} are not read")


def _too_large(path: str) -> Problem:
    return Problem(Place(path), f"is larger than {FILE_LIMIT // 1000:,} kB and not read")


def _too_much(path: str) -> Problem:
    megabytes = TOTAL_LIMIT // 1_000_000
    return Problem(Place(path), f"is not read: more than {megabytes} MB of text came before it")


def _of_folder(root: Path, name: str) -> Codebase:
    """Read a folder that no git keeps, never through a symbolic link."""
    files: dict[str, str] = {}
    problems: list[Problem] = []
    total = symbolic = beyond = 0
    for path, size in _walk(root):
        shown = path.relative_to(root).as_posix()
        if size < 0:
            symbolic += 1
        elif not READ.search(shown):
            continue
        elif size > FILE_LIMIT:
            problems.append(_too_large(shown))
        elif len(files) >= MOST_FILES:
            beyond += 1
        elif total + size > TOTAL_LIMIT:
            problems.append(_too_much(shown))
        else:
            text = _text(path, shown, problems)
            if text is not None:
                files[shown] = text
                total += len(text)
    return Codebase(Source(name), files, (), [*problems, *_aside(symbolic, beyond)])


def _walk(root: Path) -> Iterator[tuple[Path, int]]:
    """Give plain files with their sizes, symbolic links with -1; other things are passed over."""
    waiting = [root]
    while waiting:
        folder = waiting.pop()
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError:
            continue
        if folder != root and any(entry.name == "pyvenv.cfg" for entry in entries):
            continue
        for entry in entries:
            if entry.is_symlink():
                yield Path(entry.path), -1
            elif entry.is_dir(follow_symlinks=False):
                if entry.name not in _ASIDE:
                    waiting.append(Path(entry.path))
            elif entry.is_file(follow_symlinks=False):
                yield Path(entry.path), entry.stat(follow_symlinks=False).st_size


def _text(path: Path, shown: str, problems: list[Problem]) -> str | None:
    try:
        # Not followed even where it became a link, nor waited for where it became a pipe.
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                return None
            content = file.read(FILE_LIMIT)
    except OSError as error:
        problems.append(Problem(Place(shown), f"cannot be read: {error.strerror}"))
        return None
    return None if b"\0" in content else content.decode("utf-8", "replace")
