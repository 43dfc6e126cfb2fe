"""What every test stands on: no way out to the network, both databases, a clock that is set."""

import asyncio
import contextlib
import inspect
import ipaddress
import shutil
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import hypothesis
import pytest
import structlog

from digest.store.database import upgrade
from tests import postgres

PATIENCE = 60
"""Seconds to wait for a state before it is said not to come; a busy machine needs some of them."""

hypothesis.settings.register_profile("quick", max_examples=25, deadline=None, derandomize=True)
hypothesis.settings.register_profile("thorough", max_examples=400, deadline=None)
hypothesis.settings.load_profile("quick")  # `--hypothesis-profile=thorough` loads the other one

_attempts: list[str] = []

_RENDERER = structlog.dev.ConsoleRenderer(
    colors=False, exception_formatter=structlog.dev.plain_traceback
)


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


@pytest.fixture(autouse=True)
def plain_logs() -> Iterator[None]:
    """Let no test decide how the next one logs.

    Tracebacks are plain: the default draws the variables of each frame, which takes seconds.
    """
    structlog.configure(processors=[*structlog.get_config()["processors"][:-1], _RENDERER])
    yield
    structlog.reset_defaults()


@pytest.fixture
def empty_sqlite_url(tmp_path: Path) -> str:
    """The URL of a SQLite file that does not exist yet."""
    return f"sqlite:///{tmp_path / 'infra.sqlite3'}"


@pytest.fixture(scope="session")
def migrated_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file with all tables and no rows, to copy: migrating costs 300 times as much."""
    path = tmp_path_factory.mktemp("migrated") / "infra.sqlite3"
    _migrate(f"sqlite:///{path}")
    return path


@pytest.fixture
def sqlite_url(empty_sqlite_url: str, migrated_sqlite: Path) -> str:
    """The URL of a SQLite file with all tables and no rows."""
    shutil.copyfile(migrated_sqlite, empty_sqlite_url.removeprefix("sqlite:///"))
    return empty_sqlite_url


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Any]:
    """A PostgreSQL of this test run; skips with the reason if none starts."""
    with contextlib.ExitStack() as stack:
        try:
            server = stack.enter_context(postgres.serving())
        except postgres.NoPostgres as error:
            pytest.skip(str(error))
        yield server


@pytest.fixture
def empty_postgres_url(postgres_server: Any) -> Iterator[str]:
    """The URL of a PostgreSQL database without tables."""
    with postgres.database(postgres_server) as url:
        yield url


@pytest.fixture(scope="session")
def migrated_postgres(postgres_server: Any) -> str:
    """The URL of a PostgreSQL database with all tables and no rows, to copy."""
    url = postgres.new_database(postgres_server)
    _migrate(url)
    return url


@pytest.fixture
def postgres_url(postgres_server: Any, migrated_postgres: str) -> Iterator[str]:
    """The URL of a PostgreSQL database with all tables and no rows."""
    with postgres.database(postgres_server, migrated_postgres) as url:
        yield url


def _migrate(url: str) -> None:
    """Migrate in a thread of its own: this one may have an event loop."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(upgrade(url))).result()


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest) -> str:
    """The URL of a database with all tables and no rows, once for each kind that is supported.

    For what differs in SQL; what does not takes `sqlite_url`.
    """
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url


on_both_databases = pytest.mark.parametrize("chosen_url", ["sqlite", "postgres"], indirect=True)
"""Runs a test on PostgreSQL too: one of each way through the store is enough."""


@pytest.fixture
def chosen_url(request: pytest.FixtureRequest) -> str:
    """The URL of a SQLite database, or of what `on_both_databases` asks for."""
    url: str = request.getfixturevalue(f"{getattr(request, 'param', 'sqlite')}_url")
    return url


async def eventually(done: Callable[[], object]) -> None:
    """Wait until `done` gives something true, itself or once it is awaited."""
    async with asyncio.timeout(PATIENCE):
        while True:
            found = done()
            if await found if inspect.isawaitable(found) else found:
                return
            await asyncio.sleep(0.01)


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
