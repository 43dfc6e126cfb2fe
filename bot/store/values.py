"""Values that are too long for a button, by a short form that stands there."""

from collections.abc import Mapping

from sqlalchemy import bindparam, text

from bot.store.tables import KeptValueRow
from digest.store.columns import Packed
from digest.store.database import Database

# One short form never has two values; whoever comes second only makes its age begin anew.
_KEEP = text(
    "INSERT INTO kept_value (short, body) VALUES (:short, :body) "
    "ON CONFLICT (short) DO UPDATE SET kept_at = NULL"
).bindparams(bindparam("body", type_=Packed))


class Values:
    """The kept values. Every method raises `StoreFailed`."""

    def __init__(self, database: Database) -> None:
        """Take an open database."""
        self._database = database

    async def remember(self, values: Mapping[str, str]) -> None:
        """Keep values by their short forms; one short form never has two values."""
        rows = [
            {"short": short, "body": value.encode("utf-8", "surrogatepass")}
            for short, value in values.items()
        ]
        if rows:
            # Most often it is one, and one alone goes to the server and back once, several do not.
            await self._database.do(_KEEP, rows if len(rows) > 1 else rows[0])

    async def recall(self, short: str) -> str | None:
        """Give the value of a short form, if it is kept."""
        async with self._database.reading() as session:
            row = await session.get(KeptValueRow, short)
            return row.body.decode("utf-8", "surrogatepass") if row else None
