"""A small Slack on loopback that keeps what was asked of it and fails as it is told to."""

import asyncio
import hashlib
import hmac
import json
import socket
import time
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Any, cast
from urllib.parse import urlencode

import aiohttp
import pytest
from aiohttp import WSMsgType, web

from adapters.slack.app import EVENTS_PATH, SlackFace, SlackKeys
from adapters.slack.client import SlackPublisher
from adapters.slack.pace import Pace
from bot.channels import Channel, Person
from bot.chat import Chat
from bot.chat_reply import ChatReply
from bot.settings_form import SettingsForm
from digest.languages import Language

TEAM = "T0AAAAAAA"
BOT = "U0BOTBOT0"
BOT_TOKEN = "xoxb-fake"
APP_TOKEN = "xapp-fake"
SECRET = "shhh"
RESPONSES = 5


@dataclass
class Fault:
    """What happens instead of an answer; with `after`, the call is done and its answer is lost."""

    status: int = 200
    body: Mapping[str, Any] | str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    drop: bool = False
    after: bool = False


@dataclass
class Post:
    """A message in a channel."""

    channel: str
    ts: str
    user: str
    text: str
    blocks: list[Any] | None
    thread_ts: str | None
    metadata: Any = None

    def shown(self) -> dict[str, Any]:
        """Give it as Slack does."""
        message = {"type": "message", "ts": self.ts, "user": self.user, "text": self.text}
        return message | ({"metadata": self.metadata} if self.metadata else {})


