"""Threads completed when a model's words came late: by edit, never by a new message.

A thread goes out in time with what there is. Once its digests have their words it is planned anew
with the same inputs, and each message that is the same but for its words is edited in its place.
What is done is kept, so that the next process goes on where this one ended. Of several processes
one completes the threads of a platform: others would ask the model and edit beside it.
"""

import asyncio
import contextlib
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Protocol

import structlog

from bot.compose.item_part import with_state
from bot.deliver.gathering import in_zone, of_slot, shared_zone
from bot.deliver.planning import NOT_ALLOWED, Planning
from bot.deliver.posting import thread_posts
from bot.model.channels import Platform
from bot.model.followups import FollowUp
from bot.model.parts import PartKind
from bot.model.ports import (
    ChannelGone,
    Limited,
    MessageGone,
    NoPermission,
    Publisher,
    PublishError,
    Refused,
)
from bot.model.posts import Delivery, Post, PostState
from bot.model.subscriptions import Subscription
from bot.store.store import ChannelStore
from digest.claims import ModelOutcome
from digest.errors import InfraError
from digest.models import Digest, Repo, Roundup, Window
from digest.ports import Clock

LOOKED_BACK = timedelta(days=1)
"""How long after its slot a thread is completed; nobody reads it later."""

WAITED_FOR = 30.0
"""Seconds that a limit may ask for between two edits; after a longer one the next look goes on."""

HELD_FOR = timedelta(minutes=2)
"""How long a platform's threads are left to a process that says nothing: no edit takes so long."""

WORDS = "words"

OF_UNSEEN = (PartKind.ROUNDUP, PartKind.NOTICE)
"""What of a morning tells what could not be looked at, which is not stored."""

SETTLED = (ModelOutcome.COMPLETE, ModelOutcome.PARTIAL)

log = structlog.get_logger()


class _Taken(Exception):
    """Another process completes the threads of a platform by now."""


class StoredRoundups(Protocol):
    """Where stored digests come from, with the words that they have got since."""

    async def stored(self, repos: Sequence[Repo], window: Window) -> Roundup:
        """Give stored digests; those that are not stored are among the failed."""
        ...


class Completing:
    """Completes the threads of the last day, in the name of one process, `owner`.

    `pause` waits for seconds of the real clock.
    """

    def __init__(
        self,
        planning: Planning,
        roundups: StoredRoundups,
        store: ChannelStore,
        publishers: Mapping[Platform, Publisher],
        *,
        clock: Clock,
        owner: str,
        pause: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._planning = planning
        self._roundups = roundups
        self._store = store
        self._publishers = publishers
        self._clock = clock
        self._owner = owner
        self._pause = pause
        self._over: set[int] = set()
        self._words: dict[int, int] = {}
        self._looking: asyncio.Task[None] | None = None

    def tick(self, now: datetime) -> None:
        """Look for threads to complete, without waiting; one look at a time."""
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look(now))

    async def settle(self) -> None:
        """Wait until the look that is going on is over."""
        if self._looking:
            await asyncio.wait([self._looking])

    async def stop(self) -> None:
        """Let go; the next process goes on at once."""
        if self._looking:
            self._looking.cancel()
            await asyncio.wait([self._looking])
        for platform in self._publishers:
            with contextlib.suppress(InfraError):
                await self._store.holds.release(_completing(platform), self._owner)

    async def complete(self, now: datetime) -> None:
        """Complete every thread of the last day whose digests have their words by `now` (UTC).

        Threads of a platform that another process completes are left to it. Raises `StoreFailed`.
        """
        mine = {platform for platform in self._publishers if await self._is_mine(platform)}
        if not mine:
            return
        seen = _Seen(self._roundups)
        deliveries = await self._store.deliveries.told_since(now - LOOKED_BACK)
        lately = {delivery.id for delivery in deliveries}
        self._over &= lately
        self._words = {id: words for id, words in self._words.items() if id in lately}
        for delivery in deliveries:
            if delivery.id in self._over or delivery.channel.platform not in mine:
                continue
            try:
                known = await self._store.moments.of(_name(delivery))
                if known or await self._completed(delivery, seen):
                    self._over.add(delivery.id)
            except _Taken:
                mine.discard(delivery.channel.platform)

    async def _is_mine(self, platform: Platform) -> bool:
        """Hold the threads of a platform, or hold them for longer."""
        now = self._clock()
        return await self._store.holds.take(_completing(platform), self._owner, now, now + HELD_FOR)

    async def _look(self, now: datetime) -> None:
        try:
            await self.complete(now)
        except InfraError as error:
            log.warning("threads not completed", reason=str(error))

    async def _completed(self, delivery: Delivery, seen: "_Seen") -> bool:
        """Edit what can be edited, and tell whether nothing is left to come."""
        subscription = await self._store.subscriptions.of(delivery.channel)
        if subscription is None or subscription.id != delivery.slot.subscription_id:
            return True
        channel = delivery.channel
        if not await self._is_mine(channel.platform):
            raise _Taken
        allowed = [repo for repo in subscription.repos if self._planning.may_tell(repo, channel)]
        roundup = await of_slot(delivery.slot, allowed, seen.roundup)
        words = sum(len(digest.claims) for digest in roundup.digests)
        waits = any(_awaits(digest) for digest in roundup.digests)
        # One repository whose words do not come keeps none of another waiting.
        if words and (not waits or words != self._words.get(delivery.id)):
            try:
                await self._edit(subscription, delivery, roundup)
            except (ChannelGone, NoPermission) as error:
                log.warning("thread not completed", channel=str(channel), reason=str(error))
            except PublishError as error:
                log.warning("thread waits", channel=str(channel), reason=str(error))
                return False
            self._words[delivery.id] = words
        if waits:
            return False
        self._words.pop(delivery.id, None)
        now = self._clock()
        name = _name(delivery)
        await self._store.moments.decide((name,), lambda _: ({name: now}, None))
        return True

    async def _edit(self, subscription: Subscription, delivery: Delivery, roundup: Roundup) -> None:
        publisher = self._publishers[delivery.channel.platform]
        posts = await self._store.posts.of_delivery(delivery.id)
        hidden = tuple((r, NOT_ALLOWED) for r in subscription.repos if not self._may(r, delivery))
        unseen = bool(roundup.failed)
        roundup = replace(roundup, failed=roundup.failed + hidden)
        planned = await self._planned(subscription, delivery, roundup, publisher, None)
        links = {
            post.repo: await publisher.link(post.channel, post.ref)
            for post in posts
            if post.thread > 0 and post.position == 0 and post.ref and post.repo
        }
        shown = planned
        if links:
            shown = await self._planned(subscription, delivery, roundup, publisher, links)
        told = await self._store.followups.of(delivery.channel)
        followups = {each.item_key: each for each in told}
        anew, seen = _by_shape(planned), _by_shape(shown)
        changed = _changed(posts, planned)
        for post in posts:
            new, drawn = anew.get(_shape(post)), seen.get(_shape(post))
            if post.repo in changed or (changed and not post.repo):
                continue
            if new and drawn and not (unseen and post.message.kind in OF_UNSEEN):
                await self._replace(publisher, post, new, drawn, followups)

    def _may(self, repo: Repo, delivery: Delivery) -> bool:
        return self._planning.may_tell(repo, delivery.channel)

    async def _planned(
        self,
        subscription: Subscription,
        delivery: Delivery,
        roundup: Roundup,
        publisher: Publisher,
        links: Mapping[str, str] | None,
    ) -> tuple[Post, ...]:
        followups = await self._planning.followups(subscription.channel)
        threads = self._planning.threads(subscription, delivery.slot, roundup, followups, links)
        return thread_posts(
            threads,
            self._planning.drawing.on(delivery.channel.platform, publisher),
            lambda: secrets.token_hex(12),
            delivery=delivery.id,
            channel=delivery.channel,
        )

    async def _replace(
        self,
        publisher: Publisher,
        post: Post,
        new: Post,
        drawn: Post,
        followups: Mapping[str, FollowUp],
    ) -> None:
        """Edit one message, if it says something else now; how its follow-up stands stays."""
        if post.state is not PostState.SENT or post.message.payload == new.message.payload:
            return
        payload = drawn.message.payload
        followup = followups.get(post.message.about[0]) if len(post.message.about) == 1 else None
        if new.part is not None and followup is not None:
            part = with_state(new.part, followup, new.language)
            messages = publisher.render_parts((part,), new.language)
            if len(messages) != 1:
                return
            payload = messages[0].payload
        try:
            await self._edited(publisher, post, payload)
        except MessageGone:
            await self._store.posts.advance(replace(post, state=PostState.GONE))
            return
        except Refused as error:
            log.warning("message not completed", channel=str(post.channel), reason=str(error))
            return
        await self._store.posts.revise(replace(post, message=new.message, part=new.part))

    async def _edited(self, publisher: Publisher, post: Post, payload: str) -> None:
        if not await self._is_mine(post.channel.platform):
            raise _Taken
        try:
            await publisher.edit(post.channel, post.ref, payload)
        except Limited as limit:
            if limit.retry_after > WAITED_FOR:
                raise
            await self._pause(limit.retry_after)
            await publisher.edit(post.channel, post.ref, payload)


