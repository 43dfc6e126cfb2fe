"""Many runs of a morning, each disturbed in its own way: asked for, run, and left to be read."""

import argparse
import asyncio
import shutil
import sys
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Protocol, TypeAlias, TypeVar

from tests.e2e.morning import prepare
from tests.postgres import new_database, serving

NewDatabase: TypeAlias = Callable[[], str]
"""Makes a database in which the morning is prepared, and gives its URL."""


class Numbered(Protocol):
    """A run that can be asked for again by its number."""

    @property
    def number(self) -> int: ...


class Judged(Protocol):
    """What came of a run."""

    @property
    def is_whole(self) -> bool: ...


AnyCase = TypeVar("AnyCase", bound=Numbered)
AnyOutcome = TypeVar("AnyOutcome", bound=Judged)


def asked(about: str | None, runs: int) -> argparse.Namespace:
    """Read how many runs are wanted."""
    read = argparse.ArgumentParser(description=about)
    read.add_argument("--runs", type=int, default=runs)
    read.add_argument("--seed", type=int, default=1)
    read.add_argument("--only", type=int, help="the number of the one case to run again")
    read.add_argument("--at-once", type=int, default=4)
    return read.parse_args()


def chosen(
    cases: Callable[[int, int], Sequence[AnyCase]], given: argparse.Namespace
) -> list[AnyCase]:
    """Give the cases of a number and a seed, or the one that is to run again."""
    if given.only is None:
        return list(cases(given.runs, given.seed))
    return list(cases(given.only + 1, given.seed)[-1:])


async def all_of(
    cases: Sequence[AnyCase],
    one: Callable[[AnyCase, Path, str], Awaitable[AnyOutcome]],
    folder: Path,
    database: NewDatabase,
    at_once: int,
) -> list[AnyOutcome]:
    """Run cases, some at a time, each in a folder that stays where it is not whole."""
    turn = asyncio.Semaphore(at_once)

    async def run(case: AnyCase) -> AnyOutcome:
        async with turn:
            place = folder / str(case.number)
            place.mkdir()
            outcome = await one(case, place, database())
            if outcome.is_whole:
                shutil.rmtree(place)
            return outcome

    return list(await asyncio.gather(*(run(case) for case in cases)))


def in_new_databases(
    name: str, work: Callable[[Path, NewDatabase], Awaitable[Sequence[AnyOutcome]]]
) -> list[AnyOutcome]:
    """Do all runs on a PostgreSQL of their own, and say where the logs are of what went wrong."""
    folder = Path(tempfile.mkdtemp(prefix=f"infra-{name}-"))

    async def begun(database: NewDatabase) -> Sequence[AnyOutcome]:
        return await work(folder, database)

    with serving() as server:
        template = new_database(server)
        asyncio.run(prepare(template))
        outcomes = list(asyncio.run(begun(partial(new_database, server, template))))
    if all(each.is_whole for each in outcomes):
        shutil.rmtree(folder, ignore_errors=True)
    else:
        say(f"logs: {folder}")
    return outcomes


def say(line: str) -> None:
    """Write a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
