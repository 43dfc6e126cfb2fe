"""The morning of `morning` with a model, and troubles before each of the four servers."""

import json
from collections.abc import Mapping
from contextlib import AsyncExitStack
from datetime import datetime
from pathlib import Path
from typing import Any

from aiohttp import web

from benchmarks.small_github import application
from tests.adapters.discord.conftest import FakeDiscord
from tests.adapters.slack.conftest import FakeSlack
from tests.e2e.morning import WatchedDiscord, WatchedSlack, World, served
from tests.e2e.troubles import Troubled

SPEED = 60
"""Seconds of the process's clock in one: its pauses of minutes are seconds then."""

MODEL_SECONDS = 5
"""How long a digest waits for its model."""

CLAIM = {
    "kind": "what",
    "quote": "Blades turn faster now.",
    "quote_from": "body",
    "text_en": "The blades turn faster now.",
    "text_zh": "叶片现在转得更快。",
}
BY_MODEL = "The blades turn faster now"
"""Stands in what is told where the model was heard."""


class PlainSlack(WatchedSlack):
    """Slack, whose answers may be lost on their way."""

    async def on_call(self, request: web.Request) -> web.StreamResponse:
        return await FakeSlack.on_call(self, request)


class PlainDiscord(WatchedDiscord):
    """Discord, whose answers may be lost on their way."""

    async def on_call(self, request: web.Request) -> web.StreamResponse:
        return await FakeDiscord.on_call(self, request)


class TroubledWorld(World):
    """Servers with troubles, by the name of the server, and a process whose clock runs fast."""

    def __init__(self, folder: Path, database_url: str, troubles: Mapping[str, Troubled]) -> None:
        super().__init__(folder, database_url)
        self.slack = PlainSlack(self._step)
        self.discord = PlainDiscord(self._step)
        self.troubles = troubles
        self.model_url = ""

    async def serve(self, stack: AsyncExitStack) -> None:
        """Start the servers, each behind its troubles."""
        self.slack.url = await self._served("slack", self.slack.application(), stack)
        self.discord.url = await self._served("discord", self.discord.application(), stack)
        self.github.url = await self._served("github", application(self.github), stack)
        self.model_url = await self._served("model", _model(), stack)

    def environment(self, now: datetime) -> dict[str, str]:
        """Give what the process is set up with."""
        return {
            **super().environment(now),
            "INFRA_NOW": f"{now.isoformat()}*{SPEED}",
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
    server.router.add_post("/v1/chat/completions", _answer)
    return server


async def _answer(request: web.Request) -> web.Response:
    asked = (await request.json())["messages"][0]["content"]
    claims = [] if '"cites"' in asked else [CLAIM]
    choice: dict[str, Any] = {
        "index": 0,
        "finish_reason": "stop",
        "message": {"role": "assistant", "content": json.dumps({"claims": claims})},
    }
    return web.json_response(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": "small",
            "usage": {"prompt_tokens": 1000, "completion_tokens": 100, "total_tokens": 1100},
            "choices": [choice],
        }
    )
