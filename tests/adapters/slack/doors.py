"""The bot behind the door of Slack: it keeps what it was asked and answers what it is told to."""

import asyncio
from types import SimpleNamespace
from typing import Any

from bot.compose.chat_reply import ChatReply
from bot.model.channels import Channel, Person
from bot.model.ports import PublishError
from bot.wording.settings_form import SettingsForm
from digest.languages import Language
from digest.phrase import Phrase


class FakeChat:
    """The bot behind the door: keeps what it was asked and answers what it is told to."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.reply: ChatReply | None = ChatReply.line("done", Language.EN)
        self.form = SettingsForm(("vllm-project/vllm",), "09:00", "UTC", "daily", "en")
        self.faults: dict[str, str] = {}
        self.subscribing = SimpleNamespace(faults=self._faults)
        self.names: tuple[str, ...] = ("vllm", "sglang")
        self.error: Exception | None = None
        self.language: Language | Exception | None = None
        self.takes = 0.0
        self.steps: list[Phrase] = []
        self.goes_on: asyncio.Event | None = None

    async def _answer(self, name: str, **asked: Any) -> ChatReply | None:
        self.asked.append((name, asked))
        await asyncio.sleep(self.takes)
        if self.goes_on:
            await self.goes_on.wait()
        if self.error:
            raise self.error
        return self.reply

    async def answer_text(
        self, text: str, channel: Channel, person: Person, *, tell: Any = None
    ) -> ChatReply | None:
        for step in self.steps:
            tell(step)
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

    async def answer_direct(self, text: str, channel: Channel, person: Person, **more: Any) -> Any:
        return await self._answer(
            "answer_direct", text=text, channel=channel, person=person, **more
        )

    async def flag(self, channel: Channel, message: Any, person: Person, at: Any) -> Any:
        return await self._answer("flag", channel=channel, message=message, person=person, at=at)

    async def press(
        self,
        kind: Any,
        value: str,
        channel: Channel,
        message: str,
        person: Person,
        at: Any,
        thread: str = "",
    ) -> Any:
        asked = {"kind": kind, "value": value, "channel": channel, "message": message}
        return await self._answer("press", **asked, person=person, at=at, thread=thread)

    async def _faults(self, form: Any, channel: Channel, person: Person) -> Any:
        await self._answer("settings_faults", form=form, channel=channel, person=person)
        return self.faults

    async def give_file(self, name: str, read: Any, channel: Channel, person: Person) -> Any:
        try:
            text = await read()
        except PublishError as error:
            text = str(error.why.values[0])
        self.asked.append(("give_file", {"name": name, "text": text}))
        return self.reply

    async def save_settings(self, form: Any, channel: Channel, person: Person) -> Any:
        return await self._answer("save_settings", form=form, channel=channel, person=person)

    async def channel_language(self, channel: Channel) -> Language | None:
        if isinstance(self.language, Exception):
            raise self.language
        return self.language

    async def repo_names(self, typed: str, channel: Channel, person: Person) -> tuple[str, ...]:
        await self._answer("repo_names", typed=typed, channel=channel)
        return self.names
