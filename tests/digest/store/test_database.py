"""The database is opened at the right version, for its owner alone, or clearly refused."""

import asyncio
import contextlib
import errno
import os
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Coroutine
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import Connection, event, insert, select, text
from sqlalchemy.pool import QueuePool

import bot.store.tables  # noqa: F401 - one history, the tables of both stores
from digest.errors import ConfigurationError, DatabaseVersion, InfraError, StoreFailed
from digest.ports import Remembered
from digest.store.connections import failure, parse_url
from digest.store.database import HEAD, Database, all_rows, execute, upgrade
from digest.store.store import open_store
from digest.store.tables import HTTP_ANSWERS, WATCHED_REPOS
from tests.conftest import PATIENCE, eventually

NOON = datetime(2026, 2, 11, 12, tzinfo=UTC)
A_REPO = insert(WATCHED_REPOS).values(alias="a", owner="o", name="n", added_at=NOON)


@pytest.fixture
def sqlite_url(empty_sqlite_url: str) -> str:
    return empty_sqlite_url


@pytest.fixture
def postgres_url(empty_postgres_url: str) -> str:
    return empty_postgres_url


def answer(body: bytes = b"{}") -> Remembered:
    return Remembered(body, 'W/"1"', "", permanent=False, checked_at=NOON)


@pytest.mark.parametrize(
    ("given", "driver"),
    [
        ("postgres://u:p@host/name", "postgresql+psycopg"),
        ("postgresql://u:p@host/name?sslmode=require", "postgresql+psycopg"),
        ("postgresql+psycopg2://host/name", "postgresql+psycopg"),
        ("sqlite:///infra.sqlite3", "sqlite+pysqlite"),
        ("sqlite+aiosqlite:///infra.sqlite3", "sqlite+pysqlite"),
    ],
)
def test_a_url_is_read_in_every_form_that_hosts_give(given: str, driver: str) -> None:
    assert parse_url(given).drivername == driver


@pytest.mark.parametrize("given", ["mysql://host/name", "infra.sqlite3", "", "postgres://host:x/n"])
def test_another_database_is_refused_by_a_sentence(given: str) -> None:
    with pytest.raises(ConfigurationError, match="DATABASE_URL"):
        parse_url(given)


async def test_postgresql_is_changed_only_when_asked_for(postgres_url: str) -> None:
    with pytest.raises(DatabaseVersion, match="infra db upgrade"):
        async with Database(postgres_url):
            pass

    await upgrade(postgres_url)

    async with Database(postgres_url) as database:
        assert await database.version() == HEAD


async def test_a_database_of_a_newer_program_is_refused_and_left_alone(database_url: str) -> None:
    await upgrade(database_url)
    database = Database(database_url)
    await database.write(execute(text("UPDATE alembic_version SET version_num = '9999'")), "")
    await database.close()

    with pytest.raises(DatabaseVersion, match="newer version of infra"):
        async with Database(database_url):
            pass
    with pytest.raises(DatabaseVersion, match="newer version of infra"):
        await upgrade(database_url)
    database = Database(database_url)
    assert await database.version() == "9999"
    await database.close()


async def test_a_sqlite_file_of_another_program_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "music.sqlite3"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE song (name)")

    with pytest.raises(DatabaseVersion, match=r"another program: .* DATABASE_URL"):
        async with Database(f"sqlite:///{path}"):
            pass

    with contextlib.closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("song",)]


async def test_a_file_that_is_no_database_is_named_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("not a database, " * 100)

    with pytest.raises(ConfigurationError, match=r"notes\.txt is not a SQLite database"):
        async with Database(f"sqlite:///{path}"):
            pass

    assert path.read_text() == "not a database, " * 100


