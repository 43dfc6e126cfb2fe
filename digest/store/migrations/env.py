"""Run by Alembic for each step, on the connection that `history` hands over."""

from alembic import context

from digest.store.tables import TABLES

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=TABLES,
    render_as_batch=True,  # SQLite cannot alter a column, so the table is made anew
)
with context.begin_transaction():
    context.run_migrations()
