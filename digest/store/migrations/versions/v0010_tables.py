"""Every table, and what a database of one of the nine steps before this one lacks of them.

Those steps only added tables, indexes and columns that may be empty, so whatever is there stays.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = None
branch_labels = None
depends_on = None

TABLES = sa.MetaData()


def _column(name: str, kind: Any, *, key: bool = False, nullable: bool = False) -> Any:
    return sa.Column(name, kind, primary_key=key, nullable=nullable)


def _texts(*names: str, key: bool = False) -> list[Any]:
    return [_column(name, sa.String(), key=key) for name in names]


def _number(name: str, *, key: bool = False, nullable: bool = False) -> Any:
    return _column(name, sa.Integer(), key=key, nullable=nullable)


def _moment(name: str, *, key: bool = False, nullable: bool = False) -> Any:
    return _column(name, sa.DateTime(timezone=True), key=key, nullable=nullable)


def _flag(name: str, *, nullable: bool = False) -> Any:
    return _column(name, sa.Boolean(), nullable=nullable)


def _body() -> Any:
    return _column("body", sa.LargeBinary())


SOURCE = ("source", "repo")
CHANNEL = ("platform", "workspace", "channel")

sa.Table(
    "item",
    TABLES,
    *_texts(*SOURCE, "key", key=True),
    *_texts("kind"),
    _flag("whole"),
    _flag("reverting"),
    _moment("collected_at"),
    _body(),
)
sa.Table(
    "item_time",
    TABLES,
    *_texts(*SOURCE, key=True),
    _moment("at", key=True),
    *_texts("key", key=True),
    sa.Index("ix_item_time_key", "key"),
)
sa.Table(
    "coverage",
    TABLES,
    _number("id", key=True),
    *_texts(*SOURCE),
    _moment("starts_at"),
    _moment("ends_at"),
    _moment("collected_at"),
    _flag("complete"),
    *_texts("default_branch", "head"),
    _body(),
    sa.Index("ix_coverage_source", "source"),
    sa.Index("ix_coverage_repo", "repo"),
)
sa.Table(
    "digest",
    TABLES,
    *_texts(*SOURCE, key=True),
    _moment("starts_at", key=True),
    _moment("ends_at", key=True),
    *_texts("tz", key=True),
    *_texts("label"),
    _flag("partial"),
    _flag("final"),
    _moment("collected_at"),
    _body(),
)
sa.Table(
    "told_item",
    TABLES,
    *_texts(*SOURCE, "key", key=True),
    _moment("at"),
    _number("score"),
    _moment("collected_at"),
    *_texts("title_words", "words"),
    _body(),
    sa.Index("ix_told_item_at", "at"),
)
sa.Table(
    "story",
    TABLES,
    *_texts(*SOURCE, key=True),
    _moment("starts_at", key=True),
    _moment("ends_at", key=True),
    _number("place", key=True),
    _body(),
)
sa.Table(
    "http_answer",
    TABLES,
    *_texts("key", key=True),
    *_texts("etag", "link"),
    _flag("permanent"),
    _moment("checked_at"),
    _body(),
)
sa.Table(
    "watched_repo",
    TABLES,
    *_texts("alias", key=True),
    *_texts("owner", "name"),
    _moment("added_at"),
)
sa.Table(
    "model_answer",
    TABLES,
    *_texts("key", key=True),
    *_texts("repo", "about", "task", "model"),
    _moment("asked_at"),
    _body(),
    sa.Index("ix_model_answer_about", "about"),
    sa.Index("ix_model_answer_asked_at", "asked_at"),
)
sa.Table(
    "model_claim",
    TABLES,
    *_texts("key", key=True),
    *_texts("owner"),
    _number("sign"),
    _moment("taken_at"),
)
sa.Table(
    "model_spending",
    TABLES,
    *_texts("day", "model", key=True),
    _number("calls"),
    _number("input_tokens"),
    _number("output_tokens"),
)
sa.Table(
    "model_endpoint",
    TABLES,
    *_texts("endpoint", "model", key=True),
    *_texts("form"),
)
sa.Table(
    "subscription",
    TABLES,
    _number("id", key=True),
    *_texts(*CHANNEL),
    _flag("paused"),
    _body(),
    _moment("next_due_at", nullable=True),
    _moment("told_until", nullable=True),
    sa.UniqueConstraint(*CHANNEL),
    sa.Index("ix_subscription_next_due_at", "next_due_at"),
    sa.Index("ix_subscription_told_until", "told_until"),
    # An id must not come again: it names deliveries also after the subscription is gone.
    sqlite_autoincrement=True,
)
sa.Table(
    "delivery",
    TABLES,
    _number("id", key=True),
    _number("subscription_id"),
    _column("local_date", sa.Date()),
    *_texts(*CHANNEL, "state", "owner"),
    _moment("lease_until"),
    _number("tries"),
    _moment("retry_at", nullable=True),
    _flag("complete"),
    _body(),
    _flag("silent", nullable=True),
    sa.UniqueConstraint("subscription_id", "local_date"),
    sa.Index("ix_delivery_state", "state"),
    sa.Index("ix_delivery_state_date", "state", "local_date"),
)
sa.Table(
    "post",
    TABLES,
    _number("id", key=True),
    _number("delivery_id", nullable=True),
    *_texts(*CHANNEL),
    _number("thread"),
    _number("position"),
    *_texts("state", "ref", "item_key"),
    _body(),
    _moment("kept_at", nullable=True),
    sa.Index("ix_post_delivery_id", "delivery_id"),
    sa.Index("ix_post_ref", *CHANNEL, "ref"),
    sa.Index("ix_post_item", *CHANNEL, "item_key"),
    sa.Index("ix_post_state", "platform", "state"),
)
sa.Table(
    "follow_up",
    TABLES,
    _number("id", key=True),
    *_texts(*CHANNEL, "item_key"),
    _body(),
    sa.UniqueConstraint(*CHANNEL, "item_key"),
)
sa.Table("question", TABLES, *_texts(*CHANNEL, "message", key=True), _body())
sa.Table(
    "seen_event",
    TABLES,
    *_texts("platform", "event_id", key=True),
    _moment("at"),
    sa.Index("ix_seen_event_at", "at"),
)
sa.Table("hold", TABLES, *_texts("name", key=True), *_texts("owner"), _moment("until"))
sa.Table(
    "kept_value",
    TABLES,
    *_texts("short", key=True),
    _body(),
    _moment("kept_at", nullable=True),
)
sa.Table(
    "named_moment",
    TABLES,
    *_texts("name", key=True),
    _moment("at"),
    sa.Index("ix_named_moment_at", "at"),
)
sa.Table(
    "source_record",
    TABLES,
    _number("subscription_id", key=True),
    *_texts("repo", key=True),
    _body(),
)
sa.Table("process", TABLES, *_texts("owner", key=True), _moment("seen_at"), _body())


def upgrade() -> None:
    """Make what is not there."""
    connection = op.get_bind()
    TABLES.create_all(connection)
    there = sa.inspect(connection)
    for table in TABLES.sorted_tables:
        columns = {each["name"] for each in there.get_columns(table.name)}
        for column in table.columns:
            if column.name not in columns:
                op.add_column(table.name, sa.Column(column.name, column.type))
        indexes = {each["name"] for each in there.get_indexes(table.name)}
        for index in table.indexes:
            if index.name not in indexes:
                index.create(connection)
