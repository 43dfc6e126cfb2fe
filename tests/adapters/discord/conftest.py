"""A small Discord on loopback: it keeps what was asked of it, and fails as it is told to."""

import asyncio
import json
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

import pytest
from aiohttp import web

from adapters.discord.app import DiscordFace
from adapters.discord.client import DiscordPublisher
from adapters.discord.permissions import MANAGE_CHANNELS, bits
from adapters.discord.rest import Rest, point_at
from bot.channels import Channel, Person, Platform
from bot.chat import Chat
from bot.chat_reply import ChatReply
from bot.settings_form import SettingsForm
from digest.languages import Language

TOKEN = "fake-token"
BOT, ADA, BO = "900", "901", "902"
GUILD, DAILY, VOICE = "100", "200", "201"
CHANNEL = Channel(Platform.DISCORD, GUILD, DAILY)
EPOCH_MS = 1_420_070_400_000


@dataclass
class Fault:
    """What happens instead of an answer; with `after`, the call is done and its answer is lost."""

    status: int = 0
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    after: bool = False


class FakeDiscord:
    """Answers what the bot asks, and speaks to it through a gateway."""

    def __init__(self, now_ms: int) -> None:
        self.calls: list[tuple[str, str, Any]] = []
        self.messages: dict[str, list[dict[str, Any]]] = {DAILY: []}
        self.threads: dict[str, dict[str, Any]] = {}
        self.commands: list[dict[str, Any]] = []
        self.reacted: dict[tuple[str, str], list[dict[str, Any]]] = {}
        self.faults: dict[str, deque[Fault]] = defaultdict(deque)
        self.callbacks: dict[str, list[dict[str, Any]]] = defaultdict(list)
        self.shown: dict[str, list[Any]] = defaultdict(list)
        self.added: dict[str, list[dict[str, Any]]] = defaultdict(list)
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
        body = await request.json() if request.can_read_body else None
        self.calls.append((request.method, path, body))
        parts = path.split("/")
        waiting = self.faults[f"{request.method} {parts[-1]}"]
        fault = waiting.popleft() if waiting else None
        if fault is None or fault.after:
            status, answer = self._answer(request.method, parts, body or {}, request.query)
        if fault:
            if not fault.status:
                assert request.transport
                request.transport.close()
                return web.Response()
            headers = {"Via": "1.1", **fault.headers}
            return _json(fault.status, fault.body or {}, headers)
        if status == 204:
            return web.Response(status=204)
        return _json(status, answer, {"Via": "1.1"})

    def _answer(
        self, method: str, parts: list[str], body: Any, query: Mapping[str, str]
    ) -> tuple[int, Any]:
        match [method, *parts]:
            case ["GET", "users", "@me"]:
                return 200, {**_user(BOT, "infra"), "bot": True}
            case ["GET", "applications" | "oauth2", *_] if parts[-1] == "@me":
                return 200, _application()
            case ["GET", "applications", _, "commands"]:
                return 200, self.commands
            case ["PUT", "applications", _, "commands"]:
                self.commands = body
                return 200, body
            case ["POST", "users", "@me", "channels"]:
                self.messages.setdefault("700", [])
                return 200, {"id": "700", "type": 1}
            case ["GET", "guilds", _, "members", id]:
                return 200, {"user": _user(id, "ada"), "nick": "Ada"}
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
                kind = {"type": 11, "parent_id": DAILY} if thread else {"type": 0}
                return 200, {"id": place, **kind}
            case ["PATCH"]:
                assert thread is not None
                thread.update(body)
                return 200, {"id": place}
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
                self.messages[id] = []
                return 201, {"id": id, "type": 11}
            case ["GET", "messages", id, "reactions", emoji]:
                return 200, self.reacted.get((id, emoji), [])
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

    def _post(self, said: list[dict[str, Any]], body: Any) -> tuple[int, Any]:
        known = next((each for each in said if each["nonce"] == body["nonce"]), None)
        if known:
            return 200, known
        message = {**body, "id": self.new_id(), "author": _user(BOT, "infra")}
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
                await self.dispatch("READY", _ready(self.url))
                await self.dispatch("GUILD_CREATE", _guild())
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
            "member": _member(ADA, "ada", MANAGE_CHANNELS.bit),
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
            "member": _member(ADA, "ada", 0),
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


