"""What happened to a channel lately."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

TABLES = sa.MetaData()

sa.Table(
    "channel_log",
    TABLES,
    sa.Column("id", sa.Integer(), primary_key=True),
    *(
        sa.Column(name, sa.String(), nullable=False)
        for name in ("platform", "workspace", "channel")
    ),
    sa.Column("at", sa.DateTime(timezone=True), nullable=False),
    sa.Column("body", sa.LargeBinary(), nullable=False),
    sa.Index("ix_channel_log_place", "platform", "workspace", "channel"),
)


def upgrade() -> None:
    """Make the table."""
    TABLES.create_all(op.get_bind())


def downgrade() -> None:
    """Take it away again."""
    TABLES.drop_all(op.get_bind())
