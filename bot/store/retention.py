"""What is thrown away: what is old, and everything of one workspace.

What is old is never what a follow-up, an undo, an edit or a slot needs. Kept for ever:
subscriptions, follow-ups, which slots were told, digests and what they tell, and what a model cost.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import TypeAlias

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Table,
    delete,
    exists,
    or_,
    select,
    update,
)

from bot.model.channels import Channel, Platform
from bot.model.followups import FollowUp
from bot.model.posts import PostState
from bot.store import tagged
from bot.store.deliveries import UNFINISHED
from bot.store.followups import EVENTS_KEPT
from bot.store.tables import (
    CHANNEL_LOG,
    CORRECTIONS,
    DELIVERIES,
    FOLLOW_UPS,
    KEPT_VALUES,
    PLACE,
    POSTS,
    QUESTIONS,
    SEEN_EVENTS,
    SOURCE_RECORDS,
    SUBSCRIPTIONS,
    TIMESTAMPS,
    channel_of,
    within,
)
from digest import codec
from digest.errors import BadAnswer
from digest.store.database import Database, execute
from digest.store.tables import (
    COVERAGE,
    HTTP_ANSWERS,
    ITEM_TIMES,
    ITEMS,
    LEASES,
    MODEL_ANSWERS,
    MODEL_FAILURES,
    TABLES,
)

ROWS_AT_ONCE = 500

_TURN = "retention"

THREADS_AT_ONCE = 50
"""Deliveries looked through in one transaction: some tenths of a second."""

WAITING = (PostState.PLANNED.value, PostState.SENDING.value)

PostedRow: TypeAlias = Row[tuple[object, ...]]

_Known: TypeAlias = dict[Channel, tuple[Collection[str], frozenset[str]]]

AGES = (
    HTTP_ANSWERS.c.checked_at,
    MODEL_ANSWERS.c.asked_at,
    MODEL_FAILURES.c.at,
    LEASES.c.until,
    CHANNEL_LOG.c.at,
)
"""What can be asked again, for requests or tokens, and what happened to channels.

