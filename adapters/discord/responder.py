"""Answers to interactions: acknowledged at once, then filled in by edits, which may come twice.

https://discord.com/developers/docs/interactions/receiving-and-responding: the first response within
three seconds, everything else within fifteen minutes, by the interaction's own token. These calls
are outside the bot's limits. An edit that is repeated says the same; a follow-up that is repeated
stands there twice, so it is only asked for again after a limit, which says that it is not there,
and only where no edit can say it.
"""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import aiohttp
import structlog

from adapters.discord.errors import Acknowledged
from adapters.discord.rest import Rest
from adapters.operations.retry import refusal

DEFERRED = 5
DEFERRED_EDIT = 6
CHOICES = 8
EPHEMERAL = 1 << 6
"""https://discord.com/developers/docs/resources/message#message-object-message-flags"""

FIRST_WITHIN = 2.5
"""Seconds for the first response with all its tries; Discord waits three."""
PAUSES = (0.1, 0.5, 2.0, 5.0)
"""Seconds between tries."""
ANSWERED_WITHIN = 15 * 60.0
"""Seconds for which Discord takes an answer; it says meanwhile that the bot is thinking."""
LIMITS_END_WITHIN = 14 * 60.0
"""Seconds after which no limit that would last longer is waited for: the try after it needs time,
and an answer that is found later still has its own."""

CALLBACK = "/interactions/{webhook_id}/{webhook_token}/callback"
FOLLOW_UP = "/webhooks/{webhook_id}/{webhook_token}"
ORIGINAL = f"{FOLLOW_UP}/messages/@original"

Json = Mapping[str, Any]

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Interaction:
    """What names an interaction; `heard_at` is when it was heard, by the clock of the loop."""

    application: str
    id: str
    token: str
    heard_at: float = field(default_factory=time.monotonic, compare=False)


class Responder:
    """Talks to the one person behind an interaction. What comes back says whether it was taken."""

    def __init__(
        self, rest: Rest, *, sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
    ) -> None:
        """`sleep` waits for seconds."""
        self._rest = rest
        self._sleep = sleep

    async def defer(self, to: Interaction) -> bool:
        """Promise an answer for the person alone; False where Discord takes none any more."""
        return await self._first(to, {"type": DEFERRED, "data": {"flags": EPHEMERAL}})

    async def defer_edit(self, to: Interaction) -> bool:
        """Say that a press was heard: the message may be edited, or stays."""
        return await self._first(to, {"type": DEFERRED_EDIT})

    async def offer(self, to: Interaction, choices: Sequence[str | tuple[str, str]]) -> bool:
        """Offer choices to somebody who types: values, or names with values."""
        pairs = [each if isinstance(each, tuple) else (each, each) for each in choices]
        shown = [{"name": name, "value": value} for name, value in pairs]
        return await self._first(to, {"type": CHOICES, "data": {"choices": shown}})

    async def show(self, to: Interaction, body: Json) -> bool:
        """Fill in what was promised, or replace the message that a button is on."""
        return await self._original("PATCH", to, body)

    async def withdraw(self, to: Interaction) -> bool:
        """Take back a promise that there is nothing to say to."""
        return await self._original("DELETE", to)

    async def attach(self, to: Interaction, name: str, content: bytes) -> bool:
        """Send a file to the person alone.

        https://discord.com/developers/docs/reference#uploading-files
        """

        async def send() -> None:
            form = aiohttp.FormData()  # of one request
            form.add_field("payload_json", json.dumps({"flags": EPHEMERAL}))
            form.add_field("files[0]", content, filename=name, content_type="text/html")
            await self._follow_up(to, form=form)

        return await self._tried(to, send, repeats=False)

    async def add(self, to: Interaction, body: Json) -> bool:
        """Say something more to the person alone."""
        flags = int(body.get("flags") or 0) | EPHEMERAL
        send = partial(self._follow_up, to, json={**body, "flags": flags})
        return await self._tried(to, send, repeats=False)

    async def _follow_up(self, to: Interaction, **content: Any) -> None:
        await self._rest.respond(
            "POST", FOLLOW_UP, webhook_id=to.application, webhook_token=to.token, **content
        )

    async def _first(self, to: Interaction, body: Json) -> bool:
        """Return the first response; one that Discord has already is as good."""
        try:
            async with asyncio.timeout(FIRST_WITHIN):
                return await self._repeated(to, "POST", CALLBACK, to.id, body)
        except TimeoutError:
            log.warning("discord interaction not answered in time")
            return False

    async def _original(self, method: str, to: Interaction, body: Json | None = None) -> bool:
        return await self._repeated(to, method, ORIGINAL, to.application, body)

    async def _repeated(
        self, to: Interaction, method: str, path: str, id: str, body: Json | None
    ) -> bool:
        send = partial(
            self._rest.respond, method, path, json=body, webhook_id=id, webhook_token=to.token
        )
        return await self._tried(to, send, repeats=True)

    async def _tried(
        self, to: Interaction, send: Callable[[], Awaitable[None]], *, repeats: bool
    ) -> bool:
        since = time.monotonic() - to.heard_at
        longest = LIMITS_END_WITHIN - since
        try:
            async with asyncio.timeout(ANSWERED_WITHIN - since):
                refused = await refusal(send, PAUSES, longest, repeats=repeats, sleep=self._sleep)
        except TimeoutError:
            log.warning("discord answer not shown", reason="Discord takes it no more")
            return False
        if refused is None or isinstance(refused, Acknowledged):
            return True
        log.info("discord answer not shown", reason=str(refused))
        return False
