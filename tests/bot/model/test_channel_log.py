"""What happened to a channel lately is told to who may change it."""

from dataclasses import replace

from bot.model.ports import PlatformDown
from tests.bot.bot_fixture import Bot
from tests.bot.platform_fake import BO, CHANNEL
from tests.bot.talking import everything, typed
from tests.conftest import SetClock, on_both_databases


@on_both_databases
async def test_changes_and_deliveries_are_kept_for_who_may_change_the_channel(
    bot: Bot, clock: SetClock
) -> None:
    await typed(bot, "subscribe example-org/kiln tz UTC")
    posted = len(bot.platform.texts())
    again = await typed(bot, "subscribe example-org/kiln")
    assert again.is_personal, "nothing changed: nobody else hears of it"
    assert len(bot.platform.texts()) == posted
    for _ in range(2):
        bot.platform.faults = [("send", PlatformDown("a wall stands there"), False)] * 9
        clock.advance(days=1)
        await bot.chat.deliver_due(clock())
    bot.platform.faults = []
    clock.advance(days=1)
    await bot.chat.deliver_due(clock())
    before = len(bot.platform.said[CHANNEL])
    runs_it = replace(BO, id="", name="on the command line", may_manage=True)
    await bot.chat.operate("pause", CHANNEL, runs_it)

    assert "on the command line" in bot.platform.said[CHANNEL][before].text
    entries = await bot.store.log.of(CHANNEL)
    kinds = [each.kind.value for each in entries]
    assert kinds[-2:] == ["told", "changed"]
    assert kinds[0] == "changed"
    assert kinds.count("failed") == 1, "the same failure is told once"
    told = await typed(bot, "settings")
    assert "ada changed it: " in everything(told)
    assert "first thread" not in everything(told), "what was to follow is long past"
    assert told.form
    assert "not told: a wall stands there" in told.form.state
    stranger = await typed(bot, "settings", person=replace(BO, is_stranger=True))
    assert "changed it" not in everything(stranger)
