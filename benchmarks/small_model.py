"""A model server on loopback that answers at once, and counts what it was asked."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web

from digest.asking.tokens import tokens

NOTHING = json.dumps({"claims": []})


class SmallModel:
    """Answers `/v1/chat/completions` after `seconds`, in one of two ways.

    As `mending` it says something of every item that is no word of the item, so that each answer
    has to be mended, the most that a digest asks; else it has nothing to say.
    """

    def __init__(self) -> None:
        self.mending = False
        self.seconds = 0.0
        self.calls = 0
        self.input_tokens = 0
        self.most_input_tokens = 0
        self.url = ""

    def forget(self) -> None:
        """Count from nothing."""
        self.calls = self.input_tokens = self.most_input_tokens = 0

    async def answer(self, request: web.Request) -> web.Response:
        """Answer one question."""
        body = await request.json()
        system, user = (message["content"] for message in body["messages"])
        cost = tokens(system) + tokens(user)
        self.calls += 1
        self.input_tokens += cost
        self.most_input_tokens = max(self.most_input_tokens, cost)
        await asyncio.sleep(self.seconds)
        said = _invention(user) if self.mending else NOTHING
        return web.json_response(_completion(said, cost))


@asynccontextmanager
async def serving_model() -> AsyncIterator[SmallModel]:
    """Serve it on a free port."""
    model = SmallModel()
    application = web.Application(client_max_size=2**24)
    application.router.add_post("/v1/chat/completions", model.answer)
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    host, port = runner.addresses[0][:2]
    model.url = f"http://{host}:{port}/v1"
    try:
        yield model
    finally:
        await runner.cleanup()


def _invention(user: str) -> str:
    """Quote an item truly, and say of it what it does not say."""
    title = user.partition("title: ")[2].partition("\n")[0]
    claim = {
        "kind": "what",
        "cites": ["i1", "i2"],
        "quote": title,
        "quote_from": "title",
        "text_en": "The `invented_name` of the rotor is 77% faster on H100.",
        "text_zh": "转子的 `invented_name` 在 H100 上快 77%。",
    }
    return json.dumps({"claims": [claim]}, ensure_ascii=False)


def _completion(text: str, cost: int) -> dict[str, Any]:
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "small",
        "usage": {
            "prompt_tokens": cost,
            "completion_tokens": tokens(text),
            "total_tokens": cost + tokens(text),
        },
        "choices": [
            {
                "index": 0,
                "finish_reason": "stop",
                "message": {"role": "assistant", "content": text},
            }
        ],
    }
