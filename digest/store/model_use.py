"""What a model was asked and answered, and what a day costs."""

import asyncio
from contextlib import suppress

from sqlalchemy import Connection, func, or_, select

from digest.codec import dump, load
from digest.edited import ModelFailure
from digest.errors import BadAnswer
from digest.model_answers import Caps, Spent, StoredAnswer
from digest.store.database import Stored
from digest.store.tables import MODEL_ANSWERS, MODEL_FAILURES, MODEL_SPENDING, put


class StoredModelAnswers(Stored):
    """Answers of models under all that they saw. Every method raises `StoreFailed`."""

    async def recall(self, key: str) -> StoredAnswer | None:
        """Return what is kept under a key, or None."""
        query = select(MODEL_ANSWERS.c.body).where(MODEL_ANSWERS.c.key == key)
        row = await self._first_row(query)
        return load(StoredAnswer, row.body) if row else None

    async def keep(self, key: str, kept: StoredAnswer) -> None:
        """Store an answer, replacing an older one."""
        about = kept.request.about
        row = {
            "key": key,
            "repo": about.partition(":")[0],
            "about": about,
            "task": kept.request.task,
            "model": kept.model,
            "asked_at": kept.asked_at,
            "body": dump(kept),
        }
        await self._database.write(lambda c: put(c, MODEL_ANSWERS, row), f"answer {key}")

    async def about(self, item: str) -> tuple[StoredAnswer, ...]:
        """Return every answer about an item by its key, alone or among others, oldest first."""
        about = MODEL_ANSWERS.c.about
        query = (
            select(MODEL_ANSWERS.c.body)
            .where(MODEL_ANSWERS.c.repo == item.partition(":")[0])
            .where(
                or_(
                    about == item,
                    about.startswith(f"{item} ", autoescape=True),
                    about.endswith(f" {item}", autoescape=True),
                    about.contains(f" {item} ", autoescape=True),
                )
            )
            .order_by(MODEL_ANSWERS.c.asked_at, MODEL_ANSWERS.c.key)
        )
        rows = await self._all_rows(query)
        return tuple(
            await asyncio.to_thread(lambda: [load(StoredAnswer, row.body) for row in rows])
        )


class StoredModelFailures(Stored):
    """What each model last failed at. Every method raises `StoreFailed`."""

    async def note(self, failure: ModelFailure) -> None:
        """Store a failure in place of the model's one before."""
        row = {"model": failure.use.model, "at": failure.at, "body": dump(failure)}
        await self._database.write(lambda c: put(c, MODEL_FAILURES, row), "model failure")

    async def last(self) -> ModelFailure | None:
        """Return the newest of all models, or None, also where another version wrote it."""
        row = await self._first_row(
            select(MODEL_FAILURES.c.body).order_by(MODEL_FAILURES.c.at.desc())
        )
        with suppress(BadAnswer):
            return load(ModelFailure, row.body) if row else None
        return None


_TURN = "model spending"


class StoredSpending(Stored):
    """What was spent, by day (`2026-02-12`) and model; caps hold for all models together.

    Every method raises `StoreFailed`.
    """

    async def reserve(
        self, day: str, model: str, input_tokens: int, output_tokens: int, caps: Caps
    ) -> str:
        """Note a question before it is asked; say which cap forbids it, with nothing noted."""

        def work(connection: Connection) -> str:
            refusal = caps.refusal(_spent(connection, day), input_tokens + output_tokens)
            if not refusal:
                _add(connection, day, model, 1, input_tokens, output_tokens)
            return refusal

        return await self._database.write(work, _TURN)

    async def settle(
        self, day: str, model: str, input_tokens: int, output_tokens: int, calls: int = 0
    ) -> None:
        """Correct what was reserved by these differences, which may be negative."""
        await self._database.write(
            lambda c: _add(c, day, model, calls, input_tokens, output_tokens), _TURN
        )

    async def spent(self, day: str) -> Spent:
        """Return what all models cost on a day and in its month."""
        return await self._database.read(lambda c: _spent(c, day))


def _spent(connection: Connection, day: str) -> Spent:
    table = MODEL_SPENDING.c
    tokens = func.sum(table.input_tokens + table.output_tokens)
    query = select(table.day, tokens).group_by(table.day)
    rows = connection.execute(query.where(table.day.startswith(day[:7]))).all()
    days = {name: int(cost) for name, cost in rows}
    return Spent(days.get(day, 0), sum(days.values()))


def _add(connection: Connection, day: str, model: str, *more: int) -> None:
    own = (MODEL_SPENDING.c.day == day, MODEL_SPENDING.c.model == model)
    names = ("calls", "input_tokens", "output_tokens")
    query = select(*(MODEL_SPENDING.c[name] for name in names)).where(*own)
    known = connection.execute(query).first() or (0, 0, 0)
    sums = {name: a + b for name, a, b in zip(names, known, more, strict=True)}
    put(connection, MODEL_SPENDING, {"day": day, "model": model, **sums})
