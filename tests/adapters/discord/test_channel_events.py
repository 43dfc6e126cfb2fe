"""Discord says that servers and channels go and come back; the subscriptions follow."""

import asyncio
from typing import Any, cast

import pytest

from bot.deliver.unreachable_channels import Absence
from bot.model.channels import Platform
from tests.adapters.discord.conftest import (
    CHANNEL,
    DAILY,
    GUILD,
    FakeChat,
    FakeDiscord,
    Listening,
    eventually,
)
from tests.adapters.discord.objects import guild
from tests.adapters.doors import Lives


@pytest.fixture
async def lives(listening: Listening, chat: FakeChat) -> Lives:
    """What is told of by a face that hears."""
    lives = chat.delivering.unreachable
    await eventually(lambda: lives.said)
    return lives


async def told(lives: Lives, discord: FakeDiscord, name: str, data: Any) -> tuple[Any, ...]:
    lives.said.clear()
    await discord.dispatch(name, data)
    await eventually(lambda: lives.said)
    return cast(tuple[Any, ...], lives.said[0])


def daily(**more: Any) -> dict[str, Any]:
    return {"id": DAILY, "guild_id": GUILD, "type": 0, "name": "daily", "position": 0} | more


async def test_a_server_that_is_left_and_joined_again_is_told_of(
    lives: Lives, discord: FakeDiscord
) -> None:
    left = await told(lives, discord, "GUILD_DELETE", {"id": GUILD})
    new = {name: value for name, value in guild().items() if name != "unavailable"}
    joined = await told(lives, discord, "GUILD_CREATE", new)

    assert left == ("workspace gone", Platform.DISCORD, GUILD)
    assert joined == ("workspace back", Platform.DISCORD, GUILD)


async def test_a_server_that_is_down_is_not_left(lives: Lives, discord: FakeDiscord) -> None:
    lives.said.clear()
    await discord.dispatch("GUILD_DELETE", {"id": GUILD, "unavailable": True})
    await asyncio.sleep(0.1)

    assert lives.said == []


async def test_a_channel_that_is_deleted_is_told_of(lives: Lives, discord: FakeDiscord) -> None:
    gone = await told(lives, discord, "CHANNEL_DELETE", daily())

    assert gone == ("gone", CHANNEL, Absence.DELETED)


async def test_permissions_that_change_may_let_the_bot_in_again(
    lives: Lives, discord: FakeDiscord
) -> None:
    lives.said.clear()
    await discord.dispatch("CHANNEL_UPDATE", daily(name="renamed"))
    await asyncio.sleep(0.1)
    assert lives.said == []

    overwrite = {"id": GUILD, "type": 0, "allow": "1024", "deny": "0"}
    changed = daily(name="renamed", permission_overwrites=[overwrite])
    assert await told(lives, discord, "CHANNEL_UPDATE", changed) == ("back", CHANNEL, False)
