"""Socket Mode: what comes through the socket is acknowledged there, also after it was replaced."""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any, cast

import pytest

from adapters.slack import app
from adapters.slack.app import SlackBot, introduced
from adapters.slack.client import SlackPublisher
from bot.answer.chat import Chat
from bot.model.channels import Channel, Platform
from bot.model.ports import ChannelGone, MayNotLook, NoPermission
from digest.errors import BadToken, ConfigurationError
from tests.adapters.doors import Lives
from tests.adapters.slack.conftest import BOT, TEAM, FakeSlack, Sender, facing
from tests.conftest import eventually

COMMAND = {
    "command": "/infra",
    "text": "vllm",
    "team_id": TEAM,
    "channel_id": "C1",
    "user_id": "U1",
    "user_name": "ann",
}


async def made(slack: Any, chat: Any, clock: Any, **keys: str) -> SlackBot:
    publisher = SlackPublisher("xoxb-fake", api_url=slack.api)
    identity = await introduced(publisher)
    return SlackBot(publisher, cast(Chat, chat), identity, clock=clock, **keys)


async def test_commands_and_events_are_acknowledged_through_the_socket(
    slack: Any, chat: Any, clock: Any
) -> None:
    slack.members["C1"] = ["U1"]
    face = await made(slack, chat, clock, app_token="xapp-fake")

    async with face.listening():
        assert len(slack.sockets) == 2
        assert slack.called("apps.connections.open")[0]["token"] == "xapp-fake"
        await slack.tell("slash_commands", COMMAND, "e1")
        event = {
            "type": "reaction_added",
            "user": "U1",
            "reaction": "eyes",
            "item": {"type": "message", "channel": "C1", "ts": "1.2"},
            "item_user": "U0BOTBOT0",
            "event_ts": "1700000000.000500",
        }
        body = {"type": "event_callback", "team_id": TEAM, "event_id": "Ev1", "event": event}
        await slack.tell("events_api", body, "e2")
        await eventually(lambda: len(slack.acks) == 2 and len(chat.asked) == 2)

    assert {ack["envelope_id"] for ack in slack.acks} == {"e1", "e2"}
    assert {name for name, _ in chat.asked} == {"answer_text", "react"}


async def test_a_socket_that_slack_ends_is_opened_anew(slack: Any, chat: Any, clock: Any) -> None:
    face = await made(slack, chat, clock, app_token="xapp-fake")

    async with face.listening():
        for opened in list(slack.sockets):
            await opened.send_json({"type": "disconnect", "reason": "refresh_requested"})
        await eventually(lambda: len(slack.sockets) == 4)
        await slack.tell("slash_commands", COMMAND, "e3")
        await eventually(lambda: bool(slack.acks) and bool(chat.asked))

    assert slack.acks[0]["envelope_id"] == "e3"


async def test_a_refused_app_token_is_a_fault_of_configuration(
    slack: Any, chat: Any, clock: Any, faults: Callable[..., Any]
) -> None:
    face = await made(slack, chat, clock, app_token="xapp-fake")
    slack.fail("apps.connections.open", faults(body={"ok": False, "error": "missing_scope"}))

    with pytest.raises(BadToken, match="SLACK_APP_TOKEN"):
        async with face.listening():
            pass


async def test_without_a_way_to_hear_slack_it_says_what_to_set(
    slack: Any, chat: Any, clock: Any
) -> None:
    with pytest.raises(ConfigurationError, match=r"SLACK_APP_TOKEN.*SLACK_SIGNING_SECRET"):
        await made(slack, chat, clock)


async def test_a_slack_that_is_down_or_limits_at_the_start_is_waited_for(
    slack: Any,
    chat: Any,
    clock: Any,
    faults: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(app, "PAUSES", (0.01,))
    slack.fail("auth.test", faults(500), faults(503), faults(drop=True))
    limited = faults(429, {"ok": False, "error": "ratelimited"}, {"Retry-After": "0"})
    slack.fail("apps.connections.open", limited, faults(500))

    face = await made(slack, chat, clock, app_token="xapp-fake")
    async with face.listening():
        await eventually(lambda: len(slack.sockets) == 2)

    assert len(slack.called("auth.test")) == 4
    assert len(slack.called("apps.connections.open")) == 4


async def test_another_workspace_is_told_so_and_reaches_nothing(
    heard: Any, chat: Any, slack: Any
) -> None:
    url = f"{slack.url}/respond/command"
    await heard.sender.command("followups", team_id="T0STRANGE", response_url=url)
    await heard.face.settle()

    assert chat.asked == []
    assert "another workspace" in slack.responses["command"][0]["text"]


CHANNEL = Channel(Platform.SLACK, TEAM, "C1")
PAYLOAD = '{"text": "hi"}'


@dataclass
class Living:
    """A face that hears of channels."""

    face: SlackBot
    sender: Sender
    lives: Lives

    async def event(self, **event: Any) -> list[tuple[Any, ...]]:
        """Send an event and give what came of it."""
        self.lives.said.clear()
        status, _ = await self.sender.event(event)
        assert status == 200
        await self.face.settle()
        return self.lives.said


@pytest.fixture
async def living(slack: FakeSlack, chat: Any, clock: Any) -> AsyncIterator[Living]:
    async with facing(slack, chat, clock) as heard:
        yield Living(heard.face, heard.sender, chat.delivering.unreachable)


@pytest.mark.parametrize("kind", ["channel_unarchive", "group_unarchive"])
async def test_a_channel_that_comes_back_is_told_of(living: Living, kind: str) -> None:
    assert await living.event(type=kind, channel="C1", user="U1") == [("back", CHANNEL, True)]


async def test_the_bot_is_invited_again_and_others_who_join_are_none_of_its_business(
    living: Living,
) -> None:
    assert await living.event(type="member_joined_channel", channel="C1", user="U1") == []
    own = await living.event(type="member_joined_channel", channel="C1", user=BOT)

    assert own == [("back", CHANNEL, True)]


async def test_a_channel_is_looked_at(slack: FakeSlack, publisher: SlackPublisher) -> None:
    await publisher.check(CHANNEL)
    slack.channel = {"is_archived": True}
    with pytest.raises(ChannelGone):
        await publisher.check(CHANNEL)
    slack.channel = {"is_member": False}
    with pytest.raises(NoPermission):
        await publisher.check(CHANNEL)


async def test_without_the_scope_for_it_nothing_can_be_looked_for(
    slack: FakeSlack, publisher: SlackPublisher, faults: Any
) -> None:
    missing = {"ok": False, "error": "missing_scope", "needed": "channels:history"}
    slack.fail("conversations.history", faults(body=missing))

    with pytest.raises(MayNotLook, match="channels:history"):
        await publisher.find(CHANNEL, "n1", parent=None)
