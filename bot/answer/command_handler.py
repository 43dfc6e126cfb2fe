"""What people type in a channel, answered."""

from collections.abc import Hashable
from dataclasses import replace
from functools import partial

from cachetools import LRUCache

from bot.answer.answers import with_concerns
from bot.answer.channel_answers import ChannelAnswers
from bot.answer.channel_settings import ChannelSettings
from bot.answer.overviews import FollowUpLists
from bot.answer.upgrade_handler import UpgradeHandler
from bot.compose.answer_parts import answer_parts, is_shareable
from bot.compose.chat_reply import ChatReply
from bot.compose.welcome import CHOICE, welcome, which_digest
from bot.model.channel_commands import (
    UPGRADE,
    AskUpgrade,
    ListSubscriptions,
    Pause,
    Resume,
    ShowFollowUps,
    ShowSettings,
    Subscribe,
    Unsubscribe,
    Welcome,
    parse_chat,
)
from bot.model.channels import Channel, Person
from bot.model.commands import Question, parse_question
from bot.model.concerns import (
    AddCodebase,
    AddFile,
    ChangeWords,
    RemoveConcern,
    ShowConcern,
)
from bot.model.parts import Part
from bot.model.replies import DigestReply, Reply, WhyReply
from bot.model.subscriptions import Subscription
from bot.store.store import ChannelStore
from bot.wording.channel_words import why_shown_here
from digest.concern.ripple import RippleHistory
from digest.concern.surface import Surface
from digest.errors import UsageError
from digest.executor import DRAWING, in_executor
from digest.models import KNOWN
from digest.wording.phrases import SAY
from digest.wording.saying import CATALOGUES
from digest.writing.document import Foreign, Paragraph, Tone
from digest.writing.phrasing import fill

MOST_LOGGED = 8
"""Lines of a channel's log beside its settings."""

MOST_DAYS = 64
"""Written days kept in memory: some hundred kilobytes each at most."""


