"""A bot in a channel, with a platform that writes down what is said."""

import pytest

from tests.bot.bot_fixture import Bot, open_bot
from tests.bot.platform_fake import Transcript
from tests.bot.talking import typed
from tests.conftest import SetClock


@pytest.fixture
async def bot(chosen_url: str, clock: SetClock):
    async with open_bot(chosen_url, clock, Transcript()) as opened:
        yield opened


@pytest.fixture
async def told(bot: Bot) -> Bot:
    """A bot that has told a morning of one repository."""
    await typed(bot, "subscribe example-org/kiln tz UTC")
    assert len(bot.platform.texts()) > 3
    return bot
