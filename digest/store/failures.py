"""What a database says when it fails, told as one sentence that says what to do."""

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from digest.errors import ConfigurationError, DatabaseVersion, InfraError, StoreFailed
from digest.wording.phrases import SAY

SQLITE_SENTENCES = {
    "SQLITE_FULL": "the disk that holds {place} is full: free some space and ask again",
    "SQLITE_BUSY": "{place} is locked by another program: end that one or ask again later",
    "SQLITE_LOCKED": "{place} is locked by another program: end that one or ask again later",
    "SQLITE_READONLY": "{place} cannot be written: allow writing to it and to its folder, "
    "or name another file in DATABASE_URL",
    "SQLITE_PERM": "{place} cannot be written: allow writing to it and to its folder, "
    "or name another file in DATABASE_URL",
    "SQLITE_CANTOPEN": "{place} cannot be opened: allow reading and writing its folder, "
    "or name another file in DATABASE_URL",
    "SQLITE_IOERR": "{place} cannot be read or written by the disk: free some space or check "
    "the disk, then ask again",
    "SQLITE_CORRUPT": "{place} is damaged: restore a backup, or move the file away to start anew",
}
"""By SQLite's result code, https://www.sqlite.org/rescode.html; extended codes start alike."""

NO_ROOM = (errno.ENOSPC, errno.EDQUOT)

NOT_A_DATABASE = (
    "{place} is not a SQLite database: name another file in DATABASE_URL, or move this one away"
)

POSTGRES_SENTENCES = {
    "53100": "the disk of {place} is full: free some space there and ask again",
    "53": "{place} has no resources left: ask again later",
    "25006": "{place} is read-only: name the primary server in DATABASE_URL",
    "55P03": "{place} is locked by another program: ask again later",
    "57": "{place} is shutting down or starting: ask again later",
}
"""By SQLSTATE or its class, https://www.postgresql.org/docs/current/errcodes-appendix.html."""

POSTGRES_SETTINGS = {
    "28": "{place} refuses the user or password: correct DATABASE_URL",
    "3D": "{place} does not exist on its server: create it, or correct DATABASE_URL",
    "42P07": "{place} holds tables of another program: name another database in DATABASE_URL",
    "42501": "{place} does not let this user work in it: grant it the rights, "
    "or correct DATABASE_URL",
}

UNMIGRATED = "{place} is not set up for this version: run `infra db upgrade`"


@contextmanager
def translated(place: str) -> Iterator[None]:
    """Turn what the drivers raise into `StoreFailed` or `ConfigurationError` about `place`."""
    try:
        yield
    except SQLAlchemyError as error:
        cause = error.orig if isinstance(error, DBAPIError) else None
        raise failure(cause, place) from error


def failure(cause: BaseException | None, place: str) -> InfraError:
    """Give the error, not raised, for what a driver raised about `place`."""
    if isinstance(cause, sqlite3.Error):
        return _sqlite_failure(cause, place)
    state = getattr(cause, "sqlstate", None) or ""
    for code, sentence in POSTGRES_SETTINGS.items():
        if state.startswith(code):
            return ConfigurationError(sentence.format(place=place))
    if state in ("42P01", "42703"):
        return DatabaseVersion(UNMIGRATED.format(place=place))
    for code, sentence in POSTGRES_SENTENCES.items():
        if state.startswith(code):
            return StoreFailed(sentence.format(place=place))
    if cause is not None and not state and "does not exist" in str(cause):
        # What the server says while connecting comes without a code.
        return ConfigurationError(POSTGRES_SETTINGS["3D"].format(place=place))
    if cause is not None and not state and "authentication failed" in str(cause):
        return ConfigurationError(POSTGRES_SETTINGS["28"].format(place=place))
    return StoreFailed(SAY.database.no_answer(place))


def unmade(cause: OSError, place: str) -> StoreFailed:
    """Give the error, not raised, for a SQLite file or folder that could not be made."""
    code = "SQLITE_FULL" if cause.errno in NO_ROOM else "SQLITE_CANTOPEN"
    return StoreFailed(SQLITE_SENTENCES[code].format(place=place))


def _sqlite_failure(cause: sqlite3.Error, place: str) -> InfraError:
    name = getattr(cause, "sqlite_errorname", "")
    if name == "SQLITE_NOTADB":
        return ConfigurationError(NOT_A_DATABASE.format(place=place))
    if "no such table" in str(cause) or "no such column" in str(cause):
        return DatabaseVersion(UNMIGRATED.format(place=place))
    for code, sentence in SQLITE_SENTENCES.items():
        if name.startswith(code):
            return StoreFailed(sentence.format(place=place))
    return StoreFailed(SAY.database.unusable(place, cause))
