"""Work on one database by many who ask at once, done in few transactions.

A transaction costs several times what is done in it: a way to another thread and back, a begin and
an end, a write. So what is asked for while one is going on is done together in the next one. Each
is told when its own work is kept, as if it had been alone.

A statement costs a hundred times what it takes to give it one row more, so work of the same kind
may be asked for as `Joined`: the same statements do it for all who ask.
"""

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

AT_ONCE = 50
"""Pieces of work in one transaction: some hundredths of a second."""

SLOW = 0.1
"""Seconds after which another transaction may begin beside one that is going on."""

MOST_TRIES = 3
"""How often work is begun that PostgreSQL took back for a deadlock, after which nothing was kept:
https://www.postgresql.org/docs/current/mvcc-serialization-failure-handling.html"""

DEADLOCK = "40P01"

Given = TypeVar("Given")
Result = TypeVar("Result")

TakeTurns = Callable[[Connection, Sequence[str]], object]
"""Takes turns by their names for a transaction, waiting for those that others have."""


@dataclass(frozen=True, eq=False, slots=True)
class Joined(Generic[Given, Result]):
    """Work on something that is `given`, done together with the same work on other things.

    `do` takes what each who asks has given, and gives what came of each, in their order. What it
    raises takes all of them back, and each is done by itself. No two of them have the same turn.
    """

    do: Callable[[Connection, Sequence[Given]], Sequence[Result]]
    given: Given

    def __call__(self, connection: Connection) -> Result:
        """Do it for one alone."""
        return self.do(connection, (self.given,))[0]


@dataclass(eq=False, slots=True)
class _Request:
    work: Callable[[Connection], Any]
    turn: str
    alone: bool
    result: "asyncio.Future[Any]"
    tries: int = 1

    def end(self, outcome: object) -> None:
        """Tell who waits, if somebody still does, what came of it."""
        if self.result.done():
            return
        if isinstance(outcome, BaseException):
            self.result.set_exception(outcome)
        else:
            self.result.set_result(outcome)


class _WorkFailed(Exception):
    """Work of one, or of several together, raised: all of its transaction was taken back."""

    def __init__(self, requests: Sequence[_Request], error: Exception) -> None:
        super().__init__(str(error))
        self.requests = requests
        self.error = error


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
        take_turns: TakeTurns = lambda connection, turns: None,
    ) -> None:
        self._begin = begin
        self._threads = threads
        self._most = most
        self._only_reads = only_reads
        self._take_turns = take_turns
        self._waiting: deque[_Request] = deque()
        self._tasks: set[asyncio.Task[None]] = set()
        self._running = 0
        self._slow = 0

    async def do(
        self, work: Callable[[Connection], Result], turn: str = "", *, alone: bool = False
    ) -> Result:
        """Return what `work` gives once it is kept; raises what it raises, and then nothing is.

        It may be called again, after all that it did was taken back. Nobody else works under
        the same `turn` meanwhile, in this process or in another; an empty one is no turn. What
        takes long has a transaction `alone`: the others would be kept no sooner than it.
        """
        request = _Request(work, turn, alone, asyncio.get_running_loop().create_future())
        self._waiting.append(request)
        if self._running == self._slow < self._most:
            self._start()
        result: Result = await request.result
        return result

    async def settle(self) -> None:
        """Wait until all that was asked for is done."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    def _start(self) -> None:
        self._running += 1
        task = asyncio.create_task(self._run())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _run(self) -> None:
        # While this one was slow another one may have begun, which goes on in its place.
        while self._waiting and self._running - self._slow == 1:
            doing = asyncio.create_task(self._done(self._next()))
            await asyncio.wait([doing], timeout=SLOW)
            if not doing.done():
                self._slow += 1
                if self._waiting and self._running < self._most:
                    self._start()
                await asyncio.wait([doing])
                self._slow -= 1
        self._running -= 1

    def _next(self) -> list[_Request]:
        """Take what goes into one transaction from those that wait."""
        some = [self._waiting.popleft()]
        while (
            self._waiting and len(some) < AT_ONCE and not (some[0].alone or self._waiting[0].alone)
        ):
            some.append(self._waiting.popleft())
        return some

    async def _done(self, requests: Sequence[_Request]) -> None:
        """Do pieces of work in one transaction; one that fails is done once more, by itself."""
        failed: list[_Request] = []
        loop = asyncio.get_running_loop()
        while requests := [each for each in requests if not each.result.done()]:
            try:
                outcomes = await loop.run_in_executor(self._threads, self._do, requests)
            except _WorkFailed as failure:
                error = failure.error
                if len(requests) > 1:
                    failed += failure.requests
                    requests = [each for each in requests if each not in failure.requests]
                elif _is_deadlock(error) and requests[0].tries < MOST_TRIES:
                    requests[0].tries += 1
                else:
                    requests[0].end(error)
            except Exception as error:  # of its begin or end: nobody knows whether it was kept
                for each in requests:
                    each.end(error)
            else:
                for each, outcome in zip(requests, outcomes, strict=True):
                    each.end(outcome)
        for each in failed:
            await self._done([each])

    def _do(self, requests: Sequence[_Request]) -> list[object]:
        """Return what each piece of work gives; nothing is kept where one of them raises."""
        with self._begin() as connection:
            turns = {each.turn for each in requests} - {""}
            if turns:
                self._take_turns(connection, sorted(turns))
            outcomes: dict[_Request, object] = {}
            for some in self._joined(requests):
                try:
                    outcomes |= zip(some, _outcomes(connection, some), strict=True)
                except Exception as error:
                    raise _WorkFailed(some, error) from error
            return [outcomes[each] for each in requests]

    def _joined(self, requests: Sequence[_Request]) -> Sequence[Sequence[_Request]]:
        """Put those together whose work is done at once; of one turn and kind in their order."""
        joined: dict[Hashable, list[_Request]] = {}
        earlier: Counter[Hashable] = Counter()
        for each in requests:
            key: Hashable = each.work if self._only_reads else each
            if isinstance(each.work, Joined):
                kind = each.work.do
                # Whoever has the turn of another one sees what that one did.
                key = (kind, earlier[kind, each.turn])
                earlier[kind, each.turn] += bool(each.turn)
            joined.setdefault(key, []).append(each)
        return tuple(joined.values())


def _outcomes(connection: Connection, some: Sequence[_Request]) -> Sequence[object]:
    """Do the work of those who ask for the same, and give what came of each."""
    works: Sequence[Any] = [each.work for each in some]
    if isinstance(works[0], Joined):
        outcomes: Sequence[object] = works[0].do(connection, [each.given for each in works])
        return outcomes
    return [works[0](connection)] * len(some)


def _is_deadlock(error: Exception) -> bool:
    cause = error.orig if isinstance(error, DBAPIError) else None
    return getattr(cause, "sqlstate", None) == DEADLOCK
