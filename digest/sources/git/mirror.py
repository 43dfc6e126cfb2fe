"""The bare mirrors of clone URLs, in a folder of this program.

The address is never written to disk, for it may hold a password: a mirror has no remote, and
every fetch names the address anew.
"""

import hashlib
import os
import re
import shutil
from collections.abc import Callable, Sequence
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
from digest.sources.forge import without_credentials
from digest.sources.git.process import NO_REPOSITORY, GitFailed, GitProcess
from digest.wording.phrases import SAY

ASK_SECONDS = 60
FETCH_SECONDS = 3600

_MEANINGS: tuple[tuple[Callable[[str, str], InfraError], tuple[str, ...]], ...] = (
    (
        lambda where, _: StoreFailed(SAY.git.fetch_disk_full(where)),
        ("no space left on device", "disk quota exceeded"),
    ),
    (
        lambda where, why: ConfigurationError(SAY.git.needs_program(where, why)),
        ("cannot run ", "remote helper", "is not a git command"),
    ),
    (
        lambda where, _: Forbidden(SAY.git.needs_login(where)),
        (
            "could not read username",
            "could not read password",
            "authentication failed",
            "permission denied",
            "host key verification failed",
            "invalid credentials",
            "returned error: 401",
            "returned error: 403",
            "access denied",
        ),
    ),
    (
        lambda where, why: NotFound(SAY.git.no_repository(where, why)),
        (
            "not found",
            "does not exist",
            "does not appear to be a git repository",
            "returned error: 404",
            "no such file or directory",
        ),
    ),
    (
        lambda where, why: Unreachable(SAY.git.no_answer(where, why)),
        (
            "could not resolve",
            "unable to",
            "connection ",
            "network is unreachable",
            "could not read from remote",
            "hung up",
            "early eof",
            "timed out",
        ),
    ),
)
"""What git writes of a connection, in lower case, and what it means; the first one counts."""

_SYMREF = re.compile(rb"ref: (refs/heads/[^\t\n]+)\tHEAD\n")


def mirror_folder(url: str, cache_dir: Path) -> Path:
    """Return the folder of a URL's mirror: a hash of it, as it may hold a password."""
    return cache_dir / f"{hashlib.sha256(url.encode(errors='replace')).hexdigest()[:32]}.git"


async def update(git: GitProcess, url: str, cache_dir: Path) -> Path:
    """Fetch all branches and tags of a URL into its mirror, which is made if there is none.

    A damaged mirror is made anew. Raises `Forbidden`, `NotFound` or `Unreachable`; `StoreFailed`
    if the folder can't be written.
    """
    folder = mirror_folder(url, cache_dir)
    try:
        if is_folder(folder):
            try:
                await _fetch(git, url, folder)
                return folder
            except GitFailed as error:
                if NO_REPOSITORY not in error.reason:
                    raise
                shutil.rmtree(folder, ignore_errors=True)
        part = new_folder(cache_dir, "part-")
        try:
            await git.run(["init", "--quiet", "--bare", "--template=", "."], at=part)
            await _fetch(git, url, part)
            if not is_folder(folder):  # another process may have been faster
                os.replace(part, folder)
        finally:
            shutil.rmtree(part, ignore_errors=True)
    except OSError as error:
        raise StoreFailed(SAY.files.no_room(cache_dir, error.strerror)) from error
    return folder


def is_folder(path: Path) -> bool:
    """Return whether there is a folder at a path, also of a name that no file system allows."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def is_file(path: Path) -> bool:
    """Return whether there is a file at a path, also of a name that no file system allows."""
    return os.path.isfile(path)


def new_folder(cache_dir: Path, prefix: str) -> Path:
    """Make a new folder below the cache; raises `OSError`."""
    cache_dir.mkdir(parents=True, exist_ok=True)
    return Path(mkdtemp(dir=cache_dir, prefix=prefix))


async def _fetch(git: GitProcess, url: str, folder: Path) -> None:
    # Of a damaged mirror git would take the repository that is above it.
    await git.run(["--git-dir=.", "rev-parse"], at=folder)
    command = ["ls-remote", "--symref", "--", url, "HEAD"]
    named = _SYMREF.search(await remote(git, command, url, folder, ASK_SECONDS))
    options = ["--quiet", "--prune", "--force", "--no-tags"]
    options += ["--no-write-fetch-head", "--no-recurse-submodules"]
    refs = ("+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*")
    await remote(git, ["fetch", *options, "--", url, *refs], url, folder, FETCH_SECONDS)
    if named:
        branch = named[1].decode(errors="replace")
        await git.run(["symbolic-ref", "HEAD", branch], at=folder)


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
    for meaning, signs in _MEANINGS:
        if any(sign in written for sign in signs):
            return meaning(where, error.reason)
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
    """Return whether a location is an address, and not a folder."""
    return "://" in location or _SCP_FORM.match(location) is not None


def folder_of(location: str) -> Path:
    """Return the folder that a location names, `~` included; it need not exist."""
    return Path(os.path.expanduser(location))
