"""A model server on loopback, questions for it, and time that passes at will."""

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from aiohttp import web

from digest.editing.server import Endpoint
from digest.models import Repo
from digest.ports import Request
from digest.store.database import Database
from digest.store.store import open_store
from tests.digest.editing.model_server import ModelServer

TURBINE = Repo("example-org", "turbine")


@pytest.fixture
async def server() -> AsyncIterator[ModelServer]:
    made = ModelServer()
    runner = web.AppRunner(made.application(), access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    host, port = runner.addresses[0][:2]
    made.url = f"http://{host}:{port}/v1"
    yield made
    await runner.cleanup()


class Time:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
async def memory() -> AsyncIterator[Database]:
    """Give a database of this test's own."""
    async with open_store("sqlite://") as opened:
        yield opened.database


@pytest.fixture
async def endpoint(server: ModelServer, time: Time) -> AsyncIterator[Callable[..., Endpoint]]:
    """Make endpoints of that server: `endpoint(base_url=…)`."""
    made: list[Endpoint] = []

    def make(**more: Any) -> Endpoint:
        given: dict[str, Any] = {
            "base_url": server.url,
            "key": "k",
            "name": "m",
            "moment": time,
            "call_seconds": 5.0,
        }
        made.append(Endpoint(**(given | more)))
        return made[-1]

    yield make
    for each in made:
        await each.close()


@pytest.fixture
def question() -> Callable[..., Request]:
    """Make a question: `question("#1")` is another than `question("#2")`."""

    def make(user: str = "#1", **more: Any) -> Request:
        given: dict[str, Any] = {
            "task": "gloss",
            "version": "1",
            "about": f"{TURBINE}:pull_request:1",
            "system": "You tell.",
            "user": user,
            "schema": {"type": "object", "properties": {}, "required": []},
            "most_output_tokens": 500,
        }
        return Request(**(given | more))

    return make
