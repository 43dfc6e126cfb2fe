"""The HTTP of a process: its health, its metrics, its pages, and what platforms post.

::

    GET /healthz    200 while the process answers at all
    GET /readyz     200 "ready"; 503 and a line for everything that is not
    GET /metrics    for Prometheus
    GET /...        the public pages, where there is a public address (`adapters.pages.site`)
    POST /slack/events, where Slack is heard by HTTP
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeAlias

import structlog
from aiohttp import web

from adapters.metrics import CONTENT_TYPE
from adapters.vitals import Vitals
from digest.errors import ConfigurationError

HEALTH_PATH, READY_PATH, METRICS_PATH = "/healthz", "/readyz", "/metrics"

SECONDS_TO_FINISH = 3.0
"""How long a request in work may keep the process from ending."""

TAKEN = "{host}:{port} cannot be listened on: set another HOST or PORT"

Answering: TypeAlias = Callable[[web.Request], Awaitable[web.StreamResponse]]

log = structlog.get_logger()


class Doors:
    """What is posted to paths, once a platform's face takes it; before, it is asked to come again.

    Slack sends an event again that is answered by an error:
    https://docs.slack.dev/apis/events-api/#retries
    """

    def __init__(self) -> None:
        self._open: dict[str, Answering] = {}

    def open(self, path: str, answering: Answering) -> None:
        """Answer what is posted to a path from now on."""
        self._open[path] = answering

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Answer one request."""
        answering = self._open.get(request.path)
        if answering is None:
            return web.Response(status=503, text="not ready yet\n", headers={"Retry-After": "5"})
        return await answering(request)


def application(
    vitals: Vitals, doors: Doors, paths: tuple[str, ...] = (), pages: Answering | None = None
) -> web.Application:
    """Give the application; `paths` are those that platforms post to, `pages` answers all else."""

    async def healthy(_: web.Request) -> web.Response:
        return web.Response(text="ok\n")

    async def ready(_: web.Request) -> web.Response:
        unready = await vitals.unready()
        text = "\n".join(unready or ["ready"]) + "\n"
        return web.Response(status=503 if unready else 200, text=text)

    async def metrics(_: web.Request) -> web.Response:
        return web.Response(body=await vitals.page(), headers={"Content-Type": CONTENT_TYPE})

    made = web.Application()
    made.router.add_get(HEALTH_PATH, healthy)
    made.router.add_get(READY_PATH, ready)
    made.router.add_get(METRICS_PATH, metrics)
    for path in paths:
        made.router.add_post(path, doors.answer)
    if pages:
        made.router.add_get("/{any:(?s:.*)}", pages)
    return made


@asynccontextmanager
async def serving(
    made: web.Application, host: str, port: int, *, needed: bool
) -> AsyncIterator[None]:
    """Serve; an address that is taken raises `ConfigurationError`, or is told where not needed."""
    runner = web.AppRunner(made, access_log=None, shutdown_timeout=SECONDS_TO_FINISH)
    try:
        await runner.setup()
        try:
            await web.TCPSite(runner, host, port).start()
            log.info("http listens", host=host, port=port)
        except OSError as error:
            if needed:
                raise ConfigurationError(TAKEN.format(host=host, port=port)) from error
            log.warning("no health page", reason=TAKEN.format(host=host, port=port))
        yield
    finally:
        await runner.cleanup()