def _user(id: str, name: str) -> dict[str, Any]:
    return {
        "id": id,
        "username": name,
        "discriminator": "0",
        "global_name": name.title(),
        "avatar": None,
        "flags": 0,
        "public_flags": 0,
    }


def _member(id: str, name: str, permissions: int) -> dict[str, Any]:
    return {
        "user": _user(id, name),
        "roles": [],
        "joined_at": "2026-01-01T00:00:00+00:00",
        "deaf": False,
        "mute": False,
        "flags": 0,
        "permissions": str(permissions),
    }


def _application() -> dict[str, Any]:
    return {
        "id": "800",
        "name": "infra",
        "description": "",
        "icon": None,
        "flags": 0,
        "bot_public": True,
        "bot_require_code_grant": False,
        "verify_key": "k",
        "owner": _user("1", "owner"),
    }


def _ready(url: str) -> dict[str, Any]:
    return {
        "v": 10,
        "user": {**_user(BOT, "infra"), "bot": True},
        "guilds": [{"id": GUILD, "unavailable": True}],
        "session_id": "s",
        "resume_gateway_url": url.replace("http", "ws") + "/gateway",
        "application": {"id": "800", "flags": 0},
    }


def _guild() -> dict[str, Any]:
    role = {"id": GUILD, "name": "@everyone", "permissions": "0", "position": 0, "color": 0}
    more = {"hoist": False, "managed": False, "mentionable": False, "flags": 0, "colors": {}}
    return {
        "id": GUILD,
        "name": "guild",
        "owner_id": "1",
        "member_count": 3,
        "large": False,
        "roles": [{**role, **more}],
        "emojis": [],
        "stickers": [],
        "features": [],
        "channels": [
            {"id": DAILY, "type": 0, "name": "daily", "position": 0},
            {"id": VOICE, "type": 2, "name": "voice", "position": 1, "bitrate": 1, "user_limit": 0},
        ],
        "threads": [],
        "members": [],
        "voice_states": [],
        "presences": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
        "verification_level": 0,
        "default_message_notifications": 0,
        "nsfw_level": 0,
        "explicit_content_filter": 0,
        "mfa_level": 0,
        "premium_tier": 0,
        "afk_timeout": 0,
        "preferred_locale": "en-US",
        "system_channel_flags": 0,
        "unavailable": False,
    }


class KeptValues:
    """Values in memory."""

    def __init__(self) -> None:
        self.kept: dict[str, str] = {}

    async def remember(self, values: Mapping[str, str]) -> None:
        self.kept.update(values)

    async def recall(self, short: str) -> str | None:
        return self.kept.get(short)


