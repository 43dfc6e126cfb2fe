"""What fails is tried again as often as it should be, and keeps nobody else from their morning."""

import structlog

from bot.planning import PAUSES
from bot.ports import PlatformDown
from bot.store.tables import SubscriptionRow
from tests.bot.bot_fixture import Bot
from tests.bot.platform_fake import OTHER
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
