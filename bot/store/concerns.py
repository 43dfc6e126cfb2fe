"""What concerns channels, and which codebases are to be read again."""

from datetime import datetime

from sqlalchemy import Connection, delete, or_, select, update

from bot.model.channels import Channel
from bot.model.concerns import EVERY, Concern
from bot.store.tables import CONCERNS, columns, its, of_channel, within
from digest import codec
from digest.store.database import Stored
from digest.store.tables import put

_OF_CHANNEL = select(CONCERNS.c.body).where(*of_channel(CONCERNS)).order_by(CONCERNS.c.name)

_TURN = "concerns"


class Concerns(Stored):
    """The concerns of all channels. Every method raises `StoreFailed`."""

    async def of(self, channel: Channel) -> tuple[Concern, ...]:
        """Return the concerns of a channel, by name."""
        rows = await self._all_rows(_OF_CHANNEL, its(channel))
        return tuple(codec.load(Concern, row.body) for row in rows)

    async def save(self, concern: Concern, due_at: datetime | None = None) -> None:
        """Store a concern; its codebase is read at `due_at`, and never for None."""
        key = {**columns(concern.channel), "name": concern.name}
        row = {**key, "due_at": due_at, "body": codec.dump(concern)}
        await self._database.write(lambda c: put(c, CONCERNS, row), _TURN)

    async def remove(self, channel: Channel, name: str) -> None:
        """Take a concern away."""
        own = (*within(CONCERNS, channel), CONCERNS.c.name == name)
        await self._execute(delete(CONCERNS).where(*own), _TURN)

    async def take_due(self, now: datetime, until: datetime) -> Concern | None:
        """Return one concern whose codebase is due, if any; it is due again at `until`."""
        moment = CONCERNS.c.due_at
        # None waits for longer than until tomorrow: that was set by a clock that ran ahead.
        is_due = or_(moment <= now, moment > now + 2 * EVERY)
        due = select(CONCERNS).where(is_due).order_by(moment)

        def work(connection: Connection) -> Concern | None:
            row = connection.execute(due.limit(1)).first()
            if row is None:
                return None
            concern = codec.load(Concern, row.body)
            own = (*within(CONCERNS, concern.channel), CONCERNS.c.name == concern.name)
            connection.execute(update(CONCERNS).where(*own).values(due_at=until))
            return concern

        return await self._database.write(work, _TURN)

    async def refresh(self, concern: Concern, due_at: datetime) -> None:
        """Store what was read of a concern, unless it was taken away meanwhile."""
        own = (*within(CONCERNS, concern.channel), CONCERNS.c.name == concern.name)
        values = {"due_at": due_at, "body": codec.dump(concern)}
        this = update(CONCERNS).where(*own).values(**values)
        await self._execute(this, _TURN)
