"""One database by its URL: opened, kept at the right version, asked in transactions.

SQLite is a file of one's own: it is made and brought up to date on first use. PostgreSQL is
shared by several processes, so only `infra db upgrade` changes it.
"""

import asyncio
import contextlib
import os
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Self, TypeVar

import structlog
from sqlalchemy import (
    URL,
    ColumnElement,
    Connection,
    Engine,
    Executable,
    Table,
    inspect,
    text,
)

from digest.errors import DatabaseVersion, InfraError
from digest.models import Repo
from digest.ports import Clock
from digest.store.batches import Batches
from digest.store.connections import (
    SIDE_BY_SIDE,
    engine_of,
    file_of,
    is_in_memory,
    parse_url,
    place_of,
    prepare_file,
    translated,
    use_wal,
)
from digest.wording.phrases import SAY

HEAD = "0016"
"""The revision that this program works with: the newest one in `migrations/versions`."""

CLOSED_WITHIN = 3.0
"""Seconds that a database has at the end to do what was asked for: a process has ten to end in."""

Result = TypeVar("Result")

TURN_WAIT_S = 30.0
"""How long one process waits for another's turn, and may fall silent in its own on PostgreSQL: one
whose host is gone would keep all others from ever having theirs."""

SYNCHRONIZED_EVERY = 30.0
"""Seconds between two questions for the time; good quartz is a thousandth of a second off then."""

_STEADY = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
"""A clock of this machine that nobody sets; on Linux it goes on while the machine sleeps."""

_NOW = text("SELECT clock_timestamp()")
_ALONE = text("SELECT pg_advisory_xact_lock(hashtext(:name))")
_TAKE_TURNS = text(
    "SELECT set_config('lock_timeout', :wait_ms, true), "
    "set_config('idle_in_transaction_session_timeout', :wait_ms, true), "
    "pg_advisory_xact_lock(lock) FROM (SELECT DISTINCT hashtext(name) AS lock "
    "FROM unnest(CAST(:names AS text[])) AS turn (name) ORDER BY lock) AS turns"
)
"""In one order, so that no two transactions wait for each other."""

log = structlog.get_logger()


def all_rows(
    query: Executable, given: Mapping[str, object] | None = None
) -> Callable[[Connection], Sequence[Any]]:
    """Return work that gives all rows of a query, as SQLAlchemy's `Row`."""
    return lambda connection: connection.execute(query, given).all()


def first_row(query: Executable) -> Callable[[Connection], Any]:
    """Return work that gives the first row of a query, or None."""
    return lambda connection: connection.execute(query).first()


def execute(
    statement: Executable,
    given: Mapping[str, object] | Sequence[Mapping[str, object]] | None = None,
) -> Callable[[Connection], int]:
    """Return work that does one statement, and gives how many rows it changed."""
    return lambda connection: connection.execute(statement, given).rowcount


