"""A file is fetched from the public internet alone, wherever its address leads to."""

from collections.abc import AsyncIterator

import pytest
from aiohttp import web

from adapters.web import client
from adapters.web.client import fetched, is_public
from digest.errors import CouldNotLook, UsageError

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
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, LOOPBACK, 0).start()
    yield f"http://localhost:{runner.addresses[0][1]}"
    await runner.cleanup()


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
     "[64:ff9b:1::a00:7]", "[2002:7f00:1::]", "[::127.0.0.1]", "[::1]", "[fec0::1]"],
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
