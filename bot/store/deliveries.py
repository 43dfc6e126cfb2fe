"""Subscriptions, one for each channel, and their slots: claimed by one process, planned, told once.

What is asked for every message, or before every morning, is a statement made once: to make it costs
more than to ask it.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    Connection,
    and_,
    bindparam,
    delete,
    exists,
    insert,
    or_,
    select,
    update,
)

from bot.model.channels import Channel, Platform
from bot.model.following import Correction
from bot.model.followups import FollowUp
from bot.model.posts import Delivery, DeliveryState, Post, PostState
from bot.model.records import LogEntry
from bot.model.slots import Slot, earliest_due
from bot.model.subscriptions import Subscription
from bot.store import records
from bot.store.followups import forget_reminders, save_reminder
from bot.store.posts import clear_shown_in, plan, save_shown_in
from bot.store.tables import (
    DELIVERIES,
    PLACE,
    POSTS,
    SOURCE_RECORDS,
    SUBSCRIPTIONS,
    channel_of,
    columns,
    its,
    loaded,
    of_channel,
    readable,
    turn,
)
from digest import codec
from digest.errors import BadAnswer
from digest.leases import LeaseLost
from digest.store.database import Stored
from digest.store.store import LONGEST_LEASE

PAGE = 200
"""Subscriptions that are read at once: some hundredths of a second."""

_ACTIVE = (
    select(SUBSCRIPTIONS).where(SUBSCRIPTIONS.c.paused.is_(False)).order_by(SUBSCRIPTIONS.c.id)
)
_OF_CHANNEL = select(SUBSCRIPTIONS).where(*of_channel(SUBSCRIPTIONS))

PAUSED = "paused"
"""Who holds what was being told when its channel was paused: no process has this name."""

UNFINISHED = (DeliveryState.CLAIMED.value, DeliveryState.PLANNED.value)

_IS_UNFINISHED = or_(*(DELIVERIES.c.state == state for state in UNFINISHED))

_OF_SLOT_OR_BEGUN = (
    select(
        DELIVERIES,
        SUBSCRIPTIONS.c.paused.label("paused"),
        SUBSCRIPTIONS.c.body.label("subscription"),
    )
    .select_from(SUBSCRIPTIONS)
    .join(
        DELIVERIES,
        and_(
            DELIVERIES.c.subscription_id == SUBSCRIPTIONS.c.id,
            or_(DELIVERIES.c.local_date == bindparam("date"), _IS_UNFINISHED),
        ),
        isouter=True,
    )
    .where(SUBSCRIPTIONS.c.id == bindparam("its_id"))
)
"""A subscription with its deliveries that matter, or with none."""

_STEP = (
    update(POSTS)
    .where(
        POSTS.c.id == bindparam("post"),
        exists().where(
            DELIVERIES.c.id == bindparam("delivery"), DELIVERIES.c.owner == bindparam("by")
        ),
    )
    .values(state=bindparam("to_state"), ref=bindparam("to_ref"))
)
"""How far a message is, of a delivery that is still held."""

AROUND_A_MOMENT = 4
"""Slots among which is one before a moment: a local date is at most a day away from UTC's."""


class Subscriptions(Stored):
    """The stored subscriptions. Every method raises `StoreFailed`."""

    async def of(self, channel: Channel) -> Subscription | None:
        """Return the subscription of a channel, or None."""
        return await self._database.read(lambda c: _of(c, channel))

    async def active(self) -> tuple[Subscription, ...]:
        """Return every subscription that is not paused, the oldest first."""
        return readable(await self._all_rows(_ACTIVE), Subscription)

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
            for subscription in readable(await self._all_rows(page), Subscription):
                yield subscription
            await asyncio.sleep(0)

    async def paused(self) -> tuple[Subscription, ...]:
        """Return every paused subscription, be it by a person or by what became of its channel."""
        query = select(SUBSCRIPTIONS).where(SUBSCRIPTIONS.c.paused.is_(True))
        return readable(await self._all_rows(query), Subscription)

    async def of_workspace(self, platform: Platform, workspace: str) -> tuple[Subscription, ...]:
        """Return every subscription of a workspace."""
        query = select(SUBSCRIPTIONS).where(
            SUBSCRIPTIONS.c.platform == platform.value,
            SUBSCRIPTIONS.c.workspace == workspace,
        )
        return readable(await self._all_rows(query), Subscription)

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
            before, after = _change(connection, channel, decide)
            if after and before is None and shown_at_once and now:
                slot = shown_at_once(after)
                waiting = Delivery(0, channel, slot, DeliveryState.CLAIMED, "", now)
                _begin(connection, waiting)
            return after

        return await self._database.write(work, turn(channel))


