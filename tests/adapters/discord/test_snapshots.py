"""The drawn messages of whole mornings, kept as files: what changes in them is to be looked at.

`UPDATE_SNAPSHOTS=1 pytest tests/adapters/discord/test_snapshots.py` writes them anew.
"""

import json
import os
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from adapters.discord.render import DiscordMessage, render, render_parts
from bot.answer_parts import answer_parts
from bot.followup_parts import choice_part, followups_part
from bot.item_part import with_state
from bot.parts import Thread
from bot.replies import DigestReply
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
URLS = {"example-org/kiln": "https://discord.com/channels/10001/1500000000000000001"}
EN = Language.EN


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
        page_url="https://digest.example",
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


def kept(name: str, drawn: Sequence[DiscordMessage]) -> None:
    file = KEPT / f"{name}.json"
    told = [
        {"about": list(each.about), "thread_name": each.thread_name, **each.payload}
        for each in drawn
    ]
    now = json.dumps(told, ensure_ascii=True, indent=1) + "\n"
    if os.environ.get("UPDATE_SNAPSHOTS"):
        file.write_text(now, encoding="utf-8")
    assert json.loads(file.read_text(encoding="utf-8")) == json.loads(now)


@pytest.mark.parametrize("name", MORNINGS)
def test_a_morning_is_drawn_as_it_was_looked_at(name: str) -> None:
    kept(name, [message for thread in MORNINGS[name]() for message in render(thread)])


def test_follow_ups_are_drawn_as_they_were_looked_at() -> None:
    (thread,) = busy()
    taken = followup(taken_by="wren", done_by="wren")
    items = [replace(taken, item_key=f"{taken.item_key}{n}", ref=f"#101{n}") for n in range(7)]
    parts = (
        with_state(thread.replies[0], taken, EN),
        followups_part([followup(), taken], EN),
        followups_part([], EN),
        choice_part("1500000000000000001", items[:3], EN),
        choice_part("1500000000000000001", items, EN, private=True),
    )
    kept("followups", render_parts(parts, EN))


def test_an_answer_is_drawn_as_it_was_looked_at() -> None:
    parts = answer_parts(DigestReply(told(invented.busy()), EN), asked="kiln today")
    kept("answer", render_parts(parts, EN))