class _Seen:
    """Stored roundups of one look, each read once for all channels that were told of it."""

    def __init__(self, roundups: StoredRoundups) -> None:
        self._roundups = roundups
        self._known: dict[tuple[tuple[Repo, ...], Window], Roundup] = {}

    async def roundup(self, repos: Sequence[Repo], window: Window) -> Roundup:
        """Give what is stored of repositories, in the window's own zone."""
        key = (tuple(repos), replace(window, tz=shared_zone(window)))
        if key not in self._known:
            self._known[key] = await self._roundups.stored(*key)
        return in_zone(self._known[key], window)


def _awaits(digest: Digest) -> bool:
    """Tell whether words may still come."""
    return digest.model is None or digest.model.outcome not in SETTLED


def _by_shape(planned: Sequence[Post]) -> dict[tuple[object, ...], Post]:
    """Give planned messages by what they share with the posted ones, where only one has it."""
    shapes = Counter(_shape(post) for post in planned)
    return {_shape(post): post for post in planned if shapes[_shape(post)] == 1}


def _changed(told: Sequence[Post], planned: Sequence[Post]) -> set[str]:
    """Give the repositories of which more, or less, is known by now than was told.

    What was told in part says so: edited to be whole, it would hide what its thread does not hold.
    """
    then, now = _about(told), _about(planned)
    return {repo for repo in then.keys() | now.keys() if repo and then.get(repo) != now.get(repo)}


def _about(posts: Sequence[Post]) -> dict[str, dict[PartKind, set[str]]]:
    """Give the keys of the items that messages are about, by repository and kind."""
    found: dict[str, dict[PartKind, set[str]]] = {}
    for post in posts:
        found.setdefault(post.repo, {}).setdefault(post.message.kind, set()).update(
            post.message.about
        )
    return found


def _shape(post: Post) -> tuple[object, ...]:
    """Give what two messages share that differ in nothing but their words."""
    message = post.message
    return post.repo, post.language, message.kind, message.about, message.is_parent


def _completing(platform: Platform) -> str:
    return f"completing {platform}"


def _name(delivery: Delivery) -> str:
    return f"{WORDS} {delivery.id}"
