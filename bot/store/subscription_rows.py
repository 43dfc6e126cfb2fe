"""Subscriptions as rows: read and changed within one piece of work on the database."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from bot.model.channels import Channel
from bot.model.slots import earliest_due
from bot.model.subscriptions import Subscription
from bot.store.channel_columns import columns, its, of_channel
from bot.store.delivery_rows import forget_unfinished, stop_telling
from bot.store.tables import SubscriptionRow, table_of
from digest import codec

SUBSCRIPTIONS = table_of(SubscriptionRow)

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


def of(connection: Connection, channel: Channel) -> Subscription | None:
    """Give the subscription of a channel, or None."""
    row = connection.execute(_OF_CHANNEL, its(channel)).first()
    return read(row) if row else None


def change(
    connection: Connection,
    channel: Channel,
    decide: Callable[[Subscription | None], Subscription | None],
) -> tuple[Subscription | None, Subscription | None]:
    """Store what `decide` makes of a channel's subscription; give it as it was and as it is."""
    before = of(connection, channel)
    after = decide(before)
    number = before.id if before else None
    if after is None:
        if number is not None:
            connection.execute(delete(SUBSCRIPTIONS).where(SUBSCRIPTIONS.c.id == number))
            forget_unfinished(connection, number)
        return before, None
    kept = {
        "is_paused": bool(after.paused),
        "due_next": earliest_due(after),
        "told_to": after.last_told_end,
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
            stop_telling(connection, number)
        connection.execute(_CHANGE, {"subscription": number, **kept})
    return before, replace(after, id=number)


def read(row: Any) -> Subscription:
    """Give the subscription of a whole row."""
    return replace(codec.load(Subscription, row.body), id=row.id)
