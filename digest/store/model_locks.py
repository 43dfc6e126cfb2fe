"""Who asks a model which question, so that processes at once pay for it once."""

from datetime import timedelta

from sqlalchemy import delete
from sqlalchemy.dialects.postgresql import insert as insert_postgresql
from sqlalchemy.dialects.sqlite import insert as insert_sqlite
from sqlmodel import col

from digest.ports import Clock
from digest.store.database import Database
from digest.store.model_tables import ModelClaimRow


class StoredLocks:
    """Implements `digest.editing.turns.Locks`. Both methods raise `StoreFailed`."""

    def __init__(self, database: Database, clock: Clock) -> None:
        """Take an open database, and the clock that says since when a lock is kept."""
        self._database = database
        self._clock = clock

    async def take(self, key: str, abandoned: timedelta) -> bool:
        """Lock a question that nobody has locked within that time; False where it is locked."""
        now = self._clock()
        insert = insert_sqlite if self._database.is_sqlite else insert_postgresql
        row = {"key": key, "owner": "", "sign": 0, "taken_at": now}
        statement = insert(ModelClaimRow).values(row)
        statement = statement.on_conflict_do_update(
            index_elements=["key"],
            set_={"taken_at": now},
            where=col(ModelClaimRow.taken_at) < now - abandoned,
        )
        # Of an insert the number of rows is not kept unless asked for.
        return await self._database.do(statement.execution_options(preserve_rowcount=True)) == 1

    async def release(self, key: str) -> None:
        """Let others ask, or read the answer that is kept."""
        await self._database.do(delete(ModelClaimRow).where(col(ModelClaimRow.key) == key))
