"""A disk without room: a clear line, nothing lost or doubled, and the process goes on trying."""

import asyncio
import json
import os
import resource
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from bot.model.posts import PostState
from bot.store.store import ChannelStore
from digest.store.database import Database
from tests.adapters.slack.conftest import FakeSlack, serve
from tests.adapters.slack.test_running import free_port
from tests.adapters.test_process import planned, states
from tests.conftest import PATIENCE, eventually

pytestmark = pytest.mark.skipif(
    not hasattr(resource, "prlimit"), reason="only Linux limits the files of another process"
)

ROOM = 40_000
"""Bytes of one file: enough to open SQLite's index of its log, and soon too few for the log."""


@pytest.fixture
async def slack() -> AsyncIterator[FakeSlack]:
    fake = FakeSlack()
    runner, fake.url = await serve(fake.application())
    fake.members["C1"] = ["U1", "U0BOT"]
    yield fake
    await runner.cleanup()


def room(pid: int, size: int) -> None:
    hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)[1]
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, hard))


async def read(stream: asyncio.StreamReader, lines: list[dict[str, Any]]) -> None:
    async for line in stream:
        lines.append(json.loads(line))


def is_without_room(line: dict[str, Any]) -> bool:
    return line["event"] == "no heartbeat" and "free some space" in line["reason"]


async def got(port: int, path: str) -> str:
    async with (
        aiohttp.ClientSession() as session,
        session.get(f"http://127.0.0.1:{port}{path}") as answer,
    ):
        return await answer.text()


async def test_a_morning_waits_for_room_and_is_then_told_once(
    tmp_path: Path, slack: FakeSlack
) -> None:
    url, port, ops_port = f"sqlite:///{tmp_path}/infra.sqlite3", free_port(), free_port()
    async with Database(url) as database:
        await planned(database)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "adapters.terminal.main", "run"),
        cwd=tmp_path,
        env=os.environ
        | {
            "PYTHONPATH": str(Path(__file__).parent.parent.parent),
            "DATABASE_URL": url,
            "GITHUB_API_URL": "http://127.0.0.1:1",
            "SLACK_BOT_TOKEN": "xoxb-fake",
            "SLACK_SIGNING_SECRET": "shhh",
            "SLACK_API_URL": slack.api,
            "HOST": "127.0.0.1",
            "PORT": str(port),
            "INFRA_OPS_PORT": str(ops_port),
            "INFRA_NOW": "2026-02-12T09:00:30Z*60",
            "INFRA_LOG": "json",
        },
        stderr=asyncio.subprocess.PIPE,
        preexec_fn=lambda: room(0, ROOM),
    )
    assert process.stderr
    lines: list[dict[str, Any]] = []
    reading = asyncio.create_task(read(process.stderr, lines))
    try:
        await eventually(lambda: any(is_without_room(line) for line in lines))
        assert process.returncode is None
        async with (
            aiohttp.ClientSession() as session,
            session.get(f"http://127.0.0.1:{port}/healthz") as answer,
        ):
            assert answer.status == 200
        unready = await got(ops_port, "/readyz")
        assert "database: " in unready
        assert "free some space" in unready

        room(process.pid, resource.RLIM_INFINITY)
        await eventually(lambda: len(slack.called("chat.postMessage")) >= 3)
        await eventually(lambda: any(line["event"] == "delivery told" for line in lines))
        assert "database" not in await got(ops_port, "/readyz")
    finally:
        process.send_signal(signal.SIGTERM)
        status = await asyncio.wait_for(process.wait(), PATIENCE)
        await reading

    assert status == 0
    assert all("exception" not in line for line in lines)
    assert sorted(call["text"] for call in slack.called("chat.postMessage")) == ["0", "1", "2"]
    async with Database(url) as database:
        assert await states(ChannelStore(database)) == [PostState.SENT] * 3
