"""What a database says when it fails, told as one sentence that says what to do."""

import errno
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TypeAlias

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from digest.errors import ConfigurationError, DatabaseVersion, InfraError, StoreFailed
from digest.phrase import Phrase
from digest.wording.phrases import SAY

Sentence: TypeAlias = Callable[[object], Phrase]
"""Says what is wrong with a place."""

SQLITE_SENTENCES: Mapping[str, Sentence] = {
    "SQLITE_FULL": SAY.database.disk_full,
    "SQLITE_BUSY": SAY.database.locked_by_program,
    "SQLITE_LOCKED": SAY.database.locked_by_program,
    "SQLITE_READONLY": SAY.database.not_writable,
    "SQLITE_PERM": SAY.database.not_writable,
    "SQLITE_CANTOPEN": SAY.database.not_openable,
    "SQLITE_IOERR": SAY.database.disk_fails,
    "SQLITE_CORRUPT": SAY.database.damaged,
}
"""By SQLite's result code, https://www.sqlite.org/rescode.html; extended codes start alike."""

NO_ROOM = (errno.ENOSPC, errno.EDQUOT)

POSTGRES_SENTENCES: Mapping[str, Sentence] = {
    "53100": SAY.database.server_full,
    "53": SAY.database.no_resources,
    "25006": SAY.database.read_only,
    "55P03": SAY.database.locked,
    "57": SAY.database.restarting,
}
"""By SQLSTATE or its class, https://www.postgresql.org/docs/current/errcodes-appendix.html."""

POSTGRES_SETTINGS: Mapping[str, Sentence] = {
    "28": SAY.database.refuses_user,
    "3D": SAY.database.missing,
    "42P07": SAY.database.other_program,
    "42501": SAY.database.no_rights,
}


@contextmanager
def translated(place: Phrase) -> Iterator[None]:
    """Turn what the drivers raise into `StoreFailed` or `ConfigurationError` about `place`."""
    try:
        yield
    except SQLAlchemyError as error:
        cause = error.orig if isinstance(error, DBAPIError) else None
        raise failure(cause, place) from error


def failure(cause: BaseException | None, place: Phrase) -> InfraError:
    """Return the error, not raised, for what a driver raised about `place`."""
    if isinstance(cause, sqlite3.Error):
        return _sqlite_failure(cause, place)
    state = getattr(cause, "sqlstate", None) or ""
    for code, sentence in POSTGRES_SETTINGS.items():
        if state.startswith(code):
            return ConfigurationError(sentence(place))
    if state in ("42P01", "42703"):
        return DatabaseVersion(SAY.database.not_migrated(place))
    for code, sentence in POSTGRES_SENTENCES.items():
        if state.startswith(code):
            return StoreFailed(sentence(place))
    if cause is not None and not state and "does not exist" in str(cause):
        # What the server says while connecting comes without a code.
        return ConfigurationError(POSTGRES_SETTINGS["3D"](place))
    if cause is not None and not state and "authentication failed" in str(cause):
        return ConfigurationError(POSTGRES_SETTINGS["28"](place))
    return StoreFailed(SAY.database.no_answer(place))


def unmade(cause: OSError, place: Phrase) -> StoreFailed:
    """Return the error, not raised, for a SQLite file or folder that could not be made."""
    code = "SQLITE_FULL" if cause.errno in NO_ROOM else "SQLITE_CANTOPEN"
    return StoreFailed(SQLITE_SENTENCES[code](place))


def _sqlite_failure(cause: sqlite3.Error, place: Phrase) -> InfraError:
    name = getattr(cause, "sqlite_errorname", "")
    if name == "SQLITE_NOTADB":
        return ConfigurationError(SAY.database.not_sqlite(place))
    if "no such table" in str(cause) or "no such column" in str(cause):
        return DatabaseVersion(SAY.database.not_migrated(place))
    for code, sentence in SQLITE_SENTENCES.items():
        if name.startswith(code):
            return StoreFailed(sentence(place))
    return StoreFailed(SAY.database.unusable(place, cause))
