"""Messages of the bot's own: what they are about, how far each is, and what corrects them."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, insert, select, update

from bot.model.channels import Channel, Platform
from bot.model.following import AMENDING, Correction
from bot.model.posts import DeliveryState, Post, PostState, named
from bot.store import tagged
from bot.store.tables import (
    CORRECTIONS,
    DELIVERIES,
    POSTS,
    columns,
    its,
    loaded,
    of_channel,
    of_each,
    readable,
    turn,
    within,
)
from bot.wording.channel_words import ItemMention
from digest import codec
from digest.errors import BadAnswer
from digest.store.batches import Joined
from digest.store.database import Stored
from digest.store.tables import put

_SENT = select(POSTS).where(POSTS.c.state == PostState.SENT.value).order_by(POSTS.c.id.desc())
DELIVERIES_AT_ONCE = 50
"""Deliveries whose messages are read in one go: some tenths of a second."""

LOOKED_THROUGH = 2_000
"""The newest messages of a channel: those of some months."""

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
        of_mornings = select(POSTS).join(DELIVERIES, DELIVERIES.c.id == POSTS.c.delivery_id)
        here = of_mornings.where(
            *within(POSTS, channel),
            DELIVERIES.c.state == DeliveryState.DELIVERED.value,
            DELIVERIES.c.local_date >= moment.date(),
            POSTS.c.state == PostState.SENT.value,
        )
        return await self._all(here.order_by(POSTS.c.id))

    async def named_in(self, deliveries: Sequence[int]) -> dict[int, frozenset[str]]:
        """Return the items that the sent messages of deliveries name, by the delivery's id."""
        found: dict[int, frozenset[str]] = {}
        for first in range(0, len(deliveries), DELIVERIES_AT_ONCE):
            some = deliveries[first : first + DELIVERIES_AT_ONCE]
            query = select(POSTS.c.delivery_id, POSTS.c.body).where(
                POSTS.c.delivery_id.in_(some), POSTS.c.state == PostState.SENT.value
            )
            for delivery, body in await self._all_rows(query):
                with suppress(BadAnswer):  # of another version: it is not drawn anew either
                    names = named(tagged.load_message(body))
                    found[delivery] = found.get(delivery, frozenset()).union(names)
        same = {keys: keys for keys in found.values()}  # most channels of a morning share them
        return {delivery: same[keys] for delivery, keys in found.items()}

    async def mentions(self, channel: Channel, *item_keys: str) -> tuple[ItemMention, ...]:
        """Return the sent messages of a channel that name an item by one of its keys, best first.

        One of its own is better than one with others, and that better than a thread's first.
        """
        found = []
        for body, delivery, local_date in await self._all_rows(_naming(channel, item_keys)):
            message = tagged.load_message(body)
            if not set(item_keys).isdisjoint(message.about):
                when = local_date if delivery else None
                found.append(ItemMention(when, message.is_parent, len(message.about) - 1))
        return tuple(sorted(found, key=lambda each: (each.is_parent, each.others)))

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


def _naming(channel: Channel, item_keys: Sequence[str]) -> Select[Any]:
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


_CORRECTIONS = select(CORRECTIONS).where(*of_channel(CORRECTIONS))
_OF_CHANNELS = of_each(CORRECTIONS, "item_key")


class Corrections(Stored):
    """The stored corrections. Every method raises `StoreFailed`."""

    async def save(self, correction: Correction, at: datetime) -> bool:
        """Store a correction that is graver than a known one of its item; it is not told yet.

        False where that is as grave.
        """
        place = {**columns(correction.channel), "item_key": correction.item_key}
        row = place | {"at": at, "shown": False, "told_on": None, "body": codec.dump(correction)}

        one = _CORRECTIONS.where(CORRECTIONS.c.item_key == correction.item_key)

        def work(connection: Connection) -> bool:
            known = connection.execute(one, its(correction.channel)).first()
            if known and (
                loaded(known, Correction).turn not in AMENDING or correction.turn in AMENDING
            ):
                return False
            put(connection, CORRECTIONS, row)
            return True

        return await self._database.write(work, turn(correction.channel))

    async def of(self, channel: Channel, keys: Sequence[str]) -> tuple[Correction, ...]:
        """Return the corrections of items."""
        here = _CORRECTIONS.where(CORRECTIONS.c.item_key.in_(keys))
        return readable(await self._all_rows(here, its(channel)), Correction)

    async def unshown(self, platforms: Sequence[Platform]) -> tuple[Correction, ...]:
        """Return those that the messages about their items may not show yet."""
        query = select(CORRECTIONS).where(
            CORRECTIONS.c.shown.is_(False), CORRECTIONS.c.platform.in_(platforms)
        )
        return readable(await self._all_rows(query), Correction)

    async def shown(self, correction: Correction) -> None:
        """Store that the messages show one."""
        one = update(CORRECTIONS).where(
            *within(CORRECTIONS, correction.channel),
            CORRECTIONS.c.item_key == correction.item_key,
        )
        await self._execute(one.values(shown=True), turn(correction.channel))

    async def for_morning(self, channel: Channel, due_at: datetime) -> tuple[Correction, ...]:
        """Return what a slot begins with: what it was planned with, else all that was not told."""
        rows = await self._database.read(Joined(_OF_CHANNELS, channel))
        planned = [row for row in rows if row.told_on == due_at]
        rows = planned or [row for row in rows if row.told_on is None]
        return readable(rows, Correction)


def save_shown_in(connection: Connection, shown: Sequence[Correction], due_at: datetime) -> None:
    """Store which slot tells corrections."""
    for each in shown:
        one = update(CORRECTIONS).where(*of_channel(CORRECTIONS))
        one = one.where(CORRECTIONS.c.item_key == each.item_key).values(told_on=due_at)
        connection.execute(one, its(each.channel))


def clear_shown_in(connection: Connection, channel: Channel, due_at: datetime) -> None:
    """Take back what a slot was to tell, which nobody got to see."""
    one = update(CORRECTIONS).where(*of_channel(CORRECTIONS), CORRECTIONS.c.told_on == due_at)
    connection.execute(one.values(told_on=None), its(channel))
