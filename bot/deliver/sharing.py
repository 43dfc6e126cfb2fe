"""Parts that everybody of a channel is to see, outside of its mornings."""

import asyncio
import contextlib
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace

from bot.deliver import wishes
from bot.deliver.posting import Nonces, answer_posts, posted, retried
from bot.model.channels import Channel, Platform
from bot.model.parts import Part
from bot.model.ports import MessageGone, Publisher, TokenRevoked, Unmet
from bot.model.posts import Post, PostState
from bot.model.subscriptions import Subscription
from bot.store.posts import Posts
from digest.languages import Language
from digest.wording.phrases import SAY

TRIES = 3
"""How often a message is asked for while a person waits; then the person is told."""

RECONCILED_AFTER = 2.0
"""Seconds until a message whose answer was lost is looked for."""

WAITED_FOR = 30.0
"""Seconds that a limit may ask for while a person waits."""


class Sharing:
    """Posts parts, each message once, and takes them back. Methods raise `PublishError`."""

    def __init__(
        self,
        posts: Posts,
        publishers: Mapping[Platform, Publisher],
        *,
        pause: Callable[[float], Awaitable[object]] = asyncio.sleep,
        nonces: Nonces = lambda: secrets.token_hex(12),
    ) -> None:
        self._posts = posts
        self._publishers = publishers
        self._pause = pause
        self._nonces = nonces

    def publisher(self, channel: Channel) -> Publisher:
        """Return the publisher of a channel's platform; raises `TokenRevoked` without one."""
        publisher = self._publishers.get(channel.platform)
        if publisher is None:
            raise TokenRevoked(SAY.chat.no_token(channel.platform))
        return publisher

    def serves(self, channel: Channel) -> bool:
        """Return whether this process talks to a channel's platform; another one may."""
        return channel.platform in self._publishers

    async def reach(self, channel: Channel) -> None:
        """See that the bot can post to a channel, as far as its platform tells."""
        await self.publisher(channel).check(channel)

    async def unmet(self, subscription: Subscription) -> tuple[Unmet, ...]:
        """Return what a channel asks for and cannot have now; nothing where no platform is set."""
        if not self.serves(subscription.channel):
            return ()
        return await wishes.unmet(self.publisher(subscription.channel), subscription) or ()

    async def share(
        self, parts: Sequence[Part], language: Language, channel: Channel, parent: str | None
    ) -> tuple[Post, ...]:
        """Post parts to a channel, or below a message; reactions on them count from then on."""
        return await self.go_on(await self.plan(parts, language, channel, parent))

    async def plan(
        self, parts: Sequence[Part], language: Language, channel: Channel, parent: str | None
    ) -> tuple[Post, ...]:
        """Store the messages of parts before the first is sent."""
        return await self._posts.add(self.drawn(parts, language, channel, parent))

    def drawn(
        self, parts: Sequence[Part], language: Language, channel: Channel, parent: str | None
    ) -> tuple[Post, ...]:
        """Draw parts as messages that are not kept yet."""
        publisher = self.publisher(channel)
        return tuple(
            answer_posts(parts, language, publisher, self._nonces, channel=channel, parent=parent)
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
        await self._posts.advance(found)
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
                await self._posts.advance(replace(post, state=PostState.GONE))
                is_there = False
        return is_there

    async def take_back(self, channel: Channel, ref: str) -> None:
        """Delete a message of the bot's own; one that is gone already is no fault."""
        with contextlib.suppress(MessageGone):
            await self.publisher(channel).delete(channel, ref)
        post = await self._posts.at(channel, ref)
        if post:
            await self._posts.advance(replace(post, state=PostState.GONE))

    async def _send(self, post: Post, publisher: Publisher) -> Post:
        return await retried(
            lambda post: posted(post, publisher, post.parent, self._posts.advance),
            post,
            self._pause,
            tries=TRIES,
            longest_limit=WAITED_FOR,
            look_after=RECONCILED_AFTER,
        )
