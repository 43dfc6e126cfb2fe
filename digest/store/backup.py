"""A whole database in one file, and back: into the same kind of database or the other.

A backup is a SQLite database that any tool opens, of SQLite and of PostgreSQL alike. One of an
older version is brought up to date in a copy of its own while it is restored; one of a newer
version is refused.
"""

import asyncio
import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import sqlalchemy as sa
from sqlalchemy import Connection, Table
from sqlalchemy.exc import DBAPIError

from digest.errors import DatabaseVersion, StoreFailed, UsageError
from digest.store.connections import FILE_MODE, url_of_file
from digest.store.database import Database, upgrade
from digest.store.tables import TABLES
from digest.wording.phrases import SAY

ROWS_AT_ONCE = 500

PASSING = frozenset({"process", "hold"})
"""Tables of what runs right now, which no backup brings back."""


async def back_up(database: Database, file: Path) -> Mapping[str, int]:
    """Write the whole database into a file, all of one moment, and give the rows of each table.

    The file is there wholly or not at all. Raises `StoreFailed`.
    """
    part = file.with_name(f".{file.name}.part")
    try:
        part.parent.mkdir(parents=True, exist_ok=True)
        part.unlink(missing_ok=True)  # of one that was killed
        counts = await database.read(lambda connection: _copy_into(connection, part))
        os.replace(part, file)
    except (OSError, sqlite3.Error) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise StoreFailed(SAY.files.cannot_write(file, why)) from error
    finally:
        with suppress(OSError):
            part.unlink()
    return counts


async def restore(
    database: Database, file: Path, *, after: Callable[[Connection], None]
) -> Mapping[str, int]:
    """Put what a backup holds in place of all that the database holds, or change nothing.

    `after` is done in the same transaction. Gives the rows of each table. Raises `UsageError` for
    a file that is no backup, `DatabaseVersion` for one of a newer version, and `StoreFailed`.
    """
    if database.is_file(file):  # to open and close it would give up the locks on it
        raise UsageError(SAY.files.own_database(file))
    with TemporaryDirectory(prefix="infra-restore-") as folder:
        copy = Path(folder) / "backup.sqlite3"
        await asyncio.to_thread(_read_into, file, copy)
        await upgrade(url_of_file(copy))
        with _opened(copy) as source:
            return await database.write(lambda c: _replace(c, source, after), "restore", alone=True)


async def held(database: Database) -> Mapping[str, int]:
    """Return the rows of every table that holds some, but for what runs right now."""

    def count(connection: Connection) -> dict[str, int]:
        return {
            table.name: connection.scalar(sa.select(sa.func.count()).select_from(table)) or 0
            for table in _own_tables()
        }

    return {name: number for name, number in (await database.read(count)).items() if number}


def _own_tables() -> list[Table]:
    return [table for table in TABLES.sorted_tables if table.name not in PASSING]


@contextmanager
def _opened(file: Path) -> Iterator[Connection]:
    engine = sa.create_engine(url_of_file(file), connect_args={"check_same_thread": False})
    try:
        with engine.begin() as connection:
            yield connection
    finally:
        engine.dispose()


def _copy_into(connection: Connection, part: Path) -> dict[str, int]:
    """Make a backup for its owner alone; SQLite gives its journal the same mode."""
    from digest.store.migrations.history import upgrade  # slow to import, and seldom needed

    part.unlink(missing_ok=True)
    os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE_MODE))
    try:
        with _opened(part) as copy:
            upgrade(copy)
            return _copy_rows(connection, copy)
    except DBAPIError as error:
        if isinstance(error.orig, sqlite3.Error):  # of the file, or of a database that is one
            raise error.orig from error
        raise


def _read_into(file: Path, copy: Path) -> None:
    """Copy a backup, at its own version, into a file where it may be brought up to date.

    One without tables would be brought up to date as an empty one, and replace everything by it.
    """
    from digest.store.migrations.history import known_revisions

    try:
        with file.open("rb"):  # SQLite would make one that is not there
            pass
        with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(copy)) as target:
            source.backup(target)
            (found,) = target.execute("PRAGMA quick_check(1)").fetchone()
            version = target.execute("SELECT version_num FROM alembic_version").fetchone()
    except OSError as error:
        raise UsageError(SAY.files.cannot_read(file, error.strerror)) from error
    except sqlite3.Error as error:
        raise UsageError(SAY.files.no_backup(file)) from error
    if found != "ok" or version is None:
        raise UsageError(SAY.files.no_backup(file))
    if version[0] not in known_revisions():
        raise DatabaseVersion(SAY.database.newer(file))


def _replace(
    connection: Connection, source: Connection, after: Callable[[Connection], None]
) -> dict[str, int]:
    known = TABLES.sorted_tables
    found = set(sa.inspect(connection).get_table_names())
    assert found - {table.name for table in known} == {"alembic_version"}  # none is left out unseen
    for table in reversed(known):
        connection.execute(sa.delete(table))
    counts = _copy_rows(source, connection)
    if connection.dialect.name == "postgresql":
        for table in known:
            _count_on(connection, table)
    after(connection)
    return counts


def _copy_rows(source: Connection, target: Connection) -> dict[str, int]:
    return {table.name: _copy_table(source, target, table) for table in _own_tables()}


def _copy_table(source: Connection, target: Connection, table: Table) -> int:
    number = 0
    # Otherwise PostgreSQL's driver would hold all rows of the table in memory.
    streamed = {"stream_results": True, "yield_per": ROWS_AT_ONCE}
    with source.execute(sa.select(table), execution_options=streamed) as found:
        for rows in found.mappings().partitions():
            target.execute(sa.insert(table), [dict(row) for row in rows])
            number += len(rows)
    return number


def _count_on(connection: Connection, table: Table) -> None:
    """Let the next id follow the highest one that was put there."""
    if "id" not in table.columns:
        return
    sequence = connection.scalar(
        sa.text("SELECT pg_get_serial_sequence(:t, 'id')"), {"t": table.name}
    )
    if sequence:
        highest = connection.scalar(sa.select(sa.func.max(table.columns["id"])))
        connection.execute(
            sa.text("SELECT setval(:s, :n, :used)"),
            {"s": sequence, "n": highest or 1, "used": highest is not None},
        )
