"""One database by its URL: opened, kept at the right version, asked in transactions.

SQLite is a file of one's own: it is made and brought up to date on first use. PostgreSQL is
shared by several processes, so only `infra db upgrade` changes it.
"""

import asyncio
import contextlib
import os
import socket
import sqlite3
import stat
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, Self, TypeVar

import stamina
from sqlalchemy import (
    URL,
    Connection,
    Engine,
    Executable,
    create_engine,
    event,
    inspect,
    make_url,
    text,
)
from sqlalchemy.exc import ArgumentError, DisconnectionError, OperationalError, SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry, QueuePool, StaticPool

from digest.errors import ConfigurationError, DatabaseVersion, StoreFailed
from digest.phrase import Phrase
from digest.store.batches import Batches
from digest.store.failures import translated, unmade
from digest.wording.phrases import SAY

OPENED = SAY.database.opened


HEAD = "0015"
"""The revision that this program works with: the newest one in `migrations/versions`."""

CONNECTIONS = 5
"""Connections that are kept open for transactions; on PostgreSQL as many for single statements."""

MOST_CONNECTIONS = 15
"""Connections of either kind that are made where more is asked at a time; who comes next waits."""

IDLE = 30.0
"""Seconds after which a connection to PostgreSQL is tried before it is used."""

CUT_AFTER = 3.0
"""Seconds that who is called off waits for PostgreSQL: the process is to end within ten."""

ANSWERING: Mapping[str, str] = {
    "connect_timeout": "10",
    "keepalives_idle": "30",
    "keepalives_interval": "10",
    "keepalives_count": "3",
    "tcp_user_timeout": "30000",
}
"""When PostgreSQL's host is taken to be gone, where the URL does not say; the system waits for a
quarter of an hour, or two hours (https://www.postgresql.org/docs/current/libpq-connect.html)."""

SQLITE_WAIT_MS = 10_000
"""How long one process waits for another's write, https://www.sqlite.org/pragma.html."""

FILE_MODE = 0o600

Result = TypeVar("Result")

TURN_WAIT_S = 30.0
"""How long one process waits for another's turn, and may fall silent in its own on PostgreSQL: one
whose host is gone would keep all others from ever having theirs."""

_NOW = text("SELECT clock_timestamp()")
_ALONE = text("SELECT pg_advisory_xact_lock(hashtext(:name))")
_TURNS = text(
    "SELECT set_config('lock_timeout', :wait_ms, true), "
    "set_config('idle_in_transaction_session_timeout', :wait_ms, true), "
    "pg_advisory_xact_lock(hashtext(:name))"
)


def parse_url(url: str) -> URL:
    """Read a database URL in SQLAlchemy's or Heroku's form (`postgres://`).

    The drivers are ours: Python's own for SQLite, and psycopg. Raises `ConfigurationError` for what
    is neither SQLite nor PostgreSQL.
    """
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError) as error:
        raise ConfigurationError(SAY.database.no_url) from error
    backend = parsed.get_backend_name()
    if backend == "sqlite":
        return parsed.set(drivername="sqlite+pysqlite")
    if backend in ("postgres", "postgresql"):
        return parsed.set(drivername="postgresql+psycopg")
    raise ConfigurationError(SAY.database.other_kind(backend))


class _Held:
    """The connection that work in a thread holds, as soon as it has one."""

    connection: Connection | None = None

    def cut(self) -> None:
        """Have work end that waits for PostgreSQL; a file is waited for, which takes not long.

        The driver waits however long the server, or what is between, says nothing.
        """
        if self.connection is None or self.connection.dialect.name != "postgresql":
            return
        driver = self.connection.dialect.loaded_dbapi
        with contextlib.suppress(SQLAlchemyError, driver.Error, OSError):  # it has just ended
            server: Any = self.connection.connection.driver_connection
            with socket.socket(fileno=os.dup(server.fileno())) as line:
                line.shutdown(socket.SHUT_RDWR)


class Change:
    """A transaction that stays open between the questions of whoever decides."""

    def __init__(self, engine: Engine, threads: ThreadPoolExecutor) -> None:
        self._engine = engine
        self._threads = threads
        self._connection: Connection | None = None

    async def do(self, work: Callable[[Connection], Result]) -> Result:
        """Do work within the transaction, and give what it gives."""

        def done(held: _Held) -> Result:
            # Known here at once: a connection of who is called off meanwhile is closed, too.
            self._connection = held.connection = self._connection or self._engine.connect()
            return work(held.connection)

        return await _in_thread(self._threads, done)

    async def close(self) -> None:
        """Take back what was not kept."""

        def done(held: _Held) -> None:
            held.connection = self._connection
            if self._connection:
                self._connection.close()

        await _in_thread(self._threads, done)


