"""Discord's REST API: one place where it is asked, within its limits, in the bot's errors.

Buckets and repeated tries are the library's. It asks again after 500, 502 and 504, which is safe
for what is asked through it: messages carry an enforced nonce, the rest can be said twice. What
cannot is asked `once`.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
from discord.http import HTTPClient, Route
from yarl import URL

from adapters.discord.errors import failure, page_of, translated
from adapters.discord.permissions import Permission
from adapters.operations.retry import seconds_of
from adapters.web.client import proxy_for
from bot.model.ports import Limited, OutcomeUnknown
from digest.wording.phrases import SAY

DISCORD_API = "https://discord.com/api/v10"

TIMEOUT = aiohttp.ClientTimeout(total=20)
"""Seconds for one call, after which its outcome is looked for; the library would wait for 300."""

LONGEST_WAIT = 60.0
"""Seconds that a limit is waited for inside one call; longer ones are `Limited`."""

INVALID_WINDOW = 600.0
MOST_INVALID = 5_000
"""Invalid answers in that many seconds after which we are silent; Discord bans at 10,000:
https://discord.com/developers/docs/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans"""

CLOUDFLARE_PAUSE = 60.0
"""Seconds of silence after a 429 that is not the API's own but Cloudflare's."""


def point_at(api_url: str = "", gateway_url: str = "") -> None:
    """Have the library talk to another Discord; for this whole process, as it knows only one."""
    if api_url:
        Route.BASE = api_url.rstrip("/")
    if gateway_url:
        discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = URL(gateway_url)


class InvalidRequests:
    """Counts answers of 401, 403 and 429 of this process, and says when to be silent."""

    def __init__(
        self, most: int = MOST_INVALID, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._most = most
        self._monotonic = monotonic
        self._seen: deque[float] = deque()
        self._silent_until = 0.0

    def note(self, status: int, headers: Mapping[str, str]) -> None:
        """Handle an answer."""
        shared = headers.get("X-RateLimit-Scope") == "shared"
        if status in (401, 403) or (status == 429 and not shared):
            self._seen.append(self._monotonic())
        if status == 429 and not headers.get("Via"):
            pause = seconds_of(headers.get("Retry-After", ""), CLOUDFLARE_PAUSE)
            self._silent_until = self._monotonic() + pause

    def refuse(self) -> None:
        """Raise `Limited` where one more request could get this address banned."""
        now = self._monotonic()
        while self._seen and self._seen[0] <= now - INVALID_WINDOW:
            self._seen.popleft()
        if len(self._seen) >= self._most:
            raise Limited(SAY.discord.many_refused, self._seen[0] + INVALID_WINDOW - now)
        if self._silent_until > now:
            raise Limited(SAY.discord.shut_out, self._silent_until - now)

    def tracing(self) -> aiohttp.TraceConfig:
        """Return what tells this counter of every answer."""

        async def ended(
            _: aiohttp.ClientSession, __: SimpleNamespace, end: aiohttp.TraceRequestEndParams
        ) -> None:
            self.note(end.response.status, end.response.headers)

        trace = aiohttp.TraceConfig()
        trace.on_request_end.append(ended)
        return trace


class _Patient(HTTPClient):
    """The library's client, with a limit of time for each call, that of logging in too."""

    def __init__(self, timeout: aiohttp.ClientTimeout, trace: aiohttp.TraceConfig) -> None:
        super().__init__(
            asyncio.get_running_loop(),
            proxy=proxy_for(Route.BASE),
            http_trace=trace,
            max_ratelimit_timeout=LONGEST_WAIT,
        )
        self._timeout = timeout

    async def request(self, route: Route, **more: Any) -> Any:
        return await super().request(route, timeout=self._timeout, **more)


class Rest:
    """Asks Discord with the bot's token."""

    def __init__(
        self,
        token: str,
        invalid: InvalidRequests | None = None,
        timeout: aiohttp.ClientTimeout = TIMEOUT,
    ) -> None:
        self._token = token
        self._timeout = timeout
        self.invalid = invalid or InvalidRequests()
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
        self.invalid.refuse()
        more: dict[str, Any] = {"json": json} if json is not None else {}
        if params:
            more["params"] = params
        try:
            return await http.request(Route(method, path, **ids), **more)
        except (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError) as error:
            raise translated(error, needs) from error

    async def once(
        self, path: str, needs: Permission, json: Mapping[str, Any], **ids: str
    ) -> Mapping[str, Any]:
        """Make what has no nonce, and is there twice if it is asked for twice.

        Raises `PublishError`: `OutcomeUnknown` where it may be there.
        """
        http = await self._open()
        self.invalid.refuse()
        if self._session is None:
            self._session = aiohttp.ClientSession(
                trust_env=True,  # a proxy is named there
                timeout=self._timeout,
                headers={"Authorization": f"Bot {self._token}", "User-Agent": http.user_agent},
                trace_configs=[self.invalid.tracing()],
            )
        try:
            async with self._session.post(Route("POST", path, **ids).url, json=json) as answer:
                if answer.content_type != "application/json":
                    raise page_of(answer.status)
                body = await answer.json()
        except (aiohttp.ClientError, OSError, TimeoutError, ValueError) as error:
            raise translated(error, needs) from error
        if not isinstance(body, Mapping):
            raise OutcomeUnknown(SAY.discord.unclear)
        if answer.status >= 400:
            wait = float(body.get("retry_after") or 0)
            code = int(body.get("code") or 0)
            raise failure(answer.status, code, needs=needs, retry_after=wait)
        return body

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
                self.invalid.refuse()
                http = _Patient(self._timeout, self.invalid.tracing())
                try:
                    self._user = await http.static_login(self._token)
                except BaseException as error:
                    await http.close()
                    if isinstance(error, discord.DiscordException | aiohttp.ClientError | OSError):
                        raise translated(error) from error
                    raise
                self._http = http
            return self._http
