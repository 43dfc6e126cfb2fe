"""The bare mirrors of clone URLs, in a folder of this program.

The address is never written to disk, for it may hold a password: a mirror has no remote, and
every fetch names the address anew.
"""

import asyncio
import fcntl
import hashlib
import os
import re
import shutil
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp

from digest.errors import (
    ConfigurationError,
    CouldNotLook,
    Forbidden,
    InfraError,
    NotFound,
    StoreFailed,
    Unreachable,
    UsageError,
)
from digest.models import Notice, NoticeKind
from digest.sources.forge import without_credentials
from digest.sources.git.process import GitFailed, GitProcess
from digest.wording.phrases import SAY

ASK_SECONDS = 60
FETCH_SECONDS = 3600
LOOK_SECONDS = 0.1
"""How often a process looks whether another one has ended its fetch."""

TURN_FILE = "infra-digest.lock"
"""In the mirror, locked by the process that fetches; git takes no notice of it."""

_NEEDS_PROGRAM = ("cannot run ", "remote helper", "is not a git command")
_NEEDS_LOGIN = (
    "could not read username",
    "could not read password",
    "authentication failed",
    "permission denied",
    "host key verification failed",
    "invalid credentials",
    "returned error: 401",
    "returned error: 403",
    "access denied",
)
_IS_FULL = ("no space left on device", "disk quota exceeded")
_IS_MISSING = (
    "not found",
    "does not exist",
    "does not appear to be a git repository",
    "returned error: 404",
    "no such file or directory",
)
_NO_NETWORK = (
    "could not resolve",
    "unable to access",
    "unable to connect",
    "connection refused",
    "connection timed out",
    "connection reset",
    "network is unreachable",
    "could not read from remote",
    "hung up",
    "early eof",
    "timed out",
)
_USUAL_BRANCHES = ("refs/heads/main", "refs/heads/master")
_PLAIN_HEAD = re.compile(rb"(?m)^([0-9a-f]{40,64})\tHEAD$")
_SYMREF = re.compile(rb"ref: (refs/heads/[^\t\n]+)\tHEAD\n")


@dataclass(frozen=True, slots=True)
class Mirror:
    """A mirror brought up to date: its folder, and what changed about the branch meanwhile."""

    folder: Path
    notices: tuple[Notice, ...]


def mirror_folder(url: str, cache_dir: Path) -> Path:
    """Return the folder of a URL's mirror: a hash of it, as it may hold a password."""
    return cache_dir / f"{hashlib.sha256(url.encode(errors='replace')).hexdigest()[:32]}.git"


async def update(git: GitProcess, url: str, cache_dir: Path) -> Mirror:
    """Fetch all branches and tags of a URL into its mirror, which is made if there is none.

    Raises `Forbidden`, `NotFound` or `Unreachable`; `StoreFailed` if the folder can't be written.
    """
    folder = mirror_folder(url, cache_dir)
    try:
        is_damaged = is_folder(folder) and not await _is_repository(git, folder)
        if is_folder(folder) and not is_damaged:
            async with _turn(folder):
                return Mirror(folder, await _fetch(git, url, folder))
        part = _new_folder(cache_dir)
        try:
            await git.run(["init", "--quiet", "--bare", "--template=", "."], at=part)
            await _fetch(git, url, part)
            if is_damaged and not await _is_repository(git, folder):
                # It is only a copy, and another one is here.
                await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
            if not is_folder(folder):  # another process may have been faster
                os.replace(part, folder)
        finally:
            shutil.rmtree(part, ignore_errors=True)
    except OSError as error:
        raise StoreFailed(SAY.files.no_room(cache_dir, error.strerror)) from error
    return Mirror(folder, ())


@asynccontextmanager
async def _turn(folder: Path) -> AsyncIterator[None]:
    """Wait until nobody else fetches into a mirror: git itself refuses the second one.

    The system lets go of the lock of a process that died. Raises `Unreachable` in the end.
    """
    with (folder / TURN_FILE).open("wb") as file:
        try:
            async with asyncio.timeout(FETCH_SECONDS):
                while not _is_taken(file.fileno()):  # noqa: ASYNC110 - another process sets no event
                    await asyncio.sleep(LOOK_SECONDS)
        except TimeoutError as error:
            raise Unreachable(SAY.git.being_fetched) from error
        yield


