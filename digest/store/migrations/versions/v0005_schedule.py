"""Whether a morning was quiet, moments known by a name, and how each source was lately."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add what the version before leaves empty."""
    op.add_column("delivery", sa.Column("silent", sa.Boolean(), nullable=True))
    op.create_table(
        "named_moment",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_index("ix_named_moment_at", "named_moment", ["at"])
    op.create_table(
        "source_record",
        sa.Column("subscription_id", sa.Integer(), nullable=False),
        sa.Column("repo", sa.String(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("subscription_id", "repo"),
    )


def downgrade() -> None:
    """Take it away again."""
    op.drop_table("source_record")
    op.drop_index("ix_named_moment_at", "named_moment")
    op.drop_table("named_moment")
    with op.batch_alter_table("delivery") as batch:
        batch.drop_column("silent")
