"""GitHub, the model and both platforms fail by a schedule, and their sockets fall."""

import asyncio
import json
import random
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

import psycopg
from aiohttp import WSMsgType, web
from aiohttp.typedefs import Handler, Middleware

from benchmarks.small_github import application
from benchmarks.small_model import SmallModel
from tests.adapters.discord.conftest import ADA, GUILD, FakeDiscord
from tests.adapters.discord.objects import TRIAGE, guild, member, ready, user
from tests.adapters.slack.conftest import BOT, TEAM, FakeSlack
from tests.e2e.morning import Watch, WatchedDiscord, WatchedSlack, World, plain, served

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


AMONG = 60
"""A fall comes after fewer requests than this."""

SENT_AGAIN_AFTER = 1.0
"""Seconds after which an event that was not acknowledged is sent again; Slack takes a minute."""

HEARTBEAT_MS = 1_000


class Fall(StrEnum):
    """What becomes of the sockets that are open."""

    CLOSED = "closed"
    BROKEN_OFF = "broken off"
    SILENT = "silent"
    RECONNECT = "asked to reconnect"
    INVALID = "session invalid"


OF_SLACK = tuple(fall for fall in Fall if fall is not Fall.INVALID)
"""Slack knows no sessions."""


@dataclass(frozen=True, slots=True)
class Drop:
    """After so many requests to a server, its sockets fall."""

    after: int
    fall: Fall

    def __str__(self) -> str:
        return f"{self.after}:{self.fall}"


def drops(chance: random.Random, falls: tuple[Fall, ...], most: int = 3) -> tuple[Drop, ...]:
    """Give up to so many falls by chance, at least one, in the order in which they come."""
    count = chance.randint(1, most)
    after = sorted(chance.sample(range(1, AMONG), count))
    return tuple(Drop(each, chance.choice(falls)) for each in after)


@dataclass
class Sockets:
    """The sockets of a server, and how they fall."""

    drops: tuple[Drop, ...] = ()
    fell: Counter[Fall] = field(default_factory=Counter)
    opened: dict[web.WebSocketResponse, web.Request] = field(default_factory=dict)
    silent: set[web.WebSocketResponse] = field(default_factory=set)
    _asked: int = 0
    _falling: set["asyncio.Task[None]"] = field(default_factory=set)

    @property
    def up(self) -> list[web.WebSocketResponse]:
        """Give those through which something is heard, the newest last."""
        return [each for each in self.opened if not each.closed and each not in self.silent]

    def middleware(self) -> Middleware:
        """Give what counts a server's requests, and lets its sockets fall at their time."""

        @web.middleware
        async def counted(request: web.Request, handler: Handler) -> web.StreamResponse:
            if not request.headers.get("Upgrade"):
                self._asked += 1
                for drop in self.drops:
                    if drop.after == self._asked:
                        self.let_fall(drop.fall)
            return await handler(request)

        return counted

    def let_fall(self, fall: Fall) -> None:
        """Let every socket fall that is up, without waiting for its end."""
        for socket in self.up:
            self.fell[fall] += 1
            task = asyncio.create_task(self._fall(socket, fall))
            self._falling.add(task)
            task.add_done_callback(self._falling.discard)

    async def _fall(self, socket: web.WebSocketResponse, fall: Fall) -> None:
        match fall:
            case Fall.SILENT:
                self.silent.add(socket)
            case Fall.BROKEN_OFF:
                transport = self.opened[socket].transport
                if transport is not None:
                    transport.abort()
            case Fall.CLOSED:
                await socket.close(code=1011)
            case _:
                await self.ask_to_leave(socket, fall)

    async def ask_to_leave(self, socket: web.WebSocketResponse, fall: Fall) -> None:
        """Tell a client in the platform's own words to come anew."""
        raise NotImplementedError


class SlackSockets(Sockets):
    """https://docs.slack.dev/apis/events-api/using-socket-mode#disconnect"""

    async def ask_to_leave(self, socket: web.WebSocketResponse, fall: Fall) -> None:
        await socket.send_json({"type": "disconnect", "reason": "refresh_requested"})


