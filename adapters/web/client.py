"""For who asks the web: the proxy of an address, and files that somebody wrote the address of.

Whoever may change a channel could else have the bot ask what only its own network reaches. So an
address is https, every address that its host has is public (https://www.rfc-editor.org/rfc/rfc6890,
as `ipaddress` knows it), the one that was checked is the one that is asked, and where it leads on
to is checked in the same way. No credentials, cookies or proxies go with it.
"""

import asyncio
import ipaddress
import socket
from collections.abc import Callable
from typing import Any
from urllib.parse import urljoin, urlsplit
from urllib.request import getproxies, proxy_bypass

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.resolver import ThreadedResolver
from yarl import URL

from bot.model.concerns import MOST_MEGABYTES
from digest.errors import CouldNotLook, UsageError
from digest.phrase import Example
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


MOST_HOPS = 3
SECONDS = 30.0
EXAMPLE = Example("concern add https://example.org/own.toml")


_HOLDING_IPV4 = tuple(map(ipaddress.IPv6Network, ("64:ff9b::/96", "::/96", "::ffff:0:0/96")))
"""A network may lead these to the IPv4 address in their last bits, which may be inside
(https://www.rfc-editor.org/rfc/rfc6052, https://www.rfc-editor.org/rfc/rfc4291#section-2.5.5)."""
_LOCAL_NAT64 = ipaddress.IPv6Network("64:ff9b:1::/48")
"""https://www.rfc-editor.org/rfc/rfc8215; `ipaddress` of Python 3.11 takes it for public."""


def is_public(address: str) -> bool:
    """Return whether an IP address is one of the public internet, wherever it leads to."""
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        if found in _LOCAL_NAT64 or found.is_site_local:
            return False
        if any(found in network for network in _HOLDING_IPV4):
            found = ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)
        else:
            found = found.sixtofour or found
    return found.is_global and not found.is_multicast


async def fetched(
    url: str,
    name: str = "",
    *,
    allowed: Callable[[str], bool] = is_public,
    schemes: tuple[str, ...] = ("https",),
    seconds: float = SECONDS,
) -> str:
    """Return the text at an address; `allowed` tells which IP addresses are asked.

    What is said calls it by `name`, else by its address.

    Raises `UsageError` for an address that may not be asked, a file that is too large or no text,
    and `CouldNotLook` where none is given.
    """
    shown = name or url[:100]
    connector = aiohttp.TCPConnector(resolver=_Resolver(allowed))
    try:
        async with (
            asyncio.timeout(seconds),
            aiohttp.ClientSession(
                connector=connector,
                cookie_jar=aiohttp.DummyCookieJar(),
                trust_env=False,
                # What is small on its way may be too large to be unpacked.
                headers={"Accept-Encoding": "identity"},
                auto_decompress=False,
            ) as session,
        ):
            for _ in range(MOST_HOPS + 1):
                asked = _checked(url, allowed, schemes)
                async with session.get(asked, allow_redirects=False) as answer:
                    if answer.status in (301, 302, 303, 307, 308):
                        url = urljoin(url, answer.headers.get("Location", ""))
                        continue
                    if answer.status != 200:
                        why = SAY.concerns.status(answer.status)
                        raise CouldNotLook(SAY.concerns.not_fetched(shown, why))
                    return await text_of(answer, shown)
    except _NotPublicError as error:
        raise UsageError(SAY.concerns.not_public(str(error))) from error
    except (aiohttp.ClientError, OSError, TimeoutError, ValueError) as error:
        if isinstance(error.__cause__, _NotPublicError):
            raise UsageError(SAY.concerns.not_public(str(error.__cause__))) from error
        raise CouldNotLook(SAY.concerns.not_fetched(shown, SAY.concerns.no_answer)) from error
    raise CouldNotLook(SAY.concerns.not_fetched(shown, SAY.concerns.too_many_hops))


def _checked(url: str, allowed: Callable[[str], bool], schemes: tuple[str, ...]) -> URL:
    """Return an address as it is asked for, and refuse what is none.

    A host that is an IP address is never resolved. It is looked at as the client reads it, to which
    `①②⑦.0.0.1` is one, too.
    """
    asked = URL(url)
    if asked.scheme not in schemes or not asked.host or "@" in urlsplit(url).netloc:
        raise UsageError(SAY.concerns.not_an_address(EXAMPLE))
    try:
        public = allowed(asked.host)
    except ValueError:  # a name, which the resolver checks
        return asked
    if not public:
        raise _NotPublicError(asked.host)
    return asked


class _NotPublicError(OSError):
    """A host that is no part of the public internet, by its name."""


class _Resolver(AbstractResolver):
    """Resolves names, and gives no address of a host that has one that is not allowed."""

    def __init__(self, allowed: Callable[[str], bool]) -> None:
        self._inner = ThreadedResolver()
        self._allowed = allowed

    async def resolve(
        self, host: str, port: int = 0, family: Any = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        found = await self._inner.resolve(host, port, family)
        if not all(self._allowed(each["host"]) for each in found):
            raise _NotPublicError(host)
        return found

    async def close(self) -> None:
        await self._inner.close()
