"""Signed JSON of shapes that Slack never sends: refused in one log line, whatever is odd in it."""

import copy
import json
import random
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import pytest
from structlog.testing import capture_logs

from tests.adapters.slack.local_slack import BOT, TEAM

SEED = 20261122
MUTATIONS = 400

USER = {"id": "U1", "name": "ann", "team_id": TEAM}
SHOWN = {
    "team": {"id": TEAM, "domain": "acme"},
    "user": USER,
    "channel": {"id": "C1", "name": "general"},
    "container": {"type": "message", "message_ts": "1.2", "channel_id": "C1", "thread_ts": "1.1"},
    "message": {"ts": "1.2", "thread_ts": "1.1", "user": BOT, "text": "x"},
    "response_url": "",
    "trigger_id": "trigger",
    "is_enterprise_install": False,
    "enterprise": None,
}
VIEW = {
    "type": "modal",
    "callback_id": "infra_settings",
    "private_metadata": '{"channel": "C1", "language": "en"}',
    "app_installed_team_id": TEAM,
    "state": {
        "values": {
            "repos": {"infra_settings:repos": {"selected_options": [{"value": "vllm"}]}},
            "at": {"infra_settings:at": {"selected_time": "09:00"}},
            "tz": {"infra_settings:tz": {"selected_option": {"value": "UTC"}}},
            "days": {"infra_settings:days": {"selected_options": [{"value": "mon"}]}},
        }
    },
}


def event(**inner: Any) -> dict[str, Any]:
    return {
        "type": "event_callback",
        "team_id": TEAM,
        "event_id": "Ev1",
        "is_ext_shared_channel": True,
        "authorizations": [{"team_id": TEAM, "user_id": BOT, "is_bot": True}],
        "event": inner,
    }


EVENTS = (
    event(type="app_mention", user="U1", text=f"<@{BOT}> help", ts="1.2", channel="C1", team=TEAM),
    event(
        type="reaction_added",
        user="U1",
        reaction="eyes",
        item={"type": "message", "channel": "C1", "ts": "1.2"},
        item_user=BOT,
        event_ts="1.2",
    ),
    event(type="channel_archive", channel="C1", user="U1"),
    event(type="tokens_revoked", tokens={"oauth": ["U1"], "bot": ["U2"]}),
    {"type": "url_verification", "challenge": "c", "token": "t"},
)
PRESS = {"action_id": "infra:flag", "block_id": "b", "value": "x", "action_ts": "1.3"}
PAYLOADS = (
    SHOWN | {"type": "block_actions", "actions": [PRESS]},
    SHOWN | {"type": "block_actions", "actions": [PRESS | {"action_id": "infra_open_settings"}]},
    SHOWN | {"type": "message_action", "callback_id": "flag_for_followup", "action_ts": "1.3"},
    SHOWN
    | {
        "type": "block_suggestion",
        "action_id": "infra_settings:repos",
        "block_id": "repos",
        "value": "vl",
        "view": VIEW,
    },
    SHOWN | {"type": "view_submission", "view": VIEW, "response_urls": [{"response_url": ""}]},
)
ODD = (
    None,
    "x",
    "",
    0,
    -1,
    1.5,
    True,
    [],
    {},
    [None],
    ["x"],
    {"x": None},
    [[{}]],
    "\ud800",
    "1" * 99,
)


def paths(value: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    steps = value.items() if isinstance(value, dict) else enumerate(value)
    for step, inner in steps:
        yield (*above, step)
        if isinstance(inner, dict | list):
            yield from paths(inner, (*above, step))


def changed(whole: dict[str, Any], path: tuple[Any, ...], odd: Any) -> dict[str, Any]:
    made = copy.deepcopy(whole)
    inner: Any = made
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = odd
    return made


def mutations() -> list[tuple[bool, dict[str, Any]]]:
    """Return every change of one value, of which some are drawn: whether an event, and the body."""
    every = [
        (whole in EVENTS, changed(whole, path, odd))
        for whole in (*EVENTS, *PAYLOADS)
        for path in paths(whole)
        for odd in ODD
    ]
    return random.Random(SEED).sample(every, MUTATIONS)


async def told(heard: Any, is_event: bool, body: dict[str, Any]) -> int:
    text = json.dumps(body)
    if is_event:
        return int((await heard.sender.send(text, kind="application/json"))[0])
    return int((await heard.sender.send(urlencode({"payload": text})))[0])


async def test_any_odd_value_in_what_slack_sends_is_refused_in_one_line_at_most(
    heard: Any, caplog: pytest.LogCaptureFixture
) -> None:
    for is_event, body in mutations():
        caplog.clear()
        with capture_logs() as lines:
            status = await told(heard, is_event, body)
            await heard.face.settle()

        refusals = [line for line in lines if line["event"] == "request refused"]
        assert status in (200, 400, 404), (status, body, caplog.text)
        assert len(refusals) == (status == 400), body
        assert not [line for line in lines if line["event"] == "work failed"], (lines, body)
        assert not [one for one in caplog.records if one.exc_info], (caplog.text, body)
    assert (await heard.sender.command("help"))[0] == 200
