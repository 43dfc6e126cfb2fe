"""Many who ask a SQLite file at once share transactions, and each has its own outcome."""

import asyncio
import contextlib
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable, Sequence

import pytest
from sqlalchemy import Connection, event, text

from digest.errors import StoreFailed
from digest.store.batches import AT_ONCE
from digest.store.database import Database

ALIASES = text("SELECT alias FROM watched_repo ORDER BY alias")
ADD = text("INSERT INTO watched_repo (alias, owner, name, added_at) VALUES (:alias, 'o', 'n', '')")

Work = Callable[[Connection], str]


@pytest.fixture
async def database(sqlite_url: str) -> AsyncIterator[Database]:
    async with Database(sqlite_url) as database:
        yield database


def adding(alias: str, then: Callable[[], object] = lambda: None) -> Work:
    def work(connection: Connection) -> str:
        connection.execute(ADD, {"alias": alias})
        then()
        return alias

    return work


async def kept(database: Database) -> Sequence[str]:
    return await database.look(lambda c: c.scalars(ALIASES).all())


async def test_who_asks_meanwhile_is_done_together(database: Database) -> None:
    ends: list[object] = []
    event.listen(database._reading, "commit", ends.append)
    wanted = [f"a{number:03}" for number in range(2 * AT_ONCE)]

    told = await asyncio.gather(*(database.together("", adding(alias)) for alias in wanted))

    assert told == wanted == await kept(database)
    assert len(ends) <= 3


async def test_one_that_fails_keeps_nothing_and_takes_nothing_from_others(
    database: Database,
) -> None:
    def fail() -> None:
        raise ZeroDivisionError

    outcomes = await asyncio.gather(
        database.together("", adding("a")),
        database.together("", adding("b", fail)),
        database.together("", adding("a")),
        database.together("", adding("c")),
        return_exceptions=True,
    )

    assert [type(each) for each in outcomes] == [str, ZeroDivisionError, StoreFailed, str]
    assert await kept(database) == ["a", "c"]


async def test_what_nobody_waits_for_any_more_is_taken_back(database: Database) -> None:
    begun, goes_on = threading.Event(), threading.Event()

    def wait() -> None:
        begun.set()
        goes_on.wait(10)

    leaving = asyncio.create_task(database.together("", adding("a", wait)))
    staying = asyncio.create_task(database.together("", adding("b")))
    await asyncio.to_thread(begun.wait, 10)
    behind = asyncio.create_task(database.together("", adding("c")))
    await asyncio.sleep(0)
    leaving.cancel()
    behind.cancel()
    goes_on.set()
    await staying
    with contextlib.suppress(asyncio.CancelledError):
        await leaving

    assert await kept(database) == ["b"]


async def test_what_is_asked_for_is_kept_before_the_database_is_closed(sqlite_url: str) -> None:
    async with Database(sqlite_url) as database:
        asked = asyncio.create_task(database.together("", adding("a")))
        await asyncio.sleep(0)

    assert await asked == "a"
    with contextlib.closing(sqlite3.connect(sqlite_url.removeprefix("sqlite:///"))) as file:
        assert file.execute("SELECT alias FROM watched_repo").fetchall() == [("a",)]


async def test_what_is_kept_outlasts_a_power_cut(database: Database) -> None:
    full = 2  # https://www.sqlite.org/pragma.html#pragma_synchronous

    assert await database.together("", lambda c: c.scalar(text("PRAGMA synchronous"))) == full


async def test_it_is_the_same_on_every_database(database_url: str) -> None:

    async with Database(database_url) as database:
        change = text("UPDATE alembic_version SET version_num = version_num")
        assert await database.together("one", lambda c: c.execute(change).rowcount) == 1
        with pytest.raises(ZeroDivisionError):
            await database.together("one", lambda c: c.execute(change).rowcount / 0)
        assert await database.look(lambda c: c.scalar(text("SELECT 1"))) == 1
