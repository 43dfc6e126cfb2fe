"""What one process at a time does: a lease by name, held by heartbeats."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import datetime, timedelta
from typing import Protocol

import structlog

from digest.errors import InfraError
from digest.ports import Clock

LEASE = timedelta(seconds=60)
"""The longest that the end of one process makes a slot late, beside the work that is done anew."""

POLL_INTERVAL = timedelta(seconds=15)
"""How often each process looks at what is due."""

RENEWED_FOR = LEASE - 2 * POLL_INTERVAL
"""How long a delivery is held without a heartbeat: one look finds it, the next is after this."""

HEARTBEAT = RENEWED_FOR.total_seconds() / 3
"""Seconds of the real clock between two heartbeats; two of them may fail."""

log = structlog.get_logger()


class LeaseLost(Exception):
    """Another process has taken over what was held: leave it alone."""


class NamedLeases(Protocol):
    """What one process at a time may do, by name. Methods raise `StoreFailed`."""

    async def take(self, name: str, owner: str, now: datetime, until: datetime) -> bool:
        """Take or renew a lease; return False while another owner has it."""
        ...

    async def release(self, name: str, owner: str) -> None:
        """Give up a lease; one of another owner stays."""
        ...


@contextlib.asynccontextmanager
async def renewed(
    renew: Callable[[], Awaitable[object]], heartbeat: Callable[[], float]
) -> AsyncIterator[None]:
    """Renew a lease while the block runs, every `heartbeat()` seconds of the real clock.

    A heartbeat that the store does not take is logged, and the next one is tried. `LeaseLost` ends
    the heartbeats: whoever writes under the lease meets the same.
    """

    async def beat() -> None:
        with contextlib.suppress(LeaseLost):
            while True:
                await asyncio.sleep(heartbeat())
                try:
                    await renew()
                except InfraError as error:
                    log.warning("no heartbeat", reason=str(error))

    beating = asyncio.create_task(beat())
    try:
        yield
    finally:
        beating.cancel()
        await asyncio.wait([beating])


@contextlib.asynccontextmanager
async def held(leases: NamedLeases, name: str, owner: str, clock: Clock) -> AsyncIterator[bool]:
    """Hold a lease by name while the block runs; give False where another owner has it.

    One that is lost while the block runs, since no heartbeat was kept for as long as it lasts, is
    logged and not taken again.
    """

    async def take() -> bool:
        now = clock()
        return await leases.take(name, owner, now, now + RENEWED_FOR)

    async def renew() -> None:
        if not await take():
            log.warning("another process has taken the lease", lease=name)
            raise LeaseLost

    if not await take():
        yield False
        return
    try:
        async with renewed(renew, lambda: HEARTBEAT):
            yield True
    finally:
        await asyncio.shield(leases.release(name, owner))
