"""Discord is asked within its limits, and a limit that is over is forgotten."""

import contextlib
from typing import Any

import pytest

from adapters.discord import rest as asking
from adapters.discord.client import DiscordPublisher
from adapters.discord.errors import UnknownChannel
from adapters.discord.rest import FEWEST_SWEPT, Rest

CHANNELS = 700


async def ask_in_many(rest: Rest) -> int:
    """Ask in one channel after another, and give how many limits are known then."""
    for number in range(CHANNELS):
        with contextlib.suppress(UnknownChannel):
            await rest.ask("GET", "/channels/{channel_id}", channel_id=str(1_000 + number))
    assert rest._http
    return len(rest._http._buckets)


async def test_limits_of_channels_in_which_nothing_is_said_are_forgotten(
    publisher: DiscordPublisher, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[object] = []
    is_over = asking._is_over

    def counted(limit: Any, now: float) -> bool:
        looks.append(limit)
        return is_over(limit, now)

    monkeypatch.setattr(asking, "_is_over", counted)
    monkeypatch.setattr(asking, "SILENT", 0.0)

    assert await ask_in_many(publisher.rest) <= FEWEST_SWEPT
    assert len(looks) <= 2 * CHANNELS


async def test_limits_that_were_used_just_now_are_kept(publisher: DiscordPublisher) -> None:
    assert await ask_in_many(publisher.rest) >= CHANNELS
