"""Once a day, by one of the processes that have a clock: the old goes, the private is looked at."""

import asyncio
from datetime import datetime, timedelta

import structlog

from bot.store.retention import purge
from bot.store.timestamps import HiddenRepos, Timestamps
from digest.errors import InfraError
from digest.models import Repo, Window
from digest.ports import Clock, Source
from digest.store.database import Database

PURGED = "last purge"
EVERY = timedelta(days=1)

LOOKED_EVERY = 900.0
"""Seconds of the real clock between two looks whether a day is over."""

log = structlog.get_logger()


class DailyPurge:
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
    """Return the moment to keep under a name, and whether what is done once a day is due."""
    last = known.get(name)
    # A moment that lies ahead is of a clock that was wrong.
    is_due = last is None or not timedelta(0) <= now - last < EVERY
    return ({name: now} if is_due else {}), is_due


LOOKED = "last look at what was private"


class OncePrivate:
    """Looks at hidden repositories that are not among `listed`, names in lower case.

    Nothing is told of what was private once until GitHub says that it is public, and nobody who
    asks in a channel makes the bot look. What looks notes the answer
    (`adapters.wiring.assembly.note_visibility`).
    """

    def __init__(
        self,
        source: Source,
        listed: frozenset[str],
        database: Database,
        clock: Clock,
        looked_every: float = LOOKED_EVERY,
    ) -> None:
        self._source = source
        self._listed = listed
        self._hidden = HiddenRepos(database)
        self._moments = Timestamps(database)
        self._clock = clock
        self._looked_every = looked_every

    async def live(self) -> None:
        """Look once a day until cancelled."""
        while True:
            try:
                await self.look()
            except InfraError as error:
                log.warning("what was private not looked at", reason=str(error))
            await asyncio.sleep(self._looked_every)

    async def look(self) -> None:
        """Look if nobody did within a day; raises `StoreFailed`.

        A repository that cannot be looked at stays hidden, and the next day comes.
        """
        now = self._clock()
        if not await self._moments.decide((LOOKED,), lambda known: is_turn(LOOKED, known, now)):
            return
        window = Window(now - timedelta(minutes=1), now, "UTC", "")
        for name in sorted(await self._hidden.all() - self._listed):
            try:
                await self._source.collect(Repo.parse(name), window)
            except InfraError as error:
                # Its name is nobody's to read: who may, sees it in INFRA_PRIVATE_REPOS.
                log.info("what was private stays hidden", reason=type(error).__name__)
