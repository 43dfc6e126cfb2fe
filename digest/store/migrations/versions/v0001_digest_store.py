"""The first tables: activity, digests, remembered HTTP answers, watched repositories."""

from datetime import datetime

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def _text(name: str) -> "sa.Column[str]":
    return sa.Column(name, sa.String(), nullable=False)


def _moment(name: str) -> "sa.Column[datetime]":
    return sa.Column(name, sa.DateTime(timezone=True), nullable=False)


def _flag(name: str) -> "sa.Column[bool]":
    return sa.Column(name, sa.Boolean(), nullable=False)


def _packed(name: str) -> "sa.Column[bytes]":
    return sa.Column(name, sa.LargeBinary(), nullable=False)


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "item",
        *(_text("source"), _text("repo"), _text("key"), _text("kind"), _flag("whole")),
        *(_flag("reverting"), _moment("collected_at"), _packed("body")),
        sa.PrimaryKeyConstraint("source", "repo", "key"),
    )
    op.create_table(
        "item_time",
        *(_text("source"), _text("repo"), _moment("at"), _text("key")),
        sa.PrimaryKeyConstraint("source", "repo", "at", "key"),
    )
    op.create_index("ix_item_time_key", "item_time", ["key"])
    op.create_table(
        "coverage",
        sa.Column("id", sa.Integer(), nullable=False),
        *(_text("source"), _text("repo"), _moment("starts_at"), _moment("ends_at")),
        *(_moment("collected_at"), _flag("complete"), _text("default_branch"), _text("head")),
        _packed("body"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_coverage_source", "coverage", ["source"])
    op.create_index("ix_coverage_repo", "coverage", ["repo"])
    op.create_table(
        "digest",
        *(_text("source"), _text("repo"), _moment("starts_at"), _moment("ends_at"), _text("tz")),
        *(_text("label"), _flag("partial"), _flag("final"), _moment("collected_at")),
        _packed("body"),
        sa.PrimaryKeyConstraint("source", "repo", "starts_at", "ends_at", "tz"),
    )
    op.create_table(
        "told_item",
        *(_text("source"), _text("repo"), _text("key"), _moment("at")),
        sa.Column("score", sa.Integer(), nullable=False),
        *(_moment("collected_at"), _text("title_words"), _text("words"), _packed("body")),
        sa.PrimaryKeyConstraint("source", "repo", "key"),
    )
    op.create_index("ix_told_item_at", "told_item", ["at"])
    op.create_table(
        "http_answer",
        *(_text("key"), _text("etag"), _text("link"), _flag("permanent")),
        *(_moment("checked_at"), _packed("body")),
        sa.PrimaryKeyConstraint("key"),
    )
    op.create_table(
        "watched_repo",
        *(_text("alias"), _text("owner"), _text("name"), _moment("added_at")),
        sa.PrimaryKeyConstraint("alias"),
    )


def downgrade() -> None:
    """Take the tables away with all that they hold."""
    for table in (
        *("watched_repo", "http_answer", "told_item", "digest", "coverage", "item_time", "item"),
    ):
        op.drop_table(table)
