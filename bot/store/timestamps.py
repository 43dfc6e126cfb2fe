"""Moments that all processes know by a name: a last look, an allowance that is used up until.

One kind has rules of its own: private repositories.
"""

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import TypeVar

from sqlalchemy import Connection, and_, delete, not_, or_, select

from bot.store.tables import TIMESTAMPS
from digest.store.database import Stored, all_rows
from digest.store.tables import put

KEPT = timedelta(days=400)
"""How long a moment that nobody changes is kept."""

PASSING = ("asked ", "asking ", "showing ", "step ", "which ")
PASSING_KEPT = timedelta(days=2)
"""How long it is where many names begin so, one for each person: an allowance is whole within hours
(`bot.model.policy`)."""

HIDDEN = "private "
"""How the names of what is never forgotten begin (`bot.store.timestamps`)."""

Decided = TypeVar("Decided")


class Timestamps(Stored):
    """The named moments. Every method raises `StoreFailed`."""

    async def of(self, name: str) -> datetime | None:
        """Return a moment, or None."""
        query = select(TIMESTAMPS.c.at).where(TIMESTAMPS.c.name == name)
        at: datetime | None = await self._database.read(lambda c: c.scalar(query))
        return at

    async def decide(
        self,
        names: tuple[str, ...],
        decide: Callable[[dict[str, datetime]], tuple[dict[str, datetime], Decided]],
    ) -> Decided:
        """Change several moments together: `decide` gets those that are there, one at a time.

        What it gives is kept: moments by their names, and anything that is handed back.
        """
        query = select(TIMESTAMPS).where(TIMESTAMPS.c.name.in_(names))

        def work(connection: Connection) -> Decided:
            after, decided = decide({row.name: row.at for row in connection.execute(query)})
            put(connection, TIMESTAMPS, *({"name": name, "at": at} for name, at in after.items()))
            return decided

        return await self._database.write(work, _turn(names[0]))

    async def note(self, name: str, at: datetime) -> None:
        """Store a moment in the place of what its name had."""
        await self.decide((name,), lambda _: ({name: at}, None))

    async def before(self, prefix: str, at: datetime) -> tuple[str, ...]:
        """Return the names that begin so and whose moments are not after another, oldest first."""
        begins = TIMESTAMPS.c.name.startswith(prefix, autoescape=True)
        query = select(TIMESTAMPS.c.name).where(begins, TIMESTAMPS.c.at <= at)
        rows = await self._all_rows(query.order_by(TIMESTAMPS.c.at, TIMESTAMPS.c.name))
        return tuple(row.name for row in rows)

    async def forget(self, name: str) -> None:
        """Delete a moment, if it is there."""
        this = delete(TIMESTAMPS).where(TIMESTAMPS.c.name == name)
        await self._execute(this, _turn(name))

    async def forget_old(self, now: datetime) -> None:
        """Delete moments that were not changed for a long time, but what is hidden for ever."""
        at, name = TIMESTAMPS.c.at, TIMESTAMPS.c.name
        kept = name.startswith(HIDDEN, autoescape=True)
        passing = or_(*(name.startswith(begins) for begins in PASSING))
        old = or_(and_(at < now - KEPT, not_(kept)), and_(passing, at < now - PASSING_KEPT))
        await self._execute(delete(TIMESTAMPS).where(old), _turn(""))


def _turn(name: str) -> str:
    return f"moments {name}"


_ALL = select(TIMESTAMPS.c.name).where(TIMESTAMPS.c.name.startswith(HIDDEN, autoescape=True))
_ALL_ROWS = all_rows(_ALL)
"""Asked for each repository of each channel: the same work, so who asks together shares it."""


class HiddenRepos(Stored):
    """Their names, in lower case. Every method raises `StoreFailed`.

    What is stored of them stays, also once their names are taken out of the settings, or where
    one process was not given them: a page that anybody can read must not trust the settings of
    one process.
    """

    async def hide(self, names: Iterable[str], now: datetime) -> None:
        """Store names until GitHub says that they are public."""
        new = tuple(sorted(HIDDEN + name for name in set(names) - await self.all()))
        if new:
            await Timestamps(self._database).decide(new, lambda _: (dict.fromkeys(new, now), None))

    async def show(self, names: Iterable[str]) -> None:
        """Take names out: GitHub says that they are public."""
        kept = [HIDDEN + name for name in set(names) & await self.all()]
        if kept:
            these = delete(TIMESTAMPS).where(TIMESTAMPS.c.name.in_(kept))
            await self._execute(these, _turn(kept[0]))

    async def all(self) -> frozenset[str]:
        """Return every name that was ever hidden."""
        rows = await self._database.read(_ALL_ROWS)
        return frozenset(row.name.removeprefix(HIDDEN) for row in rows)
