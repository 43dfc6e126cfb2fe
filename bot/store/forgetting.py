"""Deletes everything of one workspace, and says what."""

import re
from collections.abc import Mapping

from sqlalchemy import ColumnElement, Connection, Table, delete, or_, select
from sqlmodel import SQLModel

from bot.model.channels import Platform
from bot.store.tables import (
    KeptValueRow,
    NamedMomentRow,
    PostRow,
    SeenEventRow,
    SourceRecordRow,
    SubscriptionRow,
    table_of,
)
from digest.store.database import Database


async def forget(database: Database, platform: Platform, workspace: str) -> Mapping[str, int]:
    """Delete all rows of a workspace in one transaction; give how many, by table.

    Ids of events and the values of Discord's buttons say no workspace, and several may share them.
    They go with the last workspace of a platform; before, they end by themselves: events after two
    days, values with `INFRA_KEEP_DAYS`. Raises `StoreFailed`.
    """
    return await database.within(lambda connection: _forget(connection, platform, workspace))


def placed_tables() -> list[Table]:
    """Give every table whose rows say their workspace."""
    tables = SQLModel.metadata.sorted_tables
    return [each for each in tables if {"platform", "workspace"} <= set(each.columns.keys())]


def _forget(connection: Connection, platform: Platform, workspace: str) -> dict[str, int]:
    subscriptions = table_of(SubscriptionRow)
    place = (platform.value, workspace)
    mine = select(subscriptions.c.id).where(*_of(subscriptions, *place))
    records = table_of(SourceRecordRow)
    counts = {
        records.name: connection.execute(
            delete(records).where(records.c.subscription_id.in_(mine))
        ).rowcount
    }
    counts["seen_event"] = _forget_events(connection, *place)
    for table in placed_tables():
        counts[table.name] = connection.execute(delete(table).where(*_of(table, *place))).rowcount
    moments = table_of(NamedMomentRow)
    counts[moments.name] = connection.execute(
        delete(moments).where(or_(*_named(moments.c.name, f"{platform.value}:{workspace}")))
    ).rowcount
    values = table_of(KeptValueRow)
    counts[values.name] = connection.execute(
        delete(values).where(or_(*_named(values.c.short, f"{platform.value}:{workspace}")))
    ).rowcount
    if not any(_is_there(connection, table, platform) for table in placed_tables()):
        counts |= _forget_shared(connection, platform)
    return {name: number for name, number in counts.items() if number}


def _named(column: ColumnElement[str], place: str) -> list[ColumnElement[bool]]:
    """Give the conditions that a moment is of a workspace, or of somebody or something in it."""
    escaped = re.sub(r"([\\%_])", r"\\\1", place)
    return [column.like(f"%{escaped}{end}", escape="\\") for end in ("", "/%", " %")]


def _is_there(connection: Connection, table: Table, platform: Platform) -> bool:
    query = select(table.c.platform).where(table.c.platform == platform.value).limit(1)
    return connection.execute(query).first() is not None


def _forget_events(connection: Connection, platform: str, workspace: str) -> int:
    """Delete the events about messages of a workspace, whose ids begin with the message's."""
    events, posts = table_of(SeenEventRow), table_of(PostRow)
    refs = set(connection.scalars(select(posts.c.ref).where(*_of(posts, platform, workspace))))
    known = connection.scalars(select(events.c.event_id).where(events.c.platform == platform))
    gone = [event_id for event_id in known if event_id.split(" ")[0] in refs]
    for event_id in gone:
        connection.execute(delete(events).where(events.c.event_id == event_id))
    return len(gone)


def _forget_shared(connection: Connection, platform: Platform) -> dict[str, int]:
    events, values = table_of(SeenEventRow), table_of(KeptValueRow)
    of_platform = events.c.platform == platform.value
    counts = {}
    if number := connection.execute(delete(events).where(of_platform)).rowcount:
        counts[events.name] = number
    if platform is Platform.DISCORD:  # Slack's buttons hold their values themselves
        counts[values.name] = connection.execute(delete(values)).rowcount
    return counts


def _of(table: Table, platform: str, workspace: str) -> tuple[ColumnElement[bool], ...]:
    return table.c.platform == platform, table.c.workspace == workspace
