"""A Slack, a Discord and a GitHub in a process of their own, for load: `python -m … [--limits]`.

They take every message at once, or with `--limits` as fast as the platforms allow. `GET /seen`
gives what was taken: messages, refusals, the moments of the first and the last message, and the
mean seconds from the first to the last one of what has a limit of its own: a Slack channel, the
thread of a Discord channel.
"""

import asyncio
import json
import sys
import time
from collections import defaultdict
from datetime import timedelta
from typing import Any

from aiohttp import web

from benchmarks.small_github import DAYS, START, SmallGitHub
from benchmarks.small_github import application as on_github

SLACK_INTERVAL = 1.0
SLACK_BURST = 3
"""Messages to one channel: one a second, short bursts: https://docs.slack.dev/apis/web-api/rate-limits"""

SLACK_TOLERANCE = 0.2
"""Seconds that a message may come too early: Slack's "about" one a second."""

DISCORD_CALLS, DISCORD_SECONDS = 5, 5.0
"""The bucket of one channel as it is usually announced; the headers say it."""

EPOCH_MS = 1_420_070_400_000


class LocalChat:
    """Both platforms; what is said is counted and thrown away."""

    def __init__(self, limited: bool) -> None:
        self._limited = limited
        self._free_at: defaultdict[str, float] = defaultdict(float)
        self._spent: defaultdict[str, list[float]] = defaultdict(list)
        self._taken: defaultdict[str, list[float]] = defaultdict(list)
        self._id = (int(time.time() * 1000) - EPOCH_MS) << 22
        self.seen: dict[str, float] = {"messages": 0, "refused": 0, "edits": 0}
        self.port = 0

    def application(self) -> web.Application:
        """Give the routes of both."""
        application = web.Application(client_max_size=1 << 24)
        application.router.add_get("/seen", self.on_seen)
        application.router.add_get("/socket", self.on_socket)
        application.router.add_get("/gateway", self.on_gateway)
        application.router.add_route("*", "/slack/{method}", self.on_slack)
        application.router.add_route("*", "/discord/{path:.*}", self.on_discord)
        return application

    async def on_seen(self, _: web.Request) -> web.Response:
        """Give the counts."""
        spans = [moments[-1] - moments[0] for moments in self._taken.values() if len(moments) > 1]
        return web.json_response({**self.seen, "limited": sum(spans) / max(1, len(spans))})

    async def on_slack(self, request: web.Request) -> web.Response:
        """Answer a method of the Web API."""
        method = request.match_info["method"]
        if method == "chat.postMessage":
            channel = str((await self._arguments(request))["channel"])
            wait = self._slack_wait(channel)
            if wait:
                self.seen["refused"] += 1
                headers = {"Retry-After": str(int(wait) + 1)}
                return web.json_response(
                    {"ok": False, "error": "ratelimited"}, status=429, headers=headers
                )
            self._take(channel)
            number = int(self.seen["messages"])
            return web.json_response({"ok": True, "channel": channel, "ts": f"1.{number:09}"})
        if method == "chat.update":
            self.seen["edits"] += 1
        known: dict[str, Any] = {
            "auth.test": {"team_id": "T1", "user_id": "U0", "bot_id": "B0"},
            "apps.connections.open": {"url": f"ws://127.0.0.1:{self.port}/socket"},
            "chat.getPermalink": {"permalink": "https://local.slack.com/archives/C/p1"},
            "conversations.history": {"messages": []},
            "conversations.replies": {"messages": []},
        }
        return web.json_response({"ok": True, **known.get(method, {})})

    async def _arguments(self, request: web.Request) -> Any:
        if request.content_type == "application/json":
            return await request.json()
        return await request.post()

    def _slack_wait(self, channel: str) -> float:
        if not self._limited:
            return 0.0
        now = time.monotonic()
        begun = max(self._free_at[channel], now - SLACK_INTERVAL * (SLACK_BURST - 1))
        if begun > now + SLACK_TOLERANCE:
            return begun - now
        self._free_at[channel] = begun + SLACK_INTERVAL
        return 0.0

    async def on_discord(self, request: web.Request) -> web.Response:
        """Answer a route of the REST API."""
        match [request.method, *request.match_info["path"].split("/")]:
            case ["POST", "channels", place, "messages"]:
                return await self._discord_message(place)
            case ["POST", "channels", _, "messages", id, "threads"]:
                return _discord({"id": id, "type": 11})
            case ["GET", "channels", place]:
                return _discord({"id": place, "type": 0})
            case ["PATCH", *_]:
                self.seen["edits"] += 1
                return _discord({"id": "1"})
            case ["GET", "users", "@me"]:
                user = {"id": "900", "username": "infra", "discriminator": "0", "avatar": None}
                return _discord({**user, "bot": True})
            case ["GET", _, "@me"]:
                return _discord({"id": "800", "name": "infra", "flags": 0})
        return _discord([])

    async def _discord_message(self, place: str) -> web.Response:
        headers = {}
        if self._limited:
            now = time.monotonic()
            spent = [at for at in self._spent[place] if at > now - DISCORD_SECONDS]
            reset = spent[0] + DISCORD_SECONDS - now if spent else DISCORD_SECONDS
            if len(spent) >= DISCORD_CALLS:
                self.seen["refused"] += 1
                body = {"message": "slow", "retry_after": reset, "global": False}
                return _discord(body, 429, {"Retry-After": f"{reset:.3f}"})
            self._spent[place] = [*spent, now]
            headers = {
                "X-RateLimit-Limit": str(DISCORD_CALLS),
                "X-RateLimit-Remaining": str(DISCORD_CALLS - len(spent) - 1),
                "X-RateLimit-Reset-After": f"{reset:.3f}",
                "X-RateLimit-Bucket": "messages",
            }
        self._take(place)
        self._id += 1
        return _discord({"id": str(self._id), "channel_id": place}, 200, headers)

    async def on_socket(self, request: web.Request) -> web.WebSocketResponse:
        """Hold Slack's socket open."""
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_json({"type": "hello", "num_connections": 1})
        async for _ in socket:
            pass
        return socket

    async def on_gateway(self, request: web.Request) -> web.WebSocketResponse:
        """Hold Discord's gateway open; there are no servers to tell of."""
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_json({"op": 10, "d": {"heartbeat_interval": 45_000}})
        async for message in socket:
            said = json.loads(message.data)
            if said["op"] == 1:
                await socket.send_json({"op": 11})
            elif said["op"] == 2:
                user = {"id": "900", "username": "infra", "discriminator": "0", "avatar": None}
                ready = {
                    "v": 10,
                    "user": {**user, "bot": True},
                    "guilds": [],
                    "session_id": "s",
                    "resume_gateway_url": f"ws://127.0.0.1:{self.port}/gateway",
                    "application": {"id": "800", "flags": 0},
                }
                await socket.send_json({"op": 0, "t": "READY", "s": 1, "d": ready})
        return socket

    def _take(self, place: str) -> None:
        if self._limited:
            self._taken[place].append(time.time())
        self.seen["messages"] += 1
        self.seen.setdefault("first", time.time())
        self.seen["last"] = time.time()


def _discord(body: Any, status: int = 200, headers: dict[str, str] | None = None) -> web.Response:
    own = {"Content-Type": "application/json", "Via": "1.1", **(headers or {})}
    return web.Response(body=json.dumps(body).encode(), status=status, headers=own)


async def serve(limited: bool) -> None:
    """Serve on a free port of loopback, and print it and GitHub's; until the input ends."""
    chat, github = LocalChat(limited), SmallGitHub()
    github.now = START + timedelta(days=DAYS)
    ports = []
    for application in (chat.application(), on_github(github)):
        runner = web.AppRunner(application, access_log=None)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        ports.append(runner.addresses[0][1])
    chat.port = ports[0]
    print(*ports, flush=True)
    await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(serve("--limits" in sys.argv))