class Database:
    """An open database; `async with Database(url) as database` opens, checks and closes it.

    What is asked is done in threads, in which the drivers wait. Every method raises `StoreFailed`
    or `ConfigurationError`.
    """

    def __init__(self, url: str | URL) -> None:
        """Take a URL as `parse_url` does; nothing is touched yet."""
        self.url = parse_url(url)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self.place = place_of(self.url)
        # What fails once it is open is told in chats, too: people there learn no path and no host.
        self._named = self.place
        self._engine = engine_of(self.url)
        self._threads = ThreadPoolExecutor(2 * SIDE_BY_SIDE, "database")
        begin = partial(_transaction, self._engine)
        if self.is_sqlite:
            # A file has one writer, who says so at once: a reader that turns writer late is refused
            # without waiting. In memory it is a single connection.
            begin = partial(_transaction, self._engine.execution_options(begin="BEGIN IMMEDIATE"))
            self._writes = Batches(begin, self._threads, most=1)
        else:
            self._writes = Batches(begin, self._threads, most=SIDE_BY_SIDE, take_turns=_take_turns)
        if is_in_memory(self.url):
            self._reads = self._writes
        else:
            level = {} if self.is_sqlite else {"isolation_level": "REPEATABLE READ"}
            begin = partial(_transaction, self._engine.execution_options(**level))
            self._reads = Batches(begin, self._threads, most=SIDE_BY_SIDE, only_reads=True)

    async def __aenter__(self) -> Self:
        try:
            await self._open()
        except BaseException:
            await self.close()
            raise
        self._named = SAY.database.opened
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Do what was asked for, and close every connection.

        A server that says nothing is given up after some seconds.
        """
        settling = asyncio.gather(self._reads.settle(), self._writes.settle())
        is_settled, _ = await asyncio.wait([settling], timeout=CLOSED_WITHIN)
        self._threads.shutdown(wait=bool(is_settled), cancel_futures=True)
        self._engine.dispose()

    def is_file(self, file: Path) -> bool:
        """Return whether this is the database that is kept in a file."""
        name = file_of(self.url) if self.is_sqlite else None
        with contextlib.suppress(OSError):  # one of them is not there
            return name is not None and os.path.samefile(name, file)
        return False

    async def read(self, work: Callable[[Connection], Result]) -> Result:
        """Do work of statements that only read, and give what it gives.

        All of them see the same moment. It shares a transaction with what others ask for at the
        same time (`digest.store.batches`), and may be called once more.
        """
        with translated(self._named):
            return await self._reads.do(work)

    async def write(
        self, work: Callable[[Connection], Result], turn: str, *, alone: bool = False
    ) -> Result:
        """Do work of statements, kept together or not at all, and give what it gives.

        One at a time works under the name of a `turn`, of all processes, so that a row can be read
        and then replaced. Rows that others change are changed under one name, which also keeps two
        who share transactions from waiting for each other; rows that are new need none. Otherwise
        it is as with `read`; what others do meanwhile may be seen. What may take long shares no
        transaction (`alone`).
        """
        with translated(self._named):
            return await self._writes.do(work, turn, alone=alone)

    async def version(self) -> str | None:
        """Return the revision that the database is at, or None where it was never set up."""
        return await self.read(_version)

    async def upgrade(self) -> None:
        """Bring the schema up to date, keeping all rows; several processes may do so at once.

        Raises `DatabaseVersion` if a newer program made the database, or another one.
        """
        from digest.store.migrations.history import upgrade  # slow to import, and seldom needed

        if self.is_sqlite:
            prepare_file(self.url, self.place)
            with translated(self.place):
                await asyncio.to_thread(use_wal, self._engine)

        def work(connection: Connection) -> None:
            if not self.is_sqlite:
                connection.execute(_ALONE, {"name": "infra db upgrade"})  # however long it takes
            version = _version(connection)
            self._refuse_newer(version)
            if self.is_sqlite and version is None and _has_tables(connection):
                raise DatabaseVersion(SAY.database.of_another(self.place))
            upgrade(connection)

        await self.write(work, "", alone=True)

    async def _open(self) -> None:
        if self.is_sqlite:
            prepare_file(self.url, self.place)
        version = await self.version()
        if version == HEAD:
            return
        self._refuse_newer(version)
        if not self.is_sqlite:
            raise DatabaseVersion(SAY.database.not_migrated(self.place))
        await self.upgrade()

    def _refuse_newer(self, version: str | None) -> None:
        from digest.store.migrations.history import known_revisions

        if version is not None and version not in known_revisions():
            raise DatabaseVersion(SAY.database.newer(self.place))


class Stored:
    """A part of what is kept. Every method raises `StoreFailed`."""

    def __init__(self, database: Database) -> None:
        """Take an open database."""
        self._database = database

    async def _all_rows(
        self, query: Executable, given: Mapping[str, object] | None = None
    ) -> Sequence[Any]:
        """Return all rows of a query, as SQLAlchemy's `Row`."""
        return await self._database.read(all_rows(query, given))

    async def _first_row(self, query: Executable) -> Any:
        """Return the first row of a query, or None."""
        return await self._database.read(first_row(query))

    async def _execute(
        self,
        statement: Executable,
        turn: str,
        given: Mapping[str, object] | Sequence[Mapping[str, object]] | None = None,
    ) -> int:
        """Do one statement in a turn as `Database.write` says; return how many rows it changed."""
        return await self._database.write(execute(statement, given), turn)


class OfSource(Stored):
    """A part of what is kept of one source, by repository. Every method raises `StoreFailed`."""

    _turns: ClassVar[str]
    """What the turns of this part are called, beside the source and the repository."""

    def __init__(self, database: Database, source: str) -> None:
        """Take an open database and the name of the source, such as `github` or `git:PATH`."""
        super().__init__(database)
        self._source = source

    def _turn(self, repo: Repo) -> str:
        return f"{self._turns} {self._source} {str(repo).lower()}"

    def _name(self, repo: Repo) -> dict[str, str]:
        """Return the columns by which a row is of a repository."""
        return {"source": self._source, "repo": str(repo).lower()}

    def _of(self, table: Table, repo: Repo) -> tuple[ColumnElement[bool], ...]:
        return (table.c.source == self._source, table.c.repo == str(repo).lower())


async def upgrade(url: str | URL) -> None:
    """Bring the database of a URL up to date: what `infra db upgrade` does.

    Raises `ConfigurationError`, `DatabaseVersion` or `StoreFailed`.
    """
    database = Database(url)
    try:
        await database.upgrade()
    finally:
        await database.close()


@contextlib.contextmanager
def _transaction(engine: Engine) -> Iterator[Connection]:
    with engine.connect() as connection, connection.begin():
        yield connection


def _take_turns(connection: Connection, turns: Sequence[str]) -> None:
    """Take the turns of all processes on PostgreSQL, each until the transaction ends."""
    wait_ms = str(round(TURN_WAIT_S * 1_000))
    connection.execute(_TAKE_TURNS, {"names": list(turns), "wait_ms": wait_ms})


def _version(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    version: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return version


def _has_tables(connection: Connection) -> bool:
    return bool(set(inspect(connection).get_table_names()) - {"alembic_version"})


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
        """Ask PostgreSQL what time it is; raises `StoreFailed`."""
        if self._database.is_sqlite:
            return
        at, answered = await self._database.read(lambda c: (c.scalar(_NOW), self._steady()))
        self._answer = at.astimezone(UTC), answered


@contextlib.asynccontextmanager
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
