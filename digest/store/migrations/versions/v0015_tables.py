"""Every table, and what a database of an earlier step lacks of them.

Those steps only added tables, indexes and columns that may be empty, so whatever is there stays;
one took a table away. There is no way back: a backup of before is restored. Nothing of the program
is imported here, so that the step stays what it was.
"""

from datetime import datetime

import sqlalchemy as sa
from alembic import op
from sqlalchemy import Column, Date, Index, Table, UniqueConstraint

revision = "0015"
down_revision = None
branch_labels = None
depends_on = None

TABLES = sa.MetaData()
SOURCE = ("source", "repo")
PLACE = ("platform", "workspace", "channel")


def texts(*names: str, key: bool = False) -> tuple[Column[str], ...]:
    """Return columns of text."""
    return tuple(Column(name, sa.String, primary_key=key, nullable=False) for name in names)


def numbers(*names: str, key: bool = False, nullable: bool = False) -> tuple[Column[int], ...]:
    """Return columns of whole numbers; a key by itself is counted by the database."""
    return tuple(Column(name, sa.Integer, primary_key=key, nullable=nullable) for name in names)


def moments(*names: str, key: bool = False, nullable: bool = False) -> tuple[Column[datetime], ...]:
    """Return columns of moments."""
    return tuple(
        Column(name, sa.DateTime(timezone=True), primary_key=key, nullable=nullable)
        for name in names
    )


def flags(*names: str, nullable: bool = False) -> tuple[Column[bool], ...]:
    """Return columns that are true or false."""
    return tuple(Column(name, sa.Boolean, nullable=nullable) for name in names)


def body() -> Column[bytes]:
    """Return the column of what is read as a whole."""
    return Column("body", sa.LargeBinary, nullable=False)


Table(
    "item",
    TABLES,
    *texts(*SOURCE, "key", key=True),
    *texts("kind"),
    *flags("whole", "reverting"),
    *moments("collected_at"),
    body(),
)
Table(
    "item_time",
    TABLES,
    *texts(*SOURCE, key=True),
    *moments("at", key=True),
    *texts("key", key=True),
    Index("ix_item_time_key", "key"),
)
Table(
    "coverage",
    TABLES,
    *numbers("id", key=True),
    *texts(*SOURCE),
    *moments("starts_at", "ends_at", "collected_at"),
    *flags("complete"),
    *texts("default_branch", "head"),
    body(),
    Index("ix_coverage_source", "source"),
    Index("ix_coverage_repo", "repo"),
)
Table(
    "digest",
    TABLES,
    *texts(*SOURCE, key=True),
    *moments("starts_at", "ends_at", key=True),
    *texts("tz", key=True),
    *texts("label"),
    *flags("partial", "final"),
    *moments("collected_at"),
    body(),
)
Table(
    "told_item",
    TABLES,
    *texts(*SOURCE, "key", key=True),
    *moments("at"),
    *numbers("score"),
    *moments("collected_at"),
    *texts("title_words", "words"),
    body(),
    Index("ix_told_item_at", "at"),
)
Table(
    "story",
    TABLES,
    *texts(*SOURCE, key=True),
    *moments("starts_at", "ends_at", key=True),
    *numbers("place", key=True),
    body(),
)
Table(
    "http_answer",
    TABLES,
    *texts("key", key=True),
    *texts("etag", "link"),
    *flags("permanent"),
    *moments("checked_at"),
    body(),
)
Table(
    "watched_repo",
    TABLES,
    *texts("alias", key=True),
    *texts("owner", "name"),
    *moments("added_at"),
)
Table("hold", TABLES, *texts("name", key=True), *texts("owner"), *moments("until"))
"""What one process at a time may do, held by `owner` until it says so no more."""

