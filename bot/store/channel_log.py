"""What happened to channels lately; of each the newest entries alone."""

from typing import Any

from sqlalchemy import Connection, delete, select

from bot.model.channel_log import KEPT, LogEntry, LogKind
from bot.model.channels import Channel
from bot.store.tables import CHANNEL_LOG, columns, its, of_channel, turn
from digest import codec
from digest.store.database import Database

_NEWEST = select(CHANNEL_LOG).where(*of_channel(CHANNEL_LOG)).order_by(CHANNEL_LOG.c.id.desc())


class ChannelLog:
    """The stored log. Every method raises `StoreFailed`."""

    def __init__(self, database: Database) -> None:
        """Take an open database."""
        self._database = database

    async def add(self, channel: Channel, entry: LogEntry) -> None:
        """Keep an entry; a failure that is the same as the newest entry is kept once."""
        await self._database.together(turn(channel), lambda c: write(c, channel, entry))

    async def of(self, channel: Channel, most: int = KEPT) -> tuple[LogEntry, ...]:
        """Give the newest entries of a channel, the newest first."""
        rows = await self._database.rows(_NEWEST.limit(most), its(channel))
        return tuple(map(_entry, rows))


def write(connection: Connection, channel: Channel, entry: LogEntry) -> None:
    """Keep an entry together with what it tells of."""
    rows = connection.execute(_NEWEST.limit(KEPT), its(channel)).all()
    newest = _entry(rows[0]) if rows else None
    is_again = newest and (newest.kind, newest.why) == (entry.kind, entry.why)
    if is_again and entry.kind is LogKind.FAILED:
        return
    row = columns(channel) | {"at": entry.at, "body": codec.dump(entry)}
    connection.execute(CHANNEL_LOG.insert().values(**row))
    if len(rows) == KEPT:
        old = delete(CHANNEL_LOG).where(*of_channel(CHANNEL_LOG), CHANNEL_LOG.c.id <= rows[-1].id)
        connection.execute(old, its(channel))


def _entry(row: Any) -> LogEntry:
    return codec.load(LogEntry, row.body)
