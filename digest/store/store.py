"""The store of the digest core: one open database, its parts by idea, and the smallest of them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from hashlib import sha256

from sqlalchemy import Connection, bindparam, delete, func, insert, select, text

from digest.errors import StoreFailed, UsageError
from digest.models import Repo
from digest.ports import Remembered
from digest.store.activity import StoredActivity
from digest.store.connections import DatabaseUrl
from digest.store.database import Database, Stored, execute, first_row
from digest.store.digests import StoredDigests, StoredStories
from digest.store.tables import HTTP_ANSWERS, WATCHED_REPOS, UtcMoment, put
from digest.wording.phrases import SAY

_TURN = "watched repositories"

LONGEST_LEASE = timedelta(minutes=15)
"""No lease is this long: one that seems to be was taken by a clock that ran ahead."""

_TAKE = text(
    "INSERT INTO hold (name, owner, until) VALUES (:name, :owner, :until) "
    "ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, until = excluded.until "
    "WHERE hold.owner = excluded.owner OR hold.until <= :now OR hold.until > :longest"
).bindparams(*(bindparam(name, type_=UtcMoment) for name in ("until", "now", "longest")))
_RELEASE = text("DELETE FROM hold WHERE name = :name AND owner = :owner")


class WatchedRepos(Stored):
    """The watched repositories. Every method raises `StoreFailed`."""

    async def watch(self, repo: Repo, alias: str, added_at: datetime) -> None:
        """Return a repository an alias, in lower case, in place of one that it had.

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

        await self._database.write(work, _TURN)

    async def unwatch(self, alias: str) -> bool:
        """Delete an alias; False where there was none."""
        own = WATCHED_REPOS.c.alias == alias.lower()
        this = delete(WATCHED_REPOS).where(own)
        return bool(await self._execute(this, _TURN))

    async def all(self) -> dict[str, Repo]:
        """Return every alias with its repository, in the order in which they were named."""
        query = select(WATCHED_REPOS).order_by(WATCHED_REPOS.c.added_at, WATCHED_REPOS.c.alias)
        rows = await self._all_rows(query)
        return {row.alias: Repo(row.owner, row.name) for row in rows}


class StoredMemory(Stored):
    """Implements `digest.ports.Memory`. Both methods raise `StoreFailed`."""

    async def recall(self, key: str) -> Remembered | None:
        """Return what was remembered, or None."""
        query = select(HTTP_ANSWERS).where(HTTP_ANSWERS.c.key == _hash(key))
        row = await self._first_row(query)
        if row is None:
            return None
        return Remembered(row.body, row.etag, row.link, row.permanent, row.checked_at)

    async def remember(self, key: str, answer: Remembered) -> None:
        """Store an answer, replacing an older one."""
        row = {
            "key": _hash(key),
            "etag": answer.etag,
            "link": answer.link,
            "permanent": answer.permanent,
            "checked_at": answer.checked_at,
            "body": answer.body,
        }
        await self._database.write(lambda c: put(c, HTTP_ANSWERS, row), f"answer {row['key']}")


class Leases(Stored):
    """Leases of all processes. Every method raises `StoreFailed`."""

    async def take(self, name: str, owner: str, now: datetime, until: datetime) -> bool:
        """Take or renew a lease; return False while another owner has it."""
        given = {"name": name, "owner": owner, "now": now, "until": until}
        given["longest"] = now + LONGEST_LEASE
        taken = await self._execute(_TAKE, f"lease {name}", given)
        return bool(taken)

    async def release(self, name: str, owner: str) -> None:
        """Give up a lease; one of another owner stays."""
        given = {"name": name, "owner": owner}
        await self._execute(_RELEASE, f"lease {name}", given)


def _hash(key: str) -> str:
    return sha256(key.encode()).hexdigest()


class Store:
    """Everything that is kept: activity and digests by source, HTTP answers, watched repos."""

    def __init__(self, database: Database) -> None:
        """Take an open database."""
        self.database = database
        self.memory = StoredMemory(database)
        self.watched = WatchedRepos(database)

    def activity(self, source: str) -> StoredActivity:
        """Return what was collected from a source, such as `github` or `git:PATH`."""
        return StoredActivity(self.database, source)

    def digests(self, source: str) -> StoredDigests:
        """Return the digests made from a source."""
        return StoredDigests(self.database, source)

    def stories(self, source: str) -> StoredStories:
        """Return the stories that were told from a source."""
        return StoredStories(self.database, source)


@asynccontextmanager
async def open_store(url: DatabaseUrl) -> AsyncIterator[Store]:
    """Open the store at a database URL and close it again.

    Raises `ConfigurationError` (a URL that cannot be, a refused password), `DatabaseVersion`
    (unmigrated or newer) or `StoreFailed`.
    """
    async with Database(url) as database:
        yield Store(database)


_FIRST_FAULT = text("PRAGMA quick_check(1)")
_SAME_AGAIN = text("UPDATE alembic_version SET version_num = version_num")


async def try_writing(database: Database) -> None:
    """Write what stands there already; raises `StoreFailed` where that cannot be done."""
    await database.write(execute(_SAME_AGAIN), "")


async def try_reading(database: Database) -> None:
    """Read the whole of a SQLite file; raises `StoreFailed` where it is damaged."""
    if database.is_sqlite:
        found = await database.read(first_row(_FIRST_FAULT))
        if found.quick_check != "ok":
            raise StoreFailed(SAY.database.damaged(database.place))
