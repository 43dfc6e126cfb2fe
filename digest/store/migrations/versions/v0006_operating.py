"""Processes and their signs of life; since when messages and values are kept."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add what the version before leaves empty."""
    op.create_table(
        "process",
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("owner"),
    )
    for table in ("post", "kept_value"):
        op.add_column(table, sa.Column("kept_at", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    """Take it away again."""
    for table in ("kept_value", "post"):
        with op.batch_alter_table(table) as batch:
            batch.drop_column("kept_at")
    op.drop_table("process")
