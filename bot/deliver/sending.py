"""The messages of one delivery, sent one by one, each kept as it is accepted.

However many channels are in work, so many are busy at a time; one that has to wait for a limit
lets another go on meanwhile.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import partial

import structlog

from bot.deliver.planning import PAUSES
from bot.deliver.posting import posted, retried, uncut
from bot.model.channels import Platform
from bot.model.ports import OutcomeUnknown, Publisher
from bot.model.posts import Delivery, Post, PostState
from bot.store.store import ChannelStore

WAITED_FOR = 120.0
"""Seconds that a limit may ask for and the thread still goes on at once when they are over."""

RECONCILED_AFTER = 5.0
"""Seconds until a message whose answer was lost is looked for."""

TRIES = 1 + len(PAUSES)
"""How often a message is asked for before the delivery itself is put off."""

MARGIN = timedelta(minutes=15)
"""How far a platform's clock may be apart from ours when a message of ours is looked for."""

log = structlog.get_logger()


class Places:
    """A number of places, each left while whoever has it only waits."""

    def __init__(self, number: int) -> None:
        self._free = asyncio.Semaphore(number)

    @asynccontextmanager
    async def taken(self) -> AsyncIterator[None]:
        """Hold a place."""
        async with self._free:
            yield

    async def away(self, wait: Awaitable[object]) -> None:
        """Leave one's place to another for as long as something takes."""
        self._free.release()
        try:
            await wait
        finally:
            await self._free.acquire()


class Sending:
    """Sends what is planned."""

    def __init__(
        self,
        store: ChannelStore,
        publishers: Mapping[Platform, Publisher],
        places: Places,
        *,
        pause: Callable[[float], Awaitable[object]],
    ) -> None:
        self._store = store
        self._publishers = publishers
        self._places = places
        self._pause = pause
        self._unanswered: set[int] = set()

    def is_unanswered(self, delivery: Delivery) -> bool:
        """Return whether the last message that was asked for may still arrive."""
        return delivery.id in self._unanswered

    async def send_all(self, delivery: Delivery, planned: Sequence[Post]) -> list[Post]:
        """Send every message that is not sent yet, in order, and give them as they are then.

        `planned` are all messages of the delivery as they are stored. Raises `PublishError` and
        `LeaseLost`.
        """
        publisher = self._publishers[delivery.channel.platform]
        parents: dict[int, str] = {}
        posts = []
        for post in planned:
            if post.state in (PostState.PLANNED, PostState.SENDING):
                post = await self._send(publisher, delivery, post, parents.get(post.thread))
            if post.ref:
                parents.setdefault(post.thread, post.ref)
            else:
                log.error("message refused", post=post.id)
            posts.append(post)
        return posts

    async def _send(
        self, publisher: Publisher, delivery: Delivery, post: Post, parent: str | None
    ) -> Post:
        async def store(step: Post) -> None:
            await self._store.deliveries.advance(delivery, step)

        since = delivery.slot.due_at - MARGIN

        async def request(post: Post) -> Post:
            asking = posted(post, publisher, parent, store, since=since)
            try:
                post = await uncut(asking, lost=partial(self._unanswered.add, delivery.id))
            except OutcomeUnknown:
                self._unanswered.add(delivery.id)
                raise
            self._unanswered.discard(delivery.id)
            return post

        return await retried(
            request,
            post,
            lambda seconds: self._places.away(self._pause(seconds)),
            tries=TRIES,
            longest_limit=WAITED_FOR,
            look_after=RECONCILED_AFTER,
        )
