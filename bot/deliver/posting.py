"""Messages posted once, whatever happened to them before.

`posted` is one message, `Sharing` posts what everybody of a channel is to see outside of its
mornings; mornings are posted by `bot.deliver.delivery`.
"""

import asyncio
import contextlib
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from datetime import datetime, timedelta
from typing import Any, TypeAlias

import structlog

from bot.model.channels import Channel, Platform
from bot.model.parts import Part, PartKind, Thread
from bot.model.ports import (
    Limited,
    MayNotLook,
    Message,
    MessageGone,
    OutcomeUnknown,
    Publisher,
    PublishError,
    Refused,
    TokenRevoked,
    Unmet,
)
from bot.model.posts import Post, PostState
from bot.model.subscriptions import Subscription
from bot.store.posts import Posts
from digest.languages import Language
from digest.wording.phrases import SAY
from digest.wording.saying import CATALOGUES
from digest.writing.document import Paragraph, Words

log = structlog.get_logger()

StoreStep: TypeAlias = Callable[[Post], Awaitable[None]]
"""Stores how far a message is."""


PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 30, 60))
"""After a failure, then after the next one, and so on; the last stays."""

SECONDS_TO_FINISH = 5.0
"""How long a message in flight may keep a process from ending; most are answered within one."""


def new_nonce() -> str:
    """Return up to 25 letters and digits that never come again."""
    return secrets.token_hex(12)


async def uncut(
    posting: Coroutine[Any, Any, Post],
    seconds: float = SECONDS_TO_FINISH,
    *,
    lost: Callable[[], object] = lambda: None,
) -> Post:
    """Await a message; where this process is to end meanwhile, it is posted and kept first.

    `lost` is called for one that takes longer, or whose answer was lost: it may still arrive.
    """
    task = asyncio.create_task(posting)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        try:
            await asyncio.wait([task], timeout=seconds)
        finally:  # also where this is called off once more
            if not task.done():
                lost()
            task.cancel()
        (came,) = await asyncio.gather(task, return_exceptions=True)
        if isinstance(came, OutcomeUnknown):
            lost()
        raise


async def posted(
    post: Post,
    publisher: Publisher,
    parent: str | None,
    store: StoreStep,
    *,
    since: datetime | None = None,
) -> Post:
    """Return a message as it is once it is posted, or refused for ever.

    A refused one has a line in its place, where that is taken; then it has a reference, too. One
    whose thread was deleted is gone before it was there, without a reference.

    It is stored as `SENDING` before it is asked for, so that whoever goes on after a crash looks
    for it first, among messages since a moment. Where the bot may not look, it is given up:
    nothing is sent twice. Raises `PublishError`; after `OutcomeUnknown` it is to be asked for again
    later.
    """
    if post.state is PostState.SENDING:
        try:
            ref = await publisher.find(post.channel, post.nonce, parent=parent, since=since)
        except MayNotLook:
            return await _stored(replace(post, state=PostState.REFUSED), store)
        if ref is not None:
            return await _stored(replace(post, state=PostState.SENT, ref=ref), store)
    await store(replace(post, state=PostState.SENDING))
    try:
        ref = await publisher.send(
            post.channel, post.message.payload, parent=parent, nonce=post.nonce
        )
    except OutcomeUnknown:
        raise
    except Refused:
        ref = await _in_its_place(post, publisher, parent, store)
        return await _stored(replace(post, state=PostState.REFUSED, ref=ref), store)
    except MessageGone:
        return await _stored(replace(post, state=PostState.GONE), store)
    except PublishError:
        await store(replace(post, state=PostState.PLANNED))
        raise
    return await _stored(replace(post, state=PostState.SENT, ref=ref), store)


async def retried(
    request: Callable[[Post], Awaitable[Post]],
    post: Post,
    wait: Callable[[float], Awaitable[object]],
    *,
    tries: int,
    longest_limit: float,
    look_after: float,
) -> Post:
    """Ask for a message until it is posted; raises what the last of `tries` raised.

    A limit of up to `longest_limit` seconds is waited for, a longer one is raised. A message whose
    answer was lost is looked for `look_after` seconds later, before it is sent again.
    """
    for left in reversed(range(tries)):
        try:
            return await request(post)
        except Limited as limit:
            if not left or limit.retry_after > longest_limit:
                raise
            await wait(limit.retry_after)
        except OutcomeUnknown:
            if not left:
                raise
            post = replace(post, state=PostState.SENDING)
            await wait(look_after)
    raise AssertionError("every try returns or raises")


