"""Stories as each window told them, so that a later window can go on with them."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import Connection, delete, insert, select

from digest import codec
from digest.facts import Story
from digest.models import Repo, Window
from digest.store.database import OfSource
from digest.store.tables import STORIES, TOLD_ITEMS

GOES_ON_WITHIN = timedelta(days=60)
"""How long a story may rest before nothing goes on with it any more."""
TITLES_WITHIN = timedelta(days=90)
MOST_TITLES = 1_500
"""Titles of earlier changes that tell which words are rare in a repository."""


class StoredStories(OfSource):
    """The stories of one source, by repository and window. Every method raises `StoreFailed`."""

    _turns = "stories"

    async def save(self, repo: Repo, window: Window, stories: Sequence[Story]) -> None:
        """Store the stories of a window, in place of those that it had."""
        rows = [
            {
                **self._name(repo),
                "starts_at": window.start,
                "ends_at": window.end,
                "place": place,
                "body": codec.dump(story),
            }
            for place, story in enumerate(stories)
        ]
        same = (STORIES.c.starts_at == window.start, STORIES.c.ends_at == window.end)

        def work(connection: Connection) -> None:
            connection.execute(delete(STORIES).where(*self._of(STORIES, repo), *same))
            if rows:
                connection.execute(insert(STORIES), rows)

        await self._database.write(work, self._turn(repo))

    async def before(self, repo: Repo, moment: datetime) -> tuple[Story, ...]:
        """Return each story as it was last told by a window that was over at a moment (UTC)."""
        query = (
            select(STORIES.c.body)
            .where(
                *self._of(STORIES, repo),
                STORIES.c.ends_at <= moment,
                STORIES.c.ends_at > moment - GOES_ON_WITHIN,
            )
            .order_by(STORIES.c.ends_at, STORIES.c.starts_at.desc(), STORIES.c.place)
        )
        rows = await self._all_rows(query)
        stories = (codec.load(Story, row.body) for row in rows)
        return tuple({story.key: story for story in stories}.values())

    async def titles_before(self, repo: Repo, moment: datetime) -> tuple[str, ...]:
        """Return the words of the titles that were told before a moment (UTC), newest first."""
        query = (
            select(TOLD_ITEMS.c.title_words)
            .where(
                *self._of(TOLD_ITEMS, repo),
                TOLD_ITEMS.c.at < moment,
                TOLD_ITEMS.c.at >= moment - TITLES_WITHIN,
            )
            .order_by(TOLD_ITEMS.c.at.desc())
            .limit(MOST_TITLES)
        )
        return tuple(row.title_words for row in await self._all_rows(query))

    async def withdraw(self, repo: Repo) -> None:
        """Delete the stories of a repository."""
        these = delete(STORIES).where(*self._of(STORIES, repo))
        await self._execute(these, self._turn(repo))
