"""Who asks a model which question, so that processes at once pay for it once."""

from sqlalchemy import delete, update
from sqlalchemy.dialects.postgresql import insert as insert_postgresql
from sqlalchemy.dialects.sqlite import insert as insert_sqlite
from sqlmodel import col

from digest.asking.turns import Sign
from digest.ports import Clock
from digest.store.database import Database
from digest.store.model_tables import ModelClaimRow


class StoredClaims:
    """Implements `digest.asking.turns.Claims`. Every method raises `StoreFailed`."""

    def __init__(self, database: Database, clock: Clock) -> None:
        """Take an open database, and the clock that says since when a claim is kept."""
        self._database = database
        self._clock = clock

    async def take(self, key: str, owner: str) -> bool:
        """Claim a question; False where it is claimed."""
        insert = insert_sqlite if self._database.is_sqlite else insert_postgresql
        row = {"key": key, "owner": owner, "sign": 0, "taken_at": self._clock()}
        statement = insert(ModelClaimRow).values(row).on_conflict_do_nothing()
        # Of an insert the number of rows is not kept unless asked for.
        return await self._database.do(statement.execution_options(preserve_rowcount=True)) == 1

    async def sign(self, key: str) -> Sign | None:
        """Give the last sign of life of a claim, or None where there is no claim."""
        async with self._database.reading() as session:
            row = await session.get(ModelClaimRow, key)
        return Sign(row.owner, row.sign) if row else None

    async def take_over(self, key: str, owner: str, last: Sign) -> bool:
        """Claim what another has claimed; False where it is not as `last` any more."""
        row = ModelClaimRow
        as_it_was = (
            col(row.key) == key,
            col(row.owner) == last.owner,
            col(row.sign) == last.number,
        )
        taken = {"owner": owner, "sign": 0, "taken_at": self._clock()}
        return await self._database.do(update(row).where(*as_it_was).values(taken)) == 1

    async def live(self, owner: str) -> None:
        """Give a sign of life for every claim of one's own."""
        row = ModelClaimRow
        await self._database.do(
            update(row).where(col(row.owner) == owner).values(sign=col(row.sign) + 1)
        )

    async def release(self, key: str, owner: str) -> None:
        """Let go of a claim of one's own."""
        row = ModelClaimRow
        await self._database.do(delete(row).where(col(row.key) == key, col(row.owner) == owner))
