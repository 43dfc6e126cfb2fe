"""Deletes everything of one workspace, and says what."""

import re
from collections.abc import Mapping

from sqlalchemy import ColumnElement, Connection, Table, delete, or_, select

from bot.model.channels import Platform
from bot.store.tables import (
    KEPT_VALUES,
    POSTS,
    SEEN_EVENTS,
    SOURCE_RECORDS,
    SUBSCRIPTIONS,
    TIMESTAMPS,
)
from digest.store.columns import TABLES
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
    return [each for each in TABLES.sorted_tables if {"platform", "workspace"} <= {*each.c.keys()}]


def _forget(connection: Connection, platform: Platform, workspace: str) -> dict[str, int]:
    place = (platform.value, workspace)
    mine = select(SUBSCRIPTIONS.c.id).where(*_of(SUBSCRIPTIONS, *place))
    counts = {"seen_event": _forget_events(connection, *place)}

    def forget(table: Table, *conditions: ColumnElement[bool]) -> None:
        gone = connection.execute(delete(table).where(*conditions)).rowcount
        counts[table.name] = counts.get(table.name, 0) + gone

    forget(SOURCE_RECORDS, SOURCE_RECORDS.c.subscription_id.in_(mine))
    for table in placed_tables():
        forget(table, *_of(table, *place))
    named = f"{platform.value}:{workspace}"
    forget(TIMESTAMPS, or_(*_named(TIMESTAMPS.c.name, named)))
    forget(KEPT_VALUES, or_(*_named(KEPT_VALUES.c.short, named)))
    if not any(_is_there(connection, table, platform) for table in placed_tables()):
        forget(SEEN_EVENTS, SEEN_EVENTS.c.platform == platform.value)
        if platform is Platform.DISCORD:  # Slack's buttons hold their values themselves
            forget(KEPT_VALUES)
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
    here = _of(POSTS, platform, workspace)
    refs = set(connection.scalars(select(POSTS.c.ref).where(*here)))
    events = SEEN_EVENTS.c
    known = connection.scalars(select(events.event_id).where(events.platform == platform))
    gone = [event_id for event_id in known if event_id.split(" ")[0] in refs]
    for event_id in gone:
        connection.execute(delete(SEEN_EVENTS).where(events.event_id == event_id))
    return len(gone)


def _of(table: Table, platform: str, workspace: str) -> tuple[ColumnElement[bool], ...]:
    return table.c.platform == platform, table.c.workspace == workspace
