"""What is old is thrown away once a day, by one of the processes."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from pydantic import ValidationError
from sqlalchemy import select, text

from adapters.operations.clock import daily_purge
from bot.settings import Settings
from bot.store.tables import SEEN_EVENTS
from digest.errors import InfraError
from digest.store.database import Database, all_rows, execute
from tests.conftest import PATIENCE


async def keep_event(database: Database, clock: Any, name: str) -> None:
    at = clock() - timedelta(days=3)
    await database.write(
        execute(SEEN_EVENTS.insert().values(platform="slack", event_id=name, at=at)),
        "",
    )


async def events(database: Database) -> int:
    return len(await database.read(all_rows(select(SEEN_EVENTS))))


async def test_of_several_processes_one_purges_and_once_a_day(
    database_url: str, clock: Any
) -> None:
    one, two = Database(database_url), Database(database_url)
    await one.upgrade()
    async with one, two:
        processes = [daily_purge(database, 90, clock) for database in (one, two, one)]
        await keep_event(one, clock, "first")

        await asyncio.gather(*(each.look() for each in processes))
        assert await events(one) == 0

        await keep_event(one, clock, "second")
        clock.advance(hours=23)
        await asyncio.gather(*(each.look() for each in processes))
        assert await events(one) == 1
        clock.advance(hours=1)
        await asyncio.gather(*(each.look() for each in processes))
        assert await events(one) == 0


async def test_it_goes_on_although_the_database_fails_for_a_while(
    sqlite_url: str, clock: Any
) -> None:
    database = Database(sqlite_url)
    life = asyncio.create_task(daily_purge(database, 90, clock).live(0.01))
    await asyncio.sleep(0.1)
    assert not life.done()
    await database.upgrade()
    await keep_event(database, clock, "first")
    clock.advance(days=1)

    async with asyncio.timeout(PATIENCE):
        while await events(database):
            await asyncio.sleep(0.02)
    life.cancel()
    await asyncio.gather(life, return_exceptions=True)

    assert await events(database) == 0
    await database.close()


async def test_what_failed_is_tried_again_at_the_next_look_not_on_the_next_day(
    sqlite_url: str, clock: Any
) -> None:
    database = Database(sqlite_url)
    await database.upgrade()
    async with database:
        await keep_event(database, clock, "first")
        await database.write(execute(text("ALTER TABLE model_answer RENAME TO away")), "")
        with pytest.raises(InfraError):
            await daily_purge(database, 90, clock).look()
        await database.write(execute(text("ALTER TABLE away RENAME TO model_answer")), "")
        clock.advance(minutes=15)

        await daily_purge(database, 90, clock).look()

        assert await events(database) == 0


async def test_nothing_is_ever_purged_where_everything_is_kept(sqlite_url: str, clock: Any) -> None:
    async with Database(sqlite_url) as database:
        await keep_event(database, clock, "first")

        await daily_purge(database, 0, clock).look()

        assert await events(database) == 1


@pytest.mark.parametrize("given", ["0", "31", "90", "3650"])
def test_a_number_of_days_is_taken(given: str) -> None:
    assert Settings.model_validate({"INFRA_KEEP_DAYS": given}).keep_days == int(given)


@pytest.mark.parametrize("given", ["30", "1", "-5", "often", "1e3", "9.5"])
def test_too_few_days_and_what_is_no_number_are_refused(given: str) -> None:
    with pytest.raises(ValidationError, match="write 31 or more, or 0 for ever"):
        Settings.model_validate({"INFRA_KEEP_DAYS": given})
