"""Repositories that somebody named, with the alias that each answers to."""

from datetime import datetime

from sqlalchemy import delete, func
from sqlmodel import col, select

from digest.errors import UsageError
from digest.models import Repo
from digest.store.database import Database
from digest.store.tables import WatchedRepoRow
from digest.wording.phrases import SAY


class WatchedRepos:
    """The watched repositories. Every method raises `StoreFailed`."""

    def __init__(self, database: Database) -> None:
        """Take an open database."""
        self._database = database

    async def watch(self, repo: Repo, alias: str, added_at: datetime) -> None:
        """Give a repository an alias, in lower case, in place of one that it had.

        Raises `UsageError` if another repository has the alias.
        """
        alias = alias.lower()
        async with self._database.saving("watched repositories") as session:
            holder = await session.get(WatchedRepoRow, alias)
            if holder and f"{holder.owner}/{holder.name}".lower() != str(repo).lower():
                taken = f"{holder.owner}/{holder.name}"
                raise UsageError(SAY.repositories.alias_taken(alias, taken, repo, "NAME"))
            await session.exec(
                delete(WatchedRepoRow).where(
                    func.lower(col(WatchedRepoRow.owner)) == repo.owner.lower(),
                    func.lower(col(WatchedRepoRow.name)) == repo.name.lower(),
                )
            )
            session.expunge_all()
            session.add(
                WatchedRepoRow(alias=alias, owner=repo.owner, name=repo.name, added_at=added_at)
            )

    async def unwatch(self, alias: str) -> bool:
        """Forget an alias; False where there was none."""
        async with self._database.saving("watched repositories") as session:
            row = await session.get(WatchedRepoRow, alias.lower())
            if row is None:
                return False
            await session.delete(row)
            return True

    async def all(self) -> dict[str, Repo]:
        """Give every alias with its repository, in the order in which they were named."""
        query = select(WatchedRepoRow).order_by(
            col(WatchedRepoRow.added_at), col(WatchedRepoRow.alias)
        )
        async with self._database.reading() as session:
            rows = (await session.exec(query)).all()
        return {row.alias: Repo(row.owner, row.name) for row in rows}
