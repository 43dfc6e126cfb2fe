"""Gathers the days before, of every known repository, that ripples are told from.

Nobody is asked and nothing is collected: a hop that no stored day has is not told.
"""

from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from typing import TypeAlias

from cachetools import LRUCache

from digest.concern.ripple import Ripple, lean, may_ripple, ripples
from digest.concern.surface import Surface
from digest.models import KNOWN, Digest, Reading, Repo, Window

BEFORE = timedelta(days=60)
"""How far back a hop may lie: what was released takes days to weeks from one to the next."""

_MOST_READINGS = 64
"""Repositories with the days before a window that are kept at once: a morning asks for the same."""

Stored: TypeAlias = Callable[[Repo, Window], Awaitable[tuple[Digest, ...]]]
"""Gives what is stored of a repository and may be told."""


class RippleHistory:
    """Tells ripples; the days before a window are read once however many channels ask."""

    def __init__(self, stored: Stored) -> None:
        self._stored = stored
        self._readings: LRUCache[tuple[Repo, Window], tuple[Reading, ...]] = LRUCache(
            _MOST_READINGS
        )

    async def of(
        self,
        readings: Sequence[Reading],
        surfaces: Sequence[Surface],
        may_hear: Callable[[Repo], Awaitable[bool]],
    ) -> tuple[Ripple, ...]:
        """Return the ripples of readings of one window; `may_hear` is asked of every repository."""
        if not may_ripple(readings, surfaces):
            return ()
        window = max((each.window for each in readings), key=lambda one: one.end)
        span = Window(window.start - BEFORE, window.end, window.tz, "")
        earlier: list[Reading] = []
        for repo in dict.fromkeys(KNOWN.values()):
            if await may_hear(repo):
                earlier += await self._days(repo, span)
        return ripples(readings, earlier, surfaces)

    async def _days(self, repo: Repo, span: Window) -> tuple[Reading, ...]:
        key = (repo, span)
        if key not in self._readings:
            digests = await self._stored(repo, span)
            self._readings[key] = tuple(lean(digest.reading) for digest in digests)
        return self._readings[key]
