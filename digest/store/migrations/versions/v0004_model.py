"""What a model answered and cost, and how its server wants to be asked."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "model_answer",
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("repo", sa.String(), nullable=False),
        sa.Column("about", sa.String(), nullable=False),
        sa.Column("task", sa.String(), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("key"),
    )
    op.create_index("ix_model_answer_about", "model_answer", ["about"])
    op.create_index("ix_model_answer_asked_at", "model_answer", ["asked_at"])
    op.create_table(
        "model_spending",
        sa.Column("day", sa.String(), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("calls", sa.Integer(), nullable=False),
        sa.Column("input_tokens", sa.Integer(), nullable=False),
        sa.Column("output_tokens", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("day", "model"),
    )
    op.create_table(
        "model_endpoint",
        sa.Column("endpoint", sa.String(), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("form", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("endpoint", "model"),
    )


def downgrade() -> None:
    """Drop the tables."""
    op.drop_table("model_endpoint")
    op.drop_table("model_spending")
    op.drop_index("ix_model_answer_asked_at", "model_answer")
    op.drop_index("ix_model_answer_about", "model_answer")
    op.drop_table("model_answer")
