"""Values that are too long for a button, by a short form that stands there."""

from collections.abc import Mapping

from bot.store.tables import KeptValueRow
from digest.store.database import Database


class Values:
    """The kept values. Every method raises `StoreFailed`."""

    def __init__(self, database: Database) -> None:
        """Take an open database."""
        self._database = database

    async def remember(self, values: Mapping[str, str]) -> None:
        """Keep values by their short forms; one short form never has two values."""
        if not values:
            return
        async with self._database.saving("values") as session:
            for short, value in values.items():
                if await session.get(KeptValueRow, short) is None:
                    body = value.encode("utf-8", "surrogatepass")
                    session.add(KeptValueRow(short=short, body=body))

    async def recall(self, short: str) -> str | None:
        """Give the value of a short form, if it is kept."""
        async with self._database.reading() as session:
            row = await session.get(KeptValueRow, short)
            return row.body.decode("utf-8", "surrogatepass") if row else None
