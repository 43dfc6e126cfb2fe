"""Digests kept for ever, to be drawn again, listed, searched and explained, and their stories."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    and_,
    case,
    delete,
    func,
    insert,
    or_,
    select,
)

from digest import codec
from digest.models import Digest, Item, ReadItem, Repo, ToldStory, Window
from digest.reading.relations import SHORT_SHA, answers_to
from digest.search_words import item_words, patterns, words
from digest.store.database import OfSource
from digest.store.tables import DIGEST_ITEMS, DIGESTS, STORIES, put
from digest.windows import Interval, can_heal, uncovered

_IS_OVER = DIGESTS.c.partial.is_(False)
_WINDOW = (DIGESTS.c.starts_at, DIGESTS.c.ends_at, DIGESTS.c.tz, DIGESTS.c.label)
_NEWEST_FIRST = (
    DIGESTS.c.starts_at.desc(),
    DIGESTS.c.ends_at.desc(),
    DIGESTS.c.tz,
)

GOES_ON_WITHIN = timedelta(days=60)
"""How long a story may rest before nothing goes on with it any more."""
TITLES_WITHIN = timedelta(days=90)
MOST_TITLES = 1_500
"""Titles of earlier changes that tell which words are rare in a repository."""


MOST_AROUND = 4
"""Digests of one moment that are looked at: its day in two zones, its week, a longer range."""


class StoredDigests(OfSource):
    """The digests made from one source. Every method raises `StoreFailed`."""

    _turns = "digest"

    async def save(self, digest: Digest) -> None:
        """Store a digest with its items, replacing one of the same window and zone.

        A digest of a day that is not over makes room for the next one of that day.
        """
        reading, window = digest.reading, digest.reading.window
        same_day = (
            *self._of(DIGESTS, reading.repo),
            DIGESTS.c.starts_at == window.start,
            DIGESTS.c.tz == window.tz,
        )
        same = or_(DIGESTS.c.ends_at == window.end, DIGESTS.c.partial.is_(True))
        row = {
            **self._name(reading.repo),
            "starts_at": window.start,
            "ends_at": window.end,
            "tz": window.tz,
            "label": window.label,
            "partial": window.partial,
            "final": _is_final(digest),
            "collected_at": reading.collected_at,
            "body": codec.dump(digest),
        }
        items = self._item_rows(digest)

        def work(connection: Connection) -> None:
            connection.execute(delete(DIGESTS).where(*same_day, same))
            connection.execute(insert(DIGESTS).values(**row))
            put(connection, DIGEST_ITEMS, *items)

        await self._database.write(work, self._turn(reading.repo))

    async def load(self, repo: Repo, window: Window) -> Digest | None:
        """Return the digest of a window in its zone if it is final: collected when all was over."""
        return await self._one(
            repo,
            DIGESTS.c.starts_at == window.start,
            DIGESTS.c.ends_at == window.end,
            DIGESTS.c.tz == window.tz,
            DIGESTS.c.final.is_(True),
        )

    async def load_unfinished(self, repo: Repo, window: Window) -> Digest | None:
        """Return the newest digest of a day that is not over, up to the end of `window`."""
        return await self._one(
            repo,
            DIGESTS.c.starts_at == window.start,
            DIGESTS.c.ends_at <= window.end,
            DIGESTS.c.tz == window.tz,
            DIGESTS.c.partial.is_(True),
        )

    async def withdraw(self, repo: Repo) -> None:
        """Tell nothing of a repository any more until it is collected and told anew."""

        def work(connection: Connection) -> None:
            for table in (DIGESTS, DIGEST_ITEMS):
                connection.execute(delete(table).where(*self._of(table, repo)))

        await self._database.write(work, self._turn(repo))

    async def labelled(
        self, repo: Repo, label: str, tz: str, window: Window | None
    ) -> Digest | None:
        """Return the digest of days that are over by its label, the one that was told last.

        It is of the zone `tz`, or of another in which the label means the same time as `window`.
        """
        same = DIGESTS.c.tz == tz
        if window:
            starts, ends = DIGESTS.c.starts_at, DIGESTS.c.ends_at
            same = or_(same, and_(starts == window.start, ends == window.end))
        last_told = (DIGESTS.c.collected_at.desc(), DIGESTS.c.tz)
        return await self._one(repo, DIGESTS.c.label == label, same, _IS_OVER, by=last_told)

    async def windows(self, repo: Repo) -> tuple[Window, ...]:
        """Return the windows that are stored of a repository and over, newest first."""
        query = select(*_WINDOW).where(*self._of(DIGESTS, repo), _IS_OVER).order_by(*_NEWEST_FIRST)
        return tuple(Window(*row) for row in await self._all_rows(query))

    async def within(self, repo: Repo, window: Window) -> tuple[Digest, ...]:
        """Return the fewest digests that hold what is stored of a window, days before ranges.

        Of one day in several zones it is the one that was collected last.
        """
        starts, ends = DIGESTS.c.starts_at, DIGESTS.c.ends_at
        query = select(starts, ends, DIGESTS.c.tz, DIGESTS.c.collected_at).where(
            *self._of(DIGESTS, repo), starts < window.end, ends > window.start
        )
        rows = await self._all_rows(query)
        chosen: list[tuple[datetime, datetime, str]] = []
        for start, end, tz, _ in sorted(
            rows, key=lambda row: (row[1] - row[0], -row[3].timestamp())
        ):
            taken = (Interval(a, b, b) for a, b, _ in chosen)
            part = Window(max(start, window.start), min(end, window.end), window.tz, "")
            if uncovered(part, taken):
                chosen.append((start, end, tz))
        found: list[Digest] = []
        for start, end, tz in chosen:
            one = await self._one(repo, starts == start, ends == end, DIGESTS.c.tz == tz)
            if one is not None:
                found.append(one)
        return tuple(found)

    async def newest(self, most: int) -> Mapping[str, tuple[Window, ...]]:
        """Return the newest windows of every repository by its name in lower case."""
        place = func.row_number().over(partition_by=DIGESTS.c.repo, order_by=_NEWEST_FIRST)
        rows = (
            select(*_WINDOW, DIGESTS.c.repo, place.label("place"))
            .where(DIGESTS.c.source == self._source, _IS_OVER)
            .subquery()
        )
        query = select(rows).where(rows.c.place <= most).order_by(rows.c.repo, rows.c.place)
        found: dict[str, list[Window]] = {}
        for *window, repo, _ in await self._all_rows(query):
            found.setdefault(repo, []).append(Window(*window))
        return {repo: tuple(windows) for repo, windows in found.items()}

    async def search(
        self, query: str, repo: Repo | None, limit: int, without: frozenset[str] = frozenset()
    ) -> tuple[ReadItem, ...]:
        """Return the told items that hold every word of `query`, at most `limit`, without hunks.

        Nothing is given of repositories whose names, in lower case, are among `without`.

        Words are looked for in title, reference, author, labels, SHAs and body. Items with all
        of them in the title come first, then the newest, then the higher score.
        """
        asked = patterns(query)
        if not asked:
            return ()
        in_title = and_(*(DIGEST_ITEMS.c.title_words.like(each) for each in asked))
        anywhere = (
            or_(DIGEST_ITEMS.c.title_words.like(each), DIGEST_ITEMS.c.words.like(each))
            for each in asked
        )
        scope = self._of(DIGEST_ITEMS, repo) if repo else (DIGEST_ITEMS.c.source == self._source,)
        statement = (
            select(DIGEST_ITEMS.c.body)
            .where(*scope, *anywhere, DIGEST_ITEMS.c.repo.not_in(without))
            .order_by(
                case((in_title, 0), else_=1),
                DIGEST_ITEMS.c.at.desc(),
                DIGEST_ITEMS.c.score.desc(),
                DIGEST_ITEMS.c.key,
            )
            .limit(limit)
        )
        rows = await self._all_rows(statement)
        found = (codec.load(ReadItem, row.body) for row in rows)
        # A renamed repository is stored as it is asked for; its items have its own name.
        return tuple(each for each in found if str(each.item.repo).lower() not in without)

    async def item(self, repo: Repo, ref: str) -> ReadItem | None:
        """Return one item as it was last told, without hunks, or None.

        `ref` is `35621`, `#35621`, the first 4 or more digits of a SHORT_SHA, or a tag.
        """
        wanted = ref.strip().removeprefix("#").lower()
        key = func.lower(DIGEST_ITEMS.c.key)
        # A renamed repository is stored as it is asked for; keys have its new name.
        ends = (f":{kind}:{wanted}" for kind in ("pull_request", "issue", "release"))
        candidates = or_(*(key.endswith(end, autoescape=True) for end in ends))
        if SHORT_SHA.fullmatch(wanted):
            candidates = or_(candidates, DIGEST_ITEMS.c.words.like(f"% {wanted}%"))
        statement = (
            select(DIGEST_ITEMS.c.body)
            .where(*self._of(DIGEST_ITEMS, repo), candidates)
            .order_by(DIGEST_ITEMS.c.at.desc())
        )
        rows = await self._all_rows(statement)
        reads = [codec.load(ReadItem, row.body) for row in rows]
        # Others may mention the SHORT_SHA; only its own item is meant.
        return next((each for each in reads if answers_to(each.item, ref)), None)

    async def around(self, repo: Repo, item: Item) -> tuple[Digest, ...]:
        """Return the digests whose windows hold the moment of an item, the last told first."""
        holds = (DIGESTS.c.starts_at <= item.at, DIGESTS.c.ends_at > item.at)
        last_told = (DIGESTS.c.collected_at.desc(), DIGESTS.c.starts_at.desc())
        return await self._some(repo, *holds, by=last_told, most=MOST_AROUND)

    async def _one(
        self,
        repo: Repo,
        *conditions: ColumnElement[bool],
        by: Sequence[ColumnElement[Any]] = (DIGESTS.c.ends_at.desc(),),
    ) -> Digest | None:
        return next(iter(await self._some(repo, *conditions, by=by, most=1)), None)

    async def _some(
        self,
        repo: Repo,
        *conditions: ColumnElement[bool],
        by: Sequence[ColumnElement[Any]],
        most: int,
    ) -> tuple[Digest, ...]:
        query = select(DIGESTS.c.body).where(*self._of(DIGESTS, repo), *conditions)
        rows = await self._all_rows(query.order_by(*by).limit(most))
        return tuple(codec.load(Digest, row.body) for row in rows)

    def _item_rows(self, digest: Digest) -> list[dict[str, object]]:
        reading = digest.reading
        return [
            {
                **self._name(reading.repo),
                "key": read.item.key,
                "at": read.item.at,
                "score": read.score,
                "collected_at": reading.collected_at,
                "title_words": words(read.item.title),
                "words": item_words(read.item),
                "body": codec.dump(_without_hunks(read)),
            }
            for read in {read.item.key: read for read in reading.items}.values()
        ]


class StoredStories(OfSource):
    """The stories of one source, by repository and window. Every method raises `StoreFailed`."""

    _turns = "stories"

    async def save(self, repo: Repo, window: Window, stories: Sequence[ToldStory]) -> None:
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

    async def before(self, repo: Repo, moment: datetime) -> tuple[ToldStory, ...]:
        """Return each story as it was last told by a window that was over at a moment (UTC).

        The one that was last told stands last.
        """
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
        last: dict[str, ToldStory] = {}
        for story in (codec.load(ToldStory, row.body) for row in rows):
            last.pop(story.key, None)
            last[story.key] = story
        return tuple(last.values())

    async def titles_before(self, repo: Repo, moment: datetime) -> tuple[str, ...]:
        """Return the words of the titles that were told before a moment (UTC), newest first."""
        query = (
            select(DIGEST_ITEMS.c.title_words)
            .where(
                *self._of(DIGEST_ITEMS, repo),
                DIGEST_ITEMS.c.at < moment,
                DIGEST_ITEMS.c.at >= moment - TITLES_WITHIN,
            )
            .order_by(DIGEST_ITEMS.c.at.desc())
            .limit(MOST_TITLES)
        )
        return tuple(row.title_words for row in await self._all_rows(query))

    async def withdraw(self, repo: Repo) -> None:
        """Delete the stories of a repository."""
        these = delete(STORIES).where(*self._of(STORIES, repo))
        await self._execute(these, self._turn(repo))


def without_hunks(digest: Digest) -> Digest:
    """Return a digest whose files have no hunks: they stay with the stored activity."""
    items = tuple(_without_hunks(read) for read in digest.reading.items)
    return replace(digest, reading=replace(digest.reading, items=items))


def _without_hunks(read: ReadItem) -> ReadItem:
    if read.item.files is None:
        return read
    files = tuple(replace(file, patch=None) for file in read.item.files)
    return replace(read, item=replace(read.item, files=files))


def _is_final(digest: Digest) -> bool:
    reading = digest.reading
    over = not reading.window.partial and reading.collected_at >= reading.window.end
    return over and not can_heal(reading.gaps)
