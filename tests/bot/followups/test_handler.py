"""Flags, and who may set them: kept before they are shown, asked about alone."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta

import pytest
import structlog

from bot.answer.button_handler import MenuMessage, Press
from bot.compose.chat_reply import ChatReply
from bot.model.channels import Channel, Person, Platform, Visit
from bot.model.followups import FollowUp, FollowUpState, Reaction, ReactionKind
from bot.model.parts import ActionKind, PartKind
from bot.model.policy import read_policy
from bot.model.ports import PlatformDown
from bot.model.posts import Post
from digest.errors import StoreFailed
from digest.store.database import upgrade
from digest.writing.rules import plain
from tests.bot.bot_fixture import Bot, morning, open_bot
from tests.bot.platform_fake import (
    ADA,
    ADA_HERE,
    BO,
    BO_HERE,
    CHANNEL,
    KILN,
    Killed,
    Said,
    Transcript,
    at,
)
from tests.bot.talking import line, react, typed
from tests.conftest import SetClock

INVITED = "whoever flagged it says which one"
THERE = Channel(Platform.DISCORD, "12", "C1")
CY = Person(Platform.DISCORD, "12", "U1", "cy")
DI = Person(Platform.DISCORD, "12", "U2", "di")
EVE = Person(Platform.DISCORD, "12", "U3", "eve")


@pytest.fixture
async def told(sqlite_url: str, clock: SetClock):
    """A bot that has told a morning of one repository."""
    async with open_bot(sqlite_url, clock, Transcript()) as bot:
        await bot.subscribe()
        await bot.chat.deliver_due(morning())
        yield bot


@pytest.fixture
async def there(sqlite_url: str, clock: SetClock):
    """The same on a platform that shows nothing to one person alone unless they press."""
    async with open_bot(sqlite_url, clock, Transcript(), platforms=(Platform.DISCORD,)) as bot:
        await bot.subscribe(THERE)
        await bot.chat.deliver_due(morning())
        yield bot


async def flag(
    bot: Bot,
    said: Said,
    person: Person = CY,
    *,
    added: bool = True,
    minute: int = 0,
    channel: Channel = THERE,
) -> None:
    event = f"{said.ref} {person.id} {added} {minute}"
    moment = at(12, 10) + timedelta(minutes=minute)
    await bot.chat.followups.react(
        Reaction(ReactionKind.FLAG, person, added, (), moment, said.ref), channel, event
    )


def invitations(bot: Bot) -> list[Said]:
    return [each for each in bot.platform.said[THERE] if INVITED in each.text]


async def several(bot: Bot) -> list[Said]:
    """Give the messages of the morning that are about several items."""
    found = []
    for said in bot.platform.said[THERE]:
        post = await bot.store.posts.at(THERE, said.ref)
        found += [said] if post and len(post.message.about) > 1 else []
    return found


async def which(bot: Bot, person: Person = CY) -> ChatReply:
    reply = await bot.chat.press(
        Press(ActionKind.WHICH, "me", Visit(THERE, person), "", at(12, 11))
    )
    assert reply
    return reply


async def chosen(bot: Bot, reply: ChatReply, person: Person = CY, minute: int = 0) -> ChatReply:
    (part,) = reply.parts
    first = next(each for each in part.actions if each.kind is ActionKind.CHOOSE)
    moment = at(12, 11, minute)
    answer = await bot.chat.press(Press(first.kind, first.value, Visit(THERE, person), "", moment))
    assert answer
    return answer


async def test_where_nobody_can_be_asked_alone_one_invitation_stands_for_all(there: Bot) -> None:
    flagged = await several(there)
    for minute, said in enumerate(flagged):
        await flag(there, said, minute=minute)
        await flag(there, said, DI, minute=minute)

    (invitation,) = (each for each in invitations(there) if not each.deleted)
    assert invitation.buttons == [["which", "me"]]
    assert (await which(there, EVE)).failed

    reply = await which(there)
    for minute in range(len(flagged)):
        assert reply.parts[0].kind is PartKind.CHOICE
        reply = await chosen(there, reply, minute=minute)
    assert "is flagged" in line(reply)
    assert (await which(there)).failed
    assert not invitation.deleted  # DI was asked, too

    reply = await which(there, DI)
    for minute in range(len(flagged)):
        reply = await chosen(there, reply, DI, minute=minute)
    assert invitation.deleted
    followups = await there.store.followups.of(THERE)
    assert {who for each in followups for who in each.flagged_by} == {"U1", "U2"}


async def test_an_invitation_goes_after_ten_minutes_also_by_another_process(
    there: Bot, clock: SetClock
) -> None:
    shared, *_ = await several(there)
    await flag(there, shared)
    (invitation,) = invitations(there)

    clock.advance(minutes=9)
    there.chat.tick(clock())
    await there.chat.settle()
    assert not invitation.deleted
    clock.advance(minutes=2)
    there.chat.tick(clock())
    await there.chat.settle()

    assert invitation.deleted
    assert (await which(there)).failed
    await flag(there, shared, added=False, minute=20)
    await flag(there, shared, minute=21)
    assert [each.deleted for each in invitations(there)] == [True, False]


async def test_who_takes_the_flag_back_takes_the_invitation_back(there: Bot) -> None:
    shared, *_ = await several(there)
    await flag(there, shared)

    await flag(there, shared, added=False, minute=1)

    assert [each.deleted for each in invitations(there)] == [True]


async def killed_while_inviting(bot: Bot, where: str) -> Said:
    """Flag a message about several items in a process that ends at a step of inviting."""

    def step(name: str) -> None:
        if name == where:
            raise Killed

    advance = bot.store.posts.advance

    async def kept(post: Post) -> None:
        await advance(post)
        step(f"kept as {post.state}")

    shared, *_ = await several(bot)
    bot.platform.step = step
    bot.store.posts.advance = kept  # type: ignore[method-assign]  # the process ends in it
    with pytest.raises(Killed):
        await flag(bot, shared)
    bot.platform.step = lambda name: None
    bot.store.posts.advance = advance  # type: ignore[method-assign]  # and begins again
    return shared


STEPS = ["kept as sending", "send", "sent", "kept as sent"]


@pytest.mark.parametrize("where", STEPS)
async def test_one_invitation_is_made_wherever_the_process_ends(there: Bot, where: str) -> None:
    shared = await killed_while_inviting(there, where)

    await flag(there, shared, DI, minute=1)

    (invitation,) = invitations(there)
    for person in (CY, DI):
        await chosen(there, await which(there, person), person)
    assert invitation.deleted
    assert len(await there.store.followups.of(THERE)) == 1


@pytest.mark.parametrize("where", STEPS)
async def test_an_invitation_that_nobody_waits_for_goes_wherever_the_process_ended(
    there: Bot, where: str
) -> None:
    shared = await killed_while_inviting(there, where)

    await flag(there, shared, added=False, minute=1)

    assert all(each.deleted for each in invitations(there))
    before = len(invitations(there))
    await flag(there, shared, minute=2)
    assert [each.deleted for each in invitations(there)[before:]] == [False]


async def test_who_could_not_be_asked_alone_is_invited(told: Bot) -> None:
    shared = told.platform.one("Stories ·")
    told.platform.faults = [("ask", PlatformDown("down"), False)]

    await flag(told, shared, ADA, channel=CHANNEL)

    assert [each.buttons for each in told.platform.said[CHANNEL] if INVITED in each.text] == [
        [["which", "me"]]
    ]


class Stalled(Transcript):
    """A platform that takes messages only once it is let."""

    gate: asyncio.Event

    async def send(self, channel: Channel, payload: str, *, parent: str | None, nonce: str) -> str:
        await self.gate.wait()
        return await super().send(channel, payload, parent=parent, nonce=nonce)

    async def edit(self, channel: Channel, ref: str, payload: str) -> None:
        await self.gate.wait()
        await super().edit(channel, ref, payload)


async def test_flags_are_kept_before_anything_of_them_can_be_shown(
    sqlite_url: str, clock: SetClock
) -> None:
    platform = Stalled()
    platform.gate = asyncio.Event()
    platform.gate.set()
    async with open_bot(sqlite_url, clock, platform) as bot:
        await bot.subscribe()
        await bot.chat.deliver_due(morning())
        shared = platform.one("Stories ·")
        post = await bot.store.posts.at(CHANNEL, shared.ref)
        assert post
        platform.gate.clear()

        flags = [
            asyncio.create_task(
                bot.chat.press(
                    Press(
                        ActionKind.CHOOSE,
                        f"me|{shared.ref}|{key}",
                        ADA_HERE,
                        "",
                        at(12, 11),
                    )
                )
            )
            for key in post.message.about
        ]
        kept = 0
        while kept < len(flags):
            await asyncio.sleep(0.01)
            kept = len(await bot.store.followups.of(CHANNEL))

        assert len(flags) > 1
        assert not any(task.done() for task in flags)
        platform.gate.set()
        await asyncio.gather(*flags)
        assert shared.state.count("flagged by ada") == len(flags)


async def test_what_could_not_be_shown_is_shown_though_the_same_event_comes_again(
    told: Bot, clock: SetClock
) -> None:
    own = next(
        each
        for each in told.platform.said[CHANNEL]
        if any(kind == "flag" for kind, _ in each.buttons)
    )
    told.platform.faults.append(("edit", PlatformDown("away"), False))
    await react(told, ReactionKind.FLAG, own, event="Ev1")
    assert "flagged by ada" not in own.state

    await react(told, ReactionKind.FLAG, own, event="Ev1")
    clock.now += timedelta(hours=1)
    told.chat.tick(clock())
    await told.chat.settle()
    assert own.state.count("flagged by ada") == 1


async def test_what_keeps_a_look_from_tidying_is_logged(
    told: Bot, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(*_: object) -> tuple[str, ...]:
        raise StoreFailed("the disk is full")

    monkeypatch.setattr(told.store.timestamps, "before", full)
    with structlog.testing.capture_logs() as logs:
        told.chat.tick(clock())
        await told.chat.settle()

    failed = {"event": "follow-ups not tidied", "reason": "the disk is full"}
    assert any(failed.items() <= each.items() for each in logs)


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
    refused = await strict.chat.press(Press(kind, KEY, BO_HERE, "", at(12, 10)))

    assert "INFRA_MAY_FOLLOW_UP" in line(refused)
    item = strict.platform.reply("CVE-2026-1100")
    assert "INFRA_MAY_FOLLOW_UP" in line(
        await strict.chat.flag(BO_HERE, MenuMessage(item.ref), at(12, 10))
    )
    assert await state(strict) is None


async def test_whoever_presses_what_cannot_be_drawn_anew_now_is_told_how_it_stands(
    told: Bot, clock: SetClock
) -> None:
    item = told.platform.reply("CVE-2026-1100")
    told.platform.faults = [("edit", PlatformDown("away"), False)]
    press = Press(ActionKind.TAKE, KEY, ADA_HERE, item.ref, clock())

    answer = await told.chat.press(press)
    assert answer
    assert "ada" in plain(answer.parts[0].state)
    assert not answer.failed
    assert "ada" not in item.state

    clock.advance(minutes=3)
    told.chat.tick(clock())
    await told.chat.settle()
    assert "ada" in item.state


async def test_who_may_not_write_follows_up_nothing(told: Bot) -> None:
    item, reader = told.platform.reply("CVE-2026-1100"), replace(BO, may_write=False)

    await react(told, ReactionKind.FLAG, item, reader)
    pressed = await told.chat.press(
        Press(ActionKind.FLAG, KEY, Visit(CHANNEL, reader), "", at(12, 10))
    )

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
            await bot.chat.followups.react(
                Reaction(kind, who, True, (), moment, item.ref), channel, event
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
