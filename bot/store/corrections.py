"""Corrections of what was told lately, each kept once for a channel and item."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, select, update

from bot.model.channels import Channel, Platform
from bot.model.following import Correction
from bot.model.posts import DeliveryState, PostState
from bot.store.channel_columns import columns, its, of_channel, turn
from bot.store.delivery_rows import DELIVERIES
from bot.store.posts import POSTS
from bot.store.tables import CorrectionRow, table_of
from digest import codec
from digest.store.database import Database

_CORRECTIONS = table_of(CorrectionRow)
_OF_CHANNEL = select(_CORRECTIONS).where(*of_channel(_CORRECTIONS))


class Corrections:
    """The stored corrections. Every method raises `StoreFailed`."""

    def __init__(self, database: Database) -> None:
        """Take an open database."""
        self._database = database

    async def told_since(
        self, moment: datetime, platforms: Sequence[Platform]
    ) -> tuple[tuple[Channel, str], ...]:
        """Give items that channels were told since a moment's date by messages of their own."""
        query = (
            select(POSTS.c.platform, POSTS.c.workspace, POSTS.c.channel, POSTS.c.item_key)
            .join(DELIVERIES, DELIVERIES.c.id == POSTS.c.delivery_id)
            .where(
                DELIVERIES.c.state == DeliveryState.TOLD.value,
                DELIVERIES.c.local_date >= moment.date(),
                POSTS.c.state == PostState.SENT.value,
                POSTS.c.item_key != "",
                POSTS.c.platform.in_(platforms),
            )
            .distinct()
        )
        rows = await self._database.look(lambda c: c.execute(query).all())
        return tuple((Channel(Platform(row[0]), row[1], row[2]), row[3]) for row in rows)

    async def add(self, correction: Correction, at: datetime) -> None:
        """Keep a correction; one that is there stays as it is."""
        place = {**columns(correction.channel), "item_key": correction.item_key}
        row = place | {"at": at, "shown": False, "told_on": None, "body": codec.dump(correction)}
        here = _OF_CHANNEL.where(_CORRECTIONS.c.item_key == correction.item_key)

        def work(connection: Connection) -> None:
            if connection.execute(here, its(correction.channel)).first() is None:
                connection.execute(_CORRECTIONS.insert().values(**row))

        await self._database.together(turn(correction.channel), work)

    async def of(self, channel: Channel, item_key: str) -> Correction | None:
        """Give the correction of an item."""
        here = _OF_CHANNEL.where(_CORRECTIONS.c.item_key == item_key)
        row = await self._database.look(lambda c: c.execute(here, its(channel)).first())
        return _correction(row) if row else None

    async def unshown(self, platforms: Sequence[Platform]) -> tuple[Correction, ...]:
        """Give those that the messages about their items may not show yet."""
        query = select(_CORRECTIONS).where(
            _CORRECTIONS.c.shown.is_(False), _CORRECTIONS.c.platform.in_(platforms)
        )
        rows = await self._database.look(lambda c: c.execute(query).all())
        return tuple(map(_correction, rows))

    async def shown(self, correction: Correction) -> None:
        """Keep that the messages show one."""
        values = columns(correction.channel).items()
        here = [_CORRECTIONS.c[name] == value for name, value in values]
        one = update(_CORRECTIONS).where(*here, _CORRECTIONS.c.item_key == correction.item_key)
        await self._database.do(one.values(shown=True))

    async def for_morning(self, channel: Channel, due_at: datetime) -> tuple[Correction, ...]:
        """Give what a slot begins with: what it was planned with, else all that was not told."""
        rows = await self._database.look(lambda c: c.execute(_OF_CHANNEL, its(channel)).all())
        planned = [row for row in rows if row.told_on == due_at]
        return tuple(map(_correction, planned or [row for row in rows if row.told_on is None]))


def keep_told(connection: Connection, told: Sequence[Correction], due_at: datetime) -> None:
    """Keep which slot tells corrections."""
    for each in told:
        one = update(_CORRECTIONS).where(*of_channel(_CORRECTIONS))
        one = one.where(_CORRECTIONS.c.item_key == each.item_key).values(told_on=due_at)
        connection.execute(one, its(each.channel))


def forget_told(connection: Connection, channel: Channel, due_at: datetime) -> None:
    """Take back what a slot was to tell, which nobody got to see."""
    one = update(_CORRECTIONS).where(*of_channel(_CORRECTIONS), _CORRECTIONS.c.told_on == due_at)
    connection.execute(one.values(told_on=None), its(channel))


def _correction(row: Any) -> Correction:
    return codec.load(Correction, row.body)
