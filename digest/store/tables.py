"""The tables of the digest store, in the words of `digest.models`, and their kinds of columns.

`repo` columns hold `owner/name` in lower case, as GitHub takes either spelling for the same
repository. `source` says who was asked (`github`, `git:PATH`), since two sources tell the same
change differently. Text written by strangers stands in packed JSON, never in a text column, as
PostgreSQL refuses some characters there (U+0000); `words` is made of letters and digits alone.
"""

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
from sqlmodel import Field, SQLModel

TABLES = SQLModel.metadata
"""Every table of the stores that are imported."""

SMALLEST_TO_COMPRESS = 512
"""Bytes under which compressing saves nothing worth the time."""

_PLAIN, _ZLIB = b"=", b"z"


class UtcMoment(TypeDecorator[datetime]):
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


class CompressedBytes(TypeDecorator[bytes]):
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


class OfRepo(SQLModel):
    """What is kept of one repository as one source tells it."""

    source: str = Field(primary_key=True)
    repo: str = Field(primary_key=True)


class ItemRow(OfRepo, table=True):
    """One item of a repository, stored once and shared by all windows.

    `whole` tells that it was collected inside a window; what was merely seen after one (`later`)
    may lack files and never replaces a whole item. `reverting` tells that its title says so.
    """

    __tablename__ = "item"

    key: str = Field(primary_key=True)
    kind: str
    whole: bool
    reverting: bool
    collected_at: datetime = Field(sa_type=UtcMoment)
    body: bytes = Field(sa_type=CompressedBytes)


class ItemTimeRow(OfRepo, table=True):
    """The moments at which an item belongs to a window: a landing, or any event of an issue."""

    __tablename__ = "item_time"

    at: datetime = Field(primary_key=True, sa_type=UtcMoment)
    key: str = Field(primary_key=True, index=True)


class CoverageRow(SQLModel, table=True):
    """Intervals `[starts_at, ends_at)` that were collected, whole or with gaps.

    One that was collected again keeps an empty interval where another head was seen then.
    """

    __tablename__ = "coverage"

    id: int | None = Field(default=None, primary_key=True)
    source: str = Field(index=True)
    repo: str = Field(index=True)
    starts_at: datetime = Field(sa_type=UtcMoment)
    ends_at: datetime = Field(sa_type=UtcMoment)
    collected_at: datetime = Field(sa_type=UtcMoment)
    complete: bool
    default_branch: str
    head: str
    body: bytes = Field(sa_type=CompressedBytes)


class DigestRow(OfRepo, table=True):
    """Digests in all languages, with their items. `final` ones never have to be made again."""

    __tablename__ = "digest"

    starts_at: datetime = Field(primary_key=True, sa_type=UtcMoment)
    ends_at: datetime = Field(primary_key=True, sa_type=UtcMoment)
    tz: str = Field(primary_key=True)
    label: str
    partial: bool
    final: bool
    collected_at: datetime = Field(sa_type=UtcMoment)
    body: bytes = Field(sa_type=CompressedBytes)


class ToldItemRow(OfRepo, table=True):
    """Items as a digest last told them, to be searched and explained."""

    __tablename__ = "told_item"

    key: str = Field(primary_key=True)
    at: datetime = Field(sa_type=UtcMoment, index=True)
    score: int
    collected_at: datetime = Field(sa_type=UtcMoment)
    title_words: str
    words: str
    body: bytes = Field(sa_type=CompressedBytes)


class StoryRow(OfRepo, table=True):
    """Stories as a window told them, or parts that wait for more; a later window goes on with them.

    One row for each window, so that a day that is told again goes on with what was before it.
    """

    __tablename__ = "story"

    starts_at: datetime = Field(primary_key=True, sa_type=UtcMoment)
    ends_at: datetime = Field(primary_key=True, sa_type=UtcMoment)
    place: int = Field(primary_key=True)
    body: bytes = Field(sa_type=CompressedBytes)


class HTTPAnswerRow(SQLModel, table=True):
    """Remembered HTTP answers; `key` is a hash, since an address can be longer than an index."""

    __tablename__ = "http_answer"

    key: str = Field(primary_key=True)
    etag: str
    link: str
    permanent: bool
    checked_at: datetime = Field(sa_type=UtcMoment)
    body: bytes = Field(sa_type=CompressedBytes)


class WatchedRepoRow(SQLModel, table=True):
    """Repositories that somebody named, with the alias that each answers to."""

    __tablename__ = "watched_repo"

    alias: str = Field(primary_key=True)
    owner: str
    name: str
    added_at: datetime = Field(sa_type=UtcMoment)


class LeaseRow(SQLModel, table=True):
    """What one process at a time may do, held by `owner` until it says so no more."""

    __tablename__ = "hold"

    name: str = Field(primary_key=True)
    owner: str
    until: datetime = Field(sa_type=UtcMoment)


class ModelAnswerRow(SQLModel, table=True):
    """Answers of a model, under all that the model saw.

    `about` is an item's key, or several; `body` holds the request, the text and its cost.
    """

    __tablename__ = "model_answer"

    key: str = Field(primary_key=True)
    repo: str
    about: str = Field(index=True)
    task: str
    model: str
    asked_at: datetime = Field(sa_type=UtcMoment, index=True)
    body: bytes = Field(sa_type=CompressedBytes)


class ModelSpendingRow(SQLModel, table=True):
    """What a model cost on one day in UTC (`2026-02-12`)."""

    __tablename__ = "model_spending"

    day: str = Field(primary_key=True)
    model: str = Field(primary_key=True)
    calls: int
    input_tokens: int
    output_tokens: int


class ModelFailureRow(SQLModel, table=True):
    """What each model last failed at."""

    __tablename__ = "model_failure"

    model: str = Field(primary_key=True)
    at: datetime = Field(sa_type=UtcMoment)
    body: bytes = Field(sa_type=CompressedBytes)


class ModelEndpointRow(SQLModel, table=True):
    """What earlier versions kept of how a model takes a request for JSON; nothing reads it."""

    __tablename__ = "model_endpoint"

    endpoint: str = Field(primary_key=True)
    model: str = Field(primary_key=True)
    form: str


ITEMS = table_of(ItemRow)
ITEM_TIMES = table_of(ItemTimeRow)
COVERAGE = table_of(CoverageRow)
DIGESTS = table_of(DigestRow)
DIGEST_ITEMS = table_of(ToldItemRow)
STORIES = table_of(StoryRow)
HTTP_ANSWERS = table_of(HTTPAnswerRow)
WATCHED_REPOS = table_of(WatchedRepoRow)
LEASES = table_of(LeaseRow)
MODEL_ANSWERS = table_of(ModelAnswerRow)
MODEL_SPENDING = table_of(ModelSpendingRow)
MODEL_FAILURES = table_of(ModelFailureRow)
