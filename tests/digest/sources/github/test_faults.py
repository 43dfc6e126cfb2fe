"""What GitHub does when it is not well, and what is said then."""

import asyncio
import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

import pytest
from aiohttp import web

from digest.errors import BadAnswer, BadToken, Forbidden, NotFound, RateLimited, Unreachable
from digest.models import Kind
from digest.sources.github.client import CONCURRENT
from tests.digest.sources.github.github_fake import (
    DAY,
    REPO,
    FakeGitHub,
    Handler,
    Sleeper,
    collect,
    commit,
    one_pull_day,
    rest_file,
    serving,
    sha,
    source,
)
from tests.phrases import english

RESET = datetime(2026, 3, 5, 2, tzinfo=UTC)
EMPTY = {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(int(RESET.timestamp()))}


@pytest.fixture
async def fake() -> AsyncIterator[FakeGitHub]:
    async with serving() as server:
        one_pull_day(server)
        yield server


def answering(
    status: int = 200,
    value: Any = None,
    *,
    path: str = "",
    asks: str = "",
    times: int = 1_000,
    text: str | None = None,
    headers: dict[str, str] | None = None,
) -> Handler:
    """A fault for requests to `path` whose body holds `asks`, so many times."""
    left = [times]

    def fault(request: web.Request, body: bytes) -> web.StreamResponse | None:
        if path not in request.path or asks.encode() not in body or not left[0]:
            return None
        left[0] -= 1
        shown = text if text is not None else json.dumps(value)
        return web.Response(status=status, text=shown, headers=headers)

    return fault


def cutting(times: int) -> Handler:
    """A fault that closes the connection without an answer."""
    left = [times]

    def fault(request: web.Request, body: bytes) -> web.StreamResponse | None:
        if not left[0]:
            return None
        left[0] -= 1
        assert request.transport is not None
        request.transport.abort()
        return web.Response()

    return fault


@pytest.mark.parametrize(
    ("fault", "waited"),
    [
        (answering(502, {"data": None}, times=2), [0.5, 0.5]),
        (answering(text="<html>Unicorn!</html>", times=1), [0.5]),
        (answering(text='{"data": {"repo', times=2), [0.5, 0.5]),
        (answering(value={"data": None, "errors": [{"type": "INTERNAL"}]}, times=3), []),
        (answering(403, {"message": "secondary"}, times=1, headers={"Retry-After": "3"}), [3.0]),
        (answering(429, {"message": "slow down"}, times=1), [60.0]),
        (
            answering(
                value={"errors": [{"type": "RATE_LIMITED", "message": "secondary rate limit"}]},
                times=1,
                headers={"Retry-After": "7"},
            ),
            [7.0],
        ),
        (cutting(1), [0.5]),
    ],
)
async def test_a_short_trouble_is_overcome(
    fake: FakeGitHub, fault: Handler, waited: list[float]
) -> None:
    fake.faults.append(fault)
    sleeper = Sleeper()
    activity = await collect(fake, sleep=sleeper)
    assert {item.kind for item in activity.items} == {Kind.COMMIT, Kind.PULL_REQUEST}
    assert activity.gaps == ()
    assert sleeper.slept == waited


@pytest.mark.parametrize(
    ("fault", "error", "sentence"),
    [
        (answering(401, {"message": "Bad credentials"}), BadToken, "GITHUB_TOKEN"),
        (answering(502, {"data": None}), Unreachable, "try again"),
        (answering(text="<html>"), BadAnswer, "not JSON"),
        (answering(value=[1, 2]), BadAnswer, "form"),
        (answering(value={"data": {"repository": {"x": 1}}}), BadAnswer, "form"),
        (answering(value={"errors": [{"extensions": {"code": "x"}}]}), BadAnswer, "know"),
        (answering(403, {"message": "no"}), Forbidden, "access"),
        (answering(451, {"message": "dmca"}), Forbidden, "legal"),
        (answering(400, {"message": "?"}), BadAnswer, "GITHUB_API_URL"),
        (answering(403, {"message": "limit"}, headers=EMPTY), RateLimited, "02:00 UTC"),
        (answering(403, {"message": "API rate limit exceeded"}), RateLimited, "used up"),
        (
            answering(value={"errors": [{"type": "RATE_LIMITED"}]}, headers=EMPTY),
            RateLimited,
            "02:00 UTC",
        ),
        (
            answering(403, {"message": "secondary"}, headers={"Retry-After": "600"}),
            RateLimited,
            "01:10 UTC",
        ),
        (
            answering(
                value={"errors": [{"type": "RATE_LIMITED", "message": "secondary"}]},
                headers={"Retry-After": "1"},
            ),
            RateLimited,
            "pause",
        ),
        (
            answering(
                value={"data": {"repository": None}, "errors": [{"type": "NOT_FOUND"}]},
                path="/graphql",
            ),
            NotFound,
            "acme/rocket",
        ),
        (
            answering(value={"data": {"repository": None}, "errors": [{"type": "FORBIDDEN"}]}),
            Forbidden,
            "acme/rocket",
        ),
        (
            answering(value={"data": {"repository": None}, "errors": [{"type": "INTERNAL"}]}),
            Unreachable,
            "try again",
        ),
        (cutting(1_000), Unreachable, "broke off"),
    ],
)
async def test_a_lasting_trouble_is_one_clear_sentence(
    fake: FakeGitHub, fault: Handler, error: type[Exception], sentence: str
) -> None:
    fake.faults.append(fault)
    with pytest.raises(error, match=sentence):
        await collect(fake)
    assert len(fake.log) < 40, "trying again has an end"


