"""Stories as each window told them, so that a later window can go on with them."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, delete, insert
from sqlmodel import col, select

from digest import codec
from digest.facts import Story
from digest.models import Repo, Window
from digest.store.database import Database
from digest.store.tables import StoryRow, ToldItemRow

GOES_ON_WITHIN = timedelta(days=60)
"""How long a story may rest before nothing goes on with it any more."""
TITLES_WITHIN = timedelta(days=90)
MOST_TITLES = 1_500
"""Titles of earlier changes that tell which words are rare in a repository."""


class StoredStories:
    """The stories of one source, by repository and window. Every method raises `StoreFailed`."""

    def __init__(self, database: Database, source: str) -> None:
        """Take an open database and the name of the source, such as `github`."""
        self._database = database
        self._source = source

    async def save(self, repo: Repo, window: Window, stories: Sequence[Story]) -> None:
        """Keep the stories of a window, in place of those that it had."""
        rows = [
            {
                "source": self._source,
                "repo": str(repo).lower(),
                "starts_at": window.start,
                "ends_at": window.end,
                "place": place,
                "body": codec.dump(story),
            }
            for place, story in enumerate(stories)
        ]
        name = f"stories {self._source} {str(repo).lower()}"
        async with self._database.saving(name) as session:
            same = (col(StoryRow.starts_at) == window.start, col(StoryRow.ends_at) == window.end)
            await session.exec(delete(StoryRow).where(*self._of(repo), *same))
            if rows:
                await session.exec(insert(StoryRow), params=rows)

    async def before(self, repo: Repo, moment: datetime) -> tuple[Story, ...]:
        """Give each story as it was last told by a window that was over at a moment (UTC)."""
        query = (
            select(StoryRow.body)
            .where(
                *self._of(repo),
                col(StoryRow.ends_at) <= moment,
                col(StoryRow.ends_at) > moment - GOES_ON_WITHIN,
            )
            .order_by(col(StoryRow.ends_at), col(StoryRow.starts_at).desc(), col(StoryRow.place))
        )
        async with self._database.reading() as session:
            bodies = (await session.exec(query)).all()
        return tuple(
            {story.key: story for story in (codec.load(Story, b) for b in bodies)}.values()
        )

    async def titles_before(self, repo: Repo, moment: datetime) -> tuple[str, ...]:
        """Give the words of the titles that were told before a moment (UTC), newest first."""
        query = (
            select(ToldItemRow.title_words)
            .where(
                ToldItemRow.source == self._source,
                ToldItemRow.repo == str(repo).lower(),
                col(ToldItemRow.at) < moment,
                col(ToldItemRow.at) >= moment - TITLES_WITHIN,
            )
            .order_by(col(ToldItemRow.at).desc())
            .limit(MOST_TITLES)
        )
        async with self._database.reading() as session:
            return tuple((await session.exec(query)).all())

    async def withdraw(self, repo: Repo) -> None:
        """Forget the stories of a repository."""
        async with self._database.saving(f"stories {self._source} {str(repo).lower()}") as session:
            await session.exec(delete(StoryRow).where(*self._of(repo)))

    def _of(self, repo: Repo) -> tuple[ColumnElement[bool], ...]:
        return (
            col(StoryRow.source) == self._source,
            col(StoryRow.repo) == str(repo).lower(),
        )
