"""Indexes for what is looked at again and again: what was told lately, and messages by state."""

from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add what the version before need not know."""
    op.create_index("ix_delivery_state_date", "delivery", ["state", "local_date"])
    op.create_index("ix_post_state", "post", ["platform", "state"])


def downgrade() -> None:
    """Take it away again."""
    op.drop_index("ix_post_state", "post")
    op.drop_index("ix_delivery_state_date", "delivery")
