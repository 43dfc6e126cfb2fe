"""A channel that has to wait lets others go on; what is in flight at the end is never repeated."""

import asyncio
import contextlib
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from bot.deliver import posting
from bot.model.channels import Channel
from bot.model.ports import Limited, OutcomeUnknown
from bot.model.posts import Post
from bot.store.store import ChannelStore
from digest.errors import StoreFailed
from digest.leases import LEASE
from tests.bot.bot_fixture import Bot, morning, open_bot
from tests.bot.platform_fake import CHANNEL, OTHER, Transcript, unknown
from tests.conftest import PATIENCE, SetClock


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

    bot.delivering._pause = pause
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
        bot.delivering._pause = pause
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
                setattr(part, name, self._failing(getattr(part, name)))

    def _failing(self, method):
        async def failing(*given, **named):
            FullDisk.left -= 1
            if 0 > FullDisk.left > -9:
                raise StoreFailed("the disk is full: make room")
            return await method(*given, **named)

        return failing


async def test_a_full_disk_at_any_step_loses_nothing_and_repeats_nothing(
    tmp_path, migrated_sqlite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for step in range(2, 26):
        clock, platform = SetClock(morning()), Transcript()
        url = f"sqlite:///{shutil.copyfile(migrated_sqlite, tmp_path / str(step))}"
        FullDisk.left = 10_000
        async with open_bot(url, clock, platform, store=FullDisk) as bot:
            await bot.subscribe()
            await bot.subscribe(OTHER)
            FullDisk.left = step
            for _ in range(16):
                with contextlib.suppress(StoreFailed):
                    await bot.chat.deliver_due(clock())
                clock.advance(minutes=10)
            assert FullDisk.left < -9
            assert await bot.store.deliveries.unfinished() == {}
        for channel in (CHANNEL, OTHER):
            texts = platform.texts(channel)
            assert len(texts) == len(set(texts)) > 1, step
    assert "Traceback" not in capsys.readouterr().out
