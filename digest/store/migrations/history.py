"""Alembic without its configuration file: the steps that exist, and how to go there."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection


def known_revisions() -> tuple[str, ...]:
    """Give every revision of this program, newest first."""
    scripts = ScriptDirectory.from_config(_config())
    return tuple(script.revision for script in scripts.walk_revisions())


def upgrade(connection: Connection, revision: str = "head") -> None:
    """Bring the schema to a revision within the connection's transaction."""
    command.upgrade(_config(connection), revision)


def downgrade(connection: Connection, revision: str = "base") -> None:
    """Take the schema back to a revision within the connection's transaction."""
    command.downgrade(_config(connection), revision)


def _config(connection: Connection | None = None) -> Config:
    config = Config(attributes={"connection": connection})
    # A configuration file would read `%` in the path as the start of a name.
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    return config
