"""What follow-ups follow upstream: when each is looked at, corrections, and what a webhook gets."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


TABLES = sa.MetaData()

sa.Table(
    "correction",
    TABLES,
    *(
        sa.Column(name, sa.String(), primary_key=True)
        for name in ("platform", "workspace", "channel", "item_key")
    ),
    sa.Column("at", sa.DateTime(timezone=True), nullable=False),
    sa.Column("shown", sa.Boolean(), nullable=False),
    sa.Column("told_on", sa.DateTime(timezone=True), nullable=True),
    sa.Column("body", sa.LargeBinary(), nullable=False),
)
sa.Table(
    "outgoing",
    TABLES,
    sa.Column("id", sa.Integer(), primary_key=True),
    sa.Column("platform", sa.String(), nullable=False),
    sa.Column("workspace", sa.String(), nullable=False),
    sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
    sa.Column("tries", sa.Integer(), nullable=False),
    sa.Column("body", sa.LargeBinary(), nullable=False),
)


def upgrade() -> None:
    """Make what is not there."""
    connection = op.get_bind()
    TABLES.create_all(connection)
    columns = {each["name"] for each in sa.inspect(connection).get_columns("follow_up")}
    if "look_at" not in columns:
        op.add_column("follow_up", sa.Column("look_at", sa.DateTime(timezone=True), nullable=True))
        op.create_index("ix_follow_up_look_at", "follow_up", ["look_at"])


def downgrade() -> None:
    """Take it away again."""
    TABLES.drop_all(op.get_bind())
    op.drop_index("ix_follow_up_look_at", "follow_up")
    op.drop_column("follow_up", "look_at")
