"""What a restored database has to know: that it may be older than its channels."""

from datetime import datetime, timedelta

from sqlalchemy import Connection, update

from bot.store.tables import DELIVERIES, TIMESTAMPS
from bot.store.timestamps import ALIVE
from digest.store.columns import put

LONG_AGO = timedelta(days=1)
"""So long ago that nobody seems to have been alive since: see `bot.deliver.restore_check`."""


def set_back(connection: Connection, now: datetime) -> None:
    """Have every channel compared before it is told, and leave no delivery to who is not there."""
    put(connection, TIMESTAMPS, {"name": ALIVE, "at": now - LONG_AGO})
    connection.execute(update(DELIVERIES).values(owner=""))