def _is_taken(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def is_folder(path: Path) -> bool:
    """Return whether there is a folder at a path, also of a name that no file system allows."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


async def _is_repository(git: GitProcess, folder: Path) -> bool:
    """Return whether a folder is a repository itself: of a damaged one git takes what is above.

    What git cannot say for another reason (its owner, a signal) is for the fetch to tell.
    """
    try:
        found = await git.run(["rev-parse", "--absolute-git-dir"], at=folder)
    except GitFailed as error:
        return "not a git repository" not in error.reason
    return _is_same(os.fsdecode(found).rstrip("\n"), folder)


def _is_same(path: str, folder: Path) -> bool:
    return os.path.samefile(path, folder)


def _new_folder(cache_dir: Path) -> Path:
    cache_dir.mkdir(parents=True, exist_ok=True)
    return Path(mkdtemp(dir=cache_dir, prefix="part-"))


async def _fetch(git: GitProcess, url: str, folder: Path) -> tuple[Notice, ...]:
    branch_before, head_before = await _branch(git, folder), await _head(git, folder)
    command = ["ls-remote", "--symref", "--", url, "HEAD"]
    refs = await remote(git, command, url, folder, ASK_SECONDS)
    arguments = [
        "fetch",
        "--quiet",
        "--prune",
        "--force",
        "--no-tags",
        "--no-write-fetch-head",
        "--no-recurse-submodules",
        "--",
        url,
        "+refs/heads/*:refs/heads/*",
        "+refs/tags/*:refs/tags/*",
    ]
    await remote(git, arguments, url, folder, FETCH_SECONDS)
    await _point_head(git, refs, folder)
    if not head_before:
        return ()
    branch = await _branch(git, folder)
    if branch != branch_before:
        return (Notice(NoticeKind.DEFAULT_BRANCH_CHANGED, branch_before, branch),)
    head = await _head(git, folder)
    if head and not await is_ancestor(git, head_before, head, folder):
        return (Notice(NoticeKind.FORCED_PUSH, head_before, head),)
    return ()


async def _point_head(git: GitProcess, refs: bytes, folder: Path) -> None:
    """Make HEAD the default branch: the one the server names, or one at the same commit."""
    if named := _SYMREF.search(refs):
        branch = named[1].decode(errors="replace")
    elif head := _PLAIN_HEAD.search(refs):
        arguments = ["for-each-ref", "--format=%(refname)", f"--points-at={head[1].decode()}"]
        found = (await git.run([*arguments, "refs/heads"], at=folder)).decode(errors="replace")
        names = found.split()
        usual = [name for name in _USUAL_BRANCHES if name in names]
        branch = next(iter([*usual, *names]), "")
    else:
        return
    if branch:
        await git.run(["symbolic-ref", "HEAD", branch], at=folder)


async def is_ancestor(git: GitProcess, older: str, newer: str, folder: Path) -> bool:
    """Return whether one commit is another, or reachable from it."""
    try:
        await git.run(["merge-base", "--is-ancestor", older, newer], at=folder)
    except GitFailed:
        return False
    return True


async def _branch(git: GitProcess, folder: Path) -> str:
    name = await git.run(["symbolic-ref", "--short", "HEAD"], at=folder)
    return name.decode(errors="replace").strip()


async def _head(git: GitProcess, folder: Path) -> str:
    try:
        return (await git.run(["rev-parse", "--verify", "-q", "HEAD"], at=folder)).decode().strip()
    except GitFailed:
        return ""


async def remote(
    git: GitProcess, arguments: Sequence[str], url: str, folder: Path, seconds: float
) -> bytes:
    """Run git against an address; what it says of a connection is raised as what it means."""
    try:
        return await git.run(arguments, at=folder, seconds=seconds)
    except GitFailed as error:
        raise _translated(error, url) from error


def _translated(error: GitFailed, url: str) -> InfraError:
    """Say what a refused connection means for the person."""
    where, written = without_credentials(url), error.written.lower()
    if any(sign in written for sign in _IS_FULL):
        return StoreFailed(SAY.git.fetch_disk_full(where))
    if any(sign in written for sign in _NEEDS_PROGRAM):
        return ConfigurationError(SAY.git.needs_program(where, error.reason))
    if any(sign in written for sign in _NEEDS_LOGIN):
        return Forbidden(SAY.git.needs_login(where))
    if any(sign in written for sign in _IS_MISSING):
        return NotFound(SAY.git.no_repository(where, error.reason))
    if any(sign in written for sign in _NO_NETWORK):
        return Unreachable(SAY.git.no_answer(where, error.reason))
    return CouldNotLook(SAY.git.not_fetched(where, error.reason))


_URL_SCHEMES = ("http", "https", "ssh", "git", "file")
_SCP_FORM = re.compile(r"[\w.+-]{1,64}@[\w.-]{1,253}:\S")


def checked(location: str) -> str:
    """Return a location as it came; `UsageError` says what git must not be handed."""
    shown = without_credentials(location)[:80]
    if not location.strip() or location.startswith("-") or not location.isprintable():
        raise UsageError(SAY.git.no_address(f"{shown!r}"))
    scheme = location.partition("://")[0] if "://" in location else ""
    if "::" in location.partition("/")[0] or (scheme and scheme not in _URL_SCHEMES):
        schemes = ", ".join(_URL_SCHEMES)
        raise UsageError(SAY.git.not_clonable(f"{shown!r}", schemes))
    return location


def is_url(location: str) -> bool:
    """Return whether a location is an address; `git@host:path` is one where no folder bears it."""
    return "://" in location or (
        _SCP_FORM.match(location) is not None and not is_folder(Path(location))
    )


def folder_of(location: str) -> Path:
    """Return the folder that a location names, `~` included; it need not exist."""
    try:
        return Path(location).expanduser()
    except RuntimeError:  # `~name` of nobody, or no home folder is known
        return Path(location)
