"""The door for chat platforms: what people type, press and react with, and what is due.

Nothing here raises for what a person did wrong or for what could not be looked at: see `ChatReply`.
A listener acknowledges first, calls one of these methods in a task of its own, and draws what comes
back with its own `render_parts`, for the person alone. What everybody sees (threads, shared
answers, questions, the state of follow-ups) is posted from here through the platform's `Publisher`.
"""

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

import structlog

from bot import digest_reference
from bot.answer_parts import answer_parts
from bot.channel_answers import ChannelAnswers, language_of
from bot.channel_commands import (
    ListSubscriptions,
    ShowFollowUps,
    ShowSettings,
    Subscribe,
    Unsubscribe,
    parse_chat,
)
from bot.channels import Channel, Person, Platform
from bot.chat_reply import ChatReply
from bot.chat_sentences import FLAGGED, NOT_MINE, NOT_OPEN, NOTHING_HERE, SHARED
from bot.commands import ShowChange
from bot.delivery import Delivering
from bot.flagging import Flagging
from bot.followup_parts import choice_part, deep_dive_part, followups_part, read_choice
from bot.followups import FollowUp, Which, listing
from bot.item_keys import read_key
from bot.marks import Reaction, ReactionKind
from bot.missed import Present
from bot.parts import ActionKind
from bot.replies import HelpReply
from bot.settings_form import FormFaults, SettingsForm
from bot.sharing import Sharing
from bot.store.store import ChannelStore
from bot.subscribing import Subscribing
from bot.thread import show_all, show_rest
from digest.errors import InfraError, UsageError
from digest.languages import Language
from digest.models import ReadItem
from digest.ports import Clock

MOST_NAMES = 100
"""Names that a type-ahead is given; Slack shows so many, Discord the first 25 of them."""

REACTIONS = {
    ActionKind.FLAG: ReactionKind.FLAG,
    ActionKind.TAKE: ReactionKind.TAKE,
    ActionKind.DONE: ReactionKind.DONE,
}

Told = TypeVar("Told")

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Rooms:
    """The parts of the bot behind the door, each for one idea."""

    reading: ChannelAnswers
    subscribing: Subscribing
    flagging: Flagging
    sharing: Sharing
    delivering: Delivering


