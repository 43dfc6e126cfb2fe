"""Remembered HTTP answers, so that what did not change is never paid for twice."""

from hashlib import sha256

from sqlalchemy import select

from digest.ports import Remembered
from digest.store.columns import put
from digest.store.database import Database
from digest.store.tables import HTTP_ANSWERS


class StoredMemory:
    """Implements `digest.ports.Memory`. Both methods raise `StoreFailed`."""

    def __init__(self, database: Database) -> None:
        """Take an open database."""
        self._database = database

    async def recall(self, key: str) -> Remembered | None:
        """Give what was remembered, or None."""
        query = select(HTTP_ANSWERS).where(HTTP_ANSWERS.c.key == _hash(key))
        row = await self._database.first(query)
        if row is None:
            return None
        return Remembered(row.body, row.etag, row.link, row.permanent, row.checked_at)

    async def remember(self, key: str, answer: Remembered) -> None:
        """Keep an answer, replacing an older one."""
        row = {
            "key": _hash(key),
            "etag": answer.etag,
            "link": answer.link,
            "permanent": answer.permanent,
            "checked_at": answer.checked_at,
            "body": answer.body,
        }
        await self._database.within(lambda c: put(c, HTTP_ANSWERS, row))


def _hash(key: str) -> str:
    return sha256(key.encode()).hexdigest()
