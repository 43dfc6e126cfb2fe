"""A disk without room: a clear line, nothing lost or doubled, and the process goes on trying."""

import resource
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.model.posts import PostState
from bot.store.store import ChannelStore
from digest.store.database import Database
from tests.adapters.running_program import running_program
from tests.adapters.slack.conftest import FakeSlack
from tests.adapters.test_process import planned, states
from tests.adapters.web_served import served

pytestmark = pytest.mark.skipif(
    not hasattr(resource, "prlimit"), reason="only Linux limits the files of another process"
)

ROOM = 40_000
"""Bytes of one file: enough to open SQLite's index of its log, and soon too few for the log."""

MORNING = {"INFRA_NOW": "2026-02-12T09:00:30Z*60"}


@pytest.fixture
async def slack() -> AsyncIterator[FakeSlack]:
    fake = FakeSlack()
    async with served(fake.application()) as fake.url:
        fake.members["C1"] = ["U1", "U0BOT"]
        yield fake


def room(pid: int, size: int) -> None:
    hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)[1]
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, hard))


def is_without_room(line: dict[str, Any]) -> bool:
    return line["event"] == "no heartbeat" and "free some space" in line["reason"]


async def test_a_morning_waits_for_room_and_is_then_told_once(
    tmp_path: Path, slack: FakeSlack
) -> None:
    url = f"sqlite:///{tmp_path}/infra.sqlite3"
    async with Database(url) as database:
        await planned(database)
    async with running_program(tmp_path, slack, environment=MORNING, largest=ROOM) as program:
        await program.until(lambda: any(map(is_without_room, program.lines)))
        assert await program.get("/healthz") == (200, "ok\n")
        unready = (await program.get("/readyz", program.ops_port))[1]
        assert "database: " in unready
        assert "free some space" in unready

        room(program.process.pid, resource.RLIM_INFINITY)
        await program.until(lambda: len(slack.called("chat.postMessage")) >= 3)
        await program.until(lambda: bool(program.logged("delivery told")))
        assert "database" not in (await program.get("/readyz", program.ops_port))[1]
        assert await program.end() == 0

    assert program.printed == []
    assert all("exception" not in line for line in program.lines)
    assert sorted(call["text"] for call in slack.called("chat.postMessage")) == ["0", "1", "2"]
    async with Database(url) as database:
        assert await states(ChannelStore(database)) == [PostState.SENT] * 3
