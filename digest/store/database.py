"""One database by its URL: opened, kept at the right version, asked in transactions.

SQLite is a file of one's own: it is made and brought up to date on first use. PostgreSQL is
shared by several processes, so only `infra db upgrade` changes it.
"""

import asyncio
import contextlib
import os
import sqlite3
import stat
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
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
from sqlalchemy.exc import ArgumentError, DisconnectionError, OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry, QueuePool
from sqlmodel.ext.asyncio.session import AsyncSession

from digest.errors import ConfigurationError, DatabaseVersion, StoreFailed
from digest.store.batches import Batches
from digest.store.failures import failure, translated, unmade
from digest.wording.phrases import SAY

OPENED = "the database"


HEAD = "0015"
"""The revision that this program works with: the newest one in `migrations/versions`."""

CONNECTIONS = 5
"""Connections that are kept open for transactions, and as many on PostgreSQL for single statements;
more are made where more is asked at a time."""

IDLE = 30.0
"""Seconds after which a connection to PostgreSQL is tried before it is used."""

SQLITE_WAIT_MS = 10_000
"""How long one process waits for another's write, https://www.sqlite.org/pragma.html."""

FILE_MODE = 0o600

Told = TypeVar("Told")

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

    The drivers are ours: aiosqlite and psycopg. Raises `ConfigurationError` for what is neither
    SQLite nor PostgreSQL.
    """
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError) as error:
        raise ConfigurationError(SAY.database.no_url) from error
    backend = parsed.get_backend_name()
    if backend == "sqlite":
        return parsed.set(drivername="sqlite+aiosqlite")
    if backend in ("postgres", "postgresql"):
        return parsed.set(drivername="postgresql+psycopg")
    raise ConfigurationError(SAY.database.other_kind(backend))


class Database:
    """An open database; `async with Database(url) as database` opens, checks and closes it."""

    def __init__(self, url: str) -> None:
        """Take a URL as `parse_url` does; nothing is touched yet."""
        self.url = parse_url(url)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self.place = _place(self.url)
        # What fails once it is open is told in chats, too: people there learn no path and no host.
        self._named = self.place
        self._engine = _engine(self.url)
        self._writing = self._engine.execution_options(begin="BEGIN IMMEDIATE")
        # One statement is a transaction of its own on both, without being told to begin and end. On
        # PostgreSQL it has connections of its own: changing one over and back costs more than most
        # statements do.
        self._reading = self._engine if self.is_sqlite else _engine(self.url, "AUTOCOMMIT")
        self._doing = self._reading.execution_options(begin="")
        # SQLite in memory is a single connection, which holds one transaction at a time.
        in_memory = _is_in_memory(self.url)
        self._turn = asyncio.Semaphore(1 if in_memory else 100)
        # A SQLite file has one writer: waiting here costs nothing, waiting for its lock does.
        self._write = asyncio.Semaphore(1 if self.is_sqlite else 100)
        self._file = _file_engine(self.url) if self.is_sqlite and not in_memory else None
        self._saved: Batches | None = None
        self._looked: Batches | None = None
        if self._file:
            saving = self._file.execution_options(begin="BEGIN IMMEDIATE")
            looking = self._file.execution_options(begin="")
            self._saved = Batches(saving.begin, self._write)
            self._looked = Batches(looking.connect, contextlib.nullcontext())

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
        if self._file:
            self._file.dispose()
        await self._engine.dispose()
        await self._reading.dispose()

    @contextlib.asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncSession]:
        """Give a session that only reads; raises `StoreFailed` or `ConfigurationError`."""
        with translated(self._named):
            async with self._turn, AsyncSession(self._reading) as session:
                await finished(session.connection())
                yield session

    @contextlib.asynccontextmanager
    async def saving(self, name: str) -> AsyncIterator[AsyncSession]:
        """Give a session whose changes are kept together or not at all.

        Processes that save under the same `name` take turns (on SQLite: all that save), so that
        a row can be read and then replaced. Raises `StoreFailed` or `ConfigurationError`.
        """
        with translated(self._named):
            async with (
                self._write,
                self._turn,
                AsyncSession(self._writing) as session,
                session.begin(),
            ):
                connection = await finished(session.connection())
                if not self.is_sqlite:
                    await connection.execute(_TURNS, _waiting_for(name))
                yield session

    async def do(
        self,
        statement: Executable,
        given: Mapping[str, object] | Sequence[Mapping[str, object]] | None = None,
    ) -> int:
        """Do one statement, kept at once, with what is given, and give how many rows it changed.

        What stands in one statement needs no turn. Raises `StoreFailed` or `ConfigurationError`.
        """
        if self._saved:
            return await self.together("", lambda c: c.execute(statement, given).rowcount)
        with translated(self._named):
            async with self._write, self._turn, connected(self._doing) as connection:
                return (await connection.execute(statement, given)).rowcount

    async def together(self, name: str, work: Callable[[Connection], Told]) -> Told:
        """Do work of a few statements, kept together or not at all, and give what it gives.

        Processes take turns under a `name` as in `saving`. In a SQLite file it shares a transaction
        with what others ask for at the same time (`digest.store.batches`), and may be called once
        more after it was taken back. Raises `StoreFailed` or `ConfigurationError`.
        """
        with translated(self._named):
            if self._saved:
                return await self._saved.do(work)
            async with (
                self._write,
                self._turn,
                connected(self._writing) as connection,
                connection.begin(),
            ):
                if not self.is_sqlite:
                    await connection.execute(_TURNS, _waiting_for(name))
                return await connection.run_sync(work)

    async def look(self, work: Callable[[Connection], Told]) -> Told:
        """Do work of a few statements that only read, each for itself, and give what it gives.

        Raises `StoreFailed` or `ConfigurationError`.
        """
        with translated(self._named):
            if self._looked:
                return await self._looked.do(work)
            async with self._turn, connected(self._reading) as connection:
                return await connection.run_sync(work)

    async def within(self, work: Callable[[Connection], Told], *, steady: bool = False) -> Told:
        """Do work of many statements in one transaction, kept together or not at all.

        With `steady`, it only reads, and all of it sees the same moment. Raises `StoreFailed` or
        `ConfigurationError`.
        """
        engine = self._writing
        if steady:
            level = {} if self.is_sqlite else {"isolation_level": "REPEATABLE READ"}
            engine = self._engine.execution_options(**level)
        waiting = contextlib.nullcontext() if steady else self._write
        with translated(self._named):
            async with (
                waiting,
                self._turn,
                connected(engine) as connection,
                connection.begin(),
            ):
                return await connection.run_sync(work)

    async def now(self) -> datetime | None:
        """Return the time in UTC of the server; None on SQLite, which has none of its own.

        Raises `StoreFailed` or `ConfigurationError`.
        """
        if self.is_sqlite:
            return None
        at: datetime = await self.look(lambda c: c.scalar(_NOW))
        return at.astimezone(UTC)

    async def version(self) -> str | None:
        """Give the revision that the database is at, or None where it was never set up."""
        with translated(self._named):
            async with self._turn, self._engine.connect() as connection:
                return await connection.run_sync(_version)

    async def upgrade(self) -> None:
        """Bring the schema up to date, keeping all rows; several processes may do so at once.

        Raises `DatabaseVersion` if a newer program made the database, or another one.
        """
        from digest.store.migrations.history import upgrade  # slow to import, and seldom needed

        if self.is_sqlite:
            _prepare_file(self.url, self.place)
            await self._use_wal()
        with translated(self.place):
            async with self._turn, self._writing.begin() as connection:
                if not self.is_sqlite:
                    await connection.execute(_ALONE, {"name": "infra db upgrade"})
                version = await connection.run_sync(_version)
                self._refuse_newer(version)
                if self.is_sqlite and version is None and await connection.run_sync(_has_tables):
                    raise DatabaseVersion(SAY.database.of_another(self.place))
                await connection.run_sync(upgrade)

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
        outside_transactions = self._engine.execution_options(begin=None)
        with translated(self.place):
            async for attempt in stamina.retry_context(on=_is_busy, attempts=10, timeout=10):
                with attempt:
                    async with self._turn, outside_transactions.connect() as connection:
                        await connection.exec_driver_sql("PRAGMA journal_mode = WAL")


async def upgrade(url: str) -> None:
    """Bring the database of a URL up to date: what `infra db upgrade` does.

    Raises `ConfigurationError`, `DatabaseVersion` or `StoreFailed`.
    """
    database = Database(url)
    try:
        await database.upgrade()
    finally:
        await database.close()


async def finished(work: Coroutine[Any, Any, Told]) -> Told:
    """Await work to its end; who is called off meanwhile is so once it has ended.

    A connection that is being made, or taken from the pool, for a task that is called off belongs
    to nobody, and stays open until it is collected.
    """
    task = asyncio.create_task(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        task.exception()
        raise


@contextlib.asynccontextmanager
async def connected(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """Give a connection that goes back into the pool, whenever its task is called off."""
    connection = engine.connect()
    try:
        await finished(connection.start())
        yield connection
    finally:
        await finished(connection.close())


def _engine(url: URL, isolation_level: str | None = None) -> AsyncEngine:
    if _is_in_memory(url):
        engine = create_async_engine(url)
    elif isolation_level:
        engine = create_async_engine(
            url,
            pool_size=CONNECTIONS,
            isolation_level=isolation_level,
            skip_autocommit_rollback=True,  # there is nothing to roll back
        )
    else:
        engine = create_async_engine(url, pool_size=CONNECTIONS)
    if url.get_backend_name() == "postgresql":
        event.listen(engine.sync_engine, "checkin", _note_use)
        event.listen(engine.sync_engine, "checkout", partial(_try_idle, engine))
    else:
        event.listen(engine.sync_engine, "connect", _prepare_sqlite)
        event.listen(engine.sync_engine, "begin", _begin_sqlite)
        _hold_to_file(engine.sync_engine, url)
    return engine


def _file_engine(url: URL) -> Engine:
    """Open a SQLite file for `Batches`, which are a thread already and need no driver with one."""
    engine = create_engine(url.set(drivername="sqlite+pysqlite"))
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "connect", _outlast_power)
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


def _try_idle(engine: AsyncEngine, connection: Any, record: ConnectionPoolEntry, _: object) -> None:
    # The server, or a proxy between, may have closed what was idle; trying each time costs more
    # than what is then asked.
    if monotonic() - record.info.get("used", monotonic()) < IDLE:
        return
    try:
        engine.dialect.do_ping(connection)
    except engine.dialect.loaded_dbapi.Error as error:
        raise DisconnectionError from error


def _prepare_sqlite(connection: Any, _record: object) -> None:
    # The driver's own way of beginning leaves reads and changes of the schema outside.
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {SQLITE_WAIT_MS}")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.execute("PRAGMA synchronous = NORMAL")
    cursor.close()


def _outlast_power(connection: Any, _record: object) -> None:
    # With a write-ahead log this is one more wait for the disk at the end of each transaction,
    # https://www.sqlite.org/pragma.html#pragma_synchronous: little for a batch.
    cursor = connection.cursor()
    cursor.execute("PRAGMA synchronous = FULL")
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


def _place(url: URL) -> str:
    """Name the database for a person, without user and password."""
    if url.get_backend_name() == "sqlite":
        return f"the database {url.database or 'in memory'}"
    return f"the PostgreSQL database {url.database} on {url.host or 'this machine'}"


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


def _prepare_file(url: URL, place: str) -> None:
    """Make the file and its folder, and see that SQLite can read it.

    The check is made here because the asynchronous driver leaves its thread behind, with a
    traceback, where opening fails.
    """
    if _is_in_memory(url):
        return
    (name, *_), options = url.get_dialect()().create_connect_args(url)
    try:
        if not options.get("uri"):
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            _shut(name)  # SQLite would not say why it cannot make it
        with contextlib.closing(sqlite3.connect(name, uri=bool(options.get("uri")))) as file:
            file.execute("PRAGMA schema_version")
    except OSError as error:
        raise unmade(error, place) from error
    except sqlite3.Error as error:
        raise failure(error, place) from error
