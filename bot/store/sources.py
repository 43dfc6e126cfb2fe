"""How each source was lately, and what each subscription was told of it."""

from collections.abc import Callable

from sqlmodel import col, select

from bot.model.source_records import LastReport, SourceRecord
from bot.store.tables import SourceRecordRow
from digest import codec
from digest.models import Repo
from digest.store.database import Database

OF_ALL = 0
"""What stands in place of a subscription for what holds for all; none has this number."""


class Sources:
    """The stored records. Every method raises `StoreFailed`."""

    def __init__(self, database: Database) -> None:
        """Take an open database."""
        self._database = database

    async def of(self, repo: Repo) -> SourceRecord:
        """Give how a repository was lately."""
        body = await self._body(OF_ALL, repo)
        return codec.load(SourceRecord, body) if body else SourceRecord()

    async def change(
        self, repo: Repo, decide: Callable[[SourceRecord], SourceRecord]
    ) -> SourceRecord:
        """Keep what `decide` makes of how a repository was lately, one process at a time."""
        key = (OF_ALL, _name(repo))
        async with self._database.saving(f"source {key}") as session:
            row = await session.get(SourceRecordRow, key)
            after = decide(codec.load(SourceRecord, row.body) if row else SourceRecord())
            row = row or SourceRecordRow(subscription_id=OF_ALL, repo=key[1], body=b"")
            row.body = codec.dump(after)
            session.add(row)
            return after

    async def told(self, subscription_id: int, repo: Repo) -> LastReport:
        """Give what a subscription was told of a repository."""
        body = await self._body(subscription_id, repo)
        return codec.load(LastReport, body) if body else LastReport()

    async def keep_told(self, subscription_id: int, repo: Repo, told: LastReport) -> None:
        """Keep what a subscription was told of a repository."""
        await self._keep(subscription_id, repo, codec.dump(told))

    async def _body(self, subscription_id: int, repo: Repo) -> bytes | None:
        query = select(SourceRecordRow.body).where(
            col(SourceRecordRow.subscription_id) == subscription_id,
            col(SourceRecordRow.repo) == _name(repo),
        )
        async with self._database.reading() as session:
            return (await session.exec(query)).first()

    async def _keep(self, subscription_id: int, repo: Repo, body: bytes) -> None:
        key = (subscription_id, _name(repo))
        async with self._database.saving(f"source {key}") as session:
            row = await session.get(SourceRecordRow, key)
            row = row or SourceRecordRow(subscription_id=key[0], repo=key[1], body=body)
            row.body = body
            session.add(row)


def _name(repo: Repo) -> str:
    return str(repo).lower()
