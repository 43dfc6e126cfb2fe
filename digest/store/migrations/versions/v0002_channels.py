"""What is kept of channels: subscriptions, deliveries, posts, follow-ups, questions, events."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

CHANNEL = ("platform", "workspace", "channel")


def _text(name: str) -> "sa.Column[Any]":
    return sa.Column(name, sa.String(), nullable=False)


def _number(name: str, *, nullable: bool = False) -> "sa.Column[Any]":
    return sa.Column(name, sa.Integer(), nullable=nullable)


def _moment(name: str, *, nullable: bool = False) -> "sa.Column[Any]":
    return sa.Column(name, sa.DateTime(timezone=True), nullable=nullable)


def _flag(name: str) -> "sa.Column[Any]":
    return sa.Column(name, sa.Boolean(), nullable=False)


def _packed() -> "sa.Column[Any]":
    return sa.Column("body", sa.LargeBinary(), nullable=False)


def _channel() -> "list[sa.Column[Any]]":
    return [_text(name) for name in CHANNEL]


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "subscription",
        *(_number("id"), *_channel(), _flag("paused"), _packed()),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint(*CHANNEL),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "delivery",
        *(_number("id"), _number("subscription_id")),
        sa.Column("local_date", sa.Date(), nullable=False),
        *(*_channel(), _text("state"), _text("owner"), _moment("lease_until"), _number("tries")),
        *(_moment("retry_at", nullable=True), _flag("complete"), _packed()),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("subscription_id", "local_date"),
    )
    op.create_index("ix_delivery_state", "delivery", ["state"])
    op.create_table(
        "post",
        *(_number("id"), _number("delivery_id", nullable=True), *_channel(), _number("thread")),
        *(_number("position"), _text("state"), _text("ref"), _text("item_key"), _packed()),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_post_delivery_id", "post", ["delivery_id"])
    op.create_index("ix_post_ref", "post", [*CHANNEL, "ref"])
    op.create_index("ix_post_item", "post", [*CHANNEL, "item_key"])
    op.create_table(
        "follow_up",
        *(_number("id"), *_channel(), _text("item_key"), _packed()),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint(*CHANNEL, "item_key"),
    )
    op.create_table(
        "question",
        *(*_channel(), _text("message"), _packed()),
        sa.PrimaryKeyConstraint(*CHANNEL, "message"),
    )
    op.create_table(
        "seen_event",
        *(_text("platform"), _text("event_id"), _moment("at")),
        sa.PrimaryKeyConstraint("platform", "event_id"),
    )
    op.create_index("ix_seen_event_at", "seen_event", ["at"])


def downgrade() -> None:
    """Take the tables away with all that they hold."""
    for table in ("seen_event", "question", "follow_up", "post", "delivery", "subscription"):
        op.drop_table(table)
