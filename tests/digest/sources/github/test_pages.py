"""Every page without a token, as far as one hour's requests go; what is left out is said."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from aiohttp import web

from digest.errors import Forbidden
from digest.models import Gap, Repo
from tests.digest.sources.github.github_fake import (
    REPO,
    DictMemory,
    FakeGitHub,
    collect,
    rest_commit,
    rest_file,
    serving,
    sha,
    source,
    with_address,
)
from tests.digest.sources.github.test_sparse import (
    AT,
    BASE,
    COMMITS,
    ISSUES,
    LATER,
    PULLS,
    rest_issue,
)
from tests.phrases import english

BEFORE = "2026-03-01T10:00:00Z"
EVENTS = "events?per_page=100"


@pytest.fixture
async def fake() -> AsyncIterator[FakeGitHub]:
    async with serving() as server:
        server.headers = {"x-ratelimit-remaining": "50"}
        server.rest |= {
            BASE: {"full_name": "acme/rocket", "default_branch": "main", "private": False},
            COMMITS: [rest_commit("a", AT, "b")],
            LATER: [],
            PULLS: [],
            ISSUES: [],
            f"{BASE}/releases?per_page=30": [],
            f"{BASE}/tags?per_page=100": [],
            f"{BASE}/commits/{sha('a')}": {
                **rest_commit("a", AT, "b"),
                "files": [rest_file("core.py")],
            },
        }
        yield server


def leads_to(fake: FakeGitHub, path: str) -> dict[str, str]:
    return {"Link": f'<{fake.url}{path}>; rel="next"'}


def release(tag: str, at: str) -> dict[str, Any]:
    return {
        "tag_name": tag,
        "name": None,
        "body": None,
        "draft": False,
        "prerelease": False,
        "created_at": at,
        "published_at": at,
        "author": None,
    }


def gaps(found: tuple[Gap, ...], what: str) -> list[str]:
    return [english(gap.why) for gap in found if gap.what == what]


async def test_a_reopening_after_a_hundred_other_events_is_told(fake: FakeGitHub) -> None:
    fake.rest[ISSUES] = [rest_issue(3, BEFORE, state_reason="reopened")]
    labels = [{"event": "labeled", "created_at": BEFORE}] * 100
    more = f"{BASE}/issues/3/{EVENTS}&page=2"
    fake.rest[f"{BASE}/issues/3/{EVENTS}"] = (labels, leads_to(fake, more))
    fake.rest[more] = [{"event": "reopened", "created_at": AT}]
    assert "1 reopened" in gaps((await collect(fake, token=None)).gaps, "issues")[0]
    fake.rest[f"{BASE}/issues/3"] = rest_issue(3, BEFORE, state_reason="reopened")
    async with source(fake) as github:
        found = await github.find(REPO, "3")
    assert [event.name for event in found.events] == ["opened", "reopened"]


async def test_lists_without_an_end_are_left_with_a_gap(fake: FakeGitHub) -> None:
    releases, tags = f"{BASE}/releases?per_page=30", f"{BASE}/tags?per_page=100"
    fake.rest[releases] = ([release("v2.0", AT)], leads_to(fake, releases))
    fake.rest[tags] = ([{"name": "x", "commit": {"sha": sha("c")}}], leads_to(fake, tags))
    merge = rest_commit("a", AT, "bc")
    fake.rest[COMMITS] = [merge]
    compare = f"{BASE}/compare/{sha('b')}...{sha('a')}?per_page=100"
    fake.rest[compare] = ({"commits": [rest_commit("c", BEFORE)]}, leads_to(fake, compare))
    activity = await collect(fake, token=None)
    assert len(gaps(activity.gaps, "releases")) == 2
    assert "brought more" in gaps(activity.gaps, "commits")[0]
    assert len(fake.log) < 30


async def test_a_private_repository_is_refused_under_the_name_that_was_asked(
    fake: FakeGitHub,
) -> None:
    fake.rest[BASE] = {"full_name": "acme/secret-plan", "default_branch": "main", "private": True}
    fake.name, fake.private = "acme/secret-plan", True
    now = Repo("acme", "secret-plan")
    for allowed in (frozenset[Repo](), frozenset({REPO}), frozenset({now})):
        with pytest.raises(Forbidden, match="acme/rocket is private") as raised:
            await collect(fake, private_repos=allowed)
        assert "secret-plan" not in str(raised.value)
        async with source(fake, private_repos=allowed) as github:
            with pytest.raises(Forbidden) as raised:
                await github.find(REPO, "9")
        assert "secret-plan" not in str(raised.value)


async def test_what_may_have_changed_is_asked_again_on_condition(fake: FakeGitHub) -> None:
    told: list[str | None] = []
    row = {"url": f"https://api.github.com{BASE}/issues/3", **rest_issue(3, AT)}

    def with_etag(request: web.Request, body: bytes) -> web.StreamResponse | None:
        if not request.path.endswith("/issues/3"):
            return None
        told.append(request.headers.get("If-None-Match"))
        if told[-1] == f'"{row["comments"]}"':
            return web.Response(status=304)
        return web.json_response(row, headers={"ETag": f'"{row["comments"]}"'})

    fake.faults.append(with_etag)
    fake.rest[f"{BASE}/issues/3/{EVENTS}"] = []
    memory = DictMemory()
    for comments in (4, 4, 5):
        row["comments"] = comments
        async with source(fake, memory=memory) as github:
            assert (await github.find(REPO, "3")).comments == comments
    assert told == [None, '"4"', '"4"']
    async with source(fake, memory=memory, token="another") as github:
        await github.find(REPO, "3")
    assert told[-1] is None, "what one token was told is not shown to another"


async def test_a_page_that_follows_an_unchanged_one_is_read(fake: FakeGitHub) -> None:
    row = rest_issue(3, BEFORE, state_reason="reopened")
    fake.rest[f"{BASE}/issues/3"] = row
    more = f"{BASE}/issues/3/{EVENTS}&page=2"
    fake.rest[more] = [{"event": "reopened", "created_at": AT}]
    full = [{"event": "labeled", "created_at": BEFORE}] * 100

    def unchanged(request: web.Request, body: bytes) -> web.StreamResponse | None:
        if request.path_qs != f"{BASE}/issues/3/{EVENTS}":
            return None
        if request.headers.get("If-None-Match") == '"full"':
            return web.Response(status=304, headers=leads_to(fake, more))
        rows = with_address(full, request.path)
        return web.json_response(rows, headers={"ETag": '"full"'})

    fake.faults.append(unchanged)
    memory, told = DictMemory(), []
    for _ in range(2):
        async with source(fake, memory=memory) as github:
            found = await github.find(REPO, "3")
        told.append([event.name for event in found.events])

    assert told == [["opened"], ["opened", "reopened"]]