Its age counts from that moment.
"""

_OF_AN_ITEM = (FOLLOW_UPS.c[name] == CORRECTIONS.c[name] for name in (*PLACE, "item_key"))
_CORRECTIONS = delete(CORRECTIONS).where(~exists(FOLLOW_UPS.c.id).where(*_OF_AN_ITEM))
"""Those of what nobody follows up: messages of a follow-up stay, and are drawn with them."""


async def purge(database: Database, now: datetime, keep: timedelta) -> Mapping[str, int]:
    """Delete what is older than `keep`; give the rows of each table. Raises `StoreFailed`."""
    before = now - keep
    gone: dict[str, int] = {}
    # One transaction each: a big one would keep everybody else from writing.
    for age, until in (*((age, before) for age in AGES), (SEEN_EVENTS.c.at, now - EVENTS_KEPT)):
        old = delete(age.table).where(age < until)
        gone[age.table.name] = await database.write(execute(old), _TURN, alone=True)
    corrections = _CORRECTIONS.where(CORRECTIONS.c.at < before)
    gone["correction"] = await database.write(execute(corrections), _TURN, alone=True)
    gone["kept_value"] = await database.write(lambda c: _values(c, now, before), _TURN, alone=True)
    gone["post"] = await _posts(database, now, before)
    gone["item"] = await database.write(lambda c: _collected(c, before), _TURN, alone=True)
    return {name: number for name, number in gone.items() if number}


def _values(connection: Connection, now: datetime, before: datetime) -> int:
    kept_at = KEPT_VALUES.c.kept_at
    gone = connection.execute(delete(KEPT_VALUES).where(kept_at < before)).rowcount
    connection.execute(update(KEPT_VALUES).where(kept_at.is_(None)).values(kept_at=now))
    return gone


def _collected(connection: Connection, before: datetime) -> int:
    """Delete what was collected; where it is asked for again, it is collected again."""
    connection.execute(delete(COVERAGE).where(COVERAGE.c.collected_at < before))
    gone = connection.execute(delete(ITEMS).where(ITEMS.c.collected_at < before)).rowcount
    left = select(ITEMS.c.key).where(
        *(ITEMS.c[name] == ITEM_TIMES.c[name] for name in ("source", "repo", "key"))
    )
    connection.execute(delete(ITEM_TIMES).where(~left.exists()))
    return gone


async def _posts(database: Database, now: datetime, before: datetime) -> int:
    """Delete messages of threads that nobody works with any more, whole threads at a time.

    A message counts as known since the first purge that met it.
    """
    gone = 0
    last: int | None = 0
    while last is not None:
        number, last = await database.write(
            partial(_some_posts, before=before, after=last), _TURN, alone=True
        )
        gone += number
    while await database.write(partial(_note_first_seen, now=now), _TURN, alone=True):
        pass
    return gone


def _some_posts(connection: Connection, before: datetime, after: int) -> tuple[int, int | None]:
    """Look through the threads of some old messages after one: how many went, the last looked at.

    A message that was asked for by itself is a thread of its own.
    """
    old = select(POSTS).where(POSTS.c.kept_at < before, POSTS.c.id > after)
    found = connection.execute(old.order_by(POSTS.c.id).limit(THREADS_AT_ONCE)).all()
    followed: _Known = {}
    gone: set[int] = set()
    seen: set[int] = set()
    for row in found:
        rows: Sequence[PostedRow] = [row]
        if row.delivery_id in seen:
            continue
        if row.delivery_id is not None:
            seen.add(row.delivery_id)
            of_it = select(POSTS).where(POSTS.c.delivery_id == row.delivery_id)
            rows = connection.execute(of_it).all()
        is_old = all(each.kept_at and each.kept_at < before for each in rows)
        if is_old and not _is_waiting(connection, rows):
            with suppress(BadAnswer):  # what another version wrote keeps its thread, and no other
                if not _is_followed(connection, rows, followed):
                    gone |= {each.id for each in rows}
    connection.execute(delete(POSTS).where(POSTS.c.id.in_(sorted(gone))))
    return len(gone), found[-1].id if found else None


def _note_first_seen(connection: Connection, now: datetime) -> int:
    """Note of some messages that they were met now; give of how many."""
    new = select(POSTS.c.id).where(POSTS.c.kept_at.is_(None)).limit(ROWS_AT_ONCE)
    noted = update(POSTS).where(POSTS.c.id.in_(new)).values(kept_at=now)
    return connection.execute(noted).rowcount


def _is_waiting(connection: Connection, rows: Sequence[PostedRow]) -> bool:
    """Return whether some of a delivery may still be sent."""
    of_delivery = DELIVERIES.c.id == rows[0].delivery_id
    state = connection.scalar(select(DELIVERIES.c.state).where(of_delivery))
    return state in UNFINISHED or any(row.state in WAITING for row in rows)


def _is_followed(connection: Connection, rows: Sequence[PostedRow], known: _Known) -> bool:
    """Return whether follow-ups name a message of some of one channel, or an item in it.

    What those of a channel name, be they closed, is looked up once.
    """
    channel = channel_of(rows[0])
    if channel not in known:
        known[channel] = _followed(connection, channel)
    refs, keys = known[channel]
    return any(
        row.ref in refs or keys.intersection(tagged.load_message(row.body).about) for row in rows
    )


def _followed(connection: Connection, channel: Channel) -> tuple[Collection[str], frozenset[str]]:
    """Return the messages and items that follow-ups of a channel, be they closed, still name."""
    refs: set[str] = set()
    keys: set[str] = set()
    for body in connection.scalars(select(FOLLOW_UPS.c.body).where(*within(FOLLOW_UPS, channel))):
        followup = codec.load(FollowUp, body)
        keys.add(followup.item_key)
        refs |= {mark.message for mark in followup.marks}
    refs |= set(connection.scalars(select(QUESTIONS.c.message).where(*within(QUESTIONS, channel))))
    return refs, frozenset(keys)


async def forget(database: Database, platform: Platform, workspace: str) -> Mapping[str, int]:
    """Delete all rows of a workspace in one transaction; give how many, by table.

    Ids of events say no workspace: all of the platform go, and at most one that is sent again
    meanwhile is heard twice. Values of Discord's buttons may be shared: they go with the last
    server, before with `INFRA_KEEP_DAYS`. Raises `StoreFailed`.
    """
    return await database.write(
        lambda connection: _forget(connection, platform, workspace), _TURN, alone=True
    )


def placed_tables() -> list[Table]:
    """Return every table whose rows say their workspace."""
    return [each for each in TABLES.sorted_tables if {"platform", "workspace"} <= {*each.c.keys()}]


def _forget(connection: Connection, platform: Platform, workspace: str) -> dict[str, int]:
    place = (platform.value, workspace)
    mine = select(SUBSCRIPTIONS.c.id).where(*_of(SUBSCRIPTIONS, *place))
    counts: dict[str, int] = {}

    def forget(table: Table, *conditions: ColumnElement[bool]) -> None:
        gone = connection.execute(delete(table).where(*conditions)).rowcount
        counts[table.name] = counts.get(table.name, 0) + gone

    forget(SOURCE_RECORDS, SOURCE_RECORDS.c.subscription_id.in_(mine))
    for table in placed_tables():
        forget(table, *_of(table, *place))
    named = f"{platform.value}:{workspace}"
    forget(TIMESTAMPS, or_(*_named(TIMESTAMPS.c.name, named)))
    forget(KEPT_VALUES, or_(*_named(KEPT_VALUES.c.short, named)))
    if any(counts.values()):
        forget(SEEN_EVENTS, SEEN_EVENTS.c.platform == platform.value)
    is_last = not any(_is_there(connection, table, platform) for table in placed_tables())
    if is_last and platform is Platform.DISCORD:  # Slack's buttons hold their values themselves
        forget(KEPT_VALUES)
    return {name: number for name, number in counts.items() if number}


def _named(column: ColumnElement[str], place: str) -> list[ColumnElement[bool]]:
    """Return the conditions that a moment is of a workspace, or of somebody or something in it."""
    escaped = re.sub(r"([\\%_])", r"\\\1", place)
    return [column.like(f"%{escaped}{end}", escape="\\") for end in ("", "/%", " %")]


def _is_there(connection: Connection, table: Table, platform: Platform) -> bool:
    query = select(table.c.platform).where(table.c.platform == platform.value).limit(1)
    return connection.execute(query).first() is not None


def _of(table: Table, platform: str, workspace: str) -> tuple[ColumnElement[bool], ...]:
    return table.c.platform == platform, table.c.workspace == workspace
