"""A small Discord on loopback: it keeps what was asked of it, and fails as it is told to."""

import asyncio
import json
from collections import defaultdict, deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from adapters.discord.channels import ANNOUNCEMENT
from adapters.discord.permissions import MANAGE_CHANNELS, bits
from tests.adapters.discord.objects import (
    ADA,
    BOT,
    DAILY,
    GUILD,
    application,
    guild,
    member,
    ready,
    user,
)

ROLE = "300"
"""The bot's own role."""

EPOCH_MS = 1_420_070_400_000


@dataclass
class Fault:
    """What happens instead of an answer; with `after`, the call is done and its answer is lost.

    A `body` of text is a page; `hangs` is for how many seconds nothing comes.
    """

    status: int = 0
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    after: bool = False
    hangs: float = 0.0


class FakeDiscord:
    """Answers what the bot asks, and speaks to it through a gateway."""

    def __init__(self, now_ms: int) -> None:
        self.calls: list[tuple[str, str, Any]] = []
        self.with_token: set[str] = set()
        self.messages: dict[str, list[dict[str, Any]]] = {DAILY: []}
        self.threads: dict[str, dict[str, Any]] = {}
        self.parents: dict[str, str] = {}
        self.commands: list[dict[str, Any]] = []
        self.reacted: dict[tuple[str, str], list[dict[str, Any]]] = {}
        self.faults: dict[str, deque[Fault]] = defaultdict(deque)
        self.allowed: dict[str, int] = {GUILD: 0, ROLE: bits()}
        self.kinds: dict[str, int] = {}
        self.tags: list[dict[str, Any]] = []
        self.roles: list[dict[str, Any]] = []
        self.overwrites: list[dict[str, Any]] = []
        self.callbacks: dict[str, list[dict[str, Any]]] = defaultdict(list)
        self.shown: dict[str, list[Any]] = defaultdict(list)
        self.added: dict[str, list[dict[str, Any]]] = defaultdict(list)
        self.members: dict[str, Any] = {}
        self.sockets: list[web.WebSocketResponse] = []
        self.identified = 0
        self.close_code = 0
        self.sequence = 0
        self.ids = (now_ms - EPOCH_MS) << 22
        self.url = ""

    def application(self) -> web.Application:
        application = web.Application()
        application.router.add_get("/gateway", self.on_gateway)
        application.router.add_route("*", "/api/{path:.*}", self.on_call)
        return application

    def new_id(self) -> str:
        self.ids += 1
        return str(self.ids)

    def fail(self, call: str, *faults: Fault) -> None:
        """Fail the next calls `POST messages`: method, and the last word of the path."""
        self.faults[call].extend(faults)

    def asked(self, method: str, ending: str) -> list[Any]:
        return [body for m, path, body in self.calls if m == method and path.endswith(ending)]

    async def on_call(self, request: web.Request) -> web.StreamResponse:
        path = request.match_info["path"]
        body: Any = None
        if request.content_type.startswith("multipart/"):
            body = {name: _text(value) for name, value in (await request.post()).items()}
        elif request.can_read_body:
            body = await request.json()
        self.calls.append((request.method, path, body))
        if "Authorization" in request.headers:
            self.with_token.add(path)
        parts = path.split("/")
        waiting = self.faults[f"{request.method} {parts[-1]}"]
        fault = waiting.popleft() if waiting else None
        if fault is None or fault.after:
            status, answer = self._answer(request.method, parts, body or {}, request.query)
        if fault:
            await asyncio.sleep(fault.hangs)
            if not fault.status:
                assert request.transport
                request.transport.close()
                return web.Response()
            headers = {"Via": "1.1", **fault.headers}
            if isinstance(fault.body, str):
                return web.Response(
                    status=fault.status, text=fault.body, content_type="text/html", headers=headers
                )
            return _json(fault.status, fault.body or {}, headers)
        if status == 204:
            return web.Response(status=204)
        return _json(status, answer, {"Via": "1.1"})

    def _answer(  # noqa: C901 - one case for each route
        self, method: str, parts: list[str], body: Any, query: Mapping[str, str]
    ) -> tuple[int, Any]:
        match [method, *parts]:
            case ["GET", "users", "@me"]:
                return 200, {**user(BOT, "infra"), "bot": True}
            case ["GET", "applications" | "oauth2", *_] if parts[-1] == "@me":
                return 200, application()
            case ["PUT", "applications", _, "commands"]:
                # A number here, though Discord answers it as a text: its OpenAPI description.
                rights = [each.get("default_member_permissions") for each in body]
                if not all(may is None or isinstance(may, int) for may in rights):
                    return 400, {"code": 50035, "message": "Invalid Form Body"}
                self.commands = [
                    {"id": str(500 + number), **each} for number, each in enumerate(body)
                ]
                return 200, self.commands
            case ["POST", "users", "@me", "channels"]:
                self.messages.setdefault("700", [])
                return 200, {"id": "700", "type": 1}
            case ["GET", "guilds", _]:
                roles = [{"id": id, "permissions": str(may)} for id, may in self.allowed.items()]
                return 200, {"id": GUILD, "name": "guild", "roles": [*roles, *self.roles]}
            case ["GET", "guilds", _, "threads", "active"]:
                return 200, {"threads": [{"id": id, **each} for id, each in self.threads.items()]}
            case ["GET", "guilds", _, "members", id]:
                known = {**member(id, "ada", 0), "nick": "Ada", "roles": [ROLE]}
                return 200, self.members.get(id) or known
            case ["POST", "interactions", id, _, "callback"]:
                if self.callbacks[id]:
                    return 400, {"code": 40060, "message": "acknowledged"}
                self.callbacks[id].append(body)
                return 204, None
            case [_, "webhooks", _, token, "messages", "@original"]:
                self.shown[token].append(body if method == "PATCH" else None)
                return (200, {"id": "1"}) if method == "PATCH" else (204, None)
            case ["POST", "webhooks", _, token]:
                self.added[token].append(body)
                return 200, {"id": "1"}
            case [_, "channels", *rest]:
                return self._channel(method, rest, body, query)
        return 404, {"code": 0, "message": "no such route"}

    def _channel(  # noqa: C901 - one case for each route
        self, method: str, parts: list[str], body: Any, query: Mapping[str, str]
    ) -> tuple[int, Any]:
        place, *rest = parts
        if place not in self.messages:
            return 404, {"code": 10003, "message": "Unknown Channel"}
        thread = self.threads.get(place)
        said = self.messages[place]
        match [method, *rest]:
            case ["GET"]:
                if thread:
                    return 200, {
                        "id": place,
                        "type": 11,
                        "parent_id": self.parents.get(place, DAILY),
                        "thread_metadata": thread,
                    }
                return 200, self._as_channel(place)
            case ["PATCH"] if thread is None:
                new = [{"id": self.new_id(), **tag} for tag in body["available_tags"]]
                self.tags = [{"moderated": False, **tag} for tag in new]
                return 200, self._as_channel(place)
            case ["PATCH"]:
                assert thread is not None
                thread.update(body)
                return 200, {"id": place}
            case ["POST", "threads"]:
                id = self.new_id()
                self.threads[id] = {**body, "archived": False, "parent_id": place, "owner_id": BOT}
                self.parents[id] = place
                first = {**body["message"], "id": id, "author": user(BOT, "infra"), "nonce": ""}
                self.messages[id] = [first]
                return 201, {"id": id, "type": 11, "message": first}
            case ["GET", "threads", "archived", "public"]:
                return 200, {"threads": []}
            case ["POST", "typing"]:
                return 204, None
            case ["POST", "messages", id, "crosspost"]:
                if self.kinds.get(place) != ANNOUNCEMENT:
                    return 400, {"code": 50024, "message": "Cannot execute action"}
                (found,) = (each for each in said if each["id"] == id)
                if found.get("published"):
                    return 400, {"code": 40033, "message": "already"}
                found["published"] = True
                return 200, found
            case ["GET", "messages", id]:
                return 200, next(each for each in said if each["id"] == id)
            case ["POST", "messages"]:
                return self._post(said, body)
            case ["GET", "messages"]:
                before = int(query.get("before", 1 << 63))
                older = [each for each in reversed(said) if int(each["id"]) < before]
                return 200, older[: int(query["limit"])]
            case ["POST", "messages", id, "threads"]:
                if not any(each["id"] == id for each in said):
                    return 404, {"code": 10008, "message": "Unknown Message"}
                if id in self.threads:
                    return 400, {"code": 160004, "message": "has one"}
                self.threads[id] = {**body, "archived": False}
                self.parents[id] = place
                self.messages[id] = []
                return 201, {"id": id, "type": 11}
            case ["GET", "messages", id, "reactions", emoji]:
                after = int(query.get("after", 0))
                people = [
                    each for each in self.reacted.get((id, emoji), []) if int(each["id"]) > after
                ]
                return 200, people[: int(query["limit"])]
            case ["PATCH" | "DELETE", "messages", id]:
                if thread and thread["archived"]:
                    return 400, {"code": 50083, "message": "Thread is archived"}
                found = next((each for each in said if each["id"] == id), None)
                if found is None:
                    return 404, {"code": 10008, "message": "Unknown Message"}
                if method == "DELETE":
                    said.remove(found)
                    return 204, None
                found.update(body)
                return 200, found
        return 404, {"code": 0, "message": "no such route"}

    def _as_channel(self, place: str) -> dict[str, Any]:
        return {
            "id": place,
            "type": self.kinds.get(place, 0),
            "flags": 0,
            "available_tags": self.tags,
            "permission_overwrites": self.overwrites,
        }

    def _post(self, said: list[dict[str, Any]], body: Any) -> tuple[int, Any]:
        known = next((each for each in said if each["nonce"] == body["nonce"]), None)
        if known:
            return 200, known
        message = {**body, "id": self.new_id(), "author": user(BOT, "infra")}
        said.append(message)
        return 200, message

    def forget_nonces(self) -> None:
        """Let the few minutes pass in which a nonce counts."""
        for said in self.messages.values():
            for each in said:
                each["nonce"] = ""

    async def on_gateway(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_json({"op": 10, "d": {"heartbeat_interval": 45_000}})
        async for message in socket:
            said = json.loads(message.data)
            if said["op"] == 1:
                await socket.send_json({"op": 11})
            elif said["op"] == 2:
                if self.close_code:
                    await socket.close(code=self.close_code)
                    break
                self.identified += 1
                self.sockets.append(socket)
                await self.dispatch("READY", ready(self.url))
                await self.dispatch("GUILD_CREATE", guild())
        return socket

    async def dispatch(self, name: str, data: Any) -> None:
        """Tell an event to whoever listens last."""
        self.sequence += 1
        event = {"op": 0, "t": name, "s": self.sequence, "d": data}
        await self.sockets[-1].send_json(event)

    async def interact(self, type: int, data: Any, **more: Any) -> str:
        """Do something as a person; gives the interaction's id, `token-ID` is its token."""
        id = self.new_id()
        channel = {"id": DAILY, "type": 0, "name": "daily", "position": 0, "guild_id": GUILD}
        body = {
            "id": id,
            "application_id": "800",
            "type": type,
            "token": f"token-{id}",
            "version": 1,
            "guild_id": GUILD,
            "channel_id": DAILY,
            "channel": channel,
            "data": data,
            "locale": "en-US",
            "app_permissions": str(bits()),
            "member": member(ADA, "ada", MANAGE_CHANNELS.bit),
            "entitlements": [],
            "authorizing_integration_owners": {"0": GUILD},
            "context": 0,
            "attachment_size_limit": 1,
            **more,
        }
        await self.dispatch("INTERACTION_CREATE", body)
        return id

    async def react(self, message: str, face: str, **more: Any) -> None:
        """Add a reaction as a person."""
        body = {
            "user_id": ADA,
            "channel_id": DAILY,
            "message_id": message,
            "guild_id": GUILD,
            "emoji": {"id": None, "name": face},
            "member": member(ADA, "ada", 0),
            "burst": False,
            "type": 0,
            **more,
        }
        present = {key: value for key, value in body.items() if value is not None}
        await self.dispatch("MESSAGE_REACTION_ADD", present)


def _json(status: int, body: Any, headers: Mapping[str, str]) -> web.Response:
    """Give JSON as Discord does, without a charset."""
    own = {key: value for key, value in headers.items() if value}
    raw = json.dumps(body).encode()
    return web.Response(
        body=raw, status=status, headers={"Content-Type": "application/json", **own}
    )


def _text(value: Any) -> str:
    return value if isinstance(value, str) else value.file.read().decode()
