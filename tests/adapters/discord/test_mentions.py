"""Questions to the bot by name on Discord, with the whole bot behind the gateway."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from adapters.discord.listeners import question_in
from bot.model.channels import Channel, Platform
from digest.store.database import upgrade
from tests.adapters.discord.asked import message
from tests.adapters.discord.conftest import (
    ADA,
    BOT,
    CHANNEL,
    GUILD,
    VOICE,
    FakeDiscord,
    KeptHolds,
    eventually,
    make_face,
    up,
)
from tests.adapters.discord.objects import THREADLESS, TRIAGE, member, user
from tests.bot.bot_fixture import Bot, open_bot
from tests.bot.platform_fake import SECRET, Said, Transcript
from tests.conftest import SetClock


@pytest.fixture
async def whole(
    discord: FakeDiscord, publisher: Any, sqlite_url: str, leases: KeptHolds, clock: SetClock
) -> AsyncIterator[Bot]:
    """A bot whose channel on Discord gets a repository, heard through the gateway."""
    await upgrade(sqlite_url)
    async with open_bot(sqlite_url, clock, Transcript(), platforms=(Platform.DISCORD,)) as bot:
        await bot.subscribe(CHANNEL)
        face = make_face(discord, publisher, bot.chat, leases, clock)  # type: ignore[arg-type]  # whole
        async with up(face):
            while await face.unheard():
                await asyncio.sleep(0.01)
            yield bot


async def say(discord: FakeDiscord, text: str, id: str = "70", **more: Any) -> None:
    ada = member(ADA, "ada", 0)
    own = {key: value for key, value in ada.items() if key != "user"} | {"roles": [TRIAGE]}
    said = message(id) | {"content": text, "author": ada["user"], "member": own, "guild_id": GUILD}
    whole = {key: value for key, value in (said | more).items() if value is not None}
    await discord.dispatch("MESSAGE_CREATE", whole)


def answers(bot: Bot) -> list[Said]:
    return bot.platform.said.get(CHANNEL, [])


async def test_a_question_by_name_is_answered_below_it_once(
    discord: FakeDiscord, whole: Bot
) -> None:
    for _ in range(2):
        await say(discord, f"<@{BOT}> kiln 2026-02-11")
    await say(discord, f"<@{BOT}> serach foo", id="71")
    await eventually(lambda: len(answers(whole)) == 2)

    first, second = sorted(answers(whole), key=lambda said: str(said.parent))
    assert (first.parent, second.parent) == ("70", "71")
    assert "kiln" in first.text
    assert "search" in second.text


async def test_who_says_hello_is_told_what_the_bot_is_for(discord: FakeDiscord, whole: Bot) -> None:
    for number, text in enumerate((f"hey <@{BOT}>!", f"<@{BOT}> 你好")):
        await say(discord, text, id=str(75 + number))
    await eventually(lambda: len(answers(whole)) == 2)

    for answer in answers(whole):
        assert "every morning" in answer.text


async def test_an_order_by_name_is_not_taken(discord: FakeDiscord, whole: Bot) -> None:
    before = await whole.subscription(CHANNEL)
    orders = ("unsubscribe all", "pause", "subscribe example-org/loom", "watch example-org/loom")
    for number, order in enumerate(orders):
        await say(discord, f"<@{BOT}> {order}", id=str(80 + number))
    await eventually(lambda: len(answers(whole)) == len(orders))

    assert await whole.subscription(CHANNEL) == before
    told = {answer.parent: answer.text for answer in answers(whole)}
    assert "only asks questions; for this there is unsubscribe" in told["80"]
    assert "only asks questions; for this there is pause" in told["81"]


async def test_what_is_no_question_of_a_person_is_let_be(discord: FakeDiscord, whole: Bot) -> None:
    await say(discord, "", id="90")
    await say(discord, f"<@{ADA}> kiln 2026-02-11", id="91")
    await say(discord, f"<@{BOT}> kiln", id="92", author={**user("77", "other"), "bot": True})
    await say(discord, f"<@{BOT}> kiln", id="93", guild_id=None, member=None)
    await say(discord, f"<@{BOT}> {SECRET} 2026-02-11", id="94")
    await eventually(lambda: answers(whole))

    (only,) = answers(whole)
    assert only.parent == "94"
    assert "or it is private" in only.text


@pytest.mark.parametrize("place", [VOICE, THREADLESS])
async def test_where_no_thread_can_be_made_the_channel_is_answered(
    discord: FakeDiscord, whole: Bot, place: str
) -> None:
    await say(discord, f"<@{BOT}> kiln 2026-02-11", channel_id=place)
    channel = Channel(Platform.DISCORD, GUILD, place)
    await eventually(lambda: whole.platform.said.get(channel))

    (answer,) = whole.platform.said[channel]
    assert answer.parent is None
    assert "kiln" in answer.text


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("<@900> what broke?", "what broke?"),
        ("<@!900>   what\nbroke?", "what broke?"),
        ("what broke? <@900>", "what broke?"),
        ("<@900>", ""),
        ("<@9001> what broke?", None),
        ("what broke?", None),
    ],
)
def test_a_question_stands_beside_the_mention(content: str, text: str | None) -> None:
    assert question_in(content, 900) == text
