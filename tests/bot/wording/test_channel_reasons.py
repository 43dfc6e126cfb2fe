"""For any item, a channel is told why it was in its mornings, or was not."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest

from bot.model.channels import Visit
from bot.model.subscriptions import MissedDays
from bot.wording.channel_words import why_shown_here
from digest.grades import Importance, Noise
from digest.languages import Language
from digest.models import ReadItem, Repo
from tests.bot.bot_fixture import Bot, morning, open_bot, subscription
from tests.bot.platform_fake import ADA, ADA_HERE, CHANNEL, KILN, OTHER, Transcript, at

DAY = date(2026, 2, 12)


@pytest.fixture
async def bot(chosen_url: str, clock: Any) -> AsyncIterator[Bot]:
    async with open_bot(chosen_url, clock, Transcript()) as bot:
        await bot.subscribe()
        await bot.chat.deliver_due(morning())
        yield bot


async def why(bot: Bot, key: str) -> str:
    number = key.rpartition(":")[2]
    reply = await bot.chat.answer_text(f"why {KILN} #{number}", ADA_HERE)
    return str([part.summary for part in reply.parts])


async def test_every_item_of_a_morning_says_where_it_was_told(bot: Bot) -> None:
    posts = await bot.store.posts.numbered(range(1, 200))
    alone = {post.message.about[0] for post in posts if len(post.message.about) == 1}
    together = {
        key: len(post.message.about) - 1
        for post in posts
        if len(post.message.about) > 1 and not post.message.is_parent
        for key in post.message.about
    }
    assert alone

    for key in sorted(alone)[:3]:
        assert f"told on {DAY} in a message of its own" in await why(bot, key)
    for key in sorted(together.keys() - alone)[:3]:
        assert f"told on {DAY} in one message with {together[key]} others" in await why(bot, key)


async def test_another_channel_learns_nothing_of_it(bot: Bot) -> None:
    post = next(
        post
        for post in await bot.store.posts.numbered(range(1, 200))
        if len(post.message.about) == 1
    )
    number = post.message.about[0].rpartition(":")[2]

    reply = await bot.chat.answer_text(f"why {KILN} #{number}", Visit(OTHER, ADA))

    assert "channel" not in str([part.summary for part in reply.parts])
    assert await bot.store.posts.mentions(OTHER, post.message.about[0]) == ()
    assert (await bot.store.posts.mentions(CHANNEL, post.message.about[0]))[0].others == 0


@pytest.fixture
async def item(bot: Bot) -> ReadItem:
    """A low item of 11 February."""
    key = next(
        post.message.about[0]
        for post in await bot.store.posts.numbered(range(1, 200))
        if len(post.message.about) == 1
    )
    read = await bot.digests.digests("forge").item(KILN, f"#{key.rpartition(':')[2]}")
    assert read
    return replace(read, importance=Importance.LOW, noise=None, reverts=(), reverted_by=None)


TOLD = {"last_delivered_end": at(12), "last_delivered_date": DAY, "created_at": at(1)}


async def test_what_no_message_names_says_why(item: ReadItem) -> None:
    en = Language.EN

    def said(read: ReadItem = item, **chosen: object) -> str:
        return why_shown_here(read, subscription(**(TOLD | chosen)), (), en)

    assert said() == "In this channel: counted, not named (importance: low)."
    assert said(repos=(Repo("a", "b"),)) == f"This channel does not get {KILN}."
    bot = replace(item, noise=Noise.BOT)
    assert said(bot, without=frozenset({"bots", "ci"})) == (
        "Not in this channel: left out by without bots."
    )
    assert said(paths=("nowhere/**",), topics=("unheard",)) == (
        "Not in this channel: left out by paths nowhere/** topics unheard."
    )
    to_come = "Not yet in this channel: its day comes with the next thread."
    assert said(last_delivered_end=at(10)) == to_come
    assert said(arrears=(MissedDays(KILN, at(10)),)) == to_come
    late = item.item.at + timedelta(days=5)
    assert said(created_at=late) == "Not in this channel: it is older than its first thread."
    assert why_shown_here(item, None, (), en) == ""
