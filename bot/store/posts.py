"""Messages of the bot's own: what they are about, and how far each is."""

from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import Connection, insert, update
from sqlmodel import col, select

from bot.model.channels import Channel, Platform
from bot.model.posts import Post, PostState
from bot.store import tagged
from bot.store.channel_columns import columns, within
from bot.store.tables import PostRow, table_of
from digest.store.database import Database

POSTS = table_of(PostRow)
_PLAN = insert(POSTS).returning(POSTS.c.id, sort_by_parameter_order=True)


class Posts:
    """The stored messages. Every method raises `StoreFailed`."""

    def __init__(self, database: Database) -> None:
        """Take an open database."""
        self._database = database

    async def of_delivery(self, delivery: int) -> tuple[Post, ...]:
        """Give the messages of a delivery in the order in which they are posted."""
        query = (
            select(PostRow)
            .where(col(PostRow.delivery_id) == delivery)
            .order_by(col(PostRow.thread), col(PostRow.position))
        )
        async with self._database.reading() as session:
            rows = (await session.exec(query)).all()
        return tuple(_post(row) for row in rows)

    async def numbered(self, ids: Sequence[int]) -> tuple[Post, ...]:
        """Give the messages with these ids in the order in which they were kept."""
        query = select(PostRow).where(col(PostRow.id).in_(ids)).order_by(col(PostRow.id))
        async with self._database.reading() as session:
            rows = (await session.exec(query)).all()
        return tuple(_post(row) for row in rows)

    async def at(self, channel: Channel, ref: str) -> Post | None:
        """Give the message with a reference, or None for one that is not the bot's own."""
        if not ref:
            return None
        query = select(PostRow).where(*within(PostRow, channel), col(PostRow.ref) == ref)
        async with self._database.reading() as session:
            row = (await session.exec(query)).first()
        return _post(row) if row else None

    async def about(self, channel: Channel, item_key: str, limit: int) -> tuple[Post, ...]:
        """Give the newest sent messages that are about one item alone."""
        query = (
            select(PostRow)
            .where(
                *within(PostRow, channel),
                col(PostRow.item_key) == item_key,
                col(PostRow.state) == PostState.SENT.value,
            )
            .order_by(col(PostRow.id).desc())
            .limit(limit)
        )
        async with self._database.reading() as session:
            rows = (await session.exec(query)).all()
        return tuple(_post(row) for row in rows)

    async def newest(self, platform: Platform, limit: int) -> tuple[Post, ...]:
        """Give the newest sent messages of all channels of a platform, the newest first."""
        query = (
            select(PostRow)
            .where(
                col(PostRow.platform) == platform.value,
                col(PostRow.state) == PostState.SENT.value,
            )
            .order_by(col(PostRow.id).desc())
            .limit(limit)
        )
        async with self._database.reading() as session:
            rows = (await session.exec(query)).all()
        return tuple(_post(row) for row in rows)

    async def add(self, posts: Sequence[Post]) -> tuple[Post, ...]:
        """Keep messages before they are sent."""
        return await self._database.together("posts", lambda c: plan(c, posts))

    async def advance(self, post: Post) -> None:
        """Keep how far a message is."""
        async with self._database.saving("posts") as session:
            values = {"state": post.state.value, "ref": post.ref}
            await session.exec(update(PostRow).where(col(PostRow.id) == post.id).values(**values))


def plan(connection: Connection, posts: Sequence[Post]) -> tuple[Post, ...]:
    """Keep messages that are not stored yet, and give them with their ids."""
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


def _post(row: PostRow) -> Post:
    post: Post = tagged.load(row.body)
    return replace(
        post, id=row.id, delivery=row.delivery_id, state=PostState(row.state), ref=row.ref
    )
