"""A model server on loopback that answers at once from what it is shown, and counts its cost.

    python -m benchmarks.small_model [--answers DIR] [--port PORT]

With `--answers`, each question is written to `DIR/KEY.txt`, and `DIR/KEY.json` is its answer where
somebody has put one there: so a person can answer the program's real questions.
"""

import argparse
import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

from aiohttp import web

from digest.editing.checks import names_of
from digest.editing.questions import tokens

_LINE = re.compile(r"^(i\d+) (.*)$", re.MULTILINE)
_ITEM = re.compile(r"^(i\d+)$", re.MULTILINE)
_TITLE = re.compile(r"^title: (.*)$", re.MULTILINE)
_SAID = re.compile(r"^(s\d+) \([^)]*\): (.*)$", re.MULTILINE)
_NUMBERED = re.compile(r"^(\d+)\. ?(?:\(judgement\) )?(.*)$", re.MULTILINE)


class SmallModel:
    """Answers `/v1/chat/completions` after `seconds`; `lies` makes it invent and confirm."""

    def __init__(self, answers: Path | None = None) -> None:
        self.lies = False
        self.seconds = 0.0
        self.calls = 0
        self.input_tokens = 0
        self.most_input_tokens = 0
        self.url = ""
        self._answers = answers

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
        said = await asyncio.to_thread(self._said, body, system, user)
        return web.json_response(_completion(said, cost))

    def _said(self, body: dict[str, Any], system: str, user: str) -> str:
        task = body.get("response_format", {}).get("json_schema", {}).get("name", "")
        if self._answers is None:
            return json.dumps(_answer(task, user, lies=self.lies), ensure_ascii=False)
        key = f"{task}-{sha256(user.encode()).hexdigest()[:8]}"
        kept = self._answers / f"{key}.json"
        if kept.exists():
            return kept.read_text("utf-8")
        (self._answers / f"{key}.txt").write_text(f"{system}\n\n{user}\n", "utf-8")
        return ""


def _answer(task: str, user: str, *, lies: bool) -> dict[str, Any]:
    match task:
        case "pick":
            ids = [match[1] for match in _LINE.finditer(user)][:10]
            return {"ids": [*ids, "i999"], "mended": []}
        case "stories":
            return {"stories": []}
        case "items":
            parts = _ITEM.split(user)[1:]
            pairs = zip(parts[::2], parts[1::2], strict=True)
            return {"items": [_form(name, text, lies=lies) for name, text in pairs]}
        case "query":
            asked = user.partition("question: ")[2].split("\n")[0]
            nothing = {"repos": [], "first": "", "last": "", "kinds": []}
            return nothing | {"names": list(names_of(asked))}
        case "lead" | "answer":
            return {"sentences": [_written(match, lies=lies) for match in _LINE.finditer(user)][:3]}
        case "check":
            sources = user.split("source:\n")
            found = list(_NUMBERED.finditer(user))
            checks = [_checked(match, sources) for match in found]
            # Of every second sentence it says that a limit was lost, and puts that in.
            rewritten = []
            for match, check in list(zip(found, checks, strict=True))[1::2]:
                check["limits"] = re.findall(r"\w+", check["words"])[-1]
                rewritten.append(_rewritten(match, check["limits"]))
            return {"checks": checks, "rewritten": rewritten}
        case "dive":
            said = _SAID.search(user)
            quote = said[2] if said else "nothing"
            text = f"It is so: {quote[:150]}"
            remark = {"kind": "insight", "quote": quote, "place": "s1", "en": text}
            return {"remarks": [remark | {"zh": _chinese(text)}]}
    return {}


def _form(name: str, text: str, *, lies: bool) -> dict[str, Any]:
    said = _SAID.search(text)
    title = _TITLE.search(text)
    zh = _chinese(said[2] if said else title[1] if title else "")
    fact = {
        "kind": "interface",
        "change": "added",
        "subject": "flag",
        "name": "--invented",
        "before": "",
        "after": "",
        "who": [],
        "conditions": [],
        "place": "title",
        "quote": "nobody wrote this",
    }
    found = {"id": name, "sentence": said[1] if said else "title", "zh": zh}
    return found | {"facts": [fact] if lies else []}


def _written(match: re.Match[str], *, lies: bool) -> dict[str, Any]:
    parts = [part for part in match[2].split(" | ") if not part.startswith("files: ")]
    text = parts[-1][:180]
    text = f"{text} `invented_name` is 77% faster" if lies else text
    return {"ids": [match[1]], "en": text, "zh": _chinese(text)}


def _checked(match: re.Match[str], sources: list[str]) -> dict[str, str]:
    words = " ".join(sources[min(int(match[1]), len(sources) - 1)].split()[:6])
    return {"number": match[1], "words": words, "missing": "", "confirmed": "yes"}


def _rewritten(match: re.Match[str], limit: str) -> dict[str, str]:
    lines = match.string[match.start() :].split("\nsource:")[0].split("\n")
    english, chinese = (*lines, "")[:2]
    english = english.partition(" ")[2]
    return {
        "number": match[1],
        "en": f"{english} ({limit})",
        "zh": f"{chinese}（{limit}）" if chinese else "",
    }


def _chinese(text: str) -> str:
    """Say in Chinese, roughly, that something is said: its names and figures, and as many nots."""
    names = " ".join(dict.fromkeys((*names_of(text), *re.findall(r"\d[\d.,]*\d|\d", text))))
    nots = "不" * len(re.findall(r"\b(?:not|no|never|without|cannot)\b|n't\b", text, re.IGNORECASE))
    return f"作者在此说明了这次改动的内容与影响{nots}，涉及：{'，以及'.join(names.split())}。"


@asynccontextmanager
async def serving_model(answers: Path | None = None, port: int = 0) -> AsyncIterator[SmallModel]:
    """Serve it on a port, a free one if none is given."""
    model = SmallModel(answers)
    application = web.Application(client_max_size=2**24)
    application.router.add_post("/v1/chat/completions", model.answer)
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    host, port = runner.addresses[0][:2]
    model.url = f"http://{host}:{port}/v1"
    try:
        yield model
    finally:
        await runner.cleanup()


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


async def _serve(answers: Path | None, port: int) -> None:
    async with serving_model(answers, port) as model:
        print(model.url, flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--answers", type=Path)
    parser.add_argument("--port", type=int, default=0)
    chosen = parser.parse_args()
    asyncio.run(_serve(chosen.answers, chosen.port))
