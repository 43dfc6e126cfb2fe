"""The drawn messages of whole mornings, kept as files: what changes in them is to be looked at.

`UPDATE_SNAPSHOTS=1 pytest tests/adapters/discord/test_snapshots.py` writes them anew.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from adapters.discord.render import DiscordMessage, render, render_parts
from bot.compose.answer_parts import answer_parts
from bot.compose.followup_parts import choice_part, followups_part
from bot.compose.item_part import with_state
from bot.model.replies import DigestReply
from digest.languages import Language
from tests.adapters.kept_drawings import kept
from tests.bot import mornings_invented
from tests.bot.channels_invented import followup, told
from tests.bot.mornings_invented import busy
from tests.digest.writing import invented

KEPT = Path(__file__).parent / "snapshots"
THREAD = "https://discord.com/channels/10001/1500000000000000001"
PAGE = "https://digest.example"
EN = Language.EN
MORNINGS = mornings_invented.MORNINGS | {
    "roundup": lambda: mornings_invented.roundup(THREAD),
    "busy": lambda: busy(page_url=PAGE),
    "zh": lambda: busy(Language.ZH, PAGE),
}


def looked_at(name: str, drawn: Sequence[DiscordMessage]) -> None:
    told = [
        {"about": list(each.about), "thread_name": each.thread_name, **each.payload}
        for each in drawn
    ]
    kept(KEPT / f"{name}.json", told)


@pytest.mark.parametrize("name", MORNINGS)
def test_a_morning_is_drawn_as_it_was_looked_at(name: str) -> None:
    looked_at(name, [message for thread in MORNINGS[name]() for message in render(thread)])


def test_follow_ups_are_drawn_as_they_were_looked_at() -> None:
    (thread,) = busy(page_url=PAGE)
    taken = followup(taken_by="wren", done_by="wren")
    items = [replace(taken, item_key=f"{taken.item_key}{n}", ref=f"#101{n}") for n in range(7)]
    parts = (
        with_state(thread.replies[0], taken, EN),
        followups_part([followup(), taken], EN),
        followups_part([], EN),
        choice_part("1500000000000000001", items[:3], EN),
        choice_part("1500000000000000001", items, EN, private=True),
    )
    looked_at("followups", render_parts(parts, EN))


def test_an_answer_is_drawn_as_it_was_looked_at() -> None:
    parts = answer_parts(DigestReply(told(invented.busy()), EN), asked="kiln today")
    looked_at("answer", render_parts(parts, EN))
