"""When a look does what a process left undone of a follow-up or a question."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; invitations of before are taken away by the next look."""
    for table in ("follow_up", "question"):
        op.add_column(table, sa.Column("left_at", sa.DateTime(timezone=True)))
        op.create_index(f"ix_{table}_left_at", table, ["left_at"])
    op.execute("UPDATE question SET left_at = CURRENT_TIMESTAMP")