MODEL_ANSWERS = Table(
    "model_answer",
    TABLES,
    *texts("key", key=True),
    *texts("repo", "about", "task", "model"),
    *moments("asked_at"),
    body(),
    Index("ix_model_answer_about", "about"),
    Index("ix_model_answer_asked_at", "asked_at"),
)
Table(
    "model_spending",
    TABLES,
    *texts("day", "model", key=True),
    *numbers("calls", "input_tokens", "output_tokens"),
)
Table("model_endpoint", TABLES, *texts("endpoint", "model", key=True), *texts("form"))
Table(
    "subscription",
    TABLES,
    *numbers("id", key=True),
    *texts(*PLACE),
    *flags("paused"),
    *moments("next_due_at", "told_until", nullable=True),
    body(),
    UniqueConstraint(*PLACE),
    Index("ix_subscription_next_due_at", "next_due_at"),
    Index("ix_subscription_told_until", "told_until"),
    # An id must not come again: it names deliveries also after the subscription is gone.
    sqlite_autoincrement=True,
)
Table(
    "delivery",
    TABLES,
    *numbers("id", key=True),
    *numbers("subscription_id"),
    Column("local_date", Date, nullable=False),
    *texts(*PLACE, "state", "owner"),
    *moments("lease_until"),
    *numbers("tries"),
    *moments("retry_at", nullable=True),
    *flags("complete"),
    *flags("silent", nullable=True),
    body(),
    UniqueConstraint("subscription_id", "local_date"),
    Index("ix_delivery_state", "state"),
    Index("ix_delivery_state_date", "state", "local_date"),
)
Table(
    "post",
    TABLES,
    *numbers("id", key=True),
    *numbers("delivery_id", nullable=True),
    *texts(*PLACE),
    *numbers("thread", "position"),
    *texts("state", "ref", "item_key"),
    *moments("kept_at", nullable=True),
    body(),
    Index("ix_post_delivery_id", "delivery_id"),
    Index("ix_post_ref", *PLACE, "ref"),
    Index("ix_post_item", *PLACE, "item_key"),
    Index("ix_post_state", "platform", "state"),
)
Table(
    "follow_up",
    TABLES,
    *numbers("id", key=True),
    *texts(*PLACE, "item_key"),
    *moments("look_at", nullable=True),
    body(),
    UniqueConstraint(*PLACE, "item_key"),
    Index("ix_follow_up_look_at", "look_at"),
)
Table(
    "correction",
    TABLES,
    *texts(*PLACE, "item_key", key=True),
    *moments("at"),
    *flags("shown"),
    *moments("told_on", nullable=True),
    body(),
)
Table(
    "outgoing",
    TABLES,
    *numbers("id", key=True),
    *texts("platform", "workspace"),
    *moments("due_at"),
    *numbers("tries"),
    body(),
)
Table(
    "channel_log",
    TABLES,
    *numbers("id", key=True),
    *texts(*PLACE),
    *moments("at"),
    body(),
    Index("ix_channel_log_place", *PLACE),
)
Table(
    "concern",
    TABLES,
    *texts(*PLACE, "name", key=True),
    *moments("due_at", nullable=True),
    body(),
    Index("ix_concern_due_at", "due_at"),
)
Table("question", TABLES, *texts(*PLACE, "message", key=True), body())
"""The questions "which one?" below messages that are about several items."""

SEEN_EVENTS = Table(
    "seen_event",
    TABLES,
    *texts("platform", "event_id", key=True),
    *moments("at"),
    Index("ix_seen_event_at", "at"),
)
Table("kept_value", TABLES, *texts("short", key=True), *moments("kept_at", nullable=True), body())
Table(
    "named_moment",
    TABLES,
    *texts("name", key=True),
    *moments("at"),
    Index("ix_named_moment_at", "at"),
)
Table(
    "source_record", TABLES, *numbers("subscription_id", key=True), *texts("repo", key=True), body()
)
Table("process", TABLES, *texts("owner", key=True), *moments("seen_at"), body())


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
    # Questions to a model are leases like others since 0013.
    op.drop_table("model_claim", if_exists=True)
