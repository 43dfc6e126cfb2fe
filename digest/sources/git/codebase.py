"""The files of a codebase, read without checking anything out: a clone, an address, or a folder.

Git hands the files of one commit over as they are stored: no hook and no filter runs, no symbolic
link is followed, no submodule is entered, and what a partial clone lacks is not fetched.
"""

import asyncio
import os
import re
import shutil
import stat
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from digest.concern.reader import READ, Codebase
from digest.concern.surface import CodePlace, Problem, SurfaceOrigin
from digest.errors import CouldNotLook, NotFound, StoreFailed, UsageError
from digest.ports import Progress
from digest.sources.forge import without_credentials
from digest.sources.git.history import read_blobs
from digest.sources.git.mirror import (
    FETCH_SECONDS,
    checked,
    folder_of,
    is_file,
    is_folder,
    is_url,
    new_folder,
    remote,
)
from digest.sources.git.process import NO_FETCH, NO_REPOSITORY, GitFailed, GitProcess
from digest.wording.phrases import SAY

MOST_FILES = 30_000
FILE_LIMIT = 1_000_000
"""Bytes above which a file is none that people wrote."""

TOTAL_LIMIT = 192_000_000
"""Bytes of all files that are kept in memory; vllm-ascend has 20 million."""

_REVISION = re.compile(r"[\w./@{}^~+-]{1,250}")
_ASIDE = frozenset(
    {
        ".git", ".hg", ".svn", ".tox", ".nox", ".venv", "venv", ".eggs", ".mypy_cache",
        "__pycache__", "node_modules", "site-packages", "dist-packages",
    }
)  # fmt: skip
"""Folders of what is installed or made, which is not the codebase's own."""

_ENTRY = re.compile(rb"(\d{6}) (\w+) ([0-9a-f]{40,64}) +(\S+)\t(.+)", re.DOTALL)


@dataclass(slots=True)
class _Taken:
    """What of a codebase is read, up to limits; what is left out is told by reason, not by file."""

    contents: dict[str, str] = field(default_factory=dict)
    """Paths with the SHA of what they hold, empty in a folder without git."""
    links: list[tuple[str, str]] = field(default_factory=list)
    symbolic: int = 0
    _total: int = 0
    _left: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def take(self, path: str, size: int, sha: str = "") -> bool:
        """Return whether a file of so many bytes is read."""
        why = ""
        if size > FILE_LIMIT:
            why = f"is larger than {FILE_LIMIT // 1000:,} kB and not read"
        elif len(self.contents) >= MOST_FILES:
            why = f"is not read, as {MOST_FILES:,} files came before it"
        elif self._total + size > TOTAL_LIMIT:
            why = f"is not read, as {TOTAL_LIMIT // 1_000_000} MB of text came before it"
        if why:
            self.leave(path, why)
            return False
        self.contents[path] = sha
        self._total += size
        return True

    def leave(self, path: str, why: str) -> None:
        """Leave out a file for a reason."""
        self._left[why].append(path)

    def problems(self) -> Iterator[Problem]:
        """Yield a line for each reason: the first file, and how many more there are."""
        for why, (first, *more) in self._left.items():
            like = f", like {len(more):,} more" if more else ""
            yield Problem(CodePlace(first), f"{why}{like}")
        if self.symbolic:
            yield Problem(CodePlace(), f"symbolic links are not followed ({self.symbolic})")


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
    if is_file(path):
        raise NotFound(SAY.git.no_codebase_but_file(location))
    if not is_folder(path):
        raise NotFound(SAY.git.no_folder(location))
    name = _name(path)
    try:
        prefix = (await git.run(["rev-parse", "--show-prefix"], at=path)).decode(errors="replace")
    except GitFailed as error:
        if revision or NO_REPOSITORY not in error.reason:
            raise CouldNotLook(SAY.git.cannot_read(location[:200], error.reason)) from error
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
        folder = await asyncio.to_thread(new_folder, cache_dir, "codebase-")
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


async def _at_commit(
    git: GitProcess, path: Path, revision: str, prefix: str, name: str, progress: Progress
) -> Codebase:
    try:
        output = await git.run(
            [*NO_FETCH, "rev-parse", "--verify", "--end-of-options", f"{revision}^{{commit}}"],
            at=path,
        )
    except GitFailed as error:
        raise NotFound(SAY.git.lacks_revision(name, revision)) from error
    commit = output.decode(errors="replace").strip().splitlines()[-1]
    listing = await git.run(
        [*NO_FETCH, "ls-tree", "-r", "-z", "-l", "--full-tree", commit, "--", prefix or "."],
        at=path,
    )
    taken = _listed(listing, prefix)
    progress(f"Reading {len(taken.contents)} files of {name}")
    texts = await read_blobs(git, path, taken.contents.values(), *NO_FETCH)
    found = {shown: texts.get(sha) for shown, sha in taken.contents.items()}
    files = {shown: text for shown, text in found.items() if text is not None}
    return Codebase(SurfaceOrigin(name, commit), files, taken.links, list(taken.problems()))


def _listed(listing: bytes, prefix: str) -> _Taken:
    taken = _Taken()
    for entry in listing.split(b"\0"):
        match = _ENTRY.fullmatch(entry)
        if match is None:
            continue
        path = match[5].decode("utf-8", "surrogateescape").removeprefix(prefix)
        if match[1] == b"160000":
            taken.links.append((path, match[3].decode()))
        elif match[1] == b"120000":
            taken.symbolic += 1
        elif READ.search(path) and not set(path.split("/")) & _ASIDE and "\n" not in path:
            if match[4].isdigit():
                taken.take(path, int(match[4]), match[3].decode())
            else:
                taken.leave(path, "is not in this partial clone")
    return taken


def _of_folder(root: Path, name: str) -> Codebase:
    """Read a folder that no git keeps, never through a symbolic link."""
    files: dict[str, str] = {}
    taken = _Taken()
    for folder, inner, names in os.walk(root):
        if folder != str(root) and "pyvenv.cfg" in names:
            inner.clear()
            continue
        inner[:] = sorted(one for one in inner if one not in _ASIDE)
        for one in (*inner, *sorted(names)):
            path = Path(folder, one)
            shown = path.relative_to(root).as_posix()
            if path.is_symlink():
                taken.symbolic += 1
            elif one in names and READ.search(shown):
                text = _text(path, shown, taken)
                if text is not None:
                    files[shown] = text
    return Codebase(SurfaceOrigin(name), files, (), list(taken.problems()))


def _text(path: Path, shown: str, taken: _Taken) -> str | None:
    try:
        # Not followed even where it became a link, nor waited for where it became a pipe.
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(descriptor, "rb") as file:
            about = os.fstat(descriptor)
            if not stat.S_ISREG(about.st_mode) or not taken.take(shown, about.st_size):
                return None
            content = file.read(FILE_LIMIT)
    except OSError as error:
        taken.leave(shown, f"cannot be read: {error.strerror}")
        return None
    return None if b"\0" in content else content.decode("utf-8", "replace")
