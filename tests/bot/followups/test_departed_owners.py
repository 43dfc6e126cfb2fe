"""Who took something and left: it can be taken again, and the channel is told once."""

import pytest

from bot.answer.button_handler import Press
from bot.model.followups import ReactionKind
from bot.model.parts import ActionKind
from bot.model.ports import PlatformDown
from tests.bot.bot_fixture import Bot, open_bot
from tests.bot.platform_fake import ADA, BO, CHANNEL, KILN, Killed, Said
from tests.bot.talking import listed, react
from tests.conftest import SetClock

LEFT = "bo is not here any more"


async def look(bot: Bot, clock: SetClock, hours: float) -> None:
    clock.advance(hours=hours)
    for _ in range(2):
        bot.chat.tick(clock())
        await bot.chat.settle()


def lines(bot: Bot) -> list[Said]:
    return [each for each in bot.platform.said[CHANNEL] if LEFT in each.text]


async def taken(bot: Bot) -> list[Said]:
    """Have bo take two items, the first of which ada flagged."""
    own = [bot.platform.reply("CVE-2026-1100"), bot.platform.reply("CVE-2026-1101")]
    await react(bot, ReactionKind.FLAG, own[0])
    for second, each in enumerate(own, start=1):
        await react(bot, ReactionKind.TAKE, each, BO, second=second)
    bot.platform.members = {CHANNEL: {ADA.id, BO.id}}
    return own


async def test_what_somebody_took_who_left_can_be_taken_again_and_that_is_said_once(
    told: Bot, clock: SetClock
) -> None:
    first, second = await taken(told)
    await look(told, clock, hours=24 * 8)
    assert lines(told) == []

    told.platform.members = {CHANNEL: {ADA.id}}
    for _ in range(10):
        await look(told, clock, hours=24)

    (said,) = lines(told)
    assert said.parent == first.parent
    assert "#1100" in said.payload
    assert "#1101" in said.payload
    assert "taken by" not in first.state
    assert second.state == "🚩 flagged by bo", "it is not lost, although bo alone had it"
    assert "taken by" not in await listed(told)
    key = f"{KILN}:pull_request:1100"
    assert (
        await told.chat.press(Press(ActionKind.TAKE, key, CHANNEL, said.ref, ADA, clock())) is None
    )
    assert "👀 taken by ada" in first.state


@pytest.mark.parametrize("step", ["send", "sent"])
async def test_that_somebody_left_is_said_once_also_by_a_process_that_goes_on(
    chosen_url: str, clock: SetClock, told: Bot, step: str
) -> None:
    first, second = await taken(told)
    told.platform.members = {CHANNEL: {ADA.id}}

    def die(name: str) -> None:
        if name == step:
            raise Killed

    told.platform.step = die
    clock.advance(days=8)
    with pytest.raises(Killed):
        await told.upstream.look(clock())
    told.platform.step = lambda name: None

    async with open_bot(
        chosen_url, clock, told.platform, forge=told.forge, owner="second"
    ) as other:
        for _ in range(3):
            await look(other, clock, hours=1)

    assert len(lines(told)) == 1
    assert "taken by" not in first.state
    assert "taken by" not in second.state


async def test_nobody_is_taken_to_have_left_where_the_platform_is_silent(
    told: Bot, clock: SetClock
) -> None:
    first, _ = await taken(told)
    told.platform.members = {CHANNEL: {ADA.id}}
    told.platform.faults = [("has_left", PlatformDown("away"), False)]
    await look(told, clock, hours=24 * 8)
    assert lines(told) == []
    assert "taken by bo" in first.state

    await look(told, clock, hours=24 * 7)

    assert len(lines(told)) == 1
