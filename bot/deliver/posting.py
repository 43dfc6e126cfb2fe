"""One message posted once, whatever happened to it before."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeAlias

from bot.model.channels import Channel
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
)
from bot.model.posts import Post, PostState
from digest.languages import Language
from digest.wording.saying import CATALOGUES
from digest.writing.document import Paragraph, Words

StoreStep: TypeAlias = Callable[[Post], Awaitable[None]]
"""Stores how far a message is."""

Nonces: TypeAlias = Callable[[], str]
"""Gives up to 25 letters and digits that never come again."""


SECONDS_TO_FINISH = 5.0
"""How long a message in flight may keep a process from ending; most are answered within one."""


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
    nonces: Nonces,
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
            nonce=nonces(),
            part=part,
            repo=thread.repo,
            whole=whole,
        )
        for number, thread in enumerate(threads)
        for position, (message, part, whole) in enumerate(
            _drawn(render(thread), (thread.parent, *thread.replies))
        )
    )


def answer_posts(
    parts: Sequence[Part],
    language: Language,
    publisher: Publisher,
    nonces: Nonces,
    *,
    channel: Channel,
    parent: str | None,
) -> Iterator[Post]:
    """Draw parts that everybody is to see, below a parent or as messages of their own."""
    drawn = _drawn(publisher.render_parts(parts, language), parts)
    for position, (message, part, _) in enumerate(drawn):
        yield Post(
            id=None,
            delivery=None,
            channel=channel,
            thread=0,
            position=position,
            message=message,
            language=language,
            nonce=nonces(),
            part=part,
            parent=parent,
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
