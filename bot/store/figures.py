"""What the database knows in numbers, and the processes that run, as each says of itself.

Counted by state, never by repository, channel or person.
"""

import asyncio
import contextlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection, delete, func, select

from bot.model.slots import Slot, due, waits_since
from bot.model.subscriptions import Subscription
from bot.store.deliveries import UNFINISHED
from bot.store.tables import DELIVERIES, POSTS, PROCESSES, SUBSCRIPTIONS, loaded
from digest import codec
from digest.edited import ModelFailure
from digest.errors import BadAnswer, InfraError
from digest.store.database import Database, Stored, all_rows, first_row
from digest.store.model_use import StoredModelFailures
from digest.store.tables import COVERAGE, MODEL_SPENDING, put

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


class Processes(Stored):
    """The stored processes. Every method raises `StoreFailed`."""

    async def live(self, now: datetime) -> tuple[ProcessState, ...]:
        """Return those that spoke lately, the oldest first."""
        query = select(PROCESSES.c.body).where(PROCESSES.c.seen_at >= now - SILENT)
        states = []
        for row in await self._all_rows(query):
            with contextlib.suppress(BadAnswer):  # of another version
                states.append(loaded(row, ProcessState))
        return tuple(sorted(states, key=lambda state: (state.started_at, state.owner)))

    async def speak(self, state: ProcessState) -> None:
        """Store what a process says of itself now, and forget those that are long gone."""
        row = {"owner": state.owner, "seen_at": state.seen_at, "body": codec.dump(state)}
        old = PROCESSES.c.seen_at < state.seen_at - KEPT

        def work(connection: Connection) -> None:
            put(connection, PROCESSES, row)
            connection.execute(delete(PROCESSES).where(old))

        await self._database.write(work, "processes")

    async def leave(self, owner: str) -> None:
        """Delete a process that ends."""
        this = delete(PROCESSES).where(PROCESSES.c.owner == owner)
        await self._execute(this, "processes")


LATELY = timedelta(days=1)

_DELIVERIES = select(DELIVERIES.c.state, func.count()).group_by(DELIVERIES.c.state)
_BY = (POSTS.c.platform, POSTS.c.state)
_MESSAGES = select(*_BY, func.count()).group_by(*_BY)

AT_ONCE = 200
"""Subscriptions that are read before other work has its turn."""


@dataclass(frozen=True, slots=True)
class DatabaseFigures:
    """What the database knows at a moment; moments are UTC.

    `deliveries` and `messages` are counted by state (messages by platform and state), `waiting` are
    slots that are due and not told, begun or not, the longest of them since `waiting_since`; those
    of paused channels are none. `gaps` are stretches of time collected within the last day of which
    something is missing. `model` is what was spent today in UTC, by `calls`, `input_tokens`,
    `output_tokens`, and `model_this_month` the same in this month; `model_failure` is what a model
    last failed at, None where none did. `github` is the least number of
    requests that any live process has left, by the kind of limit. `failing` are subscriptions, not
    paused, for which something went wrong last.
    """

    deliveries: Mapping[str, int] = field(default_factory=dict)
    messages: Mapping[tuple[str, str], int] = field(default_factory=dict)
    waiting: int = 0
    waiting_since: datetime | None = None
    active: int = 0
    paused: int = 0
    failing: int = 0
    gaps: int = 0
    model: Mapping[str, int] = field(default_factory=dict)
    model_this_month: Mapping[str, int] = field(default_factory=dict)
    model_failure: ModelFailure | None = None
    github: Mapping[str, int] = field(default_factory=dict)
    processes: int = 0
    ticked_at: datetime | None = None


async def figures(database: Database, now: datetime) -> DatabaseFigures:
    """Count everything once; raises `StoreFailed`."""
    live = await Processes(database).live(now)
    active, paused = await _subscriptions(database)
    waiting = await _waiting(database, active, now)
    lately = COVERAGE.c.collected_at >= now - LATELY
    incomplete = select(func.count()).where(lately, COVERAGE.c.complete.is_(False))
    return DatabaseFigures(
        deliveries=dict(await database.read(all_rows(_DELIVERIES))),
        messages={
            (row.platform, row.state): row[2] for row in await database.read(all_rows(_MESSAGES))
        },
        waiting=len(waiting),
        waiting_since=min(waiting, default=None),
        active=len(active),
        paused=paused,
        failing=sum(bool(each.last_error) for each in active.values()),
        gaps=(await database.read(first_row(incomplete)))[0],
        model=await _spent(database, f"{now.astimezone(UTC):%Y-%m-%d}"),
        model_this_month=await _spent(database, f"{now.astimezone(UTC):%Y-%m}"),
        model_failure=await StoredModelFailures(database).last(),
        github=_least([process.github for process in live]),
        processes=len(live),
        ticked_at=max((each.ticked_at for each in live if each.ticked_at), default=None),
    )


async def _waiting(
    database: Database, active: Mapping[int, Subscription], now: datetime
) -> list[datetime]:
    """Return since when each slot waits that is due and not told."""
    query = select(DELIVERIES.c.subscription_id, DELIVERIES.c.body).where(
        DELIVERIES.c.state.in_(UNFINISHED)
    )
    begun = {}
    for of, body in await database.read(all_rows(query)):
        with contextlib.suppress(BadAnswer):  # it keeps its channel waiting: see `_due`
            begun[of] = codec.load(Slot, body)
    waiting = []
    for count, (number, subscription) in enumerate(active.items()):
        if count % AT_ONCE == 0:
            await asyncio.sleep(0)  # thousands of them keep nobody else waiting
        slot = begun.get(number) or _due(subscription, now)
        if slot:
            waiting.append(waits_since(subscription, slot))
    return waiting


def _due(subscription: Subscription, now: datetime) -> Slot | None:
    try:
        return due(subscription, now)
    except InfraError:  # a zone that this machine does not know any more: `last_error` says so
        return None


async def _subscriptions(database: Database) -> tuple[dict[int, Subscription], int]:
    """Return those that can be told, by their ids, and how many are paused."""
    query = select(SUBSCRIPTIONS.c.id, SUBSCRIPTIONS.c.paused, SUBSCRIPTIONS.c.body)
    active, paused = {}, 0
    for count, row in enumerate(await database.read(all_rows(query))):
        if count % AT_ONCE == 0:
            await asyncio.sleep(0)
        if row.paused:
            paused += 1
            continue
        with contextlib.suppress(BadAnswer):  # another version wrote it; the log says so
            active[row.id] = loaded(row, Subscription)
    return active, paused


async def _spent(database: Database, days: str) -> dict[str, int]:
    """What the days cost whose names begin so."""
    names = ("calls", "input_tokens", "output_tokens")
    sums = (func.coalesce(func.sum(MODEL_SPENDING.c[name]), 0) for name in names)
    numbers = await database.read(
        first_row(select(*sums).where(MODEL_SPENDING.c.day.startswith(days)))
    )
    return {name: int(number) for name, number in zip(names, numbers, strict=True)}


def _least(budgets: list[Mapping[str, int]]) -> dict[str, int]:
    limits = sorted({limit for budget in budgets for limit in budget})
    return {limit: min(b[limit] for b in budgets if limit in b) for limit in limits}
