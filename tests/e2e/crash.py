"""Kill the process in the middle of a morning, start it again, and count what was told.

Beside the morning, two channels and a person of each are told what became of a change that they
follow up, and a list of the morning before says which of its changes was reverted since.

`make crash RUNS=200 SEED=1` runs every step that has a name first, then moments by chance. A run is
replayed by its seed and number: `make crash SEED=1 ONLY=17`.
"""

import random
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import monotonic

from tests.e2e import runs
from tests.e2e.morning import Told, World, flag, world
from tests.e2e.runs import NewDatabase

MOST_KILLS = 3
"""Kills in one run before the process may go on to the end."""

START_UP = 0.5
"""Seconds before which a process has done nothing that could be lost."""

LONGEST_FOR_A_STEP = 45.0
"""Seconds after which a step that does not come again is not waited for: it is killed then."""


@dataclass(frozen=True, slots=True)
class Case:
    """One run: the steps (name and how many of them) and seconds at which it is killed."""

    number: int
    steps: tuple[tuple[str, int], ...] = ()
    seconds: tuple[float, ...] = ()

    def __str__(self) -> str:
        steps = [f"{name} ({count})" for name, count in self.steps]
        return f"{self.number}: " + ", ".join([*steps, *(f"{each:.2f} s" for each in self.seconds)])


@dataclass(frozen=True, slots=True)
class Whole:
    """A morning that nobody disturbed: what it tells, its steps, and how long it took."""

    told: Told
    steps: Counter[str]
    seconds: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a disturbed morning told: messages that are missing, and that stand too often."""

    case: Case
    lost: int
    doubled: int
    fault: str = ""

    @property
    def is_whole(self) -> bool:
        """Tell whether every message stands exactly once."""
        return not (self.lost or self.doubled or self.fault)


async def undisturbed(folder: Path, database_url: str) -> Whole:
    """Let a morning be told without a kill, and what became of what is flagged."""
    await flag(database_url)
    begun = monotonic()
    async with world(folder, database_url) as morning:
        morning.show_yesterday()
        await morning.start()
        await morning.until_told()
        await morning.until_followed()
        seconds = monotonic() - begun
        steps = Counter(morning.seen)
        await morning.stop()
        return Whole(morning.told, steps, seconds)


async def disturbed(case: Case, folder: Path, database_url: str) -> tuple[Told, str]:
    """Let a morning be told with the kills of a case; give that, and why it did not end."""
    fault = ""
    await flag(database_url)
    async with world(folder, database_url) as morning:
        morning.show_yesterday()
        try:
            await _tell(case, morning)
        except (TimeoutError, AssertionError) as error:
            fault = f"{error!r}"
        return morning.told, fault


async def _tell(case: Case, morning: World) -> None:
    for step in case.steps:
        await morning.start(kill_at=step)
        await morning.killed(within=LONGEST_FOR_A_STEP)
    for seconds in case.seconds:
        await morning.start()
        await morning.killed(within=seconds)
    await morning.start()
    await morning.until_told()
    await morning.until_followed()
    await morning.stop()


def compared(wanted: Told, told: Told) -> tuple[int, int]:
    """Give how many messages are missing, and how many stand too often or nobody wanted."""
    return (wanted - told).total(), (told - wanted).total()


def cases(whole: Whole, number_of: int, seed: int) -> list[Case]:
    """Give as many cases: each named step once, at a time by chance, then moments by chance."""
    chance = random.Random(seed)
    named = sorted(name for name in whole.steps if not name.startswith("discord GET"))
    given = []
    for number in range(number_of):
        if number < len(named):
            name = named[number]
            given.append(Case(number, ((name, chance.randint(1, whole.steps[name])),)))
        else:
            kills = chance.randint(1, MOST_KILLS)
            moments = (chance.uniform(START_UP, whole.seconds) for _ in range(kills))
            given.append(Case(number, seconds=tuple(moments)))
    return given


async def _one(whole: Whole, case: Case, folder: Path, database_url: str) -> Outcome:
    told, fault = await disturbed(case, folder, database_url)
    missing = [f"- {each}" for each in (whole.told - told).elements()]
    too_many = [f"+ {each}" for each in (told - whole.told).elements()]
    (folder / "messages.txt").write_text("\n".join(missing + too_many))
    outcome = Outcome(case, *compared(whole.told, told), fault)
    said = "whole"
    if not outcome.is_whole:
        said = f"LOST {outcome.lost}, DOUBLED {outcome.doubled} {outcome.fault}"
    runs.say(f"{case}: {said}")
    return outcome


async def all_of(
    wanted: Sequence[Case], whole: Whole, folder: Path, database: NewDatabase, at_once: int
) -> list[Outcome]:
    """Run cases, some at a time; what came of each is told at once."""
    return await runs.all_of(wanted, partial(_one, whole), folder, database, at_once)


def main() -> int:
    """Run as many cases as asked; 1 if a message was lost or stands twice."""
    given = runs.asked(__doc__, 200)
    outcomes = runs.in_new_databases("crash", partial(_run, given))
    lost, doubled = sum(each.lost for each in outcomes), sum(each.doubled for each in outcomes)
    kills = sum(len(each.case.steps) + len(each.case.seconds) for each in outcomes)
    runs.say(f"{len(outcomes)} runs, {kills} kills: {lost} lost, {doubled} doubled")
    return 0 if all(each.is_whole for each in outcomes) else 1


async def _run(given: Namespace, folder: Path, database: NewDatabase) -> list[Outcome]:
    first = folder / "undisturbed"
    first.mkdir()
    whole = await undisturbed(first, database())
    runs.say(f"undisturbed: {whole.told.total()} messages in {whole.seconds:.1f} s")
    wanted = runs.chosen(partial(cases, whole), given)
    return await all_of(wanted, whole, folder, database, given.at_once)


if __name__ == "__main__":
    sys.exit(main())
