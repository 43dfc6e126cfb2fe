"""Work that goes on beside the mornings, one look at a time: codebases that concern channels.

::

    due     = concerns.take_due(now, in an hour)      by one process at a time
    surface = read(repo, of)                          minutes at most, away from this process
    concerns.refresh(surface, or why it failed)       due again tomorrow
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import ClassVar, TypeAlias

import structlog

from bot.model.concerns import EVERY, Concern
from bot.store.records import ConcernRecords
from digest.concern.surface import Surface
from digest.errors import InfraError, StoreFailed
from digest.models import Repo
from digest.ports import Clock

READ_WITHIN = timedelta(hours=1)
"""After so long another process takes up a codebase whose reader is gone."""

MOST_AT_ONCE = 20

ReadSurface: TypeAlias = Callable[[Repo, str], Awaitable[Surface]]
"""Reads what a public codebase uses of an upstream repository; raises `InfraError`."""


FetchFile: TypeAlias = Callable[[str, str], Awaitable[str]]
"""Fetches the text of a file from a public address; raises `InfraError`.

The second value is what the file is called in what is said, empty for its address.
"""

log = structlog.get_logger()


class BackgroundLook(ABC):
    """Looks at what is due, without keeping the mornings waiting.

    `failure` is what the log says where a look could not be finished.
    """

    failure: ClassVar[str]

    _looking: asyncio.Task[None] | None = None

    @abstractmethod
    async def look(self, now: datetime) -> None:
        """Do what is due. Raises `StoreFailed`."""

    def start(self, now: datetime) -> None:
        """Begin to do what is due, unless a look is under way."""
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self.look(now))
            self._looking.add_done_callback(partial(log_failure, self.failure))

    async def settle(self) -> None:
        """Wait until no look is under way."""
        if self._looking:
            await asyncio.wait([self._looking])

    async def stop(self) -> None:
        """Let go of a look; the next process goes on with it."""
        if self._looking:
            self._looking.cancel()
            await self.settle()


def is_since(last: datetime | None, now: datetime, every: timedelta) -> bool:
    """Return whether a moment is no longer ago than that; one that is still to come was wrong."""
    return last is not None and timedelta(0) <= now - last < every


def log_failure(event: str, task: "asyncio.Task[None]", **place: object) -> None:
    """Log that a task failed, if it did: with a trace where nobody foresaw it."""
    error = None if task.cancelled() else task.exception()
    if error is not None:
        trace = None if isinstance(error, InfraError) else error
        log.error(event, reason=str(error), exc_info=trace, **place)


@dataclass(eq=False, repr=False)
class ConcernReading(BackgroundLook):
    """Reads what is due: `read` reads one codebase, `fetch` one file."""

    failure = "no concern read"

    concerns: ConcernRecords
    read: ReadSurface
    clock: Clock
    fetch: FetchFile

    async def look(self, now: datetime) -> None:
        """Read what is due, and keep it. Raises `StoreFailed`."""
        for _ in range(MOST_AT_ONCE):
            due = await self.concerns.take_due(now, now + READ_WITHIN)
            if due is None:
                return
            after = await self._after(due)
            await self.concerns.refresh(due, after, self.clock() + EVERY)

    async def _after(self, due: Concern) -> Concern:
        try:
            if due.repo is not None:
                surface = await self.read(due.repo, due.of)
            else:
                text = await self.fetch(due.url, "")
                surface = await asyncio.to_thread(Surface.read, text)
        except StoreFailed:
            raise
        except InfraError as error:
            log.warning("concern not read", concern=due.name, reason=str(error))
            return replace(due, trouble=error.why)
        return replace(due, surface=surface, read_at=self.clock(), trouble=None)
