"""`infra deliver --send` says of each channel what became of it: sent, or only taken as told."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from bot.deliver.restore_check import ALIVE
from bot.model.channels import Channel, Platform
from digest.store.database import Database
from tests.adapters.slack.conftest import FakeSlack
from tests.adapters.slack.local_slack import BOT, Fault, Post
from tests.adapters.test_process import CHANNEL, NOW, planned
from tests.adapters.web_served import served
from tests.bot.bot_fixture import subscription

OTHER = Channel(Platform.SLACK, CHANNEL.workspace, "C2")


@pytest.fixture
async def slack() -> AsyncIterator[FakeSlack]:
    fake = FakeSlack()
    async with served(fake.application()) as fake.url:
        yield fake


async def deliver(
    at: datetime, url: str, slack: FakeSlack, now: datetime, how: str = "--send"
) -> tuple[int, str, str]:
    return await infra(
        "deliver", "--at", at.isoformat(), *how.split(), url=url, slack=slack, now=now
    )


async def infra(*words: str, url: str, slack: FakeSlack, now: datetime) -> tuple[int, str, str]:
    """Run the program; return its exit status and what it printed."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "adapters.terminal.main", *words),
        env=os.environ
        | {
            "PYTHONPATH": str(Path(__file__).parent.parent.parent),
            "DATABASE_URL": url,
            "GITHUB_API_URL": "http://127.0.0.1:1",
            "SLACK_BOT_TOKEN": "xoxb-fake",
            "SLACK_API_URL": slack.api,
            "DISCORD_TOKEN": "",
            "INFRA_NOW": f"{now:%Y-%m-%dT%H:%M:%SZ}",
        },
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await process.communicate()
    assert process.returncode is not None
    return process.returncode, out.decode(), err.decode()


async def test_what_a_database_that_was_set_back_knows_nothing_of_is_not_called_told(
    tmp_path: Path, slack: FakeSlack
) -> None:
    url = f"sqlite:///{tmp_path}/infra.sqlite3"
    since = NOW - timedelta(days=1)
    async with Database(url) as database:
        store = await planned(database)
        await store.subscriptions.change(
            OTHER, lambda _: replace(subscription(channel=OTHER), created_at=since)
        )
        await store.timestamps.decide((ALIVE,), lambda _: ({ALIVE: since}, None))
    mark = {"event_type": "infra_post", "event_payload": {"nonce": "of an earlier life"}}
    posted = f"{NOW.timestamp() - 10:.6f}"
    slack.posts.append(Post(OTHER.id, posted, BOT, "a thread", None, None, metadata=mark))

    status, out, _ = await deliver(NOW, url, slack, NOW)

    assert status == 0
    assert sorted(out.splitlines()) == [
        f"{CHANNEL}: told 2026-02-12",
        f"{OTHER}: nothing sent, the database was set back; by messages there, taken as told up to "
        "2026-02-12",
    ]
    assert [post.text for post in slack.posts if post.channel == CHANNEL.id] == ["0", "1", "2"]
    assert [post.text for post in slack.posts if post.channel == OTHER.id] == ["a thread"]


async def test_a_moment_long_ago_is_a_mistake_of_who_names_it_and_a_wrong_clock_is_the_machines(
    tmp_path: Path, slack: FakeSlack
) -> None:
    url = f"sqlite:///{tmp_path}/infra.sqlite3"
    long_ago = NOW.replace(year=1970)

    named = await deliver(long_ago, url, slack, NOW)
    shown = await deliver(long_ago, url, slack, NOW, how="")
    unset = await deliver(NOW, url, slack, long_ago)

    assert shown == named
    assert (named[0], named[1]) == (2, "")
    assert "nothing is sent as of 1970-02-12" in named[2]
    assert "the clock of this machine" not in named[2]
    assert (unset[0], unset[1]) == (78, "")
    assert "the clock (of PostgreSQL, else of this machine) says 1970-02-12" in unset[2]
    assert slack.called("chat.postMessage") == []


@pytest.mark.parametrize("number", [0, 1], ids=["parent", "reply"])
async def test_a_message_that_slack_refuses_is_missing_in_the_thread_the_status_and_the_exit(
    tmp_path: Path, slack: FakeSlack, number: int
) -> None:
    url = f"sqlite:///{tmp_path}/infra.sqlite3"
    async with Database(url) as database:
        await planned(database)
    refused = Fault(body={"ok": False, "error": "msg_too_long"})
    slack.fail("chat.postMessage", *[None] * number, refused)

    status, out, err = await deliver(NOW, url, slack, NOW)

    said = [post.text for post in slack.posts if post.channel == CHANNEL.id]
    assert [text.startswith("A message is missing here") for text in said] == [
        each == number for each in range(3)
    ]
    assert status == 1
    assert f"{CHANNEL}: told 2026-02-12" in out
    assert "1 of the messages of 2026-02-12 were refused and are missing" in err
    _, how, _ = await infra("status", url=url, slack=slack, now=NOW)
    assert "1 of the messages of 2026-02-12 were refused and are missing" in how
    assert (await deliver(NOW, url, slack, NOW))[0] == 0


async def test_a_subscription_that_the_bot_cannot_serve_ends_with_one(
    tmp_path: Path, slack: FakeSlack
) -> None:
    url = f"sqlite:///{tmp_path}/infra.sqlite3"
    words = ("subscribe", "vllm", "--channel", str(CHANNEL))
    slack.channel = {"is_member": False, "is_private": True}

    status, out, _ = await infra(*words, url=url, slack=slack, now=NOW)

    assert (status, "/invite" in out) == (1, True)
    slack.channel = {}
    assert (await infra(*words, url=url, slack=slack, now=NOW))[0] == 0
