"""Repositories that somebody named, with the alias that each answers to."""

from datetime import datetime

from sqlalchemy import Connection, delete, func, insert, select

from digest.errors import UsageError
from digest.models import Repo
from digest.store.database import Database
from digest.store.tables import WATCHED_REPOS
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
        table = WATCHED_REPOS

        def work(connection: Connection) -> None:
            known = connection.execute(select(table).where(table.c.alias == alias)).first()
            taken = f"{known.owner}/{known.name}" if known else ""
            if taken and taken.lower() != str(repo).lower():
                raise UsageError(SAY.repositories.alias_taken(alias, taken, repo, "NAME"))
            same = (
                func.lower(table.c.owner) == repo.owner.lower(),
                func.lower(table.c.name) == repo.name.lower(),
            )
            connection.execute(delete(table).where(*same))
            row = {"owner": repo.owner, "name": repo.name, "added_at": added_at}
            connection.execute(insert(table).values(alias=alias, **row))

        await self._database.together("watched repositories", work)

    async def unwatch(self, alias: str) -> bool:
        """Forget an alias; False where there was none."""
        own = WATCHED_REPOS.c.alias == alias.lower()
        return bool(await self._database.do(delete(WATCHED_REPOS).where(own)))

    async def all(self) -> dict[str, Repo]:
        """Return every alias with its repository, in the order in which they were named."""
        query = select(WATCHED_REPOS).order_by(WATCHED_REPOS.c.added_at, WATCHED_REPOS.c.alias)
        rows = await self._database.rows(query)
        return {row.alias: Repo(row.owner, row.name) for row in rows}
