"""The whole process by its own settings, on loopback: it begins, hears, sends and ends."""

import asyncio
import os
import signal
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from adapters.wiring.chat import assembled_bot
from adapters.wiring.process import run
from digest.errors import BadToken, ConfigurationError
from digest.languages import Language
from digest.store.store import open_store
from tests.bot.channels_invented import told
from tests.conftest import PATIENCE
from tests.digest.writing import invented


def silent(line: str) -> None:
    """Tell nobody."""


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])


@pytest.fixture
def port(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, slack: Any) -> int:
    """Set a bot up for this Slack and give the port on which it listens."""
    port = free_port()
    monkeypatch.chdir(tmp_path)
    given = {
        "DATABASE_URL": f"sqlite:///{tmp_path}/infra.sqlite3",
        "GITHUB_API_URL": f"http://127.0.0.1:{free_port()}",
        "SLACK_BOT_TOKEN": "xoxb-fake",
        "SLACK_SIGNING_SECRET": "shhh",
        "SLACK_API_URL": slack.api,
        "PORT": str(port),
    }
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    return port


async def healthy(port: int) -> bool:
    async with aiohttp.ClientSession() as session, asyncio.timeout(PATIENCE):
        while True:
            try:
                async with session.get(f"http://127.0.0.1:{port}/healthz") as answer:
                    return answer.status == 200
            except aiohttp.ClientError:
                await asyncio.sleep(0.05)


async def answers(port: int, *paths: str) -> list[int]:
    """Run the bot, and give what it answers to each path."""
    running = asyncio.create_task(run("web"))
    assert await healthy(port)
    async with aiohttp.ClientSession() as session:
        found = []
        for path in paths:
            async with session.get(f"http://127.0.0.1:{port}{path}") as answer:
                found.append(answer.status)
    os.kill(os.getpid(), signal.SIGTERM)
    async with asyncio.timeout(PATIENCE):
        await running
    return found


async def test_pages_are_served_where_there_is_a_public_address(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A repository that was ever named as private has none, whoever is told of it by then."""
    day = "/example-org/kiln/2026-03-04"
    async with open_store(os.environ["DATABASE_URL"]) as store:
        await store.digests(f"github:{os.environ['GITHUB_API_URL']}").save(told(invented.busy()))
    assert await answers(port, "/", day) == [404, 404]
    monkeypatch.setenv("INFRA_URL", f"http://127.0.0.1:{port}")
    assert await answers(port, "/", day) == [200, 200]

    monkeypatch.setenv("INFRA_PRIVATE_REPOS", "Example-Org/Kiln")
    async with assembled_bot(silent):
        pass
    monkeypatch.delenv("INFRA_PRIVATE_REPOS")

    assert await answers(port, "/", day) == [200, 404]
    async with assembled_bot(silent) as bot:
        pages = bot.chat.delivering.planning.pages
        assert pages
        assert pages.of(invented.REPO, invented.DAY, Language.EN) is None


async def test_a_refused_token_is_told_at_once(
    port: int, slack: Any, faults: Callable[..., Any]
) -> None:
    slack.fail("auth.test", faults(body={"ok": False, "error": "invalid_auth"}))

    with pytest.raises(BadToken, match="SLACK_BOT_TOKEN"):
        await run("slack")


async def test_a_port_that_is_taken_is_told_by_a_sentence(port: int) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", port))
        taken.listen()

        with pytest.raises(ConfigurationError, match="PORT"):
            await run("slack")
