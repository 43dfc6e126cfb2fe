"""Reads a public codebase for a channel, in a process of its own.

A stranger's code may be made to use up memory or to crash a parser; the bot goes on. The process
has no home folder, no keys and no credentials, so that what it can read, everybody can read.
"""

import asyncio
import os
import shutil
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from tempfile import mkdtemp

from digest.concern.surface import MOST_CHARACTERS, Surface
from digest.errors import CouldNotLook, StoreFailed, Unreachable
from digest.models import Repo
from digest.wording.phrases import SAY

SECONDS = 900
_KEPT = ("PATH", "TMPDIR", "LANG", "PYTHONPATH", "SSL_CERT_FILE", "SSL_CERT_DIR")
_PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY")
_NO_HOME = "/nonexistent"


async def public_surface(
    environment: Mapping[str, str],
    cache: str,
    repo: Repo,
    of: str,
    *,
    base: str = "https://github.com",
    seconds: float = SECONDS,
) -> Surface:
    """Read what the public repository `repo` uses of `of`, empty for the one that it uses.

    `cache` is the folder for what is fetched, where the environment names none; nothing of it
    stays there, also where the process is killed. Raises `CouldNotLook` with the line that tells
    why, `Unreachable` after `seconds`, and `StoreFailed` where no process can be started.
    """
    kept = {
        name: value
        for name, value in environment.items()
        if name in _KEPT or name.upper() in _PROXIES
    }
    try:
        folder = await asyncio.to_thread(_new_folder, environment.get("XDG_CACHE_HOME") or cache)
    except OSError as error:
        raise StoreFailed(SAY.files.no_room(cache, error.strerror)) from error
    kept |= {"HOME": _NO_HOME, "GIT_CONFIG_NOSYSTEM": "1", "XDG_CACHE_HOME": folder}
    try:
        return await _surface(kept, repo, of, base, seconds)
    finally:  # a reader that is killed leaves what it fetched
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)


def _new_folder(cache: str) -> str:
    os.makedirs(cache, exist_ok=True)
    return mkdtemp(dir=cache, prefix="surface-")


async def _surface(
    environment: Mapping[str, str], repo: Repo, of: str, base: str, seconds: float
) -> Surface:
    words = ["surface", f"{base}/{repo}", "--format", "json", *(["--of", of] if of else [])]
    try:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "adapters.terminal.main", *words),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=environment,
            start_new_session=True,  # so that git ends with it
        )
    except OSError as error:
        raise StoreFailed(SAY.surfaces.no_process(error.strerror)) from error
    try:
        async with asyncio.timeout(seconds):
            told, said = await _read(process)
            status = await process.wait()
    except TimeoutError as error:
        raise Unreachable(SAY.concerns.too_slow(repo, f"{seconds:g}")) from error
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
    lines = said.decode(errors="replace").strip().splitlines()
    if status != 0:
        why = lines[-1].removeprefix("infra: ") if lines else "its reader ended"
        raise CouldNotLook(SAY.concerns.not_read(repo, why[:300]))
    return Surface.read(told.decode(errors="replace"))


async def _read(process: asyncio.subprocess.Process) -> tuple[bytes, bytes]:
    assert process.stdout is not None  # asked for above
    assert process.stderr is not None
    errors = asyncio.create_task(process.stderr.read(1 << 16))
    told = bytearray()
    while piece := await process.stdout.read(1 << 16):
        told += piece
        if len(told) > 4 * MOST_CHARACTERS:
            errors.cancel()
            raise CouldNotLook(SAY.surfaces.too_large)
    return bytes(told), await errors
