"""GitHub without a token, and one change looked at whole, over REST."""

from asyncio import gather
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import pytest
from aiohttp import web

from digest.errors import Forbidden, NotFound, RateLimited
from digest.models import Activity, Gap, Item, Kind, Repo, State
from digest.sources.github.files import RESERVED_REQUESTS
from tests.digest.sources.github.github_fake import (
    DAY,
    REPO,
    DictMemory,
    FakeGitHub,
    collect,
    keys,
    rest_commit,
    rest_file,
    serving,
    sha,
    source,
    with_address,
)
from tests.phrases import english

BASE = "/repos/acme/rocket"
AT = "2026-03-04T10:00:00Z"
COMMITS = f"{BASE}/commits?sha=main&per_page=100&until=2026-03-05T00:00:00Z"
LATER = f"{BASE}/commits?sha=main&per_page=100"
PULLS = f"{BASE}/pulls?state=closed&base=main&sort=updated&direction=desc&per_page=100"
ISSUES = f"{BASE}/issues?state=all&since=2026-03-04T00:00:00Z&sort=updated&per_page=100"


def rest_pull(number: int, merge: str | None, at: str = AT, **more: Any) -> dict[str, Any]:
    return {
        "number": number,
        "title": f"Pull {number}",
        "user": {"login": "renovate", "type": "Bot"},
        "body": None,
        "state": "closed",
        "draft": False,
        "labels": [{"name": "speed"}],
        "milestone": None,
        "created_at": at,
        "updated_at": at,
        "base": {"ref": "main"},
        "merged_at": at if merge else None,
        "merge_commit_sha": sha(merge) if merge else None,
        **more,
    }


def rest_issue(number: int, created: str, **more: Any) -> dict[str, Any]:
    return {
        "number": number,
        "title": f"Issue {number}",
        "user": {"login": "ada", "type": "User"},
        "body": "It breaks.",
        "state": "open",
        "state_reason": None,
        "labels": ["bug"],
        "milestone": {"title": "1.0"},
        "comments": 4,
        "reactions": {"total_count": 2},
        "created_at": created,
        "closed_at": None,
        **more,
    }


@pytest.fixture
async def fake() -> AsyncIterator[FakeGitHub]:
    async with serving() as server:
        server.headers = {"x-ratelimit-remaining": "50"}
        server.rest |= {
            BASE: {"full_name": "acme/rocket", "default_branch": "main", "private": False},
            COMMITS: [rest_commit("a", AT, "b")],
            LATER: [],
            PULLS: [rest_pull(12, "a"), rest_pull(11, None)],
            ISSUES: [rest_issue(12, AT, pull_request={"url": "x"})],
            f"{BASE}/releases?per_page=30": [],
            f"{BASE}/commits/{sha('a')}": {
                **rest_commit("a", AT, "b"),
                "files": [rest_file("core.py")],
            },
        }
        yield server


async def sparse(fake: FakeGitHub, **more: Any) -> Activity:
    return await collect(fake, token=None, **more)


async def find(fake: FakeGitHub, ref: str) -> Item:
    async with source(fake) as github:
        return await github.find(REPO, ref)


async def test_a_day_without_a_token_says_what_is_missing(fake: FakeGitHub) -> None:
    activity = await sparse(fake)
    assert keys(activity.items) == {"pull_request:12", f"commit:{sha('a')}"}
    change = activity.items[0]
    assert (change.author, change.author_is_bot) == ("renovate[bot]", True)
    assert (change.comments, change.reactions, change.labels) == (4, 2, ("speed",))
    assert change.files is not None
    assert change.files[0].patch
    assert "merged_by" in change.detail_missing
    assert "files" not in change.detail_missing
    assert [gap.what for gap in activity.gaps] == ["pull_requests"]
    assert "GITHUB_TOKEN" in english(activity.gaps[0].why)
    assert (activity.default_branch, activity.head) == ("main", sha("a"))


