"""The simple clock of a running bot: every quarter of a minute it asks what is due."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

from apscheduler.schedulers.asyncio import (  # type: ignore[import-untyped] # it has no hints
    AsyncIOScheduler,
)
from apscheduler.triggers.base import (  # type: ignore[import-untyped] # it has no hints
    BaseTrigger,
)

from digest.leases import POLL_INTERVAL
from digest.ports import Clock

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
