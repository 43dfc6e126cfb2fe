"""What is kept of channels beside their mornings.

Named moments, private repositories, how each source was lately, what happened to channels, what
concerns them, and values that are too long for a button.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TypeVar

from sqlalchemy import Connection, and_, delete, not_, or_, select, update

from bot.model.channels import Channel
from bot.model.concerns import Concern
from bot.model.records import MOST_SHOWN, LastReport, LogEntry, LogKind, SourceRecord
from bot.store.tables import (
    CHANNEL_LOG,
    CONCERNS,
    KEPT_VALUES,
    SOURCE_RECORDS,
    TIMESTAMPS,
    channel_of,
    columns,
    its,
    loaded,
    of_channel,
    of_each,
    readable,
    turn,
    within,
)
from digest import codec
from digest.models import Repo
from digest.store.batches import Joined
from digest.store.database import Stored, all_rows
from digest.store.tables import put

KEPT = timedelta(days=400)
"""How long a moment that nobody changes is kept."""

PASSING = ("asked ", "asking ", "showing ", "step ", "which ")
PASSING_KEPT = timedelta(days=2)
"""How long it is where many names begin so, one for each person: an allowance is whole within hours
(`bot.model.policy`)."""

HIDDEN = "private "
"""How the names of what is never forgotten begin."""

Decided = TypeVar("Decided")


class Timestamps(Stored):
    """The named moments. Every method raises `StoreFailed`."""

    async def of(self, name: str) -> datetime | None:
        """Return a moment, or None."""
        query = select(TIMESTAMPS.c.at).where(TIMESTAMPS.c.name == name)
        at: datetime | None = await self._database.read(lambda c: c.scalar(query))
        return at

    async def decide(
        self,
        names: tuple[str, ...],
        decide: Callable[[dict[str, datetime]], tuple[dict[str, datetime], Decided]],
    ) -> Decided:
        """Change several moments together: `decide` gets those that are there, one at a time.

        What it gives is kept: moments by their names, and anything that is handed back.
        """
        query = select(TIMESTAMPS).where(TIMESTAMPS.c.name.in_(names))

        def work(connection: Connection) -> Decided:
            after, decided = decide({row.name: row.at for row in connection.execute(query)})
            put(connection, TIMESTAMPS, *({"name": name, "at": at} for name, at in after.items()))
            return decided

        return await self._database.write(work, _moment_turn(names[0]))

    async def note(self, name: str, at: datetime) -> None:
        """Store a moment in the place of what its name had."""
        await self.decide((name,), lambda _: ({name: at}, None))

    async def before(self, prefix: str, at: datetime) -> tuple[str, ...]:
        """Return the names that begin so and whose moments are not after another, oldest first."""
        begins = TIMESTAMPS.c.name.startswith(prefix, autoescape=True)
        query = select(TIMESTAMPS.c.name).where(begins, TIMESTAMPS.c.at <= at)
        rows = await self._all_rows(query.order_by(TIMESTAMPS.c.at, TIMESTAMPS.c.name))
        return tuple(row.name for row in rows)

    async def forget(self, name: str) -> None:
        """Delete a moment, if it is there."""
        this = delete(TIMESTAMPS).where(TIMESTAMPS.c.name == name)
        await self._execute(this, _moment_turn(name))

    async def forget_old(self, now: datetime) -> None:
        """Delete moments that were not changed for a long time, but what is hidden for ever."""
        at, name = TIMESTAMPS.c.at, TIMESTAMPS.c.name
        kept = name.startswith(HIDDEN, autoescape=True)
        passing = or_(*(name.startswith(begins) for begins in PASSING))
        old = or_(and_(at < now - KEPT, not_(kept)), and_(passing, at < now - PASSING_KEPT))
        await self._execute(delete(TIMESTAMPS).where(old), _moment_turn(""))


def _moment_turn(name: str) -> str:
    return f"moments {name}"


_HIDDEN = select(TIMESTAMPS.c.name).where(TIMESTAMPS.c.name.startswith(HIDDEN, autoescape=True))
_HIDDEN_ROWS = all_rows(_HIDDEN)
"""Asked for each repository of each channel: the same work, so who asks together shares it."""


class HiddenRepos(Stored):
    """Their names, in lower case. Every method raises `StoreFailed`.

    What is stored of them stays, also once their names are taken out of the settings, or where
    one process was not given them: a page that anybody can read must not trust the settings of
    one process.
    """

    async def hide(self, names: Iterable[str], now: datetime) -> None:
        """Store names until GitHub says that they are public."""
        new = tuple(sorted(HIDDEN + name for name in set(names) - await self.all()))
        if new:
            await Timestamps(self._database).decide(new, lambda _: (dict.fromkeys(new, now), None))

    async def show(self, names: Iterable[str]) -> None:
        """Take names out: GitHub says that they are public."""
        kept = [HIDDEN + name for name in set(names) & await self.all()]
        if kept:
            these = delete(TIMESTAMPS).where(TIMESTAMPS.c.name.in_(kept))
            await self._execute(these, _moment_turn(kept[0]))

    async def all(self) -> frozenset[str]:
        """Return every name that was ever hidden."""
        rows = await self._database.read(_HIDDEN_ROWS)
        return frozenset(row.name.removeprefix(HIDDEN) for row in rows)


Record = TypeVar("Record")

OF_ALL = 0
"""What stands in place of a subscription for what holds for all; none has this number."""


class SourceRecords(Stored):
    """The stored records. Every method raises `StoreFailed`."""

    async def of(self, repo: Repo) -> SourceRecord:
        """Return how a repository was lately."""
        return await self._database.read(lambda c: _read(c, OF_ALL, repo, SourceRecord))

    async def change(
        self, repo: Repo, decide: Callable[[SourceRecord], SourceRecord]
    ) -> SourceRecord:
        """Store what `decide` makes of how a repository was lately, one process at a time."""

        def work(connection: Connection) -> SourceRecord:
            after = decide(_read(connection, OF_ALL, repo, SourceRecord))
            _write(connection, OF_ALL, repo, after)
            return after

        return await self._database.write(work, _source_turn(repo))

    async def last_report(self, subscription_id: int, repo: Repo) -> LastReport:
        """Return what a subscription was told of a repository."""
        return await self._database.read(lambda c: _read(c, subscription_id, repo, LastReport))

    async def save_report(self, subscription_id: int, repo: Repo, report: LastReport) -> None:
        """Store what a subscription was told of a repository."""
        await self._database.write(
            lambda c: _write(c, subscription_id, repo, report), _source_turn(repo)
        )


def _read(connection: Connection, of: int, repo: Repo, kind: type[Record]) -> Record:
    table = SOURCE_RECORDS.c
    query = select(table.body).where(table.subscription_id == of, table.repo == _name(repo))
    body = connection.scalar(query)
    return codec.load(kind, body) if body else kind()


def _write(connection: Connection, of: int, repo: Repo, record: object) -> None:
    row = {"subscription_id": of, "repo": _name(repo), "body": codec.dump(record)}
    put(connection, SOURCE_RECORDS, row)


def _source_turn(repo: Repo) -> str:
    return f"source {_name(repo)}"


def _name(repo: Repo) -> str:
    return str(repo).lower()


_ENTRIES = select(CHANNEL_LOG).where(*of_channel(CHANNEL_LOG)).order_by(CHANNEL_LOG.c.id.desc())
_ADD_ENTRY = CHANNEL_LOG.insert().inline()


class ChannelLog(Stored):
    """The stored log. Every method raises `StoreFailed`."""

    async def add(self, channel: Channel, entry: LogEntry) -> None:
        """Store an entry; a failure that is the same as the newest entry is kept once."""
        await self._database.write(lambda c: write_entries(c, [(channel, entry)]), turn(channel))

    async def of(self, channel: Channel, most: int = MOST_SHOWN) -> tuple[LogEntry, ...]:
        """Return the newest entries of a channel, the newest first."""
        rows = await self._all_rows(_ENTRIES.limit(most), its(channel))
        return tuple(loaded(row, LogEntry) for row in rows)


def write_entries(connection: Connection, entries: Sequence[tuple[Channel, LogEntry]]) -> None:
    """Store entries together with what they tell of."""
    rows = [
        columns(channel) | {"at": entry.at, "body": codec.dump(entry)}
        for channel, entry in entries
        if not _is_known(connection, channel, entry)
    ]
    if rows:
        connection.execute(_ADD_ENTRY, rows)


def _is_known(connection: Connection, channel: Channel, entry: LogEntry) -> bool:
    """Return whether an entry is a failure that is the same as the newest entry."""
    if entry.kind is not LogKind.FAILED:
        return False
    row = connection.execute(_ENTRIES.limit(1), its(channel)).first()
    newest = loaded(row, LogEntry) if row else None
    return newest is not None and (newest.kind, newest.why) == (entry.kind, entry.why)


_CONCERNS = of_each(CONCERNS, "name")

_CONCERN_TURN = "concerns"


class ConcernRecords(Stored):
    """The concerns of all channels. Every method raises `StoreFailed`."""

    async def of(self, channel: Channel) -> tuple[Concern, ...]:
        """Return the concerns of a channel, by name."""
        rows = await self._database.read(Joined(_CONCERNS, channel))
        return readable(rows, Concern)

    async def save(self, concern: Concern, due_at: datetime | None = None) -> None:
        """Store a concern; its codebase is read at `due_at`, and never for None."""
        key = {**columns(concern.channel), "name": concern.name}
        row = {**key, "due_at": due_at, "body": codec.dump(concern)}
        await self._database.write(lambda c: put(c, CONCERNS, row), _CONCERN_TURN)

    async def remove(self, channel: Channel, name: str) -> None:
        """Take a concern away."""
        own = (*within(CONCERNS, channel), CONCERNS.c.name == name)
        await self._execute(delete(CONCERNS).where(*own), _CONCERN_TURN)

    async def take_due(self, now: datetime, until: datetime) -> Concern | None:
        """Return one concern whose codebase is due, if any; it is due again at `until`."""
        due = select(CONCERNS).where(CONCERNS.c.due_at <= now).order_by(CONCERNS.c.due_at)

        def work(connection: Connection) -> Concern | None:
            row = connection.execute(due.limit(1)).first()
            if row is None:
                return None
            own = (*within(CONCERNS, channel_of(row)), CONCERNS.c.name == row.name)
            connection.execute(update(CONCERNS).where(*own).values(due_at=until))
            return next(iter(readable([row], Concern)), None)

        return await self._database.write(work, _CONCERN_TURN)

    async def refresh(self, before: Concern, after: Concern, due_at: datetime) -> None:
        """Store what was read of a concern, unless it was changed or taken away meanwhile."""
        own = (*within(CONCERNS, before.channel), CONCERNS.c.name == before.name)
        values = {"due_at": due_at, "body": codec.dump(after)}

        def work(connection: Connection) -> None:
            row = connection.execute(select(CONCERNS).where(*own)).first()
            if row and loaded(row, Concern) == before:
                connection.execute(update(CONCERNS).where(*own).values(**values))

        await self._database.write(work, _CONCERN_TURN)


class Values(Stored):
    """The kept values. Every method raises `StoreFailed`."""

    async def remember(self, values: Mapping[str, str]) -> None:
        """Store values by their short forms; one short form never has two values."""
        if not values:
            return
        # Most are known, as all channels of a morning get the same ones.
        same = select(KEPT_VALUES.c.short).where(
            KEPT_VALUES.c.short.in_(values), KEPT_VALUES.c.kept_at.is_(None)
        )
        known = {row.short for row in await self._all_rows(same)}
        rows = [_value_row(short, values[short]) for short in values if short not in known]
        if rows:
            await self._database.write(lambda c: put(c, KEPT_VALUES, *rows), "values")

    async def add(self, name: str, value: str) -> None:
        """Store a value under a name that nobody else stores one under: it waits for no turn."""
        row = _value_row(name, value)
        await self._database.write(lambda c: put(c, KEPT_VALUES, row), "")

    async def recall(self, short: str) -> str | None:
        """Return the value of a short form, if it is kept."""
        row = await self._first_row(select(KEPT_VALUES).where(KEPT_VALUES.c.short == short))
        return row.body.decode("utf-8", "surrogatepass") if row else None


def _value_row(short: str, value: str) -> dict[str, object]:
    # Whoever comes second makes the age of a value begin anew.
    return {"short": short, "body": value.encode("utf-8", "surrogatepass"), "kept_at": None}
