"""A whole database in one file, and back: into the same kind of database or the other.

A backup is a SQLite database that any tool opens, of SQLite and of PostgreSQL alike. One of an
older version is brought up to date in a copy of its own while it is restored; one of a newer
version is refused.
"""

import asyncio
import os
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import sqlalchemy as sa
from sqlalchemy import Connection, Engine, Table
from sqlalchemy.exc import DBAPIError

from digest.errors import DatabaseVersion, StoreFailed, UsageError
from digest.store import tables
from digest.store.columns import TABLES
from digest.store.connections import FILE_MODE, url_of_file
from digest.store.database import Database, upgrade
from digest.wording.phrases import SAY

OWN = tables
"""Imported so that their tables are known here; those of channels come from who restores them."""

REVISIONS = "alembic_version"

ROWS_AT_ONCE = 500

ZIP_MAGIC = b"PK\x03\x04"
"""The first bytes of a ZIP file that holds files; earlier versions wrote one of PostgreSQL."""

PASSING = frozenset({"process", "hold"})
"""Tables of what runs right now, which no backup brings back."""


async def back_up(database: Database, file: Path) -> Mapping[str, int]:
    """Write the whole database into a file, all of one moment, and give the rows of each table.

    The file is there wholly or not at all. Raises `StoreFailed`.
    """
    part = file.with_name(f".{file.name}.part")
    try:
        part.parent.mkdir(parents=True, exist_ok=True)
        if database.is_sqlite:
            counts = await asyncio.to_thread(_copy_sqlite, str(database.url.database), part)
        else:
            counts = await database.read(lambda c: _copy_postgresql(c, part))
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
    a file that is no backup or a ZIP of an earlier version, `DatabaseVersion` for one of a newer
    version, and `StoreFailed`.
    """
    if database.is_file(file):  # to open and close it would give up the locks on it
        raise UsageError(SAY.files.own_database(file))
    with TemporaryDirectory(prefix="infra-restore-") as folder:
        copy = Path(folder) / "backup.sqlite3"
        await asyncio.to_thread(_read_into, file, copy)
        await upgrade(url_of_file(copy))
        source = sa.create_engine(url_of_file(copy))
        try:
            return await database.write(lambda c: _replace(c, source, after), "restore", alone=True)
        finally:
            source.dispose()


async def held(database: Database) -> Mapping[str, int]:
    """Return the rows of every table that holds some, but for what runs right now."""
    counts = await database.read(lambda c: _counts(c, _own_tables()))
    return {name: number for name, number in counts.items() if number}


def _own_tables() -> list[Table]:
    return [table for table in TABLES.sorted_tables if table.name not in PASSING]


def _counts(connection: Connection, tables: Iterable[Table]) -> dict[str, int]:
    return {
        table.name: connection.scalar(sa.select(sa.func.count()).select_from(table)) or 0
        for table in tables
    }


def _make_anew(part: Path) -> None:
    """Make an empty file for its owner alone; SQLite gives its journal the same mode."""
    part.unlink(missing_ok=True)
    os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE_MODE))


def _copy_sqlite(name: str, part: Path) -> dict[str, int]:
    _make_anew(part)
    with closing(sqlite3.connect(name)) as source, closing(sqlite3.connect(part)) as target:
        source.backup(target)
        # Opened beside this file, a log of changes would have to travel with it.
        target.execute("PRAGMA journal_mode = DELETE")
    engine = sa.create_engine(url_of_file(part))
    try:
        with engine.connect() as connection:
            return _counts(connection, _own_tables())
    finally:
        engine.dispose()


def _copy_postgresql(connection: Connection, part: Path) -> dict[str, int]:
    from digest.store.migrations.history import upgrade  # slow to import, and seldom needed

    _make_anew(part)
    engine = sa.create_engine(url_of_file(part))
    try:
        with engine.begin() as copy:
            upgrade(copy)
            return _copy_rows(connection, copy)
    except DBAPIError as error:
        if isinstance(error.orig, sqlite3.Error):  # of the file, and not of the server
            raise error.orig from error
        raise
    finally:
        engine.dispose()


def _read_into(file: Path, copy: Path) -> None:
    """Copy a backup, at its own version, into a file where it may be brought up to date."""
    try:
        with file.open("rb") as opened:  # SQLite would make one that is not there
            if opened.read(len(ZIP_MAGIC)) == ZIP_MAGIC:
                raise UsageError(SAY.files.earlier_backup(file))
        with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(copy)) as target:
            source.backup(target)
            _refuse_newer(file, _checked(target))
    except OSError as error:
        raise UsageError(SAY.files.cannot_read(file, error.strerror)) from error
    except (sqlite3.Error, ValueError) as error:
        raise UsageError(SAY.files.no_backup(file)) from error


def _refuse_newer(file: Path, revision: object) -> None:
    from digest.store.migrations.history import known_revisions

    if revision not in known_revisions():
        raise DatabaseVersion(SAY.database.newer(file))


def _checked(copy: sqlite3.Connection) -> object:
    """Return the version of a database.

    Raises `ValueError` or `sqlite3.Error` for one that is damaged, or not of infra.

    One without tables would be brought up to date as an empty one, and replace everything by it.
    """
    (found,) = copy.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        raise ValueError(found)
    version = copy.execute(f"SELECT version_num FROM {REVISIONS}").fetchone()
    if version is None:
        raise ValueError("it has no version")
    return version[0]


def _replace(
    connection: Connection, source: Engine, after: Callable[[Connection], None]
) -> dict[str, int]:
    known = TABLES.sorted_tables
    found = set(sa.inspect(connection).get_table_names())
    assert found - {table.name for table in known} == {REVISIONS}  # none is left out unseen
    for table in reversed(known):
        connection.execute(sa.delete(table))
    with source.connect() as reading:
        counts = _copy_rows(reading, connection)
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
