"""A process that ends or dies at any step loses no message and repeats none."""

import asyncio
import contextlib
import shutil
from collections.abc import Callable
from dataclasses import replace
from itertools import count, pairwise
from pathlib import Path
from typing import ClassVar

import pytest

from bot.deliver import delivery, posting
from bot.model.channels import Channel
from bot.model.ports import Limited, MayNotLook, OutcomeUnknown
from bot.model.posts import Post
from bot.store.store import ChannelStore
from digest.errors import StoreFailed
from digest.leases import LEASE, RENEWED_FOR
from digest.models import Activity, Repo, Window
from tests.bot.bot_fixture import Bot, morning, open_bot
from tests.bot.platform_fake import (
    CHANNEL,
    KILN,
    LOOM,
    OTHER,
    Forge,
    Killed,
    Transcript,
    at,
    unknown,
)
from tests.conftest import PATIENCE, SetClock, eventually
from tests.phrases import english


async def test_one_that_takes_over_waits_until_the_lease_is_over(
    database_url: str, clock: SetClock
) -> None:
    platform = Transcript()
    platform.step = _kill_at(platform, 3)
    async with open_bot(database_url, clock, platform, owner="first") as bot:
        await bot.subscribe()
        await bot.chat.deliver_due(clock())
    begun = platform.texts()
    platform.step = lambda name: None
    async with open_bot(database_url, clock, platform, owner="second") as bot:
        await bot.chat.deliver_due(clock())
        assert platform.texts() == begun
        clock.advance(seconds=LEASE.total_seconds() + 1)
        await bot.chat.deliver_due(clock())

    assert len(platform.texts()) > len(begun)


def _kill_at(platform: Transcript, number: int) -> Callable[[str], None]:
    steps = count(1)

    def step(name: str) -> None:
        if next(steps) == number:
            raise Killed

    return step


async def test_four_processes_tell_every_channel_once(sqlite_url: str, clock: SetClock) -> None:
    platform = Transcript()
    async with open_bot(sqlite_url, clock, platform, owner="first") as first:
        for number in range(6):
            await first.subscribe(replace(CHANNEL, id=f"C{number}"))
        async with (
            open_bot(sqlite_url, clock, platform, owner="second") as second,
            open_bot(sqlite_url, clock, platform, owner="third") as third,
            open_bot(sqlite_url, clock, platform, owner="fourth") as fourth,
        ):
            bots = [first, second, third, fourth]
            for each in bots:
                await each.delivering.start_due(clock())
            for each in bots:
                await each.delivering.settle()

    assert len(platform.said) == 6
    for channel in platform.said:
        texts = platform.texts(channel)
        assert len(texts) == len(set(texts)) > 1


async def test_a_process_that_looked_before_another_began_does_not_tell_its_days_again(
    database_url: str, clock: SetClock
) -> None:
    platform, gate, looking = Transcript(), asyncio.Event(), asyncio.Event()

    class Slow(Forge):
        async def collect(self, repo: Repo, window: Window) -> Activity:
            looking.set()
            await gate.wait()
            return await super().collect(repo, window)

    async with (
        open_bot(database_url, clock, platform, owner="first", forge=Slow(clock)) as first,
        open_bot(database_url, clock, platform, owner="second") as second,
    ):
        await first.subscribe()
        await first.delivering.start_due(clock())
        await looking.wait()
        clock.now = morning(13)
        gate.set()
        await asyncio.gather(second.chat.deliver_due(clock()), first.delivering.settle())
        await second.chat.deliver_due(clock())

        assert (await first.subscription()).last_delivered_end == at(13)
    parents = [each.text for each in platform.said[CHANNEL] if each.parent is None]
    assert [text.partition(":")[0] for text in parents] in (
        ["kiln · Tue 10 Feb – Wed 11 Feb", "kiln · Thu 12 Feb"],
        ["kiln · Tue 10 Feb – Thu 12 Feb"],
    )


