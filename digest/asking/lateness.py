"""How long a digest waits for a model, and what becomes of words that come later.

Past its time a digest goes out as rules wrote it. The questions go on, and what comes of them is
handed over when it is there; whoever asks in between gets what is there.
"""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import TypeAlias

import structlog

from digest.asking import choice
from digest.asking.glosses import Glosses
from digest.asking.outcome import late
from digest.claims import ModelOutcome
from digest.errors import InfraError
from digest.models import Digest, Repo

TRIED_AGAIN = timedelta(minutes=10)
"""After so long a server that failed, or a budget that was spent, is asked again."""

WORTH_TRYING = timedelta(days=1)
"""How long after a day the few items that got no answer are asked about again: nobody reads them
later, and a model that declines them would be asked for ever."""

WHILE_BEHIND = 1.0
"""Seconds that a digest waits while the words of another are late: kept answers need no more."""

Completed: TypeAlias = Callable[[Digest], Awaitable[None]]
"""Takes a digest whose words came late."""

_Work: TypeAlias = tuple[Repo, datetime, datetime, str, datetime]

log = structlog.get_logger()


class Lateness:
    """Waits for the words of a model, each digest for `seconds` at most.

    `pause` waits for seconds of the real clock.
    """

    def __init__(
        self,
        glosses: Glosses,
        *,
        seconds: float,
        pause: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._glosses = glosses
        self._seconds = seconds
        self._pause = pause
        self._behind: dict[_Work, asyncio.Task[None]] = {}
        self._asked: set[asyncio.Task[Digest]] = set()

    def owes(self, digest: Digest, now: datetime) -> bool:
        """Tell whether a stored digest is to be given words that it lacks; `now` is UTC.

        So is one that was late, that was stored before there was a model, or whose sentences other
        rules proved; one whose server failed, or left items without an answer, after a while.
        """
        use = digest.model
        if _work(digest) in self._behind:
            return False
        if use is None or use.outcome is ModelOutcome.LATE:
            return True
        again = now - digest.generated_at >= TRIED_AGAIN
        if use.outcome in (ModelOutcome.FAILED, ModelOutcome.OVER_BUDGET):
            return again
        if use.verifier != self._glosses.verifier:
            return True
        return bool(use.unanswered) and again and now - digest.reading.window.end < WORTH_TRYING

    async def glossed(self, digest: Digest, completed: Completed) -> Digest:
        """Give a digest its words, or say that they are late and hand them over when they come.

        Its items are to have their hunks.
        """
        asked = asyncio.create_task(self._glosses.gloss(digest))
        waited = asyncio.ensure_future(self._waited())
        try:
            await asyncio.wait({asked, waited}, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            asked.cancel()
            raise
        finally:
            waited.cancel()
        if asked.done():
            return asked.result()
        log.warning("model late", repo=str(digest.reading.repo), window=digest.reading.window.label)
        self._go_on(_work(digest), asked, completed)
        count = min(len(choice.items(digest.reading)), self._glosses.most_items)
        return late(digest, self._glosses.model, count)

    async def settle(self) -> None:
        """Wait until no words are owed any more."""
        while self._behind:
            await asyncio.wait(self._behind.values())
            await asyncio.sleep(0)

    async def stop(self) -> None:
        """Let go of what is late; answers are kept, so that the next process goes on from them."""
        asked = tuple(self._asked)
        for task in (*self._behind.values(), *asked):
            task.cancel()
        await self.settle()
        await asyncio.gather(*asked, return_exceptions=True)

    async def _waited(self) -> None:
        await self._pause(min(self._seconds, WHILE_BEHIND) if self._behind else self._seconds)

    def _go_on(self, work: _Work, asked: "asyncio.Task[Digest]", completed: Completed) -> None:
        task = asyncio.create_task(_hand_over(asked, completed))
        self._behind[work] = task
        self._asked.add(asked)
        asked.add_done_callback(self._asked.discard)

        def done(ended: "asyncio.Task[None]") -> None:
            if self._behind.get(work) is ended:
                del self._behind[work]
            error = None if ended.cancelled() else ended.exception()
            if error is not None:
                log.error("late words lost", reason=str(error))

        task.add_done_callback(done)


async def _hand_over(asked: "asyncio.Task[Digest]", completed: Completed) -> None:
    try:
        await completed(await asked)
    except InfraError as error:
        log.warning("late words not stored", reason=str(error))


def _work(digest: Digest) -> _Work:
    reading = digest.reading
    window = reading.window
    return reading.repo, window.start, window.end, window.tz, reading.collected_at