class Database:
    """An open database; `async with Database(url) as database` opens, checks and closes it.

    What is asked is done in threads, in which the drivers wait. Every method raises `StoreFailed`
    or `ConfigurationError`.
    """

    def __init__(self, url: str) -> None:
        """Take a URL as `parse_url` does; nothing is touched yet."""
        self.url = parse_url(url)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self.place = _place(self.url)
        # What fails once it is open is told in chats, too: people there learn no path and no host.
        self._named = self.place
        self._engine = _engine(self.url)
        self._writing = self._engine.execution_options(begin="BEGIN IMMEDIATE")
        self._threads = ThreadPoolExecutor(2 * MOST_CONNECTIONS, "database")
        # A SQLite file has one writer: waiting here costs nothing, waiting for its lock does. In
        # memory it is a single connection, which holds one transaction at a time.
        self._write = asyncio.Semaphore(1 if self.is_sqlite else MOST_CONNECTIONS)
        one_alone = _is_in_memory(self.url)
        self._read = self._write if one_alone else asyncio.Semaphore(MOST_CONNECTIONS)
        self._saved: Batches | None = None
        self._looked: Batches | None = None
        if self.is_sqlite:
            # What was kept outlasts a power cut, at one more wait for the disk for each batch.
            self._reading = self._engine if one_alone else _engine(self.url, synchronous="FULL")
            saving = self._reading.execution_options(begin="BEGIN IMMEDIATE")
            looking = self._reading.execution_options(begin="")
            self._saved = Batches(saving.begin, self._write)
            turn = self._read if one_alone else contextlib.nullcontext()
            self._looked = Batches(looking.connect, turn)
        else:
            # One statement is a transaction of its own, without being told to begin and end. It has
            # connections of its own: changing one over and back costs more than most statements do.
            self._reading = _engine(
                self.url,
                isolation_level="AUTOCOMMIT",
                skip_autocommit_rollback=True,  # there is nothing to roll back
            )

    async def __aenter__(self) -> Self:
        try:
            await self._open()
        except BaseException:
            await self.close()
            raise
        self._named = OPENED
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    @property
    def in_use(self) -> int:
        """How many connections are out of the pool just now; SQLite in memory has none."""
        pools = {self._engine.pool, self._reading.pool}
        return sum(pool.checkedout() for pool in pools if isinstance(pool, QueuePool))

    async def close(self) -> None:
        """Close every connection."""
        for batches in (self._saved, self._looked):
            if batches:
                await batches.settle()
        await asyncio.to_thread(self._threads.shutdown)
        self._engine.dispose()
        self._reading.dispose()

    def is_file(self, file: Path) -> bool:
        """Tell whether this is the database that is kept in a file."""
        name = _file(self.url) if self.is_sqlite else None
        with contextlib.suppress(OSError):  # one of them is not there
            return name is not None and os.path.samefile(name, file)
        return False

    @contextlib.asynccontextmanager
    async def changing(self, name: str) -> AsyncIterator[Change]:
        """Give a transaction, kept wholly or not at all, to who decides between its statements.

        Processes take turns under a `name`, as in `together`.
        """
        with translated(self._named):
            async with self._write:
                change = Change(self._writing, self._threads)
                try:
                    await change.do(partial(self._begin, name=name))
                    yield change
                    await change.do(Connection.commit)
                finally:
                    await change.close()

    async def do(
        self,
        statement: Executable,
        given: Mapping[str, object] | Sequence[Mapping[str, object]] | None = None,
    ) -> int:
        """Do one statement, kept at once, with what is given, and give how many rows it changed.

        What stands in one statement needs no turn.
        """

        def work(connection: Connection) -> int:
            return connection.execute(statement, given).rowcount

        return await (self.together("", work) if self._saved else self.look(work))

    async def together(self, name: str, work: Callable[[Connection], Result]) -> Result:
        """Do work of a few statements, kept together or not at all, and give what it gives.

        Processes take turns under a `name` (on SQLite: all that write), so that a row can be read
        and then replaced. On SQLite it shares a transaction with what others ask for at the same
        time (`digest.store.batches`), and may be called once more after it was taken back.
        """
        with translated(self._named):
            if self._saved:
                return await self._saved.do(work)
            return await self._transaction(self._writing, self._write, name, work)

    async def look(self, work: Callable[[Connection], Result]) -> Result:
        """Do work of a few statements that only read, each for itself, and give what it gives."""
        with translated(self._named):
            if self._looked:
                return await self._looked.do(work)

            def asked(held: _Held) -> Result:
                with self._reading.connect() as connection:
                    held.connection = connection
                    return work(connection)

            async with self._read:
                return await _in_thread(self._threads, asked)

    async def rows(
        self, query: Executable, given: Mapping[str, object] | None = None
    ) -> Sequence[Any]:
        """Give all rows of a query, as SQLAlchemy's `Row`."""
        return await self.look(lambda connection: connection.execute(query, given).all())

    async def first(self, query: Executable, given: Mapping[str, object] | None = None) -> Any:
        """Give the first row of a query, or None."""
        return await self.look(lambda connection: connection.execute(query, given).first())

    async def within(self, work: Callable[[Connection], Result], name: str = "") -> Result:
        """Do work of many statements in one transaction, kept together or not at all.

        Processes take turns under a `name`, if one is given.
        """
        with translated(self._named):
            return await self._transaction(self._writing, self._write, name, work)

    async def steadily(self, work: Callable[[Connection], Result]) -> Result:
        """Do work of many statements that only read, all of which see the same moment."""
        level = {} if self.is_sqlite else {"isolation_level": "REPEATABLE READ"}
        with translated(self._named):
            engine = self._engine.execution_options(**level)
            return await self._transaction(engine, self._read, "", work)

    async def _transaction(
        self,
        engine: Engine,
        turn: asyncio.Semaphore,
        name: str,
        work: Callable[[Connection], Result],
    ) -> Result:
        def done(held: _Held) -> Result:
            with engine.begin() as connection:
                held.connection = connection
                self._begin(connection, name)
                return work(connection)

        async with turn:
            return await _in_thread(self._threads, done)

    def _begin(self, connection: Connection, name: str) -> None:
        """Wait for the turn of a name; SQLite's writers wait for each other anyway."""
        if name and not self.is_sqlite:
            connection.execute(_TURNS, _waiting_for(name))

    async def now(self) -> datetime | None:
        """Return the time in UTC of the server; None on SQLite, which has none of its own."""
        if self.is_sqlite:
            return None
        at: datetime = await self.look(lambda c: c.scalar(_NOW))
        return at.astimezone(UTC)

    async def version(self) -> str | None:
        """Give the revision that the database is at, or None where it was never set up."""
        return await self.steadily(_version)

    async def upgrade(self) -> None:
        """Bring the schema up to date, keeping all rows; several processes may do so at once.

        Raises `DatabaseVersion` if a newer program made the database, or another one.
        """
        from digest.store.migrations.history import upgrade  # slow to import, and seldom needed

        if self.is_sqlite:
            _prepare_file(self.url, self.place)
            await self._use_wal()

        def work(connection: Connection) -> None:
            if not self.is_sqlite:
                connection.execute(_ALONE, {"name": "infra db upgrade"})
            version = _version(connection)
            self._refuse_newer(version)
            if self.is_sqlite and version is None and _has_tables(connection):
                raise DatabaseVersion(SAY.database.of_another(self.place))
            upgrade(connection)

        await self.within(work)

    async def _open(self) -> None:
        if self.is_sqlite:
            _prepare_file(self.url, self.place)
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

    async def _use_wal(self) -> None:
        """Let readers go on while one process writes, https://www.sqlite.org/wal.html.

        SQLite does not wait for others while it changes over, so that is tried again here.
        """

        @stamina.retry(on=_is_busy, attempts=10, timeout=10)
        def use_wal() -> None:
            with self._engine.execution_options(begin="").connect() as connection:
                connection.exec_driver_sql("PRAGMA journal_mode = WAL")

        with translated(self.place):
            async with self._write:
                await _in_thread(self._threads, lambda _: use_wal())