async def test_a_process_that_stops_lets_another_go_on_at_once(
    sqlite_url: str, clock: SetClock
) -> None:
    platform = Transcript()
    async with open_bot(sqlite_url, clock, platform, owner="first") as bot:
        await bot.subscribe()
        await bot.delivering.start_due(clock())
        await bot.chat.stop()
    async with open_bot(sqlite_url, clock, platform, owner="second") as bot:
        await bot.chat.deliver_due(clock())

    texts = platform.texts()
    assert len(texts) == len(set(texts)) > 1


class Steps:
    """Counts everything that changes something, and ends the process at one of the steps."""

    def __init__(self, kill_at: int | None) -> None:
        self.kill_at = kill_at
        self.names: list[str] = []

    def __call__(self, name: str) -> None:
        self.names.append(name)
        if len(self.names) == self.kill_at:
            raise Killed


def _counted(steps: Steps) -> type[ChannelStore]:
    """Give a store that counts before and after each of its changes."""

    class Counted(ChannelStore):
        def __init__(self, database) -> None:
            super().__init__(database)
            for part, names in (
                (self.deliveries, ("claim", "plan", "advance", "finish", "supersede")),
                (self.subscriptions, ("change",)),
            ):
                for name in names:
                    setattr(part, name, _stepped(steps, name, getattr(part, name)))

    return Counted


def _stepped(steps: Steps, name: str, method):
    async def stepped(*given, **named):
        steps(f"before {name}")
        done = await method(*given, **named)
        steps(f"after {name}")
        return done

    return stepped


async def _delivered(file: Path, clock: SetClock, kill_at: int | None) -> tuple[Transcript, Steps]:
    """Deliver a morning of two repositories in a process that is killed, then in another one."""
    platform = Transcript()
    steps = Steps(kill_at)
    forge = Forge(clock, 1)
    url = f"sqlite:///{file}"
    platform.step = steps
    async with open_bot(url, clock, platform, forge=forge, store=_counted(steps)) as bot:
        await bot.chat.deliver_due(clock())
    platform.step = lambda name: None
    clock.advance(seconds=LEASE.total_seconds() + 1)
    async with open_bot(url, clock, platform, forge=forge, owner="next") as bot:
        await bot.chat.deliver_due(clock())
        assert (await bot.subscription()).last_delivered_date == morning().date()
        assert await bot.store.deliveries.unfinished() == {}
    return platform, steps


async def test_killed_between_any_two_steps_no_message_is_lost_and_none_comes_twice(
    tmp_path: Path, clock: SetClock
) -> None:
    prepared, used = tmp_path / "prepared", tmp_path / "used"
    async with open_bot(f"sqlite:///{prepared}", clock, Transcript()) as bot:
        await bot.subscribe(repos=(KILN, LOOM))
    shutil.copy(prepared, used)
    whole, steps = await _delivered(used, SetClock(clock()), None)
    wanted = [(each.text, each.parent) for each in whole.said[CHANNEL]]
    assert {"send", "sent", "after plan", "before advance", "edit"} <= set(steps.names)

    # One step after another of the same two kinds is told apart by nothing.
    kinds = list(zip(steps.names, [*steps.names[1:], "end"], strict=True))
    for kill_at in sorted({kinds.index(kind) + 1 for kind in kinds}):
        shutil.copy(prepared, used)
        platform, killed = await _delivered(used, SetClock(clock()), kill_at)

        told = [(each.text, each.parent) for each in platform.said[CHANNEL]]
        assert told == wanted, f"killed at {killed.names[-1]}, step {kill_at}"
        assert platform.said[CHANNEL][0].payload == whole.said[CHANNEL][0].payload


async def test_a_delivery_that_takes_long_shows_signs_of_life(
    bot: Bot, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery, "HEARTBEAT", 0.01)
    await bot.subscribe()
    slow, asked, send = asyncio.Event(), asyncio.Event(), bot.platform.send

    async def slowly(channel: Channel, payload: str, *, parent: str | None, nonce: str) -> str:
        asked.set()
        await slow.wait()
        return await send(channel, payload, parent=parent, nonce=nonce)

    bot.platform.send = slowly  # type: ignore[method-assign]  # this platform is slow
    await bot.delivering.start_due(clock())
    await asked.wait()

    async def is_renewed() -> bool:
        (held,) = (await bot.store.deliveries.unfinished()).values()
        return bool(held.lease_until and held.lease_until >= clock() + RENEWED_FOR)

    for _ in range(5):
        clock.advance(seconds=RENEWED_FOR.total_seconds() - 1)
        await eventually(is_renewed)
    slow.set()
    await bot.delivering.settle()

    assert bot.platform.texts()


