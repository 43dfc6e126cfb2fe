"""Work that goes on after a platform has its answer: kept hold of, and logged if it breaks."""

import asyncio
from collections.abc import Coroutine

import structlog

SECONDS_TO_FINISH = 4.0
"""Work that takes longer is let go of, so that the whole process ends within ten seconds."""

log = structlog.get_logger()


class Background:
    """Tasks of this process; the event loop alone would forget them."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[None, None, None], name: str) -> "asyncio.Task[None]":
        """Begin work; it is named in the log if it breaks."""
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(say_if_broken)
        return task

    async def finished(self, work: Coroutine[None, None, None], name: str, within: float) -> bool:
        """Begin work, and tell whether it came to a good end within some seconds; it goes on."""
        task = self.start(work, name)
        await asyncio.wait({task}, timeout=within)
        return task.done() and not task.cancelled() and task.exception() is None

    async def settle(self) -> None:
        """Wait until nothing is in work."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def stop(self, seconds: float = SECONDS_TO_FINISH) -> None:
        """Let what is in work come to its end, then let go of the rest."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=seconds)
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def say_if_broken(task: asyncio.Task[None]) -> None:
    """Log, by its name, a task that broke; to be called once it is done."""
    error = None if task.cancelled() else task.exception()
    if error is not None:
        log.error("work failed", work=task.get_name(), exc_info=error)
