"""Answers to interactions: acknowledged at once, then filled in by edits, which may come twice.

https://discord.com/developers/docs/interactions/receiving-and-responding: the first response within
three seconds, everything else within fifteen minutes, by the interaction's own token. These calls
are outside the bot's limits. An edit that is repeated says the same; a follow-up that is repeated
stands there twice, so it is asked for once, and only where no edit can say it.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import aiohttp
import structlog

from adapters.discord.errors import ACKNOWLEDGED
from adapters.discord.rest import InvalidRequests
from bot.model.ports import Limited

DEFERRED = 5
DEFERRED_EDIT = 6
CHOICES = 8
EPHEMERAL = 1 << 6
"""https://discord.com/developers/docs/resources/message#message-object-message-flags"""

FIRST_WITHIN = 2.5
"""Seconds for the first response with all its tries; Discord waits three."""
TIMEOUT = aiohttp.ClientTimeout(total=15)
PAUSES = (0.1, 0.5, 2.0, 5.0)
"""Seconds between tries."""
LONGEST_WAIT = 30.0

Json = Mapping[str, Any]

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Interaction:
    """What names an interaction."""

    application: str
    id: str
    token: str


class Responder:
    """Talks to the one person behind an interaction."""

    def __init__(self, api_url: str, invalid: InvalidRequests) -> None:
        self._api = api_url
        self._invalid = invalid
        self._session: aiohttp.ClientSession | None = None

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
        path = f"/webhooks/{to.application}/{to.token}/messages/@original"
        return await self._repeated("PATCH", path, body)

    async def attach(self, to: Interaction, name: str, content: bytes) -> bool:
        """Send a file to the person alone; asked for once.

        https://discord.com/developers/docs/reference#uploading-files
        """
        form = aiohttp.FormData()
        form.add_field("payload_json", json.dumps({"flags": EPHEMERAL}))
        form.add_field("files[0]", content, filename=name, content_type="text/html")
        status, _ = await self._ask("POST", f"/webhooks/{to.application}/{to.token}", form=form)
        return 200 <= status < 300

    async def withdraw(self, to: Interaction) -> bool:
        """Take back a promise that there is nothing to say to."""
        path = f"/webhooks/{to.application}/{to.token}/messages/@original"
        return await self._repeated("DELETE", path, None)

    async def add(self, to: Interaction, body: Json) -> bool:
        """Say something more to the person alone; asked for once."""
        flags = int(body.get("flags") or 0) | EPHEMERAL
        status, _ = await self._ask(
            "POST", f"/webhooks/{to.application}/{to.token}", {**body, "flags": flags}
        )
        if not 200 <= status < 300:
            log.info("discord answer not shown", status=status)
        return 200 <= status < 300

    async def close(self) -> None:
        """Let go of the connections."""
        if self._session:
            await self._session.close()
            self._session = None

    async def _first(self, to: Interaction, body: Json) -> bool:
        """Return the first response; one that Discord has already is as good."""
        path = f"/interactions/{to.id}/{to.token}/callback"
        try:
            async with asyncio.timeout(FIRST_WITHIN):
                return await self._repeated("POST", path, body)
        except TimeoutError:
            log.warning("discord interaction not answered in time")
            return False

    async def _repeated(self, method: str, path: str, body: Json | None) -> bool:
        status, code = 0, 0
        for pause in (*PAUSES, None):
            status, answer = await self._ask(method, path, body)
            code = int(answer.get("code") or 0)
            if 200 <= status < 300 or code == ACKNOWLEDGED:
                return True
            if (status and status < 500 and status != 429) or pause is None:
                break
            wait = max(pause, float(answer.get("retry_after") or 0))
            if wait > LONGEST_WAIT:
                break
            await asyncio.sleep(wait)
        log.info("discord answer not shown", status=status, code=code)
        return False

    async def _ask(
        self,
        method: str,
        path: str,
        body: Json | None = None,
        *,
        form: aiohttp.FormData | None = None,
    ) -> tuple[int, Json]:
        """Ask once; status 0 where no answer came."""
        if self._session is None:
            self._session = aiohttp.ClientSession(
                trust_env=True,  # a proxy is named there
                timeout=TIMEOUT,
                connector=aiohttp.TCPConnector(limit=0),
                trace_configs=[self._invalid.tracing()],
            )
        try:
            self._invalid.refuse()
            async with self._session.request(
                method, self._api + path, json=body, data=form
            ) as response:
                if response.content_type != "application/json":
                    return response.status, {}
                answer = await response.json()
                return response.status, answer if isinstance(answer, Mapping) else {}
        except Limited as error:
            return 429, {"retry_after": error.retry_after}
        except (aiohttp.ClientError, TimeoutError, ValueError):
            return 0, {}
