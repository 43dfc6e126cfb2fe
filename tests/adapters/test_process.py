"""A whole process: it answers while it begins, logs no secret, ends in time, and loses nothing."""

import asyncio
import json
import logging
import os
import signal
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import structlog
from aiohttp import web

from adapters.wiring.assembly import log_as_set, read_settings
from adapters.wiring.process import run
from bot.model.channels import Channel, Platform
from bot.model.parts import PartKind
from bot.model.ports import Message
from bot.model.posts import Post, PostState
from bot.model.slots import due
from bot.store.store import ChannelStore
from digest.errors import DatabaseVersion
from digest.languages import Language
from digest.store.database import Database
from tests.adapters.slack.conftest import FakeSlack, Fault
from tests.adapters.slack.test_running import free_port
from tests.adapters.web_served import served
from tests.bot.bot_fixture import subscription
from tests.conftest import PATIENCE, eventually

CHANNEL = Channel(Platform.SLACK, "T0AAAAAAA", "C1")
NOW = datetime(2026, 2, 12, 9, 0, 30, tzinfo=UTC)


class SlowSlack(FakeSlack):
    """Slack that posts at once, and answers the next posts only after so many seconds."""

    def __init__(self) -> None:
        super().__init__()
        self.slow: list[float] = []

    def application(self) -> web.Application:
        made = super().application()

        @web.middleware
        async def slowly(request: web.Request, handler: Any) -> web.StreamResponse:
            answer: web.StreamResponse = await handler(request)
            if request.path.endswith("chat.postMessage") and self.slow:
                await asyncio.sleep(self.slow.pop(0))
            return answer

        made.middlewares.append(slowly)
        return made


@pytest.fixture
async def slack() -> AsyncIterator[SlowSlack]:
    fake = SlowSlack()
    async with served(fake.application()) as fake.url:
        fake.members["C1"] = ["U1", "U0BOT"]
        yield fake


@pytest.fixture
async def database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, slack: SlowSlack
) -> AsyncIterator[Database]:
    """Set a bot up that has a morning due; GitHub cannot be reached, which its thread says."""
    url = f"sqlite:///{tmp_path}/infra.sqlite3"
    monkeypatch.chdir(tmp_path)
    given = {
        "DATABASE_URL": url,
        "GITHUB_API_URL": f"http://127.0.0.1:{free_port()}",
        "GITHUB_TOKEN": "github-sesame",
        "SLACK_BOT_TOKEN": "slack-sesame",
        "SLACK_SIGNING_SECRET": "signing-sesame",
        "SLACK_API_URL": slack.api,
        "HOST": "127.0.0.1",
        "PORT": str(free_port()),
        "INFRA_NOW": "2026-02-12T09:00:30Z",
    }
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    async with Database(url) as database:
        yield database


@asynccontextmanager
async def running(only: str = "") -> AsyncIterator["asyncio.Task[None]"]:
    task = asyncio.create_task(run(only))
    try:
        yield task
    finally:
        if not task.done():
            os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.gather(task, return_exceptions=True)


async def ended(task: "asyncio.Task[None]") -> None:
    """Ask the process to end, and wait until it did."""
    os.kill(os.getpid(), signal.SIGTERM)
    async with asyncio.timeout(PATIENCE):
        await task


async def planned(database: Database, messages: int = 3) -> ChannelStore:
    """Keep a morning that is due, with its messages planned and none of them sent."""
    store = ChannelStore(database)
    stored = await store.subscriptions.change(CHANNEL, lambda _: subscription(channel=CHANNEL))
    assert stored
    slot = due(stored, NOW)
    assert slot
    delivery = await store.deliveries.claim(slot, CHANNEL, "before", NOW, NOW)
    assert delivery
    posts = [
        Post(
            None,
            delivery.id,
            CHANNEL,
            0,
            position,
            Message(json.dumps({"text": f"{position}"}), (), position == 0, PartKind.PARENT),
            Language.EN,
            f"nonce{position}",
        )
        for position in range(messages)
    ]
    await store.deliveries.plan(delivery, posts, (), complete=True)
    await store.deliveries.release(delivery)
    return store


async def states(store: ChannelStore) -> list[PostState]:
    found = await store.posts.numbered(range(1, 100))
    return [post.state for post in found]


