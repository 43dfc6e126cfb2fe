"""What concerns a channel, and when its codebase is read again."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

TABLES = sa.MetaData()

sa.Table(
    "concern",
    TABLES,
    *(
        sa.Column(name, sa.String(), primary_key=True)
        for name in ("platform", "workspace", "channel", "name")
    ),
    sa.Column("due_at", sa.DateTime(timezone=True), nullable=True, index=True),
    sa.Column("body", sa.LargeBinary(), nullable=False),
)


def upgrade() -> None:
    """Make the table."""
    TABLES.create_all(op.get_bind())


def downgrade() -> None:
    """Take it away again."""
    TABLES.drop_all(op.get_bind())
