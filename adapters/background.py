"""Work that goes on after a platform has its answer: kept hold of, and logged if it breaks."""

import asyncio
from collections.abc import Coroutine

import structlog

SECONDS_TO_FINISH = 10.0

log = structlog.get_logger()


class Background:
    """Tasks of this process; the event loop alone would forget them."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[None, None, None], name: str) -> None:
        """Begin work; it is named in the log if it breaks."""
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

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

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            log.error("work failed", work=task.get_name(), exc_info=error)