class FakeChat:
    """The door: keeps what it was asked, and answers as it is told."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.reply: ChatReply | None = ChatReply.line("hello", Language.EN)
        self.error: Exception | None = None
        self.posts: list[tuple[Channel, str]] = []
        self.looked = 0

    async def _answer(self, name: str, **asked: Any) -> Any:
        self.asked.append((name, asked))
        if self.error:
            raise self.error
        return self.reply

    async def answer_text(self, text: str, channel: Channel, person: Person) -> Any:
        return await self._answer("answer_text", text=text, channel=channel, person=person)

    async def flag(self, channel: Channel, message: str, person: Person, at: Any) -> Any:
        return await self._answer("flag", channel=channel, message=message, person=person)

    async def deep_dive(self, channel: Channel, message: str, person: Person, at: Any) -> Any:
        return await self._answer("deep_dive", channel=channel, message=message, person=person)

    async def press(
        self, kind: Any, value: str, channel: Channel, message: str, person: Person, at: Any
    ) -> Any:
        return await self._answer("press", kind=kind, value=value, message=message, person=person)

    async def react(
        self, kind: Any, channel: Channel, message: str, person: Person, **more: Any
    ) -> None:
        asked = {"kind": kind, "channel": channel, "message": message, "person": person}
        await self._answer("react", **asked, added=more["added"])

    async def reconcile(self, channel: Channel, message: str, present: Any, at: Any) -> None:
        await self._answer("reconcile", channel=channel, message=message, present=present)

    async def posted(self, platform: Platform, limit: int) -> Any:
        self.looked += 1
        return tuple(self.posts)

    async def repo_names(self, typed: str, channel: Channel) -> tuple[str, ...]:
        return tuple(name for name in ("vllm", "sglang", "flashinfer") if typed in name)

    async def changes(self, typed: str, repo: str, channel: Channel, limit: int) -> Any:
        return ()

    async def settings(self, channel: Channel, person: Person) -> SettingsForm:
        return SettingsForm((), "09:00", "Asia/Shanghai", "daily", "en")


class KeptHolds:
    """Holds in memory."""

    def __init__(self) -> None:
        self.owner = ""

    async def take(self, name: str, owner: str, now: Any, until: Any) -> bool:
        if self.owner not in ("", owner):
            return False
        self.owner = owner
        return True

    async def release(self, name: str, owner: str) -> None:
        if self.owner == owner:
            self.owner = ""


@pytest.fixture
async def discord(clock: Any) -> AsyncIterator[FakeDiscord]:
    """Discord, reachable, and the library pointed at it."""
    fake = FakeDiscord(int(clock().timestamp() * 1000))
    runner = web.AppRunner(fake.application(), shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    assert site._server is not None
    port = cast(Any, site._server).sockets[0].getsockname()[1]
    fake.url = f"http://127.0.0.1:{port}"
    point_at(f"{fake.url}/api", f"ws://127.0.0.1:{port}/gateway")
    yield fake
    for socket in fake.sockets:
        await socket.close()
    await runner.cleanup()


@pytest.fixture
def values() -> KeptValues:
    """Where long values are kept."""
    return KeptValues()


@pytest.fixture
async def publisher(discord: FakeDiscord, values: KeptValues) -> AsyncIterator[DiscordPublisher]:
    """A publisher that is open."""
    rest = Rest(TOKEN)
    yield DiscordPublisher(rest, values)
    await rest.close()


@pytest.fixture
def chat() -> FakeChat:
    """The door."""
    return FakeChat()


@pytest.fixture
def holds() -> KeptHolds:
    """Who hears the gateway."""
    return KeptHolds()


def make_face(
    discord: FakeDiscord, publisher: DiscordPublisher, chat: FakeChat, holds: KeptHolds, clock: Any
) -> DiscordFace:
    return DiscordFace(
        publisher,
        cast(Chat, chat),
        holds,
        TOKEN,
        clock=clock,
        owner="me",
        api_url=f"{discord.url}/api",
        sign_of_life=0.05,
        pauses=(0.02,),
        guilds_within=0.01,
    )


@dataclass
class Listening:
    """A face that hears."""

    face: DiscordFace
    task: "asyncio.Task[None]"


async def eventually(done: Any, seconds: float = 5.0) -> None:
    """Wait until something is true."""
    async with asyncio.timeout(seconds):
        while not done():  # noqa: ASYNC110 - what is waited for happens in another task, or on a server
            await asyncio.sleep(0.01)


@pytest.fixture
async def listening(
    discord: FakeDiscord, publisher: DiscordPublisher, chat: FakeChat, holds: KeptHolds, clock: Any
) -> AsyncIterator[Listening]:
    """A face that is up."""
    face = make_face(discord, publisher, chat, holds, clock)
    task = asyncio.create_task(face.listen())
    await eventually(lambda: task.done() or chat.looked)
    heard = Listening(face, task)
    yield heard
    heard.task.cancel()
    await asyncio.gather(heard.task, return_exceptions=True)


@pytest.fixture
def faults() -> type[Fault]:
    """What can go wrong."""
    return Fault
