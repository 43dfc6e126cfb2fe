"""How each source was lately, and what each subscription was told of it."""

from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import Connection, select

from bot.model.source_records import LastReport, SourceRecord
from bot.store.tables import SOURCE_RECORDS
from digest import codec
from digest.models import Repo
from digest.store.columns import put
from digest.store.database import Database

Record = TypeVar("Record")

OF_ALL = 0
"""What stands in place of a subscription for what holds for all; none has this number."""


class Sources:
    """The stored records. Every method raises `StoreFailed`."""

    def __init__(self, database: Database) -> None:
        """Take an open database."""
        self._database = database

    async def of(self, repo: Repo) -> SourceRecord:
        """Give how a repository was lately."""
        return await self._database.look(lambda c: _read(c, OF_ALL, repo, SourceRecord))

    async def change(
        self, repo: Repo, decide: Callable[[SourceRecord], SourceRecord]
    ) -> SourceRecord:
        """Keep what `decide` makes of how a repository was lately, one process at a time."""

        def work(connection: Connection) -> SourceRecord:
            after = decide(_read(connection, OF_ALL, repo, SourceRecord))
            _write(connection, OF_ALL, repo, after)
            return after

        return await self._database.together(f"source {_name(repo)}", work)

    async def told(self, subscription_id: int, repo: Repo) -> LastReport:
        """Give what a subscription was told of a repository."""
        return await self._database.look(lambda c: _read(c, subscription_id, repo, LastReport))

    async def keep_told(self, subscription_id: int, repo: Repo, told: LastReport) -> None:
        """Keep what a subscription was told of a repository."""
        await self._database.together("", lambda c: _write(c, subscription_id, repo, told))


def _read(connection: Connection, of: int, repo: Repo, kind: type[Record]) -> Record:
    table = SOURCE_RECORDS.c
    query = select(table.body).where(table.subscription_id == of, table.repo == _name(repo))
    body = connection.scalar(query)
    return codec.load(kind, body) if body else kind()


def _write(connection: Connection, of: int, repo: Repo, record: object) -> None:
    row = {"subscription_id": of, "repo": _name(repo), "body": codec.dump(record)}
    put(connection, SOURCE_RECORDS, row)


def _name(repo: Repo) -> str:
    return str(repo).lower()