async def test_a_stream_that_always_fails_becomes_a_gap_and_the_rest_is_told(
    fake: FakeGitHub,
) -> None:
    fake.faults.append(answering(502, {"data": None}, asks="IssueFacts"))
    activity = await collect(fake)
    assert {item.kind for item in activity.items} == {Kind.COMMIT, Kind.PULL_REQUEST}
    assert [gap.what for gap in activity.gaps] == ["issues"]


async def test_a_missing_part_is_asked_for_again_before_it_is_a_gap(fake: FakeGitHub) -> None:
    plain = fake.graphql
    losses = {"issues": 1, "tags": 5}

    def lossy(asked: dict[str, Any]) -> dict[str, Any]:
        answer = plain(asked)
        for name in losses:
            if losses[name] and name in answer["data"]["repository"]:
                losses[name] -= 1
                answer["data"]["repository"][name] = None
                error = {"type": "SERVICE_UNAVAILABLE", "path": ["repository", name]}
                answer.setdefault("errors", []).append(error)
        return answer

    fake.graphql = lossy  # type: ignore[method-assign]  # the fake itself answers partly here
    activity = await collect(fake)
    assert [gap.what for gap in activity.gaps] == ["releases"]
    assert len(activity.items) == 2


async def test_a_limit_reached_on_the_way_keeps_what_was_read(fake: FakeGitHub) -> None:
    fake.faults.append(answering(403, {}, asks="p12", headers=EMPTY))
    activity = await collect(fake)
    assert [item.kind for item in activity.items] == [Kind.COMMIT]
    assert [gap.what for gap in activity.gaps] == ["pull_requests"]


@pytest.mark.parametrize("status", [404, 422])
async def test_a_patch_that_github_does_not_have_is_a_gap_that_lasts(
    fake: FakeGitHub, status: int
) -> None:
    fake.faults.append(answering(status, {}, path="/commits/"))
    (gap,) = (await collect(fake)).gaps
    assert (gap.what, gap.lasting) == ("patches", True)


async def test_after_a_refusal_nothing_more_is_asked_until_the_reset(fake: FakeGitHub) -> None:
    fake.faults.append(answering(403, {}, headers=EMPTY))
    async with source(fake) as github:
        for _ in range(3):
            with pytest.raises(RateLimited) as raised:
                await github.collect(REPO, DAY)
            assert raised.value.retry_at == RESET
    assert len(fake.log) == 1


async def test_a_next_page_on_another_server_is_not_asked(fake: FakeGitHub) -> None:
    link = {"Link": '<http://127.0.0.1:9/x>; rel="next"'}
    path = f"/repos/acme/rocket/commits/{sha('a')}"
    fake.rest[path] = ({"files": [rest_file("a.py")]}, link)
    activity = await collect(fake)
    assert "another server" in english(activity.gaps[0].why)


def many_commits(fake: FakeGitHub, count: int) -> None:
    """A day of so many commits, the patch of each a request of its own."""
    shas = [f"{number:040x}" for number in range(count + 1)]
    fake.streams["commits"] = [
        commit("a", "2026-03-04T10:00:00Z")
        | {"oid": own, "parents": {"totalCount": 1, "nodes": [{"oid": parent}]}}
        for own, parent in pairwise(shas)
    ]
    fake.head = shas[0]
    for own in shas[:-1]:
        fake.rest[f"/repos/acme/rocket/commits/{own}"] = {"files": [rest_file("core.py")]}


async def test_nothing_is_sent_while_github_asks_for_a_pause(fake: FakeGitHub) -> None:
    many_commits(fake, 40)
    refused, is_over = [], False

    def slow_down(request: web.Request, body: bytes) -> web.StreamResponse | None:
        if is_over or "/commits/" not in request.path:
            return None
        refused.append(request.path)
        answer = {"message": "You have exceeded a secondary rate limit"}
        return web.json_response(answer, status=403, headers={"Retry-After": "3"})

    async def pause(seconds: float) -> None:
        nonlocal is_over
        await asyncio.sleep(0.3)
        is_over = True

    fake.faults.append(slow_down)
    activity = await collect(fake, sleep=pause)

    assert len(activity.items) == 40
    assert activity.gaps == ()
    assert len(refused) <= CONCURRENT


async def test_nothing_is_sent_after_the_last_request_of_the_hour(fake: FakeGitHub) -> None:
    many_commits(fake, 40)
    left = [10]

    def counting(request: web.Request, body: bytes) -> web.StreamResponse | None:
        if "/commits/" not in request.path:
            return None
        left[0] -= 1
        headers = {**EMPTY, "x-ratelimit-remaining": str(max(0, left[0]))}
        return web.json_response(fake.answer(request.path), headers=headers)

    fake.faults.append(counting)
    activity = await collect(fake)

    assert [gap.what for gap in activity.gaps] == ["patches"]
    assert -left[0] < CONCURRENT
