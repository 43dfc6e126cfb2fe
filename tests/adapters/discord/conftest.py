"""A local Discord, and what listens to it."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any, cast

import discord as library
import pytest
from aiohttp import web

from adapters.discord.app import DiscordBot
from adapters.discord.client import DiscordPublisher
from adapters.discord.rest import Rest, point_at
from bot.answer.chat import Chat
from bot.model.channels import Channel, Platform
from tests.adapters.discord.local_discord import FakeDiscord, Fault
from tests.adapters.discord.objects import ADA, BO, BOT, DAILY, GUILD, VOICE
from tests.adapters.doors import FakeChat, KeptHolds, KeptValues
from tests.conftest import eventually

__all__ = [
    "ADA",
    "BO",
    "BOT",
    "CHANNEL",
    "DAILY",
    "GUILD",
    "TOKEN",
    "VOICE",
    "FakeChat",
    "FakeDiscord",
    "Fault",
    "KeptHolds",
    "KeptValues",
    "Listening",
    "eventually",
    "make_face",
    "up",
]

TOKEN = "fake-token"
CHANNEL = Channel(Platform.DISCORD, GUILD, DAILY)


@pytest.fixture
async def discord(clock: Any) -> AsyncIterator[FakeDiscord]:
    """Discord, reachable, and the library pointed at it."""
    fake = FakeDiscord(int(clock().timestamp() * 1000))
    runner = web.AppRunner(fake.application(), shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    assert site._server is not None
    port = cast(Any, site._server).sockets[0].getsockname()[1]
    fake.url = f"http://127.0.0.1:{port}"
    point_at(f"{fake.url}/api", f"ws://127.0.0.1:{port}/gateway")
    yield fake
    for socket in fake.sockets:
        await socket.close()
    await runner.cleanup()


@pytest.fixture
def values() -> KeptValues:
    """Where long values are kept."""
    return KeptValues()


@pytest.fixture
async def publisher(discord: FakeDiscord, values: KeptValues) -> AsyncIterator[DiscordPublisher]:
    """A publisher that is open."""
    rest = Rest(TOKEN)
    yield DiscordPublisher(rest, values)
    await rest.close()


@pytest.fixture
def chat() -> FakeChat:
    """The door."""
    return FakeChat()


@pytest.fixture
def leases() -> KeptHolds:
    """Who hears the gateway."""
    return KeptHolds()


def make_face(
    discord: FakeDiscord, publisher: DiscordPublisher, chat: FakeChat, leases: KeptHolds, clock: Any
) -> DiscordBot:
    return DiscordBot(
        publisher,
        cast(Chat, chat),
        leases,
        TOKEN,
        clock=clock,
        owner="me",
        heartbeat=0.05,
        pauses=(0.02,),
        guilds_within=0.01,
    )


@contextlib.asynccontextmanager
async def up(face: DiscordBot) -> AsyncIterator["asyncio.Task[None]"]:
    """Have a face listen until the end of a block."""
    task = asyncio.create_task(face.listen())
    yield task
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


@pytest.fixture
def face(
    discord: FakeDiscord, publisher: DiscordPublisher, chat: FakeChat, leases: KeptHolds, clock: Any
) -> DiscordBot:
    """A face that does not hear yet."""
    return make_face(discord, publisher, chat, leases, clock)


@dataclass
class Listening:
    """A face that hears."""

    face: DiscordBot
    task: "asyncio.Task[None]"


@pytest.fixture
async def listening(
    monkeypatch: pytest.MonkeyPatch, face: DiscordBot, chat: FakeChat
) -> AsyncIterator[Listening]:
    """A face that is up; the library's five seconds between two sessions are left out."""

    async def at_once(client: library.Client, shard: object, *, initial: bool) -> None:
        pass

    monkeypatch.setattr(library.Client, "before_identify_hook", at_once)
    async with up(face) as task:
        await eventually(lambda: task.done() or chat.looked)
        yield Listening(face, task)


@pytest.fixture
def faults() -> type[Fault]:
    """What can go wrong."""
    return Fault
