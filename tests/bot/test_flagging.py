"""What people say of items is shown and asked once, also where something fails on the way."""

import asyncio
from datetime import timedelta

import pytest

from bot.deliver.sharing import Sharing
from bot.followups.flagging import Flagging
from bot.model.channels import Channel
from bot.model.followups import FollowUpState
from bot.model.marks import ReactionKind
from bot.model.parts import ActionKind
from bot.model.ports import NoPermission, PlatformDown
from bot.model.posts import Post, PostState
from digest.errors import NotFound
from digest.models import ReadItem, Repo
from tests.bot.bot_fixture import Bot, morning, open_bot
from tests.bot.platform_fake import ADA, BO, CHANNEL, KILN, Killed, Said, Transcript, at
from tests.conftest import SetClock

QUESTION = "Which one?"


@pytest.fixture
async def told(sqlite_url: str, clock: SetClock):
    """A bot that has told a morning of one repository."""
    async with open_bot(sqlite_url, clock, Transcript()) as bot:
        await bot.subscribe()
        await bot.chat.deliver_due(morning())
        yield bot


async def flag(bot: Bot, said: Said, person=ADA, *, added: bool = True, minute: int = 0) -> None:
    event = f"{said.ref} {person.id} {minute}"
    moment = at(12, 10) + timedelta(minutes=minute)
    await bot.chat.react(
        ReactionKind.FLAG, CHANNEL, said.ref, person, added=added, at=moment, event_id=event
    )


def questions(bot: Bot) -> list[Said]:
    return [each for each in bot.platform.said[CHANNEL] if QUESTION in each.text]


async def killed_while_asking(bot: Bot, where: str) -> Said:
    """Flag a message about several items in a process that ends at a step of asking."""

    def step(name: str) -> None:
        if name == where:
            raise Killed

    advance = bot.store.posts.advance

    async def kept(post: Post) -> None:
        await advance(post)
        step(f"kept as {post.state}")

    themes = bot.platform.one("Medium, by theme")
    bot.platform.step = step
    bot.store.posts.advance = kept  # type: ignore[method-assign]  # the process ends in it
    with pytest.raises(Killed):
        await flag(bot, themes)
    bot.platform.step = lambda name: None
    bot.store.posts.advance = advance  # type: ignore[method-assign]  # and begins again
    return themes


STEPS = ["kept as sending", "send", "sent", "kept as sent"]


@pytest.mark.parametrize("where", STEPS)
async def test_a_question_is_asked_once_wherever_the_process_ends(told: Bot, where: str) -> None:
    themes = await killed_while_asking(told, where)

    await flag(told, themes, BO, minute=1)

    (question,) = questions(told)
    _, value = question.buttons[0]
    await told.chat.press(ActionKind.CHOOSE, value, CHANNEL, question.ref, BO, at(12, 11))
    assert question.deleted
    assert len(await told.store.followups.of(CHANNEL)) == 1


@pytest.mark.parametrize("where", STEPS)
async def test_a_question_that_nobody_waits_for_goes_wherever_the_process_ended(
    told: Bot, where: str
) -> None:
    themes = await killed_while_asking(told, where)

    await flag(told, themes, added=False, minute=1)

    assert all(each.deleted for each in questions(told))
    before = len(questions(told))
    await flag(told, themes, minute=2)
    assert [each.deleted for each in questions(told)[before:]] == [False]


async def test_a_question_that_the_platform_was_down_for_is_asked_with_the_next_flag(
    told: Bot,
) -> None:
    themes = told.platform.one("Medium, by theme")
    told.platform.faults = [("send", PlatformDown("down"), False)]

    await flag(told, themes)
    await flag(told, themes, BO, minute=1)

    assert len(questions(told)) == 1
    newest = await told.store.posts.newest(CHANNEL.platform, 1)
    assert [post.state for post in newest] == [PostState.SENT]


async def test_a_flag_that_came_and_went_unseen_leaves_no_notice(told: Bot) -> None:
    themes = told.platform.one("Medium, by theme")
    await flag(told, themes)
    (question,) = questions(told)
    told.platform.faults = [("send", NoPermission("not now"), False)]
    _, value = question.buttons[0]
    await told.chat.press(ActionKind.CHOOSE, value, CHANNEL, question.ref, ADA, at(12, 11))
    before = told.platform.texts()

    await flag(told, themes, added=False, minute=90)

    (gone,) = await told.store.followups.of(CHANNEL)
    assert gone.state is FollowUpState.GONE
    assert told.platform.texts() == before


class Stalled(Transcript):
    """A platform that takes messages only once it is let."""

    gate: asyncio.Event

    async def send(self, channel: Channel, payload: str, *, parent: str | None, nonce: str) -> str:
        await self.gate.wait()
        return await super().send(channel, payload, parent=parent, nonce=nonce)


async def test_flags_are_kept_before_anything_of_them_can_be_shown(
    sqlite_url: str, clock: SetClock
) -> None:
    platform = Stalled()
    platform.gate = asyncio.Event()
    platform.gate.set()
    async with open_bot(sqlite_url, clock, platform) as bot:
        await bot.subscribe()
        await bot.chat.deliver_due(morning())
        themes = platform.one("Medium, by theme")
        post = await bot.store.posts.at(CHANNEL, themes.ref)
        assert post
        platform.gate.clear()

        flags = [
            asyncio.create_task(
                bot.chat.press(
                    ActionKind.CHOOSE, f"me|{themes.ref}|{key}", CHANNEL, "", ADA, at(12, 11)
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
        notices = [each for each in platform.said[CHANNEL] if "flagged by ada" in each.state]
        assert len(notices) == len(flags)


class NoItems:
    """Where no item is known."""

    async def read_item(self, repo: Repo, ref: str) -> ReadItem:
        raise NotFound(f"{repo} has no {ref}")


async def test_only_an_item_that_the_message_is_about_can_be_chosen(
    told: Bot, clock: SetClock
) -> None:
    themes = told.platform.one("Medium, by theme")
    await flag(told, themes)
    sharing = Sharing(told.store.posts, {CHANNEL.platform: told.platform})
    flagging = Flagging(NoItems(), told.store, sharing, clock)

    await flagging.choose(themes.ref, f"{KILN}:issue:9", CHANNEL, ADA, clock())

    assert await told.store.followups.of(CHANNEL) == ()
    assert [each.deleted for each in questions(told)] == [False]
