"""The bot behind the door of Slack: it keeps what it was asked and answers what it is told to."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from dataclasses import fields
from types import SimpleNamespace
from typing import Any

from bot.answer.button_handler import Press
from bot.answer.chat import Chat
from bot.compose.chat_reply import ChatReply
from bot.model.channels import Channel, Person
from bot.model.ports import PublishError
from digest.languages import Language
from digest.phrase import Phrase
from tests.adapters.heard_of_channels import Lives

FIELDS = [field.name for field in fields(Press)]


class FakeChat:
    """Any method of the door by its own parameters: keeps what it was asked, and answers."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.reply: ChatReply | None = ChatReply.line("done", Language.EN)
        self.faults: dict[str, str] = {}
        self.subscriptions = SimpleNamespace(faults=self._faults)
        self.delivering = SimpleNamespace(unreachable=Lives())
        self.names: tuple[str, ...] = ("vllm", "sglang")
        self.error: Exception | None = None
        self.language: Language | Exception | None = None
        self.takes = 0.0
        self.steps: list[Phrase] = []
        self.goes_on: asyncio.Event | None = None

    def __getattr__(self, name: str) -> Callable[..., Awaitable[ChatReply | None]]:
        form = inspect.signature(getattr(Chat, name))

        async def answered(*given: Any, **named: Any) -> ChatReply | None:
            bound = form.bind(self, *given, **named)
            bound.apply_defaults()
            _, *asked = bound.arguments.items()
            return await self._answer(name, **dict(asked))

        return answered

    async def _answer(self, name: str, **asked: Any) -> ChatReply | None:
        self.asked.append((name, asked))
        for step in self.steps:
            asked["tell"](step)
        await asyncio.sleep(self.takes)
        if self.goes_on:
            await self.goes_on.wait()
        if self.error:
            raise self.error
        return self.reply

    async def press(self, press: Press) -> ChatReply | None:
        return await self._answer("press", **{name: getattr(press, name) for name in FIELDS})

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

    async def channel_language(self, channel: Channel) -> Language | None:
        if isinstance(self.language, Exception):
            raise self.language
        return self.language

    async def repo_names(self, typed: str, channel: Channel, person: Person) -> tuple[str, ...]:
        await self._answer("repo_names", typed=typed, channel=channel)
        return self.names
