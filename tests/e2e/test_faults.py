"""Two runs of `make faults`: all four servers fail, and every channel is told what there is."""

import asyncio
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.e2e import faults
from tests.e2e.faults import Case
from tests.e2e.morning import Told, prepare
from tests.e2e.threads import misses
from tests.e2e.troubles import Drop, Fall, Spell, Trouble
from tests.postgres import new_database

DISCORD = (
    Spell(1, Trouble.UNAVAILABLE, 1),
    Spell(4, Trouble.RESET_LATER, 2),
    Spell(3, Trouble.LIMITED, 1),
    Spell(2, Trouble.FORBIDDEN, 1),
    Spell(2, Trouble.CUT, 1),
    Spell(1, Trouble.HANG_LATER, 1),
)
SLACK = (
    Spell(3, Trouble.FORBIDDEN, 1),
    Spell(1, Trouble.RESET_LATER, 2),
    Spell(2, Trouble.BROKEN_LATER, 1),
    Spell(1, Trouble.CUT, 1),
    Spell(1, Trouble.HANG_LATER, 1),
    Spell(2, Trouble.LIMITED, 1),
)
GITHUB = (
    Spell(2, Trouble.BROKEN, 1),
    Spell(5, Trouble.CUT, 1),
    Spell(3, Trouble.LIMITED, 1),
    Spell(4, Trouble.RESET, 1),
)
MODEL = (Spell(1, Trouble.RESET, 1), Spell(0, Trouble.LIMITED, 1), Spell(0, Trouble.CUT, 1))
"""A slow machine asks a model of little in the time that a digest waits for it."""
PASSING = Case(
    *(0, (DISCORD, GITHUB, MODEL, SLACK)),
    held=2.0,
    drops=(
        (Drop(9, Fall.RECONNECT), Drop(20, Fall.BROKEN_OFF), Drop(50, Fall.CLOSED)),
        (Drop(9, Fall.BROKEN_OFF), Drop(30, Fall.CLOSED), Drop(50, Fall.RECONNECT)),
    ),
    last=(Fall.INVALID, Fall.CLOSED),
)
STAYING = Case(
    *(1, (DISCORD[1:3], GITHUB, (), SLACK[1:3])),
    held=2.0,
    broken="rotor",
    model=True,
    stays=Trouble.BROKEN,
    last=(Fall.RECONNECT, Fall.SILENT),
)


async def test_all_that_fails_together_loses_no_message_and_says_its_gaps(
    postgres_server: Any, tmp_path: Path
) -> None:
    template = new_database(postgres_server)
    await prepare(template, of_each=3)
    database = partial(new_database, postgres_server, template)
    places = [tmp_path / name for name in ("undisturbed", "passing", "staying")]
    for place in places:
        place.mkdir()

    whole, passing, staying = await asyncio.gather(
        faults.undisturbed(places[0], database()),
        faults.disturbed(PASSING, places[1], database()),
        faults.disturbed(STAYING, places[2], database()),
    )

    met = passing.met
    assert set(met) == {spell.trouble for each in PASSING.schedules for spell in each}
    assert set(passing.fell + staying.fell) == set(Fall)
    for case, morning in ((PASSING, passing), (STAYING, staying)):
        outcome = faults.judged(case, whole, morning)
        assert outcome.is_whole, (str(outcome.misses), outcome.fault, outcome.misses.lines)
    assert faults.judged(PASSING, whole, passing).misses.could_not_look == set()


HEAD = '["rotor · Thu 12 Feb: 3 changes", []]'
ROUNDUP = '["2 repositories · Thu 12 Feb: rotor 3 changes; stator 2 changes", []]'
BLIND = '["2 repositories · Thu 12 Feb: stator 2 changes", ["Could not look at rotor: broken."]]'
BOTH = BLIND.replace("rotor:", "rotor; stator (patches):")
STATOR = HEAD.replace("rotor", "stator")
LINKED = HEAD.replace("[]", '["[#1](https://github.com/example-org/rotor/pull/1)"]')
GLOSSED = HEAD.replace("3 changes", "Blades turn faster now")
IN_PART = BLIND.replace("rotor:", "rotor (patches):")
TOLD: Told = Counter(
    {("C1", "", ROUNDUP): 1, ("C1", "", HEAD): 1, ("C1", HEAD, '["The rest", []]'): 1}
)


@pytest.mark.parametrize(
    ("told", "lost", "doubled", "unsaid"),
    [
        (TOLD, 0, 0, 2),
        (TOLD - Counter({("C1", HEAD, '["The rest", []]'): 1}), 1, 0, 2),
        (TOLD + Counter({("C1", "", HEAD): 1}), 0, 1, 3),
        (TOLD + Counter({("C1", "", GLOSSED): 1}) - Counter({("C1", "", HEAD): 1}), 0, 0, 2),
        (Counter({("C1", "", BLIND): 1}), 0, 0, 1),
        (Counter({("C1", "", BLIND): 2}), 0, 1, 2),
        (Counter({("C1", "", ROUNDUP): 1}), 2, 0, 1),
        (Counter({("C1", "", IN_PART): 1}), 1, 0, 1),
        (Counter({("C1", "", IN_PART): 1, ("C1", "", HEAD): 1}), 0, 0, 2),
        (Counter({("C1", "", BOTH): 1, ("C1", "", STATOR): 1}), 0, 0, 2),
        (
            Counter({("C1", "", HEAD.replace("[]", '[" · no AI used: small was late"]')): 1}),
            2,
            0,
            0,
        ),
    ],
    ids=[
        "whole",
        "lost",
        "doubled",
        "in other words",
        "said",
        "said twice",
        "unsaid",
        "no thread",
        "in part",
        "one whole, one in part",
        "no model",
    ],
)
def test_what_is_lost_doubled_or_not_said_is_counted(
    told: Told, lost: int, doubled: int, unsaid: int
) -> None:
    found = misses(TOLD, told, without_model=True)

    assert (found.lost, found.doubled, found.unsaid) == (lost, doubled, unsaid)


def test_a_page_that_a_thread_no_longer_links_to_is_lost() -> None:
    linked: Told = Counter({("C1", "", LINKED): 1})

    assert misses(linked, linked, without_model=False).lost == 0
    assert misses(linked, Counter({("C1", "", HEAD): 1}), without_model=False).lost == 1


def test_the_same_seed_gives_the_same_faults() -> None:
    assert faults.cases(9, 7) == faults.cases(9, 7)
    assert faults.cases(9, 7) != faults.cases(9, 8)
    assert faults.cases(9, 7)[:5] == faults.cases(5, 7)
