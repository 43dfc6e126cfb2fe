"""Subscribing where the bot cannot post: the person hears it at once, and the channel waits."""

import pytest

from bot.model.ports import ChannelGone, Limited, NoPermission, PublishError
from digest.languages import Language
from tests.bot.bot_fixture import Bot
from tests.bot.platform_fake import CHANNEL
from tests.bot.talking import line, typed

NOT_IN = NoPermission("the bot is not in this channel: type /invite @Infra there")


@pytest.mark.parametrize(
    "error", [NOT_IN, ChannelGone("the channel is archived: unarchive it")], ids=["out", "archived"]
)
async def test_who_subscribes_where_the_bot_cannot_post_is_told_what_to_do(
    bot: Bot, error: PublishError
) -> None:
    bot.platform.faults.append(("check", error, False))
    reply = await typed(bot, "subscribe example-org/kiln tz UTC")
    assert reply.failed
    assert line(reply) == (
        "This channel gets example-org/kiln every day at 09:00 UTC, in English. "
        f"Nothing is posted yet, because {error}."
    )
    assert bot.platform.said == {}
    paused = await typed(bot, "subscriptions")
    assert str(error) in line(paused)
    assert "by itself once that is mended" in str(paused.parts)
    assert bot.platform.told == []  # nothing is said twice


async def test_the_first_thread_comes_once_the_bot_is_in_the_channel(bot: Bot) -> None:
    bot.platform.faults.append(("check", NOT_IN, False))
    await typed(bot, "subscribe example-org/kiln tz UTC")
    await typed(bot, "subscribe example-org/kiln")
    assert len(bot.platform.texts()) > 3
    assert "paused" not in line(await typed(bot, "subscriptions"))


async def test_why_nothing_is_posted_is_said_in_the_language_of_the_channel(bot: Bot) -> None:
    bot.platform.faults.append(("check", NOT_IN, False))
    said = line(await typed(bot, "subscribe example-org/kiln tz UTC in zh"))
    assert said.startswith("本频道订阅：")
    assert "目前还无法发送：" in said
    stored = await bot.store.subscriptions.of(CHANNEL)
    assert stored
    assert (stored.language, bool(stored.paused)) == (Language.ZH, True)


async def test_a_platform_that_cannot_say_now_keeps_nobody_from_subscribing(bot: Bot) -> None:
    bot.platform.faults.append(("check", Limited("slow down", 30.0), False))
    reply = await typed(bot, "subscribe example-org/kiln tz UTC")
    assert not reply.failed
    assert len(bot.platform.texts()) > 3
