"""The store of the digest core, one open database and its parts by idea."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from digest.store.activity import StoredActivity
from digest.store.database import Database
from digest.store.digests import StoredDigests
from digest.store.memory import StoredMemory
from digest.store.stories import StoredStories
from digest.store.watched import WatchedRepos


class Store:
    """Everything that is kept: activity and digests by source, HTTP answers, watched repos."""

    def __init__(self, database: Database) -> None:
        """Take an open database."""
        self.database = database
        self.memory = StoredMemory(database)
        self.watched = WatchedRepos(database)

    def activity(self, source: str) -> StoredActivity:
        """Give what was collected from a source, such as `github` or `git:PATH`."""
        return StoredActivity(self.database, source)

    def digests(self, source: str) -> StoredDigests:
        """Give the digests made from a source."""
        return StoredDigests(self.database, source)

    def stories(self, source: str) -> StoredStories:
        """Give the stories that were told from a source."""
        return StoredStories(self.database, source)


@asynccontextmanager
async def open_store(url: str) -> AsyncIterator[Store]:
    """Open the store at a database URL and close it again.

    Raises `ConfigurationError` (a URL that cannot be, a refused password), `DatabaseVersion`
    (unmigrated or newer) or `StoreFailed`.
    """
    async with Database(url) as database:
        yield Store(database)
