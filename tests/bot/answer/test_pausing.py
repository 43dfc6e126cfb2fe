"""A channel that a person pauses stays so until a person resumes it, and then misses nothing."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from bot.answer.button_handler import Press
from bot.model.channels import Channel, Person, Platform
from bot.model.parts import ActionKind
from bot.model.policy import Policy
from bot.model.slots import Slot
from bot.model.subscriptions import Subscription
from digest.languages import Language
from digest.leases import LEASE
from digest.models import Roundup
from digest.phrase import Phrase
from tests.bot.bot_fixture import Bot, morning, open_bot
from tests.bot.platform_fake import ADA, CHANNEL, Transcript
from tests.conftest import SetClock
from tests.phrases import english

ADMIN = Person(Platform.SLACK, "T1", "U9", "root", may_manage=True)


@pytest.fixture
async def bot(sqlite_url: str, clock: Any) -> AsyncIterator[Bot]:
    async with open_bot(sqlite_url, clock, Transcript()) as bot:
        yield bot


async def said(bot: Bot, text: str, person: Person = ADA) -> str:
    reply = await bot.chat.answer_text(text, CHANNEL, person)
    await bot.chat.settle()
    return reply.text if hasattr(reply, "text") else str(reply.parts)


async def test_a_paused_channel_gets_nothing_and_says_so(bot: Bot, clock: Any) -> None:
    await bot.subscribe()

    assert "Nothing more is posted here" in await said(bot, "pause")
    await bot.chat.deliver_due(morning())

    assert bot.platform.count == 1
    assert "paused: since 2026-02-12" in await said(bot, "subscriptions")


async def test_a_channel_hears_of_neither_that_changes_nothing(bot: Bot) -> None:
    await bot.subscribe()
    counts = []
    for words in ("pause", "pause", "resume", "resume"):
        await said(bot, words)
        counts.append(bot.platform.count)
    first, again, resumed, once_more = counts
    assert 0 < first == again < resumed == once_more


async def test_changing_a_paused_channel_leaves_it_paused_and_says_so(bot: Bot) -> None:
    await bot.subscribe()
    await said(bot, "pause")

    assert "paused: since 2026-02-12" in await said(bot, "subscribe at 10:00")
    await bot.chat.deliver_due(morning())

    assert bot.platform.count == 2


async def test_a_first_thread_is_promised_unless_quiet_days_are_told_by_nothing(bot: Bot) -> None:
    always = await said(bot, "subscribe vllm")
    await bot.chat.press(Press(ActionKind.UNSUBSCRIBE_ALL, "", CHANNEL, "", ADA, morning()))
    unless = await said(bot, "subscribe vllm quiet nothing")

    assert "Its first thread follows at once." in always
    assert "follows at once, unless yesterday was quiet." in unless


async def test_it_goes_on_with_one_thread_over_all_days_since(bot: Bot, clock: Any) -> None:
    await bot.subscribe()
    await bot.chat.deliver_due(morning())
    told = bot.platform.count
    await said(bot, "pause")
    clock.advance(days=3)
    await bot.chat.deliver_due(clock())
    assert bot.platform.count == told + 1

    assert "What was due meanwhile follows at once." in await said(bot, "resume")

    parents = [each for each in bot.platform.said[CHANNEL] if each.parent is None]
    assert len(parents) == 4
    assert "Thu 12 Feb – Sat 14 Feb" in parents[-1].text
    assert not (await bot.subscription()).paused


async def test_where_nothing_is_due_the_next_morning_is_named(bot: Bot, clock: Any) -> None:
    await bot.subscribe()
    await bot.chat.deliver_due(morning())
    await said(bot, "pause")

    assert "2026-02-13 09:00 UTC" in await said(bot, "resume")


async def test_a_channel_that_its_platform_stopped_can_be_paused_for_good(bot: Bot) -> None:
    await bot.subscribe(paused=Phrase.as_written("the channel is archived"), absence="archived")

    await said(bot, "pause")

    stored = await bot.subscription()
    assert (stored.absence, english(stored.paused)) == ("", "since 2026-02-12")


@pytest.mark.parametrize("command", ["pause", "resume"])
async def test_only_who_may_change_a_channel_pauses_it(
    sqlite_url: str, clock: Any, command: str
) -> None:
    policy = Policy(members=False)
    async with open_bot(sqlite_url, clock, Transcript(), policy=policy) as bot:
        await bot.subscribe()
        refused = await bot.chat.answer_text(command, CHANNEL, ADA)
        assert "nly admins" in refused.parts[0].summary
        assert not (await bot.chat.answer_text(command, CHANNEL, ADMIN)).failed


@pytest.mark.parametrize("command", ["pause", "resume"])
async def test_a_channel_without_a_subscription_is_told_how_to_get_one(
    bot: Bot, command: str
) -> None:
    refused = await bot.chat.answer_text(command, CHANNEL, ADA)
    assert "subscribe vllm" in refused.parts[0].summary
    refused = await bot.chat.answer_text(f"{command} vllm", CHANNEL, ADA)
    assert "takes no more words" in refused.parts[0].summary


async def test_it_is_said_in_the_channels_language(bot: Bot) -> None:
    await bot.subscribe(language=Language.ZH)

    assert "本频道暂停接收，恢复请用：resume" in await said(bot, "pause")
    assert "自 2026-02-12 起" in await said(bot, "subscriptions")
    assert "其间应发送的内容马上补发。" in await said(bot, "resume")


async def test_a_pause_stops_a_thread_before_its_next_message_and_a_resume_goes_on_with_it(
    bot: Bot, clock: SetClock
) -> None:
    await bot.subscribe()
    sent, goes_on = asyncio.Event(), asyncio.Event()
    send = bot.platform.send

    async def slowly(channel: Channel, payload: str, *, parent: str | None, nonce: str) -> str:
        ref = await send(channel, payload, parent=parent, nonce=nonce)
        if len(bot.platform.texts()) == 2:
            sent.set()
            await goes_on.wait()
        return ref

    bot.platform.send = slowly  # type: ignore[method-assign]  # the second one takes long
    await bot.delivering.start_due(clock())
    await sent.wait()
    bot.platform.send = send  # type: ignore[method-assign]  # as before
    await bot.chat.answer_text("pause", CHANNEL, ADA)
    goes_on.set()
    await bot.delivering.settle()
    assert len(bot.platform.texts()) == 3  # two of the thread, and who paused

    await bot.chat.answer_text("resume", CHANNEL, ADA)
    await bot.chat.deliver_due(clock())
    assert len(bot.platform.texts()) == 4
    clock.advance(seconds=LEASE.total_seconds() + 1)
    await bot.chat.deliver_due(clock())

    texts = bot.platform.texts()
    assert len(texts) == len(set(texts)) > 4
    assert (await bot.subscription()).last_delivered_date == clock().date()


async def test_a_pause_while_it_is_looked_leaves_the_channel_without_a_message(
    bot: Bot, clock: SetClock
) -> None:
    await bot.subscribe()
    gathered = bot.planning.gathered

    async def slowly(subscription: Subscription, slot: Slot) -> Roundup:
        found = await gathered(subscription, slot)
        if await bot.store.deliveries.unfinished():
            await bot.chat.answer_text("pause", CHANNEL, ADA)
        return found

    bot.planning.gathered = slowly  # type: ignore[method-assign]  # it takes long
    await bot.chat.deliver_due(clock())

    (paused,) = bot.platform.texts()
    assert paused.startswith("ada: ")


async def test_a_pause_is_answered_in_the_language_that_was_asked_for(bot: Bot) -> None:
    await bot.subscribe()

    assert "本频道" in await said(bot, "pause in zh")
    assert "本频道" in await said(bot, "resume in zh")
