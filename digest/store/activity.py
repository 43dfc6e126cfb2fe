"""What was collected from one source: items stored once, and which time is covered.

A window is a filter over stored items. It can be told when complete intervals cover it; what is
not covered, or was collected with a gap, is asked again.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, and_, delete, insert, select, update

from digest import codec
from digest.models import Activity, Gap, Item, Kind, Reading, Repo, State, Window
from digest.ports import Seen
from digest.reading.outlook import Surroundings, has_reverted_features
from digest.reading.reverts import originals, unknown_originals
from digest.store.database import OfSource
from digest.store.tables import COVERAGE, ITEM_TIMES, ITEMS
from digest.windows import Circumstances, Interval, can_heal, uncovered

KEYS_AT_ONCE = 500
"""Keys in one statement: SQLite may be built to take 999, https://www.sqlite.org/limits.html."""

NEVER = datetime(1970, 1, 1, tzinfo=UTC)
"""Begin and end of what covers nothing: a look of which the head alone still matters."""

LANDED_AGAIN = timedelta(days=14)
"""How long after a window a feature that was taken back is looked for; most return in a week."""

TAKEN_BACK_WITHIN = timedelta(days=14)
"""How far before a window a stored change is looked for that the window takes back."""


class StoredActivity(OfSource):
    """The activity that one source gave, by repository. Every method raises `StoreFailed`."""

    _turns = "activity"

    async def save(self, activity: Activity) -> None:
        """Store an activity and the interval that it covers, in one transaction.

        An item collected again replaces the older one; events of an issue add up. Where the
        activity has no gap that can heal, an item that it no longer holds leaves the interval (a
        commit taken away by a forced push).
        """

        def work(connection: Connection) -> None:
            if not can_heal(activity.gaps):
                self._clear(connection, activity)
            self._save_items(connection, activity)
            self._save_interval(connection, activity)

        await self._database.write(work, self._turn(activity.repo), alone=True)

    async def missing(self, repo: Repo, window: Window) -> tuple[Window, ...]:
        """Return the parts of a window that have to be collected, in order of time."""
        return await self._database.read(
            lambda c: _missing(window, self._intervals(c, repo, window))
        )

    async def read(self, repo: Repo, window: Window) -> Activity | None:
        """Return what is known of a window, with the gaps that were met where it is not covered.

        None where nothing was ever collected in it.
        """
        return await self._database.read(lambda c: self._read(c, repo, window))

    def _read(self, connection: Connection, repo: Repo, window: Window) -> Activity | None:
        rows = self._intervals(connection, repo, window)
        if not rows:
            return None
        items = self._items(connection, repo, _during(window.start, window.end))
        items += self._bringers(connection, repo, items)
        after = self._items(connection, repo, ITEM_TIMES.c.at >= window.end)
        circumstances = [codec.load(Circumstances, row.body) for row in rows]
        earlier = [item for each in circumstances for item in each.earlier]
        earlier += self._before(connection, repo, window, items)
        known = {item.key for item in items}
        newest = max(rows, key=lambda row: row.collected_at)
        return Activity(
            repo=repo,
            window=window,
            items=_ordered(items),
            collected_at=newest.collected_at,
            source=circumstances[-1].source,
            later=_ordered(item for item in after if item.kind.is_change and item.key not in known),
            earlier=originals(items, (item for item in earlier if item.at < window.start)),
            gaps=_gaps(rows, circumstances, window, items, is_covered=not _missing(window, rows)),
            notices=tuple(dict.fromkeys(one for each in circumstances for one in each.notices)),
            default_branch=newest.default_branch,
            head=newest.head,
        )

    async def between(self, repo: Repo, start: datetime, end: datetime) -> tuple[Item, ...]:
        """Return every stored item with a time in `[start, end)`, oldest first."""
        here = _during(start, end)
        return _ordered(await self._database.read(lambda c: self._items(c, repo, here)))

    async def last_release(self, repo: Repo, before: datetime) -> Item | None:
        """Return the last stored release of a repository before a moment, none for trial."""
        found = await self._database.read(
            lambda c: self._items(
                c, repo, ITEM_TIMES.c.at < before, ITEMS.c.kind == Kind.RELEASE.value
            )
        )
        releases = (item for item in found if item.state is not State.PRERELEASE)
        return max(releases, key=lambda item: item.at, default=None)

    async def reverting_since(
        self, repo: Repo, landed: datetime, collected: datetime
    ) -> tuple[Item, ...]:
        """Return changes that say they revert, landed since one moment, collected after another."""
        news = (ITEMS.c.reverting.is_(True), ITEMS.c.collected_at > collected)
        found = await self._database.read(
            lambda c: self._items(c, repo, ITEM_TIMES.c.at >= landed, *news)
        )
        return _ordered(found)

    async def distrust(self, repo: Repo) -> None:
        """Have everything of a repository collected again before any of it is told."""
        mine = delete(COVERAGE).where(*self._of(COVERAGE, repo))
        await self._execute(mine, self._turn(repo))

    async def forget(self, repo: Repo) -> None:
        """Delete everything of a repository."""

        def work(connection: Connection) -> None:
            for table in (COVERAGE, ITEM_TIMES, ITEMS):
                connection.execute(delete(table).where(*self._of(table, repo)))

        await self._database.write(work, self._turn(repo))

    async def seen_since(self, repo: Repo, moment: datetime) -> tuple[Seen, ...]:
        """Return the default branch and its heads, newest first: the last, and all since one."""
        seen = (
            select(COVERAGE)
            .where(*self._of(COVERAGE, repo), COVERAGE.c.head != "")
            .order_by(COVERAGE.c.collected_at.desc(), COVERAGE.c.id.desc())
        )
        rows = await self._all_rows(seen.where(COVERAGE.c.collected_at >= moment))
        rows = rows or await self._all_rows(seen.limit(1))
        return tuple(Seen(row.default_branch, row.head, row.collected_at) for row in rows)

    def _intervals(self, connection: Connection, repo: Repo, window: Window) -> Sequence[Row[Any]]:
        query = select(COVERAGE).where(
            *self._of(COVERAGE, repo),
            COVERAGE.c.starts_at < window.end,
            COVERAGE.c.ends_at > window.start,
        )
        return connection.execute(query.order_by(COVERAGE.c.collected_at, COVERAGE.c.id)).all()

    def _items(
        self,
        connection: Connection,
        repo: Repo,
        times: ColumnElement[bool],
        *also: ColumnElement[bool],
    ) -> list[Item]:
        keys = select(ITEM_TIMES.c.key).where(*self._of(ITEM_TIMES, repo), times)
        query = select(ITEMS).where(*self._of(ITEMS, repo), ITEMS.c.key.in_(keys), *also)
        return _with_body(connection.execute(query))

    def _by_key(self, connection: Connection, repo: Repo, keys: Iterable[str]) -> list[Row[Any]]:
        rows: list[Row[Any]] = []
        for some in _portions(sorted(set(keys))):
            query = select(ITEMS).where(*self._of(ITEMS, repo), ITEMS.c.key.in_(some))
            rows += connection.execute(query)
        return rows

    def _bringers(self, connection: Connection, repo: Repo, items: Sequence[Item]) -> list[Item]:
        """Return pull requests that commits name, but whose own time lies outside the window."""
        known = {item.key for item in items}
        named = {
            f"{item.repo}:{Kind.PULL_REQUEST}:{item.pull_request}"
            for item in items
            if item.kind is Kind.COMMIT and item.pull_request is not None
        }
        rows = self._by_key(connection, repo, named - known)
        return _with_body(row for row in rows if row.whole)

    def _before(
        self, connection: Connection, repo: Repo, window: Window, items: Sequence[Item]
    ) -> list[Item]:
        """Return older changes, without files, where something among the items is taken back."""
        if not unknown_originals(items):
            return []
        start = window.start
        here = _during(start - TAKEN_BACK_WITHIN, start)
        kinds = ITEMS.c.kind.in_([kind.value for kind in Kind if kind.is_change])
        older = self._items(connection, repo, here, kinds)
        return [replace(item, files=None) for item in older]

    def _clear(self, connection: Connection, activity: Activity) -> None:
        window = activity.window
        connection.execute(
            delete(ITEM_TIMES).where(
                *self._of(ITEM_TIMES, activity.repo),
                ITEM_TIMES.c.at >= window.start,
                ITEM_TIMES.c.at < min(window.end, activity.collected_at),
            )
        )

    def _save_items(self, connection: Connection, activity: Activity) -> None:
        found = {item.key: (item, False) for item in activity.later}
        found |= {item.key: (item, True) for item in activity.items}
        known = {row.key: row for row in self._by_key(connection, activity.repo, found)}
        fresh = {
            key: (_joined(item, known.get(key)), whole)
            for key, (item, whole) in found.items()
            if _is_news(item, whole, activity.collected_at, known.get(key))
        }
        for some in _portions(sorted(fresh)):
            here = (*self._of(ITEMS, activity.repo), ITEMS.c.key.in_(some))
            connection.execute(delete(ITEMS).where(*here))
        name = self._name(activity.repo)
        rows = [
            {
                **name,
                "key": key,
                "kind": item.kind.value,
                "whole": whole,
                "reverting": item.kind.is_change and "revert" in item.title.casefold(),
                "collected_at": activity.collected_at,
                "body": codec.dump(item),
            }
            for key, (item, whole) in fresh.items()
        ]
        if rows:
            connection.execute(insert(ITEMS), rows)
        # An older answer is no news, yet its items stand in the interval that was just cleared.
        standing = [item for item, _ in fresh.values()]
        standing += _with_body(row for key, row in known.items() if key not in fresh)
        self._save_times(connection, activity.repo, standing)

    def _save_times(self, connection: Connection, repo: Repo, items: Sequence[Item]) -> None:
        for some in _portions(sorted(item.key for item in items)):
            here = (*self._of(ITEM_TIMES, repo), ITEM_TIMES.c.key.in_(some))
            connection.execute(delete(ITEM_TIMES).where(*here))
        name = self._name(repo)
        times = [{**name, "key": item.key, "at": at} for item in items for at in _times(item)]
        if times:
            connection.execute(insert(ITEM_TIMES), times)

    def _save_interval(self, connection: Connection, activity: Activity) -> None:
        replaced = [
            *self._of(COVERAGE, activity.repo),
            COVERAGE.c.starts_at >= activity.window.start,
            COVERAGE.c.ends_at <= activity.window.end,
        ]
        if can_heal(activity.gaps):
            replaced.append(COVERAGE.c.complete.is_(False))
        # Another head that was seen still tells when the commits above it landed.
        another = COVERAGE.c.head.not_in(("", activity.head))
        seen = update(COVERAGE).where(*replaced, another)
        connection.execute(seen.values(starts_at=NEVER, ends_at=NEVER, complete=True))
        connection.execute(delete(COVERAGE).where(*replaced))
        circumstances = Circumstances(
            activity.source, activity.gaps, activity.notices, activity.earlier
        )
        interval = {
            **self._name(activity.repo),
            "starts_at": activity.window.start,
            "ends_at": activity.window.end,
            "collected_at": activity.collected_at,
            "complete": not can_heal(activity.gaps),
            "default_branch": activity.default_branch,
            "head": activity.head,
            "body": codec.dump(circumstances),
        }
        connection.execute(insert(COVERAGE).values(**interval))


