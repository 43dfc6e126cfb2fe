"""`infra deliver --send` says of each channel what became of it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from adapters.terminal.main import run
from bot.model.channels import Channel, Platform
from digest.store.database import Database
from tests.adapters.slack.conftest import FakeSlack
from tests.adapters.slack.local_slack import Fault
from tests.adapters.test_process import CHANNEL, NOW, planned
from tests.adapters.web_served import served

OTHER = Channel(Platform.SLACK, CHANNEL.workspace, "C2")


@pytest.fixture
async def slack() -> AsyncIterator[FakeSlack]:
    fake = FakeSlack()
    async with served(fake.application()) as fake.url:
        yield fake


Infra = Callable[..., Awaitable[tuple[int, str, str]]]


@pytest.fixture
def infra(tmp_path: Path, slack: FakeSlack, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> Infra:
    """Give what runs a command line at a time; it gives the exit status and what was printed."""
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path}/infra.sqlite3")
    monkeypatch.setenv("GITHUB_API_URL", "http://127.0.0.1:1")
    monkeypatch.setenv("SLACK_BOT_TOKEN", "xoxb-fake")
    monkeypatch.setenv("SLACK_API_URL", slack.api)
    monkeypatch.setenv("DISCORD_TOKEN", "")

    async def told(*words: str, now: datetime = NOW) -> tuple[int, str, str]:
        monkeypatch.setenv("INFRA_NOW", f"{now:%Y-%m-%dT%H:%M:%SZ}")
        status = await asyncio.to_thread(run, list(words))
        said = capsys.readouterr()
        return status, said.out, said.err

    return told


def deliver(at: datetime) -> tuple[str, ...]:
    return ("deliver", "--at", at.isoformat())


async def test_a_moment_long_ago_is_a_mistake_of_who_names_it_and_a_wrong_clock_is_the_machines(
    slack: FakeSlack, infra: Infra
) -> None:
    long_ago = NOW.replace(year=1970)

    named = await infra(*deliver(long_ago), "--send")
    shown = await infra(*deliver(long_ago))
    unset = await infra(*deliver(NOW), "--send", now=long_ago)

    assert shown == named
    assert (named[0], named[1]) == (2, "")
    assert "nothing is sent as of 1970-02-12" in named[2]
    assert "the clock of this machine" not in named[2]
    assert (unset[0], unset[1]) == (78, "")
    assert "the clock (of PostgreSQL, else of this machine) says 1970-02-12" in unset[2]
    assert slack.called("chat.postMessage") == []


@pytest.mark.parametrize("number", [0, 1], ids=["parent", "reply"])
async def test_a_message_that_slack_refuses_is_missing_in_the_thread_the_status_and_the_exit(
    tmp_path: Path, slack: FakeSlack, infra: Infra, number: int
) -> None:
    async with Database(f"sqlite:///{tmp_path}/infra.sqlite3") as database:
        await planned(database)
    refused = Fault(body={"ok": False, "error": "msg_too_long"})
    slack.fail("chat.postMessage", *[None] * number, refused)

    status, out, err = await infra(*deliver(NOW), "--send")

    said = [post.text for post in slack.posts if post.channel == CHANNEL.id]
    assert [text.startswith("A message is missing here") for text in said] == [
        each == number for each in range(3)
    ]
    assert status == 1
    assert f"{CHANNEL}: told 2026-02-12" in out
    assert "1 of the messages of 2026-02-12 were refused and are missing" in err
    _, how, _ = await infra("status")
    assert "1 of the messages of 2026-02-12 were refused and are missing" in how
    assert (await infra(*deliver(NOW), "--send"))[0] == 0


async def test_a_subscription_that_the_bot_cannot_serve_ends_with_one(
    slack: FakeSlack, infra: Infra
) -> None:
    words = ("subscribe", "vllm", "--channel", str(CHANNEL))
    slack.channel = {"is_member": False, "is_private": True}

    status, out, _ = await infra(*words)

    assert (status, "/invite" in out) == (1, True)
    slack.channel = {}
    assert (await infra(*words))[0] == 0