async def test_patches_are_left_out_before_the_hour_is_used_up(fake: FakeGitHub) -> None:
    fake.headers = {"x-ratelimit-remaining": "8"}
    activity = await sparse(fake)
    assert activity.items[0].files is None
    assert {gap.what for gap in activity.gaps} == {"pull_requests", "files", "patches"}
    assert "1 of 1 changes" in english(activity.gaps[1].why)


async def test_repositories_read_together_never_count_on_the_same_requests() -> None:
    names = ("one", "two", "three")
    left = 50

    def count_down(request: web.Request, body: bytes) -> web.StreamResponse | None:
        nonlocal left
        left -= 1
        _, _, _, name, *rest = request.path.split("/")
        value: Any = {"full_name": f"acme/{name}", "default_branch": "main", "private": False}
        if len(rest) == 2:
            value = {"files": [rest_file("rocket/core.py")]}
        elif rest == ["commits"]:
            letters = "abcdefghijklmnopqrst"
            value = [
                rest_commit(*each)
                for each in zip(letters, [AT] * 20, letters[1:] + "u", strict=True)
            ]
        elif rest:
            value = []
        headers = {"x-ratelimit-remaining": str(max(left, 0))}
        return web.json_response(with_address(value, request.path), headers=headers)

    async with serving() as fake, source(fake, token=None) as github:
        fake.faults.append(count_down)
        days = await gather(*(github.collect(Repo("acme", name), DAY) for name in names))

    assert left == RESERVED_REQUESTS
    read = [item.files is not None for day in days for item in day.items]
    assert sum(read) == 50 - RESERVED_REQUESTS - 3 * 6


async def test_an_hour_used_up_on_the_way_leaves_gaps_or_fails_whole(fake: FakeGitHub) -> None:
    def refuse(request: web.Request, body: bytes) -> web.StreamResponse | None:
        if request.path == BASE or (request.path.endswith("/commits") and keep):
            return None
        return web.json_response({}, status=403, headers={"x-ratelimit-remaining": "0"})

    fake.faults.append(refuse)
    keep = True
    activity = await sparse(fake)
    assert keys(activity.items) == {f"commit:{sha('a')}"}
    assert {"pull_requests", "issues", "releases"} <= {gap.what for gap in activity.gaps}
    keep = False
    with pytest.raises(RateLimited):
        await sparse(fake)


async def test_issues_without_a_token(fake: FakeGitHub) -> None:
    before = "2026-03-01T00:00:00Z"
    fake.rest[ISSUES] = [
        rest_issue(1, AT),
        rest_issue(2, before, state="closed", state_reason="not_planned", closed_at=AT),
        rest_issue(3, before, state_reason="reopened"),
        rest_issue(4, before),
    ]
    activity = await sparse(fake)
    told = {item.number: item for item in activity.items if item.kind is Kind.ISSUE}
    assert {number: item.state for number, item in told.items()} == {
        1: State.OPEN,
        2: State.NOT_PLANNED,
    }
    assert any("1 reopened" in english(gap.why) for gap in activity.gaps)
    assert (told[1].labels, told[1].milestone) == (("bug",), "1.0")


async def test_releases_without_a_token(fake: FakeGitHub) -> None:
    fake.rest[f"{BASE}/releases?per_page=30"] = [
        {
            "tag_name": "v1.0",
            "name": "One",
            "body": None,
            "draft": draft,
            "prerelease": False,
            "created_at": AT,
            "published_at": AT,
            "author": {"login": "ada"},
        }
        for draft in (False, True)
    ]
    activity = await sparse(fake)
    told = {item.ref: item.state for item in activity.items if item.kind is Kind.RELEASE}
    assert told == {"v1.0": State.PUBLISHED}


