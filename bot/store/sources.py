"""How each source of a subscription was lately."""

from collections.abc import Mapping

from sqlalchemy import delete
from sqlmodel import col, select

from bot.source_records import SourceRecord
from bot.store.tables import SourceRecordRow
from digest import codec
from digest.models import Repo
from digest.store.database import Database


class Sources:
    """The stored records. Every method raises `StoreFailed`."""

    def __init__(self, database: Database) -> None:
        """Take an open database."""
        self._database = database

    async def of(self, subscription_id: int) -> dict[str, SourceRecord]:
        """Give the records of a subscription by `owner/name` in lower case."""
        query = select(SourceRecordRow).where(
            col(SourceRecordRow.subscription_id) == subscription_id
        )
        async with self._database.reading() as session:
            rows = (await session.exec(query)).all()
        return {row.repo: codec.load(SourceRecord, row.body) for row in rows}

    async def keep(self, subscription_id: int, records: Mapping[str, SourceRecord]) -> None:
        """Keep these records, and forget those of other repositories of the subscription."""
        mine = col(SourceRecordRow.subscription_id) == subscription_id
        async with self._database.saving(f"sources {subscription_id}") as session:
            await session.exec(delete(SourceRecordRow).where(mine))
            for repo, record in records.items():
                body = codec.dump(record)
                session.add(SourceRecordRow(subscription_id=subscription_id, repo=repo, body=body))


def record_name(repo: Repo) -> str:
    """Give the name under which a repository's record is kept."""
    return str(repo).lower()