def _of(connection: Connection, channel: Channel) -> Subscription | None:
    """Return the subscription of a channel, or None."""
    row = connection.execute(_OF_CHANNEL, its(channel)).first()
    return loaded(row, Subscription) if row else None


def _change(
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
            _forget_unfinished(connection, number)
        return before, None
    row = {
        "paused": bool(after.paused),
        "next_due_at": earliest_due(after),
        "told_until": after.last_delivered_end,
        "body": codec.dump(after),
    }
    if number is None:
        add = insert(SUBSCRIPTIONS).returning(SUBSCRIPTIONS.c.id)
        number = connection.scalars(add, columns(channel) | row).one()
    else:
        if before and after.paused and not before.paused:
            _stop_telling(connection, number)
        connection.execute(update(SUBSCRIPTIONS).where(SUBSCRIPTIONS.c.id == number).values(row))
    return before, replace(after, id=number)


class Deliveries(Stored):
    """The stored deliveries. Every method raises `StoreFailed`.

    Methods that take a claimed delivery raise `LeaseLost` if it is another's by now.
    """

    async def unfinished(self) -> dict[int, Delivery]:
        """Return the oldest delivery that is not finished of each subscription, by its id.

        One that cannot be read is left out: `claim` raises why.
        """
        query = (
            select(DELIVERIES)
            .where(DELIVERIES.c.state.in_(UNFINISHED))
            .order_by(DELIVERIES.c.local_date.desc())
        )
        rows = await self._all_rows(query)
        found = {}
        for row in rows:
            with contextlib.suppress(BadAnswer):
                found[row.subscription_id] = read_delivery(row)
        return found

    async def delivered_since(
        self, moment: datetime, platforms: Collection[Platform]
    ) -> dict[int, Channel]:
        """Return the delivered ones since a moment's date by their ids, with their channels."""
        query = select(DELIVERIES).where(
            DELIVERIES.c.state == DeliveryState.DELIVERED.value,
            DELIVERIES.c.local_date >= moment.date(),
            DELIVERIES.c.platform.in_(platforms),
        )
        query = query.with_only_columns(DELIVERIES.c.id, *(DELIVERIES.c[name] for name in PLACE))
        return {row.id: channel_of(row) for row in await self._all_rows(query)}

    async def last_delivered(self, subscription: Subscription, moment: datetime) -> Slot | None:
        """Return the last delivered slot of a subscription whose days are over by a moment."""
        query = (
            select(DELIVERIES)
            .where(
                DELIVERIES.c.subscription_id == subscription.id,
                DELIVERIES.c.state == DeliveryState.DELIVERED.value,
                DELIVERIES.c.complete,
                DELIVERIES.c.local_date <= (moment + timedelta(days=1)).date(),
            )
            .order_by(DELIVERIES.c.local_date.desc())
            .limit(AROUND_A_MOMENT)
        )
        rows = await self._all_rows(query)
        slots = (read_delivery(row).slot for row in rows)
        return next((slot for slot in slots if slot.window.end <= moment), None)

    async def claim(
        self, slot: Slot, channel: Channel, owner: str, now: datetime, until: datetime
    ) -> Delivery | None:
        """Take a slot, or a delivery of it whose lease is over.

        None if it is told or another's, and where the subscription is paused or gone.
        A slot that is not begun is only taken where its days are still untold and nobody tells
        another slot of the subscription: who asks may have looked long ago. Raises `BadAnswer`
        where what was begun of the subscription cannot be read.
        """
        return await self._database.write(
            lambda c: _claim(c, slot, channel, owner, now, until), turn(channel)
        )

    async def renew(self, delivery: Delivery, until: datetime) -> None:
        """Hold a claimed delivery for longer."""
        await self._change(delivery, lease_until=until)

    async def plan(
        self,
        delivery: Delivery,
        posts: Sequence[Post],
        nudged: Sequence[FollowUp],
        *,
        complete: bool,
        silent: bool = False,
        corrected: Sequence[Correction] = (),
    ) -> tuple[Post, ...]:
        """Store every message of a delivery before the first is sent, all or none.

        They come in the place of those that were planned before, of which none was sent.
        `nudged` are follow-ups as they are after the reminder that the messages hold. The slot is
        kept with what could not be looked at. `complete` is false where the days have to be told
        again, since nothing could be looked at; `silent` is true where nothing happened in them.
        `corrected` is what the messages correct.
        """

        def work(connection: Connection) -> tuple[Post, ...]:
            _change_held(
                connection,
                delivery,
                state=DeliveryState.PLANNED.value,
                tries=0,
                retry_at=None,
                complete=complete,
                silent=silent,
                body=codec.dump(delivery.slot),
            )
            for followup in nudged:
                save_reminder(connection, followup)
            save_shown_in(connection, corrected, delivery.slot.due_at)
            if delivery.state is DeliveryState.PLANNED:
                _forget_planned(connection, delivery)
            return plan(connection, posts)

        return await self._database.write(work, turn(delivery.channel))

    async def advance(self, delivery: Delivery, post: Post) -> None:
        """Store how far one message is, of a delivery that is still held; `LeaseLost` if not.

        After one that was sent the next failure counts as the first.
        """
        if delivery.tries and post.state is PostState.SENT:
            await self._change(delivery, tries=0, retry_at=None)
        step = {"post": post.id, "to_state": post.state.value, "to_ref": post.ref}
        step |= {"delivery": delivery.id, "by": delivery.owner}
        if not await self._execute(_STEP, turn(delivery.channel), step):
            raise _lost(delivery)

    async def tries(self, delivery: Delivery) -> int:
        """Return how often a delivery failed in a row, since its last message was sent."""
        query = select(DELIVERIES.c.tries).where(DELIVERIES.c.id == delivery.id)
        return await self._database.read(lambda c: c.scalar(query)) or 0

    async def wait(self, delivery: Delivery, tries: int, retry_at: datetime) -> None:
        """Put a delivery aside after a failure; any process may go on with it then."""
        await self._change(delivery, owner="", tries=tries, retry_at=retry_at)

    async def release(self, delivery: Delivery) -> None:
        """Leave a delivery to whoever comes next."""
        await self._change(delivery, owner="")

    async def finish(
        self,
        delivery: Delivery,
        decide: Callable[[Subscription | None], Subscription | None],
        entry: LogEntry | None = None,
    ) -> None:
        """Close a delivery as told, with what `decide` makes of the channel's subscription.

        `entry` is what the channel's log says of it.
        """

        def work(connection: Connection) -> None:
            _close(connection, delivery, DeliveryState.DELIVERED)
            _change(connection, delivery.channel, decide)
            if entry:
                records.write_entry(connection, delivery.channel, entry)

        await self._database.write(work, turn(delivery.channel))

    async def supersede(self, delivery: Delivery) -> None:
        """Close a delivery whose days are told with a later one.

        It forgets the messages that it planned and whom they reminded.
        """

        def work(connection: Connection) -> None:
            _close(connection, delivery, DeliveryState.SUPERSEDED)
            _forget_planned(connection, delivery)
            forget_reminders(connection, delivery.channel, delivery.slot.due_at)
            clear_shown_in(connection, delivery.channel, delivery.slot.due_at)

        await self._database.write(work, turn(delivery.channel))

    async def _change(self, delivery: Delivery, **values: object) -> None:
        await self._database.write(
            lambda c: _change_held(c, delivery, **values), turn(delivery.channel)
        )


def _change_held(connection: Connection, delivery: Delivery, **values: object) -> None:
    """Change the row of a delivery that is still held; `LeaseLost` if not."""
    held = (DELIVERIES.c.id == delivery.id, DELIVERIES.c.owner == delivery.owner)
    if not connection.execute(update(DELIVERIES).where(*held).values(**values)).rowcount:
        raise _lost(delivery)


def _close(connection: Connection, delivery: Delivery, state: DeliveryState) -> None:
    _change_held(connection, delivery, state=state.value, owner="", retry_at=None)


def _forget_planned(connection: Connection, delivery: Delivery) -> None:
    is_planned = POSTS.c.state == PostState.PLANNED.value
    connection.execute(delete(POSTS).where(is_planned, POSTS.c.delivery_id == delivery.id))


def _lost(delivery: Delivery) -> LeaseLost:
    return LeaseLost(f"delivery {delivery.id} is not held any more")


def _claim(
    connection: Connection,
    slot: Slot,
    channel: Channel,
    owner: str,
    now: datetime,
    until: datetime,
) -> Delivery | None:
    """Take a slot as `Deliveries.claim` says."""
    its = {"its_id": slot.subscription_id, "date": slot.local_date}
    rows = connection.execute(_OF_SLOT_OR_BEGUN, its).all()
    if not rows or rows[0].paused:  # where it was taken away, its deliveries closed with it
        return None
    row = next((row for row in rows if row.local_date == slot.local_date), None)
    if row is None:
        if rows[0].id is not None:
            read_delivery(rows[0])  # it is another's, unless it cannot be read: then it is nobody's
            return None
        if not _is_wanted(rows[0], slot):
            return None
        begun = Delivery(0, channel, slot, DeliveryState.CLAIMED, owner, until)
        return _begin(connection, begun)
    is_held = row.owner and now < row.lease_until <= now + LONGEST_LEASE
    if row.state not in UNFINISHED or is_held:
        return None
    this = update(DELIVERIES).where(DELIVERIES.c.id == row.id)
    connection.execute(this.values(owner=owner, lease_until=until))
    return replace(read_delivery(row), owner=owner, lease_until=until)


def _begin(connection: Connection, delivery: Delivery) -> Delivery:
    """Store a delivery that is not stored yet, and give it with its id."""
    row = {
        **columns(delivery.channel),
        "subscription_id": delivery.slot.subscription_id,
        "local_date": delivery.slot.local_date,
        "state": delivery.state.value,
        "owner": delivery.owner,
        "lease_until": delivery.lease_until,
        "tries": delivery.tries,
        "retry_at": delivery.retry_at,
        "complete": delivery.complete,
        "body": codec.dump(delivery.slot),
    }
    add = insert(DELIVERIES).returning(DELIVERIES.c.id)
    return replace(delivery, id=connection.scalars(add, row).one())


def read_delivery(row: Any) -> Delivery:
    """Return the delivery of a whole row."""
    return Delivery(
        row.id,
        channel_of(row),
        codec.load(Slot, row.body),
        DeliveryState(row.state),
        row.owner,
        row.lease_until,
        row.tries,
        row.retry_at,
        row.complete,
        bool(row.silent),
    )


def _stop_telling(connection: Connection, subscription_id: int) -> None:
    """Have whoever tells a subscription stop before its next message.

    Nobody goes on with it before the lease is over: a message may still be in flight.
    """
    mine = DELIVERIES.c.subscription_id == subscription_id
    told_now = update(DELIVERIES).where(mine, _IS_UNFINISHED, DELIVERIES.c.owner != "")
    connection.execute(told_now.values(owner=PAUSED))


def leave_all(connection: Connection) -> None:
    """Leave no delivery to whom it belonged to when a backup was made: nobody has that name now."""
    connection.execute(update(DELIVERIES).values(owner=""))


def _forget_unfinished(connection: Connection, subscription_id: int) -> None:
    """Close what is not told of a subscription that is taken away."""
    waiting = update(DELIVERIES).where(
        DELIVERIES.c.subscription_id == subscription_id, _IS_UNFINISHED
    )
    connection.execute(waiting.values(state=DeliveryState.SUPERSEDED.value, owner=""))
    records = SOURCE_RECORDS.c.subscription_id == subscription_id
    connection.execute(delete(SOURCE_RECORDS).where(records))


def _is_wanted(row: Any, slot: Slot) -> bool:
    """Return whether a subscription, as it is stored now, is still to be told of a slot."""
    stored = codec.load(Subscription, row.subscription)
    if stored.last_delivered_date and slot.local_date <= stored.last_delivered_date:
        return False
    return not (stored.last_delivered_end and slot.window.start < stored.last_delivered_end)
