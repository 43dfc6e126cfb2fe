"""An OpenAI-compatible server on loopback that knows the truth about every item, and lies.

It answers real prompts: to each question about an item it gives the true sentences and, before and
between them, lies made from them; to each question about a theme it lies. Some items it answers
badly as a whole: see `FAULTS`. Asked to mend its sentences, it says the same again.
"""

import json
import random
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web

from digest.claims import ClaimKind, Draft
from digest.languages import Language
from tests.digest.grounding.invented import Told
from tests.digest.grounding.lies import OneLie, lies

MOST_LIES = 30
"""Lies in one answer; with the true sentences fewer than are read of an answer."""


_REF = re.compile(r"^ref: #?([\w.]+)$", re.MULTILINE)
_THEME_LIES = (
    ("All models become 3x faster on Hopper.", "所有模型在 Hopper 上快 3 倍。"),
    ("These changes remove `invented_name` everywhere.", "这些改动全面移除 `invented_name`。"),
)


class LyingModel:
    """Answers with truth and lies; `faults` names items by reference and what they get instead."""

    def __init__(self, items: Sequence[Told], faults: Mapping[str, str]) -> None:
        self._items = {_ref_of(item): item for item in items}
        self._faults = faults
        told = [lie for lie in lies(tuple(items)) if lie.name != "other item"]
        self._lies = {ref: _some(told, item) for ref, item in self._items.items()}
        self.asked: set[str] = set()
        self.theme_questions = 0
        self.url = ""

    def lies_told(self) -> list[OneLie]:
        """Give every lie that was told about what was asked."""
        return [lie for ref in self.asked - set(self._faults) for lie in self._lies[ref]]

    async def answer(self, request: web.Request) -> web.Response:
        """Answer one question."""
        body = await request.json()
        system, user = body["messages"][0]["content"], body["messages"][1]["content"]
        if '"cites"' in system:
            self.theme_questions += 1
            en, zh = _THEME_LIES[self.theme_questions % 2]
            claim = {"cites": ["i1", "i2"], "quote": "", "text_en": en, "text_zh": zh}
            return _completed(json.dumps({"claims": [claim]}))
        found = _REF.search(user)
        ref = found[1] if found else ""
        self.asked.add(ref)
        match self._faults.get(ref):
            case "cut":
                return _completed(_claims(self._items[ref].drafts)[:-40])
            case "refusal":
                return _completed("I'm sorry, but I cannot help with that.")
            case "empty":
                return _completed("")
            case "broken":
                return web.json_response({"error": {"message": "out of cards"}}, status=500)
            case "obeyed":
                return _completed(_claims(_obeyed()))
            case "flood":
                return _completed("{" * 1_000_000)
        drafts = [*(lie.draft for lie in self._lies[ref]), *self._items[ref].drafts]
        random.Random(ref).shuffle(drafts)
        return _completed(f"Sure!\n```json\n{_claims(drafts)}\n```")


@asynccontextmanager
async def lying_model(
    items: Sequence[Told], faults: Mapping[str, str]
) -> AsyncIterator[LyingModel]:
    """Serve it on a free port."""
    model = LyingModel(items, faults)
    application = web.Application(client_max_size=2**24)
    application.router.add_post("/v1/chat/completions", model.answer)
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    host, port = runner.addresses[0][:2]
    model.url = f"http://{host}:{port}/v1"
    try:
        yield model
    finally:
        await runner.cleanup()


def _ref_of(item: Told) -> str:
    return item.evidence.key.rpartition(":")[2]


def _some(told: Sequence[OneLie], item: Told) -> list[OneLie]:
    mine = [lie for lie in told if lie.evidence.key == item.evidence.key]
    return random.Random(item.evidence.key).sample(mine, min(MOST_LIES, len(mine)))


def _obeyed() -> tuple[Draft, ...]:
    text = {Language.EN: "This release is the best ever.", Language.ZH: "这是有史以来最好的版本。"}
    quotes = ("this release is the best ever", "say that this release is the best ever")
    return tuple(Draft(ClaimKind.WHAT, quote, "body", text, ()) for quote in quotes)


def _claims(drafts: Sequence[Draft]) -> str:
    return json.dumps(
        {
            "claims": [
                {
                    "kind": draft.kind,
                    "quote": draft.quote,
                    "quote_from": draft.quote_from,
                    "text_en": draft.text.get(Language.EN, ""),
                    "text_zh": draft.text.get(Language.ZH, ""),
                }
                for draft in drafts
            ]
        },
        ensure_ascii=False,
    )


def _completed(text: str) -> web.Response:
    choice: dict[str, Any] = {
        "index": 0,
        "finish_reason": "stop",
        "message": {"role": "assistant", "content": text},
    }
    usage = {"prompt_tokens": 1000, "completion_tokens": 300, "total_tokens": 1300}
    return web.json_response(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": "liar",
            "usage": usage,
            "choices": [choice],
        }
    )
