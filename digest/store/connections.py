"""Connections to SQLite and PostgreSQL: where they lead, how they are opened, how they fail.

A SQLite file is made for its owner alone, and never worked in once it was deleted. What a driver
says when it fails is told as one sentence that says what to do.
"""

import contextlib
import errno
import os
import sqlite3
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

import stamina
from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import (
    ArgumentError,
    DBAPIError,
    DisconnectionError,
    OperationalError,
    SQLAlchemyError,
)
from sqlalchemy.pool import ConnectionPoolEntry, StaticPool

from digest.errors import ConfigurationError, DatabaseVersion, InfraError, StoreFailed
from digest.phrase import Phrase
from digest.wording.phrases import SAY

SIDE_BY_SIDE = 5
"""Transactions that read, and as many that write on PostgreSQL, while others are slow."""

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


def prepare_file(url: URL, place: Phrase) -> None:
    """Make a SQLite file and its folder where they are not there, for their owner alone.

    Raises `StoreFailed`. A file that is there is not opened: to close it would give up the locks
    that this process holds on it by SQLite (https://www.sqlite.org/howtocorrupt.html, 2.2).
    """
    name = file_of(url)
    if name is None:
        return
    try:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError):  # SQLite would not say why it cannot make it
            os.close(os.open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL, FILE_MODE))
    except OSError as error:
        is_full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        say = SAY.database.disk_full if is_full else SAY.database.not_openable
        raise StoreFailed(say(place)) from error
    for each in (name, f"{name}-wal", f"{name}-shm"):  # SQLite gives its logs the file's mode
        with contextlib.suppress(OSError):  # not there, or another's
            mode = stat.S_IMODE(os.stat(each).st_mode)
            if mode & ~FILE_MODE:
                os.chmod(each, mode & FILE_MODE)  # what its owner may not do stays so


def engine_of(url: URL) -> Engine:
    """Return what opens connections to a database; nothing is touched yet."""
    if url.get_backend_name() == "postgresql":
        # The server, or a proxy between, may have closed a connection that was idle.
        return create_engine(
            url.set(query={**ANSWERING, **url.query}),
            pool_pre_ping=True,
            max_overflow=2 * SIDE_BY_SIDE,
        )
    if is_in_memory(url):
        engine = create_engine(url, poolclass=StaticPool, connect_args={"check_same_thread": False})
    else:
        engine = create_engine(url, max_overflow=2 * SIDE_BY_SIDE)
        _hold_to_file(engine, file_of(url))
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _hold_to_file(engine: Engine, file: str | None) -> None:
    """Refuse to work in a file that was deleted: SQLite goes on in it, and all of it is lost.

    Where another file has taken its place, that one is worked in.
    """
    if file is None:
        return

    def identity(*_: object) -> tuple[int, int]:
        try:
            status = os.stat(file)
        except OSError as error:
            raise StoreFailed(SAY.database.deleted) from error
        return status.st_dev, status.st_ino

    def connecting(*_: object) -> None:
        identity()  # else SQLite would make an empty one

    def connected(_: object, record: ConnectionPoolEntry) -> None:
        record.info["file"] = identity()

    def checked_out(_: object, record: ConnectionPoolEntry, __: object) -> None:
        if record.info.get("file") != identity():
            raise DisconnectionError

    event.listen(engine, "do_connect", connecting)
    event.listen(engine, "connect", connected)
    event.listen(engine, "checkout", checked_out)


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


Sentence: TypeAlias = Callable[[object], Phrase]
"""Says what is wrong with a place."""

FAILURES: Mapping[str, tuple[type[InfraError], Sentence]] = {
    "SQLITE_FULL": (StoreFailed, SAY.database.disk_full),
    "SQLITE_BUSY": (StoreFailed, SAY.database.locked_by_program),
    "SQLITE_LOCKED": (StoreFailed, SAY.database.locked_by_program),
    "SQLITE_READONLY": (StoreFailed, SAY.database.not_writable),
    "SQLITE_PERM": (StoreFailed, SAY.database.not_writable),
    "SQLITE_CANTOPEN": (StoreFailed, SAY.database.not_openable),
    "SQLITE_IOERR": (StoreFailed, SAY.database.disk_fails),
    "SQLITE_CORRUPT": (StoreFailed, SAY.database.damaged),
    "SQLITE_NOTADB": (ConfigurationError, SAY.database.not_sqlite),
    "28": (ConfigurationError, SAY.database.refuses_user),
    "3D": (ConfigurationError, SAY.database.missing),
    "42P07": (ConfigurationError, SAY.database.other_program),
    "42501": (ConfigurationError, SAY.database.no_rights),
    "42P01": (DatabaseVersion, SAY.database.not_migrated),
    "42703": (DatabaseVersion, SAY.database.not_migrated),
    "53100": (StoreFailed, SAY.database.server_full),
    "53": (StoreFailed, SAY.database.no_resources),
    "25006": (StoreFailed, SAY.database.read_only),
    "55P03": (StoreFailed, SAY.database.locked),
    "57": (StoreFailed, SAY.database.restarting),
}
"""By the first characters of SQLite's result code (https://www.sqlite.org/rescode.html) or of
PostgreSQL's SQLSTATE (https://www.postgresql.org/docs/current/errcodes-appendix.html)."""

SAID_WITHOUT_CODE = {
    "no such table": "42P01",
    "no such column": "42P01",
    "does not exist": "3D",
    "authentication failed": "28",
}
"""Words that come without a code of their own, as what a server says while connecting."""


@contextmanager
def translated(place: Phrase) -> Iterator[None]:
    """Turn what the drivers raise into `StoreFailed` or `ConfigurationError` about `place`."""
    try:
        yield
    except SQLAlchemyError as error:
        raise failure(error.orig if isinstance(error, DBAPIError) else None, place) from error


def failure(cause: BaseException | None, place: Phrase) -> InfraError:
    """Return the error, not raised, for what a driver raised about `place`."""
    is_sqlite = isinstance(cause, sqlite3.Error)
    code = getattr(cause, "sqlite_errorname" if is_sqlite else "sqlstate", None) or ""
    if is_sqlite or not code:
        words = str(cause or "")
        code = next((known for word, known in SAID_WITHOUT_CODE.items() if word in words), code)
    for begin, (kind, sentence) in FAILURES.items():
        if code.startswith(begin):
            return kind(sentence(place))
    if is_sqlite:
        return StoreFailed(SAY.database.unusable(place, cause))
    return StoreFailed(SAY.database.no_answer(place))
