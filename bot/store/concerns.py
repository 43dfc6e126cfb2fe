"""What concerns channels, and which codebases are to be read again."""

from datetime import datetime

from sqlalchemy import delete
from sqlalchemy import select as select_rows
from sqlmodel import col, select

from bot.model.channels import Channel
from bot.model.concerns import Concern
from bot.store.channel_columns import columns, its, of_channel, within
from bot.store.tables import ConcernRow, table_of
from digest import codec
from digest.store.database import Database

_CONCERNS = table_of(ConcernRow)
_OF_CHANNEL = select_rows(_CONCERNS.c.body).where(*of_channel(_CONCERNS)).order_by(_CONCERNS.c.name)


class Concerns:
    """The concerns of all channels. Every method raises `StoreFailed`."""

    def __init__(self, database: Database) -> None:
        """Take an open database."""
        self._database = database

    async def of(self, channel: Channel) -> tuple[Concern, ...]:
        """Give the concerns of a channel, by name."""
        bodies = await self._database.look(lambda c: c.scalars(_OF_CHANNEL, its(channel)).all())
        return tuple(codec.load(Concern, body) for body in bodies)

    async def keep(self, concern: Concern, due_at: datetime | None = None) -> None:
        """Keep a concern; its codebase is read at `due_at`, and never for None."""
        key = {**columns(concern.channel), "name": concern.name}
        async with self._database.saving(f"concern {concern.channel}") as session:
            row = await session.get(ConcernRow, tuple(key.values()))
            row = row or ConcernRow(**key, body=b"")
            row.body, row.due_at = codec.dump(concern), due_at
            session.add(row)

    async def drop(self, channel: Channel, name: str) -> None:
        """Take a concern away."""
        of_name = (*within(ConcernRow, channel), col(ConcernRow.name) == name)
        async with self._database.saving(f"concern {channel}") as session:
            await session.exec(delete(ConcernRow).where(*of_name))

    async def take_due(self, now: datetime, until: datetime) -> Concern | None:
        """Give one concern whose codebase is due, if any; it is due again at `until`."""
        due = select(ConcernRow).where(col(ConcernRow.due_at) <= now)
        async with self._database.saving("concerns that are due") as session:
            row = (await session.exec(due.order_by(col(ConcernRow.due_at)).limit(1))).first()
            if row is None:
                return None
            row.due_at = until
            session.add(row)
            return codec.load(Concern, row.body)

    async def refresh(self, concern: Concern, due_at: datetime) -> None:
        """Keep what was read of a concern, unless it was taken away meanwhile."""
        key = {**columns(concern.channel), "name": concern.name}
        async with self._database.saving(f"concern {concern.channel}") as session:
            row = await session.get(ConcernRow, tuple(key.values()))
            if row is not None:
                row.body, row.due_at = codec.dump(concern), due_at
                session.add(row)
