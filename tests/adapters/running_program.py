"""The program as a host runs it: a process of its own, its log, and what it is asked by HTTP."""

import asyncio
import json
import os
import resource
import signal
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp

from tests.adapters.slack.conftest import SECRET, FakeSlack, Sender
from tests.adapters.slack.test_running import free_port
from tests.conftest import PATIENCE

PROJECT = Path(__file__).parent.parent.parent


@dataclass
class Program:
    """A running program."""

    process: asyncio.subprocess.Process
    port: int
    ops_port: int
    lines: list[dict[str, Any]] = field(default_factory=list)
    """What it logged."""
    printed: list[str] = field(default_factory=list)
    """Lines on standard error that are no log lines, as a traceback's."""

    @property
    def slack(self) -> Sender:
        """Return who sends as Slack does, signed."""
        return Sender(f"http://127.0.0.1:{self.port}/slack/events", SECRET)

    def logged(self, event: str) -> list[dict[str, Any]]:
        """Return the log lines of an event."""
        return [line for line in self.lines if line["event"] == event]

    async def get(self, path: str, port: int | None = None) -> tuple[int, str]:
        """Return status and text of what a path answers."""
        url = f"http://127.0.0.1:{port or self.port}{path}"
        async with aiohttp.ClientSession() as session, session.get(url) as answer:
            return answer.status, await answer.text()

    async def healthy(self) -> None:
        """Wait until it answers."""
        async with asyncio.timeout(PATIENCE):
            while True:
                try:
                    await self.get("/healthz")
                    return
                except aiohttp.ClientError:
                    assert self.process.returncode is None, self.printed
                    await asyncio.sleep(0.05)

    async def heard(self) -> None:
        """Wait until it takes what Slack posts."""
        async with asyncio.timeout(PATIENCE):
            while True:
                if (await self.slack.command("help"))[0] != 503:
                    return
                await asyncio.sleep(0.05)

    async def until(self, done: Callable[[], bool]) -> None:
        """Wait for a state."""
        async with asyncio.timeout(PATIENCE):
            while not done():
                assert self.process.returncode is None, self.printed
                await asyncio.sleep(0.02)

    async def end(self) -> int:
        """Ask it to end, and return its exit status."""
        if self.process.returncode is None:
            self.process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(PATIENCE):
            return await self.process.wait()

    async def read(self) -> None:
        """Read its log until it ends."""
        assert self.process.stderr
        async for line in self.process.stderr:
            try:
                self.lines.append(json.loads(line))
            except ValueError:
                self.printed.append(line.decode())


@asynccontextmanager
async def running_program(
    folder: Path,
    slack: FakeSlack,
    *words: str,
    files: int = 1024,
    largest: int = resource.RLIM_INFINITY,
    environment: Mapping[str, str] | None = None,
) -> AsyncIterator[Program]:
    """Run `infra run` with more words, by HTTP for Slack.

    `files` is how many it may open, `largest` the bytes that one of them may have.
    """
    port, ops_port = free_port(), free_port()

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest, resource.RLIM_INFINITY))

    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "adapters.terminal.main", "run", *words),
        cwd=folder,
        env=os.environ
        | {
            "PYTHONPATH": str(PROJECT),
            "DATABASE_URL": f"sqlite:///{folder}/infra.sqlite3",
            "GITHUB_API_URL": "http://127.0.0.1:1",
            "SLACK_BOT_TOKEN": "xoxb-fake",
            "SLACK_SIGNING_SECRET": SECRET,
            "SLACK_API_URL": slack.api,
            "HOST": "127.0.0.1",
            "PORT": str(port),
            "INFRA_OPS_PORT": str(ops_port),
            "INFRA_LOG": "json",
        }
        | dict(environment or {}),
        stderr=asyncio.subprocess.PIPE,
        preexec_fn=limit,
    )
    program = Program(process, port, ops_port)
    reading = asyncio.create_task(program.read())
    try:
        yield program
    finally:
        await program.end()
        await reading
