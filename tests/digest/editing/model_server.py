"""A model server of a test's own, on loopback, that does what real ones do, well and badly."""

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from aiohttp import web

from digest.editing.server import LONGEST_ANSWER

CLAIMS = (
    '{"claims": [{"kind": "what", "quote": "turns the blade", "quote_from": "title", '
    '"text_en": "The blade turns.", "text_zh": "叶片转动。"}]}'
)
NO_SCHEMA = "Invalid parameter: 'response_format' of type 'json_schema' is not supported."
NO_OBJECT = "response_format is not supported by this server"
NO_MAX_TOKENS = "Unsupported parameter: use 'max_completion_tokens' instead of max_tokens"
ONLY_WARM = "Unsupported value: 'temperature' does not support 0 with this model."
TOO_LONG = "This model's maximum context length is 4096 tokens. Please reduce the length."
USAGE = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}


class ModelServer:
    """Answers `POST /v1/chat/completions` by its `mode`, or by those `queued`, first one first.

    `asked` holds the bodies as they came, `keys` their `Authorization`.
    """

    def __init__(self) -> None:
        self.mode = "ok"
        self.queued: list[str] = []
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.text = CLAIMS
        self.headers: dict[str, str] = {}
        self.usage: object = USAGE
        self.finish = "stop"
        self.in_flight = 0
        self.most_in_flight = 0
        self.delay = 0.0
        self.held = asyncio.Event()
        self.held.set()
        self.url = ""

    def application(self) -> web.Application:
        made = web.Application(client_max_size=2**24)
        made.router.add_post("/v1/chat/completions", self._answer)
        return made

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.asked.append(body)
        self.keys.append(request.headers.get("Authorization", ""))
        mode = self.queued.pop(0) if self.queued else self.mode
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            await self.held.wait()
            await asyncio.sleep(self.delay)
            return await self._behave(mode, body, request)
        finally:
            self.in_flight -= 1

    async def _behave(
        self, mode: str, body: dict[str, Any], request: web.Request
    ) -> web.StreamResponse:
        if faulty := FAULTS.get(mode):
            return await faulty(self, request)
        if other := OTHERS.get(mode):
            return other()
        if refused := _refused(mode, body):
            status, message, code = refused
            error = {"message": message, "type": "invalid_request_error", "code": code}
            return web.json_response({"error": error}, status=status, headers=self.headers)
        if made := ANSWERS.get(mode):
            return web.json_response(self._completion(**made))
        finish, text = ("length", self.text[:40]) if mode == "length" else (self.finish, self.text)
        return web.json_response(self._completion(text, finish))

    async def hang(self, request: web.Request) -> web.StreamResponse:
        await asyncio.sleep(60)
        raise web.HTTPGatewayTimeout

    async def disconnect(self, request: web.Request) -> web.StreamResponse:
        assert request.transport is not None
        request.transport.abort()
        return web.Response()

    def _completion(self, text: object, finish: str = "stop", **more: object) -> object:
        return {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": "m",
            "usage": self.usage,
            "choices": [
                {
                    "index": 0,
                    "finish_reason": finish,
                    "message": {"role": "assistant", "content": text, **more},
                }
            ],
        }

    async def cut_stream(self, request: web.Request) -> web.StreamResponse:
        whole = json.dumps(self._completion(self.text)).encode()
        answer = web.StreamResponse(headers={"Content-Length": str(len(whole))})
        answer.content_type = "application/json"
        await answer.prepare(request)
        await answer.write(whole[: len(whole) // 2])
        assert request.transport is not None
        request.transport.abort()
        return answer

    async def drip(self, request: web.Request) -> web.StreamResponse:
        answer = web.StreamResponse()
        answer.content_type = "application/json"
        await answer.prepare(request)
        for _ in range(600):
            await answer.write(b" ")
            await asyncio.sleep(0.05)
        return answer

    async def endless(self, request: web.Request) -> web.StreamResponse:
        answer = web.StreamResponse()
        answer.content_type = "application/json"
        await answer.prepare(request)
        with suppress(ConnectionError):
            while True:
                await answer.write(b" " * 2**20)
        return answer


FAULTS = {
    name: getattr(ModelServer, name)
    for name in ("hang", "disconnect", "cut_stream", "drip", "endless")
}
OTHERS: dict[str, Callable[[], web.Response]] = {
    "garbage": lambda: web.Response(body=b"\xff\xfe\x00{{", content_type="application/json"),
    "nested": lambda: web.Response(body=b"[" * 2**20, content_type="application/json"),
    "null": lambda: web.json_response(None),
    "page": lambda: web.Response(text="<html>It works!</html>", content_type="text/html"),
    "other_json": lambda: web.json_response({"choices": [{"text": "an old API"}]}),
    "busy_within": lambda: web.json_response({"error": {"message": "later", "code": 429}}),
    "broken_within": lambda: web.json_response({"error": "model overloaded"}),
    "no_choices": lambda: web.json_response({"object": "chat.completion", "choices": []}),
}
REFUSALS = {
    "400": (400, "I do not like it", None),
    "context_length": (400, TOO_LONG, "context_length_exceeded"),
    "401": (401, "Incorrect API key provided: sk-secret", None),
    "unknown_model": (404, "The model `x` does not exist", "model_not_found"),
    "no_quota": (429, "You exceeded your quota", "insufficient_quota"),
}
CONDITIONS: dict[str, tuple[Callable[[dict[str, Any]], bool], tuple[int, str, str | None]]] = {
    "no_schema": (lambda body: _kind(body) == "json_schema", (400, NO_SCHEMA, None)),
    "no_object": (lambda body: _kind(body) != "text", (422, NO_OBJECT, None)),
    "no_max_tokens": (lambda body: "max_tokens" in body, (400, NO_MAX_TOKENS, None)),
    "only_warm": (lambda body: "temperature" in body, (400, ONLY_WARM, None)),
}
ANSWERS: dict[str, dict[str, Any]] = {
    "number_for_text": {"text": 7},
    "parts": {"text": [{"type": "thinking", "thinking": []}, {"type": "text", "text": CLAIMS}]},
    "refusal": {"text": None, "refusal": "I can't help with that"},
    "filtered": {"text": "", "finish": "content_filter"},
    "empty": {"text": " \n"},
    "long": {"text": "x" * (LONGEST_ANSWER + 1)},
    "thought_only": {"text": None, "reasoning_content": "Hm."},
}


def _refused(mode: str, body: dict[str, Any]) -> tuple[int, str, str | None] | None:
    if mode in CONDITIONS:
        applies, refusal = CONDITIONS[mode]
        return refusal if applies(body) else None
    if mode in REFUSALS:
        return REFUSALS[mode]
    return (int(mode), "not now", None) if mode.isdecimal() else None


def _kind(body: dict[str, Any]) -> str:
    kind: str = body.get("response_format", {}).get("type", "text")
    return kind
