"""What follow-ups follow upstream is told once, in its thread, and on the item's messages."""

import json
from dataclasses import replace

import pytest

from bot.model.channels import Platform
from bot.model.parts import ActionKind
from bot.model.ports import MessageGone, NoPermission, PlatformDown, PublishError
from bot.model.reactions import ReactionKind
from digest.errors import Unreachable
from digest.models import State
from digest.upstream import Standing
from tests.bot.bot_fixture import Bot, open_bot
from tests.bot.platform_fake import ADA, BO, CHANNEL, KILN, Killed, Said, at, unknown
from tests.bot.talking import react, typed
from tests.conftest import SetClock

REVERTED = Standing(State.MERGED, reverted_by="#9")
RELEASED = Standing(State.MERGED, release="v1.2")


async def look(bot: Bot, clock: SetClock, minutes: int = 31) -> None:
    clock.advance(minutes=minutes)
    bot.chat.tick(clock())
    await bot.chat.settle()
    bot.chat.tick(clock())
    await bot.chat.settle()


async def flagged(bot: Bot) -> tuple[Said, str]:
    """Flag the first item that has a message of its own; give it and the item's key."""
    own = next(each for each in bot.platform.said[CHANNEL] if _key(each))
    await react(bot, ReactionKind.FLAG, own)
    return own, _key(own)


def _key(said: Said) -> str:
    flags = [value for kind, value in said.buttons if kind == "flag"]
    return flags[0] if flags else ""


def news(bot: Bot) -> list[Said]:
    return [each for each in bot.platform.said[CHANNEL] if each.text.startswith("↗")]


async def test_what_becomes_of_an_item_is_told_once_in_its_thread(
    told: Bot, clock: SetClock
) -> None:
    own, key = await flagged(told)
    await look(told, clock)
    assert news(told) == []

    told.forge.standing[key] = RELEASED
    for _ in range(4):
        await look(told, clock)

    (said,) = news(told)
    assert "v1.2" in said.text
    assert said.parent == own.parent
    assert "v1.2" in own.state
    assert "v1.2" in said.state


async def test_a_state_that_flips_is_told_at_most_once_in_an_hour(
    told: Bot, clock: SetClock
) -> None:
    _, key = await flagged(told)
    await look(told, clock)
    for state in (State.CLOSED, State.OPEN, State.CLOSED, State.OPEN, State.CLOSED):
        told.forge.standing[key] = Standing(state)
        await look(told, clock, minutes=11)
    assert len(news(told)) <= 1

    await look(told, clock, minutes=61)
    await look(told, clock, minutes=61)

    assert "closed" in news(told)[-1].text
    assert len(news(told)) <= 2


async def test_what_is_done_and_settled_is_looked_at_no_more(told: Bot, clock: SetClock) -> None:
    own, key = await flagged(told)
    told.forge.standing[key] = RELEASED
    await look(told, clock)
    await react(told, ReactionKind.DONE, own, second=9)
    for _ in range(5):
        await look(told, clock, minutes=13 * 60)
    looks = len(told.forge.looks)

    for _ in range(3):
        await look(told, clock, minutes=13 * 60)

    assert len(told.forge.looks) == looks
    assert await told.store.followups.due(clock(), [Platform.SLACK], 9) == ()


async def test_whoever_watches_hears_of_it_alone_until_it_is_released(
    told: Bot, clock: SetClock
) -> None:
    _, key = await flagged(told)
    await look(told, clock)
    reply = await told.chat.press(ActionKind.WATCH, key, CHANNEL, "", ADA, clock())
    assert reply

    told.forge.standing[key] = RELEASED
    await look(told, clock)
    told.forge.standing[key] = replace(RELEASED, reverted_by="#9")
    await look(told, clock, minutes=90)

    assert len(told.platform.said[replace(CHANNEL, id=f"D{ADA.id}")]) == 1
    assert len(news(told)) == 2


@pytest.mark.parametrize(
    ("fault", "comes"), [(PlatformDown("away"), True), (NoPermission("no messages"), False)]
)
async def test_a_watcher_is_told_later_and_one_who_takes_no_messages_keeps_nobody_waiting(
    told: Bot, clock: SetClock, fault: PublishError, comes: bool
) -> None:
    _, key = await flagged(told)
    await look(told, clock)
    for each in (ADA, BO):
        await told.chat.press(ActionKind.WATCH, key, CHANNEL, "", each, clock())
    told.forge.standing[key] = RELEASED
    told.platform.faults = [("direct", fault, False)]
    for _ in range(3):
        await look(told, clock)

    assert len(told.platform.said[replace(CHANNEL, id=f"D{BO.id}")]) == 1
    assert bool(told.platform.said.get(replace(CHANNEL, id=f"D{ADA.id}"))) is comes
    assert len(news(told)) == 1


