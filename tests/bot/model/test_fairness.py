"""What is costly has a fair limit for each person and each workspace."""

import pytest

from bot.model.channels import Person, Platform, Visit
from bot.model.commands import Search, ShowChange, ShowDigest, ShowRoundup, Why
from bot.model.policy import (
    A_PERSON,
    A_WORKSPACE,
    MOST_UNITS,
    cost,
)
from tests.bot.bot_fixture import Bot, open_bot
from tests.bot.platform_fake import ADA, ADA_HERE, BO_HERE, CHANNEL, KILN, OTHER, Transcript
from tests.conftest import SetClock


@pytest.mark.parametrize(
    ("command", "days", "units"),
    [
        (ShowDigest("kiln"), 1, 0),
        (ShowDigest("kiln"), 2, 0),
        (ShowDigest("kiln"), 7, 5),
        (ShowRoundup(), 92, MOST_UNITS),
        (ShowChange("kiln", "#1"), 1, 2),
        (Search("cache"), 1, 1),
        (Why("kiln", "#1"), 1, 0),
    ],
)
def test_long_ranges_deep_dives_and_searches_cost(command, days: int, units: int) -> None:
    assert cost(command, days) == units


async def test_who_asks_for_one_repository_after_another_that_nobody_gets_is_told_to_wait(
    bot: Bot,
) -> None:
    await bot.subscribe(repos=(KILN,))
    for number in range(A_PERSON.at_once):
        reply = await bot.chat.answer_text(f"acme/r{number} yesterday", ADA_HERE)
        assert "ask again in" not in reply.parts[0].summary
    refused = [
        await bot.chat.answer_text(text, ADA_HERE)
        for text in ("acme/more yesterday", "https://github.com/acme/more", "why acme/more 7")
    ]
    free = [
        await bot.chat.answer_text(text, ADA_HERE)
        for text in ("kiln yesterday", f"{KILN} yesterday", "why kiln 1101", "nonsense yesterday")
    ]

    assert ["ask again in" in each.parts[0].summary for each in refused] == [True] * 3
    assert not any("ask again in" in each.parts[0].summary for each in free)


async def test_who_asks_much_is_told_to_wait_and_nobody_else(bot: Bot, clock: SetClock) -> None:
    await bot.subscribe(repos=(KILN,))
    for _ in range(A_PERSON.at_once):
        reply = await bot.chat.answer_text("search cache", ADA_HERE)
        assert not reply.failed
    refused = await bot.chat.answer_text("search cache", ADA_HERE)
    free = await bot.chat.answer_text("kiln yesterday", ADA_HERE)
    of_another = await bot.chat.answer_text("search cache", BO_HERE)
    elsewhere = await bot.chat.answer_text("search cache", Visit(OTHER, ADA))
    clock.advance(minutes=1)
    later = await bot.chat.answer_text("search cache", ADA_HERE)

    assert refused.failed
    assert "ask again in 60 s" in refused.parts[0].summary
    assert [each.failed for each in (free, of_another, elsewhere, later)] == [False] * 4


async def test_many_people_of_a_workspace_share_its_allowance(
    sqlite_url: str, clock: SetClock
) -> None:
    async with open_bot(sqlite_url, clock, Transcript()) as bot:
        refused = ""
        for number in range(A_WORKSPACE.at_once + 1):
            person = Person(Platform.SLACK, "T1", f"U{number}", "someone")
            reply = await bot.chat.answer_text("search cache", Visit(CHANNEL, person))
            refused = reply.parts[0].summary if reply.failed else ""

        assert "this workspace" in refused
