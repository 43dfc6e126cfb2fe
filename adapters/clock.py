"""The simple clock of a running bot: every half minute it asks what is due."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from apscheduler.schedulers.asyncio import (  # type: ignore[import-untyped] # it has no hints
    AsyncIOScheduler,
)

from digest.ports import Clock

TICK = 30.0
"""Seconds between two looks; a thread is at most so late."""

SHORTEST_TICK = 0.5


@contextmanager
def ticking(tick: Callable[[datetime], None], clock: Clock, speed: float = 1.0) -> Iterator[None]:
    """Call `tick` now and then every half minute of a clock that runs at a speed.

    Several processes may tick: what is due is claimed in the database, not here.
    """

    async def look() -> None:
        tick(clock())

    scheduler = AsyncIOScheduler(timezone=UTC)
    scheduler.add_job(
        look, "interval", seconds=max(SHORTEST_TICK, TICK / speed), coalesce=True, max_instances=1
    )
    scheduler.start()
    try:
        tick(clock())
        yield
    finally:
        scheduler.shutdown(wait=False)
