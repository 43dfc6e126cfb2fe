"""Leases by name: what one process at a time may do, renewed by heartbeats until it is done."""

from datetime import datetime, timedelta

from bot.store.tables import HoldRow
from digest.store.database import Database

LONGEST_LEASE = timedelta(minutes=15)
"""No lease is this long: one that seems to be was taken by a clock that ran ahead."""


class Leases:
    """Leases of all processes. Every method raises `StoreFailed`."""

    def __init__(self, database: Database) -> None:
        """Take an open database."""
        self._database = database

    async def take(self, name: str, owner: str, now: datetime, until: datetime) -> bool:
        """Take or renew a lease; return False while another owner has it."""
        async with self._database.saving(f"hold {name}") as session:
            row = await session.get(HoldRow, name)
            if row and row.owner != owner and now < row.until <= now + LONGEST_LEASE:
                return False
            row = row or HoldRow(name=name, owner=owner, until=until)
            row.owner, row.until = owner, until
            session.add(row)
            return True

    async def release(self, name: str, owner: str) -> None:
        """Give up a lease; one of another owner stays."""
        async with self._database.saving(f"hold {name}") as session:
            row = await session.get(HoldRow, name)
            if row and row.owner == owner:
                await session.delete(row)
