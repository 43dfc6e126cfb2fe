"""The drawn messages of whole mornings, kept as files: what changes in them is to be looked at.

`UPDATE_SNAPSHOTS=1 pytest tests/adapters/slack/test_snapshots.py` writes them anew.
"""

from pathlib import Path

import pytest

from adapters.slack.render import render
from digest.languages import Language
from tests.adapters.doors import kept
from tests.adapters.slack.drawn import accepted
from tests.bot import mornings_invented
from tests.bot.mornings_invented import busy

KEPT = Path(__file__).parent / "snapshots"
THREAD = "https://rig.slack.example/archives/C0001/p1772701200000100"
MORNINGS = mornings_invented.MORNINGS | {
    "roundup": lambda: mornings_invented.roundup(THREAD),
    "busy": busy,
    "zh": lambda: busy(Language.ZH),
}
LOOKED_AT = ("busy", "zh", "hostile", "one_release", "roundup")


@pytest.mark.parametrize("name", LOOKED_AT)
def test_a_morning_is_drawn_as_it_was_looked_at(name: str) -> None:
    drawn = [message for thread in MORNINGS[name]() for message in render(thread)]
    told = [{"about": list(message.about), **message.payload} for message in drawn]
    kept(KEPT / f"{name}.json", told)


@pytest.mark.parametrize("name", MORNINGS)
def test_every_morning_is_taken_by_slack_and_about_all_its_items(name: str) -> None:
    for thread in MORNINGS[name]():
        drawn = render(thread)

        accepted(drawn)
        about = {key for part in (thread.parent, *thread.replies) for key in part.about}
        assert {key for message in drawn for key in message.about} == about
