"""Work on one SQLite file by many who ask at once, done in few transactions.

A transaction costs several times what is done in it: a way to another thread and back, a lock, a
write. So what is asked for while one is going on is done together in the next one. Each is told
when its own work is kept, as if it had been alone.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import Connection

AT_ONCE = 50
"""Pieces of work in one transaction: some hundredths of a second."""

Result = TypeVar("Result")


class _CalledOff(Exception):
    """Somebody does not wait any more for what was asked for."""


@dataclass(frozen=True, slots=True)
class _Request:
    work: Callable[[Connection], Any]
    result: "asyncio.Future[Any]"


class Batches:
    """Does work beside the event loop, one transaction at a time.

    `begin` opens a transaction, which is kept where it ends without an error. `turn` is held
    while one goes on.
    """

    def __init__(
        self,
        begin: Callable[[], AbstractContextManager[Connection]],
        turn: AbstractAsyncContextManager[object],
    ) -> None:
        self._begin = begin
        self._turn = turn
        self._waiting: deque[_Request] = deque()
        self._running: asyncio.Task[None] | None = None

    async def do(self, work: Callable[[Connection], Result]) -> Result:
        """Give what `work` gives once it is kept; raises what it raises, and then nothing is.

        It may be called once more, after all that it did was taken back.
        """
        request = _Request(work, asyncio.get_running_loop().create_future())
        self._waiting.append(request)
        if self._running is None or self._running.done():
            self._running = asyncio.create_task(self._run())
        result: Result = await request.result
        return result

    async def settle(self) -> None:
        """Wait until all that was asked for is done."""
        if self._running:
            await asyncio.wait([self._running])

    async def _run(self) -> None:
        while self._waiting:
            async with self._turn:
                some = [self._waiting.popleft() for _ in range(min(AT_ONCE, len(self._waiting)))]
                wanted = [each for each in some if not each.result.done()]
                outcomes = await self._outcomes(wanted)
            for request, outcome in zip(wanted, outcomes, strict=True):
                if request.result.done():
                    continue
                if isinstance(outcome, BaseException):
                    request.result.set_exception(outcome)
                else:
                    request.result.set_result(outcome)

    async def _outcomes(self, requests: Sequence[_Request]) -> list[Any]:
        """Give what each piece of work gives or raises; where one fails, each is done alone."""
        doing = asyncio.create_task(asyncio.to_thread(self._do, requests))
        await asyncio.wait([doing])
        if doing.exception() is None:
            return doing.result()
        if len(requests) == 1:
            return [doing.exception()]
        return [outcome for each in requests for outcome in await self._outcomes([each])]

    def _do(self, requests: Sequence[_Request]) -> list[Any]:
        with self._begin() as connection:
            given = [each.work(connection) for each in requests]
            if any(each.result.cancelled() for each in requests):
                raise _CalledOff
            return given
