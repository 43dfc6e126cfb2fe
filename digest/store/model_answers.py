"""What a model was asked and answered, and how its server wants to be asked."""

import asyncio

from sqlalchemy import delete
from sqlmodel import col, or_, select

from digest.codec import dump, load
from digest.editing.question import Kept
from digest.store.database import Database
from digest.store.model_tables import ModelAnswerRow, ModelEndpointRow


class StoredModelAnswers:
    """Implements `digest.editing.keeping.KeptAnswers`. Every method raises `StoreFailed`."""

    def __init__(self, database: Database) -> None:
        """Take an open database."""
        self._database = database

    async def recall(self, key: str) -> Kept | None:
        """Give what is kept under a key, or None."""
        async with self._database.reading() as session:
            row = await session.get(ModelAnswerRow, key)
        return load(Kept, row.body) if row else None

    async def keep(self, key: str, kept: Kept) -> None:
        """Keep an answer, replacing an older one."""
        about = kept.request.about
        row = ModelAnswerRow(
            key=key,
            repo=about.partition(":")[0],
            about=about,
            task=kept.request.task,
            model=kept.model,
            asked_at=kept.asked_at,
            body=dump(kept),
        )
        async with self._database.saving(f"model answer {key}") as session:
            await session.exec(delete(ModelAnswerRow).where(col(ModelAnswerRow.key) == key))
            session.add(row)

    async def about(self, item: str) -> tuple[Kept, ...]:
        """Give every answer about an item by its key, alone or among others, oldest first."""
        about = col(ModelAnswerRow.about)
        query = (
            select(ModelAnswerRow)
            .where(col(ModelAnswerRow.repo) == item.partition(":")[0])
            .where(
                or_(
                    about == item,
                    about.startswith(f"{item} ", autoescape=True),
                    about.endswith(f" {item}", autoescape=True),
                    about.contains(f" {item} ", autoescape=True),
                )
            )
            .order_by(col(ModelAnswerRow.asked_at), col(ModelAnswerRow.key))
        )
        async with self._database.reading() as session:
            rows = (await session.exec(query)).all()
        return tuple(await asyncio.to_thread(lambda: [load(Kept, row.body) for row in rows]))


class StoredForms:
    """Implements `digest.editing.endpoint.KnownForms`. Both methods raise `StoreFailed`."""

    def __init__(self, database: Database) -> None:
        """Take an open database."""
        self._database = database

    async def recall(self, endpoint: str, model: str) -> str:
        """Give the form as remembered, or nothing."""
        async with self._database.reading() as session:
            row = await session.get(ModelEndpointRow, (endpoint, model))
        return row.form if row else ""

    async def remember(self, endpoint: str, model: str, form: str) -> None:
        """Keep a form, replacing an older one."""
        async with self._database.saving("model endpoint") as session:
            row = await session.get(ModelEndpointRow, (endpoint, model))
            if row is None:
                session.add(ModelEndpointRow(endpoint=endpoint, model=model, form=form))
            else:
                row.form = form
