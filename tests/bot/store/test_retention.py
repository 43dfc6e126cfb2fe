"""What is old is thrown away once a day, and never what somebody may still need."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from bot.model.following import Correction, News
from bot.model.followups import Reaction, ReactionKind
from bot.model.posts import PostState
from bot.store.retention import purge
from bot.store.tables import POSTS, SEEN_EVENTS
from digest.edited import ModelFailure, ModelOutcome, ModelUse
from digest.models import State
from digest.ports import Remembered
from digest.store.database import execute
from digest.store.model_use import StoredModelFailures
from digest.store.tables import MODEL_ANSWERS
from digest.upstream import Standing
from tests.bot.bot_fixture import Bot, morning, open_bot
from tests.bot.platform_fake import ADA, ADA_HERE, CHANNEL, KILN, Transcript, at
from tests.conftest import on_both_databases

KEEP = timedelta(days=90)
LATER = morning() + timedelta(days=100)


@pytest.fixture
async def bot(chosen_url: str, clock: Any) -> AsyncIterator[Bot]:
    """A channel that was told one morning, which the purge has met that day."""
    async with open_bot(chosen_url, clock, Transcript()) as bot:
        await bot.subscribe()
        await bot.chat.deliver_due(morning())
        await gone(bot, morning())
        yield bot


async def gone(bot: Bot, now: datetime) -> dict[str, int]:
    return dict(await purge(bot.digests.database, now, KEEP))


async def posts(bot: Bot) -> int:
    return len(await bot.store.posts.numbered(range(1, 200)))


@on_both_databases
async def test_old_messages_go_and_the_slot_stays_told(bot: Bot, clock: Any) -> None:
    before = await posts(bot)
    subscription = await bot.subscription()

    assert (await gone(bot, LATER))["post"] == before

    assert await posts(bot) == 0
    assert await bot.store.deliveries.unfinished() == {}
    assert (await bot.subscription()).last_delivered_date == subscription.last_delivered_date
    said = bot.platform.count
    await bot.chat.deliver_due(morning())
    assert bot.platform.count == said


@pytest.mark.parametrize("done", [False, True])
async def test_a_thread_with_a_follow_up_stays_whole_also_once_it_is_done(
    bot: Bot, clock: Any, done: bool
) -> None:
    before = await posts(bot)
    told = await bot.store.posts.numbered(range(1, 200))
    about_one = next(post for post in told if len(post.message.about) == 1)
    for kind in (ReactionKind.FLAG, *([ReactionKind.DONE] if done else [])):
        await bot.chat.followups.react(
            Reaction(kind, ADA, True, (), clock(), about_one.ref), CHANNEL, f"{kind}"
        )

    assert "post" not in await gone(bot, LATER)
    assert await posts(bot) == before


async def test_messages_that_are_not_sent_yet_stay(bot: Bot, clock: Any) -> None:
    told = await bot.store.posts.numbered(range(1, 200))
    before = await posts(bot)
    await bot.store.posts.advance(replace(told[0], state=PostState.SENDING))

    assert "post" not in await gone(bot, LATER)
    assert await posts(bot) == before


async def test_a_message_that_cannot_be_read_keeps_its_own_thread_alone(bot: Bot) -> None:
    before = await posts(bot)
    channel = replace(CHANNEL, id="C9")
    await bot.subscribe(channel)
    await bot.chat.deliver_due(morning())
    await gone(bot, morning())
    broken = POSTS.update().where(POSTS.c.channel == channel.id).values(body=b"{}")
    assert await bot.digests.database.write(execute(broken), "") == before

    thrown = await gone(bot, LATER)

    assert (thrown["post"], thrown["item"] > 0) == (before, True)


@on_both_databases
async def test_what_can_be_asked_again_goes_with_its_age(bot: Bot, clock: Any) -> None:
    database = bot.digests.database
    for key, when in (("old", morning()), ("new", LATER)):
        seen = Remembered(b"{}", 'W/"1"', "", permanent=True, checked_at=when)
        await bot.digests.memory.remember(key, seen)
        await database.write(
            execute(SEEN_EVENTS.insert().values(platform="slack", event_id=key, at=when)),
            "",
        )
        answer = {"key": key, "repo": "a/b", "about": key, "task": "gloss", "model": "m"}
        await database.write(
            execute(MODEL_ANSWERS.insert().values(**answer, asked_at=when, body=b"")),
            "",
        )
        use = ModelUse(key, ModelOutcome.LATE, checker="m")
        await StoredModelFailures(database).note(ModelFailure(use, when))

    thrown = await gone(bot, LATER)

    assert (thrown["http_answer"], thrown["seen_event"], thrown["model_answer"]) == (1, 1, 1)
    assert thrown["model_failure"] == 1
    assert await bot.digests.memory.recall("old") is None
    assert await bot.digests.memory.recall("new")


async def test_events_are_known_for_two_days_whatever_is_set(bot: Bot) -> None:
    event = {"platform": "slack", "event_id": "Ev1", "at": morning()}
    await bot.digests.database.write(execute(SEEN_EVENTS.insert().values(**event)), "")

    assert await gone(bot, morning() + timedelta(days=1, hours=23)) == {}
    assert await gone(bot, morning() + timedelta(days=2, hours=1)) == {"seen_event": 1}


@on_both_databases
async def test_what_was_collected_goes_and_what_was_told_of_it_stays(bot: Bot, clock: Any) -> None:
    activity = bot.digests.activity("forge")
    assert await activity.between(KILN, at(10), at(12))

    assert (await gone(bot, LATER))["item"] > 0

    assert await activity.between(KILN, at(10), at(12)) == ()
    asked = len(bot.forge.asked)
    reply = await bot.chat.answer_text("kiln 2026-02-10..2026-02-11", ADA_HERE)
    assert not reply.failed
    assert len(bot.forge.asked) == asked


@on_both_databases
async def test_a_correction_goes_with_its_age_unless_its_item_is_followed_up(bot: Bot) -> None:
    item = bot.platform.reply("CVE-2026-1100")
    followed = item.buttons[0][1]
    await bot.chat.followups.react(
        Reaction(ReactionKind.FLAG, ADA, True, (), at(12, 10), item.ref), CHANNEL, "1"
    )
    for key, when in ((followed, morning()), ("a/b:issue:1", morning()), ("a/b:issue:2", LATER)):
        wrong = Correction(CHANNEL, key, "#1", "", "", News.REVERTED, Standing(State.MERGED))
        await bot.store.corrections.save(wrong, when)

    assert (await gone(bot, LATER))["correction"] == 1

    keys = (followed, "a/b:issue:1", "a/b:issue:2")
    left = {each.item_key for each in await bot.store.corrections.of(CHANNEL, keys)}
    assert left == {followed, "a/b:issue:2"}
