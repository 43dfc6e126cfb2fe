"""Answers are begun a few at a time, and one that waits for others gives its turn away."""

import asyncio

import structlog

from adapters.operations.background import AT_ONCE, Background, say_if_broken


async def test_only_a_few_are_computed_side_by_side() -> None:
    background = Background()
    running = most = 0

    async def answer() -> None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0.001)
        running -= 1

    for _ in range(20):
        background.start(answer(), "answer")
    await background.settle()

    assert most == AT_ONCE


async def test_work_that_waits_gives_its_turn_away_and_no_turn_is_lost_or_made() -> None:
    background = Background()
    long_enough = asyncio.Event()

    async def waiting() -> None:
        await long_enough.wait()

    async def answer() -> None:
        long_enough.set()

    for _ in range(AT_ONCE):
        background.start(waiting(), "waiting")
    background.start(answer(), "answer")
    await background.settle()

    assert background._turns._value == AT_ONCE


async def test_what_never_began_is_let_go_without_a_word() -> None:
    background = Background()

    async def stuck() -> None:
        await asyncio.sleep(60)

    for _ in range(5):
        background.start(stuck(), "stuck")
    await asyncio.sleep(0)
    with structlog.testing.capture_logs() as logs:
        await background.stop(seconds=0.01)

    assert logs == []
    await background.stop()


async def test_what_breaks_is_said_by_its_name_and_what_ends_is_not() -> None:
    async def end(error: Exception | None) -> None:
        if error:
            raise error

    with structlog.testing.capture_logs() as logs:
        for error in (None, RuntimeError("nobody foresaw this")):
            task = asyncio.create_task(end(error), name="purging")
            task.add_done_callback(say_if_broken)
            await asyncio.wait([task])
            await asyncio.sleep(0)

    assert [(line["work"], str(line["exc_info"])) for line in logs] == [
        ("purging", "nobody foresaw this")
    ]
