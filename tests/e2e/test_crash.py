"""One run of `make crash`: killed in the middle of a morning, nothing is lost or told twice."""

from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

from tests.e2e import crash
from tests.e2e.morning import prepare
from tests.postgres import new_database

SEED = 7


async def test_a_morning_killed_while_it_sends_is_told_once_and_whole(
    postgres_server: Any, tmp_path: Path
) -> None:
    template = new_database(postgres_server)
    await prepare(template)
    database = partial(new_database, postgres_server, template)
    first = tmp_path / "undisturbed"
    first.mkdir()
    whole = await crash.undisturbed(first, database())
    every = crash.cases(whole, len(whole.steps) + 1, SEED)
    stored = next(
        case for case in every if ("stored post sent" in {name for name, _ in case.steps})
    )

    outcomes = await crash.all_of([stored], whole, tmp_path, database, at_once=1)

    assert whole.told.total() >= 50
    assert [str(each) for each in outcomes if not each.is_whole] == []


def test_what_is_missing_and_what_stands_twice_is_counted() -> None:
    wanted = Counter({("C1", "", "a"): 1, ("C1", "a", "b"): 1})
    told = Counter({("C1", "", "a"): 2})

    assert crash.compared(wanted, told) == (1, 1)


def test_the_same_seed_gives_the_same_cases() -> None:
    whole = crash.Whole(Counter(), Counter({"github asked": 9, "stored post sent": 80}), 9.0)

    assert crash.cases(whole, 9, SEED) == crash.cases(whole, 9, SEED)
    assert crash.cases(whole, 9, SEED) != crash.cases(whole, 9, SEED + 1)
    assert crash.cases(whole, 9, SEED)[:5] == crash.cases(whole, 5, SEED)
