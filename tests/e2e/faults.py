"""Let GitHub, the model, Slack and Discord fail together in a morning, and read what was told.

Requests fail, and sockets fall.

`make faults RUNS=30 SEED=1` runs as many schedules of faults; one is replayed by its seed and
number: `make faults SEED=1 ONLY=17`. Every message has to stand once, as in a morning without
faults; where GitHub stayed broken, the thread has to say so in place of what is missing, and where
the model did, that none was used.
"""

import random
import sys
from argparse import Namespace
from collections import Counter
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from digest.models import Repo
from tests.e2e import runs
from tests.e2e.morning import REPOS, Told, served_by
from tests.e2e.runs import NewDatabase
from tests.e2e.threads import Misses, misses
from tests.e2e.troubles import (
    OF_SLACK,
    Drop,
    Fall,
    Spell,
    Trouble,
    Troubled,
    TroubledWorld,
    drops,
    spells,
)

SERVERS = ("discord", "github", "model", "slack")
MOST_SPELLS = 6

PLATFORMS = ("discord", "slack")
"""Those of them that are heard through sockets."""

LONGEST = 300.0
"""Seconds in which a morning with faults is told, or is lost."""

LONGEST_DEAF = 150.0
"""Seconds in which a platform is heard again, or is lost; the libraries wait for one of them."""

LIMITS = {
    "discord": {"message": "You are being rate limited.", "retry_after": 1.0, "global": False},
    "github": {"message": "You have exceeded a secondary rate limit."},
    "model": {"error": {"message": "Rate limit reached", "code": "rate_limit_exceeded"}},
    "slack": {"ok": False, "error": "ratelimited"},
}
"""What each says where it takes no more for a while."""

STAYING = (Trouble.FORBIDDEN, Trouble.BROKEN, Trouble.RESET)
HELD = (2.0, 25.0)
"""Seconds for which a hanging request is held: less, or more, than the process has patience."""


@dataclass(frozen=True, slots=True)
class Case:
    """One run: the faults of each server, and what stays broken: the model, what GitHub has.

    `broken` is the name of a repository, or of the owner of all.
    """

    number: int
    schedules: tuple[tuple[Spell, ...], ...]
    held: float
    broken: str = ""
    model: bool = False
    stays: Trouble = Trouble.BROKEN
    drops: tuple[tuple[Drop, ...], ...] = ((), ())
    last: tuple[Fall, ...] = ()
    """How each platform's sockets fall once all is told, just before a person sets a flag."""

    def __str__(self) -> str:
        parts = [
            f"{name} {' '.join(map(str, each))}"
            for name, each in zip(SERVERS, self.schedules, strict=True)
        ]
        parts += [
            f"{name} falls {' '.join(map(str, (*each, *last)))}"
            for name, each, last in zip(
                PLATFORMS, self.drops, [[fall] for fall in self.last] or [[], []], strict=True
            )
        ]
        broken = [name for name in (self.broken, "model" if self.model else "") if name]
        if broken:
            parts.append(f"{' and '.join(broken)} always {self.stays}")
        return f"{self.number}: {'; '.join(parts)}; held {self.held:.0f} s"

    def troubles(self) -> dict[str, Troubled]:
        """Give what is put before each server."""
        made = {
            name: Troubled(schedule, held=self.held, limited=LIMITS[name])
            for name, schedule in zip(SERVERS, self.schedules, strict=True)
        }
        if self.broken:
            made["github"].break_for_good(self.stays, lambda asked: self.broken in asked)
        if self.model:
            made["model"].break_for_good(self.stays, lambda asked: True)
        return made


