"""The first response comes in time or not at all; later ones are repeated where that is safe."""

import asyncio
from typing import Any

import pytest

from adapters.discord.client import DiscordPublisher
from adapters.discord.interactions import (
    FIRST_WITHIN,
    Interaction,
    Responder,
)
from bot.model.ports import MessageGone
from tests.adapters.discord.conftest import DAILY, FakeDiscord, eventually

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


async def test_a_follow_up_waits_for_a_limit(
    discord: FakeDiscord, responder: Responder, faults: Any
) -> None:
    slow = faults(status=429, body={"retry_after": 0.2, "message": "slow"})
    discord.fail("POST token-1", slow, slow)

    assert await responder.add(WHO, BODY)
    assert len(discord.added["token-1"]) == 1

    discord.fail("POST token-1", slow)
    assert await responder.attach(WHO, "report.html", b"<p>hello</p>")


async def test_an_edit_is_repeated_until_it_is_shown(
    discord: FakeDiscord, responder: Responder, faults: Any
) -> None:
    discord.fail("PATCH @original", faults(), faults(status=503))

    assert await responder.show(WHO, BODY)
    assert discord.shown["token-1"] == [BODY]


async def test_a_short_limit_is_waited_for(
    discord: FakeDiscord, responder: Responder, faults: Any
) -> None:
    slow = faults(status=429, body={"retry_after": 0.2, "message": "slow"})
    shut = faults(status=429, headers={"Via": "", "Retry-After": "1"}, body="error code: 1015")
    discord.fail("PATCH @original", slow, shut)

    assert await responder.show(WHO, BODY)
    assert discord.shown["token-1"] == [BODY]


async def test_a_first_response_does_not_wait_for_the_limits_of_the_bot(
    discord: FakeDiscord, publisher: DiscordPublisher, responder: Responder, faults: Any
) -> None:
    limit = {"retry_after": 30, "global": True, "message": "slow"}
    discord.fail("POST typing", faults(status=429, body=limit))
    path = f"/channels/{DAILY}/typing"
    limited = asyncio.create_task(publisher.rest.ask("POST", path))
    await eventually(lambda: discord.asked("POST", "typing"))

    assert await responder.defer(WHO)
    assert await responder.show(WHO, BODY)
    assert not limited.done()

    limited.cancel()
    await asyncio.gather(limited, return_exceptions=True)


async def test_an_interaction_is_answered_without_the_bots_token(
    discord: FakeDiscord, responder: Responder
) -> None:
    assert await responder.defer(WHO)
    assert await responder.show(WHO, BODY)
    assert await responder.add(WHO, BODY)
    assert await responder.attach(WHO, "report.html", b"<p>hello</p>")
    assert await responder.withdraw(WHO)

    assert len(discord.calls) == 5
    assert discord.with_token == set()


async def test_an_interaction_that_is_over_is_not_taken_for_a_refused_bot(
    discord: FakeDiscord, publisher: DiscordPublisher, faults: Any
) -> None:
    over = faults(status=401, body={"code": 50027, "message": "Invalid Webhook Token"})
    discord.fail("PATCH @original", over)

    with pytest.raises(MessageGone):
        await publisher.rest.respond("PATCH", "/webhooks/800/token-1/messages/@original", json=BODY)


async def test_a_first_response_that_hangs_is_given_up_before_discord_does(
    discord: FakeDiscord, responder: Responder, faults: Any
) -> None:
    discord.fail("POST callback", *[faults(status=500)] * 5)

    assert not await responder.defer(WHO)

    assert FIRST_WITHIN < 3  # seconds in which Discord wants to hear; it is what bounds the asking
