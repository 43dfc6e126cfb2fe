"""Clocks that are wrong, jump ahead and jump back tell every day, and none of them twice."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.model.posts import DeliveryState
from bot.model.slots import due
from digest.errors import ConfigurationError
from digest.store.store import LONGEST_LEASE
from tests.bot.bot_fixture import Bot, morning, open_bot
from tests.bot.platform_fake import ADA, CHANNEL, Transcript
from tests.conftest import SetClock, on_both_databases

NINETEEN_SEVENTY = datetime(1970, 1, 1, 0, 3, tzinfo=UTC)


@pytest.fixture
async def bot(chosen_url: str, clock: SetClock):
    async with open_bot(chosen_url, clock, Transcript()) as opened:
        yield opened


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

    reply = await bot.chat.answer_text("subscribe vllm", CHANNEL, ADA)

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
