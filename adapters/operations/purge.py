"""Once a day, by one of the processes that have a clock: what is old is thrown away."""

import asyncio
from datetime import datetime, timedelta

import structlog

from bot.store.retention import purge
from bot.store.timestamps import Timestamps
from digest.errors import InfraError
from digest.ports import Clock
from digest.store.database import Database

PURGED = "last purge"
EVERY = timedelta(days=1)

LOOKED_EVERY = 900.0
"""Seconds of the real clock between two looks whether a day is over."""

log = structlog.get_logger()


class Purging:
    """Throws away what is older than so many days; 0 keeps everything."""

    def __init__(
        self,
        database: Database,
        keep_days: int,
        clock: Clock,
        looked_every: float = LOOKED_EVERY,
    ) -> None:
        self._database = database
        self._moments = Timestamps(database)
        self._keep = timedelta(days=keep_days)
        self._clock = clock
        self._looked_every = looked_every

    async def live(self) -> None:
        """Purge once a day until cancelled."""
        while self._keep:
            try:
                await self.look()
            except InfraError as error:
                log.warning("nothing purged", reason=str(error))
            await asyncio.sleep(self._looked_every)

    async def look(self) -> None:
        """Purge if nobody did within a day; raises `StoreFailed`, after which it is due again."""
        now = self._clock()
        if not await self._moments.decide((PURGED,), lambda known: is_turn(PURGED, known, now)):
            return
        try:
            gone = await purge(self._database, now, self._keep)
        except InfraError:
            await self._moments.decide((PURGED,), lambda known: ({PURGED: now - EVERY}, None))
            raise
        log.info("purged", **gone)


def is_turn(
    name: str, known: dict[str, datetime], now: datetime
) -> tuple[dict[str, datetime], bool]:
    """Give the moment to keep under a name, and whether what is done once a day is due."""
    last = known.get(name)
    # A moment that lies ahead is of a clock that was wrong.
    is_due = last is None or not timedelta(0) <= now - last < EVERY
    return ({name: now} if is_due else {}), is_due
