"""Whose flags, takes and done count in a channel."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.answer.button_handler import MenuMessage, Press
from bot.model.channels import Channel, Person, Platform
from bot.model.followups import FollowUp, FollowUpState, ReactionKind
from bot.model.parts import ActionKind
from bot.model.policy import read_policy
from digest.store.database import upgrade
from tests.bot.bot_fixture import Bot, morning, open_bot
from tests.bot.platform_fake import ADA, BO, CHANNEL, KILN, Transcript, at
from tests.bot.talking import line, react, typed
from tests.conftest import SetClock

KEY = f"{KILN}:pull_request:1100"
TRIAGE = "slack:T1/S7"
MEMBER = replace(ADA, groups=frozenset({"S7"}))


@pytest.fixture
async def strict(sqlite_url: str, clock: SetClock) -> AsyncIterator[Bot]:
    """A bot that has told a morning, in whose channel only a group follows up."""
    await upgrade(sqlite_url)
    followers = read_policy(TRIAGE)
    async with open_bot(sqlite_url, clock, Transcript(), followers=followers) as bot:
        await bot.subscribe()
        await bot.chat.deliver_due(morning())
        yield bot


async def state(bot: Bot) -> FollowUpState | None:
    followups = await bot.store.followups.of(CHANNEL)
    return next((each.state for each in followups if each.item_key == KEY), None)


async def test_only_those_who_are_named_open_take_and_close(strict: Bot) -> None:
    item = strict.platform.reply("CVE-2026-1100")

    await react(strict, ReactionKind.FLAG, item, BO)
    assert await state(strict) is None
    await react(strict, ReactionKind.FLAG, item, MEMBER, second=1)
    await react(strict, ReactionKind.TAKE, item, BO, second=2)
    await react(strict, ReactionKind.DONE, item, BO, second=3)
    assert await state(strict) is FollowUpState.OPEN
    await react(strict, ReactionKind.DONE, item, MEMBER, second=4)
    assert await state(strict) is FollowUpState.DONE


async def test_who_was_taken_out_of_the_group_still_takes_back_what_is_theirs(strict: Bot) -> None:
    item = strict.platform.reply("CVE-2026-1100")
    await react(strict, ReactionKind.FLAG, item, MEMBER)

    await react(strict, ReactionKind.FLAG, item, ADA, added=False, second=1)

    assert await state(strict) is FollowUpState.GONE


@pytest.mark.parametrize(
    "kind", [ActionKind.FLAG, ActionKind.TAKE, ActionKind.DONE, ActionKind.CHOOSE]
)
async def test_whoever_else_presses_is_told_whom_to_ask(strict: Bot, kind: ActionKind) -> None:
    refused = await strict.chat.press(Press(kind, KEY, CHANNEL, "", BO, at(12, 10)))

    assert "INFRA_MAY_FOLLOW_UP" in line(refused)
    item = strict.platform.reply("CVE-2026-1100")
    assert "INFRA_MAY_FOLLOW_UP" in line(
        await strict.chat.flag(CHANNEL, MenuMessage(item.ref), BO, at(12, 10))
    )
    assert await state(strict) is None


async def test_who_may_not_write_follows_up_nothing(told: Bot) -> None:
    item, reader = told.platform.reply("CVE-2026-1100"), replace(BO, may_write=False)

    await react(told, ReactionKind.FLAG, item, reader)
    pressed = await told.chat.press(Press(ActionKind.FLAG, KEY, CHANNEL, "", reader, at(12, 10)))

    assert "Only who may write here" in line(pressed)
    assert await state(told) is None


async def test_a_reaction_that_did_not_count_does_not_count_at_the_next_look_either(
    told: Bot,
) -> None:
    item, reader = told.platform.reply("CVE-2026-1100"), replace(BO, may_write=False)
    await react(told, ReactionKind.FLAG, item, reader)
    rights = {BO.id: reader, ADA.id: ADA}
    asked = []

    async def who(person: Person) -> Person:
        asked.append(person.id)
        return rights[person.id]

    async def looked(*people: Person) -> None:
        present = {ReactionKind.FLAG: people}
        moment = at(12, 11) + timedelta(minutes=len(asked))
        await told.chat.followups.reconcile(CHANNEL, item.ref, present, moment, who)

    await looked(BO)
    assert await state(told) is None
    await looked(BO, ADA)
    assert await state(told) is FollowUpState.OPEN
    await looked(BO, ADA)
    assert asked == [BO.id, BO.id, ADA.id, BO.id]  # who is known is not looked up again
    await looked(BO)
    assert await state(told) is FollowUpState.GONE


ELSEWHERE = Channel(Platform.DISCORD, "12", "C1")


@pytest.mark.parametrize(
    ("channel", "setting", "opens"),
    [
        (CHANNEL, "", True),
        (CHANNEL, "eyes nothing", False),
        (ELSEWHERE, "", False),
        (ELSEWHERE, "eyes open", True),
    ],
)
async def test_eyes_on_what_nobody_flagged_open_what_the_channel_chose(
    sqlite_url: str, clock: SetClock, channel: Channel, setting: str, opens: bool
) -> None:
    await upgrade(sqlite_url)
    who = replace(ADA, platform=channel.platform, workspace=channel.workspace)
    async with open_bot(sqlite_url, clock, Transcript(), platforms=tuple(Platform)) as bot:
        await bot.subscribe(channel)
        await bot.chat.deliver_due(morning())
        if setting:
            assert not (await typed(bot, f"subscribe {setting}", channel, who)).failed
        item = bot.platform.reply("CVE-2026-1100", channel)
        second = 0

        async def reacted(kind: ReactionKind, who: Person = who) -> FollowUp | None:
            nonlocal second
            second += 1
            moment = at(12, 10) + timedelta(seconds=second)
            event = f"{kind} {second}"
            await bot.chat.react(
                kind, channel, item.ref, who, added=True, at=moment, event_id=event
            )
            found = await bot.store.followups.of(channel)
            return found[0] if found else None

        done = await reacted(ReactionKind.DONE)
        assert done is None or not done.is_open
        taken = await reacted(ReactionKind.TAKE)
        assert bool(taken and taken.is_open) == opens
        assert bool(item.state) == opens
        flagged = await reacted(ReactionKind.FLAG, replace(who, id="U2"))
        assert flagged
        assert flagged.taken_by == ("U1" if opens else None)
        again = await reacted(ReactionKind.TAKE, replace(who, id="U3"))
        assert again
        assert again.taken_by == ("U1" if opens else "U3")
