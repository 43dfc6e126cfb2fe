"""What the database knows in numbers: counted by state, never by repository, channel or person."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from sqlalchemy import func
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.slots import Slot
from bot.store.delivery_rows import UNFINISHED
from bot.store.processes import Processes
from bot.store.tables import DeliveryRow, PostRow, SubscriptionRow
from digest import codec
from digest.store.database import Database
from digest.store.model_tables import ModelSpendingRow
from digest.store.tables import CoverageRow

LATELY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Figures:
    """What the database knows at a moment; moments are UTC.

    `deliveries` and `messages` are counted by state (messages by platform and state), `waiting` are
    deliveries that are due and not told, the longest of them since `waiting_since`; those of paused
    channels are none. `gaps` are stretches of time collected within the last day of which something
    is missing. `model` is what was spent today in UTC, by `calls`, `input_tokens`, `output_tokens`,
    and `model_this_month` the same in this month. `github` is the least number of requests that any
    live process has left, by the kind of limit. `failing` are subscriptions, not paused, for which
    something went wrong last.
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
    github: Mapping[str, int] = field(default_factory=dict)
    processes: int = 0
    ticked_at: datetime | None = None


async def figures(database: Database, now: datetime) -> Figures:
    """Count everything once; raises `StoreFailed`."""
    live = await Processes(database).live(now)
    async with database.reading() as session:
        waiting = await _waiting(session)
        active, paused, failing = await _subscriptions(session)
        return Figures(
            deliveries=await _deliveries(session),
            messages=await _messages(session),
            waiting=len(waiting),
            waiting_since=min(waiting, default=None),
            active=active,
            paused=paused,
            failing=failing,
            gaps=await _gaps(session, now),
            model=await _spent(session, f"{now.astimezone(UTC):%Y-%m-%d}"),
            model_this_month=await _spent(session, f"{now.astimezone(UTC):%Y-%m}"),
            github=_least([process.github for process in live]),
            processes=len(live),
            ticked_at=max((each.ticked_at for each in live if each.ticked_at), default=None),
        )


async def _deliveries(session: AsyncSession) -> dict[str, int]:
    query = select(DeliveryRow.state, func.count()).group_by(col(DeliveryRow.state))
    return {state: number for state, number in (await session.exec(query)).all()}


async def _messages(session: AsyncSession) -> dict[tuple[str, str], int]:
    by = (col(PostRow.platform), col(PostRow.state))
    query = select(PostRow.platform, PostRow.state, func.count()).group_by(*by)
    return {(platform, state): n for platform, state, n in (await session.exec(query)).all()}


async def _waiting(session: AsyncSession) -> list[datetime]:
    # What a paused channel has begun waits for the channel, not for us.
    query = (
        select(DeliveryRow.body)
        .join(SubscriptionRow, col(SubscriptionRow.id) == col(DeliveryRow.subscription_id))
        .where(col(DeliveryRow.state).in_(UNFINISHED), col(SubscriptionRow.paused).is_(False))
    )
    return [codec.load(Slot, body).due_at for body in (await session.exec(query)).all()]


async def _subscriptions(session: AsyncSession) -> tuple[int, int, int]:
    rows = (await session.exec(select(SubscriptionRow.paused, SubscriptionRow.body))).all()
    running = [body for paused, body in rows if not paused]
    # Read as text: thousands of subscriptions are counted at every look of Prometheus.
    failing = sum(b'"last_error":""' not in body for body in running)
    return len(running), len(rows) - len(running), failing


async def _gaps(session: AsyncSession, now: datetime) -> int:
    lately = col(CoverageRow.collected_at) >= now - LATELY
    query = select(func.count()).where(lately, col(CoverageRow.complete).is_(False))
    return (await session.exec(query)).one()


async def _spent(session: AsyncSession, days: str) -> dict[str, int]:
    """What the days cost whose names begin so."""
    names = ("calls", "input_tokens", "output_tokens")
    sums = (func.coalesce(func.sum(getattr(ModelSpendingRow, name)), 0) for name in names)
    among = col(ModelSpendingRow.day).startswith(days)
    numbers = (await session.exec(select(*sums).where(among))).one()
    return {name: int(number) for name, number in zip(names, numbers, strict=True)}


def _least(budgets: list[Mapping[str, int]]) -> dict[str, int]:
    limits = sorted({limit for budget in budgets for limit in budget})
    return {limit: min(b[limit] for b in budgets if limit in b) for limit in limits}
