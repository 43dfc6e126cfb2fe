"""The simple clock of a running bot: every quarter of a minute it asks what is due."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime

from digest.leases import POLL_INTERVAL
from digest.ports import Clock

TICK = POLL_INTERVAL.total_seconds()
"""Seconds between two looks; a thread is at most so late."""

SHORTEST_TICK = 0.5


@contextmanager
def ticking(tick: Callable[[datetime], None], clock: Clock, speed: float = 1.0) -> Iterator[None]:
    """Call `tick` now and then every quarter of a minute of a clock that runs at a speed.

    Several processes may tick: what is due is claimed in the database, not here. A look that fails
    is logged by the event loop and stops no clock. The time between two looks is the event loop's,
    which goes on whatever the clock of the machine says.
    """
    loop = asyncio.get_running_loop()
    every = max(SHORTEST_TICK, TICK / speed)
    timer: asyncio.TimerHandle

    def look() -> None:
        nonlocal timer
        timer = loop.call_later(every, look)
        tick(clock())

    timer = loop.call_later(every, look)
    try:
        tick(clock())
        yield
    finally:
        timer.cancel()
