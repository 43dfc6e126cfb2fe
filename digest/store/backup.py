"""A whole database in one file, and back: into the same kind of database or the other.

::

    SQLite        a copy by SQLite's own backup, which is a database that any tool opens
    PostgreSQL    a ZIP file: `manifest.json`, and TABLE.jsonl with one row of raw values a line

Either is restored into either. A backup of an older version is brought up to date on the way, in a
SQLite file of its own; one of a newer version is refused.
"""

import asyncio
import base64
import json
import os
import sqlite3
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from datetime import UTC, date, datetime
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, Engine, MetaData, Table

from digest.errors import DatabaseVersion, StoreFailed, UsageError
from digest.store import tables
from digest.store.columns import TABLES
from digest.store.database import HEAD, Database, upgrade
from digest.wording.phrases import SAY

OWN = tables
"""Imported so that their tables are known here; those of channels come from who restores them."""

FORM = "infra backup 1"
MANIFEST = "manifest.json"
REVISIONS = "alembic_version"
SQLITE_MAGIC = b"SQLite format 3\x00"
"""The first bytes of every SQLite database, https://www.sqlite.org/fileformat.html#magic_header_string."""

ROWS_AT_ONCE = 500

NO_MORE = frozenset({"model_claim"})
"""Tables that only older backups hold."""

PASSING = frozenset({"process", "hold"})
"""Tables of what runs right now, which no backup brings back."""


async def back_up(database: Database, file: Path, made_at: datetime) -> Mapping[str, int]:
    """Write the whole database into a file, all of one moment, and give the rows of each table.

    The file is there wholly or not at all. Raises `StoreFailed`.
    """
    part = file.with_name(f".{file.name}.part")
    try:
        part.parent.mkdir(parents=True, exist_ok=True)
        if database.is_sqlite:
            counts = await asyncio.to_thread(_copy_sqlite, str(database.url.database), part)
        else:
            counts = await database.read(lambda c: _write_zip(c, part, made_at))
        os.chmod(part, 0o600)  # it holds what people wrote
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
        await upgrade(f"sqlite:///{copy}")
        source = sa.create_engine(f"sqlite:///{copy}")
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


def _copy_sqlite(name: str, part: Path) -> dict[str, int]:
    part.unlink(missing_ok=True)
    with closing(sqlite3.connect(name)) as source, closing(sqlite3.connect(part)) as target:
        source.backup(target)
        # Opened beside this file, a log of changes would have to travel with it.
        target.execute("PRAGMA journal_mode = DELETE")
    engine = sa.create_engine(f"sqlite:///{part}")
    try:
        with engine.connect() as connection:
            return _counts(connection, _own_tables())
    finally:
        engine.dispose()


def _write_zip(connection: Connection, part: Path, made_at: datetime) -> dict[str, int]:
    found = _reflected(connection)
    counts = {}
    with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
        for table in found.sorted_tables:
            if table.name in (REVISIONS, *PASSING):
                continue
            with archive.open(f"{table.name}.jsonl", "w", force_zip64=True) as page:
                counts[table.name] = 0
                for row in connection.execute(sa.select(table)).mappings():
                    line = {name: _plain(value) for name, value in row.items()}
                    page.write(json.dumps(line).encode() + b"\n")
                    counts[table.name] += 1
        manifest = {
            "form": FORM,
            "revision": HEAD,
            "made_at": made_at.astimezone(UTC).isoformat(),
            "rows": counts,
        }
        archive.writestr(MANIFEST, json.dumps(manifest, indent=2))
    return counts


def _plain(value: Any) -> Any:
    if isinstance(value, bytes | memoryview):
        return base64.b64encode(value).decode()
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    return value.isoformat() if isinstance(value, date) else value


def _value(value: Any, kind: sa.types.TypeEngine[Any]) -> Any:
    if value is None:
        return None
    if isinstance(kind, sa.LargeBinary):
        return base64.b64decode(value, validate=True)
    if isinstance(kind, sa.DateTime):
        return datetime.fromisoformat(value).astimezone(UTC).replace(tzinfo=None)
    return date.fromisoformat(value) if isinstance(kind, sa.Date) else value


def _read_into(file: Path, copy: Path) -> None:
    """Make a SQLite database at the backup's own version out of a backup of either kind."""
    try:
        with file.open("rb") as page:
            is_sqlite = page.read(len(SQLITE_MAGIC)) == SQLITE_MAGIC
        if is_sqlite:
            with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(copy)) as target:
                source.backup(target)
                _refuse_newer(file, _checked(target))
        else:
            _read_zip(file, copy)
    except OSError as error:
        raise UsageError(SAY.files.cannot_read(file, error.strerror)) from error
    except (zipfile.BadZipFile, sqlite3.Error, ValueError, KeyError, TypeError) as error:
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


def _read_zip(file: Path, copy: Path) -> None:
    from digest.store.migrations.history import upgrade

    engine = sa.create_engine(f"sqlite:///{copy}")
    try:
        with zipfile.ZipFile(file) as archive, engine.begin() as connection:
            manifest = json.loads(archive.read(MANIFEST))
            # Another form is a newer one too.
            _refuse_newer(file, manifest["revision"] if manifest["form"] == FORM else "")
            upgrade(connection, manifest["revision"])
            tables = _reflected(connection).tables
            for name, number in manifest["rows"].items():
                if name in NO_MORE:
                    continue
                table = tables[name]
                found = _insert(connection, table, _lines(archive, table))
                if found != number:
                    raise ValueError(f"{name} has {found} rows of {number}")
    finally:
        engine.dispose()


def _lines(archive: zipfile.ZipFile, table: Table) -> Iterator[dict[str, Any]]:
    with archive.open(f"{table.name}.jsonl") as page:
        for line in page:
            given = json.loads(line)
            yield {name: _value(given[name], table.columns[name].type) for name in given}


def _replace(
    connection: Connection, source: Engine, after: Callable[[Connection], None]
) -> dict[str, int]:
    known = TABLES.sorted_tables
    found = set(sa.inspect(connection).get_table_names())
    assert found - {table.name for table in known} == {REVISIONS}  # none is left out unseen
    for table in reversed(known):
        connection.execute(sa.delete(table))
    counts = {}
    with source.connect() as reading:
        for table in _own_tables():
            rows = reading.execute(sa.select(table)).mappings()
            counts[table.name] = _insert(connection, table, rows)
    if connection.dialect.name == "postgresql":
        for table in known:
            _count_on(connection, table)
    after(connection)
    return counts


def _insert(connection: Connection, table: Table, rows: Iterable[Any]) -> int:
    number, left = 0, iter(rows)
    while some := [dict(row) for row in islice(left, ROWS_AT_ONCE)]:
        connection.execute(sa.insert(table), some)
        number += len(some)
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


def _reflected(connection: Connection) -> MetaData:
    found = MetaData()
    found.reflect(connection)
    return found
