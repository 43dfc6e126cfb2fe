"""One process at a time asks a question; the others wait for its answer.

The claim is a row of the database: who puts it there first asks. It says again and again that it
is alive; where nothing was said for `ABANDONED` seconds, as the one who waits counts them, its
process is gone and another takes over. So no two machines have to agree on the time.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias
from uuid import uuid4

import structlog

from digest.asking.kept import Kept
from digest.errors import StoreFailed

SIGN_EVERY = 3.0
"""Seconds between two signs of life; two of them may fail."""

ABANDONED = 10.0
"""Seconds without a sign after which a claim is another's to take."""

LOOKED_EVERY = 0.5
"""Seconds between two looks for an answer; a question takes some seconds."""

Recall: TypeAlias = Callable[[str], Awaitable[Kept | None]]
"""Gives what is kept under a key, or None."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Sign:
    """The last sign of life of a claim: whose it is, and how many there were before."""

    owner: str
    number: int


class Claims(Protocol):
    """Who asks which question, by its key; every method raises `StoreFailed`."""

    async def take(self, key: str, owner: str) -> bool:
        """Claim a question; False where it is claimed."""
        ...

    async def sign(self, key: str) -> Sign | None:
        """Give the last sign of life of a claim, or None where there is no claim."""
        ...

    async def take_over(self, key: str, owner: str, last: Sign) -> bool:
        """Claim what another has claimed; False where it is not as `last` any more."""
        ...

    async def live(self, owner: str) -> None:
        """Give a sign of life for every claim of one's own."""
        ...

    async def release(self, key: str, owner: str) -> None:
        """Let go of a claim of one's own."""
        ...


class Turns:
    """The turns of one process.

    `moment` gives seconds of a steady clock, `pause` waits for seconds.
    """

    def __init__(
        self,
        claims: Claims,
        *,
        moment: Callable[[], float],
        pause: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._claims = claims
        self._moment = moment
        self._pause = pause
        self._owner = uuid4().hex
        self._held: set[str] = set()
        self._living: asyncio.Task[None] | None = None

    async def wait(self, key: str, recall: Recall) -> Kept | None:
        """Give the answer once another has it, or None once it is one's own turn to ask.

        Where claims cannot be kept, it is one's own turn at once.
        """
        try:
            kept = await self._waited(key, recall)
        except StoreFailed as error:
            log.warning("question not claimed", reason=str(error))
            return None
        if kept is None:
            self._hold(key)
        return kept

    async def release(self, key: str) -> None:
        """Let others ask, or read the answer that is kept; what is not held is left alone."""
        if key not in self._held:
            return
        self._held.discard(key)
        if not self._held and self._living is not None:
            self._living.cancel()
            self._living = None
        with contextlib.suppress(StoreFailed):  # without a sign of life it is let go of later
            await self._claims.release(key, self._owner)

    async def _waited(self, key: str, recall: Recall) -> Kept | None:
        last: Sign | None = None
        since = self._moment()
        mine = await self._claims.take(key, self._owner)
        while not mine:
            await self._pause(LOOKED_EVERY)
            if (kept := await recall(key)) is not None:
                return kept
            # Looking holds nobody up; claiming takes the one writer's place of a SQLite file, which
            # the one who is asked for the answer needs to keep it.
            sign = await self._claims.sign(key)
            if sign is None:
                mine = await self._claims.take(key, self._owner)
            elif sign != last:
                last, since = sign, self._moment()
            elif self._moment() - since >= ABANDONED:
                mine = await self._claims.take_over(key, self._owner, sign)
                if mine:
                    log.warning("question of a process that is gone taken over")
        # It may have been answered between the last look and the claim.
        kept = await recall(key)
        if kept is not None:
            await self._claims.release(key, self._owner)
        return kept

    def _hold(self, key: str) -> None:
        self._held.add(key)
        if self._living is None:
            self._living = asyncio.create_task(self._live())

    async def _live(self) -> None:
        while True:
            await asyncio.sleep(SIGN_EVERY)
            try:
                await self._claims.live(self._owner)
            except StoreFailed as error:
                log.warning("no sign of life of a question", reason=str(error))
