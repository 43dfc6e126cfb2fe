"""Subscriptions, one for each channel, and their slots: claimed by one process, planned, told once.

What is asked for every message, or before every morning, is a statement made once: to make it costs
more than to ask it. It is asked for all who ask at a time (`digest.store.batches.Joined`).
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import islice
from typing import Any, TypeAlias

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
    loaded,
    of_each,
    readable,
    turn,
)
from digest import codec
from digest.errors import BadAnswer
from digest.leases import LeaseLost
from digest.store.batches import Joined
from digest.store.database import Stored
from digest.store.store import LONGEST_LEASE

PAGE = 200
"""Subscriptions that are read at once: some hundredths of a second."""

_ACTIVE = (
    select(SUBSCRIPTIONS).where(SUBSCRIPTIONS.c.paused.is_(False)).order_by(SUBSCRIPTIONS.c.id)
)
_OF_CHANNELS = of_each(SUBSCRIPTIONS)

PAUSED = "paused"
"""Who holds what was being told when its channel was paused: no process has this name."""

UNFINISHED = (DeliveryState.CLAIMED.value, DeliveryState.PLANNED.value)

_IS_UNFINISHED = or_(*(DELIVERIES.c.state == state for state in UNFINISHED))

_OF_SLOTS_OR_BEGUN = (
    select(
        DELIVERIES,
        SUBSCRIPTIONS.c.id.label("subscribed"),
        SUBSCRIPTIONS.c.paused.label("paused"),
        SUBSCRIPTIONS.c.body.label("subscription"),
    )
    .select_from(SUBSCRIPTIONS)
    .join(
        DELIVERIES,
        and_(
            DELIVERIES.c.subscription_id == SUBSCRIPTIONS.c.id,
            or_(DELIVERIES.c.local_date.in_(bindparam("dates", expanding=True)), _IS_UNFINISHED),
        ),
        isouter=True,
    )
    .where(SUBSCRIPTIONS.c.id.in_(bindparam("ids", expanding=True)))
)
"""Subscriptions, each with its deliveries that matter, or with none."""

_HELD = update(DELIVERIES).where(
    DELIVERIES.c.id == bindparam("its_id"), DELIVERIES.c.owner == bindparam("its_owner")
)
_TAKE = update(DELIVERIES).where(DELIVERIES.c.id == bindparam("its_id"))
_BEGIN = insert(DELIVERIES).returning(DELIVERIES.c.id, sort_by_parameter_order=True)
_CHANGE = update(SUBSCRIPTIONS).where(SUBSCRIPTIONS.c.id == bindparam("its_id"))

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

Decide: TypeAlias = Callable[[Subscription | None], Subscription | None]
"""Makes of a channel's subscription, as it is stored, what it is to be; None takes it away."""

AROUND_A_MOMENT = 4
"""Slots among which is one before a moment: a local date is at most a day away from UTC's."""


class Subscriptions(Stored):
    """The stored subscriptions. Every method raises `StoreFailed`."""

    async def of(self, channel: Channel) -> Subscription | None:
        """Return the subscription of a channel, or None."""
        rows = await self._database.read(Joined(_OF_CHANNELS, channel))
        return _subscribed(rows)

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
        decide: Decide,
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
            ((before, after),) = _change_each(connection, [(channel, decide)])
            if after and before is None and shown_at_once and now:
                slot = shown_at_once(after)
                waiting = Delivery(0, channel, slot, DeliveryState.CLAIMED, "", now)
                _begin_each(connection, [waiting])
            return after

        return await self._database.write(work, turn(channel))


def _subscribed(rows: Sequence[Any]) -> Subscription | None:
    """Return the subscription in the rows of a channel, or None."""
    return loaded(rows[0], Subscription) if rows else None


