"""Discord's REST API: one place where it is asked, within its limits, in the bot's errors.

Buckets and repeated tries are the library's. It asks again after 500, 502 and 504, which is safe
for what is asked through it: messages carry an enforced nonce, the rest can be said twice. What
cannot is asked `once`. Interactions are answered beside it: Discord's limits of the bot do not bind
them, and the library would let them wait for these.

Codes of errors: https://discord.com/developers/docs/topics/opcodes-and-status-codes. A status of
5xx leaves open whether it was done. Which permission is missing Discord does not say; the caller
knows.
"""

import asyncio
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from types import MappingProxyType
from typing import Any

import aiohttp
import discord
from discord.http import HTTPClient, Route
from yarl import URL

from adapters.discord.permissions import EMBED_LINKS, VIEW_CHANNEL, Permission, named
from adapters.operations.retry import seconds_of
from adapters.web.client import proxy_for
from bot.model.ports import (
    ChannelGone,
    Limited,
    MessageGone,
    NoPermission,
    OutcomeUnknown,
    PlatformDown,
    PublishError,
    Refused,
    TokenRevoked,
)
from digest.phrase import Phrase
from digest.wording.phrases import SAY

TIMEOUT = 20.0
"""Seconds for one call, after which its outcome is looked for; the library would wait for 300."""

USER_AGENT = f"DiscordBot (https://github.com/Rapptz/discord.py {discord.__version__})"
"""https://docs.discord.com/developers/reference#user-agent: without one Cloudflare may refuse."""

LONGEST_WAIT = 60.0
"""Seconds that a limit is waited for inside one call; longer ones are `Limited`."""

RETRY_AFTER = 60.0
"""Seconds to wait where Discord limits without saying how long."""


class ThreadExists(PublishError):
    """The message has its thread already."""


class ThreadArchived(PublishError):
    """The thread sleeps: it is to be woken first."""


class Published(PublishError):
    """The message is published already."""


class Acknowledged(PublishError):
    """The interaction was answered already."""


class MissingPermission(NoPermission):
    """Something is not allowed here; which it is, Discord does not say."""


class UnknownChannel(ChannelGone):
    """No such channel or thread."""


_SENTENCES: Mapping[int, tuple[type[PublishError], Phrase]] = MappingProxyType(
    {
        10003: (UnknownChannel, SAY.discord.gone),
        10004: (ChannelGone, SAY.discord.not_on_server),
        10008: (MessageGone, SAY.discord.message_gone),
        50005: (MessageGone, SAY.discord.message_gone),
        50007: (NoPermission, SAY.discord.no_messages),
        50008: (NoPermission, SAY.discord.not_text),
        50024: (NoPermission, SAY.discord.not_text),
        50083: (ThreadArchived, SAY.discord.thread_archived),
        40033: (Published, SAY.discord.not_taken),
        40060: (Acknowledged, SAY.discord.not_taken),
        40067: (NoPermission, SAY.discord.tag_needed("digest")),
        160004: (ThreadExists, SAY.discord.has_thread),
        160005: (NoPermission, SAY.discord.locked),
        160006: (NoPermission, SAY.discord.many_threads),
        **dict.fromkeys((40005, 50035, 200000), (Refused, SAY.discord.not_taken)),
    }
)
_LIMITS = (20016, 20022, 20028, 20029, 30046, 40062)
"""Write limits and slow mode, which come with other statuses than 429."""

_REFUSALS = (400, 403, 404, 413)
"""Statuses that come from an edge or a proxy where they are a page; Discord's own are JSON."""

MISSING_ACCESS = 50001

INTERACTION_OVER = 50027
"""The token of an interaction counts no more; Discord says so with 401, as of the bot's token."""

EMPTY_MESSAGE = 50006
"""Said of a message whose embeds were taken out, since they are not allowed."""


def failure(
    status: int, code: int = 0, *, needs: Permission | None = None, retry_after: float = 0.0
) -> PublishError:
    """Return the error for what Discord answered; `needs` is what the call asks for."""
    if code == INTERACTION_OVER:
        return MessageGone(SAY.discord.message_gone)
    if status == 401:
        return TokenRevoked(SAY.discord.token)
    if status == 429 or code in _LIMITS:
        return Limited(SAY.discord.limited, max(retry_after, 1.0) if retry_after else RETRY_AFTER)
    if status >= 500:
        return OutcomeUnknown(SAY.discord.half_done)
    if code in _SENTENCES:
        kind, sentence = _SENTENCES[code]
        return kind(sentence)
    if code == EMPTY_MESSAGE:
        return MissingPermission(SAY.discord.lacks(named(EMBED_LINKS)))
    match status:
        case 403:
            missing = VIEW_CHANNEL if code == MISSING_ACCESS or needs is None else needs
            return MissingPermission(SAY.discord.lacks(named(missing)))
        case 404:
            return MessageGone(SAY.discord.message_gone)
        case 400 | 413:
            return Refused(SAY.discord.not_taken)
    # Named by no document: tried again, and given up after days.
    return PlatformDown(SAY.discord.refuses(status))


def page_of(status: int, retry_after: float = 0.0) -> PublishError:
    """Return the error for an answer that is no JSON: of what stands before Discord."""
    if status in _REFUSALS:
        return PlatformDown(SAY.discord.stopped(status))
    return failure(status, retry_after=retry_after)


