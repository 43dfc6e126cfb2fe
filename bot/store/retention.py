"""What is thrown away once it is old: never what a follow-up, an undo, an edit or a slot needs.

Kept for ever: subscriptions, follow-ups, which slots were told, digests and what they tell, and
what a model cost.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial

from sqlalchemy import ColumnElement, Connection, Row, Table, delete, func, select, update
from sqlmodel import SQLModel

from bot.followups import FollowUp
from bot.posts import PostState
from bot.store import tagged
from bot.store.deliveries import UNFINISHED
from bot.store.followups import EVENTS_KEPT
from digest import codec
from digest.store.database import Database

ROWS_AT_ONCE = 500

WAITING = (PostState.PLANNED.value, PostState.SENDING.value)

AGES = (("http_answer", "checked_at"), ("model_answer", "asked_at"))
"""What can be asked again, for requests or tokens; its age counts from that moment."""


async def purge(database: Database, now: datetime, keep: timedelta) -> Mapping[str, int]:
    """Throw away what is older than `keep`; give the rows of each table. Raises `StoreFailed`."""
    before = now - keep
    events = ("seen_event", "at", now - EVENTS_KEPT)
    gone: dict[str, int] = {}
    # One transaction each: a big one would keep everybody else from writing.
    for name, moment, until in (*((*age, before) for age in AGES), events):
        gone[name] = await database.within(partial(_older, name=name, moment=moment, before=until))
    gone["kept_value"] = await database.within(lambda c: _values(c, now, before))
    gone["post"] = await database.within(lambda c: _posts(c, now, before))
    gone["item"] = await database.within(lambda c: _collected(c, before))
    return {name: number for name, number in gone.items() if number}


def _older(connection: Connection, name: str, moment: str, before: datetime) -> int:
    table = _table(name)
    return connection.execute(delete(table).where(table.c[moment] < before)).rowcount


def _values(connection: Connection, now: datetime, before: datetime) -> int:
    values = _table("kept_value")
    gone = connection.execute(delete(values).where(values.c.kept_at < before)).rowcount
    connection.execute(update(values).where(values.c.kept_at.is_(None)).values(kept_at=now))
    return gone


def _collected(connection: Connection, before: datetime) -> int:
    """Throw away what was collected; where it is asked for again, it is collected again."""
    coverage, items, times = _table("coverage"), _table("item"), _table("item_time")
    connection.execute(delete(coverage).where(coverage.c.collected_at < before))
    gone = connection.execute(delete(items).where(items.c.collected_at < before)).rowcount
    left = select(items.c.key).where(
        items.c.source == times.c.source,
        items.c.repo == times.c.repo,
        items.c.key == times.c.key,
    )
    connection.execute(delete(times).where(~left.exists()))
    return gone


def _posts(connection: Connection, now: datetime, before: datetime) -> int:
    """Throw away messages of threads that nobody works with any more, whole threads at a time.

    A message counts as known since the first purge that met it.
    """
    posts = _table("post")
    old = select(posts).where(posts.c.kept_at < before)
    rows = connection.execute(old).all()
    gone = 0
    for rows_of in _groups(rows):
        if not _is_needed(connection, rows_of):
            gone += _delete(connection, [row.id for row in rows_of])
    connection.execute(update(posts).where(posts.c.kept_at.is_(None)).values(kept_at=now))
    return gone


def _groups(rows: Sequence[Row[tuple[object, ...]]]) -> Iterator[list[Row[tuple[object, ...]]]]:
    """Give the messages of each delivery, and each message that was asked for by itself."""
    by_delivery: dict[object, list[Row[tuple[object, ...]]]] = {}
    for row in rows:
        by_delivery.setdefault(row.delivery_id or ("asked", row.id), []).append(row)
    yield from by_delivery.values()


def _is_needed(connection: Connection, rows: Sequence[Row[tuple[object, ...]]]) -> bool:
    first, posts, deliveries = rows[0], _table("post"), _table("delivery")
    if any(row.state in WAITING for row in rows):
        return True
    if first.delivery_id is not None:
        of_delivery = posts.c.delivery_id == first.delivery_id
        number = connection.scalar(select(func.count()).select_from(posts).where(of_delivery))
        if number != len(rows):
            return True  # some of it is not old
        state = connection.scalar(
            select(deliveries.c.state).where(deliveries.c.id == first.delivery_id)
        )
        if state in UNFINISHED:
            return True
    refs, keys = _followed(connection, first)
    return any(row.ref in refs or keys & _about(row) for row in rows)


def _about(row: Row[tuple[object, ...]]) -> frozenset[str]:
    return frozenset(tagged.load(row.body).message.about)


def _followed(
    connection: Connection, row: Row[tuple[object, ...]]
) -> tuple[Collection[str], frozenset[str]]:
    """Give the messages and items that follow-ups of a channel, be they closed, still name."""
    followups, questions = _table("follow_up"), _table("question")
    refs: set[str] = set()
    keys: set[str] = set()
    for body in connection.scalars(select(followups.c.body).where(*_place(followups, row))):
        followup = codec.load(FollowUp, body)
        keys.add(followup.item_key)
        refs |= {mark.message for mark in followup.marks}
    refs |= set(connection.scalars(select(questions.c.message).where(*_place(questions, row))))
    return refs, frozenset(keys)


def _place(table: Table, row: Row[tuple[object, ...]]) -> list[ColumnElement[bool]]:
    names = ("platform", "workspace", "channel")
    return [table.c[name] == getattr(row, name) for name in names]


def _delete(connection: Connection, ids: Sequence[int]) -> int:
    posts = _table("post")
    for at in range(0, len(ids), ROWS_AT_ONCE):
        some = ids[at : at + ROWS_AT_ONCE]
        connection.execute(delete(posts).where(posts.c.id.in_(some)))
    return len(ids)


def _table(name: str) -> Table:
    found: Table = SQLModel.metadata.tables[name]
    return found
