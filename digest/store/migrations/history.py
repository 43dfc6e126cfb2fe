"""Alembic without its configuration file: the steps that exist, and how to go there."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

SQUASHED = tuple(f"{number:04}" for number in range(14, 0, -1))
"""Steps that the first one has taken in; a database at one of them is brought up to date by it."""


def known_revisions() -> tuple[str, ...]:
    """Return every revision that this program can bring up to date, newest first."""
    scripts = ScriptDirectory.from_config(_config())
    return (*(script.revision for script in scripts.walk_revisions()), *SQUASHED)


def upgrade(connection: Connection, revision: str = "head") -> None:
    """Bring the schema to a revision, or up to date, within the connection's transaction."""
    if MigrationContext.configure(connection).get_current_revision() in SQUASHED:
        connection.execute(text("DELETE FROM alembic_version"))
    command.upgrade(_config(connection), "head" if revision in SQUASHED else revision)


def _config(connection: Connection | None = None) -> Config:
    config = Config(attributes={"connection": connection})
    # A configuration file would read `%` in the path as the start of a name.
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    return config