def _during(start: datetime, end: datetime) -> ColumnElement[bool]:
    """Return the condition that an item belongs to a time."""
    return and_(ITEM_TIMES.c.at >= start, ITEM_TIMES.c.at < end)


def _missing(window: Window, rows: Iterable[Row[Any]]) -> tuple[Window, ...]:
    complete = [
        Interval(row.starts_at, row.ends_at, row.collected_at) for row in rows if row.complete
    ]
    return uncovered(window, complete)


def _gaps(
    rows: Sequence[Row[Any]],
    circumstances: Sequence[Circumstances],
    window: Window,
    items: Sequence[Item],
    *,
    is_covered: bool,
) -> tuple[Gap, ...]:
    """Return the gaps that were met; of a window that is covered, those of what covers it.

    Patches that are missing in a longer time that was collected are told where an item lacks them.
    """
    lacks = any("patches" in item.detail_missing for item in items)
    met = (
        gap
        for row, each in zip(rows, circumstances, strict=True)
        if row.complete or not is_covered
        for gap in each.gaps
        if lacks
        or gap.what != "patches"
        or (window.start <= row.starts_at and row.ends_at <= window.end)
    )
    return tuple(dict.fromkeys(met))


def _with_body(rows: Iterable[Row[Any]]) -> list[Item]:
    return [codec.load(Item, row.body) for row in rows]


