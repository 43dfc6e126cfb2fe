"""What fails is tried again as often as it should be, and keeps nobody else from their morning."""

import structlog

from bot.deliver.planning import PAUSES
from bot.model.ports import PlatformDown
from bot.store.tables import SubscriptionRow
from digest.errors import Unreachable
from tests.bot.bot_fixture import Bot
from tests.bot.platform_fake import CHANNEL, KILN, OTHER, at
from tests.conftest import SetClock


async def test_a_thread_that_moved_on_is_tried_again_as_soon_as_after_a_first_failure(
    bot: Bot, clock: SetClock
) -> None:
    await bot.subscribe()
    down = PlatformDown("down")
    for _ in PAUSES[:3]:
        bot.platform.faults = [("send", down, False)]
        await bot.chat.deliver_due(clock())
        clock.advance(minutes=90)
    sent = iter(range(3))

    def fail_after_two(name: str) -> None:
        if name == "send" and next(sent, None) is None:
            raise down

    bot.platform.step = fail_after_two
    await bot.chat.deliver_due(clock())

    assert len(bot.platform.texts()) == 3
    (waiting,) = (await bot.store.deliveries.unfinished()).values()
    assert waiting.retry_at == clock() + PAUSES[0]


async def test_a_subscription_that_cannot_be_read_keeps_no_other_from_its_morning(
    bot: Bot, clock: SetClock
) -> None:
    broken = await bot.subscribe()
    await bot.subscribe(OTHER)
    async with bot.digests.database.saving("test") as session:
        row = await session.get(SubscriptionRow, broken.id)
        assert row
        row.body = row.body.replace(b'"line"', b'"sung"')

    with structlog.testing.capture_logs() as logs:
        await bot.chat.deliver_due(clock())

    assert bot.platform.texts(OTHER)
    (line,) = (line for line in logs if line["event"] == "subscription not readable")
    assert line["subscription"] == broken.id


async def test_a_day_of_which_a_part_is_known_waits_for_the_rest_as_an_unknown_one_does(
    bot: Bot, clock: SetClock
) -> None:
    """The mornings of the east leave the first hours of a western day in the store."""
    await bot.subscribe(OTHER, tz="Asia/Tokyo")
    clock.now = at(12, 1)
    await bot.chat.deliver_due(clock())
    assert bot.platform.texts(OTHER)
    await bot.subscribe(last_told_end=at(11), last_told_date=at(11).date())
    bot.forge.down[KILN] = Unreachable("GitHub hangs")
    clock.now = at(12, 9)
    await bot.chat.deliver_due(clock())
    assert bot.platform.texts(CHANNEL) == []

    bot.forge.down.clear()
    clock.advance(minutes=2)
    await bot.chat.deliver_due(clock())

    parent = bot.platform.said[CHANNEL][0]
    assert "kiln" in parent.text
    assert "GitHub hangs" not in parent.payload
