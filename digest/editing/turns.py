"""One process at a time asks a question; the others wait for its answer.

The lock is a row of the database: who puts it there first asks. A row that is older than any call
may take was left by a process that is gone.
"""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Protocol, TypeVar

import structlog

from digest.errors import StoreFailed

ABANDONED = timedelta(minutes=4)
"""Longer than the longest question is in work, with what is waited before asking again."""
LOOKED_EVERY = 0.5
"""Seconds between two looks for an answer; a question takes some seconds."""

Found = TypeVar("Found")

log = structlog.get_logger()


class Locks(Protocol):
    """Who asks which question, by its key; both methods raise `StoreFailed`."""

    async def take(self, key: str, abandoned: timedelta) -> bool:
        """Lock a question that nobody has locked within that time; False where it is locked."""
        ...

    async def release(self, key: str) -> None:
        """Let others ask, or read the answer that is kept."""
        ...


async def turn(
    locks: Locks,
    key: str,
    recall: Callable[[], Awaitable[Found | None]],
    pause: Callable[[float], Awaitable[object]] = asyncio.sleep,
) -> Found | None:
    """Wait for the answer of another process; None once it is one's own turn to ask.

    Where locks cannot be kept, it is one's own turn at once.
    """
    try:
        while not await locks.take(key, ABANDONED):
            await pause(LOOKED_EVERY)
            if (kept := await recall()) is not None:
                return kept
        # It may have been answered between the last look and the lock.
        kept = await recall()
        if kept is not None:
            await locks.release(key)
    except StoreFailed as error:
        log.warning("question not locked", reason=str(error))
        return None
    return kept
