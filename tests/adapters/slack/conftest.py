"""A local Slack, who sends to the bot from it, and a face that listens."""

import hashlib
import hmac
import json
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import aiohttp
import pytest
from aiohttp import web

from adapters.slack.app import EVENTS_PATH, SlackBot, introduced
from adapters.slack.client import SlackPublisher
from tests.adapters.doors import FakeChat
from tests.adapters.slack.local_slack import (
    APP_TOKEN,
    BOT,
    BOT_TOKEN,
    SECRET,
    TEAM,
    FakeSlack,
    Fault,
    Post,
    serve,
)
from tests.conftest import PATIENCE

__all__ = [
    "APP_TOKEN",
    "BOT",
    "BOT_TOKEN",
    "SECRET",
    "TEAM",
    "FakeChat",
    "FakeSlack",
    "Fault",
    "Heard",
    "Post",
    "Sender",
    "serve",
]


@pytest.fixture
async def slack() -> AsyncIterator[FakeSlack]:
    """A Slack that is up."""
    fake = FakeSlack()
    runner, fake.url = await serve(fake.application())
    yield fake
    await runner.cleanup()


@dataclass
class Sender:
    """Slack as it sends: signed requests to the bot's address."""

    url: str
    secret: str = SECRET

    async def send(
        self, body: str, *, at: float | None = None, signature: str = "", kind: str = ""
    ) -> tuple[int, str]:
        """Send a body as it is; give status and text of the answer."""
        stamp = str(int(time.time() if at is None else at))
        mac = hmac.new(self.secret.encode(), f"v0:{stamp}:{body}".encode(), hashlib.sha256)
        headers = {
            "X-Slack-Request-Timestamp": stamp,
            "X-Slack-Signature": signature or f"v0={mac.hexdigest()}",
            "Content-Type": kind or "application/x-www-form-urlencoded",
        }
        async with (
            aiohttp.ClientSession() as session,
            session.post(self.url, data=body, headers=headers) as answer,
        ):
            return answer.status, await answer.text()

    async def command(self, text: str, **more: str) -> tuple[int, str]:
        """Send a slash command."""
        fields = {
            "command": "/infra",
            "text": text,
            "team_id": TEAM,
            "channel_id": "C1",
            "user_id": "U1",
            "user_name": "ann",
            "trigger_id": "trigger",
        }
        return await self.send(urlencode(fields | more))

    async def interactive(self, payload: Mapping[str, Any]) -> tuple[int, str]:
        """Send a press, a shortcut, a submission or a wish for options."""
        whole = {"team": {"id": TEAM}, "user": {"id": "U1", "name": "ann"}} | dict(payload)
        return await self.send(urlencode({"payload": json.dumps(whole)}))

    async def event(self, event: Mapping[str, Any], id: str = "Ev1") -> tuple[int, str]:
        """Send an event."""
        body = {
            "type": "event_callback",
            "team_id": TEAM,
            "event_id": id,
            "authorizations": [{"team_id": TEAM, "user_id": BOT, "is_bot": True}],
            "event": event,
        }
        return await self.send(json.dumps(body), kind="application/json")


@pytest.fixture
def chat() -> FakeChat:
    """The door."""
    return FakeChat()


@dataclass
class Heard:
    """A face that listens by HTTP, and Slack that sends to it."""

    face: SlackBot
    sender: Sender


@asynccontextmanager
async def facing(slack: FakeSlack, chat: Any, clock: Any, **more: Any) -> AsyncIterator[Heard]:
    """A face that listens by HTTP while it is wanted."""
    publisher = SlackPublisher(BOT_TOKEN, api_url=slack.api, interval=0.0)
    identity = await introduced(publisher)
    face = SlackBot(publisher, chat, identity, signing_secret=SECRET, clock=clock, **more)
    application = web.Application()
    application.router.add_post(EVENTS_PATH, face.on_request)
    runner, url = await serve(application)
    yield Heard(face, Sender(f"{url}{EVENTS_PATH}"))
    await runner.cleanup()
    await face.stop()


@pytest.fixture
async def heard(
    request: pytest.FixtureRequest, slack: FakeSlack, chat: FakeChat, clock: Any
) -> AsyncIterator[Heard]:
    """A face that is up, and says that it works only where a test gives its patience."""
    slack.members["C1"] = ["U1", "U2", BOT]
    patience = getattr(request, "param", PATIENCE)
    async with facing(slack, chat, clock, patience=patience) as heard:
        yield heard


@pytest.fixture
async def publisher(slack: FakeSlack) -> AsyncIterator[SlackPublisher]:
    """A publisher that posts without pauses."""
    publisher = SlackPublisher(BOT_TOKEN, api_url=slack.api, interval=0.0)
    yield publisher
    await publisher.close()


@pytest.fixture
def faults() -> type[Fault]:
    """What can go wrong."""
    return Fault
