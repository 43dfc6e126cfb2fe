"""Work that goes on beside the mornings: one look at a time, begun by the clock."""

import asyncio
from abc import ABC, abstractmethod
from datetime import datetime

import structlog

from digest.errors import InfraError

log = structlog.get_logger()


class BackgroundLook(ABC):
    """Looks at what is due, without keeping the mornings waiting.

    `failed` is what the log says where a look could not be finished.
    """

    failed = ""

    def __init__(self) -> None:
        self._looking: asyncio.Task[None] | None = None

    @abstractmethod
    async def look(self, now: datetime) -> None:
        """Do what is due. Raises `StoreFailed`."""

    def start(self, now: datetime) -> None:
        """Begin to do what is due, unless a look is under way."""
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self.look(now))
            self._looking.add_done_callback(self._logged)

    async def settle(self) -> None:
        """Wait until no look is under way."""
        if self._looking:
            await asyncio.wait([self._looking])

    async def stop(self) -> None:
        """Let go of a look; the next process goes on with it."""
        if self._looking:
            self._looking.cancel()
            await self.settle()

    def _logged(self, task: "asyncio.Task[None]") -> None:
        error = None if task.cancelled() else task.exception()
        if error is not None:
            trace = None if isinstance(error, InfraError) else error
            log.error(self.failed, reason=str(error), exc_info=trace)