def _change_each(
    connection: Connection, wanted: Sequence[tuple[Channel, Decide]]
) -> list[tuple[Subscription | None, Subscription | None]]:
    """Store what is decided of the subscriptions of channels; gives each as it was and as it is."""
    changes: list[tuple[Subscription | None, Subscription | None]] = []
    changed: list[dict[str, object]] = []
    stored = _OF_CHANNELS(connection, [channel for channel, _ in wanted])
    for (channel, decide), rows in zip(wanted, stored, strict=True):
        before = _subscribed(rows)
        after = decide(before)
        number = before.id if before else None
        if after is None:
            if number is not None:
                connection.execute(delete(SUBSCRIPTIONS).where(SUBSCRIPTIONS.c.id == number))
                _forget_unfinished(connection, number)
            changes.append((before, None))
            continue
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
            changed.append({"its_id": number, **row})
        changes.append((before, replace(after, id=number)))
    if changed:
        connection.execute(_CHANGE, changed)
    return changes


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
        wanted = _Claim(slot, channel, owner, now, until)
        return await self._database.write(Joined(_claim_each, wanted), turn(channel))

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
        planned = _Plan(delivery, posts, nudged, complete, silent, corrected)
        return await self._database.write(Joined(_plan_each, planned), turn(delivery.channel))

    async def advance(self, delivery: Delivery, post: Post) -> None:
        """Store how far one message is, of a delivery that is still held; `LeaseLost` if not.

        After one that was sent the next failure counts as the first.
        """
        if delivery.tries and post.state is PostState.SENT:
            await self._change(delivery, tries=0, retry_at=None)
        step: dict[str, object] = {
            "post": post.id,
            "to_state": post.state.value,
            "to_ref": post.ref,
        }
        step |= {"delivery": delivery.id, "by": delivery.owner}
        if not await self._database.write(Joined(_steps, step), turn(delivery.channel)):
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
        decide: Decide,
        entry: LogEntry | None = None,
    ) -> None:
        """Close a delivery as told, with what `decide` makes of the channel's subscription.

        `entry` is what the channel's log says of it.
        """
        finished = (delivery, decide, entry)
        await self._database.write(Joined(_finish_each, finished), turn(delivery.channel))

    async def supersede(self, delivery: Delivery) -> None:
        """Close a delivery whose days are told with a later one.

        It forgets the messages that it planned and whom they reminded.
        """

        def work(connection: Connection) -> None:
            _close(connection, [delivery], DeliveryState.SUPERSEDED)
            _forget_planned(connection, delivery)
            forget_reminders(connection, delivery.channel, delivery.slot.due_at)
            clear_shown_in(connection, delivery.channel, delivery.slot.due_at)

        await self._database.write(work, turn(delivery.channel))

    async def _change(self, delivery: Delivery, **values: object) -> None:
        await self._database.write(
            lambda c: _change_held(c, [(delivery, values)]), turn(delivery.channel)
        )


def _steps(connection: Connection, steps: Sequence[dict[str, object]]) -> list[int]:
    """Store how far messages are; gives how many rows each step changed."""
    if connection.execute(_STEP, steps).rowcount == len(steps):
        return [1] * len(steps)
    return [connection.execute(_STEP, step).rowcount for step in steps]


def _change_held(
    connection: Connection, changes: Sequence[tuple[Delivery, Mapping[str, object]]]
) -> None:
    """Change the same columns of deliveries that are still held; `LeaseLost` if one is not."""
    rows = [
        {"its_id": delivery.id, "its_owner": delivery.owner, **values}
        for delivery, values in changes
    ]
    if connection.execute(_HELD, rows).rowcount != len(rows):
        raise _lost(changes[0][0])  # of several each is tried by itself


def _close(connection: Connection, deliveries: Sequence[Delivery], state: DeliveryState) -> None:
    closed = {"state": state.value, "owner": "", "retry_at": None}
    _change_held(connection, [(delivery, closed) for delivery in deliveries])


@dataclass(frozen=True, slots=True)
class _Plan:
    """What `Deliveries.plan` is given."""

    delivery: Delivery
    posts: Sequence[Post]
    nudged: Sequence[FollowUp]
    complete: bool
    silent: bool
    corrected: Sequence[Correction]

    @property
    def values(self) -> Mapping[str, object]:
        """The columns of the delivery."""
        return {
            "state": DeliveryState.PLANNED.value,
            "tries": 0,
            "retry_at": None,
            "complete": self.complete,
            "silent": self.silent,
            "body": codec.dump(self.delivery.slot),
        }


