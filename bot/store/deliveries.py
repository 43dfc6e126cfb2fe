"""Slots being told: claimed by one process at a time, planned whole, told once."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Update, delete, exists, update
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.channels import Channel, Platform
from bot.followups import FollowUp
from bot.posts import Delivery, DeliveryState, Post, PostState
from bot.slots import Slot
from bot.store.followups import forget_reminders, save_reminder
from bot.store.places import columns, turn
from bot.store.posts import post_row
from bot.store.tables import DeliveryRow, PostRow, SourceRecordRow, SubscriptionRow
from bot.subscriptions import Subscription
from digest import codec
from digest.store.database import Database

LONGEST_LEASE = timedelta(minutes=15)
"""No process holds a delivery for so long: such a lease was taken by a clock that ran ahead."""

PAUSED = "paused"
"""Who holds what was being told when its channel was paused: no process has this name."""

UNFINISHED = (DeliveryState.CLAIMED.value, DeliveryState.PLANNED.value)


class LeaseLost(Exception):
    """Another process has taken the delivery over: leave it alone."""


class Deliveries:
    """The stored deliveries. Every method raises `StoreFailed`.

    Methods that take a claimed delivery raise `LeaseLost` if it is another's by now.
    """

    def __init__(self, database: Database) -> None:
        """Take an open database."""
        self._database = database

    async def unfinished(self) -> dict[int, Delivery]:
        """Give the oldest delivery that is not told for each subscription, by its id."""
        query = (
            select(DeliveryRow)
            .where(col(DeliveryRow.state).in_(UNFINISHED))
            .order_by(col(DeliveryRow.local_date).desc())
        )
        async with self._database.reading() as session:
            rows = (await session.exec(query)).all()
        return {row.subscription_id: _delivery(row) for row in rows}

    async def told_since(self, moment: datetime) -> tuple[Delivery, ...]:
        """Give what was told of slots that were due at or after a moment (UTC), oldest first."""
        query = (
            select(DeliveryRow)
            .where(
                col(DeliveryRow.state) == DeliveryState.TOLD.value,
                # A local date is at most a day away from that of its moment in UTC.
                col(DeliveryRow.local_date) >= (moment - timedelta(days=1)).date(),
            )
            .order_by(col(DeliveryRow.id))
        )
        async with self._database.reading() as session:
            deliveries = [_delivery(row) for row in (await session.exec(query)).all()]
        return tuple(each for each in deliveries if each.slot.due_at >= moment)

    async def claim(
        self, slot: Slot, channel: Channel, owner: str, now: datetime, until: datetime
    ) -> Delivery | None:
        """Take a slot, or a delivery of it whose lease is over; None if it is told or another's.

        A slot that is not begun is only taken where its days are still untold and nobody tells
        another slot of the subscription: who asks may have looked long ago.
        """
        query = select(DeliveryRow).where(
            col(DeliveryRow.subscription_id) == slot.subscription_id,
            col(DeliveryRow.local_date) == slot.local_date,
        )
        async with self._database.saving(turn(channel)) as session:
            row = (await session.exec(query)).first()
            if row is None:
                if not await _is_wanted(session, slot):
                    return None
                wanted = Delivery(0, channel, slot, DeliveryState.CLAIMED, owner, until)
                row = delivery_row(wanted)
            elif row.state not in UNFINISHED or _is_held(row, now):
                return None
            row.owner, row.lease_until = owner, until
            session.add(row)
            await session.flush()
            return _delivery(row)

    async def renew(self, delivery: Delivery, until: datetime) -> None:
        """Hold a claimed delivery for longer."""
        await self._set_held(delivery, lease_until=until)

    async def plan(
        self,
        delivery: Delivery,
        posts: Sequence[Post],
        nudged: Sequence[FollowUp],
        *,
        complete: bool,
        silent: bool = False,
    ) -> tuple[Post, ...]:
        """Keep every message of a delivery before the first is sent, all or none.

        `nudged` are follow-ups as they are after the reminder that the messages hold. `complete`
        is false where the days have to be told again, since nothing could be looked at; `silent`
        is true where nothing happened in them.
        """
        async with self._held(delivery) as session:
            values = {"state": DeliveryState.PLANNED.value, "complete": complete, "silent": silent}
            await _set(session, delivery, tries=0, retry_at=None, **values)
            rows = [post_row(post) for post in posts]
            session.add_all(rows)
            for followup in nudged:
                await save_reminder(session, followup)
            await session.flush()
            return tuple(replace(post, id=row.id) for post, row in zip(posts, rows, strict=True))

    async def advance(self, delivery: Delivery, post: Post) -> None:
        """Keep how far one message is, of a delivery that is still held; `LeaseLost` if not.

        After one that was sent the next failure counts as the first.
        """
        if delivery.tries and post.state is PostState.SENT:
            await self._set_held(delivery, tries=0, retry_at=None)
        step = update(PostRow).where(col(PostRow.id) == post.id, exists().where(*_of(delivery)))
        await self._do_held(delivery, step.values(state=post.state.value, ref=post.ref))

    async def tries(self, delivery: Delivery) -> int:
        """Give how often a delivery failed in a row, since its last message was sent."""
        query = select(DeliveryRow.tries).where(col(DeliveryRow.id) == delivery.id)
        async with self._database.reading() as session:
            return (await session.exec(query)).first() or 0

    async def wait(self, delivery: Delivery, tries: int, retry_at: datetime) -> None:
        """Put a delivery aside after a failure; any process may go on with it then."""
        await self._set_held(delivery, owner="", tries=tries, retry_at=retry_at)

    async def release(self, delivery: Delivery) -> None:
        """Leave a delivery to whoever comes next."""
        await self._set_held(delivery, owner="")

    async def finish(self, delivery: Delivery, state: DeliveryState) -> None:
        """Close a delivery for ever.

        One that is superseded forgets the messages that it planned and whom they reminded.
        """
        closed = {"state": state.value, "owner": "", "retry_at": None}
        if state is not DeliveryState.SUPERSEDED:
            await self._set_held(delivery, **closed)
            return
        async with self._held(delivery) as session:
            await _set(session, delivery, **closed)
            planned = col(PostRow.state) == PostState.PLANNED.value
            mine = col(PostRow.delivery_id) == delivery.id
            await session.exec(delete(PostRow).where(mine, planned))
            await forget_reminders(session, delivery.channel, delivery.slot.due_at)

    async def _set_held(self, delivery: Delivery, **values: object) -> None:
        await self._do_held(delivery, update(DeliveryRow).where(*_of(delivery)).values(**values))

    async def _do_held(self, delivery: Delivery, statement: Update) -> None:
        """Do what changes a row only while the delivery is held; `LeaseLost` where it is not."""
        if not await self._database.do(statement):
            raise LeaseLost(f"delivery {delivery.id} is not held any more")

    @asynccontextmanager
    async def _held(self, delivery: Delivery) -> AsyncIterator[AsyncSession]:
        query = select(DeliveryRow.owner).where(col(DeliveryRow.id) == delivery.id)
        async with self._database.saving(turn(delivery.channel)) as session:
            if (await session.exec(query)).first() != delivery.owner:
                raise LeaseLost(f"delivery {delivery.id} is not held any more")
            yield session


def _of(delivery: Delivery) -> tuple[ColumnElement[bool], ...]:
    """Give what is true of a delivery's row while this process holds it."""
    return (col(DeliveryRow.id) == delivery.id, col(DeliveryRow.owner) == delivery.owner)


