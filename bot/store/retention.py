"""What is thrown away once it is old: never what a follow-up, an undo, an edit or a slot needs.

Kept for ever: subscriptions, follow-ups, which slots were told, digests and what they tell, and
what a model cost.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import TypeAlias

from sqlalchemy import ColumnElement, Connection, Row, Table, delete, select, update
from sqlmodel import SQLModel

from bot.model.followups import FollowUp
from bot.model.posts import PostState
from bot.store import tagged
from bot.store.delivery_rows import UNFINISHED
from bot.store.followups import EVENTS_KEPT
from digest import codec
from digest.store import model_tables
from digest.store import tables as digest_tables
from digest.store.database import Database

OWN = (model_tables, digest_tables)
"""Imported so that their tables are known here, whoever else asks for them."""

ROWS_AT_ONCE = 500

THREADS_AT_ONCE = 50
"""Deliveries looked through in one transaction: some tenths of a second."""

WAITING = (PostState.PLANNED.value, PostState.SENDING.value)

PostedRow: TypeAlias = Row[tuple[object, ...]]

AGES = (
    *(("http_answer", "checked_at"), ("model_answer", "asked_at"), ("hold", "until")),
    ("channel_log", "at"),
)
"""What can be asked again, for requests or tokens, and what happened to channels.

Its age counts from that moment.
"""


async def purge(database: Database, now: datetime, keep: timedelta) -> Mapping[str, int]:
    """Throw away what is older than `keep`; give the rows of each table. Raises `StoreFailed`."""
    before = now - keep
    events = ("seen_event", "at", now - EVENTS_KEPT)
    gone: dict[str, int] = {}
    # One transaction each: a big one would keep everybody else from writing.
    for name, moment, until in (*((*age, before) for age in AGES), events):
        gone[name] = await database.within(partial(_older, name=name, moment=moment, before=until))
    gone["kept_value"] = await database.within(lambda c: _values(c, now, before))
    gone["post"] = await _posts(database, now, before)
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


async def _posts(database: Database, now: datetime, before: datetime) -> int:
    """Throw away messages of threads that nobody works with any more, whole threads at a time.

    A message counts as known since the first purge that met it.
    """
    gone = 0
    for page in (_of_deliveries, _asked_for):
        last: int | None = 0
        while last is not None:
            work = partial(page, before=before, after=last)
            number, last = await database.within(work)
            gone += number
    while await database.within(partial(_met, now=now)):
        pass
    return gone


def _of_deliveries(connection: Connection, before: datetime, after: int) -> tuple[int, int | None]:
    """Look through some deliveries after one: how many messages went, and the last looked at."""
    posts = _table("post")
    number = posts.c.delivery_id
    query = select(number).where(posts.c.kept_at < before, number > after).distinct()
    found = connection.scalars(query.order_by(number).limit(THREADS_AT_ONCE)).all()
    followed = _Followed(connection)
    gone = 0
    for delivery in found:
        rows = connection.execute(select(posts).where(number == delivery)).all()
        is_old = all(row.kept_at and row.kept_at < before for row in rows)
        if is_old and not _is_waiting(connection, rows) and not followed.names(rows):
            gone += _delete(connection, [row.id for row in rows])
    return gone, found[-1] if found else None


def _asked_for(connection: Connection, before: datetime, after: int) -> tuple[int, int | None]:
    """Look through some messages after one that were asked for by themselves."""
    posts = _table("post")
    query = select(posts).where(
        posts.c.kept_at < before, posts.c.delivery_id.is_(None), posts.c.id > after
    )
    rows = connection.execute(query.order_by(posts.c.id).limit(ROWS_AT_ONCE)).all()
    followed = _Followed(connection)
    old = [r.id for r in rows if r.state not in WAITING and not followed.names([r])]
    return _delete(connection, old), rows[-1].id if rows else None


def _met(connection: Connection, now: datetime) -> int:
    """Note of some messages that they were met now; give of how many."""
    posts = _table("post")
    new = select(posts.c.id).where(posts.c.kept_at.is_(None)).limit(ROWS_AT_ONCE)
    noted = update(posts).where(posts.c.id.in_(new)).values(kept_at=now)
    return connection.execute(noted).rowcount


def _is_waiting(connection: Connection, rows: Sequence[PostedRow]) -> bool:
    """Tell whether some of a delivery may still be sent."""
    deliveries = _table("delivery")
    of_delivery = deliveries.c.id == rows[0].delivery_id
    state = connection.scalar(select(deliveries.c.state).where(of_delivery))
    return state in UNFINISHED or any(row.state in WAITING for row in rows)


class _Followed:
    """What follow-ups, be they closed, still name, asked for once for each channel."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._known: dict[tuple[str, ...], tuple[Collection[str], frozenset[str]]] = {}

    def names(self, rows: Sequence[PostedRow]) -> bool:
        """Tell whether they name a message of some of one channel, or an item in it."""
        place = (rows[0].platform, rows[0].workspace, rows[0].channel)
        if place not in self._known:
            self._known[place] = _followed(self._connection, rows[0])
        refs, keys = self._known[place]
        return any(row.ref in refs or keys & _about(row) for row in rows)


def _about(row: PostedRow) -> frozenset[str]:
    return frozenset(tagged.load(row.body).message.about)


def _followed(connection: Connection, row: PostedRow) -> tuple[Collection[str], frozenset[str]]:
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


def _place(table: Table, row: PostedRow) -> list[ColumnElement[bool]]:
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
