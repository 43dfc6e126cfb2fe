"""Where the environment names a proxy, Discord is reached through it, as all else is."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any, cast

import discord
import pytest
from discord.http import Route

from adapters.discord.app import DiscordBot
from adapters.discord.client import DiscordPublisher
from adapters.discord.interactions import Interaction, Responder
from adapters.discord.rest import Rest
from adapters.web.client import proxy_for
from bot.model.ports import PublishError
from tests.adapters.doors import FakeChat

API = "http://discord.invalid/api/v10"


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


@pytest.fixture
async def proxied(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[list[str]]:
    """What a proxy was asked; it lets nobody through."""
    asked: list[str] = []

    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append((await reader.readline()).decode())
        writer.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        writer.close()

    server = await asyncio.start_server(refuse, "127.0.0.1", 0)
    address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    monkeypatch.setenv("HTTP_PROXY", address)
    monkeypatch.setenv("HTTPS_PROXY", address)
    monkeypatch.setattr(Route, "BASE", API)
    yield asked
    server.close()


async def test_discords_api_is_asked_through_the_proxy(proxied: list[str]) -> None:
    rest = Rest("token")
    with pytest.raises(PublishError):
        await rest.user()
    await rest.close()

    assert proxied == [f"GET {API}/users/@me HTTP/1.1\r\n"]


async def test_interactions_are_answered_through_the_proxy(proxied: list[str]) -> None:
    rest = Rest("token")
    await Responder(rest).add(Interaction("1", "2", "3"), {"content": "hello"})
    await rest.close()

    assert proxied == [f"POST {API}/webhooks/1/3 HTTP/1.1\r\n"]


async def test_the_gateway_is_reached_through_the_proxy(proxied: list[str], clock: Any) -> None:
    none = cast(Any, None)
    publisher = DiscordPublisher(Rest("token"), none)
    face = DiscordBot(publisher, cast(Any, FakeChat()), none, "token", clock=clock, owner="a")
    client = face._client()
    client.http.loop = asyncio.get_running_loop()
    await client._async_setup_hook()
    with pytest.raises(discord.HTTPException):
        await client.login("token")
    with pytest.raises(Exception, match="403"):
        await client.http.ws_connect("ws://gateway.invalid/")
    await client.close()

    assert len(proxied) == 2
    assert "gateway.invalid" in proxied[1]


def test_what_is_named_as_near_is_reached_directly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy.example:3128")
    monkeypatch.setenv("NO_PROXY", "near.example,127.0.0.1")

    assert proxy_for("https://discord.com/api/v10") == "http://proxy.example:3128"
    assert proxy_for("https://near.example/api") is None
    assert proxy_for("https://127.0.0.1:8443/") is None
    assert proxy_for("http://discord.com/") is None
