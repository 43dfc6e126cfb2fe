"""Work that goes on after a platform has its answer: kept hold of, and logged if it breaks.

Answers are computed by the same event loop that has to answer the platform in time. So only a few
of them are begun at once: a crowd of commands is acknowledged first and answered one after the
other. Work that takes long waits for somebody else, and soon gives its turn away.
"""

import asyncio
import contextlib
from collections.abc import Coroutine

import structlog

AT_ONCE = 2
"""Answers that may be computed side by side."""

TURN = 0.1
"""Seconds after which work that is not done is taken to wait, and the next may begin."""

SECONDS_TO_FINISH = 4.0
"""Work that takes longer is let go of, so that the whole process ends within ten seconds."""

log = structlog.get_logger()


class Background:
    """Tasks of this process; the event loop alone would forget them."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()
        self._turns = asyncio.Semaphore(AT_ONCE)

    def start(self, work: Coroutine[None, None, None], name: str) -> "asyncio.Task[None]":
        """Begin work when its turn comes; it is named in the log if it breaks."""
        task = asyncio.create_task(self._in_turn(work), name=name)
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

    async def _in_turn(self, work: Coroutine[None, None, None]) -> None:
        with contextlib.closing(work):
            await self._turns.acquire()
            over = asyncio.get_running_loop().call_later(TURN, self._turns.release)
            try:
                await work
            finally:
                if over.when() > asyncio.get_running_loop().time():
                    over.cancel()
                    self._turns.release()


def say_if_broken(task: asyncio.Task[None]) -> None:
    """Log, by its name, a task that broke; to be called once it is done."""
    error = None if task.cancelled() else task.exception()
    if error is not None:
        log.error("work failed", work=task.get_name(), exc_info=error)