async def test_a_message_whose_fate_cannot_be_looked_up_is_not_sent_again(
    sqlite_url: str, clock: SetClock
) -> None:
    platform = Transcript()
    async with open_bot(sqlite_url, clock, platform) as bot:
        await bot.subscribe()
        platform.faults = [unknown(done=True), ("find", MayNotLook("no scope"), False)]
        await bot.chat.deliver_due(clock())
        assert (await bot.subscription()).last_delivered_date == morning().date()
        assert english((await bot.subscription()).paused) == ""

    texts = platform.texts()
    assert len(texts) == len(set(texts)) > 1


@pytest.fixture
async def bot(sqlite_url: str, clock: SetClock):
    async with open_bot(sqlite_url, clock, Transcript()) as opened:
        yield opened


async def test_one_channel_that_is_limited_holds_up_no_other(bot: Bot, clock: SetClock) -> None:
    for number in range(4):
        await bot.subscribe(replace(CHANNEL, id=f"C{number}"))
    waits = asyncio.Event()
    bot.platform.faults = [("send", Limited("too fast", 60.0), False)]

    async def pause(seconds: float) -> None:
        await waits.wait()

    bot.delivering.pause = pause
    await bot.delivering.start_due(clock())
    async with asyncio.timeout(PATIENCE):
        while len(bot.platform.said) < 3:
            await asyncio.sleep(0.01)
    told = set(bot.platform.said)
    waits.set()
    await bot.delivering.settle()

    assert len(told) == 3
    assert len(bot.platform.said) == 4
    for channel in bot.platform.said:
        texts = bot.platform.texts(channel)
        assert len(texts) == len(set(texts)) > 1


async def test_a_limit_that_does_not_end_leaves_the_thread_for_later(
    bot: Bot, clock: SetClock
) -> None:
    await bot.subscribe()
    bot.platform.faults = [("send", Limited("too fast", 2.0), False)] * 6

    await bot.chat.deliver_due(clock())
    assert bot.platform.texts() == []
    clock.advance(seconds=3)
    await bot.chat.deliver_due(clock())

    assert bot.platform.texts()
    assert (await bot.subscription()).failing_since is None


