"""Three processes on one PostgreSQL through a week with both changes of the clocks.

Hundreds of channels in thirty zones; every few minutes of the simulated time one process is killed
at some step, and another takes its place later. The clocks of their machines are a minute apart:
all go by that of the database. `make replicas` runs the whole week.
"""

import argparse
import asyncio
import contextlib
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from itertools import cycle
from typing import Any
from zoneinfo import ZoneInfo

import structlog
from sqlalchemy import select

from bot.deliver.delivery import Delivering
from bot.deliver.planning import Planning
from bot.deliver.shared_roundups import SharedRoundups
from bot.model.channels import Channel, Platform
from bot.model.policy import Visibility
from bot.model.ports import Publisher
from bot.model.posts import DeliveryState
from bot.model.subscriptions import Subscription
from bot.store.store import ChannelStore
from bot.store.tables import DELIVERIES
from digest.leases import LEASE, POLL_INTERVAL
from digest.models import Repo
from digest.pipeline import Pipeline
from digest.store.database import DatabaseClock, all_rows, upgrade
from digest.store.store import open_store
from tests.bot.bot_fixture import subscription
from tests.bot.platform_fake import KILN, Forge, Killed, Transcript
from tests.conftest import SetClock
from tests.e2e.database_time import set_time
from tests.e2e.morning import plain
from tests.postgres import new_database, serving

BEGINS = datetime(2026, 3, 29, tzinfo=UTC)
"""At one o'clock that day Europe puts its clocks forward; a week later Sydney puts them back."""

ZONES = (
    *("Europe/Berlin", "Europe/Lisbon", "Europe/Moscow", "Europe/Istanbul", "Africa/Casablanca"),
    *("Africa/Lagos", "Africa/Cairo", "America/New_York", "America/Los_Angeles", "America/Denver"),
    *("America/St_Johns", "America/Sao_Paulo", "America/Santiago", "America/Caracas", "UTC"),
    *("Asia/Shanghai", "Asia/Tokyo", "Asia/Kolkata", "Asia/Kathmandu", "Asia/Tehran"),
    *("Asia/Dubai", "Asia/Karachi", "Australia/Sydney", "Australia/Adelaide", "Australia/Perth"),
    *("Australia/Lord_Howe", "Pacific/Auckland", "Pacific/Chatham", "Pacific/Kiritimati"),
    "Pacific/Pago_Pago",
)
TIMES = (time(2, 30), time(9), time(1, 59), time(23, 30))
KILLED_EVERY = timedelta(minutes=7)
MOST_STEPS = 40
SKEWS = (timedelta(0), timedelta(seconds=60), timedelta(seconds=-60))
"""How far the clocks of the machines are ahead of the right time."""


@dataclass
class Week:
    """What happened: lateness of each slot, kills, and what stands in channels."""

    platform: Transcript
    late: dict[tuple[int, date], timedelta] = field(default_factory=dict)
    kills: int = 0
    ticks: int = 0
    looked_at: datetime = BEGINS
    wrong: list[str] = field(default_factory=list)


class Replica:
    """One process: its own connections, its own work, and a moment at which it is killed."""

    def __init__(
        self,
        name: str,
        url: str,
        clock: SetClock,
        platform: Transcript,
        ahead: timedelta = timedelta(0),
    ) -> None:
        self.name = name
        self.ahead = ahead
        self._url = url
        self._right = clock
        self._platform = platform
        self._stack = AsyncExitStack()
        self._steps_left: int | None = None
        self.is_dead = False

    async def start(self) -> None:
        digests = await self._stack.enter_async_context(open_store(self._url))
        store = ChannelStore(digests.database)
        self._clock = DatabaseClock(
            digests.database,
            lambda: self._right() + self.ahead,
            steady=lambda: self._right().timestamp(),
        )
        for part, names in (
            (store.deliveries, ("claim", "plan", "advance", "finish", "release", "wait")),
            (store.subscriptions, ("change",)),
        ):
            for name in names:
                setattr(part, name, self._stepped(getattr(part, name)))
        pipeline = Pipeline(
            Forge(self._clock, changes=1),
            source_name="forge",
            store=digests,
            clock=self._clock,
            progress=lambda line: None,
        )
        publishers: dict[Platform, Publisher] = {Platform.SLACK: Mortal(self._platform, self.step)}
        gathering = SharedRoundups(
            pipeline, store.leases, clock=self._clock, owner=self.name, pause=_shortly
        )
        visibility = Visibility(
            *({}, _alone, _alone),
            *(store.subscriptions.of, store.hidden.all, _private),
        )
        planning = Planning(gathering, store, clock=self._clock, visibility=visibility)
        self.delivering = Delivering(
            planning, store, publishers, clock=self._clock, owner=self.name, pause=_shortly
        )

    def kill_within(self, steps: int) -> None:
        self._steps_left = steps

    @property
    def is_doomed(self) -> bool:
        return self._steps_left is not None

    def step(self) -> None:
        if self._steps_left is not None:
            self._steps_left -= 1
            self.is_dead = self.is_dead or self._steps_left <= 0
        if self.is_dead:
            raise Killed

    async def tick(self) -> None:
        if not self.is_dead:
            with contextlib.suppress(Killed):
                await self._clock.synchronize()
                await self.delivering.start_due(self._clock())

    async def settle(self) -> None:
        await self.delivering.settle()

    async def close(self) -> None:
        await self._stack.aclose()

    def _stepped(self, method: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def stepped(*given: Any, **named: Any) -> Any:
            self.step()
            done = await method(*given, **named)
            self.step()
            return done

        return stepped


class Mortal:
    """The platform as a process sees it that may end before or after it sent something."""

    def __init__(self, platform: Transcript, step: Callable[[], None]) -> None:
        self._platform = platform
        self._step = step

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._platform, name)
        if name not in ("send", "find", "edit", "link"):
            return method

        async def stepped(*given: Any, **named: Any) -> Any:
            self._step()
            done = await method(*given, **named)
            await asyncio.sleep(0)
            self._step()
            return done

        return stepped


