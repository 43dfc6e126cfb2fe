"""What a restored database has to know: that it may be older than its channels."""

from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlmodel import SQLModel

from bot.store.tables import DeliveryRow, NamedMomentRow
from bot.store.timestamps import ALIVE

LONG_AGO = timedelta(days=1)
"""So long ago that nobody seems to have been alive since: see `bot.deliver.restore_check`."""


def set_back(connection: Connection, now: datetime) -> None:
    """Have every channel compared before it is told, and leave no delivery to who is not there."""
    tables = SQLModel.metadata.tables
    moments = tables[str(NamedMomentRow.__tablename__)]
    deliveries = tables[str(DeliveryRow.__tablename__)]
    connection.execute(sa.delete(moments).where(moments.c.name == ALIVE))
    connection.execute(sa.insert(moments).values(name=ALIVE, at=now - LONG_AGO))
    connection.execute(sa.update(deliveries).values(owner=""))
