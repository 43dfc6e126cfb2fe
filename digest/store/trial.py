"""Whether a database takes what is written: a full or read-only disk lets all be read."""

from sqlalchemy import text

from digest.store.database import Database

_SAME_AGAIN = text("UPDATE alembic_version SET version_num = version_num")


async def try_writing(database: Database) -> None:
    """Write what stands there already; raises `StoreFailed` where that cannot be done."""
    await database.do(_SAME_AGAIN)
