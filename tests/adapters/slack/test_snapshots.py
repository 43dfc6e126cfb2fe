"""The drawn messages of whole mornings, kept as files: what changes in them is to be looked at.

`UPDATE_SNAPSHOTS=1 pytest tests/adapters/slack/test_snapshots.py` writes them anew.
"""

from collections.abc import Sequence
from pathlib import Path

import pytest

from adapters.slack.render import SlackMessage, render, render_parts
from bot.compose.item_part import with_state
from digest.languages import Language
from tests.adapters.kept_drawings import kept
from tests.bot import mornings_invented
from tests.bot.channels_invented import followup
from tests.bot.mornings_invented import busy

KEPT = Path(__file__).parent / "snapshots"
THREAD = "https://rig.slack.example/archives/C0001/p1772701200000100"
MORNINGS = mornings_invented.MORNINGS | {
    "roundup": lambda: mornings_invented.roundup(THREAD),
    "busy": busy,
    "zh": lambda: busy(Language.ZH),
}


def looked_at(name: str, drawn: Sequence[SlackMessage]) -> None:
    told = [{"about": list(message.about), **message.payload} for message in drawn]
    kept(KEPT / f"{name}.json", told)


@pytest.mark.parametrize("name", MORNINGS)
def test_a_morning_is_drawn_as_it_was_looked_at(name: str) -> None:
    looked_at(name, [message for thread in MORNINGS[name]() for message in render(thread)])


def test_a_followed_item_is_drawn_as_it_was_looked_at() -> None:
    (thread,) = busy()
    taken = followup(taken_by="wren", done_by="wren")
    part = with_state(thread.replies[0], taken, Language.EN)
    looked_at("followed", render_parts((part,), Language.EN))
