"""Remembered HTTP answers, so that what did not change is never paid for twice."""

from hashlib import sha256

from sqlalchemy import delete
from sqlmodel import col

from digest.ports import Remembered
from digest.store.database import Database
from digest.store.tables import AnswerRow


class StoredMemory:
    """Implements `digest.ports.Memory`. Both methods raise `StoreFailed`."""

    def __init__(self, database: Database) -> None:
        """Take an open database."""
        self._database = database

    async def recall(self, key: str) -> Remembered | None:
        """Give what was remembered, or None."""
        async with self._database.reading() as session:
            row = await session.get(AnswerRow, _hash(key))
        if row is None:
            return None
        return Remembered(row.body, row.etag, row.link, row.permanent, row.checked_at)

    async def remember(self, key: str, answer: Remembered) -> None:
        """Keep an answer, replacing an older one."""
        async with self._database.saving(f"answer {_hash(key)}") as session:
            await session.exec(delete(AnswerRow).where(col(AnswerRow.key) == _hash(key)))
            session.add(
                AnswerRow(
                    key=_hash(key),
                    etag=answer.etag,
                    link=answer.link,
                    permanent=answer.permanent,
                    checked_at=answer.checked_at,
                    body=answer.body,
                )
            )


def _hash(key: str) -> str:
    return sha256(key.encode()).hexdigest()
