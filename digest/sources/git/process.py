"""The `git` program, run so that nothing in a repository or its configuration can act.

Safety rests on https://git-scm.com/docs/git#_environment_variables and
https://git-scm.com/docs/git-config: no shell, no hooks, no pager, no prompt, no external diff,
no `ext::` transport.
"""

import asyncio
import os
import shutil
import signal
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from digest.errors import ConfigurationError, CouldNotLook, StoreFailed, Unreachable
from digest.sources.forge import without_credentials
from digest.wording.phrases import SAY

CHUNK = 1 << 16
LOCAL_SECONDS = 600
LETTING_GO_SECONDS = 5
_ERROR_BYTES = 8192
_ERROR_CHARACTERS = 300
_VAGUE = "could not read from remote repository"
NO_REPOSITORY = "not a git repository"
"""What the reason of `GitFailed` says of a folder that holds none."""


_CONFIGURED = (
    "core.quotePath=false",
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.attributesFile=/dev/null",
    "core.askPass=",
    "protocol.ext.allow=never",
    # Who forbids git to find bare repositories by itself still names one here, or has a mirror.
    "safe.bareRepository=all",
    "gc.auto=0",
    "maintenance.auto=false",
    "submodule.recurse=false",
    "diff.suppressBlankEmpty=false",
    "http.lowSpeedLimit=1000",
    "http.lowSpeedTime=60",
)
_OPTIONS = (
    *("--no-pager", "--no-replace-objects"),
    *(part for setting in _CONFIGURED for part in ("-c", setting)),
)
NO_FETCH = tuple(
    part
    for name in ("file", "git", "http", "https", "ssh")
    for part in ("-c", f"protocol.{name}.allow=never")
)
"""A partial clone names a program that hands over what is missing: reading must not start it."""
_SETTINGS = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_ADVICE": "0",
    "LC_ALL": "C",
}
_PASSED_GIT_VARIABLES = ("GIT_SSH", "GIT_SSH_COMMAND", "GIT_EXEC_PATH", "GIT_PROXY_COMMAND")
_PASSED_GIT_PREFIXES = ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_SSL_")


class GitFailed(CouldNotLook):
    """Git ended with an error; `reason` is the line that tells why, `written` all that it wrote."""

    def __init__(self, written: str, status: int = 0) -> None:
        self.written = written
        self.status = status
        self.reason = _reason(written)
        super().__init__(SAY.git.failed(self.reason))


@dataclass(frozen=True, slots=True)
class GitProcess:
    """Runs git with the person's environment, from which what steers a repository is removed."""

    environment: Mapping[str, str]

    async def run(
        self,
        arguments: Sequence[str],
        *,
        at: Path,
        given: bytes = b"",
        seconds: float = LOCAL_SECONDS,
        strictly: bool = False,
    ) -> bytes:
        """Run git in the folder `at` and give its whole output.

        `strictly` takes whatever it complains of for an error. Raises `GitFailed`, `Unreachable`
        after `seconds`, `ConfigurationError` without git, `StoreFailed` where the machine has no
        room to run it.
        """
        chunks: list[bytes] = []
        await self.feed(
            chunks.append, arguments, at=at, given=given, seconds=seconds, strictly=strictly
        )
        return b"".join(chunks)

    async def feed(
        self,
        sink: Callable[[bytes], object],
        arguments: Sequence[str],
        *,
        at: Path,
        given: bytes = b"",
        seconds: float = LOCAL_SECONDS,
        strictly: bool = False,
    ) -> None:
        """Run git like `run`, giving its output to `sink` piece by piece."""
        try:
            with TemporaryFile() as given_file, TemporaryFile() as error_file:
                given_file.write(given)
                given_file.seek(0)
                process = await self._start(arguments, at, given_file, error_file)
                output = process.stdout
                assert output is not None  # asked for in _start
                try:
                    async with asyncio.timeout(seconds):
                        while chunk := await output.read(CHUNK):
                            sink(chunk)
                        status = await process.wait()
                except TimeoutError as error:
                    message = SAY.git.too_slow(arguments[0], f"{seconds:g}")
                    raise Unreachable(message) from error
                finally:
                    await _end(process)
                written = _error_text(error_file)
                if status != 0 or (strictly and written.strip()):
                    raise GitFailed(written, status)
        except OSError as error:
            raise StoreFailed(SAY.git.cannot_run(at, error.strerror)) from error

    async def _start(
        self, arguments: Sequence[str], at: Path, given: IO[bytes], errors: IO[bytes]
    ) -> asyncio.subprocess.Process:
        program = shutil.which("git", path=self.environment.get("PATH"))
        if program is None:
            raise ConfigurationError(SAY.git.not_installed)
        return await asyncio.create_subprocess_exec(
            program,
            *_OPTIONS,
            *arguments,
            stdin=given,
            stdout=asyncio.subprocess.PIPE,
            stderr=errors,
            cwd=at,
            env=self._safe_environment(),
            start_new_session=True,  # without a terminal nothing can ask for a password
        )

    def _safe_environment(self) -> dict[str, str]:
        passed = {
            name: value
            for name, value in self.environment.items()
            if not name.startswith(("GIT_", "SSH_ASKPASS"))
            or name in _PASSED_GIT_VARIABLES
            or name.startswith(_PASSED_GIT_PREFIXES)
        }
        return passed | _SETTINGS


async def _end(process: asyncio.subprocess.Process) -> None:
    """End what still runs, with its children, and let go of its pipe.

    Asked to end, git removes its lock files; killed at once, it would leave them, and every later
    fetch would fail.
    """
    for sign in (signal.SIGTERM, signal.SIGKILL):
        if process.returncode is not None:
            break
        with suppress(ProcessLookupError):
            os.killpg(process.pid, sign)
        with suppress(TimeoutError):
            async with asyncio.timeout(LETTING_GO_SECONDS):
                await process.wait()
    if process.stdout is not None:
        while await process.stdout.read(CHUNK):
            pass
    await process.wait()


def _error_text(file: IO[bytes]) -> str:
    file.seek(0, os.SEEK_END)
    file.seek(max(0, file.tell() - _ERROR_BYTES))
    return without_credentials(file.read().decode(errors="replace"))


def _reason(written: str) -> str:
    lines = [line.strip() for line in written.splitlines() if line.strip()]
    lines = [line for line in lines if _VAGUE not in line.lower()] or ["no reason given"]
    faults = [line for line in lines if line.lower().startswith(("fatal:", "error:"))]
    line = (faults or lines)[0].removeprefix("fatal: ").removeprefix("error: ")
    return "".join(letter for letter in line if letter.isprintable())[:_ERROR_CHARACTERS]
