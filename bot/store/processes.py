"""The processes that run, as each says of itself again and again."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from sqlalchemy import Connection, delete, select

from bot.store.tables import PROCESSES
from digest import codec
from digest.store.columns import put
from digest.store.database import Database

SILENT = timedelta(minutes=3)
"""A process that has said nothing for so long is taken to be gone; each speaks every 30 seconds."""

KEPT = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class ProcessState:
    """What a process says of itself.

    `only` is what it does alone, empty for everything. `ticked_at` is when its clock last asked
    what is due, None where it has none. `unheard` says by platform why it is not heard, empty where
    it is. `github` are the requests left by the kind of limit, and `asked` those that it made.
    """

    owner: str
    only: str
    version: str
    started_at: datetime
    seen_at: datetime
    ticked_at: datetime | None = None
    unheard: Mapping[str, str] = field(default_factory=dict)
    github: Mapping[str, int] = field(default_factory=dict)
    asked: int = 0


class Processes:
    """The stored processes. Every method raises `StoreFailed`."""

    def __init__(self, database: Database) -> None:
        """Take an open database."""
        self._database = database

    async def live(self, now: datetime) -> tuple[ProcessState, ...]:
        """Give those that spoke lately, the oldest first."""
        query = select(PROCESSES.c.body).where(PROCESSES.c.seen_at >= now - SILENT)
        rows = await self._database.rows(query)
        states = [codec.load(ProcessState, row.body) for row in rows]
        return tuple(sorted(states, key=lambda state: (state.started_at, state.owner)))

    async def speak(self, state: ProcessState) -> None:
        """Keep what a process says of itself now, and forget those that are long gone."""
        row = {"owner": state.owner, "seen_at": state.seen_at, "body": codec.dump(state)}
        old = PROCESSES.c.seen_at < state.seen_at - KEPT

        def work(connection: Connection) -> None:
            put(connection, PROCESSES, row)
            connection.execute(delete(PROCESSES).where(old))

        await self._database.together("processes", work)

    async def leave(self, owner: str) -> None:
        """Forget a process that ends."""
        await self._database.do(delete(PROCESSES).where(PROCESSES.c.owner == owner))
