"""Reads a public codebase for a channel, in a process of its own.

A stranger's code may be made to use up memory or to crash a parser; the bot goes on. The process
has no home folder, no keys and no credentials, so that what it can read, everybody can read.
"""

import asyncio
import math
import os
import re
import shutil
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import mkdtemp

from digest.concern.surface import MOST_CHARACTERS, Surface
from digest.errors import CouldNotLook, StoreFailed, Unreachable
from digest.github_web import web
from digest.models import Repo
from digest.wording.phrases import SAY

SECONDS = 900
MEMORY = 2 << 30
"""Bytes of address space; the largest public codebases that were read took a quarter of it."""
DISK = 1 << 30
"""Bytes of what is fetched; a codebase of 6,000 files without its history has some 60 million."""
LOOK_SECONDS = 0.5

_LIMITED = """\
import os, resource, runpy, sys
memory, disk, seconds = map(int, sys.argv[1:4])
for kind, most in (
    (resource.RLIMIT_AS, memory), (resource.RLIMIT_FSIZE, disk), (resource.RLIMIT_CPU, seconds)
):
    resource.setrlimit(kind, (most, most))
del sys.argv[1:4]
try:
    runpy.run_module("adapters.terminal.main", run_name="__main__", alter_sys=True)
finally:
    if os.path.exists("/proc/self/status"):
        with open("/proc/self/status") as status:
            lines = (line.split() for line in status if line.startswith("VmPeak"))
            peak = next((int(line[1]) << 10 for line in lines), 0)
        if peak > memory - (32 << 20):
            print("out of memory", file=sys.stderr)
"""
"""The reader sets limits to itself, which git and whatever else it starts take over.

What fails for want of memory has many names (an import, a thread that does not start), so it looks
how near to its limit it came: https://man7.org/linux/man-pages/man5/proc_pid_status.5.html
"""
_PASSED_VARIABLES = ("PATH", "TMPDIR", "LANG", "PYTHONPATH", "SSL_CERT_FILE", "SSL_CERT_DIR")
_PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY")
_NO_HOME = "/nonexistent"


async def public_surface(
    environment: Mapping[str, str],
    cache: str,
    repo: Repo,
    of: str,
    *,
    base: str = "",
    seconds: float = SECONDS,
    memory: int = MEMORY,
    disk: int = DISK,
) -> Surface:
    """Read what the public repository `repo` uses of `of`, empty for the one that it uses.

    `cache` is the folder for what is fetched, where the environment names none; nothing of it
    stays there, also where the process is killed. Raises `CouldNotLook` with the line that tells
    why, `Unreachable` after `seconds`, and `StoreFailed` where no process can be started. A reader
    that takes more than `memory` or `disk` (bytes) is ended, and that is told.
    """
    variables = {
        name: value
        for name, value in environment.items()
        if name in _PASSED_VARIABLES or name.upper() in _PROXIES
    }
    try:
        folder = await asyncio.to_thread(_new_folder, environment.get("XDG_CACHE_HOME") or cache)
    except OSError as error:
        raise StoreFailed(SAY.files.no_room(cache, error.strerror)) from error
    variables |= {"HOME": _NO_HOME, "GIT_CONFIG_NOSYSTEM": "1", "XDG_CACHE_HOME": folder}
    try:
        return await _surface(
            variables, repo, of, f"{base or web()}/{repo}", seconds, (memory, disk)
        )
    finally:  # a reader that is killed leaves what it fetched
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)


def _new_folder(cache: str) -> str:
    os.makedirs(cache, exist_ok=True)
    return mkdtemp(dir=cache, prefix="surface-")


async def _surface(
    environment: Mapping[str, str],
    repo: Repo,
    of: str,
    address: str,
    seconds: float,
    limits: tuple[int, int],
) -> Surface:
    memory, disk = limits
    folder = Path(environment["XDG_CACHE_HOME"])
    words = ["surface", address, "--format", "json", *(["--of", of] if of else [])]
    numbers = (str(memory), str(disk), str(math.ceil(seconds)))
    try:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", _LIMITED, *numbers, *words),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=environment,
            start_new_session=True,  # so that git ends with it
        )
    except OSError as error:
        raise StoreFailed(SAY.surfaces.no_process(error.strerror)) from error
    too_much = CouldNotLook(SAY.concerns.too_much(repo, f"{disk >> 20:,}", f"{memory >> 20:,}"))
    watching = asyncio.create_task(_end_above(process, folder, disk))
    try:
        async with asyncio.timeout(seconds):
            output, errors = await _read(process)
            status = await process.wait()
    except TimeoutError as error:
        raise Unreachable(SAY.concerns.too_slow(repo, f"{seconds:g}")) from error
    finally:
        watching.cancel()
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
    if status < 0 or (status != 0 and _BEYOND.search(errors)):
        raise too_much
    lines = errors.decode(errors="replace").strip().splitlines()
    if status != 0:
        why = lines[-1].removeprefix("infra: ") if lines else "its reader ended"
        raise CouldNotLook(SAY.concerns.not_read(repo, why[:300]))
    return Surface.read(output.decode(errors="replace"))


_BEYOND = re.compile(
    rb"MemoryError|[Oo]ut of memory|[Cc]annot allocate|mmap failed|signal 25|File too large"
)
"""What Python and git say where a limit ends them; 25 is SIGXFSZ, of too large a file."""


async def _end_above(process: asyncio.subprocess.Process, folder: Path, most: int) -> None:
    """End a process whose folder grows beyond so many bytes."""
    while True:
        if await asyncio.to_thread(_size, folder) > most:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            return
        await asyncio.sleep(LOOK_SECONDS)


def _size(folder: Path) -> int:
    """Return the bytes of the files of a folder, without following links; what goes counts not."""
    total = 0
    for root, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                total += os.lstat(os.path.join(root, name)).st_size
    return total


async def _read(process: asyncio.subprocess.Process) -> tuple[bytes, bytes]:
    assert process.stdout is not None  # asked for above
    assert process.stderr is not None
    errors = asyncio.create_task(_end_of(process.stderr))
    output = bytearray()
    while piece := await process.stdout.read(1 << 16):
        output += piece
        if len(output) > 4 * MOST_CHARACTERS:
            errors.cancel()
            raise CouldNotLook(SAY.surfaces.too_large)
    return bytes(output), await errors


async def _end_of(stream: asyncio.StreamReader, most: int = 1 << 16) -> bytes:
    """Read to the end, and give the last bytes; what nobody reads keeps a process from ending."""
    last = b""
    while piece := await stream.read(1 << 16):
        last = (last + piece)[-most:]
    return last
