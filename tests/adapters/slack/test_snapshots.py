"""The drawn messages of whole mornings, kept as files: what changes in them is to be looked at.

`UPDATE_SNAPSHOTS=1 pytest tests/adapters/slack/test_snapshots.py` writes them anew.
"""

import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from adapters.slack.render import render, render_parts
from bot.item_part import with_state
from bot.parts import Thread
from bot.thread import plan
from digest.languages import Language
from tests.bot import morning_of_gaps
from tests.bot.channels_invented import (
    FLINT,
    GLAZE,
    WEEKEND,
    followup,
    subscription,
    told,
)
from tests.digest.writing import glossed, invented

LONG_AGO = datetime(2026, 1, 5, 16, tzinfo=UTC)
KEPT = Path(__file__).parent / "snapshots"
URLS = {"example-org/kiln": "https://rig.slack.example/archives/C0001/p1772701200000100"}


def roundup() -> tuple[Thread, ...]:
    digests = [
        told(invented.busy()),
        told(invented.gap(), FLINT),
        told(invented.quiet(), GLAZE),
    ]
    chosen = subscription(invented.REPO, FLINT, GLAZE)
    return plan(digests, [], chosen, open_followups=2, thread_urls=URLS)[:1]


def busy(language: Language = Language.EN) -> tuple[Thread, ...]:
    return plan(
        [told(invented.busy())],
        [],
        subscription(language=language, without=frozenset({"bots"})),
        open_followups=3,
        nudged=[followup(taken_by="wren")],
    )


MORNINGS = {
    "roundup": roundup,
    "busy": busy,
    "zh": lambda: busy(Language.ZH),
    "glossed": lambda: plan([glossed.whole()], [], subscription()),
    "glossed_zh": lambda: plan([glossed.partly()], [], subscription(language=Language.ZH)),
    "glossed_late": lambda: plan([glossed.late()], [], subscription()),
    "glossed_hostile": lambda: plan([glossed.hostile()], [], subscription()),
    "quiet": lambda: plan([told(invented.quiet())], [], subscription()),
    "one_release": lambda: plan([told(invented.one_release())], [], subscription()),
    "gap": lambda: plan([told(invented.gap())], [], subscription()),
    "gaps": lambda: morning_of_gaps.morning()[:1],
    "gaps_zh": lambda: morning_of_gaps.morning(Language.ZH)[:1],
    "hostile": lambda: plan([told(invented.hostile())], [], subscription()),
    "many": lambda: plan([told(invented.many(300))], [], subscription()),
    "catch_up": lambda: plan(
        [told(invented.busy(), window=WEEKEND)], [], subscription(), untold_since=LONG_AGO
    ),
}


def kept(name: str, drawn: list[object]) -> None:
    file = KEPT / f"{name}.json"
    now = json.dumps(drawn, ensure_ascii=True, indent=1) + "\n"
    if os.environ.get("UPDATE_SNAPSHOTS"):
        file.write_text(now, encoding="utf-8")
    assert json.loads(file.read_text(encoding="utf-8")) == json.loads(now)


@pytest.mark.parametrize("name", MORNINGS)
def test_a_morning_is_drawn_as_it_was_looked_at(name: str) -> None:
    drawn = [message for thread in MORNINGS[name]() for message in render(thread)]
    kept(name, [{"about": list(message.about), **message.payload} for message in drawn])


def test_a_followed_item_is_drawn_as_it_was_looked_at() -> None:
    (thread,) = busy()
    taken = followup(taken_by="wren", done_by="wren")
    (message,) = render_parts((with_state(thread.replies[0], taken, Language.EN),), Language.EN)
    kept("followed", [{"about": list(message.about), **message.payload}])