async def _in_its_place(
    post: Post, publisher: Publisher, parent: str | None, store: StoreStep
) -> str:
    """Post a line that says that something is missing, under the same nonce, and return its name.

    Empty where it is refused, too, or where nobody can say whether it stands there. The message is
    stored as refused before: found under its nonce after a crash, the line would be taken for it.

    Raises `PublishError` where the platform takes nothing now: it is to be asked for again.
    """
    await store(replace(post, state=PostState.REFUSED))
    text = CATALOGUES[post.language].delivering.missing
    part = Part(PartKind.NOTICE, (Paragraph((Words(text),)),), summary=text)
    (message, *_) = publisher.render_parts((part,), post.language)
    try:
        return await publisher.send(post.channel, message.payload, parent=parent, nonce=post.nonce)
    except (Refused, MessageGone):
        return ""
    except OutcomeUnknown:
        with contextlib.suppress(PublishError):
            return await publisher.find(post.channel, post.nonce, parent=parent) or ""
        return ""
    except PublishError:
        await store(replace(post, state=PostState.PLANNED))
        raise


async def _stored(post: Post, store: StoreStep) -> Post:
    await store(post)
    return post


def thread_posts(
    threads: Sequence[Thread],
    render: Callable[[Thread], tuple[Message, ...]],
    *,
    delivery: int,
    channel: Channel,
) -> tuple[Post, ...]:
    """Draw threads once: their messages in the order of posting, none of them sent yet.

    `render` returns the messages of a thread, the first alone is the parent.
    """
    return tuple(
        Post(
            id=None,
            delivery=delivery,
            channel=channel,
            thread=number,
            position=position,
            message=message,
            language=thread.language,
            nonce=new_nonce(),
            part=part,
            repo=thread.repo,
            whole=whole,
        )
        for number, thread in enumerate(threads)
        for position, (message, part, whole) in enumerate(
            _drawn(render(thread), (thread.parent, *thread.replies))
        )
    )


def _drawn(
    messages: Sequence[Message], parts: Sequence[Part]
) -> Iterator[tuple[Message, Part | None, Part | None]]:
    """Return messages, each with the part about items that it draws whole and can draw again.

    Of a part that took several messages, and of a roundup, which gets its links later, the part is
    given behind that.
    """
    drawn = Counter((message.about, message.kind) for message in messages)
    redrawable: dict[tuple[tuple[str, ...], PartKind], Part] = {
        (part.about, part.kind): part
        for part in parts
        if part.about and part.kind is not PartKind.ROUNDUP
    }
    for message in messages:
        key = (message.about, message.kind)
        part = redrawable.get(key) if drawn[key] == 1 else None
        yield message, part, None if part else _whole(message, parts)


def _whole(message: Message, parts: Sequence[Part]) -> Part | None:
    """Return the part that a message tells some items of."""
    about = set(message.about)
    known = (part for part in parts if part.kind is message.kind and about <= set(part.about))
    return next(known, None) if about else None


async def unmet(publisher: Publisher, subscription: Subscription) -> tuple[Unmet, ...] | None:
    """Return what a channel cannot have now; None where that is not told just now."""
    channel, role = subscription.channel, subscription.mention.role
    try:
        return await publisher.unmet(channel, publish=subscription.publish, role=role)
    except PublishError as error:
        log.info("wishes not looked at", channel=str(channel), reason=str(error))
        return None


SHARED_TRIES = 3
"""How often a message is asked for while a person waits; then the person is told."""

SHARED_LOOK_AFTER = 2.0
"""Seconds until a message whose answer was lost is looked for."""

SHARED_LONGEST_LIMIT = 30.0
"""Seconds that a limit may ask for while a person waits."""