@pytest.mark.parametrize(
    ("more", "asks"),
    [
        ({}, True),
        ({"body": "**Full Changelog**: https://github.com/acme/rocket/compare/v0...v1"}, True),
        ({"body": "It lifts more than before"}, False),
        ({"prerelease": True}, False),
        ({"published_at": "2026-03-03T10:00:00Z"}, False),
    ],
)
async def test_without_a_token_one_request_tells_where_a_release_without_notes_stands(
    fake: FakeGitHub, more: dict[str, Any], asks: bool
) -> None:
    row = {"tag_name": "v1.0", "name": "One", "body": None, "draft": False, "prerelease": False}
    row |= {"created_at": AT, "published_at": AT, "author": {"login": "ada"}} | more
    fake.rest[f"{BASE}/releases?per_page=30"] = [row]
    place = f"{BASE}/commits/refs%2Ftags%2Fv1.0"
    fake.rest[place] = rest_commit("e", AT)
    activity = await sparse(fake)
    told = [item.tagged for item in activity.items if item.kind is Kind.RELEASE]
    assert told == ([] if "published_at" in more else [sha("e") if asks else ""])
    assert sum(place in line for line in fake.log) == asks
    fake.log.clear()
    fake.headers = {"x-ratelimit-remaining": str(RESERVED_REQUESTS)}
    await sparse(fake)
    assert not any(place in line for line in fake.log)


async def test_a_merge_and_what_came_after_the_day(fake: FakeGitHub) -> None:
    later = "2026-03-05T00:20:00Z"
    fake.rest[COMMITS] = [rest_commit("a", AT, "bx"), rest_commit("b", "2026-03-04T09:00:00Z", "c")]
    fake.rest[LATER] = [rest_commit("f", later, "a")]
    fake.rest[PULLS] = [rest_pull(13, "f", later), rest_pull(12, "a")]
    fake.rest[f"{BASE}/compare/{sha('b')}...{sha('a')}?per_page=100"] = {
        "commits": [rest_commit("x", "2026-02-01T00:00:00Z", "c")]
    }
    activity = await sparse(fake)
    assert keys(activity.items) == {
        "pull_request:12",
        *(f"commit:{sha(one)}" for one in "abx"),
    }
    assert set(activity.items[0].commits) == {sha("a"), sha("x")}
    assert keys(activity.later) == {"pull_request:13", f"commit:{sha('f')}"}
    assert activity.head == sha("f")


async def test_more_pages_than_an_hour_allows_are_gaps(fake: FakeGitHub) -> None:
    for path in (COMMITS, PULLS, ISSUES, LATER):
        fake.rest[path] = (fake.rest[path], {"Link": f'<{fake.url}{path}>; rel="next"'})
    activity = await sparse(fake)
    whats = [gap.what for gap in activity.gaps]
    assert {"commits", "issues", "pull_requests"} <= set(whats)
    assert f"commit:{sha('a')}" in keys(activity.items)


# ---- one change


async def test_a_rebased_or_open_pull_requests_files_come_from_itself(fake: FakeGitHub) -> None:
    fake.rest[f"{BASE}/issues/5"] = rest_issue(5, AT, pull_request={"url": "x"})
    row = rest_pull(5, "a", changed_files=2, additions=10, merged_by=None)
    fake.rest[f"{BASE}/pulls/5"] = row
    fake.rest[f"{BASE}/pulls/5/files?per_page=100"] = [rest_file("a.py"), rest_file("b.py")]
    assert len((await find(fake, "5")).files or ()) == 2
    for draft, state in ((True, State.DRAFT), (False, State.OPEN)):
        fake.rest[f"{BASE}/pulls/5"] = {**row, "merged_at": None, "state": "open", "draft": draft}
        assert (await find(fake, "5")).state is state
    fake.rest[f"{BASE}/pulls/5"] = {**row, "merged_at": None}
    assert (await find(fake, "5")).state is State.CLOSED


async def test_a_merged_branch_is_found_with_its_commits(fake: FakeGitHub) -> None:
    fake.rest[f"{BASE}/issues/6"] = rest_issue(6, AT, pull_request={"url": "x"})
    fake.rest[f"{BASE}/pulls/6"] = rest_pull(6, "m", changed_files=1, additions=5, merged_by=None)
    fake.rest[f"{BASE}/commits/{sha('m')}"] = {
        **rest_commit("m", AT, "bx"),
        "files": [rest_file("a.py")],
    }
    fake.rest[f"{BASE}/pulls/6/commits?per_page=100"] = [rest_commit("x", AT, "b")]
    assert (await find(fake, "6")).commits == (sha("x"), sha("m"))


