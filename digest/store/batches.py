"""Work on one database by many who ask at once, done in few transactions.

A transaction costs several times what is done in it: a way to another thread and back, a begin and
an end, a write. So what is asked for while one is going on is done together in the next one. Each
is told when its own work is kept, as if it had been alone.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

AT_ONCE = 50
"""Pieces of work in one transaction: some hundredths of a second."""

SLOW = 0.1
"""Seconds after which another transaction may begin beside one that is going on."""

MOST_TRIES = 3
"""How often work is begun that a database refused, by itself, for the sake of somebody else's."""

_OF_OTHERS = ("40P01", "40001")
"""PostgreSQL's deadlocks and conflicts, after which nothing was kept:
https://www.postgresql.org/docs/current/mvcc-serialization-failure-handling.html"""

IN_LINE = 10
"""Pieces of work that wait at a time, each by itself, for turns that others have."""

Result = TypeVar("Result")

TakeTurns = Callable[[Connection, frozenset[str], bool], frozenset[str]]
"""Takes turns for a transaction, waiting for them or not, and gives those that it has then."""

_ANOTHERS_TURN: Final = object()
"""In place of what a piece of work gives: it was not done."""


class _CalledOff(Exception):
    """Somebody does not wait any more for what was asked for."""


@dataclass(eq=False, slots=True)
class _Request:
    work: Callable[[Connection], Any]
    turn: str
    result: "asyncio.Future[Any]"
    alone: bool = False
    is_at_work: bool = False
    tries: int = 0

    def end(self, outcome: object) -> None:
        """Tell who waits, if somebody does, what came of it."""
        if self.result.done():
            return
        if isinstance(outcome, BaseException):
            self.result.set_exception(outcome)
        else:
            self.result.set_result(outcome)


class Batches:
    """Does work beside the event loop: in one transaction or, where that is slow, up to `most`.

    `begin` opens a transaction, which is kept where it ends without an error. Where all work only
    reads, what several ask for by the same object is done once for all of them.
    """

    def __init__(
        self,
        begin: Callable[[], AbstractContextManager[Connection]],
        threads: ThreadPoolExecutor,
        *,
        most: int,
        only_reads: bool = False,
        take_turns: TakeTurns = lambda _, turns, __: turns,
    ) -> None:
        self._begin = begin
        self._threads = threads
        self._most = most
        self._only_reads = only_reads
        self._take_turns = take_turns
        self._waiting: deque[_Request] = deque()
        self._runners = 0
        self._slow = 0
        self._line = asyncio.Semaphore(IN_LINE)
        self._tasks: set[asyncio.Task[None]] = set()
        self._given_up: BaseException | None = None

    async def do(
        self, work: Callable[[Connection], Result], turn: str = "", *, alone: bool = False
    ) -> Result:
        """Return what `work` gives once it is kept; raises what it raises, and then nothing is.

        It may be called again, after all that it did was taken back. Nobody else works under
        the same `turn` meanwhile, in this process or in another; an empty one is no turn. What
        takes long has a transaction `alone`: the others would be kept no sooner than it.
        """
        if self._given_up is not None:
            raise self._given_up
        request = _Request(work, turn, asyncio.get_running_loop().create_future(), alone)
        self._waiting.append(request)
        if self._runners == self._slow < self._most:
            self._begin_running()
        result: Result = await request.result
        return result

    async def settle(self) -> None:
        """Wait until all that was asked for is done."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    def give_up(self, why: BaseException) -> None:
        """Do nothing more: what waits ends with an error, and so does what is asked for later."""
        self._given_up = why
        while self._waiting:
            self._waiting.popleft().end(why)

    def _begin_running(self) -> None:
        self._runners += 1
        self._start(self._run())

    def _start(self, doing: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(doing)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _run(self) -> None:
        try:
            # While this one was slow another one may have begun, which goes on in its place.
            while self._waiting and self._runners - self._slow == 1:
                doing = asyncio.create_task(self._settled(self._next()))
                await asyncio.wait([doing], timeout=SLOW)
                if not doing.done():
                    self._slow += 1
                    if self._waiting and self._runners < self._most:
                        self._begin_running()
                    await doing
                    self._slow -= 1
        finally:
            self._runners -= 1

    def _next(self) -> list[_Request]:
        """Take what goes into one transaction from those that wait."""
        some = [self._waiting.popleft()]
        while (
            self._waiting and len(some) < AT_ONCE and not (some[0].alone or self._waiting[0].alone)
        ):
            some.append(self._waiting.popleft())
        return some

    async def _settled(self, requests: Sequence[_Request], *, waits: bool = False) -> None:
        """Do pieces of work, and tell each what came of it, also where none can be begun."""
        trying = asyncio.create_task(self._tried(requests, waits=waits))
        await asyncio.wait([trying])
        if error := trying.exception():  # of threads that cannot start, or were ended
            for each in requests:
                each.end(error)

    async def _tried(self, requests: Sequence[_Request], *, waits: bool = False) -> None:
        """Do pieces of work in one transaction; one that fails is done once more, by itself."""
        failed = []
        while requests := [each for each in requests if not each.result.done()]:
            if self._given_up is not None:
                raise self._given_up
            doing = asyncio.get_running_loop().run_in_executor(
                self._threads, self._do, requests, waits
            )
            await asyncio.wait([doing])
            error = doing.exception()
            if isinstance(error, _CalledOff):
                continue
            is_lost = isinstance(error, DBAPIError) and error.connection_invalidated
            at_work = [each for each in requests if each.is_at_work]
            if error and at_work and len(requests) > 1 and not is_lost:
                failed += at_work
                requests = [each for each in requests if not each.is_at_work]
                continue
            if at_work and not is_lost and _is_of_others(error):
                at_work[0].tries += 1
                if at_work[0].tries < MOST_TRIES:
                    at_work[0].is_at_work = False
                    continue
            outcomes = [error] * len(requests) if error else doing.result()
            for request, outcome in zip(requests, outcomes, strict=True):
                if outcome is _ANOTHERS_TURN:
                    self._start(self._in_line(request))
                else:
                    request.end(outcome)
            break
        for each in failed:
            each.is_at_work = False
            await self._settled([each])

    async def _in_line(self, request: _Request) -> None:
        """Do work whose turn another has, once that one is done."""
        async with self._line:
            await self._settled([request], waits=True)

    def _do(self, requests: Sequence[_Request], waits: bool) -> list[object]:
        """Return what each piece of work gives; nothing is kept where this raises.

        But for an error in the end of the transaction: then nobody knows, and none is done again.
        """
        with self._begin() as connection:
            wanted = frozenset(each.turn for each in requests) - {""}
            turns = self._take_turns(connection, wanted, waits) | {""} if wanted else {""}
            known: dict[object, object] = {}
            outcomes = []
            for each in requests:
                if each.turn not in turns:
                    outcomes.append(_ANOTHERS_TURN)
                    continue
                key = each.work if self._only_reads else each
                if key not in known:
                    each.is_at_work = True  # it stays so where it raises
                    try:
                        known[key] = each.work(connection)
                    except StopIteration as error:  # which no future can hold
                        raise RuntimeError("work on the database raised StopIteration") from error
                    each.is_at_work = False
                outcomes.append(known[key])
            if any(each.result.cancelled() for each in requests):
                raise _CalledOff
            return outcomes


def _is_of_others(error: BaseException | None) -> bool:
    """Tell whether a database took work back only because of what others did meanwhile."""
    cause = error.orig if isinstance(error, DBAPIError) else None
    return getattr(cause, "sqlstate", None) in _OF_OTHERS
