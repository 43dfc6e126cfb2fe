"""Many who ask a database at once share transactions, and each has its own outcome."""

import asyncio
import contextlib
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from datetime import UTC, datetime

import psycopg
import pytest
from sqlalchemy import Connection, event, insert, select, text
from sqlalchemy.exc import OperationalError

from digest.errors import StoreFailed
from digest.store.batches import AT_ONCE, Joined
from digest.store.database import Database, all_rows
from digest.store.tables import WATCHED_REPOS
from tests.conftest import PATIENCE

ALIASES = select(WATCHED_REPOS.c.alias).order_by(WATCHED_REPOS.c.alias)
ADD = insert(WATCHED_REPOS).values(owner="o", name="n", added_at=datetime(2026, 2, 11, tzinfo=UTC))

Work = Callable[[Connection], str]


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    async with Database(database_url) as database:
        yield database


@pytest.fixture
def goes_on() -> Iterator[threading.Event]:
    event = threading.Event()
    yield event
    event.set()


def adding(alias: str, then: Callable[[], object] = lambda: None) -> Work:
    def work(connection: Connection) -> str:
        connection.execute(ADD, {"alias": alias})
        then()
        return alias

    return work


async def kept(database: Database) -> Sequence[str]:
    return await database.read(lambda c: c.scalars(ALIASES).all())


async def test_who_asks_meanwhile_is_done_together(database: Database) -> None:
    ends: list[object] = []
    event.listen(database._engine, "commit", ends.append)
    wanted = [f"a{number:03}" for number in range(2 * AT_ONCE)]

    told = await asyncio.gather(*(database.write(adding(alias), "") for alias in wanted))

    assert told == wanted == await kept(database)
    assert len(ends) <= 3


async def test_one_that_fails_keeps_nothing_and_takes_nothing_from_others(
    database: Database,
) -> None:
    def fail() -> None:
        raise ZeroDivisionError

    outcomes = await asyncio.gather(
        database.write(adding("a"), ""),
        database.write(adding("b", fail), ""),
        database.write(adding("a"), ""),
        database.write(adding("c"), ""),
        return_exceptions=True,
    )

    assert [type(each) for each in outcomes] == [str, ZeroDivisionError, StoreFailed, str]
    assert await kept(database) == ["a", "c"]


async def test_what_nobody_waits_for_any_more_is_not_begun(database: Database) -> None:
    begun, goes_on = threading.Event(), threading.Event()

    def wait() -> None:
        begun.set()
        goes_on.wait(PATIENCE)

    staying = asyncio.create_task(database.write(adding("a", wait), ""))
    await asyncio.to_thread(begun.wait, PATIENCE)
    leaving = asyncio.create_task(database.write(adding("b"), ""))
    await asyncio.sleep(0)
    leaving.cancel()
    goes_on.set()
    await staying

    assert await kept(database) == ["a"]


async def test_what_is_asked_for_is_kept_before_the_database_is_closed(sqlite_url: str) -> None:
    async with Database(sqlite_url) as database:
        asked = asyncio.create_task(database.write(adding("a"), ""))
        await asyncio.sleep(0)

    assert await asked == "a"
    with contextlib.closing(sqlite3.connect(sqlite_url.removeprefix("sqlite:///"))) as file:
        assert file.execute("SELECT alias FROM watched_repo").fetchall() == [("a",)]


async def test_what_is_kept_outlasts_a_power_cut(sqlite_url: str) -> None:
    full = 2  # https://www.sqlite.org/pragma.html#pragma_synchronous

    async with Database(sqlite_url) as database:
        assert await database.write(lambda c: c.scalar(text("PRAGMA synchronous")), "") == full


async def test_all_that_is_read_together_is_of_one_moment(database: Database) -> None:
    begun, goes_on = threading.Event(), threading.Event()

    def read_twice(connection: Connection) -> list[Sequence[str]]:
        before = connection.scalars(ALIASES).all()
        begun.set()
        goes_on.wait(PATIENCE)
        return [before, connection.scalars(ALIASES).all()]

    reading = asyncio.create_task(database.read(read_twice))
    await asyncio.to_thread(begun.wait, PATIENCE)
    await database.write(adding("a"), "")
    goes_on.set()

    assert await reading == [[], []]
    assert await kept(database) == ["a"]


async def test_what_several_read_by_the_same_object_is_read_once(database: Database) -> None:
    asked: list[object] = []
    event.listen(database._engine, "before_cursor_execute", lambda *given: asked.append(given[2]))
    same = all_rows(ALIASES)

    await asyncio.gather(*(database.read(same) for _ in range(5)))

    assert len([each for each in asked if "watched_repo" in str(each)]) == 1


