"""What models cost by day, counted over all processes that share the database."""

from sqlalchemy import func
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from digest.editing.spending import Caps, Spent
from digest.store.database import Database
from digest.store.model_tables import ModelSpendingRow

_TURN = "model spending"


class StoredSpending:
    """Implements `digest.editing.spending.Ledger`. Every method raises `StoreFailed`."""

    def __init__(self, database: Database) -> None:
        """Take an open database."""
        self._database = database

    async def reserve(
        self, day: str, model: str, input_tokens: int, output_tokens: int, caps: Caps
    ) -> bool:
        """Note a question before it is asked; False, with nothing noted, where a cap forbids it."""
        cost = input_tokens + output_tokens
        async with self._database.saving(_TURN) as session:
            spent = await _spent(session, day)
            if caps.a_day is not None and spent.today + cost > caps.a_day:
                return False
            if caps.a_month is not None and spent.month + cost > caps.a_month:
                return False
            await _add(session, day, model, (1, input_tokens, output_tokens))
        return True

    async def settle(self, day: str, model: str, input_tokens: int, output_tokens: int) -> None:
        """Correct what was reserved by these differences, which may be negative."""
        async with self._database.saving(_TURN) as session:
            await _add(session, day, model, (0, input_tokens, output_tokens))

    async def spent(self, day: str) -> Spent:
        """Give what all models cost on a day and in its month."""
        async with self._database.reading() as session:
            return await _spent(session, day)


async def _spent(session: AsyncSession, day: str) -> Spent:
    row = ModelSpendingRow
    query = (
        select(
            col(row.day),
            func.sum(col(row.input_tokens) + col(row.output_tokens)),
            func.sum(col(row.calls)),
        )
        .where(col(row.day).startswith(day[:7]))
        .group_by(col(row.day))
    )
    days = {name: (int(cost), int(calls)) for name, cost, calls in await session.exec(query)}
    today = days.get(day, (0, 0))
    return Spent(
        today=today[0],
        month=sum(cost for cost, _ in days.values()),
        calls_today=today[1],
        calls_month=sum(calls for _, calls in days.values()),
    )


async def _add(session: AsyncSession, day: str, model: str, more: tuple[int, int, int]) -> None:
    calls, input_tokens, output_tokens = more
    row = await session.get(ModelSpendingRow, (day, model))
    if row is None:
        row = ModelSpendingRow(day=day, model=model, calls=0, input_tokens=0, output_tokens=0)
        session.add(row)
    row.calls += calls
    row.input_tokens += input_tokens
    row.output_tokens += output_tokens