async def test_one_line_says_that_an_item_vanished_and_it_is_asked_for_no_more(
    told: Bot, clock: SetClock
) -> None:
    _, key = await flagged(told)
    told.forge.standing[key] = Standing(None)
    for _ in range(8):
        await look(told, clock, minutes=13 * 60)

    (said,) = news(told)
    looks = len(told.forge.looks)
    await look(told, clock)

    assert "not there any more" in said.text
    assert len(told.forge.looks) == looks


async def test_what_vanished_and_is_there_again_is_not_told_anew(
    told: Bot, clock: SetClock
) -> None:
    own, key = await flagged(told)
    await look(told, clock)
    for standing in (RELEASED, Standing(None), RELEASED):
        told.forge.standing[key] = standing
        for _ in range(4):
            await look(told, clock)

    texts = [each.text for each in news(told)]
    assert len(texts) == 3
    assert "v1.2" in texts[0]
    assert "not there any more" in texts[1]
    assert "v1.2" not in texts[2]
    assert "v1.2" in own.state


async def test_what_could_not_be_looked_at_is_no_news(told: Bot, clock: SetClock) -> None:
    _, key = await flagged(told)
    await look(told, clock)
    told.forge.down[KILN] = Unreachable("no network")
    await look(told, clock)
    assert news(told) == []

    del told.forge.down[KILN]
    told.forge.standing[key] = REVERTED
    await look(told, clock)

    assert len(news(told)) == 1


async def test_news_of_a_thread_that_was_deleted_stand_in_the_channel_once(
    told: Bot, clock: SetClock
) -> None:
    _, key = await flagged(told)
    await look(told, clock)
    told.forge.standing[key] = RELEASED
    told.platform.faults.append(("send", MessageGone("the thread is gone"), False))
    for _ in range(3):
        await look(told, clock)

    (said,) = news(told)
    assert said.parent is None


@pytest.mark.parametrize(
    "fault", [("send", PlatformDown("down"), False), unknown(done=True), unknown(done=False)]
)
async def test_news_that_could_not_be_sent_are_sent_once(
    told: Bot, clock: SetClock, fault: tuple[str, PublishError, bool]
) -> None:
    _, key = await flagged(told)
    await look(told, clock)
    told.forge.standing[key] = RELEASED
    told.platform.faults.append(fault)
    for _ in range(3):
        await look(told, clock)

    assert len(news(told)) == 1


@pytest.mark.parametrize(
    ("step", "time"),
    [("send", 1), ("sent", 1), ("edit", 1), ("edited", 1)]
    + [(step, time) for step in ("send", "sent") for time in (2, 3)],
)
async def test_a_process_killed_while_it_tells_leaves_the_rest_to_the_next(
    chosen_url: str, clock: SetClock, told: Bot, step: str, time: int
) -> None:
    own, key = await flagged(told)
    await look(told, clock)
    for each in (ADA, BO):
        await told.chat.press(ActionKind.WATCH, key, CHANNEL, "", each, clock())
    left = [time]
    told.forge.standing[key] = RELEASED

    def die(name: str) -> None:
        left[0] -= name == step
        if name == step and not left[0]:
            raise Killed

    told.platform.step = die
    clock.advance(minutes=31)
    with pytest.raises(Killed):
        await told.upstream.look(clock())
    told.platform.step = lambda name: None

    clock.advance(minutes=31)
    async with open_bot(
        chosen_url, clock, told.platform, forge=told.forge, owner="second"
    ) as second:
        for _ in range(2):
            await look(second, clock)

    assert len(news(told)) == 1
    assert "v1.2" in own.state
    for each in (ADA, BO):
        (alone,) = told.platform.said[replace(CHANNEL, id=f"D{each.id}")]
        assert "v1.2" in alone.text
        assert alone.buttons == []


async def test_a_pin_that_is_raised_to_the_release_is_told_once(told: Bot, clock: SetClock) -> None:
    _, key = await flagged(told)
    await look(told, clock)
    await typed(told, "concern pins kiln==1.1")
    told.forge.standing[key] = RELEASED
    await look(told, clock)
    assert [("in_pin" in each.text, "v1.2" in each.text) for each in news(told)] == [(False, True)]

    await typed(told, "concern pins kiln==1.3")
    for _ in range(3):
        await look(told, clock, minutes=31)

    _, said = news(told)
    assert "what this channel pins: 1.3" in said.text


