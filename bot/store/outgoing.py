"""Changes of follow-ups that a webhook has not taken yet, in their order."""

import json
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, func, select, update

from bot.store.tables import OUTGOING
from digest.store.database import Database


@dataclass(frozen=True, slots=True)
class Change:
    """One change as it is posted: JSON, how often that failed, and when it is tried next."""

    number: int
    body: bytes
    tries: int
    due_at: datetime


@dataclass(frozen=True, slots=True)
class Waiting:
    """How many changes wait; `failing_since` is when the oldest was made, if it failed."""

    number: int
    failing_since: datetime | None = None


class Outgoing:
    """The changes that wait. Every method raises `StoreFailed`."""

    def __init__(self, database: Database) -> None:
        """Take an open database."""
        self._database = database

    async def first(self) -> Change | None:
        """Give the oldest one."""
        query = select(OUTGOING).order_by(OUTGOING.c.id).limit(1)
        row = await self._database.first(query)
        return Change(row.id, row.body, row.tries, row.due_at) if row else None

    async def waiting(self) -> Waiting:
        """Count them, and tell since when the webhook takes none."""
        count = select(func.count()).select_from(OUTGOING)
        number = await self._database.look(lambda c: c.scalar(count)) or 0
        first = await self.first()
        at = json.loads(first.body)["at"] if first and first.tries else None
        return Waiting(number, datetime.fromisoformat(at) if at else None)

    async def taken(self, change: Change) -> None:
        """Forget one that was taken, or is given up."""
        await self._database.do(delete(OUTGOING).where(OUTGOING.c.id == change.number))

    async def wait(self, change: Change, due_at: datetime) -> None:
        """Keep that one failed once more."""
        this = update(OUTGOING).where(OUTGOING.c.id == change.number)
        await self._database.do(this.values(tries=change.tries + 1, due_at=due_at))
