"""Slots being told: claimed by one process at a time, planned whole, told once."""

import contextlib
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from types import MappingProxyType

from sqlalchemy import Connection, Update, bindparam, delete, exists, select, update

from bot.model.channels import Channel
from bot.model.following import Correction
from bot.model.followups import FollowUp
from bot.model.posts import Delivery, DeliveryState, Post, PostState
from bot.model.records import LogEntry
from bot.model.slots import Slot
from bot.model.subscriptions import Subscription
from bot.store import delivery_rows, records, subscriptions
from bot.store.corrections import clear_shown_in, save_shown_in
from bot.store.delivery_rows import UNFINISHED
from bot.store.followups import forget_reminders, save_reminder
from bot.store.posts import plan
from bot.store.tables import DELIVERIES, POSTS, turn
from digest import codec
from digest.errors import BadAnswer
from digest.leases import LeaseLost
from digest.store.database import Stored

_HELD_BY = (DELIVERIES.c.id == bindparam("delivery"), DELIVERIES.c.owner == bindparam("by"))
"""What is true of a delivery's row while this process holds it."""

_HELD = update(DELIVERIES).where(*_HELD_BY)
_CLOSED: dict[str, object] = {"owner": "", "retry_at": None}
_PLANNED = _HELD.values(
    state=DeliveryState.PLANNED.value,
    tries=0,
    retry_at=None,
    complete=bindparam("is_complete"),
    silent=bindparam("is_silent"),
    body=bindparam("its_body"),
)
_DELIVERED = _HELD.values(state=DeliveryState.DELIVERED.value, **_CLOSED)
_SUPERSEDED = _HELD.values(state=DeliveryState.SUPERSEDED.value, **_CLOSED)
_STEP = (
    update(POSTS)
    .where(POSTS.c.id == bindparam("post"), exists().where(*_HELD_BY))
    .values(state=bindparam("to_state"), ref=bindparam("to_ref"))
)


AROUND_A_MOMENT = 4
"""Slots among which is one before a moment: a local date is at most a day away from UTC's."""


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
                found[row.subscription_id] = delivery_rows.read(row)
        return found

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
        slots = (delivery_rows.read(row).slot for row in rows)
        return next((slot for slot in slots if slot.window.end <= moment), None)

    async def claim(
        self, slot: Slot, channel: Channel, owner: str, now: datetime, until: datetime
    ) -> Delivery | None:
        """Take a slot, or a delivery of it whose lease is over; None if it is told or another's.

        A slot that is not begun is only taken where its days are still untold and nobody tells
        another slot of the subscription: who asks may have looked long ago. Raises `BadAnswer`
        where what was begun of the subscription cannot be read.
        """
        return await self._database.write(
            lambda c: delivery_rows.claim(c, slot, channel, owner, now, until), turn(channel)
        )

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
        corrected: Sequence[Correction] = (),
    ) -> tuple[Post, ...]:
        """Store every message of a delivery before the first is sent, all or none.

        `nudged` are follow-ups as they are after the reminder that the messages hold. The slot is
        kept with what could not be looked at. `complete` is false where the days have to be told
        again, since nothing could be looked at; `silent` is true where nothing happened in them.
        `corrected` is what the messages correct.
        """

        def work(connection: Connection) -> tuple[Post, ...]:
            slot = codec.dump(delivery.slot)
            known = {"is_complete": complete, "is_silent": silent, "its_body": slot}
            _do(connection, delivery, _PLANNED, known)
            for followup in nudged:
                save_reminder(connection, followup)
            save_shown_in(connection, corrected, delivery.slot.due_at)
            return plan(connection, posts)

        return await self._database.write(work, turn(delivery.channel))

    async def advance(self, delivery: Delivery, post: Post) -> None:
        """Store how far one message is, of a delivery that is still held; `LeaseLost` if not.

        After one that was sent the next failure counts as the first.
        """
        if delivery.tries and post.state is PostState.SENT:
            await self._set_held(delivery, tries=0, retry_at=None)
        step = {"post": post.id, "to_state": post.state.value, "to_ref": post.ref}
        await self._do_held(delivery, _STEP, step | _held_by(delivery))

    async def tries(self, delivery: Delivery) -> int:
        """Return how often a delivery failed in a row, since its last message was sent."""
        query = select(DELIVERIES.c.tries).where(DELIVERIES.c.id == delivery.id)
        return await self._database.read(lambda c: c.scalar(query)) or 0

    async def wait(self, delivery: Delivery, tries: int, retry_at: datetime) -> None:
        """Put a delivery aside after a failure; any process may go on with it then."""
        await self._set_held(delivery, owner="", tries=tries, retry_at=retry_at)

    async def release(self, delivery: Delivery) -> None:
        """Leave a delivery to whoever comes next."""
        await self._set_held(delivery, owner="")

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
            _do(connection, delivery, _DELIVERED)
            subscriptions.change(connection, delivery.channel, decide)
            if entry:
                records.write(connection, delivery.channel, entry)

        await self._database.write(work, turn(delivery.channel))

    async def supersede(self, delivery: Delivery) -> None:
        """Close a delivery whose days are told with a later one.

        It forgets the messages that it planned and whom they reminded.
        """
        planned = delete(POSTS).where(
            POSTS.c.state == PostState.PLANNED.value, POSTS.c.delivery_id == delivery.id
        )

        def work(connection: Connection) -> None:
            _do(connection, delivery, _SUPERSEDED)
            connection.execute(planned)
            forget_reminders(connection, delivery.channel, delivery.slot.due_at)
            clear_shown_in(connection, delivery.channel, delivery.slot.due_at)

        await self._database.write(work, turn(delivery.channel))

    async def _set_held(self, delivery: Delivery, **values: object) -> None:
        await self._do_held(delivery, _HELD.values(**values), _held_by(delivery))

    async def _do_held(
        self, delivery: Delivery, statement: Update, given: Mapping[str, object]
    ) -> None:
        """Do what changes a row only while the delivery is held; `LeaseLost` where it is not."""
        held = await self._execute(statement, turn(delivery.channel), given)
        if not held:
            raise _lost(delivery)


def _do(
    connection: Connection,
    delivery: Delivery,
    statement: Update,
    given: Mapping[str, object] = MappingProxyType({}),
) -> None:
    if not connection.execute(statement, {**_held_by(delivery), **given}).rowcount:
        raise _lost(delivery)


def _held_by(delivery: Delivery) -> dict[str, object]:
    return {"delivery": delivery.id, "by": delivery.owner}


def _lost(delivery: Delivery) -> LeaseLost:
    return LeaseLost(f"delivery {delivery.id} is not held any more")
