"""Discord's REST API: one place where it is asked, within its limits, in the bot's errors.

Buckets and repeated tries are the library's. It asks again after 500, 502 and 504, which is safe
for what is asked through it: messages carry an enforced nonce, the rest can be said twice. What
cannot is asked `once`. Interactions are answered beside it: Discord's limits of the bot do not bind
them, and the library would let them wait for these.
"""

import asyncio
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

import aiohttp
import discord
from discord.http import HTTPClient, Route
from yarl import URL

from adapters.discord.errors import failure, page_of, translated
from adapters.discord.invalid_requests import InvalidRequests
from adapters.discord.permissions import Permission
from adapters.operations.retry import seconds_of
from adapters.web.client import proxy_for
from bot.model.ports import OutcomeUnknown
from digest.wording.phrases import SAY

TIMEOUT = 20.0
"""Seconds for one call, after which its outcome is looked for; the library would wait for 300."""

USER_AGENT = f"DiscordBot (https://github.com/Rapptz/discord.py {discord.__version__})"
"""https://docs.discord.com/developers/reference#user-agent: without one Cloudflare may refuse."""

LONGEST_WAIT = 60.0
"""Seconds that a limit is waited for inside one call; longer ones are `Limited`."""


def point_at(api_url: str = "", gateway_url: str = "") -> None:
    """Have the library talk to another Discord; for this whole process, as it knows only one."""
    if api_url:
        Route.BASE = api_url.rstrip("/")
    if gateway_url:
        discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = URL(gateway_url)


class Rest:
    """Asks Discord with the bot's token; raises `Limited` while nothing may be asked at all."""

    def __init__(
        self, token: str, timeout: float = TIMEOUT, invalid: InvalidRequests | None = None
    ) -> None:
        self._token = token
        self.tracing = (invalid or InvalidRequests()).tracing()
        """Has the requests of a session counted, and refused while the bot is silent."""
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
        self,
        path: str,
        needs: Permission | None = None,
        *,
        json: Mapping[str, Any],
        **ids: str,
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
                trace_configs=[self.tracing],
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
        told = body if isinstance(body, Mapping) else {}
        wait = seconds_of(str(told.get("retry_after", "")), wait)
        code = told.get("code")  # what stands before Discord may have codes of its own
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
                    http_trace=self.tracing,
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