@dataclass(eq=False, repr=False)
class Sharing:
    """Posts parts, each message once, and takes them back. Methods raise `PublishError`."""

    posts: Posts
    publishers: Mapping[Platform, Publisher]
    _: KW_ONLY
    pause: Callable[[float], Awaitable[object]] = asyncio.sleep

    def publisher(self, channel: Channel) -> Publisher:
        """Return the publisher of a channel's platform; raises `TokenRevoked` without one."""
        publisher = self.publishers.get(channel.platform)
        if publisher is None:
            raise TokenRevoked(SAY.chat.no_token(channel.platform))
        return publisher

    def serves(self, channel: Channel) -> bool:
        """Return whether this process talks to a channel's platform; another one may."""
        return channel.platform in self.publishers

    async def reach(self, channel: Channel) -> None:
        """See that the bot can post to a channel, as far as its platform tells."""
        await self.publisher(channel).check(channel)

    async def unmet(self, subscription: Subscription) -> tuple[Unmet, ...]:
        """Return what a channel asks for and cannot have now; nothing where no platform is set."""
        if not self.serves(subscription.channel):
            return ()
        return await unmet(self.publisher(subscription.channel), subscription) or ()

    async def share(
        self, parts: Sequence[Part], language: Language, channel: Channel, parent: str | None
    ) -> tuple[Post, ...]:
        """Post parts to a channel, or below a message; reactions on them count from then on."""
        return await self.go_on(await self.plan(parts, language, channel, parent))

    async def plan(
        self, parts: Sequence[Part], language: Language, channel: Channel, parent: str | None
    ) -> tuple[Post, ...]:
        """Store the messages of parts before the first is sent."""
        return await self.posts.add(self.drawn(parts, language, channel, parent))

    def drawn(
        self, parts: Sequence[Part], language: Language, channel: Channel, parent: str | None
    ) -> tuple[Post, ...]:
        """Draw parts as messages that are not kept yet."""
        messages = self.publisher(channel).render_parts(parts, language)
        return tuple(
            Post(
                id=None,
                delivery=None,
                channel=channel,
                thread=0,
                position=position,
                message=message,
                language=language,
                nonce=new_nonce(),
                part=part,
                parent=parent,
            )
            for position, (message, part, _) in enumerate(_drawn(messages, parts))
        )

    async def go_on(self, kept: Sequence[Post]) -> tuple[Post, ...]:
        """Post those of kept messages that are not posted yet, whatever happened before."""
        return tuple(
            [
                await self._send(post, self.publisher(post.channel))
                if post.state in (PostState.PLANNED, PostState.SENDING)
                else post
                for post in kept
            ]
        )

    async def sent(self, post: Post) -> Post:
        """Return a kept message as it is; one whose answer was lost is looked for."""
        if post.state is not PostState.SENDING:
            return post
        ref = await self.publisher(post.channel).find(post.channel, post.nonce, parent=post.parent)
        if ref is None:
            return post
        found = replace(post, state=PostState.SENT, ref=ref)
        await self.posts.advance(found)
        return found

    async def redraw(self, posts: Sequence[Post], part: Part) -> bool:
        """Draw a posted part anew in its messages; False where one is gone or it takes others."""
        publisher = self.publisher(posts[0].channel)
        messages = publisher.render_parts((part,), posts[0].language)
        if len(messages) != len(posts):
            return False
        is_there = True
        for post, message in zip(posts, messages, strict=True):
            try:
                await publisher.edit(post.channel, post.ref, message.payload)
            except MessageGone:
                await self.posts.advance(replace(post, state=PostState.GONE))
                is_there = False
        return is_there

    async def take_back(self, channel: Channel, ref: str) -> None:
        """Delete a message of the bot's own; one that is gone already is no fault."""
        with contextlib.suppress(MessageGone):
            await self.publisher(channel).delete(channel, ref)
        post = await self.posts.at(channel, ref)
        if post:
            await self.posts.advance(replace(post, state=PostState.GONE))

    async def _send(self, post: Post, publisher: Publisher) -> Post:
        return await retried(
            lambda post: posted(post, publisher, post.parent, self.posts.advance),
            post,
            self.pause,
            tries=SHARED_TRIES,
            longest_limit=SHARED_LONGEST_LIMIT,
            look_after=SHARED_LOOK_AFTER,
        )
