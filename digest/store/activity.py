"""What was collected from one source: items stored once, and which time is covered.

A window is a filter over stored items. It can be told when complete intervals cover it; what is
not covered, or was collected with a gap, is asked again.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, delete, insert, update
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from digest import codec
from digest.gaps import Gap
from digest.models import Activity, Item, Kind, Repo, State, Window
from digest.ports import Seen
from digest.reading.reverts import originals, unknown_originals
from digest.store.coverage import Circumstances, Interval, can_heal, uncovered
from digest.store.database import Database
from digest.store.tables import CoverageRow, ItemRow, ItemTimeRow

KEYS_AT_ONCE = 500
"""Keys in one statement: SQLite may be built to take 999, https://www.sqlite.org/limits.html."""

NEVER = datetime(1970, 1, 1, tzinfo=UTC)
"""Begin and end of what covers nothing: a look of which the head alone still matters."""

CHANGES = (Kind.COMMIT, Kind.PULL_REQUEST)

TAKEN_BACK_WITHIN = timedelta(days=14)
"""How far before a window a stored change is looked for that the window takes back."""


class StoredActivity:
    """The activity that one source gave, by repository. Every method raises `StoreFailed`."""

    def __init__(self, database: Database, source: str) -> None:
        """Take an open database and the name of the source, such as `github`."""
        self._database = database
        self._source = source

    async def save(self, activity: Activity) -> None:
        """Keep an activity and the interval that it covers, in one transaction.

        An item collected again replaces the older one; events of an issue add up. Where the
        activity has no gap that can heal, an item that it no longer holds leaves the interval (a
        commit taken away by a forced push).
        """
        name = _name(activity.repo)
        async with self._database.saving(f"activity {self._source} {name}") as session:
            if not can_heal(activity.gaps):
                await self._clear(session, activity)
            await self._save_items(session, activity)
            await self._save_interval(session, activity)

    async def missing(self, repo: Repo, window: Window) -> tuple[Window, ...]:
        """Give the parts of a window that have to be collected, in order of time."""
        async with self._database.reading() as session:
            return _missing(window, await self._intervals(session, repo, window))

    async def load(self, repo: Repo, window: Window) -> Activity | None:
        """Give the activity of a window, or None unless all of it is covered."""
        async with self._database.reading() as session:
            if _missing(window, await self._intervals(session, repo, window)):
                return None
        return await self.read(repo, window)

    async def read(self, repo: Repo, window: Window) -> Activity | None:
        """Give what is known of a window, with the gaps that were met where it is not covered.

        None where nothing was ever collected in it.
        """
        async with self._database.reading() as session:
            rows = await self._intervals(session, repo, window)
            if not rows:
                return None
            here = (col(ItemTimeRow.at) >= window.start, col(ItemTimeRow.at) < window.end)
            items = _with_body(await self._items(session, repo, *here))
            items += await self._bringers(session, repo, items)
            after = await self._items(session, repo, col(ItemTimeRow.at) >= window.end)
            told = [codec.load(Circumstances, row.body) for row in rows]
            earlier = [item for each in told for item in each.earlier]
            earlier += await self._before(session, repo, window, items)
        known = {item.key for item in items}
        newest = max(rows, key=lambda row: row.collected_at)
        return Activity(
            repo=repo,
            window=window,
            items=_ordered(items),
            collected_at=newest.collected_at,
            source=told[-1].source,
            later=_ordered(
                item for item in _with_body(after) if item.kind in CHANGES and item.key not in known
            ),
            earlier=originals(items, (item for item in earlier if item.at < window.start)),
            gaps=_gaps(rows, told, is_covered=not _missing(window, rows)),
            notices=tuple(dict.fromkeys(notice for each in told for notice in each.notices)),
            default_branch=newest.default_branch,
            head=newest.head,
        )

    async def between(self, repo: Repo, start: datetime, end: datetime) -> tuple[Item, ...]:
        """Give every stored item with a time in `[start, end)`, oldest first."""
        async with self._database.reading() as session:
            here = (col(ItemTimeRow.at) >= start, col(ItemTimeRow.at) < end)
            return _ordered(_with_body(await self._items(session, repo, *here)))

    async def last_release(self, repo: Repo, before: datetime) -> Item | None:
        """Give the last stored release of a repository before a moment, none for trial."""
        async with self._database.reading() as session:
            kinds = [col(ItemRow.kind) == Kind.RELEASE.value]
            rows = await self._items(session, repo, col(ItemTimeRow.at) < before, also=kinds)
            found = [item for item in _with_body(rows) if item.state is not State.PRERELEASE]
        return max(found, key=lambda item: item.at, default=None)

    async def reverting_since(
        self, repo: Repo, landed: datetime, collected: datetime
    ) -> tuple[Item, ...]:
        """Give changes that say they revert, landed from one moment on, collected after another."""
        news = (col(ItemRow.reverting).is_(True), col(ItemRow.collected_at) > collected)
        async with self._database.reading() as session:
            rows = await self._items(session, repo, col(ItemTimeRow.at) >= landed, also=news)
            return _ordered(_with_body(rows))

    async def distrust(self, repo: Repo) -> None:
        """Have everything of a repository collected again before any of it is told."""
        async with self._database.saving(f"activity {self._source} {_name(repo)}") as session:
            mine = self._of(CoverageRow, repo)
            await session.exec(delete(CoverageRow).where(*mine))

    async def forget(self, repo: Repo) -> None:
        """Throw away everything of a repository."""
        async with self._database.saving(f"activity {self._source} {_name(repo)}") as session:
            for table in (CoverageRow, ItemTimeRow, ItemRow):
                await session.exec(delete(table).where(*self._of(table, repo)))

    async def seen_since(self, repo: Repo, moment: datetime) -> tuple[Seen, ...]:
        """Give the default branch and its heads, newest first: the last, and all since a moment."""
        seen = (
            select(CoverageRow)
            .where(*self._of(CoverageRow, repo), col(CoverageRow.head) != "")
            .order_by(col(CoverageRow.collected_at).desc(), col(CoverageRow.id).desc())
        )
        async with self._database.reading() as session:
            rows = (await session.exec(seen.where(col(CoverageRow.collected_at) >= moment))).all()
            rows = rows or (await session.exec(seen.limit(1))).all()
        return tuple(Seen(row.default_branch, row.head, row.collected_at) for row in rows)

    def _of(self, table: Any, repo: Repo) -> tuple[ColumnElement[bool], ...]:
        return (table.source == self._source, table.repo == _name(repo))

    async def _intervals(
        self, session: AsyncSession, repo: Repo, window: Window
    ) -> Sequence[CoverageRow]:
        query = select(CoverageRow).where(
            *self._of(CoverageRow, repo),
            col(CoverageRow.starts_at) < window.end,
            col(CoverageRow.ends_at) > window.start,
        )
        query = query.order_by(col(CoverageRow.collected_at), col(CoverageRow.id))
        return (await session.exec(query)).all()

    async def _items(
        self,
        session: AsyncSession,
        repo: Repo,
        *times: ColumnElement[bool],
        also: Iterable[ColumnElement[bool]] = (),
    ) -> Sequence[ItemRow]:
        keys = select(ItemTimeRow.key).where(*self._of(ItemTimeRow, repo), *times)
        query = select(ItemRow).where(*self._of(ItemRow, repo), col(ItemRow.key).in_(keys), *also)
        return (await session.exec(query)).all()

    async def _by_key(
        self, session: AsyncSession, repo: Repo, keys: Iterable[str]
    ) -> Sequence[ItemRow]:
        rows: list[ItemRow] = []
        for some in _portions(sorted(set(keys))):
            query = select(ItemRow).where(*self._of(ItemRow, repo), col(ItemRow.key).in_(some))
            rows += (await session.exec(query)).all()
        return rows

    async def _bringers(
        self, session: AsyncSession, repo: Repo, items: Sequence[Item]
    ) -> list[Item]:
        """Give pull requests that commits name, but whose own time lies outside the window."""
        known = {item.key for item in items}
        named = {
            f"{item.repo}:{Kind.PULL_REQUEST}:{item.pull_request}"
            for item in items
            if item.kind is Kind.COMMIT and item.pull_request is not None
        }
        rows = await self._by_key(session, repo, named - known)
        return _with_body(row for row in rows if row.whole)

    async def _before(
        self, session: AsyncSession, repo: Repo, window: Window, items: Sequence[Item]
    ) -> list[Item]:
        """Give older changes, without files, where something among the items is taken back."""
        if not unknown_originals(items):
            return []
        start = window.start
        here = (col(ItemTimeRow.at) >= start - TAKEN_BACK_WITHIN, col(ItemTimeRow.at) < start)
        kinds = [col(ItemRow.kind).in_([kind.value for kind in CHANGES])]
        older = _with_body(await self._items(session, repo, *here, also=kinds))
        return [replace(item, files=None) for item in older]

    async def _clear(self, session: AsyncSession, activity: Activity) -> None:
        window = activity.window
        await session.exec(
            delete(ItemTimeRow).where(
                *self._of(ItemTimeRow, activity.repo),
                col(ItemTimeRow.at) >= window.start,
                col(ItemTimeRow.at) < min(window.end, activity.collected_at),
            )
        )

    async def _save_items(self, session: AsyncSession, activity: Activity) -> None:
        found = {item.key: (item, False) for item in activity.later}
        found |= {item.key: (item, True) for item in activity.items}
        known = {row.key: row for row in await self._by_key(session, activity.repo, found)}
        fresh = {
            key: (_joined(item, known.get(key)), whole)
            for key, (item, whole) in found.items()
            if _is_news(item, whole, activity.collected_at, known.get(key))
        }
        for some in _portions(sorted(fresh)):
            here = (*self._of(ItemRow, activity.repo), col(ItemRow.key).in_(some))
            await session.exec(delete(ItemRow).where(*here))
        name = {"source": self._source, "repo": _name(activity.repo)}
        rows = [
            {
                **name,
                "key": key,
                "kind": item.kind.value,
                "whole": whole,
                "reverting": item.kind in CHANGES and "revert" in item.title.casefold(),
                "collected_at": activity.collected_at,
                "body": codec.dump(item),
            }
            for key, (item, whole) in fresh.items()
        ]
        if rows:
            await session.exec(insert(ItemRow), params=rows)
        # An older answer is no news, yet its items stand in the interval that was just cleared.
        standing = [item for item, _ in fresh.values()]
        standing += _with_body(row for key, row in known.items() if key not in fresh)
        await self._save_times(session, activity.repo, standing)

    async def _save_times(self, session: AsyncSession, repo: Repo, items: Sequence[Item]) -> None:
        for some in _portions(sorted(item.key for item in items)):
            here = (*self._of(ItemTimeRow, repo), col(ItemTimeRow.key).in_(some))
            await session.exec(delete(ItemTimeRow).where(*here))
        name = {"source": self._source, "repo": _name(repo)}
        times = [{**name, "key": item.key, "at": at} for item in items for at in _times(item)]
        if times:
            await session.exec(insert(ItemTimeRow), params=times)

    async def _save_interval(self, session: AsyncSession, activity: Activity) -> None:
        replaced = [
            *self._of(CoverageRow, activity.repo),
            col(CoverageRow.starts_at) >= activity.window.start,
            col(CoverageRow.ends_at) <= activity.window.end,
        ]
        if can_heal(activity.gaps):
            replaced.append(col(CoverageRow.complete).is_(False))
        # Another head that was seen still tells when the commits above it landed.
        another = col(CoverageRow.head).not_in(("", activity.head))
        seen = update(CoverageRow).where(*replaced, another)
        await session.exec(seen.values(starts_at=NEVER, ends_at=NEVER, complete=True))
        await session.exec(delete(CoverageRow).where(*replaced))
        session.add(
            CoverageRow(
                source=self._source,
                repo=_name(activity.repo),
                starts_at=activity.window.start,
                ends_at=activity.window.end,
                collected_at=activity.collected_at,
                complete=not can_heal(activity.gaps),
                default_branch=activity.default_branch,
                head=activity.head,
                body=codec.dump(
                    Circumstances(
                        activity.source, activity.gaps, activity.notices, activity.earlier
                    )
                ),
            )
        )


