"""Stories that later days go on with."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add what the version before need not know."""
    op.create_table(
        "story",
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("repo", sa.String(), nullable=False),
        sa.Column("starts_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("source", "repo", "starts_at", "ends_at", "place"),
    )


def downgrade() -> None:
    """Take it away again."""
    op.drop_table("story")