class DiscordSockets(Sockets):
    """https://docs.discord.com/developers/events/gateway#resuming"""

    session = ""

    async def ask_to_leave(self, socket: web.WebSocketResponse, fall: Fall) -> None:
        if fall is Fall.INVALID:
            self.session = ""
            await socket.send_json({"op": 9, "d": False})
        else:
            await socket.send_json({"op": 7, "d": None})


class FallingSlack(WatchedSlack):
    """Slack, whose sockets fall; answers may be lost on their way."""

    def __init__(self, watch: Watch, sockets: SlackSockets) -> None:
        super().__init__(watch)
        self.held = sockets

    async def on_call(self, request: web.Request) -> web.StreamResponse:
        return await FakeSlack.on_call(self, request)

    async def on_socket(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(autoping=False)
        await socket.prepare(request)
        self.held.opened[socket] = request
        await socket.send_json({"type": "hello", "num_connections": len(self.held.up)})
        async for message in socket:
            if socket in self.held.silent:
                continue
            if message.type is WSMsgType.PING:
                await socket.pong(message.data)
            elif message.type is WSMsgType.TEXT:
                self.acks.append(json.loads(message.data))
        return socket

    async def flag(self, channel: str, message: str) -> None:
        """Put a flag on a message; it is told until somebody acknowledges it."""
        self.members[channel] = ["U1"]
        event = {
            "type": "reaction_added",
            "user": "U1",
            "reaction": "triangular_flag_on_post",
            "item": {"type": "message", "channel": channel, "ts": message},
            "item_user": BOT,
            "event_ts": f"{self.second + 60}.000100",
        }
        body = {"type": "event_callback", "team_id": TEAM, "event_id": "Ev1", "event": event}
        tries = 0
        while not any(ack["envelope_id"].startswith("flag") for ack in self.acks):
            tries += 1
            envelope = {"type": "events_api", "envelope_id": f"flag {tries}", "payload": body}
            for socket in self.held.up[-1:]:
                await socket.send_json(envelope)
            await asyncio.sleep(SENT_AGAIN_AFTER)


class FallingDiscord(WatchedDiscord):
    """Discord, whose gateway falls; answers may be lost on their way."""

    def __init__(self, watch: Watch, sockets: DiscordSockets) -> None:
        super().__init__(watch)
        self.held = sockets
        self.members[ADA] = {**member(ADA, "ada", 0), "roles": [TRIAGE]}
        self.events: list[dict[str, Any]] = []

    async def on_call(self, request: web.Request) -> web.StreamResponse:
        return await FakeDiscord.on_call(self, request)

    async def on_gateway(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_json({"op": 10, "d": {"heartbeat_interval": HEARTBEAT_MS}})
        async for message in socket:
            if socket in self.held.silent:
                continue
            said = json.loads(message.data)
            if said["op"] == 1:
                await socket.send_json({"op": 11})
            elif said["op"] == 2:
                await self._begin(socket, request)
            elif said["op"] == 6 and said["d"]["session_id"] != self.held.session:
                await socket.send_json({"op": 9, "d": False})
            elif said["op"] == 6:
                self.held.opened[socket] = request
                for event in [each for each in self.events if each["s"] > said["d"]["seq"]]:
                    await socket.send_json(event)
                await self.dispatch("RESUMED", {})
        return socket

    async def dispatch(self, name: str, data: Any) -> None:
        self.sequence += 1
        self.events.append({"op": 0, "t": name, "s": self.sequence, "d": data})
        for socket in self.held.up[-1:]:
            await socket.send_json(self.events[-1])

    async def flag(self, channel: str, message: str) -> None:
        """Put a flag on a message; it is told once. One of a thread is named `thread/message`."""
        thread, _, message = message.rpartition("/")
        channel = thread or channel
        self.reacted[message, "🚩"] = [user(ADA, "ada")]
        shown = next(each for each in self.messages[channel] if each["id"] == message)
        shown["reactions"] = [{"emoji": {"id": None, "name": "🚩"}, "count": 1}]
        more = {"channel_id": channel, "guild_id": GUILD, "member": self.members[ADA]}
        await self.react(message, "🚩", **more)

    async def _begin(self, socket: web.WebSocketResponse, request: web.Request) -> None:
        self.identified += 1
        self.held.session = f"session {self.identified}"
        self.held.opened[socket] = request
        self.events.clear()
        hello: Mapping[str, Any] = ready(self.url)
        await self.dispatch("READY", {**hello, "session_id": self.held.session})
        own = [place for place in self.messages if place not in self.threads]
        channels = [{"id": place, "type": 0, "name": place, "position": 0} for place in own]
        await self.dispatch("GUILD_CREATE", {**guild(), "channels": channels})


FLAGGED = """
SELECT channel, ref FROM post WHERE platform = %s AND thread > 0 AND state = 'sent'
  AND (item_key <> '' OR position = 0) ORDER BY item_key DESC LIMIT 1
"""
"""A message that is about one item, or the first of a thread."""

HEARD = "SELECT platform FROM follow_up UNION SELECT platform FROM question"
"""Which platforms' flags are kept; one on several items leaves the question which of them."""

SPEED = 60
"""Seconds of the process's clock in one: its pauses of minutes are seconds then."""

MODEL_SECONDS = 15
"""How long a digest waits for its model."""


class TroubledWorld(World):
    """Servers with troubles, by the name of the server, and a process whose clock runs fast.

    `drops` are when the sockets of Discord and of Slack fall.
    """

    slack: FallingSlack
    discord: FallingDiscord

    def __init__(
        self,
        folder: Path,
        database_url: str,
        troubles: Mapping[str, Troubled],
        drops: Sequence[tuple[Drop, ...]] = ((), ()),
    ) -> None:
        super().__init__(folder, database_url)
        of_discord, of_slack = drops
        self.slack = FallingSlack(self._step, SlackSockets(of_slack))
        self.discord = FallingDiscord(self._step, DiscordSockets(of_discord))
        self.troubles = troubles
        self.model_url = ""

    async def serve(self, stack: AsyncExitStack) -> None:
        """Start the servers, each behind its troubles."""
        slack, discord = self.slack.application(), self.discord.application()
        slack.middlewares.append(self.slack.held.middleware())
        discord.middlewares.append(self.discord.held.middleware())
        self.slack.url = await self._served("slack", slack, stack)
        self.discord.url = await self._served("discord", discord, stack)
        self.github.url = await self._served("github", application(self.github), stack)
        self.model_url = await self._served("model", _model(), stack)

    async def until_heard(self, falls: Sequence[Fall], longest: float) -> None:
        """Let Discord's and Slack's sockets fall, set a flag on each, and wait until both are kept.

        `TimeoutError` after `longest` seconds: somebody was not heard.
        """
        flagged: set[str] = set()
        for server, fall in zip((self.discord, self.slack), falls, strict=False):
            server.held.let_fall(fall)
        async with (
            asyncio.timeout(longest),
            await psycopg.AsyncConnection.connect(
                plain(self._database_url), autocommit=True
            ) as connection,
        ):
            for name, server in (("discord", self.discord), ("slack", self.slack)):
                found = await connection.execute(FLAGGED, (name,))
                if row := await found.fetchone():  # nothing where GitHub failed altogether
                    flagged.add(name)
                    await server.flag(*row)
            heard: set[str] = set()
            while heard != flagged:
                found = await connection.execute(HEARD)
                heard = {name for (name,) in await found.fetchall()}
                await asyncio.sleep(0.1)

    def environment(self) -> dict[str, str]:
        """Give what the process is set up with."""
        return {
            **super().environment(),
            "INFRA_NOW": f"{self.now.isoformat()}*{SPEED}",
            "INFRA_MODEL": "small",
            "INFRA_MODEL_SECONDS": str(MODEL_SECONDS),
            "OPENAI_BASE_URL": f"{self.model_url}/v1",
        }

    async def _served(self, name: str, server: web.Application, stack: AsyncExitStack) -> str:
        if name in self.troubles:
            server.middlewares.append(self.troubles[name].middleware())
        return await served(server, stack)


def _model() -> web.Application:
    server = web.Application(client_max_size=2**24)
    server.router.add_post("/v1/chat/completions", SmallModel().answer)
    return server
