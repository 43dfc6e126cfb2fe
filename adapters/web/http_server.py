"""The HTTP of a process: what everybody may reach, and what is for who runs it.

::

    on HOST and PORT, for everybody
    GET /healthz    200 while the process answers at all
    GET /readyz     200 "ready", or 503 "not ready"
    GET /...        the public pages, where there is a public address (`adapters.pages.site`)
    POST /slack/events, where Slack is heard by HTTP

    on INFRA_OPS_HOST and INFRA_OPS_PORT, where a port is set
    GET /healthz    the same
    GET /readyz     200 "ready"; 503 and a line for everything that is not
    GET /metrics    for Prometheus

Strangers may reach it: connections are few, and none lasts long. aiohttp limits the size of heads
and bodies and, by its keep-alive timer, the time of a head. It knows no limit for how long a body
may take, nor for how many connections there are
(https://docs.aiohttp.org/en/stable/web_reference.html): these are here. An answer that nobody reads
holds its connection until newer ones take its place.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TypeAlias

import structlog
from aiohttp import web
from aiohttp.http import HttpProcessingError
from aiohttp.typedefs import Handler, Middleware

from adapters.operations.health import Health
from adapters.operations.metrics import CONTENT_TYPE
from digest.errors import ConfigurationError
from digest.wording.phrases import SAY

HEALTH_PATH, READY_PATH, METRICS_PATH = "/healthz", "/readyz", "/metrics"

Responder: TypeAlias = Callable[[web.Request], Awaitable[web.StreamResponse]]

NOT_READY = "not ready\n"


def application(
    health: Health,
    faces: Mapping[str, Responder],
    paths: tuple[str, ...] = (),
    pages: Responder | None = None,
) -> web.Application:
    """Return what everybody may reach: platforms post to `paths`, `pages` answers all else.

    `faces` get what takes a path once it is there; before, who posts is asked to come again. Slack
    sends an event again that is answered by an error:
    https://docs.slack.dev/apis/events-api/#retries
    """

    async def posted(request: web.Request) -> web.StreamResponse:
        face = faces.get(request.path)
        if face is None:
            return web.Response(status=503, text="not ready yet\n", headers={"Retry-After": "5"})
        return await face(request)

    async def ready(_: web.Request) -> web.Response:
        if await health.unready():
            return web.Response(status=503, text=NOT_READY)
        return web.Response(text="ready\n")

    made = web.Application()
    made.router.add_get(HEALTH_PATH, _healthy)
    made.router.add_get(READY_PATH, ready)
    for path in paths:
        made.router.add_post(path, posted)
    if pages:
        made.router.add_get("/{any:(?s:.*)}", pages)
    return made


def operators_application(health: Health) -> web.Application:
    """Return what is for who runs the process: numbers, and what keeps it from its work."""

    async def ready(_: web.Request) -> web.Response:
        unready = await health.unready()
        text = "\n".join(unready or ["ready"]) + "\n"
        return web.Response(status=503 if unready else 200, text=text)

    async def metrics(_: web.Request) -> web.Response:
        return web.Response(body=await health.page(), headers={"Content-Type": CONTENT_TYPE})

    made = web.Application()
    made.router.add_get(HEALTH_PATH, _healthy)
    made.router.add_get(READY_PATH, ready)
    made.router.add_get(METRICS_PATH, metrics)
    return made


async def _healthy(_: web.Request) -> web.Response:
    return web.Response(text="ok\n")


SECONDS_TO_FINISH = 3.0
"""How long a request in work may keep the process from ending."""

BACKLOG = 128
"""Connections that are accepted in one round of the event loop."""

log = structlog.get_logger()

_Protocols: TypeAlias = Callable[[], asyncio.BaseProtocol]


@dataclass(frozen=True, slots=True)
class ServerLimits:
    """What one connection, and all of them together, may take."""

    head_seconds: float = 10.0
    body_seconds: float = 10.0

    connections: int = 256
    """A process is often allowed 1,024 files, of which every connection is one."""


def refused(request: web.Request, status: int, reason: str) -> web.Response:
    """Return a refusal, told in one log line."""
    log.warning("request refused", status=status, reason=reason, path=request.path[:100])
    return web.Response(status=status, text=f"{reason}\n")


@asynccontextmanager
async def serving(
    made: web.Application,
    host: str,
    port: int,
    *,
    needed: bool,
    limits: ServerLimits | None = None,
    names: str = "HOST or PORT",
) -> AsyncIterator[None]:
    """Serve an application within limits.

    An address that is taken raises `ConfigurationError`, which names the settings in `names`; where
    it is not needed, it is logged.
    """
    limits = limits or ServerLimits()
    made.middlewares.insert(0, _whole_body(limits.body_seconds))
    made.on_response_prepare.append(_end_connection)
    runner = web.AppRunner(
        made,
        access_log=None,
        logger=_server_log(),
        shutdown_timeout=SECONDS_TO_FINISH,
        keepalive_timeout=limits.head_seconds,
        lingering_time=limits.body_seconds,
        # Slack signs the bytes it sends, and a small body may unpack to a huge one.
        auto_decompress=False,
    )
    await runner.setup()
    assert runner.server
    server = None
    try:
        try:
            server = await asyncio.get_running_loop().create_server(
                _oldest_gives_way(runner.server, limits.connections), host, port, backlog=BACKLOG
            )
            log.info("http listens", host=host, port=port)
        except OSError as error:
            taken = ConfigurationError(SAY.chat.port_taken(host, port, names))
            if needed:
                raise taken from error
            log.warning("http does not listen", reason=str(taken))
        yield
    finally:
        if server:
            server.close()
        await runner.cleanup()


class _NoHttp(logging.Filter):
    """Tells what is no HTTP in one line; aiohttp gives each a traceback of its parser."""

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, HttpProcessingError):
            log.warning("request refused", status=error.code, reason=type(error).__name__)
            return False
        return True


def _server_log() -> logging.Logger:
    logger = logging.getLogger("infra.http")
    if not logger.filters:
        logger.addFilter(_NoHttp())
    return logger


def _whole_body(seconds: float) -> Middleware:
    """Make what reads the body of a request before anything looks at it."""

    @web.middleware
    async def read(request: web.Request, handler: Handler) -> web.StreamResponse:
        if request.transport is None and request.can_read_body:
            # Whoever asked was gone before this began, and aiohttp's reader takes that for a fault.
            return refused(request, 400, "the body is broken off")
        try:
            async with asyncio.timeout(seconds):
                await request.read()
        except TimeoutError:
            return refused(request, 408, "the body took too long")
        except web.HTTPRequestEntityTooLarge:
            return refused(request, 413, "the body is too large")
        except (web.RequestPayloadError, ConnectionError):
            return refused(request, 400, "the body is broken off")
        return await handler(request)

    return read


async def _end_connection(_: web.Request, response: web.StreamResponse) -> None:
    # A connection kept open for a next request is one more that idles; proxies that keep theirs
    # would also race with the end of this side's patience.
    response.force_close()


def _oldest_gives_way(server: web.Server, most: int) -> _Protocols:
    """Make what accepts connections: where there are too many, the oldest are closed.

    Whoever comes newly is heard, so that nobody keeps others out by holding connections.
    """
    has_warned = False

    def accept() -> asyncio.BaseProtocol:
        nonlocal has_warned
        opened = server.connections
        if len(opened) >= most:
            if not has_warned:
                log.warning("too many connections: the oldest are closed", most=most)
            has_warned = True
            for oldest in opened[: len(opened) - most + 1]:
                oldest.force_close()
        return server()

    return accept