async def test_a_message_that_may_still_arrive_is_left_until_the_lease_is_over(
    sqlite_url: str, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(posting, "SECONDS_TO_FINISH", 0.05)
    monkeypatch.setattr(posting.uncut, "__defaults__", (0.05,))
    platform = Transcript()
    asked, arrives = asyncio.Event(), asyncio.Event()
    send = platform.send

    async def slowly(channel: Channel, payload: str, *, parent: str | None, nonce: str) -> str:
        async def arrive() -> None:
            await arrives.wait()
            await send(channel, payload, parent=parent, nonce=nonce)

        asked.set()
        slowly.task = asyncio.create_task(arrive())  # type: ignore[attr-defined]  # held here
        await asyncio.Event().wait()
        raise AssertionError

    platform.send = slowly  # type: ignore[method-assign]  # it hangs, and posts after all
    async with open_bot(sqlite_url, clock, platform) as bot:
        await bot.subscribe()
        await bot.delivering.start_due(clock())
        await asked.wait()
        await bot.chat.stop()
    platform.send = send  # type: ignore[method-assign]
    async with open_bot(sqlite_url, clock, platform, owner="next") as bot:
        await bot.chat.deliver_due(clock())
        assert platform.texts() == []
        arrives.set()
        await slowly.task  # type: ignore[attr-defined]
        clock.advance(seconds=LEASE.total_seconds() + 1)
        await bot.chat.deliver_due(clock())

    texts = platform.texts()
    assert len(texts) == len(set(texts)) > 1


async def test_a_message_whose_answer_was_lost_just_before_the_end_is_left_until_then_too(
    sqlite_url: str, clock: SetClock
) -> None:
    waiting = asyncio.Event()

    async def pause(seconds: float) -> None:
        waiting.set()
        await asyncio.Event().wait()

    async with open_bot(sqlite_url, clock, Transcript(faults=[unknown(done=False)])) as bot:
        await bot.subscribe()
        bot.delivering.pause = pause
        await bot.delivering.start_due(clock())
        await waiting.wait()
        await bot.chat.stop()
        (left,) = (await bot.store.deliveries.unfinished()).values()

    assert left.owner
    assert left.lease_until > clock()


async def test_an_answer_that_is_lost_while_the_process_ends_is_noted_as_lost() -> None:
    noted: list[str] = []
    asked, breaks = asyncio.Event(), asyncio.Event()

    async def break_off() -> Post:
        asked.set()
        await breaks.wait()
        raise OutcomeUnknown("no answer came")

    posting_it = posting.uncut(break_off(), 60.0, lost=lambda: noted.append("lost"))
    sending = asyncio.create_task(posting_it)
    await asked.wait()
    sending.cancel()
    await asyncio.sleep(0)
    breaks.set()
    with pytest.raises(asyncio.CancelledError):
        await sending

    assert noted == ["lost"]


async def test_a_message_is_noted_as_unanswered_however_often_it_is_called_off() -> None:
    noted: list[str] = []
    asked = asyncio.Event()

    async def hang() -> Post:
        asked.set()
        await asyncio.Event().wait()
        raise AssertionError

    sending = asyncio.create_task(posting.uncut(hang(), 60.0, lost=lambda: noted.append("lost")))
    await asked.wait()
    sending.cancel()
    await asyncio.sleep(0.01)
    sending.cancel()
    with pytest.raises(asyncio.CancelledError):
        await sending

    assert noted == ["lost"]


class FullDisk(ChannelStore):
    """A store whose disk is full at some step, for a while."""

    left = 0
    begun: ClassVar[list[str]] = []
    """What was changed so far, by name."""

    def __init__(self, database) -> None:
        super().__init__(database)
        for part, names in (
            (
                self.deliveries,
                ("claim", "plan", "advance", "finish", "supersede", "wait", "release"),
            ),
            (self.subscriptions, ("change",)),
            (self.timestamps, ("decide",)),
            (self.sources, ("change",)),
        ):
            for name in names:
                setattr(part, name, self._failing(name, getattr(part, name)))

    def _failing(self, name: str, method):
        async def failing(*given, **named):
            FullDisk.begun.append(name)
            FullDisk.left -= 1
            if 0 > FullDisk.left > -9:
                raise StoreFailed("the disk is full: make room")
            return await method(*given, **named)

        return failing


async def _told_with_a_disk_full_from(step: int, file: Path) -> list[str]:
    """Tell a morning to two channels; return what the store was asked to change."""
    clock, platform = SetClock(morning()), Transcript()
    FullDisk.left = 10_000
    async with open_bot(f"sqlite:///{file}", clock, platform, store=FullDisk) as bot:
        await bot.subscribe()
        await bot.subscribe(OTHER)
        FullDisk.left, FullDisk.begun = step, []
        for _ in range(16):
            with contextlib.suppress(StoreFailed):
                await bot.chat.deliver_due(clock())
            clock.advance(minutes=10)
        assert FullDisk.left < -9 or step > 1_000
        assert await bot.store.deliveries.unfinished() == {}
    for channel in (CHANNEL, OTHER):
        texts = platform.texts(channel)
        assert len(texts) == len(set(texts)) > 1, step
    return FullDisk.begun


async def test_a_full_disk_at_any_step_loses_nothing_and_repeats_nothing(
    tmp_path: Path, migrated_sqlite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def empty(step: int) -> Path:
        return shutil.copyfile(migrated_sqlite, tmp_path / str(step))

    names = await _told_with_a_disk_full_from(10_000, empty(0))
    # One step after another of the same two kinds is told apart by nothing.
    kinds = list(pairwise(names[:26]))
    for step in sorted({kinds.index(kind) + 2 for kind in kinds}):
        await _told_with_a_disk_full_from(step, empty(step))
    assert "Traceback" not in capsys.readouterr().out
