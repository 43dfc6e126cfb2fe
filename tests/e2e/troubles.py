"""What goes wrong with servers, as a schedule: a middleware of aiohttp that keeps to it.

A schedule counts requests, not seconds, so that a seed always brings the same; it lets up when it
is through. What stays broken is named beside it.
"""

import asyncio
import json
import random
from collections import Counter, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

LONGEST_RUN = 4
"""Requests in a row that meet the same trouble."""

FIRST_AMONG = 12
"""A trouble begins after fewer requests than this."""

PAGE = "<html><title>Sorry</title>The edge in front of this server says no.</html>"


class Trouble(StrEnum):
    """What becomes of a request; `LATER` ones are done, and their answer is lost."""

    FORBIDDEN = "403"
    LIMITED = "429"
    BROKEN = "500"
    UNAVAILABLE = "503"
    HANG = "hang"
    CUT = "cut"
    RESET = "reset"
    BROKEN_LATER = "500 after it was done"
    HANG_LATER = "hang after it was done"
    RESET_LATER = "reset after it was done"


DONE = frozenset(
    {Trouble.CUT, Trouble.BROKEN_LATER, Trouble.HANG_LATER, Trouble.RESET_LATER},
)
STATUSES = {
    Trouble.FORBIDDEN: 403,
    Trouble.LIMITED: 429,
    Trouble.BROKEN: 500,
    Trouble.BROKEN_LATER: 500,
    Trouble.UNAVAILABLE: 503,
}


@dataclass(frozen=True, slots=True)
class Spell:
    """After so many requests that went well, the next `length` ones meet a trouble."""

    after: int
    trouble: Trouble
    length: int

    def __str__(self) -> str:
        return f"{self.after}+{self.length}x{self.trouble}"


def spells(chance: random.Random, most: int) -> tuple[Spell, ...]:
    """Give up to so many spells by chance; at least one."""
    return tuple(
        Spell(
            chance.randrange(FIRST_AMONG),
            chance.choice(tuple(Trouble)),
            chance.randint(1, LONGEST_RUN),
        )
        for _ in range(chance.randint(1, most))
    )


class Troubled:
    """A server's troubles: a schedule, and what stays broken in the same way for ever.

    `held` is for how many seconds a hanging request is held before its connection breaks;
    `limited` is what a refusal for a while says.
    """

    def __init__(
        self, schedule: tuple[Spell, ...], *, held: float, limited: Mapping[str, object]
    ) -> None:
        self.met: Counter[Trouble] = Counter()
        self._waiting = deque(
            each
            for spell in schedule
            for each in (*[None] * spell.after, *[spell.trouble] * spell.length)
        )
        self._held = held
        self._limited = limited
        self._stays: Trouble | None = None
        self._is_broken: Callable[[str], bool] = lambda asked: False

    def break_for_good(self, trouble: Trouble, is_broken: Callable[[str], bool]) -> None:
        """Have requests never go well, by their path and body."""
        self._stays, self._is_broken = trouble, is_broken

    def middleware(self) -> Middleware:
        """Give what is put before a server's routes."""

        @web.middleware
        async def troubled(request: web.Request, handler: Handler) -> web.StreamResponse:
            if request.headers.get("Upgrade"):
                return await handler(request)
            trouble = await self._next(request)
            if trouble is None:
                return await handler(request)
            self.met[trouble] += 1
            return await self._behave(trouble, request, handler)

        return troubled

    async def _next(self, request: web.Request) -> Trouble | None:
        if self._stays:
            asked = f"{request.path} {(await request.read()).decode('utf-8', 'replace')}"
            if self._is_broken(asked):
                return self._stays
        return self._waiting.popleft() if self._waiting else None

    async def _behave(
        self, trouble: Trouble, request: web.Request, handler: Handler
    ) -> web.StreamResponse:
        answer = await handler(request) if trouble in DONE else None
        match trouble:
            case Trouble.LIMITED:
                body = json.dumps(self._limited).encode()
                headers = {"Retry-After": "1", "Via": "1.1 google"}
                headers["Content-Type"] = (
                    "application/json"  # to Discord's library a charset is wrong
                )
                return web.Response(status=429, body=body, headers=headers)
            case Trouble.HANG | Trouble.HANG_LATER:
                await asyncio.sleep(self._held)
                return _broken_off(request)
            case Trouble.RESET | Trouble.RESET_LATER:
                return _broken_off(request)
            case Trouble.CUT:
                assert isinstance(answer, web.Response)
                return await _cut(request, answer)
        return web.Response(status=STATUSES[trouble], text=PAGE, content_type="text/html")


def _broken_off(request: web.Request) -> web.Response:
    if request.transport is not None:
        request.transport.abort()
    return web.Response()


async def _cut(request: web.Request, whole: web.Response) -> web.StreamResponse:
    """Send half of an answer that said how long it is."""
    body = whole.body
    assert isinstance(body, bytes)
    cut = web.StreamResponse(status=whole.status, headers={"Content-Length": str(len(body) or 1)})
    cut.content_type = whole.content_type
    await cut.prepare(request)
    await cut.write(body[: len(body) // 2])
    return _broken_off(request)
