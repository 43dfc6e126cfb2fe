"""Sentences of a channel (`paused`, `last_error`) are stored as codes: older programs read none.

Texts that are stored stay as they are, and are said so.
"""

import json

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

SUBSCRIPTIONS = sa.table(
    "subscription", sa.column("id", sa.Integer()), sa.column("body", sa.LargeBinary())
)


def upgrade() -> None:
    """Change nothing: the revision keeps older programs away."""


def downgrade() -> None:
    """Leave of each sentence only that there was one."""
    connection = op.get_bind()
    for row in connection.execute(sa.select(SUBSCRIPTIONS)).all():
        body = json.loads(row.body)
        for name in ("paused", "last_error", "complaint"):
            if isinstance(body.get(name), dict):
                body[name] = body[name]["code"]
        changed = sa.update(SUBSCRIPTIONS).where(SUBSCRIPTIONS.c.id == row.id)
        connection.execute(changed.values(body=json.dumps(body).encode()))
