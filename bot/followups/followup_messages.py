"""How follow-ups and questions stand, shown on the bot's own messages; one at a time per channel.

What is shown is read anew when its turn comes, so that many changes at once end in what holds, and
a change is kept before anything of it is shown: a channel may get one message a second.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from weakref import WeakValueDictionary

import structlog

from bot.compose.followup_parts import (
    choice_part,
    invitation_part,
    notice_part,
    with_corrections,
    with_states,
)
from bot.compose.item_part import with_state
from bot.deliver.posting import Sharing
from bot.deliver.subscriber_notices import kind_of
from bot.model.channels import Channel
from bot.model.following import UNKNOWN
from bot.model.followups import FollowUp, FollowUpState, Question
from bot.model.parts import Part, PartKind
from bot.model.policy import tellable
from bot.model.ports import PublishError, Refused
from bot.model.posts import Post, PostState, is_linked, named
from bot.store.followups import OpenFollowUps
from bot.store.store import ChannelStore
from digest.languages import Language
from digest.models import Repo
from digest.ports import Clock

POSTED_WITHIN = timedelta(minutes=5)
"""After so long whoever was about to post what tells of a follow-up has ended."""

SHOWN_ON = 10
"""Messages about one item, the newest ones, that show how its follow-up stands."""

OVER = (PostState.REFUSED, PostState.GONE)
"""An invitation of such a message is made anew."""

Blanks = Callable[[Channel, str], Awaitable[FollowUp]]
"""Gives the follow-up that an item would have, with its title, as nobody flags it yet."""

MayShow = Callable[[Repo, Channel], Awaitable[bool]]
"""Tells whether a repository may be shown to everybody of a channel."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a notice may stand: below a message, or in the channel where `parent` is None."""

    parent: str | None
    language: Language


SHOWING = "showing "
"""Begins the names of the moments at which a follow-up is about to be shown: channel, item and
message follow, then, where no message may show it, the spot of its notice. Each is there until it
is shown, so that another process shows it where this one ends in between."""


def showing(channel: Channel, item_key: str, below: Post | None, spot: Spot | None = None) -> str:
    """Name the moment at which a follow-up is about to be shown."""
    name = f"{SHOWING}{channel} {item_key} {below.ref if below else ''}"
    return f"{name} {spot.language} {spot.parent or ''}" if spot else name


