"""The tables of the bot, in the words of `bot.model`.

Every row of a channel holds platform, workspace and channel by the platform's own ids, and every
question is asked with all three, so that no channel sees another's. Text that people write stands
in packed JSON (see `digest.store.tables`).
"""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Any, TypeVar

import structlog
from sqlalchemy import (
    ColumnElement,
    Connection,
    Index,
    Table,
    UniqueConstraint,
    bindparam,
    select,
    text,
)
from sqlmodel import Field, SQLModel

from bot.model.channels import Channel, Platform
from digest import codec
from digest.errors import BadAnswer
from digest.store.tables import CompressedBytes, UtcMoment, table_of

PLACE = ("platform", "workspace", "channel")

Kind = TypeVar("Kind")

log = structlog.get_logger()


class OfChannel(SQLModel):
    """A row of a channel."""

    platform: str
    workspace: str
    channel: str


class KeyOfChannel(SQLModel):
    """A row of which each channel has one for what the rest of its key names."""

    platform: str = Field(primary_key=True)
    workspace: str = Field(primary_key=True)
    channel: str = Field(primary_key=True)


class SubscriptionRow(OfChannel, table=True):
    """What one channel is told, and when; at most one for a channel.

    `next_due_at` is no later than the moment at which a slot of it comes due; None where nobody has
    worked it out. `told_until` is the end of the last window that was told.
    """

    __tablename__ = "subscription"
    # An id must not come again: it names deliveries also after the subscription is gone.
    __table_args__ = (
        UniqueConstraint("platform", "workspace", "channel"),
        {"sqlite_autoincrement": True},
    )

    id: int | None = Field(default=None, primary_key=True)
    paused: bool
    next_due_at: datetime | None = Field(default=None, sa_type=UtcMoment, index=True)
    told_until: datetime | None = Field(default=None, sa_type=UtcMoment, index=True)
    body: bytes = Field(sa_type=CompressedBytes)


class DeliveryRow(OfChannel, table=True):
    """Slots, claimed by one process at a time: `(subscription_id, local_date)` comes once."""

    __tablename__ = "delivery"
    __table_args__ = (
        UniqueConstraint("subscription_id", "local_date"),
        Index("ix_delivery_state_date", "state", "local_date"),
    )

    id: int | None = Field(default=None, primary_key=True)
    subscription_id: int
    local_date: date
    state: str = Field(index=True)
    owner: str
    lease_until: datetime = Field(sa_type=UtcMoment)
    tries: int
    retry_at: datetime | None = Field(default=None, sa_type=UtcMoment)
    complete: bool
    silent: bool | None = None
    body: bytes = Field(sa_type=CompressedBytes)


class PostRow(OfChannel, table=True):
    """Messages of the bot's own; `item_key` is set where one is about that item alone.

    `kept_at` is when the daily purge first met it.
    """

    __tablename__ = "post"
    __table_args__ = (
        Index("ix_post_ref", "platform", "workspace", "channel", "ref"),
        Index("ix_post_item", "platform", "workspace", "channel", "item_key"),
        Index("ix_post_state", "platform", "state"),
    )

    id: int | None = Field(default=None, primary_key=True)
    delivery_id: int | None = Field(default=None, index=True)
    thread: int
    position: int
    state: str
    ref: str
    item_key: str
    kept_at: datetime | None = Field(default=None, sa_type=UtcMoment)
    body: bytes = Field(sa_type=CompressedBytes)


class FollowUpRow(OfChannel, table=True):
    """Follow-ups with their marks; at most one for a channel and item.

    `look_at` is when its item is looked at upstream; None where nobody has worked it out.
    """

    __tablename__ = "follow_up"
    __table_args__ = (UniqueConstraint("platform", "workspace", "channel", "item_key"),)

    id: int | None = Field(default=None, primary_key=True)
    item_key: str
    look_at: datetime | None = Field(default=None, sa_type=UtcMoment, index=True)
    body: bytes = Field(sa_type=CompressedBytes)


class CorrectionRow(KeyOfChannel, table=True):
    """What a channel was told of an item and does not hold any more.

    `shown` says that the messages about it say so, `told_on` which slot (its moment) began with it.
    """

    __tablename__ = "correction"

    item_key: str = Field(primary_key=True)
    at: datetime = Field(sa_type=UtcMoment)
    shown: bool
    told_on: datetime | None = Field(default=None, sa_type=UtcMoment)
    body: bytes = Field(sa_type=CompressedBytes)


class OutgoingRow(SQLModel, table=True):
    """Changes of follow-ups that a webhook has not taken yet; they go out by their numbers."""

    __tablename__ = "outgoing"

    id: int | None = Field(default=None, primary_key=True)
    platform: str
    workspace: str
    due_at: datetime = Field(sa_type=UtcMoment)
    tries: int
    body: bytes = Field(sa_type=CompressedBytes)


class ChannelLogRow(OfChannel, table=True):
    """What happened to channels."""

    __tablename__ = "channel_log"
    __table_args__ = (Index("ix_channel_log_place", "platform", "workspace", "channel"),)

    id: int | None = Field(default=None, primary_key=True)
    at: datetime = Field(sa_type=UtcMoment)
    body: bytes = Field(sa_type=CompressedBytes)


class ConcernRow(KeyOfChannel, table=True):
    """Things that concern a channel; `due_at` is when a codebase is read again, if it is."""

    __tablename__ = "concern"

    name: str = Field(primary_key=True)
    due_at: datetime | None = Field(default=None, sa_type=UtcMoment, index=True)
    body: bytes = Field(sa_type=CompressedBytes)


