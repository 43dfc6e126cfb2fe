"""The clock of a running bot: it goes on whatever the clock of the machine says."""

import asyncio
import logging
from datetime import UTC, datetime, timedelta

import pytest
from apscheduler.schedulers.asyncio import (  # type: ignore[import-untyped] # it has no hints
    AsyncIOScheduler,
)

from adapters.operations.clock import SteadyTrigger, ticking
from tests.conftest import PATIENCE

BEGAN = datetime(2026, 2, 12, 9, tzinfo=UTC)


def machine() -> datetime:
    """Read the clock of the machine."""
    return datetime.now(UTC)


async def test_a_look_is_called_at_once_where_the_clock_of_the_machine_is_set_back() -> None:
    asked: list[datetime] = []
    again = asyncio.Event()

    def tick(now: datetime) -> None:
        asked.append(now)
        if len(asked) == 3:
            again.set()

    def set_back() -> datetime:
        return machine() - timedelta(days=1)

    # A look every eight hours: nothing but the one who watches can bring the second and the third.
    with ticking(tick, lambda: BEGAN, speed=0.001, machine=set_back, watched_every=0.02):
        async with asyncio.timeout(PATIENCE):
            await again.wait()

    assert asked == [BEGAN] * 3


async def test_a_clock_that_was_in_1970_goes_on_at_once_with_one_look() -> None:
    """The library walks through the times that were missed: of one year for many seconds."""
    looks: list[float] = []
    looked = asyncio.Event()
    loop = asyncio.get_running_loop()

    async def look() -> None:
        looks.append(loop.time())
        looked.set()

    scheduler = AsyncIOScheduler(timezone=UTC)
    every, long_ago = timedelta(seconds=15), datetime(1970, 1, 1, tzinfo=UTC)
    scheduler.add_job(look, SteadyTrigger(every), next_run_time=long_ago, misfire_grace_time=None)
    scheduler.start()
    async with asyncio.timeout(PATIENCE):
        await looked.wait()
    await asyncio.sleep(0.1)
    scheduler.shutdown(wait=False)

    assert len(looks) == 1


async def test_a_clock_that_is_right_is_left_alone() -> None:
    asked: list[datetime] = []

    with ticking(asked.append, lambda: BEGAN, speed=0.001, machine=machine, watched_every=0.02):
        await asyncio.sleep(0.3)

    assert asked == [BEGAN]


async def test_a_look_that_fails_does_not_stop_the_clock(
    caplog: pytest.LogCaptureFixture,
) -> None:
    asked = 0
    again = asyncio.Event()

    def tick(now: datetime) -> None:
        nonlocal asked
        asked += 1
        if asked == 2:
            raise RuntimeError("nobody foresaw this")
        if asked == 3:
            again.set()

    with (
        caplog.at_level(logging.ERROR, logger="apscheduler"),
        ticking(tick, lambda: BEGAN, speed=1_000.0, machine=machine),
    ):
        async with asyncio.timeout(PATIENCE):
            await again.wait()

    assert "nobody foresaw this" in caplog.text


async def test_after_its_end_nothing_is_asked_any_more() -> None:
    asked: list[datetime] = []

    with ticking(asked.append, lambda: BEGAN, speed=1_000.0, machine=machine):
        pass
    await asyncio.sleep(0.7)

    assert asked == [BEGAN]
