"""For who asks the web: the proxy of an address, and the body of an answer as a file's text."""

from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import aiohttp

from bot.model.concerns import MOST_MEGABYTES
from digest.errors import UsageError
from digest.wording.phrases import SAY

MOST_BYTES = MOST_MEGABYTES * 1_000_000


async def text_of(answer: aiohttp.ClientResponse, name: str) -> str:
    """Read a body; raises `UsageError`, by its name, for one that is too large or no text."""
    body = bytearray()
    async for piece in answer.content.iter_chunked(1 << 16):
        body += piece
        if len(body) > MOST_BYTES:
            raise UsageError(SAY.concerns.too_large(name, MOST_MEGABYTES))
    try:
        return body.decode()
    except UnicodeDecodeError as error:
        raise UsageError(SAY.concerns.not_text(name)) from error


def proxy_for(url: str) -> str | None:
    """Return the address of the proxy that leads to a URL, or None where none does.

    Read are `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`, as curl and httpx read
    them.
    """
    parts = urlsplit(url)
    if not parts.hostname or proxy_bypass(parts.netloc.rpartition("@")[2]):
        return None
    named = getproxies()
    return named.get(parts.scheme) or named.get("all")