def _ordered(items: Iterable[Item]) -> tuple[Item, ...]:
    return tuple(sorted(items, key=lambda item: (item.at, item.key)))


def _times(item: Item) -> set[datetime]:
    """Return the moments at which an item belongs to a window."""
    if item.kind is Kind.ISSUE and item.events:
        return {event.at for event in item.events}
    return {item.at}


def _is_news(item: Item, whole: bool, collected_at: datetime, known: Row[Any] | None) -> bool:
    """Return whether an item replaces the one that is known: newer, and of a change no poorer."""
    if known is None or whole > known.whole:
        return True
    if whole < known.whole or collected_at < known.collected_at:
        return False
    if item.kind.is_change and item.detail_missing:
        return len(item.detail_missing) <= len(codec.load(Item, known.body).detail_missing)
    return True


def _joined(item: Item, known: Row[Any] | None) -> Item:
    """Add the events of an issue that an earlier collection saw."""
    if known is None or item.kind is not Kind.ISSUE:
        return item
    events = {*codec.load(Item, known.body).events, *item.events}
    return replace(item, events=tuple(sorted(events, key=lambda event: (event.at, event.name))))


def _portions(keys: Sequence[str]) -> Iterable[Sequence[str]]:
    return (keys[at : at + KEYS_AT_ONCE] for at in range(0, len(keys), KEYS_AT_ONCE))


async def known_of(
    activity: StoredActivity, readings: Sequence[Reading], now: datetime
) -> dict[Repo, Surroundings]:
    """Return the last release of each repository, and what landed later where that matters.

    A release is known only where everything from it to the window's end was looked at: what was
    not could hold another one. `now` is UTC. Raises `StoreFailed`.
    """
    known: dict[Repo, Surroundings] = {}
    for reading in readings:
        repo, window = reading.repo, reading.window
        release = await activity.last_release(repo, window.end)
        if release is not None:
            since = Window(release.at, window.end, "UTC", "")
            if await activity.missing(repo, since):
                release = None
        later: tuple[Item, ...] = ()
        if has_reverted_features(reading) and window.end < now:
            until = min(now, window.end + LANDED_AGAIN)
            later = await activity.between(repo, window.end, until)
        known[repo] = Surroundings(release, later)
    return known