async def test_a_disk_without_room_for_a_new_file_is_no_folder_without_rights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_room(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    database = Database(f"sqlite:///{tmp_path}/new/x.sqlite3")
    for owner, step in ((Path, "mkdir"), (os, "open")):
        with monkeypatch.context() as patched:
            patched.setattr(owner, step, no_room)
            with pytest.raises(StoreFailed, match="is full: free some space"):
                await database.upgrade()


async def test_a_full_disk_is_told_and_loses_nothing(sqlite_url: str) -> None:
    async with open_store(sqlite_url) as store:
        await store.memory.remember("small", answer(b"kept"))

        def fill(connection: Connection) -> None:
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
            connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")

        await store.database.read(fill)

        with pytest.raises(StoreFailed, match=r"disk that holds .* is full: free some space"):
            await store.memory.remember("large", answer(bytes(range(256)) * 4000 + b"x" * 10**6))

        kept = await store.memory.recall("small")

    assert kept == answer(b"kept")


async def test_a_locked_file_is_told(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("digest.store.connections.SQLITE_WAIT_MS", 50)
    async with open_store(sqlite_url) as store:
        path = str(store.database.url.database)
        with contextlib.closing(sqlite3.connect(path)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreFailed, match="locked by another program"):
                await store.memory.remember("key", answer())
            other.rollback()
        await store.memory.remember("key", answer())


async def test_a_process_that_falls_silent_in_its_turn_loses_it_to_the_next(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("digest.store.database.TURN_WAIT_S", 0.4)
    await upgrade(postgres_url)
    async with Database(postgres_url) as silent, Database(postgres_url) as other:
        with pytest.raises(StoreFailed):
            await _fall_silent(silent, until=_has_turn(other))

        assert await other.read(all_rows(select(WATCHED_REPOS))) == []


async def _fall_silent(database: Database, *, until: Coroutine[None, None, None]) -> None:
    begun, is_over = threading.Event(), threading.Event()

    def work(connection: Connection) -> None:
        connection.execute(A_REPO)
        begun.set()
        is_over.wait(PATIENCE)

    silent = asyncio.create_task(database.write(work, "turn"))
    await asyncio.to_thread(begun.wait, PATIENCE)
    async with asyncio.timeout(PATIENCE):
        await until
    is_over.set()
    await silent


async def _has_turn(database: Database) -> None:
    """Wait until a turn is had."""
    while True:
        with contextlib.suppress(StoreFailed):
            await database.write(lambda _: None, "turn")
            return


async def test_a_postgresql_that_does_not_answer_is_told_without_its_password() -> None:
    with pytest.raises(InfraError, match="does not answer") as failure:
        async with Database("postgres://ada:secret@127.0.0.1:1/infra"):
            pass

    assert isinstance(failure.value, StoreFailed)
    assert "secret" not in str(failure.value)


WRITER = """
import asyncio, sys
from datetime import UTC, datetime
from digest.ports import Remembered
from digest.store.store import open_store
from digest.store.tables import HTTP_ANSWERS, WATCHED_REPOS

async def main(url, name):
    now = datetime(2026, 2, 11, tzinfo=UTC)
    async with open_store(url) as store:
        for number in range(30):
            answer = Remembered(name.encode(), "", "", False, now)
            await store.memory.remember(f"{name} {number}", answer)
            await store.memory.remember("shared", answer)

asyncio.run(main(*sys.argv[1:]))
"""


def test_several_processes_make_and_write_one_database_at_once(database_url: str) -> None:
    if not database_url.startswith("sqlite"):
        asyncio.run(upgrade(database_url))
    processes = [
        subprocess.Popen([sys.executable, "-c", WRITER, database_url, name], stderr=subprocess.PIPE)
        for name in ("one", "two", "three")
    ]
    complaints = [process.communicate()[1].decode() for process in processes]

    assert [process.returncode for process in processes] == [0, 0, 0], complaints

    async def count() -> int:
        async with Database(database_url) as database:
            return len(await database.read(all_rows(select(HTTP_ANSWERS.c.key))))

    assert asyncio.run(count()) == 91


@pytest.mark.parametrize("while_connecting", [True, False])
async def test_who_is_called_off_while_a_connection_is_in_use_leaves_none_behind(
    empty_postgres_url: str, while_connecting: bool
) -> None:
    await upgrade(empty_postgres_url)
    begun, goes_on = threading.Event(), threading.Event()

    def wait(*_: object) -> None:
        begun.set()
        goes_on.wait(PATIENCE)

    def work(connection: Connection) -> None:
        if not while_connecting:
            wait()

    async with Database(empty_postgres_url) as database:
        pool = database._engine.pool
        assert isinstance(pool, QueuePool)
        if while_connecting:
            event.listen(database._engine, "checkout", wait)
        for asked in (database.read(work), database.write(work, "test")):
            begun.clear()
            goes_on.clear()
            task = asyncio.create_task(asked)
            await asyncio.to_thread(begun.wait, PATIENCE)
            for _ in range(2):
                task.cancel()
                await asyncio.sleep(0.05)
            assert task.cancelled()
            goes_on.set()
            await eventually(lambda: pool.checkedout() == 0)


def modes(folder: Path) -> dict[str, int]:
    return {each.name: stat.S_IMODE(each.stat().st_mode) for each in folder.iterdir()}


def delete(folder: Path, pattern: str) -> None:
    for each in folder.glob(pattern):
        each.unlink()


async def test_a_new_file_and_its_logs_are_for_their_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "infra.sqlite3"
    before = os.umask(0)
    try:
        async with Database(f"sqlite:///{file}") as database:
            await database.write(execute(text("CREATE TABLE a (b)")), "")
            found = modes(tmp_path)
    finally:
        os.umask(before)

    assert found == dict.fromkeys(
        ("infra.sqlite3", "infra.sqlite3-wal", "infra.sqlite3-shm"), 0o600
    )


async def test_a_file_that_others_may_read_is_shut(tmp_path: Path) -> None:
    file = tmp_path / "infra.sqlite3"
    async with Database(f"sqlite:///{file}") as database:
        await database.write(execute(text("CREATE TABLE a (b)")), "")
        for name in modes(tmp_path):
            (tmp_path / name).chmod(0o644)
        async with Database(f"sqlite:///{file}"):
            assert set(modes(tmp_path).values()) == {0o600}
    file.chmod(0o444)
    async with Database(f"sqlite:///{file}"):
        assert modes(tmp_path)[file.name] == 0o400  # nobody may write it: that stays so


@pytest.mark.parametrize("all_of_it", [True, False])
async def test_nothing_is_kept_in_a_file_that_was_deleted(tmp_path: Path, all_of_it: bool) -> None:
    file = tmp_path / "infra.sqlite3"
    async with Database(f"sqlite:///{file}") as database:
        await database.write(execute(text("CREATE TABLE a (b)")), "")
        await database.version()
        copy = tmp_path / "copy.sqlite3"
        with sqlite3.connect(file) as opened:
            opened.execute("VACUUM INTO ?", (str(copy),))
        opened.close()
        delete(tmp_path, "infra.sqlite3*" if all_of_it else "infra.sqlite3")

        with pytest.raises(StoreFailed, match="was deleted"):
            await database.write(execute(text("INSERT INTO a VALUES (1)")), "")
        with pytest.raises(StoreFailed, match="was deleted"):
            await database.write(execute(text("SELECT 1 FROM a")), "")
        with pytest.raises(StoreFailed, match="was deleted"):
            await database.read(lambda connection: connection.execute(text("SELECT 1 FROM a")))
        with pytest.raises(StoreFailed, match="was deleted"):
            await database.version()
        assert not file.exists()

        delete(tmp_path, "infra.sqlite3-*")
        copy.rename(file)
        assert await database.write(execute(text("INSERT INTO a VALUES (1)")), "") == 1
    with sqlite3.connect(file) as opened:
        assert opened.execute("SELECT count(*) FROM a").fetchone() == (1,)
    opened.close()


async def test_what_fails_while_it_is_open_names_no_path(tmp_path: Path) -> None:
    async with Database(f"sqlite:///{tmp_path}/infra.sqlite3") as database:
        with pytest.raises(InfraError) as caught:
            await database.write(execute(text("INSERT INTO nothing VALUES (1)")), "")

    assert str(tmp_path) not in str(caught.value)
    assert str(caught.value).startswith("the database ")


PLACE = "the PostgreSQL database infra on db.example.org"


@pytest.mark.parametrize(
    ("cause", "kind", "advice"),
    [
        (psycopg.errors.DiskFull(), StoreFailed, "free some space"),
        (psycopg.errors.TooManyConnections(), StoreFailed, "ask again later"),
        (psycopg.errors.ReadOnlySqlTransaction(), StoreFailed, "read-only"),
        (psycopg.errors.AdminShutdown(), StoreFailed, "ask again later"),
        (psycopg.errors.InvalidPassword(), ConfigurationError, "correct DATABASE_URL"),
        (psycopg.errors.InvalidCatalogName(), ConfigurationError, "create it"),
        (psycopg.errors.InsufficientPrivilege(), ConfigurationError, "grant it the rights"),
        (psycopg.errors.UndefinedTable(), DatabaseVersion, "infra db upgrade"),
        (psycopg.errors.DuplicateTable(), ConfigurationError, "another program"),
        (
            psycopg.OperationalError('FATAL: password authentication failed for user "ada"'),
            ConfigurationError,
            "user or password",
        ),
        (psycopg.OperationalError("connection refused"), StoreFailed, "check that it runs"),
        (sqlite3.OperationalError("odd"), StoreFailed, "cannot be used"),
        (None, StoreFailed, "check that it runs"),
    ],
)
def test_every_cause_has_its_kind_and_advice(
    cause: BaseException | None, kind: type[InfraError], advice: str
) -> None:
    told = failure(cause, PLACE)

    assert type(told) is kind
    assert str(told).startswith(PLACE) or PLACE in str(told)
    assert advice in str(told)
    assert "\n" not in str(told)
