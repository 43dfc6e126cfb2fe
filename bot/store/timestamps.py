"""Moments that all processes know by a name: a last look, an allowance that is used up until."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TypeVar

from sqlalchemy import delete, not_, or_
from sqlmodel import col, select

from bot.store.tables import NamedMomentRow
from digest.store.database import Database

KEPT = timedelta(days=400)
"""How long a moment that nobody changes is kept."""

PASSING = ("asked ", "asking ", "which ")
PASSING_KEPT = timedelta(days=2)
"""How long it is where many names begin so, one for each person: an allowance is whole within hours
(`bot.model.fairness`)."""

ALIVE = "last look"
"""The moment at which any process last looked for what is due."""

HIDDEN = "private "
"""How the names of what is never forgotten begin (`bot.store.hidden_repos`)."""

Decided = TypeVar("Decided")


class Timestamps:
    """The named moments. Every method raises `StoreFailed`."""

    def __init__(self, database: Database) -> None:
        """Take an open database."""
        self._database = database

    async def of(self, name: str) -> datetime | None:
        """Give a moment, or None."""
        async with self._database.reading() as session:
            row = await session.get(NamedMomentRow, name)
            return row.at if row else None

    async def decide(
        self,
        names: tuple[str, ...],
        decide: Callable[[dict[str, datetime]], tuple[dict[str, datetime], Decided]],
    ) -> Decided:
        """Change several moments together: `decide` gets those that are there, one at a time.

        What it gives is kept: moments by their names, and anything that is handed back.
        """
        async with self._database.saving(f"moments {names[0]}") as session:
            rows = {name: await session.get(NamedMomentRow, name) for name in names}
            known = {name: row.at for name, row in rows.items() if row}
            after, decided = decide(known)
            for name, at in after.items():
                row = rows.get(name) or NamedMomentRow(name=name, at=at)
                row.at = at
                session.add(row)
            return decided

    async def before(self, prefix: str, at: datetime) -> tuple[str, ...]:
        """Give the names that begin so and whose moments are not after another one."""
        name = col(NamedMomentRow.name)
        query = select(NamedMomentRow.name).where(
            name.startswith(prefix, autoescape=True), col(NamedMomentRow.at) <= at
        )
        async with self._database.reading() as session:
            return tuple((await session.exec(query)).all())

    async def forget(self, name: str) -> None:
        """Forget a moment, if it is there."""
        async with self._database.saving(f"moments {name}") as session:
            await session.exec(delete(NamedMomentRow).where(col(NamedMomentRow.name) == name))

    async def forget_old(self, now: datetime) -> None:
        """Forget moments that were not changed for a long time, but what is hidden for ever."""
        async with self._database.saving("moments forgotten") as session:
            at, name = col(NamedMomentRow.at), col(NamedMomentRow.name)
            kept = name.startswith(HIDDEN, autoescape=True)
            await session.exec(delete(NamedMomentRow).where(at < now - KEPT, not_(kept)))
            passing = or_(*(name.startswith(begins) for begins in PASSING))
            await session.exec(delete(NamedMomentRow).where(passing, at < now - PASSING_KEPT))
