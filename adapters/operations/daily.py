"""Once a day, by one of the processes that have a clock: the old goes, the private is looked at."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

import structlog

from bot.store.retention import purge
from bot.store.timestamps import HiddenRepos, Timestamps
from digest.errors import InfraError
from digest.models import Repo, Window
from digest.ports import Clock, Source
from digest.store.database import Database

EVERY = timedelta(days=1)

LOOKED_EVERY = 900.0
"""Seconds of the real clock between two looks whether a day is over."""

log = structlog.get_logger()


class Daily:
    """Work that is due once a day, whichever process does it; `name` is what it is stored under."""

    def __init__(
        self,
        name: str,
        work: Callable[[datetime], Awaitable[None]],
        database: Database,
        clock: Clock,
    ) -> None:
        self._name = name
        self._work = work
        self._timestamps = Timestamps(database)
        self._clock = clock

    async def live(self, looked_every: float = LOOKED_EVERY) -> None:
        """Do it once a day until cancelled."""
        while True:
            try:
                await self.look()
            except InfraError as error:
                log.warning("daily work not done", work=self._name, reason=str(error))
            await asyncio.sleep(looked_every)

    async def look(self) -> None:
        """Do it if nobody did within a day; raises `InfraError`, after which it is due again."""
        now = self._clock()

        def turn(known: dict[str, datetime]) -> tuple[dict[str, datetime], bool]:
            last = known.get(self._name)
            # A moment that lies ahead is of a clock that was wrong.
            is_due = last is None or not timedelta(0) <= now - last < EVERY
            return ({self._name: now} if is_due else {}), is_due

        if not await self._timestamps.decide((self._name,), turn):
            return
        try:
            await self._work(now)
        except InfraError:
            await self._timestamps.decide(
                (self._name,), lambda _: ({self._name: now - EVERY}, None)
            )
            raise


def daily_purge(database: Database, keep_days: int, clock: Clock) -> Daily:
    """Return what throws away what is older than so many days; 0 keeps everything."""

    async def work(now: datetime) -> None:
        if keep_days:
            log.info("purged", **await purge(database, now, timedelta(days=keep_days)))

    return Daily("last purge", work, database, clock)


def once_private(source: Source, listed: frozenset[str], database: Database, clock: Clock) -> Daily:
    """Return what looks at hidden repositories that are not among `listed`, names in lower case.

    Nothing is told of what was private once until GitHub says that it is public, and nobody who
    asks in a channel makes the bot look. What looks notes the answer
    (`adapters.wiring.assembly.note_visibility`). A repository that cannot be looked at stays
    hidden, and the next day comes.
    """
    hidden = HiddenRepos(database)

    async def work(now: datetime) -> None:
        window = Window(now - timedelta(minutes=1), now, "UTC", "")
        for name in sorted(await hidden.all() - listed):
            try:
                await source.collect(Repo.parse(name), window)
            except InfraError as error:
                # Its name is nobody's to read: who may, sees it in INFRA_PRIVATE_REPOS.
                log.info("what was private stays hidden", reason=type(error).__name__)

    return Daily("last look at what was private", work, database, clock)
