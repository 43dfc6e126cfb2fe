"""The clock of a running bot: it goes on whatever the clock of the machine says."""

import asyncio
from datetime import UTC, datetime, timedelta

from adapters.clock import ticking

BEGAN = datetime(2026, 2, 12, 9, tzinfo=UTC)


async def test_a_clock_that_is_set_back_by_a_day_goes_on_ticking() -> None:
    shown = [BEGAN, BEGAN - timedelta(days=1), BEGAN - timedelta(days=1)]
    asked: list[datetime] = []
    enough = asyncio.Event()

    def tick(now: datetime) -> None:
        asked.append(now)
        if len(asked) == len(shown):
            enough.set()

    with ticking(tick, lambda: shown[len(asked)], speed=1_000.0):
        async with asyncio.timeout(5):
            await enough.wait()

    assert asked == shown


async def test_a_look_that_fails_does_not_stop_the_clock() -> None:
    loop = asyncio.get_running_loop()
    logged: list[object] = []
    loop.set_exception_handler(lambda _, context: logged.append(context["exception"]))
    asked = 0
    again = asyncio.Event()

    def tick(now: datetime) -> None:
        nonlocal asked
        asked += 1
        if asked == 2:
            raise RuntimeError("nobody foresaw this")
        if asked == 3:
            again.set()

    with ticking(tick, lambda: BEGAN, speed=1_000.0):
        async with asyncio.timeout(5):
            await again.wait()

    assert [str(each) for each in logged] == ["nobody foresaw this"]


async def test_after_its_end_nothing_is_asked_any_more() -> None:
    asked: list[datetime] = []

    with ticking(asked.append, lambda: BEGAN, speed=1_000.0):
        pass
    await asyncio.sleep(0.7)

    assert asked == [BEGAN]
