"""Private repositories: those that some process was allowed to tell of, or that GitHub called so.

What is stored of them stays, also once their names are taken out of the settings, or where one
process was not given them: a page that anybody can read must not trust the settings of one process.
"""

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import delete, select

from bot.store.tables import TIMESTAMPS
from bot.store.timestamps import HIDDEN, Timestamps
from digest.store.database import Database

_ALL = select(TIMESTAMPS.c.name).where(TIMESTAMPS.c.name.startswith(HIDDEN, autoescape=True))
"""Asked for each repository of each channel, so it is made once."""


class HiddenRepos:
    """Their names, in lower case. Every method raises `StoreFailed`."""

    def __init__(self, database: Database) -> None:
        """Take an open database."""
        self._database = database

    async def hide(self, names: Iterable[str], now: datetime) -> None:
        """Keep names until GitHub says that they are public."""
        new = tuple(sorted(HIDDEN + name for name in set(names) - await self.all()))
        if new:
            await Timestamps(self._database).decide(new, lambda _: (dict.fromkeys(new, now), None))

    async def show(self, names: Iterable[str]) -> None:
        """Take names out: GitHub says that they are public."""
        kept = [HIDDEN + name for name in set(names) & await self.all()]
        if kept:
            await self._database.do(delete(TIMESTAMPS).where(TIMESTAMPS.c.name.in_(kept)))

    async def all(self) -> frozenset[str]:
        """Give every name that was ever hidden."""
        rows = await self._database.rows(_ALL)
        return frozenset(row.name.removeprefix(HIDDEN) for row in rows)
