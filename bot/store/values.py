"""Values that are too long for a button, by a short form that stands there."""

from collections.abc import Mapping

from sqlalchemy import select

from bot.store.tables import KEPT_VALUES
from digest.store.database import Stored
from digest.store.tables import put


class Values(Stored):
    """The kept values. Every method raises `StoreFailed`."""

    async def remember(self, values: Mapping[str, str]) -> None:
        """Store values by their short forms; one short form never has two values."""
        if not values:
            return
        # Most are known, as all channels of a morning get the same ones.
        same = select(KEPT_VALUES.c.short).where(
            KEPT_VALUES.c.short.in_(values), KEPT_VALUES.c.kept_at.is_(None)
        )
        known = {row.short for row in await self._all_rows(same)}
        rows = [_row(short, values[short]) for short in values if short not in known]
        if rows:
            await self._database.write(lambda c: put(c, KEPT_VALUES, *rows), "values")

    async def add(self, name: str, value: str) -> None:
        """Store a value under a name that nobody else stores one under: it waits for no turn."""
        row = _row(name, value)
        await self._database.write(lambda c: put(c, KEPT_VALUES, row), "")

    async def recall(self, short: str) -> str | None:
        """Return the value of a short form, if it is kept."""
        row = await self._first_row(select(KEPT_VALUES).where(KEPT_VALUES.c.short == short))
        return row.body.decode("utf-8", "surrogatepass") if row else None


def _row(short: str, value: str) -> dict[str, object]:
    # Whoever comes second makes the age of a value begin anew.
    return {"short": short, "body": value.encode("utf-8", "surrogatepass"), "kept_at": None}
