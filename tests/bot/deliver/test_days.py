"""Every day is told, and none twice, where repositories fail and clocks jump."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bot.model.ports import PlatformDown
from bot.model.posts import DeliveryState
from bot.model.slots import due
from bot.model.subscriptions import MissedDays
from digest.errors import ConfigurationError, Unreachable
from digest.models import Activity, Notice, NoticeKind, Repo, Window
from digest.store.store import LONGEST_LEASE
from tests.bot.bot_fixture import Bot, morning, open_bot
from tests.bot.platform_fake import ADA_HERE, CHANNEL, KILN, LOOM, Transcript, at
from tests.conftest import SetClock, on_both_databases

DOWN = Unreachable("GitHub hangs")


async def subscribe(bot: Bot) -> None:
    """Have the channel get two repositories; days up to 10 February are told."""
    told = at(11)
    await bot.subscribe(
        repos=(KILN, LOOM), last_delivered_end=told, last_delivered_date=told.date()
    )


async def tell(bot: Bot, clock: SetClock, day: int) -> list[str]:
    """Give the texts of a morning, which may be tried a few times."""
    before = len(bot.platform.texts())
    for hours in range(4):
        clock.now = morning(day) + timedelta(hours=hours)
        await bot.chat.deliver_due(clock())
    return bot.platform.texts()[before:]


async def test_a_day_that_could_not_be_looked_at_is_told_with_the_next_one(
    bot: Bot, clock: SetClock
) -> None:
    await subscribe(bot)
    bot.forge.down[LOOM] = DOWN
    blind = await tell(bot, clock, 12)
    assert "not looked at: loom" in blind[0]
    assert not any("loom · " in text for text in blind[1:])

    bot.forge.down.clear()
    seen = await tell(bot, clock, 13)

    assert any(text.startswith("loom · Wed 11 Feb – Thu 12 Feb") for text in seen)
    assert any(text.startswith("kiln · Thu 12 Feb:") for text in seen)
    roundup = bot.platform.one("2 repositories · Thu 12 Feb").payload
    assert "Wed 11 Feb" in roundup
    assert "too, which could not be looked at before." in roundup
    after = await tell(bot, clock, 14)
    assert any(text.startswith("loom · Fri 13 Feb:") for text in after)
    assert "looked at before" not in bot.platform.one("2 repositories · Fri 13 Feb").payload


async def test_a_repository_that_fails_for_days_is_told_over_all_of_them(
    bot: Bot, clock: SetClock
) -> None:
    await subscribe(bot)
    bot.forge.down[LOOM] = DOWN
    for day in (12, 13):
        await tell(bot, clock, day)
    bot.forge.down[KILN] = DOWN
    await tell(bot, clock, 14)
    bot.forge.down.clear()

    seen = await tell(bot, clock, 15)

    assert any(text.startswith("loom · Wed 11 Feb – Sat 14 Feb") for text in seen)
    assert any(text.startswith("kiln · Fri 13 Feb – Sat 14 Feb") for text in seen)
    assert (await bot.subscription()).arrears == ()


async def test_a_day_that_fails_for_ever_keeps_no_later_one_back(bot: Bot, clock: SetClock) -> None:
    await subscribe(bot)
    collect = bot.forge.collect

    async def poisoned(repo: Repo, window: Window) -> Activity:
        if repo == LOOM and at(11) in window:
            raise DOWN
        return await collect(repo, window)

    bot.forge.collect = poisoned  # type: ignore[method-assign]  # this forge fails for one day
    await tell(bot, clock, 12)

    seen = await tell(bot, clock, 13)

    assert any(text.startswith("loom · Wed 11 Feb – Thu 12 Feb") for text in seen)
    assert "GitHub hangs" in bot.platform.one("loom · Wed 11 Feb – Thu 12 Feb").payload
    assert (await bot.subscription()).arrears == ()


async def test_what_was_not_looked_at_is_known_to_the_process_that_goes_on_with_a_thread(
    sqlite_url: str, clock: SetClock
) -> None:
    platform = Transcript()
    async with open_bot(sqlite_url, clock, platform) as first:
        await subscribe(first)
        first.forge.down[LOOM] = DOWN
        for hours in range(3):
            clock.now = morning() + timedelta(hours=hours)
            platform.faults = [("send", PlatformDown("down"), False)]
            await first.chat.deliver_due(clock())
        (waiting,) = (await first.store.deliveries.unfinished()).values()
        assert waiting.state is DeliveryState.PLANNED
    async with open_bot(sqlite_url, clock, platform, owner="second") as second:
        platform.faults = []
        clock.advance(hours=2)
        await second.chat.deliver_due(clock())

        assert (await second.subscription()).arrears == (MissedDays(LOOM, at(11)),)


@on_both_databases
async def test_a_repository_that_got_another_name_is_still_told_its_earlier_days(
    bot: Bot, clock: SetClock
) -> None:
    await subscribe(bot)
    bot.forge.down[LOOM] = DOWN
    await tell(bot, clock, 12)
    bot.forge.down = {KILN: DOWN}
    collect = bot.forge.collect

    async def renamed(repo: Repo, window: Window) -> Activity:
        notice = Notice(NoticeKind.RENAMED, str(LOOM), "new-org/frame")
        found = await collect(repo, window)
        return replace(found, notices=(notice,) if repo == LOOM else ())

    bot.forge.collect = renamed  # type: ignore[method-assign]  # this forge tells more
    seen = await tell(bot, clock, 13)

    assert any(text.startswith("frame · Wed 11 Feb – Thu 12 Feb") for text in seen)
    assert (await bot.subscription()).arrears == (MissedDays(KILN, at(12)),)


async def test_one_that_became_a_repository_that_is_told_brings_no_day_of_it_twice(
    bot: Bot, clock: SetClock
) -> None:
    await subscribe(bot)
    bot.forge.down[LOOM] = DOWN
    await tell(bot, clock, 12)
    bot.forge.down = {}
    collect = bot.forge.collect
    tries = 0

    async def renamed(repo: Repo, window: Window) -> Activity:
        nonlocal tries
        tries += repo == KILN
        if repo == KILN and tries == 1:
            raise DOWN
        notice = Notice(NoticeKind.RENAMED, str(LOOM), str(KILN))
        return replace(await collect(repo, window), notices=(notice,) if repo == LOOM else ())

    bot.forge.collect = renamed  # type: ignore[method-assign]  # this forge tells more
    seen = await tell(bot, clock, 13)

    assert [text for text in seen if text.startswith("kiln · Thu 12 Feb:")]
    assert not [text for text in seen if "Wed 11 Feb" in text]


NINETEEN_SEVENTY = datetime(1970, 1, 1, 0, 3, tzinfo=UTC)


async def test_with_a_clock_of_1970_nothing_is_posted_and_the_log_says_so_once(
    bot: Bot, clock: SetClock, capsys: pytest.CaptureFixture[str]
) -> None:
    await bot.subscribe()
    clock.now = NINETEEN_SEVENTY

    for _ in range(3):
        await bot.chat.deliver_due(clock())

    assert bot.platform.said == {}
    assert (
        capsys.readouterr().out.count(
            "the clock (of PostgreSQL, else of this machine) says 1970-01-01"
        )
        == 1
    )
    with pytest.raises(ConfigurationError, match="1970-01-01"):
        await bot.delivering.previews(clock())

    clock.now = morning()
    await bot.chat.deliver_due(clock())
    assert bot.platform.texts()


async def test_nobody_subscribes_by_a_clock_of_1970(bot: Bot, clock: SetClock) -> None:
    clock.now = NINETEEN_SEVENTY

    reply = await bot.chat.answer_text("subscribe vllm", ADA_HERE)

    assert reply.failed
    assert "1970-01-01" in reply.parts[0].summary
    assert await bot.store.subscriptions.of(CHANNEL) is None


async def test_a_clock_that_goes_back_tells_nothing_again(bot: Bot, clock: SetClock) -> None:
    await bot.subscribe()
    await bot.chat.deliver_due(clock())
    before = bot.platform.texts()

    for hours in (1, 8, 20, 48, 300):
        clock.now = morning() - timedelta(hours=hours)
        await bot.chat.deliver_due(clock())
    clock.now = morning() + timedelta(minutes=5)
    await bot.chat.deliver_due(clock())

    assert bot.platform.texts() == before


async def test_a_clock_that_ran_ahead_for_a_while_leaves_no_day_out(
    bot: Bot, clock: SetClock
) -> None:
    await bot.subscribe()
    await bot.chat.deliver_due(clock())
    clock.now = morning(20)
    await bot.chat.deliver_due(clock())

    told_ahead = len(bot.platform.texts())
    for day in range(12, 24):
        clock.now = morning(day) + timedelta(hours=1)
        await bot.chat.deliver_due(clock())

    texts = [each.text for each in bot.platform.said[CHANNEL] if each.parent is None][2:]
    assert len(bot.platform.texts()) > told_ahead
    assert "12 Feb" in texts[0]
    # The slot of the 20th was used up by the wrong clock; its day comes with the next one.
    assert "Thu 19 Feb – Fri 20 Feb" in " ".join(texts)
    assert len(texts) == len(set(texts)) == 10


@pytest.mark.parametrize("days", [40, 140])
async def test_days_that_passed_under_a_clock_that_ran_ahead_are_told_once_it_is_right(
    bot: Bot, clock: SetClock, days: int
) -> None:
    """Seen from so far ahead, days were told before they came, or only named as left out."""
    await bot.subscribe()
    await bot.chat.deliver_due(clock())
    for day in range(12, 20):
        clock.now = morning(day) + timedelta(days=days, hours=1)
        await bot.chat.deliver_due(clock())
    told_ahead = len(bot.platform.said[CHANNEL])

    clock.now = morning(20) + timedelta(hours=1)
    await bot.chat.deliver_due(clock())
    clock.now = morning(21) + timedelta(hours=1)
    await bot.chat.deliver_due(clock())

    after = bot.platform.said[CHANNEL][told_ahead:]
    caught_up, usual = [each.text for each in after if each.parent is None]
    assert "Thu 12 Feb – Thu 19 Feb" in caught_up
    assert "Fri 20 Feb" in usual


@on_both_databases
async def test_a_lease_of_a_clock_that_ran_ahead_is_not_waited_for(
    bot: Bot, clock: SetClock
) -> None:
    stored = await bot.subscribe()
    slot = due(stored, clock())
    assert slot
    ahead = clock() + timedelta(days=30)
    claimed = await bot.store.deliveries.claim(
        slot, CHANNEL, "gone", ahead, ahead + timedelta(seconds=60)
    )
    assert claimed

    await bot.chat.deliver_due(clock())

    assert bot.platform.texts()


async def test_a_pause_of_a_clock_that_ran_ahead_is_not_waited_for(
    bot: Bot, clock: SetClock
) -> None:
    stored = await bot.subscribe()
    slot = due(stored, clock())
    assert slot
    claimed = await bot.store.deliveries.claim(slot, CHANNEL, "gone", clock(), clock())
    assert claimed
    await bot.store.deliveries.wait(claimed, 1, clock() + timedelta(days=30))

    await bot.chat.deliver_due(clock())

    assert bot.platform.texts()
    assert claimed.state is DeliveryState.CLAIMED


@on_both_databases
async def test_a_hold_of_a_clock_that_ran_ahead_is_taken(bot: Bot, clock: SetClock) -> None:
    now = clock()
    leases = bot.store.leases
    assert await leases.take("gateway", "gone", now, now + timedelta(days=1))
    assert await leases.take("gateway", "me", now, now + LONGEST_LEASE)
    assert not await leases.take("gateway", "other", now, now + LONGEST_LEASE)
