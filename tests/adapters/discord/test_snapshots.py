"""The drawn messages of whole mornings, kept as files: what changes in them is to be looked at.

`UPDATE_SNAPSHOTS=1 pytest tests/adapters/discord/test_snapshots.py` writes them anew.
"""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from adapters.discord.render import render, render_parts
from bot.compose.followup_parts import choice_part, followups_part
from bot.compose.item_part import with_state
from digest.languages import Language
from tests.adapters.discord.drawn import accepted
from tests.adapters.doors import kept
from tests.bot import mornings_invented
from tests.bot.channels_invented import followup
from tests.bot.mornings_invented import busy

KEPT = Path(__file__).parent / "snapshots"
THREAD = "https://discord.com/channels/10001/1500000000000000001"
PAGE = "https://digest.example"
EN = Language.EN
MORNINGS = mornings_invented.MORNINGS | {
    "roundup": lambda: mornings_invented.roundup(THREAD),
    "busy": lambda: busy(page_url=PAGE),
    "zh": lambda: busy(Language.ZH, PAGE),
}
LOOKED_AT = ("busy", "zh", "hostile", "one_release", "roundup")


@pytest.mark.parametrize("name", LOOKED_AT)
def test_a_morning_is_drawn_as_it_was_looked_at(name: str) -> None:
    drawn = [message for thread in MORNINGS[name]() for message in render(thread)]
    told = [
        {"about": list(each.about), "thread_name": each.thread_name, **each.payload}
        for each in drawn
    ]
    kept(KEPT / f"{name}.json", told)


@pytest.mark.parametrize("name", MORNINGS)
def test_every_morning_is_taken_by_discord_and_about_all_its_items(name: str) -> None:
    for thread in MORNINGS[name]():
        drawn = render(thread)

        accepted(drawn)
        about = {key for part in (thread.parent, *thread.replies) for key in part.about}
        assert {key for message in drawn for key in message.about} == about


def test_follow_ups_are_listed_with_their_references_and_a_choice_of_them() -> None:
    (thread,) = busy(page_url=PAGE)
    taken = followup(taken_by="wren", done_by="wren")
    items = [replace(taken, item_key=f"{taken.item_key}{n}", ref=f"#101{n}") for n in range(7)]
    parts = (
        with_state(thread.replies[0], taken, EN),
        followups_part([followup(), taken], EN),
        followups_part([], EN),
        choice_part("1500000000000000001", items[:3], EN),
        choice_part("1500000000000000001", items, EN),
    )
    drawn = render_parts(parts, EN)

    accepted(drawn)
    shown = json.dumps([message.payload for message in drawn])
    assert [item.ref for item in items if item.ref not in shown] == []