def _name(repo: Repo) -> str:
    return str(repo).lower()


def _missing(window: Window, rows: Iterable[CoverageRow]) -> tuple[Window, ...]:
    complete = [
        Interval(row.starts_at, row.ends_at, row.collected_at) for row in rows if row.complete
    ]
    return uncovered(window, complete)


def _gaps(
    rows: Sequence[CoverageRow], told: Sequence[Circumstances], *, is_covered: bool
) -> tuple[Gap, ...]:
    """Give the gaps that were met; of a window that is covered, those of what covers it."""
    met = (
        gap
        for row, each in zip(rows, told, strict=True)
        if row.complete or not is_covered
        for gap in each.gaps
    )
    return tuple(dict.fromkeys(met))


def _with_body(rows: Iterable[ItemRow]) -> list[Item]:
    return [codec.load(Item, row.body) for row in rows]


def _ordered(items: Iterable[Item]) -> tuple[Item, ...]:
    return tuple(sorted(items, key=lambda item: (item.at, item.key)))


def _times(item: Item) -> set[datetime]:
    """Give the moments at which an item belongs to a window."""
    if item.kind is Kind.ISSUE and item.events:
        return {event.at for event in item.events}
    return {item.at}


def _is_news(item: Item, whole: bool, collected_at: datetime, known: ItemRow | None) -> bool:
    """Tell whether an item replaces the one that is known: newer, and of a change no poorer."""
    if known is None or whole > known.whole:
        return True
    if whole < known.whole or collected_at < known.collected_at:
        return False
    if item.kind in CHANGES and item.detail_missing:
        return len(item.detail_missing) <= len(codec.load(Item, known.body).detail_missing)
    return True


def _joined(item: Item, known: ItemRow | None) -> Item:
    """Add the events of an issue that an earlier collection saw."""
    if known is None or item.kind is not Kind.ISSUE:
        return item
    events = {*codec.load(Item, known.body).events, *item.events}
    return replace(item, events=tuple(sorted(events, key=lambda event: (event.at, event.name))))


def _portions(keys: Sequence[str]) -> Iterable[Sequence[str]]:
    return (keys[at : at + KEYS_AT_ONCE] for at in range(0, len(keys), KEYS_AT_ONCE))
