"""How a channel is, in a line: last, next, and what went wrong."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from bot.model.channels import Visit
from bot.model.ports import PlatformDown
from bot.wording.channel_words import state
from bot.wording.dates import dates, span
from digest.languages import Language
from digest.models import Window
from digest.phrase import Phrase
from digest.writing.rules import plain
from tests.bot.bot_fixture import Bot, morning, subscription
from tests.bot.platform_fake import ADA_HERE, BO, CHANNEL
from tests.bot.talking import everything, typed
from tests.conftest import SetClock, on_both_databases


def how(*asked: Any, **more: Any) -> str:
    return plain(state(*asked, **more))


def test_what_went_wrong_is_said_but_where_the_pause_says_it_already() -> None:
    wrong = subscription(last_error=Phrase.as_written("GitHub does not answer"))

    assert "Last error: GitHub does not answer." in how(wrong, morning(), Language.EN)
    assert "上次出错：GitHub does not answer。" in how(wrong, morning(), Language.ZH)
    assert "error" not in how(wrong, morning(), Language.EN, errors=False)
    paused = subscription(
        last_error=Phrase.as_written("archived"), paused=Phrase.as_written("archived")
    )
    assert how(paused, morning(), Language.EN) == "Nothing told yet."


async def test_the_settings_of_a_channel_say_it_and_so_does_the_form(bot: Bot) -> None:
    await bot.subscribe()
    await bot.chat.deliver_due(morning())
    wanted = "Last: 2026-02-12. Next: 2026-02-13 09:00 UTC."

    reply = await bot.chat.answer_text("settings", ADA_HERE)
    listed = await bot.chat.answer_text("subscriptions", ADA_HERE)

    assert wanted in plain(reply.parts[0].blocks[1].runs)
    assert "subscribe example-org/kiln at 09:00" in str(reply.parts)
    assert reply.form
    assert reply.form.state.startswith(wanted)
    assert wanted in plain(listed.parts[0].blocks[0].runs)


UNTIL_NOON = Window(
    datetime(2026, 3, 4, tzinfo=UTC),
    datetime(2026, 3, 4, 12, 5, tzinfo=UTC),
    "UTC",
    "2026-03-04 until 12:05",
    partial=True,
)


def test_a_day_that_is_not_over_says_how_far_it_goes() -> None:
    assert dates(UNTIL_NOON, Language.EN) == "Wed 4 Mar until 12:05"
    assert span(UNTIL_NOON, Language.EN) == "00:00–12:05, UTC"


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
    await bot.chat.operate("pause", Visit(CHANNEL, runs_it))

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
