"""One process hears the gateway; commands are told when they changed; bad tokens end it."""

import asyncio
from typing import Any

import pytest

from adapters.discord.app import DiscordBot
from adapters.discord.commands import COMMANDS
from adapters.discord.permissions import NEEDED, bits
from adapters.wiring.platforms import invited
from digest.errors import BadToken, ConfigurationError
from tests.adapters.discord.conftest import TOKEN, FakeDiscord, eventually, make_face, up
from tests.adapters.doors import KeptHolds
from tests.conftest import PATIENCE


async def test_commands_are_told_and_known_by_their_ids(
    discord: FakeDiscord, face: DiscordBot, publisher: Any, chat: Any
) -> None:
    await _heard(face, chat)

    assert [each["name"] for each in discord.commands] == [each["name"] for each in COMMANDS]
    assert "infra" in publisher.commands


async def _heard(face: DiscordBot, chat: Any) -> None:
    before = chat.looked
    async with up(face):
        await eventually(lambda: chat.looked > before)


async def test_a_second_process_waits_until_the_first_lets_go(
    discord: FakeDiscord, face: DiscordBot, chat: Any, leases: Any
) -> None:
    leases.owner = "another"
    async with up(face):
        await asyncio.sleep(0.2)
        assert discord.identified == 0

        await leases.release("discord gateway", "another")
        await eventually(lambda: chat.looked)
        assert leases.owner == "me"
    assert leases.owner == ""


async def test_who_loses_the_gateway_stops_hearing(
    discord: FakeDiscord, listening: Any, leases: Any
) -> None:
    await eventually(lambda: discord.sockets)
    leases.owner = "another"

    await eventually(lambda: discord.sockets[-1].closed)
    assert discord.identified == 1

    leases.owner = ""
    await eventually(lambda: discord.identified == 2)


@pytest.mark.parametrize(("code", "kind"), [(4004, BadToken), (4013, ConfigurationError)])
async def test_what_no_waiting_mends_ends_it(
    discord: FakeDiscord, face: DiscordBot, leases: Any, code: int, kind: type[Exception]
) -> None:
    discord.close_code = code

    with pytest.raises(kind):
        async with asyncio.timeout(PATIENCE):
            await face.listen()

    assert leases.owner == ""


async def test_a_refused_token_ends_it(discord: FakeDiscord, face: DiscordBot, faults: Any) -> None:
    discord.fail("GET @me", faults(status=401, body={"code": 0, "message": "401"}))

    with pytest.raises(BadToken, match="DISCORD_TOKEN"):
        await face.listen()


SLOW = {"status": 400, "body": {"code": 40062, "message": "slow"}, "headers": {"Retry-After": "1"}}


@pytest.mark.parametrize(
    "wrong",
    [
        {"GET @me": [{}, {"status": 503}], "PUT commands": [{"status": 503}]},
        {"PUT commands": [SLOW]},
    ],
    ids=["away", "limited"],
)
async def test_discord_that_is_away_or_limits_is_waited_for(
    discord: FakeDiscord, face: DiscordBot, chat: Any, faults: Any, wrong: Any
) -> None:
    for call, answers in wrong.items():
        discord.fail(call, *(faults(**each) for each in answers))

    assert await face.unheard() == "not reached yet"
    await _heard(face, chat)


async def test_a_lost_database_keeps_the_gateway_shut_until_it_is_back(
    discord: FakeDiscord, publisher: Any, chat: Any, clock: Any
) -> None:
    face = make_face(discord, publisher, chat, KeptHolds(lost=3), clock)
    async with up(face):
        await eventually(lambda: discord.identified)
        await eventually(lambda: chat.looked)
        assert await face.unheard() == ""


async def test_the_invitation_asks_for_what_is_used_and_no_more(
    discord: FakeDiscord, faults: Any
) -> None:
    link = await invited(TOKEN, f"{discord.url}/api")

    assert link == (
        "https://discord.com/oauth2/authorize?client_id=800"
        f"&scope=applications.commands+bot&permissions={bits()}"
    )
    assert bits() == sum(1 << bit for bit in (10, 11, 14, 16, 35, 38))
    assert len(NEEDED) == 6

    discord.fail("GET @me", faults(status=401, body={"code": 0, "message": "401"}))
    with pytest.raises(BadToken):
        await invited(TOKEN, f"{discord.url}/api")


def test_commands_keep_discords_limits() -> None:
    def texts(command: Any) -> int:
        own = len(command["name"]) + len(command.get("description", ""))
        chosen = sum(len(each["name"] + each["value"]) for each in command.get("choices", ()))
        return own + chosen + sum(texts(each) for each in command.get("options", ()))

    def check(command: Any) -> None:
        assert 1 <= len(command["name"]) <= 32
        assert len(command.get("description", "x")) in range(1, 101)
        assert len(command.get("options", ())) <= 25
        assert len(command.get("choices", ())) <= 25
        required = [bool(each.get("required")) for each in command.get("options", ())]
        assert required == sorted(required, reverse=True)
        assert not (command.get("choices") and command.get("autocomplete"))
        for each in command.get("options", ()):
            check(each)

    for command in COMMANDS:
        check(command)
        assert texts(command) <= 8_000
        assert command["contexts"] == [0]
