"""Subscriptions, one for each channel."""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import structlog
from sqlalchemy import Connection, Row, bindparam, delete, insert, or_, select, update

from bot.model.channels import Channel, Platform
from bot.model.posts import Delivery, DeliveryState
from bot.model.slots import Slot, earliest_due
from bot.model.subscriptions import Subscription
from bot.store import delivery_rows
from bot.store.tables import SUBSCRIPTIONS, columns, its, of_channel, turn
from digest import codec
from digest.errors import BadAnswer
from digest.store.database import Stored

PAGE = 200
"""Subscriptions that are read at once: some hundredths of a second."""

_ACTIVE = (
    select(SUBSCRIPTIONS).where(SUBSCRIPTIONS.c.paused.is_(False)).order_by(SUBSCRIPTIONS.c.id)
)
_OF_CHANNEL = select(SUBSCRIPTIONS).where(*of_channel(SUBSCRIPTIONS))
_ADD = insert(SUBSCRIPTIONS).returning(SUBSCRIPTIONS.c.id)
_CHANGE = (
    update(SUBSCRIPTIONS)
    .where(SUBSCRIPTIONS.c.id == bindparam("subscription"))
    .values(
        paused=bindparam("is_paused"),
        next_due_at=bindparam("due_next"),
        told_until=bindparam("told_to"),
        body=bindparam("its_body"),
    )
)

log = structlog.get_logger()


class Subscriptions(Stored):
    """The stored subscriptions. Every method raises `StoreFailed`."""

    async def of(self, channel: Channel) -> Subscription | None:
        """Return the subscription of a channel, or None."""
        return await self._database.read(lambda c: _of(c, channel))

    async def subscriber(self, channel: Channel) -> str:
        """Return who subscribed a channel, by the platform's id; nothing where it is not known."""
        subscription = await self.of(channel)
        return subscription.created_by if subscription else ""

    async def publishes(self, channel: Channel) -> bool:
        """Return whether a channel's mornings are published to whoever follows it."""
        subscription = await self.of(channel)
        return subscription is not None and subscription.publish

    async def active(self) -> tuple[Subscription, ...]:
        """Return every subscription that is not paused, the oldest first."""
        return tuple(_readable(await self._all_rows(_ACTIVE)))

    async def each_due(
        self, now: datetime, also: Collection[int] = ()
    ) -> AsyncIterator[Subscription]:
        """Return the subscriptions that may be due by `now` (UTC), some at a time.

        Among them are those of the ids `also`, and those that were told by a clock that ran ahead;
        paused ones are not. What comes is not surely due: ask `bot.model.slots.due`.
        """
        may_be_due = or_(
            SUBSCRIPTIONS.c.next_due_at.is_(None),
            SUBSCRIPTIONS.c.next_due_at <= now,
            SUBSCRIPTIONS.c.told_until > now,
            SUBSCRIPTIONS.c.id.in_(also),
        )
        # In order, a database would rather walk all rows than use the indexes of the moments.
        active = SUBSCRIPTIONS.c.paused.is_(False)
        found = await self._all_rows(select(SUBSCRIPTIONS.c.id).where(active, may_be_due))
        ids = sorted(row.id for row in found)
        for first in range(0, len(ids), PAGE):
            page = _ACTIVE.where(SUBSCRIPTIONS.c.id.in_(ids[first : first + PAGE]))
            for subscription in _readable(await self._all_rows(page)):
                yield subscription
            await asyncio.sleep(0)

    async def each_active(self) -> AsyncIterator[Subscription]:
        """Return every subscription that is not paused, some at a time, so that others go on."""
        last = 0
        while True:
            rows = await self._all_rows(_ACTIVE.where(SUBSCRIPTIONS.c.id > last).limit(PAGE))
            for subscription in _readable(rows):
                yield subscription
            if len(rows) < PAGE:
                return
            last = rows[-1].id
            await asyncio.sleep(0)

    async def paused(self) -> tuple[Subscription, ...]:
        """Return every paused subscription, be it by a person or by what became of its channel."""
        query = select(SUBSCRIPTIONS).where(SUBSCRIPTIONS.c.paused.is_(True))
        return tuple(_readable(await self._all_rows(query)))

    async def workspaces(self, platform: Platform) -> tuple[str, ...]:
        """Return every workspace of a platform that has a subscription."""
        its = select(SUBSCRIPTIONS.c.workspace).where(SUBSCRIPTIONS.c.platform == platform.value)
        return tuple(row.workspace for row in await self._all_rows(its.distinct()))

    async def of_workspace(self, platform: Platform, workspace: str) -> tuple[Subscription, ...]:
        """Return every subscription of a workspace."""
        query = select(SUBSCRIPTIONS).where(
            SUBSCRIPTIONS.c.platform == platform.value,
            SUBSCRIPTIONS.c.workspace == workspace,
        )
        return tuple(_readable(await self._all_rows(query)))

    async def change(
        self,
        channel: Channel,
        decide: Callable[[Subscription | None], Subscription | None],
        *,
        shown_at_once: Callable[[Subscription], Slot] | None = None,
        now: datetime | None = None,
    ) -> Subscription | None:
        """Store what `decide` makes of the channel's subscription; None takes it away.

        With `shown_at_once` and `now`, a new subscription is stored together with the delivery of
        that slot, which is then due. What `decide` raises changes nothing; it may be called again
        after its change was taken back, and in another thread.
        """

        def work(connection: Connection) -> Subscription | None:
            before, after = change(connection, channel, decide)
            if after and before is None and shown_at_once and now:
                slot = shown_at_once(after)
                waiting = Delivery(0, channel, slot, DeliveryState.CLAIMED, "", now)
                delivery_rows.begin(connection, waiting)
            return after

        return await self._database.write(work, turn(channel))


def _readable(rows: Sequence[Row[Any]]) -> Iterator[Subscription]:
    """Return subscriptions; one that another version wrote must not keep all others from theirs."""
    for row in rows:
        try:
            yield _read(row)
        except BadAnswer as error:
            log.error("subscription not readable", subscription=row.id, reason=str(error))


def _of(connection: Connection, channel: Channel) -> Subscription | None:
    """Return the subscription of a channel, or None."""
    row = connection.execute(_OF_CHANNEL, its(channel)).first()
    return _read(row) if row else None


def change(
    connection: Connection,
    channel: Channel,
    decide: Callable[[Subscription | None], Subscription | None],
) -> tuple[Subscription | None, Subscription | None]:
    """Store what `decide` makes of a channel's subscription; give it as it was and as it is."""
    before = _of(connection, channel)
    after = decide(before)
    number = before.id if before else None
    if after is None:
        if number is not None:
            connection.execute(delete(SUBSCRIPTIONS).where(SUBSCRIPTIONS.c.id == number))
            delivery_rows.forget_unfinished(connection, number)
        return before, None
    kept = {
        "is_paused": bool(after.paused),
        "due_next": earliest_due(after),
        "told_to": after.last_delivered_end,
        "its_body": codec.dump(after),
    }
    if number is None:
        row = {
            **columns(channel),
            "paused": kept["is_paused"],
            "next_due_at": kept["due_next"],
            "told_until": kept["told_to"],
            "body": kept["its_body"],
        }
        number = connection.scalars(_ADD, row).one()
    else:
        if before and after.paused and not before.paused:
            delivery_rows.stop_telling(connection, number)
        connection.execute(_CHANGE, {"subscription": number, **kept})
    return before, replace(after, id=number)


def _read(row: Any) -> Subscription:
    """Return the subscription of a whole row."""
    return replace(codec.load(Subscription, row.body), id=row.id)
