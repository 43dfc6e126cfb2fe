"""The time that all processes of one database agree on, whatever their machines' clocks show."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime, timedelta

import structlog

from digest.errors import InfraError
from digest.ports import Clock
from digest.store.database import Database

SYNCHRONIZED_EVERY = 30.0
"""Seconds between two questions; good quartz is a thousandth of a second off by then."""

_STEADY = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
"""A clock of this machine that nobody sets; on Linux it goes on while the machine sleeps."""

log = structlog.get_logger()


class DatabaseClock:
    """The clock of PostgreSQL, kept going by this machine's steady one until it is asked again.

    It is behind the server's by the time an answer takes, and so never ends a lease too early. A
    SQLite file belongs to one machine, whose own clock counts.
    """

    def __init__(
        self,
        database: Database,
        machine: Clock,
        *,
        steady: Callable[[], float] = lambda: time.clock_gettime(_STEADY),
    ) -> None:
        """Take an open database; `machine` gives the time in UTC, `steady` seconds."""
        self._database = database
        self._machine = machine
        self._steady = steady
        self._answer: tuple[datetime, float] | None = None

    def __call__(self) -> datetime:
        """Return the time in UTC."""
        if self._answer is None:
            return self._machine()
        at, answered = self._answer
        return at + timedelta(seconds=self._steady() - answered)

    async def synchronize(self) -> None:
        """Ask the database what time it is; raises `StoreFailed`."""
        answer = await self._database.now(self._steady)
        if answer is not None:
            self._answer = answer


@asynccontextmanager
async def database_clock(database: Database, machine: Clock) -> AsyncIterator[Clock]:
    """Ask a database for its time, and again and again; raises `StoreFailed` at first.

    `machine` is the clock that counts on SQLite. The clock goes on while nothing is answered later.
    """
    clock = DatabaseClock(database, machine)
    await clock.synchronize()

    async def keep_synchronized() -> None:
        while True:
            await asyncio.sleep(SYNCHRONIZED_EVERY)
            try:
                await clock.synchronize()
            except InfraError as error:
                log.warning("time not synchronized", reason=str(error))

    synchronizing = asyncio.create_task(keep_synchronized())
    try:
        yield clock
    finally:
        synchronizing.cancel()
        await asyncio.wait([synchronizing])
