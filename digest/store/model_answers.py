"""What a model was asked and answered, and how its server wants to be asked."""

import asyncio

from sqlalchemy import or_, select

from digest.codec import dump, load
from digest.editing.forms import Form
from digest.editing.question import Kept
from digest.store.columns import put
from digest.store.database import Database
from digest.store.tables import MODEL_ANSWERS, MODEL_ENDPOINTS


class StoredModelAnswers:
    """Answers of models under all that they saw. Every method raises `StoreFailed`."""

    def __init__(self, database: Database) -> None:
        """Take an open database."""
        self._database = database

    async def recall(self, key: str) -> Kept | None:
        """Give what is kept under a key, or None."""
        query = select(MODEL_ANSWERS.c.body).where(MODEL_ANSWERS.c.key == key)
        row = await self._database.first(query)
        return load(Kept, row.body) if row else None

    async def keep(self, key: str, kept: Kept) -> None:
        """Keep an answer, replacing an older one."""
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
        await self._database.within(lambda c: put(c, MODEL_ANSWERS, row))

    async def about(self, item: str) -> tuple[Kept, ...]:
        """Give every answer about an item by its key, alone or among others, oldest first."""
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
        rows = await self._database.rows(query)
        return tuple(await asyncio.to_thread(lambda: [load(Kept, row.body) for row in rows]))


class StoredForms:
    """Remembers how an endpoint's model is asked. Both methods raise `StoreFailed`."""

    def __init__(self, database: Database) -> None:
        """Take an open database."""
        self._database = database

    async def recall(self, endpoint: str, model: str) -> Form | None:
        """Give the form as remembered, or None; raises `BadAnswer` for what is none."""
        own = (MODEL_ENDPOINTS.c.endpoint == endpoint, MODEL_ENDPOINTS.c.model == model)
        row = await self._database.first(select(MODEL_ENDPOINTS.c.form).where(*own))
        return load(Form, row.form) if row else None

    async def remember(self, endpoint: str, model: str, form: Form) -> None:
        """Keep a form, replacing an older one."""
        row = {"endpoint": endpoint, "model": model, "form": dump(form).decode()}
        await self._database.within(lambda c: put(c, MODEL_ENDPOINTS, row))
