"""Which messages of a channel name an item."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Select, select

from bot.model.channels import Channel
from bot.model.posts import Post, PostState
from bot.store import tagged
from bot.store.tables import DELIVERIES, POSTS, within
from bot.wording.channel_reasons import Mention
from digest.store.database import Database

LOOKED_THROUGH = 2_000
"""The newest messages of a channel: those of some months."""


class Mentions:
    """The stored messages, looked through for an item. Every method raises `StoreFailed`."""

    def __init__(self, database: Database) -> None:
        """Take an open database."""
        self._database = database

    async def of(self, channel: Channel, *item_keys: str) -> tuple[Mention, ...]:
        """Give the sent messages of a channel that name an item by one of its keys, the best first.

        One of its own is better than one with others, and that better than a thread's first.
        """
        found = []
        query = _query(channel, item_keys)
        for body, delivery, local_date in await self._database.rows(query):
            post: Post = tagged.load(body)
            about = post.message.about
            if not set(item_keys).isdisjoint(about):
                when = local_date if delivery else None
                found.append(Mention(when, post.message.is_parent, len(about) - 1))
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
