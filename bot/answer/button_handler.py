"""What people press: buttons of messages, and the commands that a message has in its menu."""

from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from bot.answer.channel_answers import ChannelAnswers
from bot.answer.channel_settings import ChannelSettings
from bot.answer.command_handler import CommandHandler
from bot.answer.overviews import FollowUpLists
from bot.compose.answer_parts import HERE, answer_parts, flag_one, read_flag_one
from bot.compose.chat_reply import ChatReply
from bot.compose.followup_parts import (
    LISTED,
    PRIVATE,
    choice_part,
    deep_dive_part,
    notice_part,
    read_choice,
    read_elsewhere,
)
from bot.compose.item_part import awaits, standing
from bot.compose.thread import show_all, show_rest
from bot.deliver.posting import Sharing
from bot.followups.followup_messages import Spot
from bot.followups.handler import FollowUpHandler
from bot.model import references
from bot.model.channels import Channel, Visit
from bot.model.commands import ShowChange
from bot.model.followups import FollowUp, FollowUpState, ReactionKind, Which
from bot.model.parts import Action, ActionKind
from bot.model.references import read_key
from bot.store.store import ChannelStore
from digest.errors import CouldNotLook, UsageError
from digest.executor import DRAWING, in_executor
from digest.languages import Language
from digest.wording.phrases import SAY
from digest.wording.saying import CATALOGUES
from digest.writing.document import Words
from digest.writing.phrasing import fill

REACTIONS = {
    ActionKind.FLAG: ReactionKind.FLAG,
    ActionKind.TAKE: ReactionKind.TAKE,
    ActionKind.DONE: ReactionKind.DONE,
}
FOLLOWING_UP = {
    *REACTIONS,
    ActionKind.REOPEN,
    ActionKind.WATCH,
    ActionKind.CHOOSE,
    ActionKind.WHICH,
}
"""What only those press who may follow up."""
SHOWN = {
    ActionKind.SHOW_ALL: show_all,
    ActionKind.SHOW_REST: show_rest,
    ActionKind.SHOW_BITES: show_all,
}
"""What opens a part of a digest that a thread tells short; no new message has `SHOW_BITES`."""


BELOW = ">"
"""Stands in a choice for the message of somebody else: what it is posted below follows."""

MOST_OFFERED = 100
"""Items of an answer to choose from: what one of Slack's menus and four of Discord's hold."""


@dataclass(frozen=True, slots=True)
class Press:
    """A button that somebody pressed.

    `message` is the reference of the message that it stands on, `thread` that of the parent where
    it was pressed in a thread, `post` as in `bot.answer.chat.Chat.answer_text`.
    """

    kind: ActionKind
    value: str
    visit: Visit
    message: str
    at: datetime
    thread: str = ""
    post: str | None = None


@dataclass(frozen=True, slots=True)
class MenuMessage:
    """The message that a command in its menu was used on.

    `text` is what it says, links as their addresses, and `thread` the reference of what an answer
    to it is posted below, empty for the channel itself.
    """

    ref: str
    text: str = ""
    thread: str = ""


