"""A small Slack on loopback that keeps what was asked of it and fails as it is told to."""

import asyncio
import json
import socket
from collections import defaultdict, deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from aiohttp import WSMsgType, web

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
        self.files: dict[str, str | None] = {}
        self.file_tokens: list[str] = []
        self.uploads: dict[str, tuple[str, str]] = {}
        self.users: dict[str, dict[str, Any]] = {}
        self.groups: dict[str, list[str]] = {}
        self.members: dict[str, list[str]] = {}
        self.channel: dict[str, Any] = {}
        self.faults: dict[str, deque[Fault | None]] = defaultdict(deque)
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
        application.router.add_get("/files/{name}", self.on_file)
        application.router.add_post("/upload/{name}", self.on_upload)
        return application

    def fail(self, method: str, *faults: Fault | None) -> None:
        """Let the next calls of a method fail; None lets one through."""
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
        assert request.transport
        self.connections[method].add(request.transport.get_extra_info("peername")[1])
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

    async def on_file(self, request: web.Request) -> web.Response:
        """Give an uploaded file; without the scope Slack leads to a page for people."""
        self.file_tokens.append(request.headers.get("Authorization", ""))
        text = self.files[request.match_info["name"]]
        if text is None:
            return web.Response(text="<html>Sign in", content_type="text/html")
        return web.Response(text=text)

    async def on_upload(self, request: web.Request) -> web.StreamResponse:
        waiting = self.faults["upload"]
        if waiting and (fault := waiting.popleft()):
            return self._faulty(request, fault)
        self.uploads[request.match_info["name"]] = (await request.text(), "")
        return web.Response(text="OK")

    def files_getUploadURLExternal(  # noqa: N802 - Slack's
        self, asked: Mapping[str, Any]
    ) -> dict[str, Any]:
        name = asked["filename"]
        return {"upload_url": f"{self.url}/upload/{name}", "file_id": name}

    def files_completeUploadExternal(  # noqa: N802 - Slack's
        self, asked: Mapping[str, Any]
    ) -> dict[str, Any]:
        for name, (text, _) in self.uploads.items():
            self.uploads[name] = (text, str(asked["channel_id"]))
        return {"files": asked["files"]}

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

    def conversations_open(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        return {"ok": True, "channel": {"id": f"D{asked['users']}"}}

    def users_info(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        user = {"id": asked["user"], "team_id": TEAM}
        return {"user": user | self.users.get(asked["user"], {})}

    def usergroups_users_list(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        return {"users": self.groups.get(asked["usergroup"], [])}

    def views_open(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        view = asked["view"]
        self.views.append(json.loads(view) if isinstance(view, str) else view)
        return {"view": {"id": "V1"}}

    def views_publish(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        return self.views_open(asked)

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
        if waiting and (fault := waiting.popleft()):
            return self._faulty(request, fault)
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
