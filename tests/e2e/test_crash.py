"""One run of `make crash`: killed in the middle of a morning, nothing is lost or told twice."""

import asyncio
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
    await prepare(template, of_each=2)
    database = partial(new_database, postgres_server, template)
    places = [tmp_path / name for name in ("undisturbed", "killed")]
    for place in places:
        place.mkdir()
    case = crash.Case(0, (("stored post sent", 12),))

    whole, (told, fault) = await asyncio.gather(
        crash.undisturbed(places[0], database()), crash.disturbed(case, places[1], database())
    )

    assert whole.told.total() >= 20
    assert (crash.compared(whole.told, told), fault) == ((0, 0), "")


def test_what_is_missing_and_what_stands_twice_is_counted() -> None:
    wanted = Counter({("C1", "", "a"): 1, ("C1", "a", "b"): 1})
    told = Counter({("C1", "", "a"): 2})

    assert crash.compared(wanted, told) == (1, 1)


def test_the_same_seed_gives_the_same_cases() -> None:
    whole = crash.Whole(Counter(), Counter({"github asked": 9, "stored post sent": 80}), 9.0)

    assert crash.cases(whole, 9, SEED) == crash.cases(whole, 9, SEED)
    assert crash.cases(whole, 9, SEED) != crash.cases(whole, 9, SEED + 1)
    assert crash.cases(whole, 9, SEED)[:5] == crash.cases(whole, 5, SEED)