def _plan_each(connection: Connection, plans: Sequence[_Plan]) -> list[tuple[Post, ...]]:
    """Store plans as `Deliveries.plan` says."""
    _change_held(connection, [(each.delivery, each.values) for each in plans])
    for each in plans:
        for followup in each.nudged:
            save_reminder(connection, followup)
        save_shown_in(connection, each.corrected, each.delivery.slot.due_at)
        if each.delivery.state is DeliveryState.PLANNED:
            _forget_planned(connection, each.delivery)
    kept = iter(plan(connection, [post for each in plans for post in each.posts]))
    return [tuple(islice(kept, len(each.posts))) for each in plans]


def _finish_each(
    connection: Connection, finished: Sequence[tuple[Delivery, Decide, LogEntry | None]]
) -> list[None]:
    """Close deliveries as `Deliveries.finish` says."""
    _close(connection, [delivery for delivery, _, _ in finished], DeliveryState.DELIVERED)
    _change_each(connection, [(delivery.channel, decide) for delivery, decide, _ in finished])
    entries = [(delivery.channel, entry) for delivery, _, entry in finished if entry]
    records.write_entries(connection, entries)
    return [None] * len(finished)


def _forget_planned(connection: Connection, delivery: Delivery) -> None:
    is_planned = POSTS.c.state == PostState.PLANNED.value
    connection.execute(delete(POSTS).where(is_planned, POSTS.c.delivery_id == delivery.id))


def _lost(delivery: Delivery) -> LeaseLost:
    return LeaseLost(f"delivery {delivery.id} is not held any more")


@dataclass(frozen=True, slots=True)
class _Claim:
    """What `Deliveries.claim` is given."""

    slot: Slot
    channel: Channel
    owner: str
    now: datetime
    until: datetime


def _claim_each(connection: Connection, claims: Sequence[_Claim]) -> list[Delivery | None]:
    """Take slots as `Deliveries.claim` says."""
    ids = {each.slot.subscription_id for each in claims}
    dates = {each.slot.local_date for each in claims}
    rows: dict[int, list[Any]] = {number: [] for number in ids}
    for row in connection.execute(_OF_SLOTS_OR_BEGUN, {"ids": list(ids), "dates": list(dates)}):
        rows[row.subscribed].append(row)
    claimed = [_claimed(each, rows[each.slot.subscription_id]) for each in claims]
    taken = [
        {"its_id": each.id, "owner": each.owner, "lease_until": each.lease_until}
        for each in claimed
        if each and each.id
    ]
    if taken:
        connection.execute(_TAKE, taken)
    begun = iter(_begin_each(connection, [each for each in claimed if each and not each.id]))
    return [each if each is None or each.id else next(begun) for each in claimed]


def _claimed(claim: _Claim, rows: Sequence[Any]) -> Delivery | None:
    """Return the delivery as whoever claims it has it, with the id 0 where it is to be stored.

    `rows` are of its subscription. None where it is not to be had.
    """
    if not rows or rows[0].paused:  # where it was taken away, its deliveries closed with it
        return None
    slot = claim.slot
    row = next((row for row in rows if row.local_date == slot.local_date), None)
    if row is None:
        begun = next((row for row in rows if row.state in UNFINISHED), None)
        if begun:
            read_delivery(begun)  # it is another's, unless it cannot be read: then it is nobody's
            return None
        if not _is_wanted(rows[0], slot):
            return None
        return Delivery(0, claim.channel, slot, DeliveryState.CLAIMED, claim.owner, claim.until)
    is_held = row.owner and claim.now < row.lease_until <= claim.now + LONGEST_LEASE
    if row.state not in UNFINISHED or is_held:
        return None
    return replace(read_delivery(row), owner=claim.owner, lease_until=claim.until)


def _begin_each(connection: Connection, deliveries: Sequence[Delivery]) -> list[Delivery]:
    """Store deliveries that are not stored yet, and give them with their ids."""
    if not deliveries:
        return []
    rows = [
        {
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
        for delivery in deliveries
    ]
    ids = connection.scalars(_BEGIN, rows).all()
    return [replace(each, id=id) for each, id in zip(deliveries, ids, strict=True)]


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
