"""How a channel is, in a line: last, next, and what went wrong."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from bot.wording.channel_words import state
from digest.languages import Language
from digest.phrase import Phrase
from digest.writing.rules import plain
from tests.bot.bot_fixture import Bot, morning, open_bot, subscription
from tests.bot.platform_fake import ADA, CHANNEL, Transcript


@pytest.fixture
async def bot(sqlite_url: str, clock: Any) -> AsyncIterator[Bot]:
    async with open_bot(sqlite_url, clock, Transcript()) as bot:
        yield bot


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


def test_a_zone_that_this_machine_does_not_know_has_no_next_morning() -> None:
    assert how(subscription(tz="Mars/Olympus"), morning(), Language.EN) == "Nothing told yet."


async def test_the_settings_of_a_channel_say_it_and_so_does_the_form(bot: Bot) -> None:
    await bot.subscribe()
    await bot.chat.deliver_due(morning())
    wanted = "Last: 2026-02-12. Next: 2026-02-13 09:00 UTC."

    reply = await bot.chat.answer_text("settings", CHANNEL, ADA)
    listed = await bot.chat.answer_text("subscriptions", CHANNEL, ADA)

    assert wanted in plain(reply.parts[0].blocks[1].runs)
    assert "subscribe example-org/kiln at 09:00" in str(reply.parts)
    assert reply.form
    assert reply.form.state.startswith(wanted)
    assert wanted in plain(listed.parts[0].blocks[0].runs)
