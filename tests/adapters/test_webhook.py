"""Each change of a follow-up reaches a webhook: signed, in its order, whatever happens between."""

import hashlib
import hmac
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import pytest
from aiohttp import web
from structlog.testing import capture_logs

from adapters.operations.webhook import Webhook
from bot.followups.webhook_queue import WebhookQueue
from bot.model.followups import ReactionKind
from bot.store.followups import Waiting
from bot.store.store import ChannelStore
from digest.models import State
from digest.store.database import Database
from digest.upstream import Standing
from tests.adapters.web_served import served
from tests.bot.bot_fixture import Bot, open_bot
from tests.bot.platform_fake import CHANNEL, Transcript
from tests.bot.talking import react, typed
from tests.conftest import SetClock, on_both_databases

SECRET = "s3cret"


class Announcer(ChannelStore):
    def __init__(self, database: Database) -> None:
        super().__init__(database, announces=True)


@dataclass
class Receiver:
    """A server that notes what it took, and answers what a test wants."""

    url: str = ""
    status: int = 204
    tries: int = 0
    took: list[dict[str, str]] = field(default_factory=list)
    deliveries: list[str] = field(default_factory=list)

    async def handle(self, request: web.Request) -> web.Response:
        self.tries += 1
        body = await request.read()
        signed = request.headers["X-Infra-Timestamp"].encode() + b"." + body
        mac = hmac.new(SECRET.encode(), signed, hashlib.sha256).hexdigest()
        assert request.headers["X-Infra-Signature-256"] == f"sha256={mac}"
        if self.status < 300:
            self.deliveries.append(request.headers["X-Infra-Delivery"])
            self.took.append(json.loads(body))
        return web.Response(status=self.status)

    @property
    def changes(self) -> list[str]:
        return [each["change"] for each in self.took]


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    made = Receiver()
    app = web.Application()
    app.router.add_post("/hook", made.handle)
    async with served(app) as url:
        made.url = f"{url}/hook"
        yield made


@pytest.fixture
async def bot(chosen_url: str, clock: SetClock) -> AsyncIterator[Bot]:
    async with open_bot(chosen_url, clock, Transcript(), store=Announcer) as opened:
        yield opened


async def flag(bot: Bot) -> str:
    """Flag and take an item; give its key."""
    await typed(bot, "subscribe example-org/kiln tz UTC")
    own = next(
        each for each in bot.platform.said[CHANNEL] if "flag" in [kind for kind, _ in each.buttons]
    )
    await react(bot, ReactionKind.FLAG, own)
    await react(bot, ReactionKind.TAKE, own, second=1)
    return next(value for kind, value in own.buttons if kind == "flag")


def posting(receiver: Receiver, bot: Bot, clock: SetClock, owner: str = "first") -> WebhookQueue:
    hook = Webhook(receiver.url, SECRET, clock)
    return WebhookQueue(hook, bot.store, clock=clock, owner=owner)


@on_both_databases
async def test_every_change_is_posted_once_in_its_order(
    bot: Bot, receiver: Receiver, clock: SetClock
) -> None:
    key = await flag(bot)
    clock.advance(minutes=1)
    await bot.upstream.look(clock())
    bot.forge.standing[key] = Standing(State.MERGED, release="v1.2")
    clock.advance(minutes=41)
    await bot.upstream.look(clock())

    await posting(receiver, bot, clock).look(clock())
    await posting(receiver, bot, clock, "second").look(clock())

    assert receiver.changes == ["flagged", "taken", "in_release"]
    assert receiver.took[0]["by"] == {"id": "U1", "name": "ada"}
    assert receiver.took[-1]["followup"]["item"] == key  # type: ignore[index]  # JSON
    assert len(set(receiver.deliveries)) == 3


async def test_what_is_not_taken_waits_at_growing_pauses_and_comes_whole(
    bot: Bot, receiver: Receiver, clock: SetClock
) -> None:
    await flag(bot)
    receiver.status = 503
    posts = posting(receiver, bot, clock)
    with capture_logs() as logs:
        for _ in range(4 * 12):
            clock.advance(minutes=5)
            await posts.look(clock())
    tries = receiver.tries

    receiver.status = 200
    clock.advance(hours=7)
    await posting(receiver, bot, clock, "after a restart").look(clock())

    assert tries < 8
    assert receiver.changes == ["flagged", "taken"]
    assert all("hook" not in json.dumps(each.get("reason", "")) for each in logs)


async def test_a_webhook_that_fails_for_a_week_is_given_up_with_one_line(
    bot: Bot, receiver: Receiver, clock: SetClock
) -> None:
    await flag(bot)
    receiver.status = 500
    posts = posting(receiver, bot, clock)
    with capture_logs() as logs:
        for _ in range(9 * 24):
            clock.advance(hours=1)
            await posts.look(clock())

    lines = [each["event"] for each in logs]
    assert sum("given up" in line for line in lines) == 1
    assert sum("takes no changes" in line for line in lines) == 1
    assert await bot.store.outgoing.waiting() == Waiting(0)


async def test_a_change_that_is_refused_keeps_no_other_back(
    bot: Bot, receiver: Receiver, clock: SetClock
) -> None:
    await flag(bot)
    receiver.status = 400
    with capture_logs() as logs:
        await posting(receiver, bot, clock).look(clock())

    assert await bot.store.outgoing.waiting() == Waiting(0)
    assert [each["event"] for each in logs] == ["webhook refused a change"] * 2


async def test_without_a_webhook_nothing_waits(sqlite_url: str, clock: SetClock) -> None:
    async with open_bot(sqlite_url, clock, Transcript()) as bot:
        await flag(bot)

        assert await bot.store.outgoing.waiting() == Waiting(0)
