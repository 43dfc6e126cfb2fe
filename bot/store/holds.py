"""What one process at a time may do, such as hearing a gateway; and it says so again and again."""

from datetime import datetime, timedelta

from bot.store.tables import HoldRow
from digest.store.database import Database

LONGEST_HOLD = timedelta(minutes=15)
"""Nothing is held for so long: such a hold was taken by a clock that ran ahead."""


class Holds:
    """What is held, and by whom. Every method raises `StoreFailed`."""

    def __init__(self, database: Database) -> None:
        """Take an open database."""
        self._database = database

    async def take(self, name: str, owner: str, now: datetime, until: datetime) -> bool:
        """Hold something, or hold it for longer; False while it is another's."""
        async with self._database.saving(f"hold {name}") as session:
            row = await session.get(HoldRow, name)
            if row and row.owner != owner and now < row.until <= now + LONGEST_HOLD:
                return False
            row = row or HoldRow(name=name, owner=owner, until=until)
            row.owner, row.until = owner, until
            session.add(row)
            return True

    async def release(self, name: str, owner: str) -> None:
        """Let go of what is one's own."""
        async with self._database.saving(f"hold {name}") as session:
            row = await session.get(HoldRow, name)
            if row and row.owner == owner:
                await session.delete(row)
