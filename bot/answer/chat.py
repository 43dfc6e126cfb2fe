"""The door for chat platforms: what people type, press and react with, and what is due.

Nothing here raises for what a person did wrong or for what could not be looked at: see `ChatReply`.
A listener acknowledges first, calls one of these methods in a task of its own, and draws what comes
back with its own `render_parts`, for the person alone. What everybody sees (threads, shared
answers, questions, the state of follow-ups) is posted from here through the platform's `Publisher`.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import TypeVar

import structlog

from bot.answer.answers import Answers
from bot.answer.button_handler import ButtonHandler, MenuMessage, Press
from bot.answer.channel_answers import ChannelAnswers, language_of
from bot.answer.channel_settings import SUBSCRIBES, ChannelSettings, may_press
from bot.answer.command_handler import CommandHandler, UpgradeHandler
from bot.answer.overviews import FollowUpLists, Home
from bot.compose.chat_reply import ChatReply
from bot.compose.welcome import zone_question
from bot.deliver.background import BackgroundLook, FetchFile, log_failure
from bot.deliver.delivery import Delivering
from bot.deliver.posting import Sharing
from bot.followups.handler import FollowUpHandler
from bot.model.channel_commands import (
    ChannelCommand,
    Pause,
    Resume,
    Subscribe,
    Unsubscribe,
    asked_by_mention,
    asks_nothing,
    parse_chat,
    refuse_hour,
)
from bot.model.channels import Channel, Platform, Visit
from bot.model.commands import Question, parse_question
from bot.model.concerns import AddCodebase, AddFile, ChangeWords, RemoveConcern
from bot.model.parts import ActionKind, Part
from bot.model.policy import Policy, Visibility
from bot.model.ports import PublishError
from bot.model.records import LogEntry, LogKind
from bot.model.settings_form import FilledForm
from bot.store.store import ChannelStore
from bot.wording.channel_words import person_name
from digest.concern.ripple import RippleHistory
from digest.errors import InfraError, PrivateRepo, UnknownRepo
from digest.languages import Language
from digest.models import Repo
from digest.phrase import Example
from digest.ports import Clock, Source
from digest.wording.chat import ThreadWords
from digest.wording.phrases import SAY
from digest.wording.saying import CATALOGUES
from digest.writing.document import Document, Foreign, Paragraph
from digest.writing.phrasing import fill


def _words(command: Question | ChannelCommand, words: ThreadWords) -> str:
    """Return how a change is said; empty for what changes nothing."""
    match command:
        case Subscribe() | Unsubscribe():
            return words.changed_by
        case Pause():
            return words.paused_by
        case Resume():
            return words.resumed_by
        case ChangeWords() | AddCodebase() | AddFile() | RemoveConcern():
            return words.concern_by
    return ""


UTC = "UTC"
"""The zone of who has none."""

MOST_NAMES = 100
"""Names that a type-ahead is given; Slack shows so many, Discord the first 25 of them."""

Answered = TypeVar("Answered")

log = structlog.get_logger()


class Chat:
    """What the bot does in channels, for any platform."""

    def __init__(
        self,
        answers: Answers,
        visibility: Visibility,
        followups: FollowUpHandler,
        sharing: Sharing,
        delivering: Delivering,
        *,
        store: ChannelStore,
        clock: Clock,
        policy: Policy,
        tz: str,
        language: Language,
        source: Source,
        draw: Callable[[Document], str],
        fetch: FetchFile,
        ripple_history: RippleHistory,
        beside: Sequence[BackgroundLook] = (),
    ) -> None:
        """`policy` says who may change a channel, `tz` and `language` are for who has none.

        `beside` are what else has a turn at every look, `draw` makes a file of a page, `fetch`
        fetches a file from an address that somebody wrote.
        """
        self.beside: Sequence[BackgroundLook] = (followups, *beside)
        self.followups = followups
        self.sharing = sharing
        self.delivering = delivering
        self._store = store
        self._clock = clock
        self._fetch = fetch
        self.reading = reading = ChannelAnswers(
            answers, store, visibility, clock=clock, tz=tz, language=language
        )
        self.settings = settings = ChannelSettings(reading, store, sharing, policy, clock, fetch)
        self.lists = lists = FollowUpLists(reading, store, sharing, clock)
        upgrades = UpgradeHandler(source, reading, store, clock, draw)
        self._commands = CommandHandler(reading, settings, upgrades, lists, store, ripple_history)
        self._buttons = ButtonHandler(
            reading, followups, sharing, store, self._commands, settings, lists
        )
        self.home = Home(reading, settings, lists, store, clock)
        self._looking: asyncio.Task[None] | None = None

    async def answer_text(self, text: str, visit: Visit, *, post: str | None = None) -> ChatReply:
        """Answer what was typed after `/infra`; nothing at all is a call for help.

        `post` is where it was typed in a channel that has posts alone: a change is said there. A
        new subscription is due at once, and told by the next process that ticks.
        """

        async def answer() -> ChatReply:
            command = parse_chat(text)
            if confirmation := await self._confirmation(command, text, visit):
                return confirmation
            reply = await self._commands.answer(text, visit)
            reply = await self._announced(command, reply, visit, post)
            if isinstance(command, Subscribe | Resume | AddCodebase):
                self.tick(self._clock())
            return reply

        return await self._guarded(answer(), visit)

    async def ask(self, text: str, visit: Visit) -> ChatReply:
        """Answer what was typed where people can only ask, whatever the words are."""

        async def answer() -> ChatReply:
            refuse_hour(text)
            question = parse_question(text)
            return await self._commands.ask(question, visit, request=text)

        return await self._guarded(answer(), visit)

    async def operate(self, text: str, visit: Visit, reply: ChatReply | None = None) -> ChatReply:
        """Answer who runs the bot, and say in the channel what that changed; raises `InfraError`.

        `reply` is given for what was done already.
        """
        command = AddCodebase(Repo("", "")) if reply else parse_chat(text)
        reply = reply or await self._commands.answer(text, visit)
        return await self._announced(command, reply, visit)

    async def answer_mention(
        self, text: str, visit: Visit, *, thread: str, event_id: str
    ) -> ChatReply | None:
        """Answer a mention of the bot in a thread, there and for everybody.

        `text` is what stands after the mention, `thread` the reference of the thread's parent.
        What is given back, if anything, is for the person alone: what went wrong, or a form. An
        event that was seen before is answered by None.
        """

        async def answer() -> ChatReply | None:
            if not await self._is_new_event(visit.channel, event_id):
                return None
            command = parse_chat(text)
            reply = await self._confirmation(command, text, visit)
            if reply is None:
                reply = await self._commands.answer(text, visit, shareable=False)
                await self._logged(command, reply, visit)
            reply_alone = await self._shared(reply, text, visit.channel, thread)
            self.tick(self._clock())
            return reply_alone

        return await self._guarded(answer(), visit)

    async def ask_by_mention(
        self, text: str, visit: Visit, *, thread: str, event_id: str
    ) -> ChatReply | None:
        """Answer a mention as `answer_mention` does, where a platform itself says who may order.

        What can only be ordered is not done; nothing at all is a call for help. Without a `thread`
        the channel itself is answered.
        """

        async def answer() -> ChatReply | None:
            if not await self._is_new_event(visit.channel, event_id):
                return None
            if asks_nothing(text):
                reply = await self._commands.welcome(visit)
            else:
                reply = await self._commands.ask(asked_by_mention(text), visit)
            return await self._shared(reply, text, visit.channel, thread or None)

        return await self._guarded(answer(), visit)

    async def answer_direct(self, text: str, visit: Visit, *, event_id: str) -> ChatReply | None:
        """Answer what a person wrote to the bot alone, there, where it stays.

        What is given back, if anything, is a form, or what could not be posted. An event that was
        seen before is answered by None.
        """

        async def answer() -> ChatReply | None:
            if not await self._is_new_event(visit.channel, event_id):
                return None
            reply = await self.answer_text(text, visit)
            return await self._shared(replace(reply, is_personal=False), text, visit.channel, None)

        return await self._guarded(answer(), visit)

    async def _shared(
        self, reply: ChatReply, text: str, channel: Channel, thread: str | None
    ) -> ChatReply | None:
        """Post an answer to `text` for everybody; give back what is for the person alone.

        A file goes with answers to commands alone: here the answer says by which it is had.
        """
        if reply.form or reply.is_personal:
            return reply
        if reply.is_posted:
            return None
        parts = reply.parts
        if reply.file:
            whole = SAY.upgrades.whole_by(Example(" ".join(text.split())))
            parts += ChatReply.line(whole, reply.language).parts
        await self.sharing.share(parts, reply.language, channel, thread)
        return None

    async def flag(self, visit: Visit, message: MenuMessage, at: datetime) -> ChatReply:
        """Flag a message for follow-up by command: which item is asked of this person alone."""
        return await self._guarded(self._buttons.flag(visit, message, at), visit)

    async def deep_dive(self, visit: Visit, message: MenuMessage, at: datetime) -> ChatReply:
        """Explain the change that a message is about; of several, ask which."""
        return await self._guarded(self._buttons.deep_dive(visit, message, at), visit)

    async def posted(self, platform: Platform, limit: int) -> tuple[tuple[Channel, str], ...]:
        """Return the newest messages that reactions count on: channel and reference.

        Raises `StoreFailed`.
        """
        posts = await self._store.posts.newest(platform, limit)
        return tuple((post.channel, post.ref) for post in posts if post.message.about)

    async def press(self, press: Press) -> ChatReply | None:
        """Do what a button says; None where what there is to see is posted or edited already."""
        visit = press.visit
        if press.kind is ActionKind.UNSUBSCRIBE_ALL:
            work = self._unsubscribe_all(visit, press.post)
            return await self._guarded(work, visit)
        if press.kind is ActionKind.SET_UP and not may_press(visit.person):
            language = await self.settings.language(visit)
            return ChatReply.line(SAY.subscribing.managers_only, language, failed=True)
        sets_up = press.kind in (ActionKind.SUBSCRIBE, ActionKind.SET_UP)
        if sets_up and press.value.startswith(SUBSCRIBES):
            return await self.answer_text(press.value, visit, post=press.post)
        return await self._guarded(self._buttons.press(press), visit)

    async def _unsubscribe_all(self, visit: Visit, post: str | None) -> ChatReply:
        command = Unsubscribe()
        reply = await self.settings.unsubscribe(command, visit)
        return await self._announced(command, reply, visit, post)

    async def _confirmation(
        self, command: Question | ChannelCommand, text: str, visit: Visit
    ) -> ChatReply | None:
        """Ask back before everything of a channel is given up, and for an unknown zone."""
        match command:
            case Unsubscribe(()):
                return await self.settings.really_all(command, visit)
            case Subscribe(tz=None, repos=(_, *_)):
                self.settings.refuse_others(visit.person)
                current = await self.settings.seen_or_begun(visit)
                if current.repos or visit.person.tz or current.tz != UTC:
                    return None
                for name in command.repos:
                    await self.reading.repo(name, visit)
                language = command.language or current.language
                at = f"{command.at:%H:%M}" if command.at else ""
                return zone_question(" ".join(text.split()), at, language)
        return None

    async def _logged(
        self, command: Question | ChannelCommand, reply: ChatReply, visit: Visit
    ) -> str:
        """Keep in the channel's log what a command changed; give how it is said, if it did."""
        words = _words(command, CATALOGUES[reply.language].thread)
        if not words or reply.failed or reply.is_personal:
            return ""
        summary = reply.parts[0].summary
        entry = LogEntry(self._clock(), LogKind.CHANGED, summary, visit.person.name)
        await self._store.log.add(visit.channel, entry)
        return words

    async def _announced(
        self,
        command: Question | ChannelCommand,
        reply: ChatReply,
        visit: Visit,
        post: str | None = None,
    ) -> ChatReply:
        """Post the reply to a command that changed the channel; give what the person is told.

        What failed, changed nothing, or cannot be posted is for the person alone.
        """
        words = await self._logged(command, reply, visit)
        if not words:
            return reply
        name = person_name(visit.person.name, reply.language)
        by = Paragraph(fill(words, person=Foreign(name)))
        (first, *others) = reply.parts
        first = replace(first, blocks=(by, *first.blocks), summary=f"{name}: {first.summary}")
        try:
            await self.sharing.share((first, *others), reply.language, visit.channel, post)
        except PublishError as error:
            log.info("change not announced", channel=str(visit.channel), reason=str(error))
            return reply
        return replace(reply, is_posted=True)

    async def save_settings(self, filled: FilledForm, visit: Visit) -> ChatReply:
        """Set a channel as a form says: its repositories are those of the form, no others.

        What concerns the channel may fail by itself: the rest is set nevertheless, and both said.
        """

        async def save() -> ChatReply:
            reply = await self.settings.save_form(filled, visit)
            faults: tuple[Part, ...] = ()
            for command in await self.settings.not_so_yet(filled.concerns, visit.channel):
                try:
                    changed = await self.settings.concern(command, visit)
                except InfraError as error:
                    faults += ChatReply.line(_for_a_channel(error).why, reply.language).parts
                else:
                    await self._announced(command, changed, visit)
            reply = await self._announced(Subscribe(), reply, visit)
            self.tick(self._clock())
            if not faults:
                return reply
            saved = () if reply.is_posted else reply.parts
            return ChatReply((*saved, *faults), reply.language)

        return await self._guarded(save(), visit)

    async def give_file(
        self, name: str, read: Callable[[], Awaitable[str]], visit: Visit
    ) -> ChatReply:
        """Handle the file of a surface that somebody uploaded, which `read` gives."""

        async def give() -> ChatReply:
            self.settings.refuse_others(visit.person)
            reply = await self.settings.give(name, await read(), visit)
            return await self._announced(AddFile(name), reply, visit)

        return await self._guarded(give(), visit)

    async def give_file_from(self, name: str, url: str, visit: Visit) -> ChatReply:
        """Handle an uploaded file from the public address at which the platform has it."""
        return await self.give_file(name, lambda: self._fetch(url, name), visit)

    async def repo_names(self, typed: str, visit: Visit) -> tuple[str, ...]:
        """Return the aliases that begin with or hold what was typed, likeliest first.

        Raises `StoreFailed`.
        """
        wanted = typed.strip().casefold()
        names = await self.reading.names(visit)
        begin = [alias for alias in names if alias.startswith(wanted)]
        hold = [alias for alias, repo in names.items() if wanted in f"{alias} {repo}".casefold()]
        return tuple(dict.fromkeys((*begin, *hold)))[:MOST_NAMES]

    async def channel_language(self, channel: Channel) -> Language | None:
        """Return the language that a channel reads, None where it gets nothing.

        Raises `StoreFailed`.
        """
        subscription = await self._store.subscriptions.of(channel)
        return subscription.language if subscription else None

    async def _is_new_event(self, channel: Channel, event_id: str) -> bool:
        """Return whether an event was not seen before, and remember it."""
        now = self._clock()
        return await self._store.followups.change(
            channel, lambda ledger: ledger.is_new_event(event_id, now)
        )

    def tick(
        self, now: datetime, looked: Callable[[datetime], object] = lambda moment: None
    ) -> None:
        """Start whatever is due, without waiting; what is in work already is left alone.

        `looked` is called with `now` once everything was gone through, and not where that failed.
        """
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look(now, looked))
            self._looking.add_done_callback(partial(log_failure, "nothing could be looked up"))

    async def deliver_due(self, now: datetime) -> None:
        """Tell every channel what is due, and wait for all of them. Raises `StoreFailed`."""
        await self.delivering.start_due(now)
        await self.delivering.settle()

    async def settle(self) -> None:
        """Wait until nothing is in work any more."""
        if self._looking:
            await asyncio.wait([self._looking])
        await self.delivering.settle()
        for each in self.beside:
            await each.settle()

    async def stop(self) -> None:
        """Let go of what is in work; the next process goes on with it."""
        if self._looking:
            self._looking.cancel()
            await asyncio.wait([self._looking])
        for each in self.beside:
            await each.stop()
        await self.delivering.stop()

    async def _look(self, now: datetime, looked: Callable[[datetime], object]) -> None:
        await self.delivering.start_due(now)
        for each in self.beside:
            each.start(now)
        looked(now)

    async def _guarded(self, answer: Awaitable[Answered], visit: Visit) -> Answered | ChatReply:
        """Await an answer; what cannot be done is told by a line instead."""
        try:
            return await answer
        except InfraError as error:
            language = await self._language(visit)
            return ChatReply.line(_for_a_channel(error).why, language, failed=True)

    async def _language(self, visit: Visit) -> Language:
        """Return the language to say that something failed in; the store may be what failed."""
        try:
            return await self.settings.language(visit)
        except InfraError:
            return language_of(visit.person) or Language.EN


def _for_a_channel(error: InfraError) -> InfraError:
    """Return an error as a channel may hear it: that a private repository is there, it may not."""
    if isinstance(error, PrivateRepo):
        return UnknownRepo(SAY.github.no_repo(error.asked))
    return error