class CommandHandler:
    """Answers commands for a person of a channel. Methods raise `InfraError`."""

    def __init__(
        self,
        reading: ChannelAnswers,
        settings: ChannelSettings,
        upgrades: UpgradeHandler,
        lists: FollowUpLists,
        store: ChannelStore,
        ripple_history: RippleHistory,
    ) -> None:
        self._reading = reading
        self._settings = settings
        self._upgrades = upgrades
        self._lists = lists
        self._store = store
        self._ripple_history = ripple_history
        self._days: LRUCache[Hashable, tuple[Part, ...]] = LRUCache(MOST_DAYS)

    async def answer(
        self,
        text: str,
        channel: Channel,
        person: Person,
        *,
        shareable: bool = True,
    ) -> ChatReply:
        """Answer what was typed; `shareable` puts a Share button below what others may want."""
        command = parse_chat(text)
        settings = self._settings
        match command:
            case Welcome():
                return await self.welcome(channel, person)
            case Subscribe():
                return await settings.subscribe(command, channel, person)
            case Unsubscribe():
                return await settings.unsubscribe(command, channel, person)
            case Pause():
                return await settings.pause(command, channel, person)
            case Resume():
                return await settings.resume(command, channel, person)
            case ShowConcern() | ChangeWords() | AddCodebase() | AddFile() | RemoveConcern():
                return await settings.concern(command, channel, person)
            case AskUpgrade():
                return await self._upgrades.answer(command, channel, person, shareable=shareable)
            case ListSubscriptions(language):
                language = language or await settings.language(channel, person)
                return await settings.listed(channel, person, language)
            case ShowSettings(language):
                language = language or await settings.language(channel, person)
                return await settings.settings(channel, person, language)
            case ShowFollowUps(which, language):
                language = language or await settings.language(channel, person)
                return await self._lists.reply(which, channel, person, language)
        return await self.ask(command, channel, person, request=text if shareable else "")

    async def welcome(self, channel: Channel, person: Person) -> ChatReply:
        """Say what the bot is for, to who asked for nothing yet."""
        own, names = await self._subscribed(channel, person)
        language = await self._settings.language(channel, person)
        return welcome(own, names, next(iter((*names, *KNOWN))), language)

    async def press_ask(self, request: str, channel: Channel, person: Person) -> ChatReply:
        """Answer what a button asks; `CHOICE` asks which repository is meant."""
        if request.startswith(f"{UPGRADE} "):
            return await self.answer(request, channel, person)
        if request != CHOICE:
            return await self.ask(parse_question(request), channel, person, request=request)
        _, own = await self._subscribed(channel, person)
        names = own or tuple(await self._reading.names(channel, person))
        return which_digest(names, await self._settings.language(channel, person))

    async def _subscribed(
        self, channel: Channel, person: Person
    ) -> tuple[Subscription | None, tuple[str, ...]]:
        """Return what a channel gets as far as a person may hear of it, and how it is asked for."""
        own = await self._settings.seen(channel, person)
        aliases = {repo: alias for alias, repo in reversed(list(KNOWN.items()))}
        return own, tuple(aliases.get(repo, str(repo)) for repo in (own.repos if own else ()))

    async def ask(
        self, question: Question, channel: Channel, person: Person, *, request: str = ""
    ) -> ChatReply:
        """Answer a question; `request`, as typed, is for the Share button."""
        reply = await self._reply(question, channel, person)
        parts = await self._parts(reply, request)
        parts = await self._lists.shown_on(parts, channel, reply.language)
        return ChatReply((*parts, *await self._here(reply, channel)), reply.language)

    async def shared(self, request: str, channel: Channel, person: Person) -> ChatReply:
        """Answer a question for everybody, who are told whose it is and what was asked.

        Raises `UsageError` for words that are no question, and where nobody would learn anything.
        """
        reply = await self._reply(parse_question(request), channel, person)
        if not is_shareable(reply):
            raise UsageError(SAY.chat.nothing_to_share)
        parts = await self._lists.shown_on(await self._parts(reply, ""), channel, reply.language)
        first, *others = (*parts, *await self._here(reply, channel))
        words = CATALOGUES[reply.language].thread.shared_by
        heading = fill(words, person=Foreign(person.name), asked=Foreign(" ".join(request.split())))
        blocks = (Paragraph(heading, Tone.SMALL), *first.blocks)
        summary = f"{person.name}: {first.summary}"
        return ChatReply((replace(first, blocks=blocks, summary=summary), *others), reply.language)

    async def _reply(self, question: Question, channel: Channel, person: Person) -> Reply:
        """Answer a question; a digest begins with what concerns the channel, as in the morning."""
        reply = await self._reading.reply(question, channel, person)
        seen = await self._reading.seen_concerns(channel, person)
        surfaces = [each.surface for each in seen if each.surface != Surface()]
        may_hear = partial(self._reading.may_hear, channel=channel, person=person)
        return await with_concerns(reply, surfaces, self._ripple_history, may_hear)

    async def _here(self, reply: Reply, channel: Channel) -> tuple[Part, ...]:
        """Say of an item that is explained why this channel was told it, or was not."""
        if not isinstance(reply, WhyReply):
            return ()
        subscription = await self._store.subscriptions.of(channel)
        item = reply.read.item
        record = await self._store.sources.of(item.repo)
        names = (str(item.repo), *record.formerly)
        keys = [item.key.replace(str(item.repo), name, 1) for name in names]
        mentions = await self._store.mentions.of(channel, *keys)
        sentence = why_shown_here(reply.read, subscription, mentions, reply.language)
        return ChatReply.line(sentence, reply.language).parts if sentence else ()

    async def _parts(self, reply: Reply, request: str) -> tuple[Part, ...]:
        """Write an answer; a day that many ask for is written once."""
        make = partial(answer_parts, reply, request=request)
        if not isinstance(reply, DigestReply) or reply.surfaces:
            return await in_executor(make, DRAWING)
        reading, digest = reply.digest.reading, reply.digest
        made_of = (
            *(reading.repo, reading.window, reading.collected_at, digest.generated_at),
            *(repr((digest.remarks, digest.model)), reply.language, request),
        )
        parts = self._days.get(made_of)
        if parts is None:
            parts = self._days[made_of] = await in_executor(make, DRAWING)
        return parts
