"""A model that answers by a script, and invented items of which something can be said."""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from digest.grades import Importance
from digest.models import FileChange, Item, ReadItem
from digest.ports import ModelAnswer, Request
from tests.conftest import PATIENCE
from tests.digest.writing.invented import judged, pull

WAITS = "Requests that wait for a blade are now dropped after `blade_timeout` seconds."
STOOD = "Before, they waited and the rotor was blocked."
WAITS_EN = "Requests that wait for a blade are dropped after blade_timeout seconds."
WAITS_ZH = "等待叶片的请求会在 blade_timeout 秒后被丢弃。"
STOOD_EN = "Before, such requests waited and the rotor was blocked."
STOOD_ZH = "此前，这类请求会等待，转子被阻塞。"
LIE_EN = "Requests are 9 times faster on H100."
LIE_ZH = "在 H100 上请求快 9 倍。"

Said = str | Exception
Script = Callable[[Request], Said]


def claim(
    quote: str = WAITS,
    en: str = WAITS_EN,
    zh: str = WAITS_ZH,
    *,
    kind: str = "what",
    quote_from: str = "body",
) -> dict[str, Any]:
    return {
        "kind": kind,
        "quote": quote,
        "quote_from": quote_from,
        "text_en": en,
        "text_zh": zh,
    }


def answer(*claims: Mapping[str, Any]) -> str:
    return json.dumps({"claims": list(claims)}, ensure_ascii=False)


NOTHING = answer()


def subject(number: int) -> str:
    """A word of its own for an item, so that no two say the same."""
    return f"blade{'abcdefghij'[number // 10 % 10]}{'klmnopqrst'[number % 10]}"


def own_claim(number: int) -> dict[str, Any]:
    """Something true of the item `weighty(number)` alone."""
    name = f"{subject(number)}_speed"
    return claim(
        f"The rotor now reads `{name}` before it turns the {subject(number)} shaft.",
        f"The rotor reads {name} before it turns the {subject(number)} shaft.",
        f"转子在转动 {subject(number)} 轴之前会读取 {name}。",
    )


def weighty(number: int, importance: Importance = Importance.MEDIUM, **more: Any) -> ReadItem:
    """A change with a description that says something of it alone."""
    name = subject(number)
    body = (
        f"The rotor now reads `{name}_speed` before it turns the {name} shaft.\n\n{WAITS} {STOOD}"
    )
    item = pull(number, f"Change {name}", body=body, files=(changed(name),))
    fields = {"theme": "theme.moe"} | more
    return judged(item, importance, **fields)


def changed(name: str) -> FileChange:
    patch = f"@@ -1,2 +1,3 @@\n import rotor\n+{name}_speed = 3\n"
    return FileChange(f"turbine/{name}.py", "modified", 1, 0, patch)


def with_body(item: Item, body: str) -> Item:
    return replace(item, body=body)


class Scripted:
    """Implements `digest.ports.Model`; it can be told to hang until it is let go."""

    def __init__(self, script: Script | Said = NOTHING) -> None:
        self.name = "scripted"
        self.script = script
        self.asked: list[Request] = []
        self.running = 0
        self.most_running = 0
        self.open = asyncio.Event()
        self.open.set()
        self._changed = asyncio.Condition()

    async def ask(self, request: Request) -> ModelAnswer:
        self.asked.append(request)
        self.running += 1
        self.most_running = max(self.most_running, self.running)
        try:
            async with self._changed:
                self._changed.notify_all()
            await asyncio.sleep(0)
            await self.open.wait()
        finally:
            self.running -= 1
        said = self.script(request) if callable(self.script) else self.script
        if isinstance(said, Exception):
            raise said
        return ModelAnswer(said, 100, 20)

    async def reached(self, running: int) -> None:
        """Wait until so many questions are in work."""
        async with asyncio.timeout(PATIENCE), self._changed:
            await self._changed.wait_for(lambda: self.running >= running)

    def tasks(self) -> list[str]:
        return [request.task for request in self.asked]


def own_words(request: Request) -> Said:
    """Say something true of whatever item of `weighty` is asked about, and nothing of themes."""
    if request.task != "gloss":
        return NOTHING
    return answer(own_claim(int(request.about.rsplit(":", 1)[-1])))


def by_number(says: Mapping[int, Said], other: Script = own_words) -> Script:
    def script(request: Request) -> Said:
        number = request.about.rsplit(":", 1)[-1]
        if request.task == "gloss" and number.isdigit() and int(number) in says:
            return says[int(number)]
        return other(request)

    return script


def keys(reads: Sequence[ReadItem]) -> list[str]:
    return [read.item.key for read in reads]
