"""How follow-ups and questions stand, shown on the bot's own messages; one at a time per channel.

What is shown is read anew when its turn comes, so that many changes at once end in what holds, and
a change is kept before anything of it is shown: a channel may get one message a second.
"""

import asyncio
from dataclasses import replace
from typing import Protocol
from weakref import WeakValueDictionary

import structlog

from bot.compose.followup_parts import choice_part, notice_part
from bot.compose.item_part import with_state
from bot.deliver.sharing import Sharing
from bot.model.channels import Channel
from bot.model.followups import FollowUp, FollowUpState
from bot.model.parts import PartKind
from bot.model.ports import PublishError
from bot.model.posts import Post, PostState
from bot.model.questions import Question
from bot.store.store import ChannelStore

SHOWN_ON = 3
"""Messages about one item, the newest ones, that show how its follow-up stands."""

OVER = (PostState.REFUSED, PostState.GONE)
"""A question with such a message is asked anew."""

log = structlog.get_logger()


class Blanks(Protocol):
    """Gives the follow-up that an item would have, with its title."""

    async def __call__(self, channel: Channel, item_key: str) -> FollowUp:
        """Give it as nobody flags or owns it."""
        ...


class Showing:
    """Draws states anew, asks and withdraws questions. What cannot be shown is logged.

    Methods raise `StoreFailed`.
    """

    def __init__(self, store: ChannelStore, sharing: Sharing, blank: Blanks) -> None:
        self._store = store
        self._sharing = sharing
        self._blank = blank
        self._turns: WeakValueDictionary[Channel, asyncio.Lock] = WeakValueDictionary()

    async def followup(self, channel: Channel, item_key: str, below: Post | None) -> None:
        """Show how a follow-up stands: on the item's own messages, else by a notice below one."""
        async with self._turn(channel):
            followups = await self._store.followups.of(channel)
            followup = next((each for each in followups if each.item_key == item_key), None)
            if followup is None:
                return
            posts = await self._store.posts.about(channel, item_key, SHOWN_ON)
            drawn = {post.ref: post for post in posts if post.part}
            if below and below.part and below.message.about == (item_key,):
                drawn[below.ref] = below
            try:
                shown = [await self._redraw(post, followup) for post in drawn.values()]
                if not any(shown) and below and followup.state is not FollowUpState.GONE:
                    await self._notice(followup, below)
            except PublishError as error:
                log.warning("follow-up not shown", channel=str(channel), reason=str(error))

    async def question(self, channel: Channel, message: str) -> None:
        """Ask the question below a message, or withdraw it, as it stands now."""
        async with self._turn(channel):
            question = await self._question(channel, message)
            if question and not question.stands and (question.ref or question.posts):
                question = await self._withdraw(question)
            # A question that stands without a message was lost before it was posted.
            if question and question.stands and not question.ref:
                await self._ask(question)

    async def _redraw(self, post: Post, followup: FollowUp) -> bool:
        if post.part is None:
            return False
        if post.part.kind is PartKind.NOTICE and followup.state is FollowUpState.GONE:
            await self._sharing.take_back(post.channel, post.ref)
            return True
        part = with_state(post.part, followup, post.language)
        return await self._sharing.redraw(post, part)

    async def _notice(self, followup: FollowUp, below: Post) -> None:
        part = notice_part(followup, below.language)
        parent = await self._store.posts.parent_of(below)
        await self._sharing.share((part,), below.language, below.channel, parent)

    async def _ask(self, question: Question) -> None:
        """Post a question, or go on with one that was lost on its way."""
        post = await self._store.posts.at(question.channel, question.message)
        if post is None:
            return
        try:
            kept = await self._store.posts.numbered(question.posts)
            if not kept or any(each.state in OVER for each in kept):
                kept = await self._plan(question, post)
                await self._keep(question, "", tuple(each.id for each in kept if each.id))
            sent = await self._sharing.go_on(kept)
        except PublishError as error:
            log.warning("question not asked", channel=str(post.channel), reason=str(error))
            return
        await self._keep(question, sent[0].ref, tuple(each.id for each in sent if each.id))

    async def _plan(self, question: Question, post: Post) -> tuple[Post, ...]:
        items = [await self._blank(post.channel, key) for key in question.about]
        part = choice_part(question.message, items, post.language)
        parent = await self._store.posts.parent_of(post)
        return await self._sharing.plan((part,), post.language, post.channel, parent)

    async def _withdraw(self, question: Question) -> Question | None:
        """Delete what asks; gives the question as it stands then, None where it stays seen."""
        try:
            # Its reference is not known where the process ended right after it was posted.
            kept = await self._store.posts.numbered(question.posts)
            refs = {question.ref} | {(await self._sharing.sent(each)).ref for each in kept}
            for ref in sorted(refs - {""}):
                await self._sharing.take_back(question.channel, ref)
        except PublishError as error:
            log.warning("question stays", channel=str(question.channel), reason=str(error))
            return None
        return await self._keep(question, "", ())

    async def _question(self, channel: Channel, message: str) -> Question | None:
        async with self._store.followups.changing(channel) as ledger:
            return await ledger.question(message)

    async def _keep(self, question: Question, ref: str, posts: tuple[int, ...]) -> Question | None:
        """Keep by which messages a question is asked; what was said meanwhile stays."""
        async with self._store.followups.changing(question.channel) as ledger:
            stored = await ledger.question(question.message)
            if stored is None:
                return None
            after = replace(stored, ref=ref, posts=posts)
            await ledger.save_question(after)
            return after

    def _turn(self, channel: Channel) -> asyncio.Lock:
        lock = self._turns.get(channel)
        if lock is None:
            lock = self._turns[channel] = asyncio.Lock()
        return lock
