"""The first response comes in time or not at all; later ones are repeated where that is safe."""

import asyncio
from typing import Any

import pytest

from adapters.discord.client import DiscordPublisher
from adapters.discord.responder import FIRST_WITHIN, Interaction, Responder
from tests.adapters.discord.conftest import FakeDiscord
from tests.conftest import PATIENCE

WHO = Interaction("800", "1", "token-1")
BODY = {"content": "hello"}


@pytest.fixture
async def responder(publisher: DiscordPublisher) -> Responder:
    return Responder(publisher.rest)


async def test_a_follow_up_that_fails_is_said_once(
    discord: FakeDiscord, responder: Responder, faults: Any
) -> None:
    discord.fail("POST token-1", faults(status=502, after=True))

    assert not await responder.add(WHO, BODY)
    assert await responder.add(WHO, BODY)
    assert [each["flags"] for each in discord.added["token-1"]] == [64, 64]


async def test_an_edit_is_repeated_until_it_is_shown(
    discord: FakeDiscord, responder: Responder, faults: Any
) -> None:
    discord.fail("PATCH @original", faults(), faults(status=503))

    assert await responder.show(WHO, BODY)
    assert discord.shown["token-1"] == [BODY]


async def test_a_long_limit_is_not_waited_for_while_somebody_waits(
    discord: FakeDiscord, responder: Responder, faults: Any
) -> None:
    discord.fail("PATCH @original", faults(status=429, body={"retry_after": 3600}))

    async with asyncio.timeout(PATIENCE):
        assert not await responder.show(WHO, BODY)


async def test_a_first_response_that_hangs_is_given_up_before_discord_does(
    discord: FakeDiscord, responder: Responder, faults: Any
) -> None:
    discord.fail("POST callback", *[faults(status=500)] * 5)

    assert not await responder.defer(WHO)

    assert FIRST_WITHIN < 3  # seconds in which Discord wants to hear; it is what bounds the asking