async def upgrade(url: str) -> None:
    """Bring the database of a URL up to date: what `infra db upgrade` does.

    Raises `ConfigurationError`, `DatabaseVersion` or `StoreFailed`.
    """
    database = Database(url)
    try:
        await database.upgrade()
    finally:
        await database.close()


async def _in_thread(threads: ThreadPoolExecutor, work: Callable[[_Held], Result]) -> Result:
    """Do work in a thread; who is called off meanwhile, however often, is so once it has ended.

    What it holds would else belong to nobody, or to two.
    """
    held = _Held()
    doing: asyncio.Future[Result] = asyncio.get_running_loop().run_in_executor(threads, work, held)
    try:
        return await asyncio.shield(doing)
    except asyncio.CancelledError:
        cutting = asyncio.get_running_loop().call_later(CUT_AFTER, held.cut)
        while not doing.done():
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.wait([doing])
        cutting.cancel()
        doing.exception()
        raise


def _engine(url: URL, *, synchronous: str = "NORMAL", **options: Any) -> Engine:
    if _is_in_memory(url):
        engine = create_engine(url, poolclass=StaticPool, connect_args={"check_same_thread": False})
    else:
        if url.get_backend_name() == "postgresql":
            url = url.set(query={**ANSWERING, **url.query})
        overflow = MOST_CONNECTIONS - CONNECTIONS
        engine = create_engine(url, pool_size=CONNECTIONS, max_overflow=overflow, **options)
    if url.get_backend_name() == "postgresql":
        event.listen(engine, "checkin", _note_use)
        event.listen(engine, "checkout", partial(_try_idle, engine))
    else:
        event.listen(engine, "connect", partial(_prepare_sqlite, synchronous=synchronous))
        event.listen(engine, "begin", _begin_sqlite)
        _hold_to_file(engine, url)
    return engine


