"""When a subscription comes due next, so that a look reads only those that may be due.

Rows of before have no moment and are read at every look until they are changed; so are those that
the version before writes while both run.
"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add what the version before need not know."""
    with op.batch_alter_table("subscription") as table:
        table.add_column(sa.Column("next_due_at", sa.DateTime(timezone=True), nullable=True))
        table.add_column(sa.Column("told_until", sa.DateTime(timezone=True), nullable=True))
    op.create_index("ix_subscription_next_due_at", "subscription", ["next_due_at"])
    op.create_index("ix_subscription_told_until", "subscription", ["told_until"])


def downgrade() -> None:
    """Take it away again."""
    op.drop_index("ix_subscription_told_until", "subscription")
    op.drop_index("ix_subscription_next_due_at", "subscription")
    with op.batch_alter_table("subscription") as table:
        table.drop_column("told_until")
        table.drop_column("next_due_at")
