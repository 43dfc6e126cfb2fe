"""Processes of one database go by its clock, whatever their machines' clocks show."""

from datetime import UTC, datetime, timedelta

import pytest

from digest.errors import StoreFailed
from digest.store.clock import DatabaseClock
from digest.store.database import Database
from tests.e2e.database_time import set_time
from tests.e2e.morning import plain

NOON = datetime(2026, 2, 12, 12, tzinfo=UTC)
LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


async def test_postgresql_says_what_time_it_is_and_the_steady_clock_goes_on_from_there(
    postgres_url: str,
) -> None:
    seconds = 100.0
    set_time(plain(postgres_url), NOON)
    async with Database(postgres_url) as database:
        clock = DatabaseClock(database, lambda: LONG_AGO, steady=lambda: seconds)
        await clock.synchronize()

        asked = clock()
        seconds += 90
        later = clock()

    assert NOON < asked < NOON + timedelta(seconds=30)
    assert later == asked + timedelta(seconds=90)
    assert later.tzinfo is UTC
    with pytest.raises(StoreFailed):
        await DatabaseClock(Database("postgresql:///x?host=/nowhere"), lambda: NOON).synchronize()
    assert clock() == later


async def test_sqlite_goes_by_the_machine(sqlite_url: str) -> None:
    async with Database(sqlite_url) as database:
        clock = DatabaseClock(database, lambda: NOON)
        await clock.synchronize()

        assert clock() == NOON
