"""What one process knows of itself, told to whoever asks it and kept for the other processes."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import KW_ONLY, dataclass
from datetime import datetime
from importlib.metadata import version
from itertools import chain, repeat
from typing import TypeVar

import structlog

from adapters.operations.clock import TICK
from adapters.operations.metrics import Metrics
from bot.model import slots
from bot.store.figures import DatabaseFigures, Processes, ProcessState, figures
from digest.errors import InfraError
from digest.ports import Clock
from digest.store.database import HEAD, Database

HEARTBEAT = 30.0
"""Seconds of the real clock between two heartbeats."""

FIRST_SIGNS = (2.0, 5.0)
"""The same at first, while platforms are being reached."""

MISSED = 6
"""Ticks that may be missed before the clock is taken to stand still."""

ANSWERS_WITHIN = 5.0
"""Seconds for the database to answer who asks whether this process is ready."""

Answer = TypeVar("Answer")

Unheard = Callable[[], Awaitable[str]]
"""Says why a platform is not heard, in one sentence, or nothing where it is."""

log = structlog.get_logger()


@dataclass(eq=False, repr=False)
class Health:
    """One process: whether it is ready, and its heartbeat.

    `budget` gives GitHub's requests left by limit, and those that were made.
    """

    database: Database
    metrics: Metrics
    _: KW_ONLY
    owner: str
    only: str
    clock: Clock
    budget: Callable[[], tuple[Mapping[str, int], int]]
    speed: float = 1.0

    def __post_init__(self) -> None:
        self._processes = Processes(self.database)
        self._still_after = MISSED * max(TICK, TICK / self.speed)
        self._started_at = self.clock()
        self._ticked_at: datetime | None = None
        self._ticked: float | None = None
        self._platforms: dict[str, Unheard] = {}
        self._has_clock = False
        self._unwritten = ""
        self._trying: asyncio.Task[str] | None = None

    def expect_clock(self) -> None:
        """Have this process only ready while its clock ticks."""
        self._has_clock = True

    def ticked(self, now: datetime) -> None:
        """Note that the clock asked what is due, and that all of it was gone through."""
        self._ticked_at = now
        self._ticked = asyncio.get_running_loop().time()

    def listens(self, platform: str, unheard: Unheard) -> None:
        """Have this process only ready while it hears a platform."""
        self._platforms[platform] = unheard

    async def unready(self) -> list[str]:
        """Return one sentence for everything that keeps this process from its work."""
        faults = [await self._database_fault(), self._clock_fault()]
        faults += [f"{platform}: {why}" for platform, why in (await self._unheard()).items() if why]
        return [sentence for sentence in faults if sentence]

    async def page(self) -> bytes:
        """Return the page of metrics."""
        now = self.clock()
        known: DatabaseFigures | None = None
        try:
            known = await _answered(asyncio.create_task(figures(self.database, now)))
        except (InfraError, TimeoutError) as error:
            log.warning("no figures", reason=str(error) or "the database does not answer")
        left, _ = self.budget()
        return self.metrics.page(known, now, ticked_at=self._ticked_at, left=left)

    async def live(self) -> None:
        """Write heartbeats until cancelled, then say good-bye."""
        try:
            for pause in chain(FIRST_SIGNS, repeat(HEARTBEAT)):
                await self._speak()
                await asyncio.sleep(pause)
        finally:
            await self._leave()

    async def _speak(self) -> None:
        left, sent = self.budget()
        state = ProcessState(
            self.owner,
            self.only,
            version("infra-digest"),
            self._started_at,
            self.clock(),
            self._ticked_at,
            await self._unheard(),
            left,
            sent,
        )
        try:
            await self._processes.speak(state)
        except InfraError as error:
            self._unwritten = str(error)
            log.warning("no heartbeat", reason=self._unwritten)
        else:
            self._unwritten = ""

    async def _leave(self) -> None:
        try:
            async with asyncio.timeout(ANSWERS_WITHIN):
                await self._processes.leave(self.owner)
        except (InfraError, TimeoutError) as error:
            log.warning("left without a word", reason=str(error))

    async def _unheard(self) -> dict[str, str]:
        return {name: await unheard() for name, unheard in self._platforms.items()}

    async def _database_fault(self) -> str:
        """Say what is wrong with the database; who asks while it is being tried waits for that."""
        if self._trying is None or self._trying.done():
            self._trying = asyncio.create_task(self._tried())
        try:
            return await _answered(self._trying)
        except TimeoutError:
            return "database: it does not answer, or is locked by another program"

    async def _tried(self) -> str:
        try:
            at = await self.database.version()
        except InfraError as error:
            return f"database: {error}"
        if at != HEAD and not _is_newer(at):
            return f"database: it is at {at}, this program works with {HEAD}"
        if self._unwritten:  # at the last heartbeat; by now it may be mended
            await self._speak()
        return f"database: {self._unwritten}" if self._unwritten else ""

    def _clock_fault(self) -> str:
        if not self._has_clock:
            return ""
        if wrong := slots.doubt(self.clock()):
            return f"clock: {wrong}"
        if self._ticked is None:
            return "clock: it has not asked yet what is due"
        ago = asyncio.get_running_loop().time() - self._ticked
        return f"clock: it last asked {ago:.0f} s ago" if ago > self._still_after else ""


async def _answered(task: "asyncio.Task[Answer]") -> Answer:
    """Return what a task gives in time; raises `TimeoutError`, and leaves it to itself then.

    A driver that waits for a lock is not to be hurried: to cancel it takes as long.
    """
    done, _ = await asyncio.wait({task}, timeout=ANSWERS_WITHIN)
    if not done:
        task.add_done_callback(lambda late: late.cancelled() or late.exception())
        raise TimeoutError
    return task.result()


def _is_newer(at: str | None) -> bool:
    """Return whether a newer version made the database: a running process goes on meanwhile."""
    from digest.store.migrations.history import known_revisions  # slow, and seldom needed

    return at is not None and at not in known_revisions()
