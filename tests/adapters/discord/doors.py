"""What a face of Discord stands on in tests: the door, who hears, and what is kept, in memory."""

import asyncio
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

from bot.answer.button_handler import Press
from bot.compose.chat_reply import ChatReply
from bot.model.channel_commands import DAILY
from bot.model.channels import Channel, Person, Platform
from bot.wording.settings_form import SettingsForm
from digest.errors import StoreFailed
from digest.languages import Language
from digest.phrase import Phrase
from tests.adapters.heard_of_channels import Lives


class KeptValues:
    """Values in memory."""

    def __init__(self) -> None:
        self.kept: dict[str, str] = {}
        self.is_lost = False

    async def remember(self, values: Mapping[str, str]) -> None:
        self._refuse_lost()
        self.kept.update(values)

    async def add(self, name: str, value: str) -> None:
        await self.remember({name: value})

    async def recall(self, short: str) -> str | None:
        self._refuse_lost()
        return self.kept.get(short)

    def _refuse_lost(self) -> None:
        if self.is_lost:
            raise StoreFailed("the database cannot be reached")


class FakeChat:
    """The door: keeps what it was asked, and answers as it is told."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.reply: ChatReply | None = ChatReply.line("hello", Language.EN)
        self.error: Exception | None = None
        self.posts: list[tuple[Channel, str]] = []
        self.posts_error: Exception | None = None
        self.form = SettingsForm((), "09:00", "Asia/Shanghai", DAILY, Language.EN)
        self.looked = 0
        self.steps: list[Phrase] = []
        self.goes_on: asyncio.Event | None = None
        self.followups = SimpleNamespace(reconcile=self._reconcile)
        self.subscriptions = SimpleNamespace(form=self._form)
        self.delivering = SimpleNamespace(unreachable=Lives())

    async def _answer(self, name: str, **asked: Any) -> Any:
        self.asked.append((name, asked))
        if self.error:
            raise self.error
        return self.reply

    async def answer_text(
        self, text: str, channel: Channel, person: Person, *, tell: Any = None, post: Any = None
    ) -> Any:
        for step in self.steps:
            tell(step)
        if self.goes_on:
            await self.goes_on.wait()
        return await self._answer("answer_text", text=text, channel=channel, person=person)

    async def channel_language(self, channel: Channel) -> Language | None:
        return None

    async def give_file_from(self, name: str, url: str, channel: Channel, person: Person) -> Any:
        self.asked.append(("give_file_from", {"name": name, "url": url}))
        return self.reply

    async def ask(self, text: str, channel: Channel, person: Person) -> Any:
        return await self._answer("ask", text=text, channel=channel, person=person)

    async def flag(self, channel: Channel, message: Any, person: Person, at: Any) -> Any:
        return await self._answer("flag", channel=channel, message=message, person=person)

    async def deep_dive(self, channel: Channel, message: Any, person: Person, at: Any) -> Any:
        return await self._answer("deep_dive", channel=channel, message=message, person=person)

    async def press(self, press: Press) -> Any:
        asked = {"kind": press.kind, "value": press.value, "message": press.message}
        return await self._answer("press", **asked, person=press.person, thread=press.thread)

    async def react(
        self, kind: Any, channel: Channel, message: str, person: Person, **more: Any
    ) -> None:
        asked = {"kind": kind, "channel": channel, "message": message, "person": person}
        await self._answer("react", **asked, added=more["added"])

    async def _reconcile(
        self, channel: Channel, message: str, present: Any, at: Any, who: Any
    ) -> None:
        people = [await who(each) for some in present.values() for each in some]
        asked = {"channel": channel, "message": message, "present": present}
        await self._answer("reconcile", **asked, people=people)

    async def posted(self, platform: Platform, limit: int) -> Any:
        self.looked += 1
        if self.posts_error:
            raise self.posts_error
        return tuple(self.posts)

    async def repo_names(self, typed: str, channel: Channel, person: Person) -> tuple[str, ...]:
        return tuple(name for name in ("vllm", "sglang", "flashinfer") if typed in name)

    async def changes(
        self, typed: str, repo: str, channel: Channel, person: Person, limit: int
    ) -> Any:
        return ()

    async def _form(self, channel: Channel, person: Person) -> SettingsForm:
        return self.form


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


class LostHolds(KeptHolds):
    """Holds in a database that is lost for so many calls."""

    def __init__(self, lost: int) -> None:
        super().__init__()
        self.lost = lost

    async def take(self, name: str, owner: str, now: Any, until: Any) -> bool:
        self.lost -= 1
        if self.lost >= 0:
            raise StoreFailed("no database")
        return await super().take(name, owner, now, until)

    async def release(self, name: str, owner: str) -> None:
        raise StoreFailed("no database")