def _hold_to_file(engine: Engine, url: URL) -> None:
    """Refuse to work in a file that was deleted: SQLite goes on in it, and all of it is lost.

    Where another file has taken its place, that one is worked in.
    """
    file = _file(url)
    if file is None:
        return

    def there() -> tuple[int, int]:
        try:
            status = os.stat(file)
        except OSError as error:
            raise StoreFailed(SAY.database.deleted) from error
        return status.st_dev, status.st_ino

    def connecting(*_: object) -> None:
        there()  # else SQLite would make an empty one

    def connected(_: object, record: ConnectionPoolEntry) -> None:
        record.info["file"] = there()

    def checked_out(_: object, record: ConnectionPoolEntry, __: object) -> None:
        if record.info.get("file") != there():
            raise DisconnectionError

    event.listen(engine, "do_connect", connecting)
    event.listen(engine, "connect", connected)
    event.listen(engine, "checkout", checked_out)


def _waiting_for(name: str) -> dict[str, str]:
    return {"name": name, "wait_ms": str(round(TURN_WAIT_S * 1_000))}


def _note_use(_: object, record: ConnectionPoolEntry) -> None:
    record.info["used"] = monotonic()


def _try_idle(engine: Engine, connection: Any, record: ConnectionPoolEntry, _: object) -> None:
    # The server, or a proxy between, may have closed what was idle; trying each time costs more
    # than what is then asked.
    if monotonic() - record.info.get("used", monotonic()) < IDLE:
        return
    try:
        engine.dialect.do_ping(connection)
    except engine.dialect.loaded_dbapi.Error as error:
        raise DisconnectionError from error


def _prepare_sqlite(connection: Any, _record: object, *, synchronous: str) -> None:
    # The driver's own way of beginning leaves reads and changes of the schema outside.
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {SQLITE_WAIT_MS}")
    cursor.execute("PRAGMA foreign_keys = ON")
    # With a write-ahead log FULL is one more wait for the disk at the end of each transaction,
    # https://www.sqlite.org/pragma.html#pragma_synchronous.
    cursor.execute(f"PRAGMA synchronous = {synchronous}")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    # A writer says so at once: a reader that turns writer late is refused without waiting.
    begin = connection.get_execution_options().get("begin", "BEGIN")
    if begin:
        connection.exec_driver_sql(begin)


def _version(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    version: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return version


def _has_tables(connection: Connection) -> bool:
    return bool(set(inspect(connection).get_table_names()) - {"alembic_version"})


def _is_busy(error: Exception) -> bool:
    cause = error.orig if isinstance(error, OperationalError) else None
    return getattr(cause, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY


def _is_in_memory(url: URL) -> bool:
    return url.get_backend_name() == "sqlite" and url.database in (None, "", ":memory:")


def _place(url: URL) -> Phrase:
    """Name the database for a person, without user and password."""
    if url.get_backend_name() == "sqlite":
        return SAY.database.file(url.database) if url.database else SAY.database.in_memory
    if url.host:
        return SAY.database.postgresql(url.database, url.host)
    return SAY.database.postgresql_here(url.database)


def _file(url: URL) -> str | None:
    """Return the path of a SQLite file; None for memory, and for what only SQLite can read."""
    if _is_in_memory(url):
        return None
    (name, *_), options = url.get_dialect()().create_connect_args(url)
    return None if options.get("uri") else str(name)


def _shut(name: str) -> None:
    """Make a file and its logs readable for their owner alone: they hold what people wrote.

    A file that is there is not opened: to close it would give up the locks that this process holds
    on it by SQLite, so that the next to leave takes the log away below those who write in it
    (https://www.sqlite.org/howtocorrupt.html, 2.2).
    """
    with contextlib.suppress(FileExistsError):
        os.close(os.open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL, FILE_MODE))
    for each in (name, f"{name}-wal", f"{name}-shm"):  # SQLite gives its logs the file's mode
        with contextlib.suppress(OSError):  # not there, or another's
            if stat.S_IMODE(os.stat(each).st_mode) & ~FILE_MODE:
                os.chmod(each, FILE_MODE)


def _prepare_file(url: URL, place: Phrase) -> None:
    """Make the file and its folder, if it is one that is not there; raises `StoreFailed`."""
    name = _file(url)
    if name is None:
        return
    try:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        _shut(name)  # SQLite would not say why it cannot make it
    except OSError as error:
        raise unmade(error, place) from error
