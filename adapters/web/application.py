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
"""

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from aiohttp import web

from adapters.operations.health import Health
from adapters.operations.metrics import CONTENT_TYPE

HEALTH_PATH, READY_PATH, METRICS_PATH = "/healthz", "/readyz", "/metrics"

Responder: TypeAlias = Callable[[web.Request], Awaitable[web.StreamResponse]]

NOT_READY = "not ready\n"


class OpenedPaths:
    """What is posted to paths, once a platform's face takes it; before, it is asked to come again.

    Slack sends an event again that is answered by an error:
    https://docs.slack.dev/apis/events-api/#retries
    """

    def __init__(self) -> None:
        self._open: dict[str, Responder] = {}

    def open(self, path: str, answering: Responder) -> None:
        """Answer what is posted to a path from now on."""
        self._open[path] = answering

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Answer one request."""
        answering = self._open.get(request.path)
        if answering is None:
            return web.Response(status=503, text="not ready yet\n", headers={"Retry-After": "5"})
        return await answering(request)


def application(
    health: Health, opened: OpenedPaths, paths: tuple[str, ...] = (), pages: Responder | None = None
) -> web.Application:
    """Return what everybody may reach: platforms post to `paths`, `pages` answers all else."""

    async def ready(_: web.Request) -> web.Response:
        if await health.unready():
            return web.Response(status=503, text=NOT_READY)
        return web.Response(text="ready\n")

    made = web.Application()
    made.router.add_get(HEALTH_PATH, _healthy)
    made.router.add_get(READY_PATH, ready)
    for path in paths:
        made.router.add_post(path, opened.answer)
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
