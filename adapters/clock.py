"""The simple clock of a running bot: every half minute it asks what is due."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime

from digest.ports import Clock

TICK = 30.0
"""Seconds between two looks; a thread is at most so late."""

SHORTEST_TICK = 0.5


@contextmanager
def ticking(tick: Callable[[datetime], None], clock: Clock, speed: float = 1.0) -> Iterator[None]:
    """Call `tick` now and then every half minute of a clock that runs at a speed.

    Several processes may tick: what is due is claimed in the database, not here. The pauses are
    those of the event loop, whose time never goes back: a clock of the machine that is set back
    by a day must not stand still for a day.
    """
    loop = asyncio.get_running_loop()
    timer: asyncio.TimerHandle

    def look() -> None:
        nonlocal timer
        # Before the look: one that fails is logged by the loop and stops no clock.
        timer = loop.call_later(max(SHORTEST_TICK, TICK / speed), look)
        tick(clock())

    look()
    try:
        yield
    finally:
        timer.cancel()
