"""Messages of the bot's own: what they are about, how far each is, and which name an item."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, insert, select, update

from bot.model.channels import Channel, Platform
from bot.model.posts import DeliveryState, Post, PostState
from bot.store import tagged
from bot.store.tables import DELIVERIES, POSTS, columns, turn, within
from bot.wording.channel_words import ItemMention
from digest.store.database import Stored

_SENT = select(POSTS).where(POSTS.c.state == PostState.SENT.value).order_by(POSTS.c.id.desc())
_PLAN = insert(POSTS).returning(POSTS.c.id, sort_by_parameter_order=True)


class Posts(Stored):
    """The stored messages. Every method raises `StoreFailed`."""

    async def of_delivery(self, delivery: int) -> tuple[Post, ...]:
        """Return the messages of a delivery in the order in which they are posted."""
        mine = select(POSTS).where(POSTS.c.delivery_id == delivery)
        return await self._all(mine.order_by(POSTS.c.thread, POSTS.c.position))

    async def numbered(self, ids: Sequence[int]) -> tuple[Post, ...]:
        """Return the messages with these ids in the order in which they were kept."""
        return await self._all(select(POSTS).where(POSTS.c.id.in_(ids)).order_by(POSTS.c.id))

    async def at(self, channel: Channel, ref: str) -> Post | None:
        """Return the message with a reference, or None for one that is not the bot's own."""
        if not ref:
            return None
        here = select(POSTS).where(*within(POSTS, channel), POSTS.c.ref == ref)
        return next(iter(await self._all(here)), None)

    async def about(self, channel: Channel, item_key: str, limit: int) -> tuple[Post, ...]:
        """Return the newest sent messages that are about one item alone."""
        here = _SENT.where(*within(POSTS, channel), POSTS.c.item_key == item_key)
        return await self._all(here.limit(limit))

    async def delivered_since(self, channel: Channel, moment: datetime) -> tuple[Post, ...]:
        """Return the messages of a channel's mornings since a moment's date, in their order."""
        here = delivered_since(moment).where(*within(POSTS, channel))
        return await self._all(here.order_by(POSTS.c.id))

    async def newest(self, platform: Platform, limit: int) -> tuple[Post, ...]:
        """Return the newest sent messages of all channels of a platform, the newest first."""
        return await self._all(_SENT.where(POSTS.c.platform == platform.value).limit(limit))

    async def add(self, posts: Sequence[Post]) -> tuple[Post, ...]:
        """Store messages before they are sent."""
        return await self._database.write(lambda c: plan(c, posts), "")

    async def advance(self, post: Post) -> None:
        """Store how far a message is."""
        step = update(POSTS).where(POSTS.c.id == post.id)
        after = step.values(state=post.state.value, ref=post.ref)
        await self._execute(after, turn(post.channel))

    async def redrawn(self, post: Post) -> None:
        """Store what a message draws by now."""
        one = update(POSTS).where(POSTS.c.id == post.id)
        after = one.values(body=tagged.dump(post))
        await self._execute(after, turn(post.channel))

    async def _all(self, query: Select[Any]) -> tuple[Post, ...]:
        return tuple(map(read, await self._all_rows(query)))


def delivered_since(moment: datetime) -> Select[Any]:
    """Ask for the sent messages of mornings that were told since a moment's date."""
    of_mornings = select(POSTS).join(DELIVERIES, DELIVERIES.c.id == POSTS.c.delivery_id)
    return of_mornings.where(
        DELIVERIES.c.state == DeliveryState.DELIVERED.value,
        DELIVERIES.c.local_date >= moment.date(),
        POSTS.c.state == PostState.SENT.value,
    )


def plan(connection: Connection, posts: Sequence[Post]) -> tuple[Post, ...]:
    """Store messages that are not stored yet, and give them with their ids."""
    if not posts:
        return ()
    ids = connection.scalars(_PLAN, [_values(post) for post in posts]).all()
    return tuple(replace(post, id=id) for post, id in zip(posts, ids, strict=True))


def _values(post: Post) -> dict[str, object]:
    about = post.message.about
    return {
        **columns(post.channel),
        "delivery_id": post.delivery,
        "thread": post.thread,
        "position": post.position,
        "state": post.state.value,
        "ref": post.ref,
        "item_key": about[0] if len(about) == 1 else "",
        "body": tagged.dump(post),
    }


def read(row: Any) -> Post:
    """Read a message from its row."""
    post: Post = tagged.load(row.body)
    return replace(
        post, id=row.id, delivery=row.delivery_id, state=PostState(row.state), ref=row.ref
    )


LOOKED_THROUGH = 2_000
"""The newest messages of a channel: those of some months."""


class Mentions(Stored):
    """The stored messages, looked through for an item. Every method raises `StoreFailed`."""

    async def of(self, channel: Channel, *item_keys: str) -> tuple[ItemMention, ...]:
        """Return the sent messages of a channel that name an item by one of its keys, best first.

        One of its own is better than one with others, and that better than a thread's first.
        """
        found = []
        query = _query(channel, item_keys)
        for body, delivery, local_date in await self._all_rows(query):
            post: Post = tagged.load(body)
            about = post.message.about
            if not set(item_keys).isdisjoint(about):
                when = local_date if delivery else None
                found.append(ItemMention(when, post.message.is_parent, len(about) - 1))
        return tuple(sorted(found, key=lambda each: (each.is_parent, each.others)))


def _query(channel: Channel, item_keys: Sequence[str]) -> Select[Any]:
    return (
        select(POSTS.c.body, POSTS.c.delivery_id, DELIVERIES.c.local_date)
        .join(DELIVERIES, DELIVERIES.c.id == POSTS.c.delivery_id, isouter=True)
        .where(
            *within(POSTS, channel),
            POSTS.c.state == PostState.SENT.value,
            POSTS.c.item_key.in_(("", *item_keys)),
        )
        .order_by(POSTS.c.id.desc())
        .limit(LOOKED_THROUGH)
    )