async def _alone(channel: Channel, person: str) -> bool:
    return False


async def _private(channel: Channel) -> bool:
    return False


async def _shortly(seconds: float) -> None:
    await asyncio.sleep(0.001)


def channels(number: int, repos: Sequence[Repo]) -> Iterator[Subscription]:
    """Give subscriptions spread over all zones and times; each was told up to the first day."""
    for count in range(number):
        tz = ZONES[count % len(ZONES)]
        at = TIMES[(count // len(ZONES)) % len(TIMES)]
        today = BEGINS.astimezone(ZoneInfo(tz)).date()
        midnight = datetime.combine(today, time(0), ZoneInfo(tz)).astimezone(UTC)
        last = today
        if due_moment(today, at, tz) > BEGINS:
            last -= timedelta(days=1)
            midnight = datetime.combine(last, time(0), ZoneInfo(tz)).astimezone(UTC)
        yield subscription(
            channel=Channel(Platform.SLACK, "T1", f"C{count}"),
            repos=(repos[count % len(repos)],),
            at=at,
            tz=tz,
            created_at=BEGINS - timedelta(days=40),
            last_delivered_date=last,
            last_delivered_end=midnight,
        )


def due_moment(day: date, at: time, tz: str) -> datetime:
    """Give when the clock on a wall first shows a time; minute by minute, as a person would see.

    A time that it jumps over is as much later as it jumps.
    """
    wanted, zone = datetime.combine(day, at), ZoneInfo(tz)
    moment = datetime.combine(day, time(0), zone).astimezone(UTC) - timedelta(hours=1)
    shown = moment.astimezone(zone).replace(tzinfo=None)
    for _ in range(60 * 30):
        moment += timedelta(minutes=1)
        before, shown = shown, moment.astimezone(zone).replace(tzinfo=None)
        if before < wanted < shown:
            wanted += shown - before - timedelta(minutes=1)
        if shown == wanted:
            return moment
    raise AssertionError("a day has no more minutes")


def expected(each: Subscription, until: datetime) -> dict[date, datetime]:
    """Give every slot of a channel up to a moment, by the clock on its wall."""
    assert each.last_delivered_date
    day, slots = each.last_delivered_date + timedelta(days=1), {}
    while (moment := due_moment(day, each.at, each.tz)) < until:
        slots[day] = moment
        day += timedelta(days=1)
    return slots


async def week(url: str, *, number: int, length: timedelta, replicas: int, seed: int) -> Week:
    """Let a week pass and give what happened in it.

    A PostgreSQL shows the simulated time; the machines of its processes show others.
    """
    database_time = "" if url.startswith("sqlite") else plain(url)
    if database_time:
        set_time(database_time, BEGINS)
    await upgrade(url)
    chance = random.Random(seed)
    clock = SetClock(BEGINS)
    platform = Transcript()
    platform.clock = clock
    told = Week(platform)
    repos = (KILN, *(Repo("example-org", f"kiln-{count}") for count in range(4)))
    wanted = list(channels(number, repos))
    async with open_store(url) as opened:
        store = ChannelStore(opened.database)
        stored = []
        for each in wanted:
            kept = await store.subscriptions.change(each.channel, lambda _, each=each: each)
            assert kept
            stored.append(kept)
        ends = BEGINS + length
        slots = {each.id: expected(each, ends + timedelta(hours=1)) for each in stored}
        skews = SKEWS if database_time else (timedelta(0),)
        alive = [
            Replica(f"first {count}", url, clock, platform, skew)
            for count, skew in zip(range(replicas), cycle(skews))
        ]
        for each in alive:
            await each.start()
        moments = sorted({moment for due in slots.values() for moment in due.values()})
        last_kill, names = BEGINS, replicas
        for moment in (each for each in moments if each < ends):
            clock.now = max(clock.now, moment) + POLL_INTERVAL * chance.random()
            if clock.now - last_kill >= KILLED_EVERY and not any(each.is_doomed for each in alive):
                victim = chance.choice(alive)
                victim.kill_within(chance.randint(1, MOST_STEPS))
                last_kill = clock.now
            for _ in range(20):
                told.ticks += 1
                told.looked_at = clock()
                if database_time:
                    set_time(database_time, clock())
                await _look(alive, chance)
                for dead in [each for each in alive if each.is_dead]:
                    told.kills += 1
                    alive.remove(dead)
                    await dead.close()
                    names += 1
                    alive.append(Replica(f"next {names}", url, clock, platform, dead.ahead))
                    await alive[-1].start()
                if not await store.deliveries.unfinished() and await _is_told(
                    store, slots, clock()
                ):
                    break
                clock.now += POLL_INTERVAL
            _end_idle(alive, clock.now - last_kill)
        for each in alive:
            await each.close()
        past = {
            id: {day: moment for day, moment in due.items() if moment <= told.looked_at}
            for id, due in slots.items()
        }
        await _judge(opened.database, stored, past, told)
    return told


def _end_idle(alive: Sequence[Replica], since: timedelta) -> None:
    """Kill whoever has had too little to do to come to its end: chance leaves nobody out."""
    for each in alive:
        each.is_dead |= each.is_doomed and since >= 4 * KILLED_EVERY


async def _look(alive: Sequence[Replica], chance: random.Random) -> None:
    order = chance.sample(list(alive), len(alive))
    await asyncio.gather(*(each.tick() for each in order))
    await asyncio.gather(*(each.settle() for each in order))


async def _is_told(
    store: ChannelStore, slots: dict[int | None, dict[date, datetime]], now: datetime
) -> bool:
    for each in await store.subscriptions.active():
        due = [day for day, moment in slots[each.id].items() if moment <= now]
        if due and (each.last_delivered_date is None or each.last_delivered_date < max(due)):
            return False
    return True


async def _judge(
    database: Any,
    stored: Sequence[Subscription],
    slots: dict[int | None, dict[date, datetime]],
    told: Week,
) -> None:
    """Compare what stands in every channel with what was to be told there."""
    rows = await database.read(all_rows(select(DELIVERIES)))
    states: dict[int, Counter[date]] = defaultdict(Counter)
    for row in rows:
        if row.state == DeliveryState.DELIVERED:
            states[row.subscription_id][row.local_date] += 1
    for each in stored:
        assert each.id
        due = slots[each.id]
        if states[each.id] != Counter(due.keys()):
            told.wrong.append(f"{each.channel} {each.tz} {each.at}: {states[each.id]} != {due}")
        said = told.platform.said.get(each.channel, [])
        nonces = Counter(message.nonce for message in said)
        twice = [nonce for nonce, count in nonces.items() if count > 1]
        parents = [message for message in said if message.parent is None]
        texts = Counter(message.text for message in parents)
        if twice or len(parents) != len(due) or max(texts.values(), default=1) > 1:
            told.wrong.append(f"{each.channel}: {len(parents)} threads for {len(due)} days")
            continue
        for (day, moment), parent in zip(sorted(due.items()), parents, strict=True):
            told.late[(each.id, day)] = parent.at - moment


def report(told: Week) -> str:
    """Say in one line what came of it."""
    late = sorted(told.late.values())
    return (
        f"{len(late)} slots told once, {len(told.wrong)} channels wrong, {told.kills} kills, "
        f"{told.ticks} looks; earliest {late[0].total_seconds():.0f} s, "
        f"latest {late[-1].total_seconds():.0f} s, half of them within "
        f"{late[len(late) // 2].total_seconds():.0f} s "
        f"(lease {LEASE.total_seconds():.0f} s, looks every {POLL_INTERVAL.total_seconds():.0f} s)"
    )


def main() -> int:
    """Run the week; the status is 1 where a slot is missing, doubled, too early or late."""
    parser = argparse.ArgumentParser(prog="replicas")
    parser.add_argument("--channels", type=int, default=300)
    parser.add_argument("--days", type=float, default=7)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    with serving() as server:
        length = timedelta(days=given.days)
        told = asyncio.run(
            week(
                new_database(server),
                number=given.channels,
                length=length,
                replicas=3,
                seed=given.seed,
            )
        )
    sys.stdout.write("\n".join([report(told), *told.wrong[:20], ""]))
    in_time = all(timedelta(0) <= late <= LEASE for late in told.late.values())
    return 0 if in_time and not told.wrong else 1


if __name__ == "__main__":
    raise SystemExit(main())
