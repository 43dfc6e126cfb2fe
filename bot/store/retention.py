"""What is thrown away: what is old, and everything of one workspace.

What is old is never what a follow-up, an undo, an edit or a slot needs. Kept for ever:
subscriptions, follow-ups, which slots were told, digests and what they tell, and what a model cost.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import TypeAlias

from sqlalchemy import (
    ColumnElement,
    Connection,
    Delete,
    Row,
    Table,
    delete,
    exists,
    or_,
    select,
    update,
)

from bot.model.channels import Platform
from bot.model.followups import FollowUp
from bot.model.posts import PostState
from bot.store import tagged
from bot.store.delivery_rows import UNFINISHED
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
)
from digest import codec
from digest.store.database import Database
from digest.store.tables import (
    COVERAGE,
    HTTP_ANSWERS,
    ITEM_TIMES,
    ITEMS,
    LEASES,
    MODEL_ANSWERS,
    TABLES,
)

ROWS_AT_ONCE = 500

_TURN = "retention"

THREADS_AT_ONCE = 50
"""Deliveries looked through in one transaction: some tenths of a second."""

WAITING = (PostState.PLANNED.value, PostState.SENDING.value)

PostedRow: TypeAlias = Row[tuple[object, ...]]

AGES = (
    HTTP_ANSWERS.c.checked_at,
    MODEL_ANSWERS.c.asked_at,
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
        gone[age.table.name] = await database.write(
            partial(_count, statement=old), _TURN, alone=True
        )
    gone["correction"] = await database.write(
        partial(_count, statement=_CORRECTIONS.where(CORRECTIONS.c.at < before)), _TURN, alone=True
    )
    gone["kept_value"] = await database.write(lambda c: _values(c, now, before), _TURN, alone=True)
    gone["post"] = await _posts(database, now, before)
    gone["item"] = await database.write(lambda c: _collected(c, before), _TURN, alone=True)
    return {name: number for name, number in gone.items() if number}


def _count(connection: Connection, statement: Delete) -> int:
    return connection.execute(statement).rowcount


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
    for page in (_of_deliveries, _of_answers):
        last: int | None = 0
        while last is not None:
            work = partial(page, before=before, after=last)
            number, last = await database.write(work, _TURN, alone=True)
            gone += number
    while await database.write(partial(_note_first_seen, now=now), _TURN, alone=True):
        pass
    return gone


def _of_deliveries(connection: Connection, before: datetime, after: int) -> tuple[int, int | None]:
    """Look through some deliveries after one: how many messages went, and the last looked at."""
    number = POSTS.c.delivery_id
    query = select(number).where(POSTS.c.kept_at < before, number > after).distinct()
    found = connection.scalars(query.order_by(number).limit(THREADS_AT_ONCE)).all()
    followed = _Followed(connection)
    gone = 0
    for delivery in found:
        rows = connection.execute(select(POSTS).where(number == delivery)).all()
        is_old = all(row.kept_at and row.kept_at < before for row in rows)
        if is_old and not _is_waiting(connection, rows) and not followed.names(rows):
            gone += _delete(connection, [row.id for row in rows])
    return gone, found[-1] if found else None


def _of_answers(connection: Connection, before: datetime, after: int) -> tuple[int, int | None]:
    """Look through some messages after one that were asked for by themselves."""
    query = select(POSTS).where(
        POSTS.c.kept_at < before, POSTS.c.delivery_id.is_(None), POSTS.c.id > after
    )
    rows = connection.execute(query.order_by(POSTS.c.id).limit(ROWS_AT_ONCE)).all()
    followed = _Followed(connection)
    old = [r.id for r in rows if r.state not in WAITING and not followed.names([r])]
    return _delete(connection, old), rows[-1].id if rows else None


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


class _Followed:
    """What follow-ups, be they closed, still name, asked for once for each channel."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._known: dict[tuple[str, ...], tuple[Collection[str], frozenset[str]]] = {}

    def names(self, rows: Sequence[PostedRow]) -> bool:
        """Return whether they name a message of some of one channel, or an item in it."""
        place = (rows[0].platform, rows[0].workspace, rows[0].channel)
        if place not in self._known:
            self._known[place] = _followed(self._connection, rows[0])
        refs, keys = self._known[place]
        return any(row.ref in refs or keys & _about(row) for row in rows)


def _about(row: PostedRow) -> frozenset[str]:
    return frozenset(tagged.load(row.body).message.about)


def _followed(connection: Connection, row: PostedRow) -> tuple[Collection[str], frozenset[str]]:
    """Return the messages and items that follow-ups of a channel, be they closed, still name."""
    refs: set[str] = set()
    keys: set[str] = set()
    for body in connection.scalars(select(FOLLOW_UPS.c.body).where(*_place(FOLLOW_UPS, row))):
        followup = codec.load(FollowUp, body)
        keys.add(followup.item_key)
        refs |= {mark.message for mark in followup.marks}
    refs |= set(connection.scalars(select(QUESTIONS.c.message).where(*_place(QUESTIONS, row))))
    return refs, frozenset(keys)


def _place(table: Table, row: PostedRow) -> list[ColumnElement[bool]]:
    return [table.c[name] == getattr(row, name) for name in PLACE]


def _delete(connection: Connection, ids: Sequence[int]) -> int:
    for at in range(0, len(ids), ROWS_AT_ONCE):
        some = ids[at : at + ROWS_AT_ONCE]
        connection.execute(delete(POSTS).where(POSTS.c.id.in_(some)))
    return len(ids)


async def forget(database: Database, platform: Platform, workspace: str) -> Mapping[str, int]:
    """Delete all rows of a workspace in one transaction; give how many, by table.

    Ids of events and the values of Discord's buttons say no workspace, and several may share them.
    They go with the last workspace of a platform; before, they end by themselves: events after two
    days, values with `INFRA_KEEP_DAYS`. Raises `StoreFailed`.
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
    """Return the conditions that a moment is of a workspace, or of somebody or something in it."""
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