@dataclass(eq=False, repr=False)
class FollowUpMessages:
    """Draws states anew, asks people, invites them. What cannot be shown is logged.

    Methods raise `StoreFailed`.
    """

    store: ChannelStore
    sharing: Sharing
    clock: Clock
    blank: Blanks
    may_show: MayShow

    def __post_init__(self) -> None:
        self._turns: WeakValueDictionary[Channel, asyncio.Lock] = WeakValueDictionary()

    async def followup(
        self, channel: Channel, item_key: str, below: Post | None, spot: Spot | None = None
    ) -> bool:
        """Show how a follow-up stands: on the messages that tell the item, else by a notice.

        The notice stands where `below` does, else at `spot`; without both there is none. Of what
        the channel may not be told any more, nothing is shown. False where the platform takes
        nothing now.
        """
        is_shown = await self._shown(channel, item_key, below, spot)
        if is_shown:
            await self.store.timestamps.forget(showing(channel, item_key, below, spot))
        return is_shown

    async def show(self, channel: Channel, item_key: str, below: Post | None = None) -> None:
        """Show a follow-up, later where this process ends or the platform takes nothing now."""
        await self.store.timestamps.note(showing(channel, item_key, below), self.clock())
        await self.followup(channel, item_key, below)

    async def _shown(
        self, channel: Channel, item_key: str, below: Post | None, spot: Spot | None
    ) -> bool:
        async with self._turn(channel):
            followups = await self._followups(channel)
            followup = next((each for each in followups if each.item_key == item_key), None)
            if followup is None:
                return True
            posts = await self.store.posts.about(channel, item_key, SHOWN_ON)
            drawn = {post.ref: post for post in posts if post.part}
            for ref in followup.shown_on[-SHOWN_ON:]:
                post = await self.store.posts.at(channel, ref)
                if post and post.part:
                    drawn[ref] = post
            if below and below.part and below.message.about == (item_key,):
                drawn[below.ref] = below
            is_shown = False
            for post in drawn.values():
                try:
                    is_shown |= await self._redraw(post, followup, followups)
                except PublishError as error:
                    log.warning("follow-up not shown", channel=str(channel), reason=str(error))
                    if not _is_of_one_message(error):
                        return False
                    is_shown = True  # as far as can be
            if below:
                spot = Spot(await self.parent(below), below.language)
            if spot and not is_shown:
                await self._notice(channel, item_key, spot)
        return True

    async def _notice(self, channel: Channel, item_key: str, spot: Spot) -> None:
        """Keep a notice together with its follow-up, and post it; what fails is tried by a look.

        There is none of what is gone, and while something else is to be said.
        """

        def keep(ledger: OpenFollowUps) -> tuple[Post, ...]:
            current = ledger.followup(item_key)
            following = (current.following if current else None) or UNKNOWN
            if current is None or following.saying or current.state is FollowUpState.GONE:
                return ()
            part = notice_part(current, spot.language)
            notice = ledger.plan(self.sharing.drawn((part,), spot.language, channel, spot.parent))
            following = replace(following, saying=tuple(each.id for each in notice if each.id))
            ledger.save(replace(current, following=following), self.clock() + POSTED_WITHIN)
            return notice

        def said(ledger: OpenFollowUps) -> None:
            current = ledger.followup(item_key)
            if current and current.following:
                own = {each.id for each in notice}
                left = tuple(each for each in current.following.saying if each not in own)
                ledger.save(replace(current, following=replace(current.following, saying=left)))

        if notice := await self.store.followups.change(channel, keep):
            try:
                await self.sharing.go_on(notice)
            except PublishError as error:
                log.warning("follow-up not shown", channel=str(channel), reason=str(error))
            else:
                await self.store.followups.change(channel, said)

    async def corrections(self, channel: Channel, keys: Sequence[str], since: datetime) -> bool:
        """Show on messages that name items what makes these wrong; False where that failed.

        They are those about one alone, and those of mornings since a moment's date.
        """
        async with self._turn(channel):
            wrong = set(await self.shown(channel, keys))
            followups = await self._followups(channel)
            posts = {
                post.id: post for post in await self.store.posts.delivered_since(channel, since)
            }
            for key in wrong:
                about = await self.store.posts.about(channel, key, SHOWN_ON)
                posts |= {post.id: post for post in about}
            parts: dict[object, list[Post]] = {}
            for post in posts.values():
                one = (post.delivery, post.thread, post.whole) if post.whole else post.id
                parts.setdefault(one, []).append(post)
            for messages in parts.values():
                if not any(wrong.intersection(named(each.message)) for each in messages):
                    continue
                part = await self._as_is(messages[0], followups)
                try:
                    if part and not await self.sharing.redraw(messages, part):
                        log.warning("no room for a correction", message=messages[0].ref)
                except PublishError as error:
                    log.warning("correction not shown", channel=str(channel), reason=str(error))
                    if not _is_of_one_message(error):
                        return False
        return True

    async def _followups(self, channel: Channel) -> list[FollowUp]:
        """Return the follow-ups of what a channel may still be told of."""
        stored = await self.store.followups.of(channel)
        shown = await self.shown(channel, [each.item_key for each in stored])
        return [each for each in stored if each.item_key in shown]

    async def _as_is(self, post: Post, followups: Sequence[FollowUp]) -> Part | None:
        """Return what a message tells, with its follow-ups and what makes it wrong."""
        part = post.part or post.whole
        if part is None:
            return None
        if post.part and len(part.about) == 1:
            own = next((each for each in followups if (each.item_key,) == part.about), None)
            part = with_state(part, own, post.language)
        elif post.part:
            is_answer = part.kind is PartKind.ANSWER
            about = part.about if is_answer else ()  # of those an answer shows all
            shown = [
                each for each in followups if post.ref in each.shown_on or each.item_key in about
            ]
            part = with_states(part, shown, post.language)
        if part.kind is PartKind.NEWS:
            return part
        wrong = [
            each
            for each in await self.store.corrections.of(post.channel, part.about)
            if not (each.by and is_linked(each.by, post.message))  # it says so by itself
        ]
        # Platforms are asked only where there is something to say.
        may = await self.shown(post.channel, [each.item_key for each in wrong])
        wrong = [each for each in wrong if each.item_key in may]
        return with_corrections(part, wrong, post.language)

    async def ask(self, post: Post, question: Question, person: str) -> bool:
        """Ask one person which item of a message they mean; False where nobody could be asked."""
        parent = await self.parent(post)
        try:
            part = await self.choice(post, question)
            publisher = self.sharing.publisher(post.channel)
            drawn = publisher.render_parts((part,), post.language)
            was_asked = [
                await publisher.ask(post.channel, person, each.payload, parent=parent)
                for each in drawn
            ]
        except PublishError as error:
            log.warning("question not asked", channel=str(post.channel), reason=str(error))
            return False
        return all(was_asked)

    async def shown(self, channel: Channel, keys: Sequence[str]) -> tuple[str, ...]:
        """Return those of items whose repositories a channel may still be told of."""
        told = await tellable(keys, lambda repo: self.may_show(repo, channel))
        return tuple(key for key in keys if key in told)

    async def choice(
        self, post: Post, question: Question, *, first_line: str = "", more: int = 0
    ) -> Part:
        """Draw a question for one person, with the address of the message where there is one."""
        about = await self.shown(post.channel, question.about)
        items = [await self.blank(post.channel, key) for key in about]
        address = ""
        with contextlib.suppress(PublishError):
            address = await self.sharing.publisher(post.channel).link(post.channel, post.ref)
        return choice_part(
            question.message,
            items,
            post.language,
            address=address,
            first_line=first_line,
            more=more,
        )

    async def invite(self, post: Post, person: str) -> str | None:
        """Invite whoever waits to be asked; one invitation stands for all of a channel.

        It stands beside the message that a person flagged, unless they were invited already.
        Returns by which message's question the invitation is kept, an empty text where none is
        made, and None where the platform takes nothing now.
        """
        channel = post.channel
        async with self._turn(channel):
            parent = await self.parent(post)
            questions = await self.store.followups.questions(channel)
            knows = any(person in each.waiting for each in questions if each.message != post.ref)
            for each in questions:
                there = await self.store.posts.numbered(each.posts)
                stands = [one for one in there if one.state is PostState.SENT]
                if stands and (knows or stands[0].parent == parent):
                    return each.message
                if stands and not await self._deleted(each):
                    return each.message
            question = await self.store.followups.question(channel, post.ref)
            if question is None or not question.waiting:
                return ""
            try:
                posts = await self.store.posts.numbered(question.posts)
                if not posts or any(each.state in OVER for each in posts):
                    part = invitation_part(post.language)
                    posts = await self.sharing.plan((part,), post.language, channel, parent)
                    await self._keep(question, partial(_invited, by=posts))
                await self.sharing.go_on(posts)
            except PublishError as error:
                log.warning("nobody invited", channel=str(channel), reason=str(error))
                if kind_of(error) is None:
                    return None
            return question.message

    async def withdraw(self, channel: Channel, message: str = "") -> None:
        """Delete the invitation of a channel where nobody waits for it, and that of a message.

        Whoever was invited by it waits no more.
        """
        async with self._turn(channel):
            questions = await self.store.followups.questions(channel)
            is_waited_for = any(each.waiting for each in questions)
            for question in questions:
                stays = is_waited_for and question.message != message
                if question.posts and not stays and await self._deleted(question):
                    for each in questions:
                        await self._keep(each, _let_go)

    async def _deleted(self, question: Question) -> bool:
        try:
            for each in await self.store.posts.numbered(question.posts):
                # Its reference is not known where the process ended right after it was posted.
                if ref := (await self.sharing.sent(each)).ref:
                    await self.sharing.take_back(question.channel, ref)
        except PublishError as error:
            log.warning("invitation stays", channel=str(question.channel), reason=str(error))
            return False
        await self._keep(question, partial(_invited, by=()))
        return True

    async def _redraw(self, post: Post, followup: FollowUp, followups: Sequence[FollowUp]) -> bool:
        if post.part is None:
            return False
        if post.part.kind is PartKind.NOTICE and followup.state is FollowUpState.GONE:
            await self.sharing.take_back(post.channel, post.ref)
            return True
        part = await self._as_is(post, followups)
        return part is not None and await self.sharing.redraw((post,), part)

    async def parent(self, post: Post) -> str | None:
        """Return the parent of what is to stand beside a message; None for the channel itself.

        What begins a thread has it below; no thread is begun for it.
        """
        if post.parent or post.delivery is None:
            return post.parent
        posts = await self.store.posts.of_delivery(post.delivery)
        own = {each.position: each for each in posts if each.thread == post.thread}
        return own[0].ref if len(own) > 1 else None

    async def beside(self, followup: FollowUp, language: Language) -> Spot:
        """Return where news of a follow-up go: the thread of its message, else the channel.

        That is the message that was flagged first, else the newest one about the item. `language`
        is that of a channel which gets nothing else.
        """
        post = await self._message_of(followup)
        if post:
            return Spot(await self.parent(post) or post.ref, post.language)
        subscription = await self.store.subscriptions.of(followup.channel)
        return Spot(None, subscription.language if subscription else language)

    async def _message_of(self, followup: FollowUp) -> Post | None:
        refs = [mark.message for mark in followup.marks if mark.message]
        for ref in (*refs, *followup.shown_on):
            post = await self.store.posts.at(followup.channel, ref)
            if post and post.state is PostState.SENT:
                return post
        posts = await self.store.posts.about(followup.channel, followup.item_key, 1)
        return posts[0] if posts else None

    async def _keep(self, question: Question, change: Callable[[Question], Question]) -> None:
        """Keep a question as it is after a change; what was said meanwhile stays."""

        def keep(ledger: OpenFollowUps) -> None:
            stored = ledger.question(question.message)
            if stored is not None:
                ledger.save_question(change(stored))

        await self.store.followups.change(question.channel, keep)

    def _turn(self, channel: Channel) -> asyncio.Lock:
        lock = self._turns.get(channel)
        if lock is None:
            lock = self._turns[channel] = asyncio.Lock()
        return lock


def _is_of_one_message(error: PublishError) -> bool:
    """Return whether others may still be edited: in a locked thread one cannot be."""
    return kind_of(error) is not None or isinstance(error, Refused)


def _invited(question: Question, by: Sequence[Post]) -> Question:
    """Return a question with the messages by which people are invited to answer it."""
    return replace(question, posts=tuple(each.id for each in by if each.id))


def _let_go(question: Question) -> Question:
    """Return a question for which nobody waits; who flags its message again is asked again."""
    return replace(question, waiting=frozenset(), asked=question.asked - question.waiting)
