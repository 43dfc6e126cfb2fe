"""What a server that is broken, hostile or not GitHub at all cannot do."""

import asyncio
import gzip
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest
from aiohttp import web

from digest.errors import BadAnswer, RateLimited, Unreachable
from tests.conftest import PATIENCE
from tests.digest.sources.github.github_fake import (
    DAY,
    NOW,
    REPO,
    DictMemory,
    FakeGitHub,
    Sleeper,
    collect,
    one_pull_day,
    serving,
    sha,
    source,
)

PATCH = f"/repos/acme/rocket/commits/{sha('a')}"


@pytest.fixture
async def fake() -> AsyncIterator[FakeGitHub]:
    async with serving() as server:
        one_pull_day(server)
        yield server


@pytest.fixture
async def elsewhere() -> AsyncIterator[FakeGitHub]:
    """Another server, which would answer gladly."""
    async with serving() as server:
        one_pull_day(server)
        yield server


def always(fake: FakeGitHub, **answer: Any) -> None:
    fake.faults.append(lambda request, body: web.Response(**answer))


async def test_another_server_gets_neither_token_nor_question(
    fake: FakeGitHub, elsewhere: FakeGitHub
) -> None:
    def away(request: web.Request, body: bytes) -> web.StreamResponse:
        return web.Response(status=301, headers={"Location": elsewhere.url + request.path_qs})

    fake.faults.append(away)
    with pytest.raises(BadAnswer, match="another server"):
        await collect(fake)
    async with source(fake) as github:
        with pytest.raises(BadAnswer, match="another server"):
            await github.find(REPO, "12")
    assert elsewhere.log == []


async def test_addresses_that_lead_in_a_circle_have_an_end(fake: FakeGitHub) -> None:
    def around(request: web.Request, body: bytes) -> web.StreamResponse:
        return web.Response(status=302, headers={"Location": request.path_qs})

    fake.faults.append(around)
    with pytest.raises(BadAnswer, match="circle"):
        await collect(fake)
    assert len(fake.log) < 60


@pytest.mark.parametrize("location", ["http://[", "//[::1", "http://", "x\u2028y:z"])
async def test_a_senseless_address_is_not_followed(fake: FakeGitHub, location: str) -> None:
    always(fake, status=301, headers={"Location": location})
    with pytest.raises((BadAnswer, Unreachable)):
        await collect(fake)


async def test_an_answer_that_comes_drop_by_drop_is_given_up(fake: FakeGitHub) -> None:
    async def drip(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse()
        await response.prepare(request)
        for _ in range(1_000):
            await response.write(b" ")
            await asyncio.sleep(0.05)
        return response

    app = web.Application()
    app.router.add_route("*", "/{tail:.*}", drip)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    with pytest.raises(Unreachable, match="in time"):
        async with asyncio.timeout(PATIENCE):
            await collect(fake, api_url=url, whole_seconds=0.3)
    await runner.cleanup()


async def test_a_packed_flood_does_not_fill_memory(fake: FakeGitHub) -> None:
    flood = gzip.compress(b" " * 40_000_000, compresslevel=1)
    always(fake, body=flood, headers={"Content-Encoding": "gzip"})
    with pytest.raises(BadAnswer, match="larger than 32 MB"):
        await collect(fake)


@pytest.mark.parametrize("after", ["Wed, 21 Oct 2026 07:28:00 GMT", "soon", "9" * 400, "-1"])
async def test_any_word_about_when_to_try_again_is_taken(fake: FakeGitHub, after: str) -> None:
    error = {"errors": [{"type": "RATE_LIMITED", "message": "secondary rate limit"}]}
    fake.faults.append(
        lambda request, body: web.json_response(error, headers={"Retry-After": after})
    )
    with pytest.raises(RateLimited, match="pause"):
        await collect(fake)
    fake.faults.clear()
    always(fake, status=403, text="secondary rate limit", headers={"Retry-After": after})
    with pytest.raises(RateLimited, match="pause"):
        await collect(fake)


async def test_nothing_changed_is_believed_only_where_it_was_asked(fake: FakeGitHub) -> None:
    memory = DictMemory()
    always(fake, status=304, headers={"ETag": '"x"'})
    with pytest.raises(BadAnswer):
        await collect(fake, token=None, memory=memory)
    assert memory.kept == {}


@pytest.mark.parametrize(
    ("reset", "pause"),
    [({}, timedelta(minutes=1)), ({"x-ratelimit-reset": "4000000000"}, timedelta(hours=1))],
)
async def test_a_limit_without_a_sound_end_does_not_last_for_ever(
    fake: FakeGitHub, reset: dict[str, str], pause: timedelta
) -> None:
    now = [NOW]
    always(fake, status=403, text="API rate limit", headers={"x-ratelimit-remaining": "0", **reset})
    async with source(fake, clock=lambda: now[0], sleep=Sleeper()) as github:
        for _ in range(2):
            with pytest.raises(RateLimited):
                await github.collect(REPO, DAY)
        assert len(fake.log) == 1
        fake.faults.clear()
        now[0] += pause
        assert (await github.collect(REPO, DAY)).items