async def test_what_was_forced_out_is_corrected(told: Bot, clock: SetClock) -> None:
    own, key = await flagged(told)
    told.forge.standing[key] = Standing(State.MERGED, amended=True)
    for _ in range(3):
        await look(told, clock)

    (said,) = news(told)
    assert "not on the default branch any more" in said.text
    assert own.text.startswith("⚠ ")


async def test_what_was_taken_back_is_not_followed(told: Bot, clock: SetClock) -> None:
    own, key = await flagged(told)
    await react(told, ReactionKind.FLAG, own, added=False, second=5)
    told.forge.standing[key] = REVERTED

    await look(told, clock)

    assert news(told) == []
    assert told.forge.looks == []


async def test_what_was_told_and_is_reverted_is_corrected_where_it_stands_and_next_morning(
    told: Bot, clock: SetClock
) -> None:
    own = next(each for each in told.platform.said[CHANNEL] if _key(each))
    key = _key(own)
    for _ in range(3):
        await look(told, clock)
    edits = told.platform.edits

    told.forge.standing[key] = REVERTED
    for _ in range(3):
        await look(told, clock)

    assert own.text.startswith("⚠")
    assert "reverted by" in json.loads(own.payload)["all"]
    assert told.platform.edits == edits + 1
    before = len(told.platform.said[CHANNEL])
    clock.now = at(13, 9)
    await told.chat.deliver_due(clock())
    parent = json.loads(told.platform.said[CHANNEL][before].payload)["all"]
    assert parent.index("reverted by") < parent.index("CVE-2026-1200")
    before = len(told.platform.said[CHANNEL])
    clock.now = at(14, 9)
    await told.chat.deliver_due(clock())
    assert "Corrections" not in told.platform.said[CHANNEL][before].payload


async def test_a_message_that_is_wrong_says_so_also_once_it_is_flagged(
    told: Bot, clock: SetClock
) -> None:
    own = next(each for each in told.platform.said[CHANNEL] if _key(each))
    told.forge.standing[_key(own)] = REVERTED
    await look(told, clock)

    await react(told, ReactionKind.FLAG, own)
    await look(told, clock)

    assert own.text.startswith("⚠")
    assert "flagged by" in own.state
    assert len(news(told)) == 1


async def test_the_roundup_of_a_week_says_what_became_of_what_was_flagged(
    told: Bot, clock: SetClock
) -> None:
    _, key = await flagged(told)
    await look(told, clock)
    told.forge.standing[key] = RELEASED
    await look(told, clock)
    await typed(told, "subscribe example-org/kiln on weekly tz UTC")

    before = len(told.platform.said[CHANNEL])
    clock.now = at(16, 9)
    await told.chat.deliver_due(clock())

    said = json.loads(told.platform.said[CHANNEL][before].payload)["all"]
    assert "v1.2" in said.partition("became of what was flagged")[2]


async def test_a_list_says_age_standing_and_place_and_its_buttons_bring_it_anew(
    told: Bot, clock: SetClock
) -> None:
    own, key = await flagged(told)
    await look(told, clock)
    told.forge.standing[key] = RELEASED
    await look(told, clock, minutes=4 * 24 * 60)

    (part,) = (await typed(told, "followups")).parts
    row = str(part.blocks)
    take = next(each for each in part.actions if each.kind is ActionKind.TAKE)
    anew = await told.chat.press(take.kind, take.value, CHANNEL, "", ADA, clock())

    assert "3 days" in row
    assert "v1.2" in row
    assert f"https://chat.example/{CHANNEL.id}/{own.ref}" in row
    assert anew
    assert "taken by" in str(anew.parts[0].blocks)


async def test_everywhere_lists_what_is_open_in_the_channels_that_a_person_is_in(
    told: Bot, clock: SetClock
) -> None:
    await flagged(told)
    elsewhere = replace(CHANNEL, id="C9")
    told.platform.members = {CHANNEL: {BO.id}}

    assert "kiln" not in str((await typed(told, "followups everywhere", elsewhere)).parts)
    bos = await typed(told, "followups everywhere", elsewhere, BO)
    assert "kiln" in str(bos.parts), "whoever flagged it"
    assert (await typed(told, "followups everywhere", elsewhere)).parts[0].actions == ()
