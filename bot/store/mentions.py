"""Which messages of a channel name an item."""

from collections.abc import Sequence
from typing import Any

from sqlmodel import col, select

from bot.model.channels import Channel
from bot.model.posts import Post, PostState
from bot.store import tagged
from bot.store.channel_columns import within
from bot.store.tables import DeliveryRow, PostRow
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
        async with self._database.reading() as session:
            rows = (await session.exec(_query(channel, item_keys))).all()
        found = []
        for body, delivery, local_date in rows:
            post: Post = tagged.load(body)
            about = post.message.about
            if not set(item_keys).isdisjoint(about):
                when = local_date if delivery else None
                found.append(Mention(when, post.message.is_parent, len(about) - 1))
        return tuple(sorted(found, key=lambda each: (each.is_parent, each.others)))


def _query(channel: Channel, item_keys: Sequence[str]) -> Any:
    return (
        select(col(PostRow.body), col(PostRow.delivery_id), col(DeliveryRow.local_date))
        .join(DeliveryRow, col(DeliveryRow.id) == col(PostRow.delivery_id), isouter=True)
        .where(
            *within(PostRow, channel),
            col(PostRow.state) == PostState.SENT.value,
            col(PostRow.item_key).in_(("", *item_keys)),
        )
        .order_by(col(PostRow.id).desc())
        .limit(LOOKED_THROUGH)
    )
