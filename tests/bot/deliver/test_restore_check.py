"""A database that was set back posts nothing a second time without a word."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from bot.deliver.restore_check import ALIVE, AWAY, SUSPECTED, Suspicion, counted_as_delivered, seen
from bot.model.ports import Limited, MayNotLook, OwnMessage, PlatformDown
from bot.store.store import ChannelStore
from digest.store.database import Database, upgrade
from tests.bot.bot_fixture import morning, open_bot, subscription
from tests.bot.platform_fake import CHANNEL, Killed, Transcript, at, unknown
from tests.conftest import SetClock
from tests.phrases import english


def test_a_restart_is_no_doubt_and_a_long_silence_is() -> None:
    last = {ALIVE: at(12, 9)}

    assert seen({}, at(12, 9)) == ({ALIVE: at(12, 9)}, Suspicion(None))
    assert seen(last, at(12, 9) + AWAY)[1] == Suspicion(None)
    assert seen(last, at(12, 10)) == (
        {ALIVE: at(12, 10), SUSPECTED: at(12, 10)},
        Suspicion(at(12, 10)),
    )


def test_the_doubt_stays_for_every_process_that_comes_later() -> None:
    known, _ = seen({ALIVE: at(12, 9)}, at(12, 10))

    assert seen(known, at(12, 10, 1))[1] == Suspicion(at(12, 10))


def test_each_channel_with_something_due_is_compared_once_and_a_new_one_never() -> None:
    suspicion = Suspicion(at(12, 10))
    stored = subscription(id=1)
    told = subscription(id=1, last_delivered_end=at(12), last_delivered_date=at(12).date())

    assert suspicion.is_about(stored, None)
    assert not suspicion.is_about(replace(stored, checked_at=at(12, 10)), None)
    assert not suspicion.is_about(replace(stored, created_at=at(12, 11)), None)
    assert not Suspicion(None).is_about(stored, None)
    assert not suspicion.is_about(told, None)


def test_what_was_due_at_the_newest_message_counts_as_told() -> None:
    stored = subscription(id=1, last_delivered_end=at(9), last_delivered_date=at(9).date())

    after = counted_as_delivered(stored, OwnMessage("1.0", at(11, 9, 1)), at(11, 12))
    before_nine = counted_as_delivered(stored, OwnMessage("1.0", at(11, 8)), at(11, 12))

    assert after.last_delivered_date == at(11).date()
    assert after.last_delivered_end == at(11)
    assert before_nine.last_delivered_date == at(10).date()


def test_a_platform_whose_clock_is_ahead_makes_nothing_told_that_is_not_due() -> None:
    stored = subscription(id=1, last_delivered_end=at(9), last_delivered_date=at(9).date())

    after = counted_as_delivered(stored, OwnMessage("1.0", at(20, 9, 1)), at(11, 12))

    assert after.last_delivered_date == at(11).date()


@pytest.fixture
def clock() -> SetClock:
    return SetClock(morning(9))


async def told_until(file: Path, clock: SetClock, platform: Transcript, *days: int) -> None:
    platform.clock = clock
    async with open_bot(f"sqlite:///{file}", clock, platform) as bot:
        for day in days:
            clock.now = morning(day)
            await bot.chat.deliver_due(clock())


async def set_back(tmp_path: Path, clock: SetClock, platform: Transcript) -> Path:
    """Give a database of the 9th, while the channel has been told on the 10th and 11th too."""
    file, copy = tmp_path / "infra.sqlite3", tmp_path / "copy.sqlite3"
    await upgrade(f"sqlite:///{file}")
    async with open_bot(f"sqlite:///{file}", clock, platform) as bot:
        await bot.subscribe(created_at=at(8))
    await told_until(file, clock, platform, 9)
    shutil.copy(file, copy)
    await told_until(file, clock, platform, 10, 11)
    return copy


def parents(platform: Transcript) -> list[str]:
    return [each.text for each in platform.said[CHANNEL] if each.parent is None]


async def test_a_database_of_the_day_before_yesterday_posts_nothing_twice_and_says_so(
    tmp_path: Path, clock: SetClock
) -> None:
    platform = Transcript()
    copy = await set_back(tmp_path, clock, platform)
    before = list(platform.texts())

    async with open_bot(f"sqlite:///{copy}", clock, platform) as bot:
        clock.advance(hours=1)
        await bot.chat.deliver_due(clock())
        assert platform.texts() == before
        ((_, said),) = platform.told
        assert "does not know" in said
        clock.now = morning(12)
        await bot.chat.deliver_due(clock())

    assert len(parents(platform)) == 4
    assert "Wed 11 Feb" in parents(platform)[-1]
    assert len(platform.told) == 1


async def test_a_platform_that_fails_is_asked_for_comparing_after_growing_pauses(
    tmp_path: Path, clock: SetClock
) -> None:
    platform = Transcript()
    copy = f"sqlite:///{await set_back(tmp_path, clock, platform)}"
    before = list(platform.texts())
    many = 1_000
    platform.faults = [("newest_own", PlatformDown("down"), False)] * many

    async with open_bot(copy, clock, platform) as bot:
        clock.advance(hours=1)
        for _ in range(4 * 60):
            await bot.chat.deliver_due(clock())
            clock.advance(seconds=15)
        assert many - len(platform.faults) == 5
        platform.faults = []
        clock.advance(hours=1)
        await bot.chat.deliver_due(clock())

    assert platform.texts() == before
    assert len(platform.told) == 1


async def test_a_second_process_compares_too_however_soon_it_follows(
    tmp_path: Path, clock: SetClock
) -> None:
    platform = Transcript()
    copy = f"sqlite:///{await set_back(tmp_path, clock, platform)}"
    before = list(platform.texts())
    platform.faults = [("newest_own", PlatformDown("down"), False)]

    async with open_bot(copy, clock, platform) as first, open_bot(copy, clock, platform) as second:
        clock.advance(hours=1)
        await first.chat.deliver_due(clock())
        assert (await first.subscription()).checked_at is None
        await first.chat.deliver_due(clock())  # it waits before it asks once more
        await second.chat.deliver_due(clock())

    assert platform.texts() == before
    assert len(platform.told) == 1


async def test_a_host_that_only_slept_tells_its_days_without_a_word_of_doubt(
    tmp_path: Path, clock: SetClock
) -> None:
    platform = Transcript()
    platform.clock = clock
    file = tmp_path / "infra.sqlite3"
    async with open_bot(f"sqlite:///{file}", clock, platform) as bot:
        await bot.subscribe(created_at=at(8))
    await told_until(file, clock, platform, 9)

    await told_until(file, clock, platform, 12)

    assert len(parents(platform)) == 2
    assert "Mon 9 Feb – Wed 11 Feb" in parents(platform)[-1]
    assert platform.told == []


async def test_a_thread_that_the_copy_only_planned_is_looked_for_message_by_message(
    tmp_path: Path, clock: SetClock
) -> None:
    platform, file = Transcript(), tmp_path / "infra.sqlite3"
    platform.clock = clock
    copy = tmp_path / "copy.sqlite3"
    url = f"sqlite:///{file}"
    async with open_bot(url, clock, platform) as bot:
        await bot.subscribe(created_at=at(8))

    def kill(name: str) -> None:
        if name == "send":
            raise Killed

    platform.step = kill
    async with open_bot(url, clock, platform) as bot:
        await bot.chat.deliver_due(clock())
    shutil.copy(file, copy)
    platform.step = lambda name: None
    clock.advance(minutes=2)
    async with open_bot(url, clock, platform, owner="next") as bot:
        await bot.chat.deliver_due(clock())
    whole = list(platform.texts())
    assert len(whole) > 1

    clock.advance(hours=2)
    async with open_bot(f"sqlite:///{copy}", clock, platform, owner="later") as bot:
        await bot.chat.deliver_due(clock())
        assert await bot.store.deliveries.unfinished() == {}
        assert (await bot.subscription()).last_delivered_date == morning(9).date()

    assert platform.texts() == whole


async def test_where_the_bot_may_not_read_it_goes_on_and_the_log_says_so(
    tmp_path: Path, clock: SetClock, capsys: pytest.CaptureFixture[str]
) -> None:
    platform = Transcript()
    copy = await set_back(tmp_path, clock, platform)
    platform.faults = [("newest_own", MayNotLook("no scope"), False)]

    async with open_bot(f"sqlite:///{copy}", clock, platform) as bot:
        clock.advance(hours=1)
        await bot.chat.deliver_due(clock())

    assert "not compared" in capsys.readouterr().out
    assert len(parents(platform)) == 4


async def test_a_platform_that_asks_for_longer_than_any_pause_is_not_asked_at_every_look(
    tmp_path: Path, clock: SetClock
) -> None:
    platform = Transcript()
    copy = f"sqlite:///{await set_back(tmp_path, clock, platform)}"
    many = 100
    platform.faults = [("newest_own", Limited("too much", 7_200.0), False)] * many

    async with open_bot(copy, clock, platform) as bot:
        clock.advance(hours=1)
        for _ in range(8):
            await bot.chat.deliver_due(clock())
            clock.advance(seconds=15)

    assert many - len(platform.faults) == 1


async def test_moments_are_kept_for_all_and_old_ones_forgotten(database_url: str) -> None:
    async with Database(database_url) as database:
        moments = ChannelStore(database).timestamps
        for number in (1, 2):
            await moments.decide(
                ("one", "two"), lambda known, number=number: ({"one": at(number)}, None)
            )
        assert await moments.of("one") == at(2)
        await moments.forget_old(at(2))
        assert await moments.of("one") == at(2)
        await moments.forget_old(at(2).replace(year=2028))
        assert await moments.of("one") is None


async def test_moments_of_every_person_and_thread_are_not_kept_for_a_year(
    database_url: str,
) -> None:
    names = ("asked slack:T1/U1", "asked U2", "last look")
    async with Database(database_url) as database:
        moments = ChannelStore(database).timestamps
        await moments.decide(names, lambda known: (dict.fromkeys(names, at(2)), None))

        await moments.forget_old(at(4))
        assert [await moments.of(name) for name in names] == [at(2)] * 3
        await moments.forget_old(at(5))

        assert [await moments.of(name) for name in names] == [None, None, at(2)]


async def test_a_message_whose_fate_cannot_be_looked_up_is_not_sent_again(
    sqlite_url: str, clock: SetClock
) -> None:

    platform = Transcript()
    clock.now = morning()
    async with open_bot(sqlite_url, clock, platform) as bot:
        await bot.subscribe()
        platform.faults = [unknown(done=True), ("find", MayNotLook("no scope"), False)]
        await bot.chat.deliver_due(clock())
        assert (await bot.subscription()).last_delivered_date == morning().date()
        assert english((await bot.subscription()).paused) == ""

    texts = platform.texts()
    assert len(texts) == len(set(texts)) > 1
