"""How a channel is, in a line: last, next, and what went wrong."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import pytest

from bot.wording.channel_words import state
from bot.wording.dates import dates, span
from digest.languages import Language
from digest.models import Window
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
