"""When the bot is silent so that Discord does not ban its address.

https://docs.discord.com/developers/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans
"""

import time
from collections import deque
from collections.abc import Callable, Mapping
from types import SimpleNamespace

import aiohttp

from adapters.operations.retry import seconds_of
from bot.model.ports import Limited
from digest.phrase import Phrase
from digest.wording.phrases import SAY

WINDOW = 600.0
MOST = 5_000
"""Invalid answers in that many seconds after which the bot is silent; Discord bans at 10,000."""

CLOUDFLARE_PAUSE = 60.0
"""Seconds of silence after a 429 of Cloudflare that does not say how long it shuts out."""


GATEWAY = ("ws", "wss")


class InvalidRequests:
    """Counts answers of 401, 403 and 429, and refuses what is asked while the bot is silent."""

    def __init__(self, most: int = MOST, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._monotonic = monotonic
        self._seen: deque[float] = deque()
        self._silent_until = 0.0
        self._why: Phrase = SAY.discord.shut_out

    def note(self, status: int, headers: Mapping[str, str]) -> None:
        """Handle an answer."""
        now = self._monotonic()
        shared = headers.get("X-RateLimit-Scope") == "shared"
        if status in (401, 403) or (status == 429 and not shared):
            self._seen.append(now)
        while self._seen and self._seen[0] <= now - WINDOW:
            self._seen.popleft()
        if len(self._seen) >= self._most:
            self._silence(self._seen[0] + WINDOW, SAY.discord.many_refused)
        if status == 429 and not headers.get("Via"):  # Cloudflare's own, not the API's
            pause = seconds_of(headers.get("Retry-After", ""), CLOUDFLARE_PAUSE)
            self._silence(now + pause, SAY.discord.shut_out)

    def refuse(self) -> None:
        """Raise `Limited` while the bot is silent."""
        left = self._silent_until - self._monotonic()
        if left > 0:
            raise Limited(self._why, left)

    def tracing(self) -> aiohttp.TraceConfig:
        """Return what has every request of a session refused or counted, repeated ones too.

        The gateway is no part of the API that bans: a session is resumed there meanwhile.
        """

        async def started(
            _: aiohttp.ClientSession, __: SimpleNamespace, start: aiohttp.TraceRequestStartParams
        ) -> None:
            if start.url.scheme not in GATEWAY:
                self.refuse()

        async def ended(
            _: aiohttp.ClientSession, __: SimpleNamespace, end: aiohttp.TraceRequestEndParams
        ) -> None:
            if end.url.scheme not in GATEWAY:
                self.note(end.response.status, end.response.headers)

        trace = aiohttp.TraceConfig()
        trace.on_request_start.append(started)
        trace.on_request_end.append(ended)
        return trace

    def _silence(self, until: float, why: Phrase) -> None:
        if until > self._silent_until:
            self._silent_until, self._why = until, why