class Chat:
    """What the bot does in channels, for any platform."""

    def __init__(self, rooms: Rooms, store: ChannelStore, clock: Clock) -> None:
        self._rooms = rooms
        self._store = store
        self._clock = clock
        self._looking: asyncio.Task[None] | None = None

    async def answer_text(self, text: str, channel: Channel, person: Person) -> ChatReply:
        """Answer what was typed after `/infra`; nothing at all is a call for help."""

        async def answer() -> ChatReply:
            reply = await self.answer(text, channel, person)
            if isinstance(parse_chat(text), Subscribe):
                self.tick(self._clock())
            return reply

        return await self._told(answer(), person)

    async def answer(
        self, text: str, channel: Channel, person: Person, *, shareable: bool = True
    ) -> ChatReply:
        """Answer what was typed, for a face that tells errors itself; raises `InfraError`.

        A new subscription is due at once, and told by the next process that ticks.
        """
        command = parse_chat(text)
        subscribing = self._rooms.subscribing
        match command:
            case Subscribe():
                return await subscribing.subscribe(command, channel, person)
            case Unsubscribe():
                return await subscribing.unsubscribe(command, channel, person)
            case ListSubscriptions(language):
                wanted = language or await self._language(channel, person)
                return await subscribing.listed(channel, wanted)
            case ShowSettings(language):
                wanted = language or await self._language(channel, person)
                return await subscribing.settings(channel, person, wanted)
            case ShowFollowUps(which, language):
                wanted = language or await self._language(channel, person)
                return await self._followups(which, channel, person, wanted)
        reply = await self._rooms.reading.reply(command, channel, person)
        asked = text if shareable and not isinstance(reply, HelpReply) else ""
        return ChatReply(answer_parts(reply, asked=asked), reply.language)

    async def answer_mention(
        self, text: str, channel: Channel, person: Person, *, thread: str, event_id: str
    ) -> ChatReply | None:
        """Answer a mention of the bot in a thread, there and for everybody.

        `text` is what stands after the mention, `thread` the reference of the thread's parent.
        What is given back, if anything, is for the person alone: what went wrong, or a form. An
        event that was seen before is answered by None.
        """

        async def answer() -> ChatReply | None:
            if not await self.is_new_event(channel, event_id):
                return None
            reply = await self.answer(text, channel, person, shareable=False)
            if reply.form:
                return reply
            await self._rooms.sharing.share(reply.parts, reply.language, channel, thread)
            self.tick(self._clock())
            return None

        return await self._told(answer(), person)

    async def react(
        self,
        kind: ReactionKind,
        channel: Channel,
        message: str,
        person: Person,
        *,
        added: bool,
        at: datetime,
        event_id: str,
        in_channel: bool = True,
    ) -> None:
        """Take in a reaction on a message that came or went.

        `at` is when it happened as the platform says. `in_channel` is false for a person who is
        not a member. Reactions on messages that are not the bot's own change nothing. Raises
        `StoreFailed`, after which the event counts as unseen.
        """
        reaction = Reaction(kind, person, added, (), at, message, in_channel)
        await self._rooms.flagging.react(reaction, channel, event_id)

    async def flag(self, channel: Channel, message: str, person: Person, at: datetime) -> ChatReply:
        """Flag a message for follow-up by command: which item is asked of this person alone."""

        async def answer() -> ChatReply:
            language = await self._language(channel, person)
            post = await self._store.posts.at(channel, message)
            if post is None:
                return ChatReply.line(NOT_MINE[language], language, failed=True)
            match post.message.about:
                case ():
                    return ChatReply.line(NOTHING_HERE[language], language, failed=True)
                case (item_key,):
                    flagging = self._rooms.flagging
                    followup = await flagging.flag(channel, item_key, person, at, message)
                    return _flagged(followup, language)
            items = [await self._rooms.flagging.blank(channel, key) for key in post.message.about]
            return ChatReply((choice_part(message, items, language, private=True),), language)

        return await self._told(answer(), person)

    async def deep_dive(
        self, channel: Channel, message: str, person: Person, at: datetime
    ) -> ChatReply:
        """Explain the change that a message is about; of several, ask which."""

        async def answer() -> ChatReply | None:
            language = await self._language(channel, person)
            post = await self._store.posts.at(channel, message)
            if post is None or not post.message.about:
                nothing = NOTHING_HERE if post else NOT_MINE
                return ChatReply.line(nothing[language], language, failed=True)
            if len(post.message.about) == 1:
                (item_key,) = post.message.about
                return await self._press(ActionKind.DEEP_DIVE, item_key, channel, person, at)
            items = [await self._rooms.flagging.blank(channel, key) for key in post.message.about]
            return ChatReply((deep_dive_part(items, language),), language)

        told = await self._told(answer(), person)
        assert told is not None  # a deep dive is always answered
        return told

    async def reconcile(
        self, channel: Channel, message: str, present: Present, at: datetime
    ) -> None:
        """Take in the reactions that stand on a message, where some may have been missed.

        Raises `StoreFailed`.
        """
        await self._rooms.flagging.reconcile(channel, message, present, at)

    async def posted(self, platform: Platform, limit: int) -> tuple[tuple[Channel, str], ...]:
        """Give the newest messages that reactions count on: channel and reference.

        Raises `StoreFailed`.
        """
        posts = await self._store.posts.newest(platform, limit)
        return tuple((post.channel, post.ref) for post in posts if post.message.about)

    async def press(
        self,
        kind: ActionKind,
        value: str,
        channel: Channel,
        message: str,
        person: Person,
        at: datetime,
    ) -> ChatReply | None:
        """Do what a button says; `message` is the reference of the message it stands on.

        None where everything there is to see is already posted or edited.
        """
        return await self._told(self._press(kind, value, channel, person, at), person)

    async def settings(self, channel: Channel, person: Person) -> SettingsForm:
        """Give the settings of a channel as a form; a new one starts with the person's zone.

        Raises `StoreFailed`.
        """
        return await self._rooms.subscribing.form(channel, person)

    async def settings_faults(
        self, form: SettingsForm, channel: Channel, person: Person
    ) -> FormFaults:
        """Give one sentence for each field that cannot be, by its name; quick, asks nobody.

        Raises `StoreFailed`.
        """
        return await self._rooms.subscribing.faults(form, channel, person)

    async def save_settings(
        self, form: SettingsForm, channel: Channel, person: Person
    ) -> ChatReply:
        """Set a channel as a form says: its repositories are those of the form, no others."""

        async def save() -> ChatReply:
            reply = await self._rooms.subscribing.save_form(form, channel, person)
            self.tick(self._clock())
            return reply

        return await self._told(save(), person)

    async def repo_names(self, typed: str, channel: Channel) -> tuple[str, ...]:
        """Give the aliases that begin with or hold what was typed, likeliest first.

        Raises `StoreFailed`.
        """
        wanted = typed.strip().casefold()
        names = await self._rooms.reading.names(channel)
        begin = [alias for alias in names if alias.startswith(wanted)]
        hold = [alias for alias, repo in names.items() if wanted in f"{alias} {repo}".casefold()]
        return tuple(dict.fromkeys((*begin, *hold)))[:MOST_NAMES]

    async def changes(
        self, typed: str, repo: str, channel: Channel, limit: int
    ) -> tuple[ReadItem, ...]:
        """Give changes already told of a repository that hold what was typed.

        Nothing typed, and a repository that is none, give nothing. Raises `StoreFailed`.
        """
        if not any(letter.isalnum() for letter in typed):
            return ()
        try:
            return await self._rooms.reading.found(typed, channel, repo, limit)
        except UsageError:
            return ()

    async def is_new_event(self, channel: Channel, event_id: str) -> bool:
        """Tell whether an event was not seen before, and remember it.

        `answer_mention` and `react` ask by themselves. Raises `StoreFailed`.
        """
        async with self._store.followups.changing(channel) as ledger:
            return await ledger.is_new_event(event_id, self._clock())

    def tick(self, now: datetime) -> None:
        """Start whatever is due, without waiting; what is in work already is left alone."""
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._rooms.delivering.start_due(now))
            self._looking.add_done_callback(_logged)

    async def deliver_due(self, now: datetime) -> None:
        """Tell every channel what is due, and wait for all of them. Raises `StoreFailed`."""
        await self._rooms.delivering.start_due(now)
        await self._rooms.delivering.settle()

    async def settle(self) -> None:
        """Wait until nothing is in work any more."""
        if self._looking:
            await asyncio.wait([self._looking])
        await self._rooms.delivering.settle()

    async def stop(self) -> None:
        """Let go of what is in work; the next process goes on with it."""
        if self._looking:
            self._looking.cancel()
            await asyncio.wait([self._looking])
        await self._rooms.delivering.stop()

    async def _told(self, answer: Awaitable[Told], person: Person) -> Told | ChatReply:
        """Await an answer; what cannot be done is told by a line instead."""
        try:
            return await answer
        except InfraError as error:
            line = str(error).splitlines()[0]
            return ChatReply.line(line, language_of(person) or Language.EN, failed=True)

    async def _press(
        self, kind: ActionKind, value: str, channel: Channel, person: Person, at: datetime
    ) -> ChatReply | None:
        language = await self._language(channel, person)
        match kind:
            case ActionKind.FLAG | ActionKind.TAKE | ActionKind.DONE:
                flagging = self._rooms.flagging
                pressed = await flagging.press(REACTIONS[kind], value, channel, person, at)
                if pressed.changed or kind is not ActionKind.DONE:
                    return None
                text = NOT_OPEN[language].format(ref=pressed.followup.ref)
                return ChatReply.line(text, language, failed=True)
            case ActionKind.CHOOSE:
                return await self._choose(value, channel, person, at, language)
            case ActionKind.SHOW_ALL | ActionKind.SHOW_REST:
                repo, window = digest_reference.parse(value)
                digest = await self._rooms.reading.digest(repo, window, channel)
                subscription = await self._store.subscriptions.of(channel)
                shown = show_all if kind is ActionKind.SHOW_ALL else show_rest
                return ChatReply((shown(digest, language, subscription),), language)
            case ActionKind.FOLLOWUPS:
                which = Which(value) if value in tuple(Which) else Which.OPEN
                return await self._followups(which, channel, person, language)
            case ActionKind.DEEP_DIVE:
                key = read_key(value)
                change = ShowChange(str(key.repo), key.ref, language)
                reply = await self._rooms.reading.reply(change, channel, person)
                return ChatReply(answer_parts(reply, asked=key.command), reply.language)
            case ActionKind.SHARE:
                told = await self.answer(value, channel, person, shareable=False)
                await self._rooms.sharing.share(told.parts, told.language, channel, None)
                return ChatReply.line(SHARED[language], language)
            case ActionKind.PAGE:
                return None

    async def _choose(
        self, value: str, channel: Channel, person: Person, at: datetime, language: Language
    ) -> ChatReply | None:
        message, item_key, private = read_choice(value)
        post = await self._store.posts.at(channel, message)
        if post is None or item_key not in post.message.about:
            raise UsageError("this question is out of date: flag the message again")
        flagging = self._rooms.flagging
        if private:
            followup = await flagging.flag(channel, item_key, person, at, message)
            return _flagged(followup, language)
        await flagging.choose(message, item_key, channel, person, at)
        return None

    async def _followups(
        self, which: Which, channel: Channel, person: Person, language: Language
    ) -> ChatReply:
        followups = self._rooms.reading.visible(await self._store.followups.of(channel), channel)
        part = followups_part(listing(followups, which, person), language)
        return ChatReply((part,), language)

    async def _language(self, channel: Channel, person: Person) -> Language:
        return (await self._rooms.reading.asker(channel, person)).language


def _flagged(followup: FollowUp, language: Language) -> ChatReply:
    return ChatReply.line(FLAGGED[language].format(ref=followup.ref), language)


def _logged(task: "asyncio.Task[None]") -> None:
    error = None if task.cancelled() else task.exception()
    if error is not None:
        trace = None if isinstance(error, InfraError) else error
        log.error("nothing could be looked up", reason=str(error), exc_info=trace)
