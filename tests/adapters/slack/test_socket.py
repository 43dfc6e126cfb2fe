"""Socket Mode: what comes through the socket is acknowledged there, also after it was replaced."""

import asyncio
from collections.abc import Callable
from typing import Any, cast

import pytest

from adapters.slack import app
from adapters.slack.app import SlackBot, SlackKeys, introduced
from adapters.slack.client import SlackPublisher
from bot.answer.chat import Chat
from digest.errors import BadToken, ConfigurationError
from tests.conftest import PATIENCE, eventually

TEAM = "T0AAAAAAA"
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
    known = SlackKeys("xoxb-fake", api_url=slack.api, **keys)
    identity = await introduced(publisher)
    return SlackBot(publisher, cast(Chat, chat), known, identity, clock=clock)


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


async def test_work_begun_is_ended_before_the_face_is_closed(
    slack: Any, chat: Any, clock: Any
) -> None:
    chat.takes = 0.3
    face = await made(slack, chat, clock, app_token="xapp-fake")

    async with face.listening():
        response_url = f"{slack.url}/respond/command"
        await slack.tell("slash_commands", COMMAND | {"response_url": response_url})
        await eventually(lambda: bool(chat.asked))

    assert slack.responses["command"][-1]["text"] == "done"


async def test_work_that_does_not_end_is_let_go(
    slack: Any, chat: Any, clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adapters.operations.background.Background.stop.__defaults__", (0.05,))
    chat.takes = 60
    face = await made(slack, chat, clock, app_token="xapp-fake")

    async with asyncio.timeout(PATIENCE), face.listening():
        await slack.tell("slash_commands", COMMAND)
        await eventually(lambda: bool(chat.asked))


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


async def test_each_socket_is_waited_for_and_asked_for_no_more_than_once(
    slack: Any,
    chat: Any,
    clock: Any,
    faults: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(app, "PAUSES", (0.01,))
    face = await made(slack, chat, clock, app_token="xapp-fake")
    async with face.listening():
        assert len(slack.called("apps.connections.open")) == 2

    slack.calls.clear()
    slack.fail("apps.connections.open", None, faults(503), faults(drop=True))
    again = await made(slack, chat, clock, app_token="xapp-fake")
    async with asyncio.timeout(PATIENCE), again.listening():
        assert len(slack.called("apps.connections.open")) == 4
    assert not [record for record in caplog.records if record.exc_info]