class QuestionRow(KeyOfChannel, table=True):
    """The questions "which one?" below messages that are about several items."""

    __tablename__ = "question"

    message: str = Field(primary_key=True)
    body: bytes = Field(sa_type=CompressedBytes)


class SeenEventRow(SQLModel, table=True):
    """Events that were taken in; platforms send some of them again."""

    __tablename__ = "seen_event"

    platform: str = Field(primary_key=True)
    event_id: str = Field(primary_key=True)
    at: datetime = Field(sa_type=UtcMoment, index=True)


class KeptValueRow(SQLModel, table=True):
    """Values that are too long for a button, by the short form that stands there.

    `kept_at` is when the daily purge first met one since it was last used.
    """

    __tablename__ = "kept_value"

    short: str = Field(primary_key=True)
    kept_at: datetime | None = Field(default=None, sa_type=UtcMoment)
    body: bytes = Field(sa_type=CompressedBytes)


class TimestampRow(SQLModel, table=True):
    """Moments that all processes know by their names."""

    __tablename__ = "named_moment"

    name: str = Field(primary_key=True)
    at: datetime = Field(sa_type=UtcMoment, index=True)


class SourceRecordRow(SQLModel, table=True):
    """How a repository was lately (subscription 0), and what each subscription was told of it.

    `repo` is `owner/name` in lower case.
    """

    __tablename__ = "source_record"

    subscription_id: int = Field(primary_key=True)
    repo: str = Field(primary_key=True)
    body: bytes = Field(sa_type=CompressedBytes)


class ProcessRow(SQLModel, table=True):
    """Processes that run, as each said last."""

    __tablename__ = "process"

    owner: str = Field(primary_key=True)
    seen_at: datetime = Field(sa_type=UtcMoment)
    body: bytes = Field(sa_type=CompressedBytes)


SUBSCRIPTIONS = table_of(SubscriptionRow)
DELIVERIES = table_of(DeliveryRow)
POSTS = table_of(PostRow)
FOLLOW_UPS = table_of(FollowUpRow)
CORRECTIONS = table_of(CorrectionRow)
OUTGOING = table_of(OutgoingRow)
CHANNEL_LOG = table_of(ChannelLogRow)
CONCERNS = table_of(ConcernRow)
QUESTIONS = table_of(QuestionRow)
SEEN_EVENTS = table_of(SeenEventRow)
KEPT_VALUES = table_of(KeptValueRow)
TIMESTAMPS = table_of(TimestampRow)
SOURCE_RECORDS = table_of(SourceRecordRow)
PROCESSES = table_of(ProcessRow)


def columns(channel: Channel) -> dict[str, Any]:
    """Return the columns that every row of a channel has."""
    return dict(zip(PLACE, (channel.platform.value, channel.workspace, channel.id), strict=True))


def channel_of(row: Any) -> Channel:
    """Return the channel that a row belongs to."""
    return Channel(Platform(row.platform), row.workspace, row.channel)


def within(table: Table, channel: Channel) -> tuple[ColumnElement[bool], ...]:
    """Return the condition that a row belongs to a channel."""
    return tuple(table.c[name] == value for name, value in columns(channel).items())


def of_channel(table: Table) -> tuple[ColumnElement[bool], ...]:
    """Return the condition that a row belongs to the channel whose `its` are given with it."""
    return tuple(table.c[name] == bindparam(f"its_{name}") for name in PLACE)


def its(channel: Channel) -> dict[str, str]:
    """Return what `of_channel` asks for."""
    return {f"its_{name}": value for name, value in columns(channel).items()}


_PLACES = {
    "sqlite": "SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), "
    "json_extract(value, '$[2]') FROM json_each(:places)",
    "postgresql": "SELECT value ->> 0, value ->> 1, value ->> 2 "
    "FROM json_array_elements(CAST(:places AS json))",
}
"""Places out of one value, so that the statement stays the same however many they are; for a list
of them SQLite would read the whole table."""


def of_each(
    table: Table, *order: str
) -> Callable[[Connection, Sequence[Channel]], list[list[Any]]]:
    """Return work that gives the rows of each of some channels, for `Joined`.

    `order` are the columns by which they are ordered.
    """
    queries = {
        dialect: select(table)
        .where(text(f"({', '.join(PLACE)}) IN ({places})"))
        .order_by(*(table.c[name] for name in order))
        for dialect, places in _PLACES.items()
    }

    def rows(connection: Connection, channels: Sequence[Channel]) -> list[list[Any]]:
        places = [tuple(columns(each).values()) for each in channels]
        found: dict[tuple[str, ...], list[Any]] = {place: [] for place in places}
        query = queries[connection.dialect.name]
        for row in connection.execute(query, {"places": json.dumps(list(found))}):
            found[row.platform, row.workspace, row.channel].append(row)
        return [found[place] for place in places]

    return rows


def loaded(row: Any, kind: type[Kind]) -> Kind:
    """Return what the body of a row holds, with the row's number where its kind has one."""
    held: Any = codec.load(kind, row.body)
    found: Kind = replace(held, id=row.id) if hasattr(held, "id") else held
    return found


def readable(rows: Iterable[Any], kind: type[Kind]) -> tuple[Kind, ...]:
    """Return what rows hold; one that another version wrote is logged, and hinders no other."""
    found = []
    for row in rows:
        try:
            found.append(loaded(row, kind))
        except BadAnswer as error:
            place = {"channel": str(channel_of(row)), "reason": str(error)}
            log.error(f"{kind.__name__.lower()} not readable", **place)
    return tuple(found)


def turn(channel: Channel) -> str:
    """Name the turn in which one process at a time changes what a channel has."""
    return f"channel {channel}"
