"""Sockets that fall: Slack's Socket Mode and Discord's gateway, while a morning is told.

A fall comes after so many requests to its server, so that a seed always brings the same. What
people do while no socket is up reaches the bot as on the real platforms: Slack sends again what
nobody acknowledged, Discord replays it to a session that is resumed, and shows it to who asks.
"""

import asyncio
import json
import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from aiohttp import WSMsgType, web
from aiohttp.typedefs import Handler, Middleware

from tests.adapters.discord.conftest import ADA, GUILD, FakeDiscord
from tests.adapters.discord.objects import TRIAGE, guild, member, ready, user
from tests.adapters.slack.conftest import BOT, TEAM, FakeSlack
from tests.e2e.morning import Watch, WatchedDiscord, WatchedSlack

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
