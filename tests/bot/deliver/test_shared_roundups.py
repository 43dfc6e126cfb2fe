"""One digest for all who ask: in one process, in several zones, beside other processes."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from datetime import date, datetime
from functools import partial
from typing import TypeAlias

import pytest

from bot.deliver.shared_roundups import (
    FAILED_FOR,
    KEPT_FOR,
    MOST_LOOKS,
    SharedRoundups,
)
from bot.model.following import Following
from bot.model.followups import FollowUp, Reaction, ReactionKind, react
from bot.store.followups import OpenFollowUps
from digest.edited import ModelOutcome
from digest.editing.calls import Wait, waiting_once
from digest.editing.editor import Editor
from digest.models import Digest, Repo, Roundup, Window
from digest.pipeline import Pipeline
from digest.store.store import open_store
from digest.upstream import Standing
from digest.windows import day
from tests.bot.bot_fixture import open_bot
from tests.bot.channels_invented import told
from tests.bot.platform_fake import ADA, CHANNEL, KILN, LOOM, OTHER, Forge, Transcript, at
from tests.conftest import PATIENCE, SetClock
from tests.digest.test_pipeline import Silent
from tests.digest.turbine_source import SIDE, TURBINE, Turbine, pull
from tests.digest.turbine_source import day as day_of
from tests.digest.writing import invented

MakesShared: TypeAlias = Callable[[float], SharedRoundups]


class Counting:
    """Makes roundups, slowly, and counts them."""

    def __init__(self) -> None:
        self.asked: list[tuple[tuple[Repo, ...], Window]] = []
        self.goes_on = asyncio.Event()
        self.goes_on.set()
        self.failed: tuple[tuple[Repo, str], ...] = ()
        self.error: Exception | None = None
        self.most, self._now = 0, 0

    async def roundup(self, repos: Sequence[Repo], window: Window) -> Roundup:
        self.asked.append((tuple(repos), window))
        self._now += 1
        self.most = max(self.most, self._now)
        await self.goes_on.wait()
        await asyncio.sleep(0)
        self._now -= 1
        if self.error:
            raise self.error
        return Roundup(window, tuple(self._digest(repo, window) for repo in repos), self.failed)

    def _digest(self, repo: Repo, window: Window) -> Digest:
        return told(invented.reading(()), repo, window)


class Held:
    """What other processes hold; everything is free again after a number of looks."""

    def __init__(self, looks: int = 0) -> None:
        self.looks = looks
        self.taken: list[str] = []
        self.released: list[str] = []

    async def take(self, name: str, owner: str, now: datetime, until: datetime) -> bool:
        self.looks -= 1
        if self.looks >= 0:
            return False
        self.taken.append(name)
        return True

    async def release(self, name: str, owner: str) -> None:
        self.released.append(name)


async def _now(seconds: float) -> None:
    await asyncio.sleep(0)


def gathering(source: Counting, clock: SetClock, leases: Held | None = None) -> SharedRoundups:
    return SharedRoundups(source, leases or Held(), clock=clock, owner="me", pause=_now)


async def test_many_who_ask_at_once_are_served_by_one(clock: SetClock) -> None:
    source = Counting()
    one = gathering(source, clock)
    window = day(date(2026, 2, 11), "UTC")

    found = await asyncio.gather(*(one.roundup([KILN], window) for _ in range(1_000)))

    assert len(source.asked) == 1
    assert all(each.digests for each in found)


async def test_zones_with_the_same_midnights_share_a_digest_and_keep_their_names(
    clock: SetClock,
) -> None:
    source = Counting()
    one = gathering(source, clock)
    zones = ("Europe/Berlin", "Europe/Paris", "Africa/Lagos")

    found = [await one.roundup([KILN], day(date(2026, 2, 11), zone)) for zone in zones]

    assert len(source.asked) == 1
    assert [each.window.tz for each in found] == list(zones)
    assert [each.digests[0].reading.window.tz for each in found] == list(zones)


async def test_what_was_computed_is_told_for_a_while_and_then_anew(clock: SetClock) -> None:
    source = Counting()
    one = gathering(source, clock)
    window = day(date(2026, 2, 11), "UTC")

    for _ in range(3):
        await one.roundup([KILN], window)
    clock.advance(seconds=KEPT_FOR.total_seconds())
    await one.roundup([KILN], window)
    clock.advance(days=-10)
    await one.roundup([KILN], window)

    assert len(source.asked) == 3


async def test_what_could_not_be_looked_at_is_asked_again_a_moment_later(clock: SetClock) -> None:
    source = Counting()
    source.failed = ((LOOM, "hangs"),)
    one = gathering(source, clock)
    window = day(date(2026, 2, 11), "UTC")

    assert (await one.roundup([KILN], window)).failed
    assert (await one.roundup([KILN], window)).failed
    clock.advance(seconds=FAILED_FOR.total_seconds())
    await one.roundup([KILN], window)

    assert len(source.asked) == 2


async def test_who_is_called_off_stops_nobody_else(clock: SetClock) -> None:
    source = Counting()
    source.goes_on.clear()
    one = gathering(source, clock)
    window = day(date(2026, 2, 11), "UTC")
    first = asyncio.create_task(one.roundup([KILN], window))
    second = asyncio.create_task(one.roundup([KILN], window))
    await asyncio.sleep(0.01)

    first.cancel()
    source.goes_on.set()

    assert (await second).digests
    assert len(source.asked) == 1


async def test_a_process_that_ends_lets_go_of_what_it_looks_at(clock: SetClock) -> None:
    source, leases = Counting(), Held()
    source.goes_on.clear()
    one = gathering(source, clock, leases)
    asking = asyncio.create_task(one.roundup([KILN], day(date(2026, 2, 11), "UTC")))
    async with asyncio.timeout(PATIENCE):
        while not source.asked:
            await asyncio.sleep(0.001)

    await one.stop()

    assert leases.released == leases.taken != []
    with pytest.raises(asyncio.CancelledError):
        await asking


async def test_another_process_is_waited_for_but_not_for_ever(clock: SetClock) -> None:
    source, window = Counting(), day(date(2026, 2, 11), "UTC")
    soon, never = Held(looks=5), Held(looks=10**9)

    await gathering(source, clock, soon).roundup([LOOM, KILN], window)
    await gathering(source, clock, never).roundup([KILN], window)

    assert soon.taken == ["digest example-org/kiln", "digest example-org/loom"]
    assert sorted(soon.released) == soon.taken
    assert never.looks == 10**9 - MOST_LOOKS
    assert never.released == []
    assert len(source.asked) == 2


@pytest.fixture
async def edited(sqlite_url: str, clock: SetClock) -> AsyncIterator[tuple[Silent, MakesShared]]:
    """Give a model, and what makes roundups of real digests that wait so long for it."""
    model, turbine = Silent(), Turbine(clock)
    turbine.items = [
        pull(number, at(on, 3), repo=repo)
        for repo in (TURBINE, SIDE)
        for number, on in ((1, 10), (2, 10), (3, 11), (4, 11))
    ]
    async with open_store(sqlite_url) as store:

        def make(seconds: float) -> SharedRoundups:
            editor = Editor(model, seconds=seconds)
            pipeline = Pipeline(
                turbine,
                source_name="recorded",
                store=store,
                clock=clock,
                progress=lambda line: None,
                editing=editor,
            )
            return SharedRoundups(pipeline, Held(), clock=clock, owner="me")

        yield model, make


@pytest.mark.parametrize("at_once", [True, False])
async def test_a_channel_that_has_waited_long_enough_takes_no_other_its_time_for_the_model(
    edited: tuple[Silent, MakesShared], at_once: bool
) -> None:
    model, make = edited
    model.let_go.set()  # it fails at once
    one = make(60.0)

    async def impatient() -> Roundup:
        with waiting_once() as patience:
            now = asyncio.get_running_loop().time()
            patience.add(Wait(now - 60.0, now))
            return await one.roundup([TURBINE], day_of(11))

    if at_once:
        first, second = await asyncio.gather(impatient(), one.roundup([TURBINE], day_of(11)))
    else:
        first, second = await impatient(), await one.roundup([TURBINE], day_of(11))

    assert [each.digests[0].model.outcome for each in (first, second)] == [  # type: ignore[union-attr]  # there is one
        ModelOutcome.LATE,
        ModelOutcome.FAILED,
    ]


async def test_a_roundup_that_found_no_time_for_the_model_is_not_kept(
    edited: tuple[Silent, MakesShared],
) -> None:
    model, make = edited
    one = make(0.3)

    late = await one.roundup([TURBINE, SIDE], day_of(11))
    assert late.model
    assert late.model.found_no_time
    again = await one.roundup([TURBINE, SIDE], day_of(11))

    assert again.model
    assert again.model.asked
    asked = sorted(each.task for each in model.asked)
    assert asked == ["lead", "pick", "pick", "stories", "stories"]


async def test_who_waited_for_another_channels_roundup_has_waited_for_its_model(
    edited: tuple[Silent, MakesShared],
) -> None:
    model, make = edited
    one = make(0.3)

    async def both_days() -> None:
        with waiting_once():
            await one.roundup([TURBINE, SIDE], day_of(11))
            await one.roundup([TURBINE, SIDE], day_of(10))

    await asyncio.gather(one.roundup([TURBINE, SIDE], day_of(11)), both_days())

    asked = sorted(each.task for each in model.asked)
    assert asked == ["pick", "pick", "stories", "stories"]


async def test_what_one_channel_knows_of_what_it_flagged_is_told_in_no_other(
    sqlite_url: str, clock: SetClock
) -> None:
    key = f"{KILN}:pull_request:1"
    async with open_bot(sqlite_url, clock, Transcript(), forge=Forge(clock, 0)) as bot:
        for channel, is_gone in ((CHANNEL, True), (OTHER, False)):
            await bot.subscribe(channel, repos=(KILN, LOOM))
            blank = FollowUp(None, channel, key, "Mend it", "#1", "https://x.example/1")
            flag = Reaction(ReactionKind.FLAG, ADA, True, (key,), at(11))
            flagged = react(None, flag, blank=blank).followup
            assert flagged
            following = Following(Standing(None, is_repo_gone=is_gone))
            flagged = replace(flagged, following=following)
            await bot.store.followups.change(channel, partial(_save, flagged))
        await bot.chat.deliver_due(clock())

    told = ["Mend it" in bot.platform.said[channel][0].payload for channel in (CHANNEL, OTHER)]
    assert told == [False, True]


def _save(followup: FollowUp, ledger: OpenFollowUps) -> None:
    ledger.save(followup, at(28))


async def test_channels_with_the_same_wishes_are_planned_and_drawn_once(
    sqlite_url: str, clock: SetClock
) -> None:
    platform = Transcript()
    drawn: list[int] = []
    render = platform.render

    def counted(thread):
        drawn.append(1)
        return render(thread)

    platform.render = counted  # type: ignore[method-assign]  # it counts
    async with open_bot(sqlite_url, clock, platform) as bot:
        for number in range(20):
            await bot.subscribe(replace(CHANNEL, id=f"C{number}"))
        await bot.subscribe(OTHER, without=frozenset({"docs"}))
        await bot.chat.deliver_due(clock())

    assert len(platform.said) == 21
    assert len(drawn) == 2
    assert len(bot.forge.asked) == 1
