"""When a running bot looks: every quarter of a minute at what is due, once a day at what is old."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import structlog
from apscheduler.schedulers.asyncio import (  # type: ignore[import-untyped] # it has no hints
    AsyncIOScheduler,
)
from apscheduler.triggers.base import (  # type: ignore[import-untyped] # it has no hints
    BaseTrigger,
)

from bot.store.records import HiddenRepos, Timestamps
from bot.store.retention import purge
from digest.errors import InfraError
from digest.leases import POLL_INTERVAL
from digest.models import Repo, Window
from digest.ports import Clock, Source
from digest.store.database import Database

TICK = POLL_INTERVAL.total_seconds()
"""Seconds between two looks; a thread is at most so late."""

SHORTEST_TICK = 0.5

WATCHED_EVERY = 5.0
"""Seconds of the event loop, whose time never goes back, between two looks at the scheduler."""


class SteadyTrigger(BaseTrigger):  # type: ignore[misc] # the base has no hints
    """Fires each time so long after it was looked at.

    The library's own interval walks through every time that was missed: from 1970, where a machine
    without a battery starts, to now that takes it a quarter of an hour and all of the memory.
    """

    def __init__(self, every: timedelta) -> None:
        self._every = every

    def get_next_fire_time(
        self, previous_fire_time: datetime | None, now: datetime
    ) -> datetime | None:
        """Return the next time after `now`, however long ago the last one was."""
        return now + self._every


@contextmanager
def ticking(
    tick: Callable[[datetime], None],
    clock: Clock,
    speed: float = 1.0,
    *,
    machine: Clock,
    watched_every: float = WATCHED_EVERY,
) -> Iterator[None]:
    """Call `tick` now and then every quarter of a minute of a clock that runs at a speed.

    Several processes may tick: what is due is claimed in the database, not here. A look that fails
    is logged by the scheduler and stops no clock. The scheduler goes by the clock of the machine,
    which `machine` reads: where that is set back by a day, the next look is called at once instead
    of in a day.
    """
    loop = asyncio.get_running_loop()
    every = timedelta(seconds=max(SHORTEST_TICK, TICK / speed))
    timer: asyncio.TimerHandle

    async def look() -> None:
        tick(clock())

    scheduler = AsyncIOScheduler(timezone=UTC)
    # Late is better than never, and one look does for all that were missed.
    job = scheduler.add_job(
        look,
        SteadyTrigger(every),
        coalesce=True,
        max_instances=1,
        misfire_grace_time=None,
    )

    def watch() -> None:
        nonlocal timer
        timer = loop.call_later(watched_every, watch)
        now = machine()
        if job.next_run_time - now > 2 * every:
            job.modify(next_run_time=now)

    scheduler.start()
    watch()
    try:
        tick(clock())
        yield
    finally:
        timer.cancel()
        scheduler.shutdown(wait=False)


EVERY = timedelta(days=1)

LOOKED_EVERY = 900.0
"""Seconds of the real clock between two looks whether a day is over."""

log = structlog.get_logger()


@dataclass(eq=False, repr=False)
class Daily:
    """Work that is due once a day, whichever process does it; `name` is what it is stored under."""

    name: str
    work: Callable[[datetime], Awaitable[None]]
    database: Database
    clock: Clock

    def __post_init__(self) -> None:
        self._timestamps = Timestamps(self.database)

    async def live(self, looked_every: float = LOOKED_EVERY) -> None:
        """Do it once a day until cancelled."""
        while True:
            try:
                await self.look()
            except InfraError as error:
                log.warning("daily work not done", work=self.name, reason=str(error))
            await asyncio.sleep(looked_every)

    async def look(self) -> None:
        """Do it if nobody did within a day; raises `InfraError`, after which it is due again."""
        now = self.clock()

        def turn(known: dict[str, datetime]) -> tuple[dict[str, datetime], bool]:
            last = known.get(self.name)
            # A moment that lies ahead is of a clock that was wrong.
            is_due = last is None or not timedelta(0) <= now - last < EVERY
            return ({self.name: now} if is_due else {}), is_due

        if not await self._timestamps.decide((self.name,), turn):
            return
        try:
            await self.work(now)
        except InfraError:
            await self._timestamps.decide((self.name,), lambda _: ({self.name: now - EVERY}, None))
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
