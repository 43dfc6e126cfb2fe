"""Columns that both databases keep alike, and how a row takes the place of another."""

import zlib
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from operator import itemgetter
from typing import Any

from sqlalchemy import (
    Connection,
    DateTime,
    Dialect,
    Executable,
    LargeBinary,
    Table,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.types import TypeDecorator
from sqlmodel import SQLModel

TABLES = SQLModel.metadata
"""Every table of the stores that are imported."""

SMALLEST_TO_COMPRESS = 512
"""Bytes under which compressing saves nothing worth the time."""

_PLAIN, _ZLIB = b"=", b"z"


class Moment(TypeDecorator[datetime]):
    """An aware moment in UTC; SQLite forgets the zone and gets it back here."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return the database UTC; a `ValueError` names a moment without a zone."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value!r} has no zone")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return back an aware moment in UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Packed(TypeDecorator[bytes]):
    """Bytes, compressed where they are long; patches shrink to about a fifth."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        """Return the database a mark and the bytes, compressed or as they are."""
        if value is None:
            return None
        if len(value) < SMALLEST_TO_COMPRESS:
            return _PLAIN + value
        return _ZLIB + zlib.compress(value)

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        """Return back the bytes as they were bound."""
        if value is None:
            return None
        value = bytes(value)
        return value[1:] if value[:1] == _PLAIN else zlib.decompress(value[1:])


def table_of(row: type[SQLModel]) -> Table:
    """Return the table that a class describes; statements are made of it, not of its rows."""
    return TABLES.tables[str(row.__tablename__)]


def put(connection: Connection, table: Table, *rows: Mapping[str, object]) -> None:
    """Write rows, each in place of the one that has its key; columns not given stay as they are.

    They are written in order of their keys: two who write the same ones in another order would each
    hold what the other waits for.
    """
    if not rows:
        return
    statement = _put(connection.dialect.name, table, frozenset(rows[0]))
    ordered = sorted(rows, key=itemgetter(*table.primary_key.columns.keys()))
    given: Sequence[Mapping[str, object]] | Mapping[str, object] = ordered if rows[1:] else rows[0]
    connection.execute(statement, given)


@cache
def _put(dialect: str, table: Table, names: Collection[str]) -> Executable:
    insert: Any = postgresql.insert if dialect == "postgresql" else sqlite.insert
    statement = insert(table)
    keys = table.primary_key.columns.keys()
    changed = {name: statement.excluded[name] for name in names if name not in keys}
    made: Executable = statement.on_conflict_do_update(index_elements=keys, set_=changed)
    return made
