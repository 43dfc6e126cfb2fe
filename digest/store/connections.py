"""Connections to SQLite and PostgreSQL: where they lead, and how they are opened, tried and cut.

A SQLite file is made for its owner alone, and never worked in once it was deleted. PostgreSQL may
fall silent, which its driver waits for without end; so that is found out here.
"""

import contextlib
import os
import socket
import sqlite3
import stat
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, TypeAlias

import stamina
from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DisconnectionError, OperationalError, SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry, StaticPool

from digest.errors import ConfigurationError, StoreFailed
from digest.phrase import Phrase
from digest.store.batches import IN_LINE
from digest.store.failures import unmade
from digest.wording.phrases import SAY

CONNECTIONS = 5
"""Connections that are kept open."""

SIDE_BY_SIDE = 5
"""Transactions that read, and as many that write on PostgreSQL, while others are slow."""

MOST_CONNECTIONS = 2 * SIDE_BY_SIDE + IN_LINE

IDLE = 30.0
"""Seconds after which a connection to PostgreSQL is tried before it is used."""

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

DatabaseUrl: TypeAlias = str | URL
"""Where a database is: as it is typed, or what `url_of_file` gives."""


def parse_url(url: DatabaseUrl) -> URL:
    """Read a database URL in SQLAlchemy's or Heroku's form (`postgres://`), or take one.

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


def url_of_file(file: Path) -> URL:
    """Return the URL of a SQLite file, whatever characters its name has: `?` begins no options."""
    return URL.create("sqlite", database=str(file))


def place_of(url: URL) -> Phrase:
    """Name the database for a person, without user and password."""
    if url.get_backend_name() == "sqlite":
        return SAY.database.file(url.database) if url.database else SAY.database.in_memory
    if url.host:
        return SAY.database.postgresql(url.database, url.host)
    return SAY.database.postgresql_here(url.database)


def is_in_memory(url: URL) -> bool:
    """Return whether a database is no file, and has a single connection."""
    return url.get_backend_name() == "sqlite" and url.database in (None, "", ":memory:")


def file_of(url: URL) -> str | None:
    """Return the path of a SQLite file; None for memory, and for what only SQLite can read."""
    if is_in_memory(url):
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


def prepare_file(url: URL, place: Phrase) -> None:
    """Make the file and its folder, if it is one that is not there; raises `StoreFailed`."""
    name = file_of(url)
    if name is None:
        return
    try:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        _shut(name)  # SQLite would not say why it cannot make it
    except OSError as error:
        raise unmade(error, place) from error


def engine_of(url: URL) -> Engine:
    """Return what opens connections to a database; nothing is touched yet."""
    if is_in_memory(url):
        engine = create_engine(url, poolclass=StaticPool, connect_args={"check_same_thread": False})
    else:
        if url.get_backend_name() == "postgresql":
            url = url.set(query={**ANSWERING, **url.query})
        overflow = MOST_CONNECTIONS - CONNECTIONS
        engine = create_engine(url, pool_size=CONNECTIONS, max_overflow=overflow)
    if url.get_backend_name() == "postgresql":
        event.listen(engine, "checkin", _note_use)
        event.listen(engine, "checkout", partial(_try_idle, engine))
    else:
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        _hold_to_file(engine, url)
    return engine


def _hold_to_file(engine: Engine, url: URL) -> None:
    """Refuse to work in a file that was deleted: SQLite goes on in it, and all of it is lost.

    Where another file has taken its place, that one is worked in.
    """
    file = file_of(url)
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


def cut(connection: Connection) -> None:
    """Have work end that waits for PostgreSQL; a file is waited for, which takes not long.

    The driver waits however long the server, or what is between, says nothing.
    """
    if connection.dialect.name != "postgresql":
        return
    driver = connection.dialect.loaded_dbapi
    with contextlib.suppress(SQLAlchemyError, driver.Error, OSError):  # it has just ended
        server: Any = connection.connection.driver_connection
        with socket.socket(fileno=os.dup(server.fileno())) as line:
            line.shutdown(socket.SHUT_RDWR)


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


def _prepare_sqlite(connection: Any, _record: object) -> None:
    # The driver's own way of beginning leaves reads and changes of the schema outside.
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {SQLITE_WAIT_MS}")
    cursor.execute("PRAGMA foreign_keys = ON")
    # What was kept outlasts a power cut. With a write-ahead log that is one more wait for the disk
    # at the end of each transaction, https://www.sqlite.org/pragma.html#pragma_synchronous.
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    # A writer says so at once: a reader that turns writer late is refused without waiting.
    begin = connection.get_execution_options().get("begin", "BEGIN")
    if begin:
        connection.exec_driver_sql(begin)


def _is_busy(error: Exception) -> bool:
    cause = error.orig if isinstance(error, OperationalError) else None
    return getattr(cause, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY


@stamina.retry(on=_is_busy, attempts=10, timeout=10)
def use_wal(engine: Engine) -> None:
    """Let readers go on while one process writes, https://www.sqlite.org/wal.html.

    SQLite does not wait for others while it changes over, so that is tried again here.
    """
    with engine.execution_options(begin="").connect() as connection:
        connection.exec_driver_sql("PRAGMA journal_mode = WAL")
