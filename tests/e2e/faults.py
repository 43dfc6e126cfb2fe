"""Let GitHub, the model, Slack and Discord fail together in a morning, and read what was told.

`make faults RUNS=30 SEED=1` runs as many schedules of faults; one is replayed by its seed and
number: `make faults SEED=1 ONLY=17`. Every message has to stand once, as in a morning without
faults; where GitHub stayed broken, the thread has to say so in place of what is missing, and where
the model did, that none was used.
"""

import argparse
import asyncio
import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from digest.models import Repo
from tests.e2e.crash import NewDatabase
from tests.e2e.morning import REPOS, Told, prepare, served_by
from tests.e2e.threads import Misses, misses
from tests.e2e.troubled_morning import TroubledWorld
from tests.e2e.troubles import Spell, Trouble, Troubled, spells
from tests.postgres import new_database, serving

SERVERS = ("discord", "github", "model", "slack")
MOST_SPELLS = 6

LONGEST = 300.0
"""Seconds in which a morning with faults is told, or is lost."""

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

    def __str__(self) -> str:
        parts = [
            f"{name} {' '.join(map(str, each))}"
            for name, each in zip(SERVERS, self.schedules, strict=True)
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
    """What a morning with faults told, the faults that requests met, and why it did not end."""

    told: Told
    met: Counter[Trouble]
    fault: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a morning with faults told, compared with one without, and how many faults it met."""

    case: Case
    misses: Misses
    met: int
    fault: str = ""

    @property
    def is_whole(self) -> bool:
        """Tell whether all was told once, or said to be missing."""
        return not (self.misses.any or self.fault)


def cases(runs: int, seed: int) -> list[Case]:
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
        )
        for number in range(runs)
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
    troubles, fault = case.troubles(), ""
    async with served_by(TroubledWorld(folder, database_url, troubles)) as morning:
        try:
            await morning.start()
            await morning.until_told(LONGEST)
            await morning.stop()
        except (TimeoutError, AssertionError) as error:
            fault = repr(error)
        met = sum((each.met for each in troubles.values()), Counter[Trouble]())
        return Morning(morning.told, met, fault)


def judged(case: Case, whole: Told, morning: Morning) -> Outcome:
    """Compare a morning with faults with one without."""
    found = misses(whole, morning.told, without_model=case.model)
    fault = morning.fault
    broken = {str(repo) for repo in REPOS if case.broken in (repo.name, repo.owner)}
    if unsaid := broken - found.could_not_look:
        fault = fault or f"nothing is said of {', '.join(sorted(unsaid))}"
    return Outcome(case, found, morning.met.total(), fault)


async def all_of(
    wanted: Sequence[Case], whole: Told, folder: Path, database: NewDatabase, at_once: int
) -> list[Outcome]:
    """Run cases, some at a time; what came of each is told at once."""
    turn = asyncio.Semaphore(at_once)

    async def one(case: Case) -> Outcome:
        async with turn:
            place = folder / str(case.number)
            place.mkdir()
            outcome = judged(case, whole, await disturbed(case, place, database()))
            if outcome.is_whole:
                shutil.rmtree(place)
            else:
                (place / "messages.txt").write_text("\n".join(outcome.misses.lines))
            said = "whole" if outcome.is_whole else "NOT WHOLE"
            _say(f"{case}: {outcome.met} met: {said}, {outcome.misses} {outcome.fault}")
            return outcome

    return list(await asyncio.gather(*(one(case) for case in wanted)))


def main() -> int:
    """Run as many cases as asked; 1 if a message was lost, stands twice, or a gap was not said."""
    read = argparse.ArgumentParser(description=__doc__)
    read.add_argument("--runs", type=int, default=30)
    read.add_argument("--seed", type=int, default=1)
    read.add_argument("--only", type=int, help="the number of the one case to run again")
    read.add_argument("--at-once", type=int, default=4)
    asked = read.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="infra-faults-"))
    with serving() as server:
        template = new_database(server)
        asyncio.run(prepare(template))
        database = partial(new_database, server, template)
        outcomes = asyncio.run(_run(asked, folder, database))
    failed = [each for each in outcomes if not each.is_whole]
    lost = sum(each.misses.lost for each in outcomes)
    doubled = sum(each.misses.doubled for each in outcomes)
    said = sum(len(each.misses.could_not_look) + len(each.misses.in_part) for each in outcomes)
    met = sum(each.met for each in outcomes)
    _say(
        f"{len(outcomes)} runs, {met} requests failed: {lost} messages lost, {doubled} doubled; "
        f"{said} gaps said; {len(failed)} runs not whole"
    )
    if failed:
        _say(f"logs: {folder}")
        return 1
    shutil.rmtree(folder, ignore_errors=True)
    return 0


async def _run(asked: argparse.Namespace, folder: Path, database: NewDatabase) -> list[Outcome]:
    first = folder / "undisturbed"
    first.mkdir()
    whole = await undisturbed(first, database())
    _say(f"undisturbed: {whole.total()} messages")
    wanted = cases(asked.runs, asked.seed)
    if asked.only is not None:
        wanted = cases(asked.only + 1, asked.seed)[-1:]
    return await all_of(wanted, whole, folder, database, asked.at_once)


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