async def test_the_same_work_on_several_things_is_done_at_once_but_within_one_turn(
    database: Database,
) -> None:
    done: list[list[str]] = []

    def add(connection: Connection, aliases: Sequence[str]) -> list[str]:
        done.append([*aliases])
        connection.execute(ADD, [{"alias": alias} for alias in aliases])
        return [*aliases]

    wanted = [("a", "one"), ("b", "two"), ("c", "one"), ("d", ""), ("e", "")]
    told = await asyncio.gather(
        *(database.write(Joined(add, alias), turn) for alias, turn in wanted)
    )

    assert told == await kept(database) == ["a", "b", "c", "d", "e"]
    assert done == [["a", "b", "d", "e"], ["c"]]


async def test_of_the_same_work_on_several_things_one_that_fails_fails_alone(
    database: Database,
) -> None:
    def add(connection: Connection, aliases: Sequence[str]) -> list[str]:
        connection.execute(ADD, [{"alias": alias} for alias in aliases])
        return [str(1 // (alias != "b")) for alias in aliases]

    outcomes = await asyncio.gather(
        *(database.write(Joined(add, alias), "") for alias in "abc"),
        database.write(adding("d"), ""),
        return_exceptions=True,
    )

    assert [type(each) for each in outcomes] == [str, ZeroDivisionError, str, str]
    assert await kept(database) == ["a", "c", "d"]


async def test_a_slow_reader_keeps_no_other_waiting(
    database: Database, goes_on: threading.Event
) -> None:
    begun = threading.Event()

    def wait(_: Connection) -> bool:
        begun.set()
        return goes_on.wait(PATIENCE)

    slow = asyncio.create_task(database.read(wait))
    await asyncio.to_thread(begun.wait, PATIENCE)

    async with asyncio.timeout(PATIENCE):
        assert await kept(database) == []

    assert not slow.done()
    goes_on.set()
    assert await slow


async def test_what_may_be_kept_is_not_done_again(postgres_url: str) -> None:
    def lose_answer(*_: object) -> None:
        raise OperationalError("COMMIT", {}, psycopg.OperationalError("no answer"))

    async with Database(postgres_url) as database:
        times: list[str] = []
        works = [adding(alias, lambda: times.append("")) for alias in "abc"]
        event.listen(database._engine, "commit", lose_answer)

        outcomes = await asyncio.gather(
            *(database.write(work, "") for work in works), return_exceptions=True
        )

        assert [type(each) for each in outcomes] == [StoreFailed] * 3
        assert len(times) == 3


async def test_where_no_thread_can_start_who_asked_is_told_and_the_next_is_served(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    submit, refused = database._threads.submit, [True]

    def refusing(*given: object, **more: object) -> object:
        if refused and refused.pop():
            raise RuntimeError("can't start new thread")
        return submit(*given, **more)  # type: ignore[arg-type] # whatever was given

    monkeypatch.setattr(database._threads, "submit", refusing)
    async with asyncio.timeout(PATIENCE):
        with pytest.raises(RuntimeError, match="new thread"):
            await database.write(adding("first"), "")
        assert await database.write(adding("second"), "") == "second"
    assert await kept(database) == ["second"]


async def test_what_takes_long_keeps_no_other_waiting_for_its_end(
    postgres_url: str, goes_on: threading.Event
) -> None:
    begun = threading.Event()

    def long(connection: Connection) -> None:
        begun.set()
        goes_on.wait(PATIENCE)

    async with Database(postgres_url) as database, asyncio.timeout(PATIENCE):
        await database.upgrade()
        purge = asyncio.create_task(database.write(long, "retention", alone=True))
        short = asyncio.create_task(database.write(adding("short"), "channel"))
        assert await short == "short"
        assert not purge.done()
        goes_on.set()
        await purge


async def test_who_alone_is_taken_back_for_a_deadlock_is_done_again(postgres_url: str) -> None:
    first, second = threading.Event(), threading.Event()
    name = text("UPDATE watched_repo SET name = :name WHERE alias = :alias")

    def rename(alias: str, other: str, mine: threading.Event, its: threading.Event) -> Work:
        def work(connection: Connection) -> str:
            connection.execute(name, {"alias": alias, "name": alias + other})
            mine.set()
            its.wait(PATIENCE)
            connection.execute(name, {"alias": other, "name": alias + other})
            return alias

        return work

    async with Database(postgres_url) as one, Database(postgres_url) as two:
        await one.upgrade()
        await one.write(adding("a"), "")
        await one.write(adding("b"), "")
        async with asyncio.timeout(PATIENCE):
            done = await asyncio.gather(
                one.write(rename("a", "b", first, second), "one"),
                two.write(rename("b", "a", second, first), "two"),
            )
        assert done == ["a", "b"]