async def test_issues_commits_releases_and_tags_are_found(fake: FakeGitHub) -> None:
    fake.rest[f"{BASE}/issues/7"] = rest_issue(7, AT)
    fake.rest[f"{BASE}/issues/7/events?per_page=100"] = []
    fake.rest[f"{BASE}/commits/aaaa"] = fake.rest[f"{BASE}/commits/{sha('a')}"]
    fake.rest[f"{BASE}/git/matching-refs/tags/v2.0"] = [{"ref": "refs/tags/v2.0"}]
    fake.rest[f"{BASE}/commits/v2.0"] = rest_commit("a", AT)
    fake.rest[f"{BASE}/git/matching-refs/tags/v3"] = [{"ref": "refs/tags/v3.1"}]
    fake.rest[f"{BASE}/releases/tags/v1.0"] = {
        "tag_name": "v1.0",
        "name": None,
        "body": "Notes",
        "draft": False,
        "prerelease": True,
        "created_at": AT,
        "published_at": AT,
        "author": {"login": "ada"},
    }
    assert (await find(fake, "7")).events[0].name == "opened"
    assert (await find(fake, "AAAA")).files is not None
    assert (await find(fake, "v1.0")).state is State.PRERELEASE
    tagged = await find(fake, "v2.0")
    assert (tagged.state, tagged.at) == (State.TAGGED, datetime(2026, 3, 4, 10, tzinfo=UTC))
    for unknown in ("#8", "8", "v3", "beef", ""):
        with pytest.raises(NotFound, match="no pull request, issue, commit or tag"):
            await find(fake, unknown)


async def test_nothing_of_a_private_repository_is_remembered(fake: FakeGitHub) -> None:
    fake.rest[BASE] |= {"private": True}
    fake.headers["ETag"] = '"1"'
    memory = DictMemory()
    async with source(fake, memory=memory) as github:
        with pytest.raises(Forbidden):
            await github.find(REPO, "12")
    with pytest.raises(Forbidden):
        await sparse(fake, memory=memory)
    assert memory.kept == {}


def thirty_pages(fake: FakeGitHub, path: str, pages: int, wrapped: bool) -> None:
    """Serve 100 files a page, with a link to the next page as long as there is one."""
    for page in range(1, pages + 1):
        rows = [rest_file(f"f{page}_{n}.py") for n in range(100)]
        here = path if page == 1 else f"{path}&page={page}"
        more = f'<{fake.url}{path}&page={page + 1}>; rel="next"' if page < pages else ""
        fake.rest[here] = ({"files": rows} if wrapped else rows, {"Link": more} if more else {})


async def test_a_list_that_ends_at_three_thousand_files_is_a_gap(fake: FakeGitHub) -> None:
    path = f"{BASE}/commits/{sha('a')}"
    thirty_pages(fake, f"{path}?x=1", 31, wrapped=True)
    first = [rest_file(f"f1_{n}.py") for n in range(100)]
    fake.rest[path] = ({"files": first}, {"Link": f'<{fake.url}{path}?x=1&page=2>; rel="next"'})
    activity = await sparse(fake)
    assert len(activity.items[0].files or ()) == 3000
    (gap,) = (gap for gap in activity.gaps if gap.what == "files")
    assert english(gap.why) == "GitHub lists no more than 3,000 files of a change: in #12"
    assert gap.lasting


BEFORE = "2026-03-01T10:00:00Z"
EVENTS = "events?per_page=100"


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
    releases = f"{BASE}/releases?per_page=30"
    fake.rest[releases] = ([release("v2.0", AT)], leads_to(fake, releases))
    merge = rest_commit("a", AT, "bc")
    fake.rest[COMMITS] = [merge]
    compare = f"{BASE}/compare/{sha('b')}...{sha('a')}?per_page=100"
    fake.rest[compare] = ({"commits": [rest_commit("c", BEFORE)]}, leads_to(fake, compare))
    activity = await collect(fake, token=None)
    assert len(gaps(activity.gaps, "releases")) == 1
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
