"""The web as it is asked: through proxies, and files from public addresses alone."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any, cast

import discord
import pytest
from aiohttp import web
from discord.http import Route

from adapters.discord.app import DiscordBot
from adapters.discord.client import DiscordPublisher
from adapters.discord.interactions import Interaction, Responder
from adapters.discord.rest import Rest
from adapters.web import client
from adapters.web.client import fetched, is_public, proxy_for
from bot.model.ports import PublishError
from digest.errors import CouldNotLook, UsageError
from tests.adapters.doors import FakeChat
from tests.adapters.web_served import served

LOOPBACK = "127.0.0.1"


@pytest.fixture
async def server() -> AsyncIterator[str]:
    async def answer(request: web.Request) -> web.Response:
        match request.path:
            case "/own.toml":
                return web.Response(text="surface = 1")
            case "/large":
                return web.Response(body=b"x" * 3_000_000)
            case "/binary":
                return web.Response(body=b"\xff\xfe\x00")
            case "/inside":
                raise web.HTTPFound("http://169.254.169.254/latest/meta-data")
            case "/away":
                raise web.HTTPFound("/own.toml")
            case "/circle":
                raise web.HTTPFound("/circle")
            case "/file":
                raise web.HTTPFound("file:///etc/passwd")
        raise web.HTTPForbidden

    app = web.Application()
    app.router.add_get("/{tail:.*}", answer)
    async with served(app) as url:
        yield url.replace(LOOPBACK, "localhost")


async def asked(url: str, name: str = "") -> str:
    def allowed(address: str) -> bool:
        return address in (LOOPBACK, "::1") or is_public(address)

    return await fetched(url, name, allowed=allowed, schemes=("http",), seconds=5)


async def test_a_file_is_given_also_where_its_address_leads_on(server: str) -> None:
    assert await asked(f"{server}/own.toml") == "surface = 1"
    assert await asked(f"{server}/away") == "surface = 1"


@pytest.mark.parametrize(
    ("path", "error", "says"),
    [
        ("inside", UsageError, "169.254.169.254 is no public address"),
        ("file", UsageError, "public https address"),
        ("circle", CouldNotLook, "too often"),
        ("other", CouldNotLook, "answers 403"),
        ("large", UsageError, "larger than"),
        ("binary", UsageError, "no text"),
    ],
)
async def test_what_is_no_public_file_is_a_line(
    server: str, path: str, error: type[Exception], says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "MOST_BYTES", 1_000_000)
    with pytest.raises(error, match=says) as caught:
        await asked(f"{server}/{path}")
    assert "\n" not in str(caught.value)


async def test_an_uploaded_file_is_called_by_its_name(server: str) -> None:
    with pytest.raises(UsageError, match=r"own\.toml is no text") as caught:
        await asked(f"{server}/binary", "own.toml")
    assert server not in str(caught.value)


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "localhost", "10.0.0.7", "192.168.1.1", "169.254.169.254", "0.0.0.0",
     "[::ffff:127.0.0.1]", "[fd00::1]", "100.64.0.1", "[64:ff9b::a9fe:a9fe]",
     "[64:ff9b:1::a00:7]", "[2002:7f00:1::]", "[::127.0.0.1]", "[::1]", "[fec0::1]",
     "①②⑦.0.0.1", "169。254。169。254"],
)  # fmt: skip
async def test_an_address_inside_is_never_asked(host: str) -> None:
    with pytest.raises(UsageError, match="no public address"):
        await fetched(f"https://{host}/own.toml", seconds=5)


def test_an_address_outside_is_asked_also_through_nat64() -> None:
    # documentation's own addresses are public to nobody: those of DNS roots are
    assert is_public("2001:500:2::c")
    assert is_public("64:ff9b::c021:40c")
    assert is_public("2002:c021:40c::1")


@pytest.mark.parametrize(
    "url", ["http://example.org/x", "https://a:b@example.org/x", "https://", "x"]
)
async def test_only_https_without_a_login_is_asked(url: str) -> None:
    with pytest.raises(UsageError, match="public https address"):
        await fetched(url, seconds=5)


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
