"""Questions to a model are leases like others: their own table goes."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Drop the table; a process of the version before asks without locks until it is stopped."""
    op.drop_table("model_claim")


def downgrade() -> None:
    """Make it again, empty."""
    op.create_table(
        "model_claim",
        sa.Column("key", sa.String(), primary_key=True),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("sign", sa.Integer(), nullable=False),
        sa.Column("taken_at", sa.DateTime(timezone=True), nullable=False),
    )