def translated(error: Exception, needs: Permission | None = None) -> PublishError:
    """Return the error for what went wrong while Discord was asked through its library."""
    if isinstance(error, discord.LoginFailure):
        return TokenRevoked(SAY.discord.token)
    if isinstance(error, discord.RateLimited):
        return Limited(SAY.discord.limited, max(error.retry_after, 1.0))
    if isinstance(error, discord.HTTPException):
        headers = error.response.headers
        if headers.get("Content-Type", "").startswith("text/") and error.status in _REFUSALS:
            return page_of(error.status)
        wait = seconds_of(headers.get("Retry-After", ""), 0.0)
        return failure(error.status, error.code, needs=needs, retry_after=wait)
    if isinstance(error, aiohttp.ClientConnectorError | aiohttp.ConnectionTimeoutError):
        return PlatformDown(SAY.discord.not_reached)
    return OutcomeUnknown(SAY.discord.unclear)


def point_at(api_url: str = "", gateway_url: str = "") -> None:
    """Have the library talk to another Discord; for this whole process, as it knows only one."""
    if api_url:
        Route.BASE = api_url.rstrip("/")
    if gateway_url:
        discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = URL(gateway_url)


class Rest:
    """Asks Discord with the bot's token."""

    def __init__(self, token: str, timeout: float = TIMEOUT) -> None:
        self._token = token
        self._timeout = aiohttp.ClientTimeout(timeout)
        self._http: HTTPClient | None = None
        self._session: aiohttp.ClientSession | None = None
        self._user: Mapping[str, Any] = {}
        self._opening = asyncio.Lock()

    async def user(self) -> str:
        """Return the bot's own user id, asked for once; raises `PublishError`."""
        await self._open()
        return str(self._user["id"])

    async def ask(
        self,
        method: str,
        path: str,
        *,
        needs: Permission | None = None,
        json: Mapping[str, Any] | Sequence[Any] | None = None,
        params: Mapping[str, str] | None = None,
        **ids: str,
    ) -> Any:
        """Ask, and give the answer; raises `PublishError`. `path` has places for the `ids`."""
        http = await self._open()
        more: dict[str, Any] = {"json": json} if json is not None else {}
        try:
            return await http.request(
                Route(method, path, **ids), timeout=self._timeout, params=params, **more
            )
        except (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError) as error:
            raise translated(error, needs) from error

    async def once(
        self, path: str, needs: Permission, *, json: Mapping[str, Any], **ids: str
    ) -> Mapping[str, Any]:
        """Make what has no nonce, and is there twice if it is asked for twice.

        Raises `PublishError`: `OutcomeUnknown` where it may be there.
        """
        headers = {"Authorization": f"Bot {self._token}"}
        body = await self._beside(Route("POST", path, **ids), needs, headers=headers, json=json)
        if not isinstance(body, Mapping):
            raise OutcomeUnknown(SAY.discord.unclear)
        return body

    async def respond(
        self,
        method: str,
        path: str,
        *,
        json: Mapping[str, Any] | None = None,
        form: aiohttp.FormData | None = None,
        **ids: str,
    ) -> None:
        """Answer an interaction by its own token, one of the `ids`; asked for once.

        Neither the bot's token nor its limits are in it, and nothing is waited for:
        https://docs.discord.com/developers/topics/rate-limits#global-rate-limit. Raises
        `PublishError`.
        """
        await self._beside(Route(method, path, **ids), json=json, data=form)

    async def _beside(
        self, route: Route, needs: Permission | None = None, **content: Any
    ) -> object:
        """Ask once, without the library; gives the JSON of the answer, None where it is empty."""
        if self._session is None:
            self._session = aiohttp.ClientSession(
                trust_env=True,  # a proxy is named there
                timeout=self._timeout,
                headers={"User-Agent": USER_AGENT},
                connector=aiohttp.TCPConnector(limit=0),  # nobody waits for another's answer
            )
        try:
            async with self._session.request(route.method, route.url, **content) as answer:
                if answer.status == HTTPStatus.NO_CONTENT:
                    return None
                wait = seconds_of(answer.headers.get("Retry-After", ""), 0.0)
                if answer.content_type != "application/json":
                    raise page_of(answer.status, wait)
                body = await answer.json()
        except (aiohttp.ClientError, OSError, TimeoutError, ValueError) as error:
            raise translated(error, needs) from error
        if answer.status < 400:
            return body
        given = body if isinstance(body, Mapping) else {}
        wait = seconds_of(str(given.get("retry_after", "")), wait)
        code = given.get("code")  # what stands before Discord may have codes of its own
        code = code if isinstance(code, int) else 0
        raise failure(answer.status, code, needs=needs, retry_after=wait)

    async def close(self) -> None:
        """Let go of the connections."""
        if self._session:
            await self._session.close()
            self._session = None
        if self._http:
            await self._http.close()
            self._http = None

    async def _open(self) -> HTTPClient:
        async with self._opening:
            if self._http is None:
                http = HTTPClient(
                    asyncio.get_running_loop(),
                    proxy=proxy_for(Route.BASE),
                    max_ratelimit_timeout=LONGEST_WAIT,
                )
                try:
                    async with asyncio.timeout(self._timeout.total):
                        self._user = await http.static_login(self._token)
                except BaseException as error:
                    await http.close()
                    if isinstance(error, discord.DiscordException | aiohttp.ClientError | OSError):
                        raise translated(error) from error
                    raise
                self._http = http
            return self._http
