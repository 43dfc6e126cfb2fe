"""Digests kept for ever, to be drawn again, listed, searched and explained."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, case, delete, func, insert, or_
from sqlalchemy import select as select_rows  # SQLModel's own takes four columns at most
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from digest import codec
from digest.closeup import SHA, answers_to
from digest.models import Digest, Item, ReadItem, Repo, Window
from digest.store.coverage import Interval, can_heal, uncovered
from digest.store.database import Database
from digest.store.tables import DigestRow, ToldItemRow
from digest.store.words import item_words, patterns, words

KEYS_AT_ONCE = 500
"""Keys in one statement: SQLite may be built to take 999, https://www.sqlite.org/limits.html."""

_IS_OVER = col(DigestRow.partial).is_(False)
_WINDOW = tuple(
    col(each) for each in (DigestRow.starts_at, DigestRow.ends_at, DigestRow.tz, DigestRow.label)
)
_NEWEST_FIRST = (
    col(DigestRow.starts_at).desc(),
    col(DigestRow.ends_at).desc(),
    col(DigestRow.tz),
)

MOST_AROUND = 4
"""Digests of one moment that are looked at: its day in two zones, its week, a longer range."""


class StoredDigests:
    """The digests made from one source. Every method raises `StoreFailed`."""

    def __init__(self, database: Database, source: str) -> None:
        """Take an open database and the name of the source, such as `github`."""
        self._database = database
        self._source = source

    async def save(self, digest: Digest) -> None:
        """Keep a digest with its items, replacing one of the same window and zone.

        A digest of a day that is not over makes room for the next one of that day.
        """
        reading = digest.reading
        name = str(reading.repo).lower()
        window = reading.window
        async with self._database.saving(f"digest {self._source} {name}") as session:
            same_day = (
                *self._of(DigestRow, reading.repo),
                col(DigestRow.starts_at) == window.start,
                col(DigestRow.tz) == window.tz,
            )
            same = or_(col(DigestRow.ends_at) == window.end, col(DigestRow.partial).is_(True))
            await session.exec(delete(DigestRow).where(*same_day, same))
            session.add(
                DigestRow(
                    source=self._source,
                    repo=name,
                    starts_at=window.start,
                    ends_at=window.end,
                    tz=window.tz,
                    label=window.label,
                    partial=window.partial,
                    final=_is_final(digest),
                    collected_at=reading.collected_at,
                    body=codec.dump(digest),
                )
            )
            await self._save_told(session, digest)

    async def load(self, repo: Repo, window: Window) -> Digest | None:
        """Give the digest of a window in its zone if it is final: collected when all was over."""
        return await self._one(
            repo,
            col(DigestRow.starts_at) == window.start,
            col(DigestRow.ends_at) == window.end,
            col(DigestRow.tz) == window.tz,
            col(DigestRow.final).is_(True),
        )

    async def load_unfinished(self, repo: Repo, window: Window) -> Digest | None:
        """Give the newest digest of a day that is not over, up to the end of `window`."""
        return await self._one(
            repo,
            col(DigestRow.starts_at) == window.start,
            col(DigestRow.ends_at) <= window.end,
            col(DigestRow.tz) == window.tz,
            col(DigestRow.partial).is_(True),
        )

    async def withdraw(self, repo: Repo) -> None:
        """Tell nothing of a repository any more until it is collected and told anew."""
        async with self._database.saving(f"digest {self._source} {str(repo).lower()}") as session:
            for table in (DigestRow, ToldItemRow):
                await session.exec(delete(table).where(*self._of(table, repo)))

    async def labelled(
        self, repo: Repo, label: str, tz: str, window: Window | None
    ) -> Digest | None:
        """Give the digest of days that are over by its label, the one that was told last.

        It is of the zone `tz`, or of another in which the label means the same time as `window`.
        """
        same = col(DigestRow.tz) == tz
        if window:
            starts, ends = col(DigestRow.starts_at), col(DigestRow.ends_at)
            same = or_(same, and_(starts == window.start, ends == window.end))
        query = (
            select(DigestRow.body)
            .where(*self._of(DigestRow, repo), col(DigestRow.label) == label, same, _IS_OVER)
            .order_by(col(DigestRow.collected_at).desc(), col(DigestRow.tz))
            .limit(1)
        )
        async with self._database.reading() as session:
            body = (await session.exec(query)).first()
        return None if body is None else codec.load(Digest, body)

    async def windows(self, repo: Repo) -> tuple[Window, ...]:
        """Give the windows that are stored of a repository and over, newest first."""
        query = (
            select(DigestRow.starts_at, DigestRow.ends_at, DigestRow.tz, DigestRow.label)
            .where(*self._of(DigestRow, repo), _IS_OVER)
            .order_by(*_NEWEST_FIRST)
        )
        async with self._database.reading() as session:
            return tuple(Window(*row) for row in (await session.exec(query)).all())

    async def within(self, repo: Repo, window: Window) -> tuple[Digest, ...]:
        """Give the fewest digests that hold what is stored of a window, days before ranges.

        Of one day in several zones it is the one that was collected last.
        """
        starts, ends = col(DigestRow.starts_at), col(DigestRow.ends_at)
        query = select_rows(starts, ends, col(DigestRow.tz), col(DigestRow.collected_at)).where(
            *self._of(DigestRow, repo), starts < window.end, ends > window.start
        )
        rows = await self._database.look(lambda c: c.execute(query).all())
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
            one = await self._one(repo, starts == start, ends == end, col(DigestRow.tz) == tz)
            if one is not None:
                found.append(one)
        return tuple(found)

    async def newest(self, most: int) -> Mapping[str, tuple[Window, ...]]:
        """Give the newest windows of every repository by its name in lower case."""
        place = func.row_number().over(partition_by=col(DigestRow.repo), order_by=_NEWEST_FIRST)
        rows = (
            select_rows(*_WINDOW, col(DigestRow.repo), place.label("place"))
            .where(col(DigestRow.source) == self._source, _IS_OVER)
            .subquery()
        )
        query = select_rows(rows).where(rows.c.place <= most).order_by(rows.c.repo, rows.c.place)
        found: dict[str, list[Window]] = {}
        for *window, repo, _ in await self._database.look(lambda c: c.execute(query).all()):
            found.setdefault(repo, []).append(Window(*window))
        return {repo: tuple(windows) for repo, windows in found.items()}

    async def search(
        self, query: str, repo: Repo | None, limit: int, without: frozenset[str] = frozenset()
    ) -> tuple[ReadItem, ...]:
        """Give the told items that hold every word of `query`, at most `limit`, without hunks.

        Nothing is given of repositories whose names, in lower case, are among `without`.

        Words are looked for in title, reference, author, labels, SHAs and body. Items with all
        of them in the title come first, then the newest, then the higher score.
        """
        asked = patterns(query)
        if not asked:
            return ()
        in_title = and_(*(col(ToldItemRow.title_words).like(each) for each in asked))
        anywhere = (
            or_(col(ToldItemRow.title_words).like(each), col(ToldItemRow.words).like(each))
            for each in asked
        )
        scope = self._of(ToldItemRow, repo) if repo else (col(ToldItemRow.source) == self._source,)
        statement = (
            select(ToldItemRow.body)
            .where(*scope, *anywhere, col(ToldItemRow.repo).not_in(without))
            .order_by(
                case((in_title, 0), else_=1),
                col(ToldItemRow.at).desc(),
                col(ToldItemRow.score).desc(),
                col(ToldItemRow.key),
            )
            .limit(limit)
        )
        async with self._database.reading() as session:
            bodies = (await session.exec(statement)).all()
        found = (codec.load(ReadItem, body) for body in bodies)
        # A renamed repository is stored as it is asked for; its items have its own name.
        return tuple(each for each in found if str(each.item.repo).lower() not in without)

    async def told(self, repo: Repo, ref: str) -> ReadItem | None:
        """Give one item as it was last told, without hunks, or None.

        `ref` is `35621`, `#35621`, the first 4 or more digits of a SHA, or a tag.
        """
        wanted = ref.strip().removeprefix("#").lower()
        key = func.lower(col(ToldItemRow.key))
        # A renamed repository is stored as it is asked for; keys have its new name.
        ends = (f":{kind}:{wanted}" for kind in ("pull_request", "issue", "release"))
        candidates = or_(*(key.endswith(end, autoescape=True) for end in ends))
        if SHA.fullmatch(wanted):
            candidates = or_(candidates, col(ToldItemRow.words).like(f"% {wanted}%"))
        statement = (
            select(ToldItemRow.body)
            .where(*self._of(ToldItemRow, repo), candidates)
            .order_by(col(ToldItemRow.at).desc())
        )
        async with self._database.reading() as session:
            bodies = (await session.exec(statement)).all()
        reads = [codec.load(ReadItem, body) for body in bodies]
        # Others may mention the SHA; only its own item is meant.
        return next((each for each in reads if answers_to(each.item, ref)), None)

    async def around(self, repo: Repo, item: Item) -> tuple[Digest, ...]:
        """Give the digests whose windows hold the moment of an item, the last told first."""
        query = (
            select(DigestRow.body)
            .where(
                *self._of(DigestRow, repo),
                col(DigestRow.starts_at) <= item.at,
                col(DigestRow.ends_at) > item.at,
            )
            .order_by(col(DigestRow.collected_at).desc(), col(DigestRow.starts_at).desc())
            .limit(MOST_AROUND)
        )
        async with self._database.reading() as session:
            bodies = (await session.exec(query)).all()
        return tuple(codec.load(Digest, body) for body in bodies)

    async def _one(self, repo: Repo, *conditions: ColumnElement[bool]) -> Digest | None:
        query = (
            select(DigestRow.body)
            .where(*self._of(DigestRow, repo), *conditions)
            .order_by(col(DigestRow.ends_at).desc())
            .limit(1)
        )
        async with self._database.reading() as session:
            body = (await session.exec(query)).first()
        return None if body is None else codec.load(Digest, body)

    async def _save_told(self, session: AsyncSession, digest: Digest) -> None:
        repo = digest.reading.repo
        reads = {read.item.key: read for read in digest.reading.items}
        keys = sorted(reads)
        for at in range(0, len(keys), KEYS_AT_ONCE):
            some = col(ToldItemRow.key).in_(keys[at : at + KEYS_AT_ONCE])
            await session.exec(delete(ToldItemRow).where(*self._of(ToldItemRow, repo), some))
        rows = [
            {
                "source": self._source,
                "repo": str(repo).lower(),
                "key": key,
                "at": read.item.at,
                "score": read.score,
                "collected_at": digest.reading.collected_at,
                "title_words": words(read.item.title),
                "words": item_words(read.item),
                "body": codec.dump(_without_hunks(read)),
            }
            for key, read in reads.items()
        ]
        if rows:
            await session.exec(insert(ToldItemRow), params=rows)

    def _of(self, table: Any, repo: Repo) -> tuple[ColumnElement[bool], ...]:
        return (table.source == self._source, table.repo == str(repo).lower())


def without_hunks(digest: Digest) -> Digest:
    """Give a digest whose files have no hunks: they stay with the stored activity."""
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
