"""Deliveries as rows: read, kept and closed within one piece of work on the database.

What every channel of a morning asks is one statement for all of them, made once: to make it costs
more than to ask it.
"""

from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, and_, bindparam, delete, insert, or_, select, update

from bot.model.channels import Channel
from bot.model.posts import Delivery, DeliveryState
from bot.model.slots import Slot
from bot.model.subscriptions import Subscription
from bot.store.tables import DELIVERIES, SOURCE_RECORDS, SUBSCRIPTIONS, channel_of, columns
from digest import codec
from digest.store.store import LONGEST_LEASE

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

_BEGIN = insert(DELIVERIES).returning(DELIVERIES.c.id)
_HOLD = (
    update(DELIVERIES)
    .where(DELIVERIES.c.id == bindparam("delivery"))
    .values(owner=bindparam("by"), lease_until=bindparam("until"))
)


def claim(
    connection: Connection,
    slot: Slot,
    channel: Channel,
    owner: str,
    now: datetime,
    until: datetime,
) -> Delivery | None:
    """Take a slot as `bot.store.deliveries.Deliveries.claim` says."""
    its = {"its_id": slot.subscription_id, "date": slot.local_date}
    rows = connection.execute(_OF_SLOT_OR_BEGUN, its).all()
    if not rows:  # it was taken away, and its deliveries closed with it
        return None
    row = next((row for row in rows if row.local_date == slot.local_date), None)
    if row is None:
        if rows[0].id is not None:
            read(rows[0])  # it is another's, unless it cannot be read: then it is nobody's
            return None
        if not _is_wanted(rows[0], slot):
            return None
        begun = Delivery(0, channel, slot, DeliveryState.CLAIMED, owner, until)
        return begin(connection, begun)
    if row.state not in UNFINISHED or _is_held(row, now):
        return None
    connection.execute(_HOLD, {"delivery": row.id, "by": owner, "until": until})
    return replace(read(row), owner=owner, lease_until=until)


def begin(connection: Connection, delivery: Delivery) -> Delivery:
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
    return replace(delivery, id=connection.scalars(_BEGIN, row).one())


def read(row: Any) -> Delivery:
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


def stop_telling(connection: Connection, subscription_id: int) -> None:
    """Have whoever tells a subscription stop before its next message.

    Nobody goes on with it before the lease is over: a message may still be in flight.
    """
    mine = DELIVERIES.c.subscription_id == subscription_id
    told_now = update(DELIVERIES).where(mine, _IS_UNFINISHED, DELIVERIES.c.owner != "")
    connection.execute(told_now.values(owner=PAUSED))


def leave_all(connection: Connection) -> None:
    """Leave no delivery to whom it belonged to when a backup was made: nobody has that name now."""
    connection.execute(update(DELIVERIES).values(owner=""))


def forget_unfinished(connection: Connection, subscription_id: int) -> None:
    """Close what is not told of a subscription that is taken away."""
    waiting = update(DELIVERIES).where(
        DELIVERIES.c.subscription_id == subscription_id, _IS_UNFINISHED
    )
    connection.execute(waiting.values(state=DeliveryState.SUPERSEDED.value, owner=""))
    records = SOURCE_RECORDS.c.subscription_id == subscription_id
    connection.execute(delete(SOURCE_RECORDS).where(records))


def _is_wanted(row: Any, slot: Slot) -> bool:
    """Return whether a subscription, as it is stored now, is still to be told of a slot."""
    if row.paused:
        return False
    stored = codec.load(Subscription, row.subscription)
    if stored.last_delivered_date and slot.local_date <= stored.last_delivered_date:
        return False
    return not (stored.last_delivered_end and slot.window.start < stored.last_delivered_end)


def _is_held(row: Any, now: datetime) -> bool:
    return bool(row.owner) and now < row.lease_until <= now + LONGEST_LEASE
