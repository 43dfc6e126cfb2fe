"""The bot behind the door of a platform's face, and what is kept for it, in memory."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from types import SimpleNamespace
from typing import Any

from bot.answer.button_handler import Press
from bot.answer.chat import Chat
from bot.compose.chat_reply import ChatReply
from bot.model.channels import Channel, Platform, Visit
from bot.model.followups import Reaction
from bot.model.ports import PublishError
from bot.model.subscriptions import Subscription
from digest.errors import StoreFailed
from digest.languages import Language
from digest.models import ReadItem
from tests.bot.channels_invented import subscription

FIELDS = [field.name for field in fields(Press)]


@dataclass
class Lives:
    """Stands for `bot.deliver.subscriber_notices.UnreachableChannels`."""

    said: list[tuple[Any, ...]] = field(default_factory=list)

    async def back(self, channel: Channel, *, certain: bool = True) -> None:
        self.said.append(("back", channel, certain))

    async def workspace_back(self, platform: Platform, workspace: str) -> None:
        self.said.append(("workspace back", platform, workspace))


class FakeChat:
    """Any method of the door by its own parameters: keeps what it was asked, and answers."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.reply: ChatReply | None = ChatReply.line("done", Language.EN)
        self.error: Exception | None = None
        self.errors: list[Exception] = []
        self.faults: dict[str, str] = {}
        self.names: tuple[str, ...] = ("vllm", "sglang", "flashinfer")
        self.takes = 0.0
        self.goes_on: asyncio.Event | None = None
        self.posts: list[tuple[Channel, str]] = []
        self.looked = 0
        self.found: tuple[ReadItem, ...] = ()
        self.current = replace(subscription(tz="Asia/Shanghai"), repos=())
        self.followups = SimpleNamespace(reconcile=self._reconcile, react=self._react)
        self.reading = SimpleNamespace(changes=self._changes)
        self.settings = SimpleNamespace(faults=self._faults, seen_or_begun=self._current)
        self.delivering = SimpleNamespace(unreachable=Lives())

    def __getattr__(self, name: str) -> Callable[..., Awaitable[ChatReply | None]]:
        form = inspect.signature(getattr(Chat, name))

        async def answered(*given: Any, **named: Any) -> ChatReply | None:
            bound = form.bind(self, *given, **named)
            bound.apply_defaults()
            _, *asked = bound.arguments.items()
            return await self._answer(name, **dict(asked))

        return answered

    async def _answer(self, called: str, /, **asked: Any) -> ChatReply | None:
        if self.errors:
            raise self.errors.pop()
        if visit := asked.pop("visit", None):
            asked |= {"channel": visit.channel, "person": visit.person}
        self.asked.append((called, asked))
        await asyncio.sleep(self.takes)
        if self.goes_on:
            await self.goes_on.wait()
        if self.error:
            raise self.error
        return self.reply

    async def press(self, press: Press) -> ChatReply | None:
        return await self._answer("press", **{name: getattr(press, name) for name in FIELDS})

    async def _faults(self, filled: Any, visit: Visit) -> Any:
        await self._answer("settings_faults", filled=filled, visit=visit)
        return self.faults

    async def give_file(self, name: str, read: Any, visit: Visit) -> Any:
        try:
            text = await read()
        except PublishError as error:
            text = str(error.why.values[0])
        self.asked.append(("give_file", {"name": name, "text": text}))
        return self.reply

    async def channel_language(self, channel: Channel) -> Language | None:
        return None

    async def repo_names(self, typed: str, visit: Visit) -> tuple[str, ...]:
        await self._answer("repo_names", typed=typed, visit=visit)
        return tuple(name for name in self.names if typed in name)

    async def _reconcile(
        self, channel: Channel, message: str, present: Any, at: Any, who: Any
    ) -> None:
        people = [await who(each) for some in present.values() for each in some]
        asked = {"channel": channel, "message": message, "present": present}
        await self._answer("reconcile", **asked, people=people)

    async def _react(self, reaction: Reaction, channel: Channel, event_id: str = "") -> None:
        said = {each.name: getattr(reaction, each.name) for each in fields(Reaction)}
        await self._answer("react", **said, channel=channel, event_id=event_id)

    async def posted(self, platform: Platform, limit: int) -> Any:
        self.looked += 1
        if self.errors:
            raise self.errors.pop()
        return tuple(self.posts)

    async def _changes(self, *asked: Any) -> Any:
        return self.found

    async def _current(self, visit: Visit) -> Subscription:
        return self.current


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


class KeptHolds:
    """Holds in memory, or in a database that is lost for so many calls."""

    def __init__(self, lost: int = 0) -> None:
        self.owner = ""
        self.lost = lost

    async def take(self, name: str, owner: str, now: Any, until: Any) -> bool:
        self.lost -= 1
        if self.lost >= 0:
            raise StoreFailed("no database")
        if self.owner not in ("", owner):
            return False
        self.owner = owner
        return True

    async def release(self, name: str, owner: str) -> None:
        if self.owner == owner:
            self.owner = ""