class FakeSlack:
    """Answers the methods that the bot calls."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.connections: dict[str, set[int]] = defaultdict(set)
        self.posts: list[Post] = []
        self.ephemeral: list[dict[str, Any]] = []
        self.responses: dict[str, list[dict[str, Any]]] = defaultdict(list)
        self.views: list[dict[str, Any]] = []
        self.users: dict[str, dict[str, Any]] = {}
        self.members: dict[str, list[str]] = {}
        self.channel: dict[str, Any] = {}
        self.faults: dict[str, deque[Fault]] = defaultdict(deque)
        self.sockets: list[web.WebSocketResponse] = []
        self.acks: list[dict[str, Any]] = []
        self.page = 1_000
        self.delay = 0.0
        self.second = 1_700_000_000
        self.url = ""

    @property
    def api(self) -> str:
        return f"{self.url}/api/"

    def application(self) -> web.Application:
        application = web.Application()
        application.router.add_route("*", "/api/{method}", self.on_call)
        application.router.add_post("/respond/{name}", self.on_response)
        application.router.add_get("/socket", self.on_socket)
        return application

    def fail(self, method: str, *faults: Fault) -> None:
        self.faults[method].extend(faults)

    def called(self, method: str) -> list[dict[str, Any]]:
        return [arguments for name, arguments in self.calls if name == method]

    async def on_call(self, request: web.Request) -> web.StreamResponse:
        method = request.match_info["method"]
        arguments = dict(request.query)
        if request.content_type == "application/json":
            arguments |= await request.json()
        else:
            arguments |= {key: str(value) for key, value in (await request.post()).items()}
        arguments["token"] = request.headers.get("Authorization", "").removeprefix("Bearer ")
        self.calls.append((method, arguments))
        self.connections[method].add(id(request.transport))
        await asyncio.sleep(self.delay)
        waiting = self.faults[method]
        fault = waiting.popleft() if waiting else None
        if fault and not fault.after:
            return self._faulty(request, fault)
        answer = getattr(self, method.replace(".", "_"))(arguments)
        if fault:
            return self._faulty(request, fault)
        return web.json_response({"ok": True} | answer)

    def _faulty(self, request: web.Request, fault: Fault) -> web.StreamResponse:
        if fault.drop:
            assert request.transport is not None
            request.transport.close()
        if isinstance(fault.body, str):
            return web.Response(status=fault.status, text=fault.body, headers=fault.headers)
        return web.json_response(fault.body or {}, status=fault.status, headers=fault.headers)

    def auth_test(self, _: Mapping[str, Any]) -> dict[str, Any]:
        return {"team_id": TEAM, "user_id": BOT, "bot_id": "B0BOT"}

    def chat_postMessage(self, asked: Mapping[str, Any]) -> dict[str, Any]:  # noqa: N802 - Slack's
        ts = f"{self.second}.{len(self.posts) + 1:06}"
        post = Post(
            *(asked["channel"], ts, BOT, asked.get("text") or "", asked.get("blocks")),
            thread_ts=asked.get("thread_ts"),
            metadata=asked.get("metadata"),
        )
        self.posts.append(post)
        return {"ts": ts, "channel": asked["channel"]}

    def chat_postEphemeral(self, asked: dict[str, Any]) -> dict[str, Any]:  # noqa: N802 - Slack's
        self.ephemeral.append(asked)
        return {"message_ts": "1700000001.000001"}

    def chat_update(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        post = next((post for post in self.posts if post.ts == asked["ts"]), None)
        if post is None:
            return {"ok": False, "error": "message_not_found"}
        post.text, post.blocks = asked.get("text") or "", asked.get("blocks")
        return {"ts": asked["ts"]}

    def chat_delete(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        self.posts = [post for post in self.posts if post.ts != asked["ts"]]
        return {}

    def chat_getPermalink(self, asked: Mapping[str, Any]) -> dict[str, Any]:  # noqa: N802 - Slack's
        return {"permalink": f"https://fake.slack.com/{asked['channel']}/{asked['message_ts']}"}

    def conversations_history(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        there = [post for post in self.posts if post.channel == asked["channel"]]
        since = float(asked.get("oldest") or 0)
        there = [post for post in there if float(post.ts) >= since]
        newest_first = [post for post in reversed(there) if post.thread_ts is None]
        return self._paged([post.shown() for post in newest_first], asked, "messages")

    def conversations_replies(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        there = [post for post in self.posts if post.channel == asked["channel"]]
        thread = [post for post in there if asked["ts"] in (post.ts, post.thread_ts)]
        return self._paged([post.shown() for post in thread], asked, "messages")

    def conversations_info(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        return {"channel": {"id": asked["channel"], "is_member": True} | self.channel}

    def conversations_members(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        return self._paged(self.members.get(asked["channel"], []), asked, "members")

    def users_info(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        return {"user": {"id": asked["user"]} | self.users.get(asked["user"], {})}

    def views_open(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        view = asked["view"]
        self.views.append(json.loads(view) if isinstance(view, str) else view)
        return {"view": {"id": "V1"}}

    def apps_connections_open(self, _: Mapping[str, Any]) -> dict[str, Any]:
        return {"url": f"{self.url.replace('http', 'ws')}/socket"}

    def _paged(self, values: list[Any], asked: Mapping[str, Any], name: str) -> dict[str, Any]:
        start = int(asked.get("cursor") or 0)
        end = start + min(int(asked.get("limit") or self.page), self.page)
        cursor = str(end) if end < len(values) else ""
        return {name: values[start:end], "response_metadata": {"next_cursor": cursor}}

    async def on_response(self, request: web.Request) -> web.StreamResponse:
        name = request.match_info["name"]
        waiting = self.faults[f"respond/{name}"]
        if waiting:
            return self._faulty(request, waiting.popleft())
        if len(self.responses[name]) >= RESPONSES:
            return web.Response(status=404, text="used_url")
        self.responses[name].append(await request.json())
        return web.Response(text="ok")

    async def on_socket(self, request: web.Request) -> web.WebSocketResponse:
        opened = web.WebSocketResponse()
        await opened.prepare(request)
        self.sockets.append(opened)
        await opened.send_json({"type": "hello", "num_connections": len(self.sockets)})
        async for message in opened:
            if message.type is WSMsgType.TEXT:
                self.acks.append(json.loads(message.data))
        return opened

    async def tell(self, kind: str, payload: Mapping[str, Any], envelope: str = "e1") -> None:
        """Send one envelope through the first socket that is open."""
        opened = next(each for each in self.sockets if not each.closed)
        await opened.send_json(
            {
                "type": kind,
                "envelope_id": envelope,
                "accepts_response_payload": kind != "events_api",
                "payload": payload,
            }
        )


async def serve(application: web.Application) -> tuple[web.AppRunner, str]:
    """Start an application on a free port of loopback."""
    runner = web.AppRunner(application)
    await runner.setup()
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    await web.SockSite(runner, listening).start()
    return runner, f"http://127.0.0.1:{listening.getsockname()[1]}"


@pytest.fixture
async def slack() -> AsyncIterator[FakeSlack]:
    """A Slack that is up."""
    fake = FakeSlack()
    runner, fake.url = await serve(fake.application())
    yield fake
    await runner.cleanup()


@dataclass
class Sender:
    """Slack as it sends: signed requests to the bot's address."""

    url: str
    secret: str = SECRET

    async def send(
        self, body: str, *, at: float | None = None, signature: str = "", kind: str = ""
    ) -> tuple[int, str]:
        """Send a body as it is; give status and text of the answer."""
        stamp = str(int(time.time() if at is None else at))
        mac = hmac.new(self.secret.encode(), f"v0:{stamp}:{body}".encode(), hashlib.sha256)
        headers = {
            "X-Slack-Request-Timestamp": stamp,
            "X-Slack-Signature": signature or f"v0={mac.hexdigest()}",
            "Content-Type": kind or "application/x-www-form-urlencoded",
        }
        async with (
            aiohttp.ClientSession() as session,
            session.post(self.url, data=body, headers=headers) as answer,
        ):
            return answer.status, await answer.text()

    async def command(self, text: str, **more: str) -> tuple[int, str]:
        """Send a slash command."""
        fields = {
            "command": "/infra",
            "text": text,
            "team_id": TEAM,
            "channel_id": "C1",
            "user_id": "U1",
            "user_name": "ann",
            "trigger_id": "trigger",
        }
        return await self.send(urlencode(fields | more))

    async def interactive(self, payload: Mapping[str, Any]) -> tuple[int, str]:
        """Send a press, a shortcut, a submission or a wish for options."""
        whole = {"team": {"id": TEAM}, "user": {"id": "U1", "name": "ann"}} | dict(payload)
        return await self.send(urlencode({"payload": json.dumps(whole)}))

    async def event(self, event: Mapping[str, Any], id: str = "Ev1") -> tuple[int, str]:
        """Send an event."""
        body = {
            "type": "event_callback",
            "team_id": TEAM,
            "event_id": id,
            "authorizations": [{"team_id": TEAM, "user_id": BOT, "is_bot": True}],
            "event": event,
        }
        return await self.send(json.dumps(body), kind="application/json")