@dataclass(frozen=True, slots=True)
class Morning:
    """What a morning with faults told, what requests and sockets met, and why it did not end."""

    told: Told
    met: Counter[Trouble]
    fell: Counter[Fall]
    fault: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a morning with faults told, compared with one without, and how many faults it met."""

    case: Case
    misses: Misses
    met: int
    fell: int
    fault: str = ""

    @property
    def is_whole(self) -> bool:
        """Tell whether all was told once, or said to be missing."""
        return not (self.misses.any or self.fault)


def cases(number_of: int, seed: int) -> list[Case]:
    """Give as many cases; in half of them GitHub stays broken for a repository or for all."""
    chance = random.Random(seed)
    return [
        Case(
            number,
            tuple(spells(chance, MOST_SPELLS) for _ in SERVERS),
            held=chance.uniform(*HELD),
            broken=_broken(number, chance.choice(REPOS)),
            model=number % 4 in (2, 3),
            stays=chance.choice(STAYING),
            drops=(drops(chance, tuple(Fall)), drops(chance, OF_SLACK)),
            last=(chance.choice(tuple(Fall)), chance.choice(OF_SLACK)),
        )
        for number in range(number_of)
    ]


def _broken(number: int, repo: Repo) -> str:
    if number % 8 == 5:
        return repo.owner
    return repo.name if number % 2 else ""


async def undisturbed(folder: Path, database_url: str) -> Told:
    """Let a morning be told without faults."""
    async with served_by(TroubledWorld(folder, database_url, {})) as morning:
        await morning.start()
        await morning.until_told()
        await morning.stop()
        return morning.told


async def disturbed(case: Case, folder: Path, database_url: str) -> Morning:
    """Let a morning be told with the faults of a case."""
    troubles, fault, told = case.troubles(), "", None
    world = TroubledWorld(folder, database_url, troubles, case.drops)
    async with served_by(world) as morning:
        try:
            await morning.start()
            await morning.until_told(LONGEST)
            told = morning.told
            await morning.until_heard(case.last, LONGEST_DEAF)
            await morning.stop()
        except (TimeoutError, AssertionError) as error:
            fault = repr(error)
        met = sum((each.met for each in troubles.values()), Counter[Trouble]())
        fell = morning.slack.held.fell + morning.discord.held.fell
        return Morning(told or morning.told, met, fell, fault)


def judged(case: Case, whole: Told, morning: Morning) -> Outcome:
    """Compare a morning with faults with one without."""
    found = misses(whole, morning.told, without_model=case.model)
    fault = morning.fault
    broken = {str(repo) for repo in REPOS if case.broken in (repo.name, repo.owner)}
    if unsaid := broken - found.could_not_look:
        fault = fault or f"nothing is said of {', '.join(sorted(unsaid))}"
    return Outcome(case, found, morning.met.total(), morning.fell.total(), fault)


async def _one(whole: Told, case: Case, folder: Path, database_url: str) -> Outcome:
    outcome = judged(case, whole, await disturbed(case, folder, database_url))
    if not outcome.is_whole:
        (folder / "messages.txt").write_text("\n".join(outcome.misses.lines))
    said = "whole" if outcome.is_whole else "NOT WHOLE"
    runs.say(f"{case}: {outcome.met} met: {said}, {outcome.misses} {outcome.fault}")
    return outcome


def main() -> int:
    """Run as many cases as asked; 1 if a message was lost, stands twice, or a gap was not said."""
    given = runs.asked(__doc__, 30)
    outcomes = runs.in_new_databases("faults", partial(_run, given))
    failed = [each for each in outcomes if not each.is_whole]
    lost = sum(each.misses.lost for each in outcomes)
    doubled = sum(each.misses.doubled for each in outcomes)
    said = sum(len(each.misses.could_not_look) + len(each.misses.in_part) for each in outcomes)
    met, fell = sum(each.met for each in outcomes), sum(each.fell for each in outcomes)
    runs.say(
        f"{len(outcomes)} runs, {met} requests failed, {fell} sockets fell: {lost} messages lost, "
        f"{doubled} doubled; {said} gaps said; {len(failed)} runs not whole"
    )
    return 1 if failed else 0


async def _run(given: Namespace, folder: Path, database: NewDatabase) -> list[Outcome]:
    first = folder / "undisturbed"
    first.mkdir()
    whole = await undisturbed(first, database())
    runs.say(f"undisturbed: {whole.total()} messages")
    wanted = runs.chosen(cases, given)
    return await runs.all_of(wanted, partial(_one, whole), folder, database, given.at_once)


if __name__ == "__main__":
    sys.exit(main())
