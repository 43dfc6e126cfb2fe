"""Corrections of what was told lately, each kept once for a channel and item."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, select, update

from bot.model.channels import Channel, Platform
from bot.model.following import AMENDING, Correction
from bot.model.posts import named
from bot.store import posts
from bot.store.tables import (
    CORRECTIONS,
    POSTS,
    channel_of,
    columns,
    its,
    of_channel,
    turn,
    within,
)
from digest import codec
from digest.store.database import Stored
from digest.store.tables import put

_OF_CHANNEL = select(CORRECTIONS).where(*of_channel(CORRECTIONS))


class Corrections(Stored):
    """The stored corrections. Every method raises `StoreFailed`."""

    async def delivered_since(
        self, moment: datetime, platforms: Sequence[Platform], *, alone: bool
    ) -> tuple[tuple[Channel, str], ...]:
        """Return items that channels were told since a moment's date, named and not only counted.

        Those that have a message of their own `alone`, or all.
        """
        query = posts.delivered_since(moment).where(POSTS.c.platform.in_(platforms))
        if alone:
            place = (POSTS.c.platform, POSTS.c.workspace, POSTS.c.channel, POSTS.c.item_key)
            own = query.with_only_columns(*place).where(POSTS.c.item_key != "").distinct()
            rows = await self._all_rows(own)
            return tuple((channel_of(row), row.item_key) for row in rows)

        def work(connection: Connection) -> tuple[tuple[Channel, str], ...]:
            messages = (posts.read(row) for row in connection.execute(query.order_by(POSTS.c.id)))
            found = ((each.channel, key) for each in messages for key in named(each.message))
            return tuple(dict.fromkeys(found))

        return await self._database.read(work)

    async def save(self, correction: Correction, at: datetime) -> bool:
        """Store a correction that is graver than a known one of its item; it is not told yet.

        False where that is as grave.
        """
        place = {**columns(correction.channel), "item_key": correction.item_key}
        row = place | {"at": at, "shown": False, "told_on": None, "body": codec.dump(correction)}

        one = _OF_CHANNEL.where(CORRECTIONS.c.item_key == correction.item_key)

        def work(connection: Connection) -> bool:
            known = connection.execute(one, its(correction.channel)).first()
            if known and (_correction(known).turn not in AMENDING or correction.turn in AMENDING):
                return False
            put(connection, CORRECTIONS, row)
            return True

        return await self._database.write(work, turn(correction.channel))

    async def of(self, channel: Channel, keys: Sequence[str]) -> tuple[Correction, ...]:
        """Return the corrections of items."""
        here = _OF_CHANNEL.where(CORRECTIONS.c.item_key.in_(keys))
        return tuple(
            map(
                _correction,
                await self._all_rows(here, its(channel)),
            )
        )

    async def unshown(self, platforms: Sequence[Platform]) -> tuple[Correction, ...]:
        """Return those that the messages about their items may not show yet."""
        query = select(CORRECTIONS).where(
            CORRECTIONS.c.shown.is_(False), CORRECTIONS.c.platform.in_(platforms)
        )
        return tuple(map(_correction, await self._all_rows(query)))

    async def shown(self, correction: Correction) -> None:
        """Store that the messages show one."""
        one = update(CORRECTIONS).where(
            *within(CORRECTIONS, correction.channel),
            CORRECTIONS.c.item_key == correction.item_key,
        )
        await self._execute(one.values(shown=True), turn(correction.channel))

    async def for_morning(self, channel: Channel, due_at: datetime) -> tuple[Correction, ...]:
        """Return what a slot begins with: what it was planned with, else all that was not told."""
        rows = await self._all_rows(_OF_CHANNEL, its(channel))
        planned = [row for row in rows if row.told_on == due_at]
        return tuple(map(_correction, planned or [row for row in rows if row.told_on is None]))


def save_shown_in(connection: Connection, shown: Sequence[Correction], due_at: datetime) -> None:
    """Store which slot tells corrections."""
    for each in shown:
        one = update(CORRECTIONS).where(*of_channel(CORRECTIONS))
        one = one.where(CORRECTIONS.c.item_key == each.item_key).values(told_on=due_at)
        connection.execute(one, its(each.channel))


def clear_shown_in(connection: Connection, channel: Channel, due_at: datetime) -> None:
    """Take back what a slot was to tell, which nobody got to see."""
    one = update(CORRECTIONS).where(*of_channel(CORRECTIONS), CORRECTIONS.c.told_on == due_at)
    connection.execute(one.values(told_on=None), its(channel))


def _correction(row: Any) -> Correction:
    return codec.load(Correction, row.body)
