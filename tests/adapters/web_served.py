"""A web application on a port of its own."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web


@asynccontextmanager
async def served(application: web.Application) -> AsyncIterator[str]:
    """Serve, and give the address; who still listens at the end is not waited for."""
    runner = web.AppRunner(application, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    host, port = runner.addresses[0]
    yield f"http://{host}:{port}"
    await runner.cleanup()
