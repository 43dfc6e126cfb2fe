"""How long mornings wait: what is due counts, begun or not, and a pause does not."""

from datetime import timedelta

import pytest

from bot.store.figures import figures
from tests.bot.bot_fixture import Bot, morning
from tests.bot.platform_fake import ADA, CHANNEL, OTHER
from tests.conftest import SetClock


async def test_what_is_due_waits_also_where_nobody_has_begun(bot: Bot, clock: SetClock) -> None:
    await bot.subscribe()
    await bot.subscribe(OTHER, tz="No/Where")
    database = bot.digests.database

    early = await figures(database, morning() - timedelta(hours=25))
    due = await figures(database, morning() + timedelta(minutes=5))
    await bot.chat.deliver_due(clock())
    told = await figures(database, morning() + timedelta(minutes=5))

    assert (early.waiting, early.waiting_since) == (0, None)
    assert (due.waiting, due.waiting_since) == (1, morning())
    assert (told.waiting, told.waiting_since) == (0, None)
    assert (told.active, told.failing) == (2, 1)


async def test_nobody_waits_for_a_channel_while_it_is_paused(bot: Bot, clock: SetClock) -> None:
    late: list[float] = []
    bot.delivering._late = late.append
    await bot.subscribe()
    await bot.chat.answer_text("pause", CHANNEL, ADA)
    clock.advance(days=3)
    paused = await figures(bot.digests.database, clock())
    await bot.chat.answer_text("resume", CHANNEL, ADA)
    resumed = clock()
    clock.advance(seconds=40)
    waiting = await figures(bot.digests.database, clock())
    await bot.chat.deliver_due(clock())

    assert (paused.waiting, paused.paused) == (0, 1)
    assert (waiting.waiting, waiting.waiting_since) == (1, resumed)
    assert late == [pytest.approx(40)]
