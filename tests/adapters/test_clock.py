"""The clock of a running bot: it goes on whatever the clock of the machine says."""

import asyncio
import logging
from datetime import UTC, datetime, timedelta

import pytest

from adapters.operations.clock import SHORTEST_TICK, ticking
from tests.conftest import PATIENCE

BEGAN = datetime(2026, 2, 12, 9, tzinfo=UTC)


async def test_a_clock_that_jumps_back_and_ahead_is_asked_as_often_as_any_other() -> None:
    jumps = iter((timedelta(0), timedelta(days=-20_000), timedelta(days=400)))
    asked: list[datetime] = []
    again = asyncio.Event()
    began = asyncio.get_running_loop().time()

    def tick(now: datetime) -> None:
        asked.append(now)
        if len(asked) == 3:
            again.set()

    with ticking(tick, lambda: BEGAN + next(jumps), speed=1_000.0):
        async with asyncio.timeout(PATIENCE):
            await again.wait()

    assert [now.year for now in asked] == [2026, 1971, 2027]
    assert asyncio.get_running_loop().time() - began >= 2 * SHORTEST_TICK


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
        caplog.at_level(logging.ERROR, logger="asyncio"),
        ticking(tick, lambda: BEGAN, speed=1_000.0),
    ):
        async with asyncio.timeout(PATIENCE):
            await again.wait()

    assert "nobody foresaw this" in caplog.text


async def test_after_its_end_nothing_is_asked_any_more() -> None:
    asked: list[datetime] = []

    with ticking(asked.append, lambda: BEGAN, speed=1_000.0):
        pass
    await asyncio.sleep(0.7)

    assert asked == [BEGAN]