async def test_a_message_in_flight_is_kept_before_the_end(
    database: Database, slack: SlowSlack
) -> None:
    store = await planned(database)
    slack.slow.append(1.0)

    async with running() as task:
        await eventually(lambda: slack.called("chat.postMessage"))
        await ended(task)

    assert len(slack.called("chat.postMessage")) == 1
    assert await states(store) == [PostState.SENT, PostState.PLANNED, PostState.PLANNED]


async def test_what_is_left_is_free_for_the_next_process_which_ends_it(
    database: Database, slack: SlowSlack
) -> None:
    store = await planned(database)
    slack.slow.append(0.5)
    async with running() as task:
        await eventually(lambda: slack.called("chat.postMessage"))
        await ended(task)

    (left,) = (await store.deliveries.unfinished()).values()
    assert left.owner == ""
    async with running() as task:
        await eventually(lambda: len(slack.called("chat.postMessage")) == 3)
        await ended(task)

    assert await states(store) == [PostState.SENT] * 3
    assert [call["text"] for call in slack.called("chat.postMessage")] == ["0", "1", "2"]


async def test_a_call_that_hangs_does_not_keep_the_process(
    database: Database, slack: SlowSlack
) -> None:
    store = await planned(database)
    slack.slow.append(10 * PATIENCE)

    async with running() as task:
        await eventually(lambda: slack.called("chat.postMessage"))
        await ended(task)

    assert await states(store) == [PostState.SENDING, PostState.PLANNED, PostState.PLANNED]


async def test_a_web_process_answers_while_slack_cannot_be_reached(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    port, ops_port = free_port(), free_port()
    monkeypatch.setenv("PORT", str(port))
    monkeypatch.setenv("INFRA_OPS_PORT", str(ops_port))
    monkeypatch.setenv("SLACK_API_URL", f"http://127.0.0.1:{free_port()}/api/")

    async with running("web") as task:
        async with aiohttp.ClientSession() as session:
            ready = ""
            while not ready:
                try:
                    async with session.get(f"http://127.0.0.1:{ops_port}/readyz") as answer:
                        ready = f"{answer.status} {await answer.text()}"
                except aiohttp.ClientError:
                    await asyncio.sleep(0.02)
            async with session.post(f"http://127.0.0.1:{port}/slack/events") as answer:
                assert answer.status == 503
        assert ready == "503 slack: not reached yet\n"
        await ended(task)


@pytest.mark.parametrize("only", ["", "web", "worker", "slack"])
async def test_no_process_begins_on_a_database_that_is_not_migrated(
    database: Database, empty_postgres_url: str, monkeypatch: pytest.MonkeyPatch, only: str
) -> None:
    monkeypatch.setenv("DATABASE_URL", empty_postgres_url)

    with pytest.raises(DatabaseVersion, match="infra db upgrade"):
        await run(only)


@pytest.fixture
def logged(capsys: pytest.CaptureFixture[str]) -> Iterator[Callable[[], list[dict[str, Any]]]]:
    """Log as a running bot does, with everything that it can tell."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level

    def lines() -> list[dict[str, Any]]:
        text = capsys.readouterr().err
        assert "sesame" not in text
        assert "Bearer" not in text
        return [json.loads(line) for line in text.splitlines()]

    yield lines
    root.handlers, root.level = handlers, level
    logging.captureWarnings(capture=False)
    structlog.reset_defaults()


async def test_a_morning_logs_its_delivery_on_every_line_and_no_secret_on_any(
    database: Database, slack: SlowSlack, logged: Callable[[], list[dict[str, Any]]]
) -> None:
    await planned(database)
    slack.fail(
        "chat.postMessage",
        Fault(body={"ok": False, "error": "invalid_auth"}),
    )
    log_as_set(read_settings(), debug=True)

    async with running() as task:
        await eventually(lambda: slack.called("chat.postMessage"))
        await asyncio.sleep(0.5)
        await ended(task)

    lines = logged()
    told = [line["event"] for line in lines]
    assert told[0] == "http listens"
    assert told[-1] == "infra ended"
    assert "delivery begins" in told
    of_the_delivery = [line for line in lines if str(line["event"]).startswith("delivery ")]
    assert {line.get("delivery") for line in of_the_delivery} == {1}
    assert {line.get("channel") for line in of_the_delivery} == {str(CHANNEL)}