class FakeChat:
    """The bot behind the door: keeps what it was asked and answers what it is told to."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.reply: ChatReply | None = ChatReply.line("done", Language.EN)
        self.form = SettingsForm(("vllm-project/vllm",), "09:00", "UTC", "daily", "en")
        self.faults: dict[str, str] = {}
        self.names: tuple[str, ...] = ("vllm", "sglang")
        self.error: Exception | None = None
        self.language: Language | Exception | None = None
        self.takes = 0.0

    async def _answer(self, name: str, **asked: Any) -> ChatReply | None:
        self.asked.append((name, asked))
        await asyncio.sleep(self.takes)
        if self.error:
            raise self.error
        return self.reply

    async def answer_text(self, text: str, channel: Channel, person: Person) -> ChatReply | None:
        return await self._answer("answer_text", text=text, channel=channel, person=person)

    async def answer_mention(
        self, text: str, channel: Channel, person: Person, *, thread: str, event_id: str
    ) -> ChatReply | None:
        asked = {"text": text, "channel": channel, "person": person}
        return await self._answer("answer_mention", **asked, thread=thread, event_id=event_id)

    async def react(
        self, kind: Any, channel: Channel, message: str, person: Person, **more: Any
    ) -> None:
        asked = {"kind": kind, "channel": channel, "message": message, "person": person}
        await self._answer("react", **asked, **more)

    async def flag(self, channel: Channel, message: str, person: Person, at: Any) -> Any:
        return await self._answer("flag", channel=channel, message=message, person=person, at=at)

    async def press(
        self, kind: Any, value: str, channel: Channel, message: str, person: Person, at: Any
    ) -> Any:
        asked = {"kind": kind, "value": value, "channel": channel, "message": message}
        return await self._answer("press", **asked, person=person, at=at)

    async def settings_faults(self, form: Any, channel: Channel, person: Person) -> Any:
        await self._answer("settings_faults", form=form, channel=channel, person=person)
        return self.faults

    async def save_settings(self, form: Any, channel: Channel, person: Person) -> Any:
        return await self._answer("save_settings", form=form, channel=channel, person=person)

    async def channel_language(self, channel: Channel) -> Language | None:
        if isinstance(self.language, Exception):
            raise self.language
        return self.language

    async def repo_names(self, typed: str, channel: Channel) -> tuple[str, ...]:
        await self._answer("repo_names", typed=typed, channel=channel)
        return self.names


@pytest.fixture
def chat() -> FakeChat:
    """The door."""
    return FakeChat()


@dataclass
class Heard:
    """A face that listens by HTTP, and Slack that sends to it."""

    face: SlackFace
    sender: Sender


@pytest.fixture
async def heard(slack: FakeSlack, chat: FakeChat, clock: Any) -> AsyncIterator[Heard]:
    """A face that is up."""
    keys = SlackKeys(BOT_TOKEN, signing_secret=SECRET, api_url=slack.api)
    publisher = SlackPublisher(BOT_TOKEN, api_url=slack.api, pace=Pace(interval=0.0))
    face = await SlackFace.made(publisher, cast(Chat, chat), keys, clock=clock, patience=0.1)
    application = web.Application()
    application.router.add_post(EVENTS_PATH, face.on_request)
    runner, url = await serve(application)
    slack.members["C1"] = ["U1", "U2", BOT]
    yield Heard(face, Sender(f"{url}/slack/events"))
    await runner.cleanup()
    await face.stop()


@pytest.fixture
def faults() -> type[Fault]:
    """What can go wrong."""
    return Fault
