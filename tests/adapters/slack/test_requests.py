"""Whose requests are heard: signed ones of the one workspace, and all of them at once."""

import json
import logging
import time
from typing import Any

import pytest

TEAM = "T0AAAAAAA"


async def test_another_workspace_is_told_so_and_reaches_nothing(
    heard: Any, chat: Any, slack: Any
) -> None:
    url = f"{slack.url}/respond/command"
    await heard.sender.command("followups", team_id="T0STRANGE", response_url=url)
    await heard.face.settle()

    assert chat.asked == []
    assert "another workspace" in slack.responses["command"][0]["text"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"signature": "v0=0000"},
        {"signature": "rubbish"},
        {"later": -400},
        {"later": 400},
        {"at": 0},
    ],
    ids=str,
)
async def test_what_is_not_signed_now_and_by_slack_is_refused(
    heard: Any, chat: Any, wrong: dict[str, Any]
) -> None:
    wrong = dict(wrong)
    body = f"command=%2Finfra&text=vllm&team_id={TEAM}&channel_id=C1&user_id=U1"

    if later := wrong.pop("later", 0):
        wrong["at"] = time.time() + later
    status, _ = await heard.sender.send(body, **wrong)
    await heard.face.settle()

    assert status == 401
    assert chat.asked == []


@pytest.mark.parametrize("body", ['{"broken', "payload=%7Bbroken", ""])
async def test_a_broken_body_breaks_nothing(heard: Any, chat: Any, body: str) -> None:
    logging.getLogger("infra.slack.sdk").disabled = True

    status, _ = await heard.sender.send(body, kind="application/json" if "{" in body else "")

    logging.getLogger("infra.slack.sdk").disabled = False
    assert status in (400, 404)
    assert (await heard.sender.command("vllm"))[0] == 200


@pytest.mark.parametrize("body", ['{"broken', "payload=%7Bbroken", "ssl_check=1"])
async def test_nothing_of_an_unsigned_body_is_looked_at(heard: Any, body: str) -> None:
    kind = "application/json" if "{" in body else "application/x-www-form-urlencoded"

    status, _ = await heard.sender.send(body, kind=kind, signature="v0=0000")

    assert status == 401


async def test_the_address_of_events_answers_slacks_challenge(heard: Any) -> None:
    body = json.dumps({"type": "url_verification", "challenge": "c", "token": "t"})

    assert await heard.sender.send(body, kind="application/json") == (200, '{"challenge": "c"}')