async def _is_wanted(session: AsyncSession, slot: Slot) -> bool:
    """Tell whether a subscription, as it is stored now, is still to be told of a slot."""
    row = await session.get(SubscriptionRow, slot.subscription_id)
    if row is None or row.paused:
        return False
    stored = codec.load(Subscription, row.body)
    if stored.last_told_date and slot.local_date <= stored.last_told_date:
        return False
    if stored.last_told_end and slot.window.start < stored.last_told_end:
        return False
    mine = col(DeliveryRow.subscription_id) == slot.subscription_id
    begun = select(DeliveryRow.id).where(mine, col(DeliveryRow.state).in_(UNFINISHED))
    return (await session.exec(begun)).first() is None


def _is_held(row: DeliveryRow, now: datetime) -> bool:
    return bool(row.owner) and now < row.lease_until <= now + LONGEST_LEASE


async def stop_telling(session: AsyncSession, subscription_id: int | None) -> None:
    """Have whoever tells a subscription stop before its next message.

    Nobody goes on with it before the lease is over: a message may still be in flight.
    """
    mine = col(DeliveryRow.subscription_id) == subscription_id
    told_now = (col(DeliveryRow.state).in_(UNFINISHED), col(DeliveryRow.owner) != "")
    await session.exec(update(DeliveryRow).where(mine, *told_now).values(owner=PAUSED))


async def forget_unfinished(session: AsyncSession, subscription_id: int | None) -> None:
    """Close what is not told of a subscription that is taken away."""
    mine = col(DeliveryRow.subscription_id) == subscription_id
    waiting = col(DeliveryRow.state).in_(UNFINISHED)
    closed = {"state": DeliveryState.SUPERSEDED.value, "owner": ""}
    await session.exec(update(DeliveryRow).where(mine, waiting).values(**closed))
    records = col(SourceRecordRow.subscription_id) == subscription_id
    await session.exec(delete(SourceRecordRow).where(records))


async def _set(session: AsyncSession, delivery: Delivery, **values: object) -> None:
    of_delivery = col(DeliveryRow.id) == delivery.id
    await session.exec(update(DeliveryRow).where(of_delivery).values(**values))


def delivery_row(delivery: Delivery) -> DeliveryRow:
    """Give the row of a delivery that is not stored yet."""
    return DeliveryRow(
        **columns(delivery.channel),
        subscription_id=delivery.slot.subscription_id,
        local_date=delivery.slot.local_date,
        state=delivery.state.value,
        owner=delivery.owner,
        lease_until=delivery.lease_until,
        tries=delivery.tries,
        retry_at=delivery.retry_at,
        complete=delivery.complete,
        body=codec.dump(delivery.slot),
    )


def _delivery(row: DeliveryRow) -> Delivery:
    assert row.id is not None  # a row that was read has its id
    return Delivery(
        row.id,
        Channel(Platform(row.platform), row.workspace, row.channel),
        codec.load(Slot, row.body),
        DeliveryState(row.state),
        row.owner,
        row.lease_until,
        row.tries,
        row.retry_at,
        row.complete,
        bool(row.silent),
    )
