"""What is offered to somebody who types what a channel shall give up."""

from dataclasses import replace
from typing import Any

import pytest

from tests.adapters.discord.asked import TYPING, option, typed
from tests.adapters.discord.conftest import FakeChat, FakeDiscord, eventually

REPOS = ("example-org/kiln", "example-org/flint")


async def offered(discord: FakeDiscord, text: str) -> list[str]:
    data = typed("infra-channel", option("repos", text, focused=True), sub="unsubscribe")
    id = await discord.interact(TYPING, data)
    await eventually(lambda: discord.callbacks[id])
    (said,) = discord.callbacks[id]
    return [each["value"] for each in said["data"]["choices"]]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", [*REPOS, "all"]),
        ("fl", ["example-org/flint", "fl"]),
        ("al", ["all", "al"]),
        ("example-org/flint ", ["example-org/flint example-org/kiln"]),
    ],
)
async def test_what_a_channel_gives_up_is_chosen_from_what_it_gets(
    discord: FakeDiscord, listening: Any, chat: FakeChat, text: str, found: list[str]
) -> None:
    chat.form = replace(chat.form, repos=REPOS, is_new=False)
    assert await offered(discord, text) == [*found, *([text] if text.endswith(" ") else [])]


async def test_a_channel_that_gets_nothing_is_offered_the_names_that_are_known(
    discord: FakeDiscord, listening: Any
) -> None:
    assert await offered(discord, "gl") == ["sglang", "gl"]


async def test_who_typed_no_zone_yet_is_offered_those_of_most_people(
    discord: FakeDiscord, listening: Any
) -> None:
    data = typed("infra-channel", option("tz", "", focused=True), sub="settings")
    id = await discord.interact(TYPING, data)
    await eventually(lambda: discord.callbacks[id])
    (said,) = discord.callbacks[id]
    assert [each["value"] for each in said["data"]["choices"]][-2:] == ["Asia/Tokyo", "UTC"]
