"""How each source was lately, what subscriptions were told of it, and what happened to channels."""

from collections.abc import Callable
from typing import Any, TypeVar

from sqlalchemy import Connection, select

from bot.model.channels import Channel
from bot.model.records import MOST_SHOWN, LastReport, LogEntry, LogKind, SourceRecord
from bot.store.tables import CHANNEL_LOG, SOURCE_RECORDS, columns, its, of_channel, turn
from digest import codec
from digest.models import Repo
from digest.store.database import Stored
from digest.store.tables import put

Record = TypeVar("Record")

OF_ALL = 0
"""What stands in place of a subscription for what holds for all; none has this number."""


class Sources(Stored):
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

        return await self._database.write(work, _turn(repo))

    async def last_report(self, subscription_id: int, repo: Repo) -> LastReport:
        """Return what a subscription was told of a repository."""
        return await self._database.read(lambda c: _read(c, subscription_id, repo, LastReport))

    async def save_report(self, subscription_id: int, repo: Repo, report: LastReport) -> None:
        """Store what a subscription was told of a repository."""
        await self._database.write(lambda c: _write(c, subscription_id, repo, report), _turn(repo))


def _read(connection: Connection, of: int, repo: Repo, kind: type[Record]) -> Record:
    table = SOURCE_RECORDS.c
    query = select(table.body).where(table.subscription_id == of, table.repo == _name(repo))
    body = connection.scalar(query)
    return codec.load(kind, body) if body else kind()


def _write(connection: Connection, of: int, repo: Repo, record: object) -> None:
    row = {"subscription_id": of, "repo": _name(repo), "body": codec.dump(record)}
    put(connection, SOURCE_RECORDS, row)


def _turn(repo: Repo) -> str:
    return f"source {_name(repo)}"


def _name(repo: Repo) -> str:
    return str(repo).lower()


_NEWEST = select(CHANNEL_LOG).where(*of_channel(CHANNEL_LOG)).order_by(CHANNEL_LOG.c.id.desc())
_ADD = CHANNEL_LOG.insert().inline()


class ChannelLog(Stored):
    """The stored log. Every method raises `StoreFailed`."""

    async def add(self, channel: Channel, entry: LogEntry) -> None:
        """Store an entry; a failure that is the same as the newest entry is kept once."""
        await self._database.write(lambda c: write(c, channel, entry), turn(channel))

    async def of(self, channel: Channel, most: int = MOST_SHOWN) -> tuple[LogEntry, ...]:
        """Return the newest entries of a channel, the newest first."""
        rows = await self._all_rows(_NEWEST.limit(most), its(channel))
        return tuple(map(_entry, rows))


def write(connection: Connection, channel: Channel, entry: LogEntry) -> None:
    """Store an entry together with what it tells of."""
    if entry.kind is LogKind.FAILED:
        row = connection.execute(_NEWEST.limit(1), its(channel)).first()
        newest = _entry(row) if row else None
        if newest and (newest.kind, newest.why) == (entry.kind, entry.why):
            return
    connection.execute(_ADD, columns(channel) | {"at": entry.at, "body": codec.dump(entry)})


def _entry(row: Any) -> LogEntry:
    return codec.load(LogEntry, row.body)
