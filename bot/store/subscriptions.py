"""Subscriptions, one for each channel."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime

import structlog
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.channels import Channel, Platform
from bot.posts import Delivery, DeliveryState
from bot.slots import Slot
from bot.store.deliveries import delivery_row, forget_unfinished, stop_telling
from bot.store.places import columns, turn, within
from bot.store.tables import SubscriptionRow
from bot.subscriptions import Subscription
from digest import codec
from digest.errors import BadAnswer
from digest.store.database import Database

PAGE = 200
"""Subscriptions that are read at once: some hundredths of a second."""


log = structlog.get_logger()


class Subscriptions:
    """The stored subscriptions. Every method raises `StoreFailed`."""

    def __init__(self, database: Database) -> None:
        """Take an open database."""
        self._database = database

    async def of(self, channel: Channel) -> Subscription | None:
        """Give the subscription of a channel, or None."""
        query = select(SubscriptionRow).where(*within(SubscriptionRow, channel))
        async with self._database.reading() as session:
            row = (await session.exec(query)).first()
        return _subscription(row) if row else None

    async def active(self) -> tuple[Subscription, ...]:
        """Give every subscription that is not paused, the oldest first."""
        query = (
            select(SubscriptionRow)
            .where(col(SubscriptionRow.paused).is_(False))
            .order_by(col(SubscriptionRow.id))
        )
        async with self._database.reading() as session:
            rows = (await session.exec(query)).all()
        return tuple(_readable(rows))

    async def each_active(self) -> AsyncIterator[Subscription]:
        """Give every subscription that is not paused, some at a time, so that others may go on."""
        last = 0
        while True:
            query = (
                select(SubscriptionRow)
                .where(col(SubscriptionRow.paused).is_(False), col(SubscriptionRow.id) > last)
                .order_by(col(SubscriptionRow.id))
                .limit(PAGE)
            )
            async with self._database.reading() as session:
                rows = (await session.exec(query)).all()
            for subscription in _readable(rows):
                yield subscription
            if len(rows) < PAGE:
                return
            last = rows[-1].id or last
            await asyncio.sleep(0)

    async def paused(self) -> tuple[Subscription, ...]:
        """Give every subscription that is paused, by a person or by what became of its channel."""
        query = select(SubscriptionRow).where(col(SubscriptionRow.paused).is_(True))
        async with self._database.reading() as session:
            rows = (await session.exec(query)).all()
        return tuple(_readable(rows))

    async def workspaces(self, platform: Platform) -> tuple[str, ...]:
        """Give every workspace of a platform that has a subscription."""
        query = select(SubscriptionRow.workspace).where(
            col(SubscriptionRow.platform) == platform.value
        )
        async with self._database.reading() as session:
            return tuple((await session.exec(query.distinct())).all())

    async def of_workspace(self, platform: Platform, workspace: str) -> tuple[Subscription, ...]:
        """Give every subscription of a workspace."""
        query = select(SubscriptionRow).where(
            col(SubscriptionRow.platform) == platform.value,
            col(SubscriptionRow.workspace) == workspace,
        )
        async with self._database.reading() as session:
            rows = (await session.exec(query)).all()
        return tuple(_readable(rows))

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
        that slot, which is then due. What `decide` raises changes nothing.
        """
        async with self._database.saving(turn(channel)) as session:
            row = await _row(session, channel)
            after = decide(_subscription(row) if row else None)
            if after is None:
                if row:
                    await session.delete(row)
                    await forget_unfinished(session, row.id)
                return None
            is_new = row is None
            row = row or SubscriptionRow(**columns(channel), paused=False, body=b"")
            if after.paused and not row.paused:
                await stop_telling(session, row.id)
            row.paused = bool(after.paused)
            row.body = codec.dump(after)
            session.add(row)
            await session.flush()
            stored = replace(after, id=row.id)
            if is_new and shown_at_once and now:
                slot = shown_at_once(stored)
                waiting = Delivery(0, channel, slot, DeliveryState.CLAIMED, "", now)
                session.add(delivery_row(waiting))
            return stored


async def _row(session: AsyncSession, channel: Channel) -> SubscriptionRow | None:
    query = select(SubscriptionRow).where(*within(SubscriptionRow, channel))
    return (await session.exec(query)).first()


def _readable(rows: Sequence[SubscriptionRow]) -> Iterator[Subscription]:
    """Give subscriptions; one that another version wrote must not keep all others from theirs."""
    for row in rows:
        try:
            yield _subscription(row)
        except BadAnswer as error:
            log.error("subscription not readable", subscription=row.id, reason=str(error))


def _subscription(row: SubscriptionRow) -> Subscription:
    return replace(codec.load(Subscription, row.body), id=row.id)