@dataclass(frozen=True)
class ButtonHandler:
    """Does what buttons say, in the name of who pressed them. Methods raise `InfraError`."""

    reading: ChannelAnswers
    followups: FollowUpHandler
    sharing: Sharing
    store: ChannelStore
    commands: CommandHandler
    settings: ChannelSettings
    lists: FollowUpLists

    async def press(self, press: Press) -> ChatReply | None:
        """Do what a button says; None where everything there is to see is posted already."""
        visit, value = press.visit, press.value
        language = await self.settings.language(visit)
        match press.kind:
            case kind if kind in FOLLOWING_UP:
                return await self._following_up(press, Spot(press.thread or None, language))
            case ActionKind.SHOW_ALL | ActionKind.SHOW_REST | ActionKind.SHOW_BITES:
                return await self._show(press, language)
            case ActionKind.FOLLOWUPS:
                which = Which(value) if value in tuple(Which) else Which.OPEN
                return await self.lists.reply(which, visit, language)
            case ActionKind.FLAG_ONE:
                return await self._which(press)
            case ActionKind.DEEP_DIVE:
                key = read_key(value)
                change = ShowChange(str(key.repo), key.ref, language=language)
                reply = await self.reading.reply(change, visit)
                parts = await in_executor(
                    partial(answer_parts, reply, request=key.command), DRAWING
                )
                shown = await self.lists.shown_on(parts, visit.channel, reply.language)
                return ChatReply(shown, reply.language)
            case ActionKind.ASK:
                return await self.commands.press_ask(value, visit)
            case ActionKind.SET_UP:
                return await self.settings.settings(visit, language)
            case ActionKind.SHARE:
                if not visit.person.may_write:
                    raise UsageError(SAY.chat.may_not_share)
                shared = await self.commands.shared(value, visit)
                parent = press.thread or None
                await self.sharing.share(shared.parts, shared.language, visit.channel, parent)
                return ChatReply.line(SAY.replies.shared, language)
            case _:
                return None

    async def _following_up(self, press: Press, spot: Spot) -> ChatReply | None:
        """Do what a button says of follow-ups, wherever it stands, and show what came of it there.

        A list is shown anew; below an answer, which is kept nowhere, how the item stands now.
        """
        visit, language = press.visit, spot.language
        self.followups.refuse_others(visit.person)
        if there := read_elsewhere(press.value):
            return await self._elsewhere(press, *there, language)
        meant = press.value.removeprefix(LISTED)
        reply = await self._follow_up(replace(press, value=meant), spot)
        if reply is None and meant != press.value:
            return await self.lists.reply(Which.OPEN, visit, language)
        if reply or await self.store.posts.at(visit.channel, press.message):
            return reply
        followup = await self.store.followups.one(visit.channel, meant)
        return ChatReply((notice_part(followup, language),), language) if followup else None

    async def _follow_up(self, press: Press, spot: Spot) -> ChatReply | None:
        """Do what a button says of follow-ups; None where it is seen on the messages.

        A message that is kept nowhere is an answer for the person alone: what no message of the
        channel shows then is told at the spot. What is kept and cannot be shown now is told to the
        person.
        """
        followups, language = self.followups, spot.language
        kind, value, visit, at = press.kind, press.value, press.visit, press.at
        if kind is ActionKind.CHOOSE:
            return await self._choose(press, spot)
        if kind is ActionKind.WHICH:
            waiting = await followups.next_question(visit)
            if waiting is None:
                return ChatReply.line(
                    CATALOGUES[language].replies.nobody_asks, language, failed=True
                )
            return ChatReply((waiting[0],), waiting[1])
        await self.reading.refuse_hidden(read_key(value).repo, visit)
        if kind is ActionKind.WATCH:
            hears, followup = await followups.watch(value, visit, at)
            words = CATALOGUES[language].upstream
            if not awaits(followup):
                ref, became = Words(followup.ref), standing(followup, language)
                return ChatReply.line(fill(words.over, ref=ref, became=became), language)
            answer = words.watching if hears else words.watching_no_more
            return ChatReply.line(answer.format(ref=followup.ref), language)
        is_flag = kind is ActionKind.FLAG
        if is_flag and await self.store.posts.at(visit.channel, press.message) is None:
            followup = await followups.flag(value, visit, at, press.message, spot)
            return _flagged(followup, language)
        reopens = kind is ActionKind.REOPEN
        reaction = ReactionKind.DONE if reopens else REACTIONS[kind]
        changed, is_shown, followup = await followups.press(
            reaction, value, visit, at, reopens=reopens
        )
        if is_shown and (changed or kind is ActionKind.FLAG):
            return None
        if followup.state is FollowUpState.GONE:
            return ChatReply.line(SAY.replies.not_open(followup.ref), language, failed=True)
        return ChatReply((notice_part(followup, language),), language, failed=not changed)

    async def _elsewhere(
        self, press: Press, channel: Channel, key: str, language: Language
    ) -> ChatReply | None:
        """Follow up an item of another channel, of who is in it."""
        there = replace(press.visit, channel=channel)
        if not await self.lists.is_in(there, was_there=True):
            raise UsageError(SAY.followups.old_button)
        elsewhere = replace(press, visit=there, value=key, message="")
        return await self._follow_up(elsewhere, Spot(None, language))

    async def flag(self, visit: Visit, message: MenuMessage, at: datetime) -> ChatReply:
        """Flag a message for follow-up by command: which item is asked of this person alone."""
        self.followups.refuse_others(visit.person)
        language = await self.settings.language(visit)
        items = await self._items(visit, message)
        if not items:
            return _nothing(items, language)
        if len(items) == 1:
            key, spot = items[0].item_key, Spot(message.thread or None, language)
            followup = await self.followups.flag(key, visit, at, message.ref, spot)
            return _flagged(followup, language)
        is_own = await self.store.posts.at(visit.channel, message.ref) is not None
        place = message.ref if is_own else f"{BELOW}{message.thread}"
        return ChatReply((choice_part(place, items, language),), language)

    async def deep_dive(self, visit: Visit, message: MenuMessage, at: datetime) -> ChatReply:
        """Explain the change that a message is about; of several, ask which."""
        language = await self.settings.language(visit)
        items = await self._items(visit, message)
        if not items:
            return _nothing(items, language)
        if len(items) == 1:
            key = items[0].item_key
            press = Press(ActionKind.DEEP_DIVE, key, visit, message.ref, at)
            reply = await self.press(press)
            assert reply is not None  # a deep dive is always answered
            return reply
        return ChatReply((deep_dive_part(items, language),), language)

    async def _items(self, visit: Visit, message: MenuMessage) -> tuple[FollowUp, ...] | None:
        """Return what a message of the bot's is about, or what somebody else's links.

        None for one that neither is the bot's own nor links anything that is watched. Raises
        `CouldNotLook` where nothing of what is linked can be looked at.
        """
        about = await self._about(visit, message.ref)
        if about is not None:
            return tuple([await self.followups.blank(visit.channel, key) for key in about])
        found: list[FollowUp] = []
        missing: CouldNotLook | None = None
        for repo, ref in await self.reading.linked(message.text, visit):
            try:
                found.append(await self.followups.found(visit.channel, repo, ref))
            except CouldNotLook as error:
                missing = error
        if missing and not found:
            raise missing
        return tuple({each.item_key: each for each in found}.values()) or None

    async def _which(self, press: Press) -> ChatReply:
        """Ask which item is to be flagged: of the message, or of an answer, which is given anew."""
        visit = press.visit
        if press.value == HERE:
            here = MenuMessage(press.message, thread=press.thread)
            return await self.flag(visit, here, press.at)
        self.followups.refuse_others(visit.person)
        language = await self.settings.language(visit)
        kind, value = read_flag_one(press.value)
        reply = await self.press(replace(press, kind=kind, value=value))
        keys = dict.fromkeys(key for part in reply.parts for key in part.about) if reply else {}
        place, offered = visit.channel, list(keys)[:MOST_OFFERED]
        items = [await self.followups.blank(place, key) for key in offered]
        if not items:
            return _nothing((), language)
        return ChatReply((choice_part("", items, language),), language)

    async def _about(self, visit: Visit, message: str) -> tuple[str, ...] | None:
        """Return the items of a message that a person may still hear of.

        None for a message that is not the bot's own.
        """
        post = await self.store.posts.at(visit.channel, message)
        if post is None:
            return None
        repos = {key: read_key(key).repo for key in post.message.about}
        hidden = await self.reading.hidden(set(repos.values()), visit)
        return tuple(key for key, repo in repos.items() if repo not in hidden)

    async def _show(self, press: Press, language: Language) -> ChatReply:
        repo, window = references.read_digest_reference(press.value)
        digest = await self.reading.digest(repo, window, press.visit)
        subscription = await self.store.subscriptions.of(press.visit.channel)
        shown = SHOWN[press.kind]
        part = await in_executor(partial(shown, digest, language, subscription), DRAWING)
        if part.about:
            part = replace(
                part, actions=(*part.actions, flag_one(press.kind, press.value, language))
            )
        return ChatReply((part,), language)

    async def _choose(self, press: Press, spot: Spot) -> ChatReply | None:
        visit, at, language = press.visit, press.at, spot.language
        message, item_key = read_choice(press.value)
        about = await self._about(visit, message)
        if about is None and press.value.startswith(f"{PRIVATE}|"):
            # of an answer for one person, or of what a message of somebody else's links
            await self.reading.refuse_hidden(read_key(item_key).repo, visit)
            spot = replace(spot, parent=message.removeprefix(BELOW) or spot.parent)
            followup = await self.followups.flag(item_key, visit, at, "", spot)
            return _flagged(followup, language)
        if item_key not in (about or ()):
            raise UsageError(SAY.followups.old_question)
        followup = await self.followups.choose(message, item_key, visit, at)
        line = CATALOGUES[language].replies.flagged(followup.ref)
        waiting = await self.followups.next_question(visit, line)
        if waiting:
            return ChatReply((waiting[0],), waiting[1])
        return _flagged(followup, language)


def _nothing(about: tuple[object, ...] | None, language: Language) -> ChatReply:
    line = SAY.replies.not_mine if about is None else SAY.replies.nothing_here
    return ChatReply.line(line, language, failed=True)


def _flagged(followup: FollowUp, language: Language) -> ChatReply:
    """Say that an item is flagged; who flagged it may hear of it until it is released."""
    reply = ChatReply.line(SAY.replies.flagged(followup.ref), language)
    if not awaits(followup):
        return reply
    return reply.offering(Action.usual(ActionKind.WATCH, followup.item_key, language))
