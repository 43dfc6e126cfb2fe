"""What happened to channels lately; of each the newest entries alone."""

from typing import Any

from sqlalchemy import Connection, delete, select

from bot.model.channel_log import KEPT, LogEntry, LogKind
from bot.model.channels import Channel
from bot.store.channel_columns import columns, its, of_channel, turn
from bot.store.tables import ChannelLogRow, table_of
from digest import codec
from digest.store.database import Database

_LOG = table_of(ChannelLogRow)
_NEWEST = select(_LOG).where(*of_channel(_LOG)).order_by(_LOG.c.id.desc())


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
        query = _NEWEST.limit(most)
        rows = await self._database.look(lambda c: c.execute(query, its(channel)).all())
        return tuple(map(_entry, rows))


def write(connection: Connection, channel: Channel, entry: LogEntry) -> None:
    """Keep an entry together with what it tells of."""
    rows = connection.execute(_NEWEST.limit(KEPT), its(channel)).all()
    newest = _entry(rows[0]) if rows else None
    is_again = newest and (newest.kind, newest.why) == (entry.kind, entry.why)
    if is_again and entry.kind is LogKind.FAILED:
        return
    row = columns(channel) | {"at": entry.at, "body": codec.dump(entry)}
    connection.execute(_LOG.insert().values(**row))
    if len(rows) == KEPT:
        old = delete(_LOG).where(*of_channel(_LOG), _LOG.c.id <= rows[-1].id)
        connection.execute(old, its(channel))


def _entry(row: Any) -> LogEntry:
    return codec.load(LogEntry, row.body)
