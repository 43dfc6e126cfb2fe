"""Reads the public codebases and files that concern channels, each once a day, one at a time.

::

    due     = concerns.take_due(now, in an hour)      by one process at a time
    surface = read(repo, of)                          minutes at most, away from this process
    concerns.refresh(surface, or why it failed)       due again tomorrow
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Protocol, TypeAlias

import structlog

from bot.deliver.background import BackgroundLook
from bot.model.concerns import EVERY, Concern
from bot.store.concerns import Concerns
from digest.concern.surface import Surface
from digest.errors import InfraError, StoreFailed
from digest.models import Repo
from digest.ports import Clock

READ_WITHIN = timedelta(hours=1)
"""After so long another process takes up a codebase whose reader is gone."""

MOST_AT_ONCE = 20

ReadSurface: TypeAlias = Callable[[Repo, str], Awaitable[Surface]]
"""Reads what a public codebase uses of an upstream repository; raises `InfraError`."""


class FetchFile(Protocol):
    """Fetches the text of a file from a public address; raises `InfraError`."""

    async def __call__(self, url: str, name: str = "") -> str:
        """Return the text; `name` is what the file is called in what is said, else its address."""
        ...


log = structlog.get_logger()


class ConcernReading(BackgroundLook):
    """Reads what is due."""

    failed = "no concern read"

    def __init__(
        self, concerns: Concerns, read: ReadSurface, clock: Clock, fetch: FetchFile
    ) -> None:
        """`read` reads one codebase, `fetch` one file."""
        super().__init__()
        self._concerns = concerns
        self._read = read
        self._fetch = fetch
        self._clock = clock

    async def look(self, now: datetime) -> None:
        """Read what is due, and keep it. Raises `StoreFailed`."""
        for _ in range(MOST_AT_ONCE):
            due = await self._concerns.take_due(now, now + READ_WITHIN)
            if due is None:
                return
            after = await self._after(due)
            await self._concerns.refresh(after, self._clock() + EVERY)

    async def _after(self, due: Concern) -> Concern:
        try:
            if due.repo is not None:
                surface = await self._read(due.repo, due.of)
            else:
                text = await self._fetch(due.url)
                surface = await asyncio.to_thread(Surface.read, text)
        except StoreFailed:
            raise
        except InfraError as error:
            log.warning("concern not read", concern=due.name, reason=str(error))
            return replace(due, trouble=error.why)
        return replace(due, surface=surface, read_at=self._clock(), trouble=None)
