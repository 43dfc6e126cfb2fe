"""An answer about another repository or number than was asked for is no answer."""

from typing import Any

import pytest
from aiohttp import web

from digest.errors import NotFound
from digest.models import Activity, Item, Kind, Repo
from tests.digest.sources.github.github_fake import (
    REPO,
    FakeGitHub,
    collect,
    issue,
    one_pull_day,
    pull,
    rest_commit,
    rest_file,
    sha,
    source,
)
from tests.digest.sources.github.test_rest import (
    AT,
    BASE,
    COMMITS,
    ISSUES,
    LATER,
    PULLS,
    rest_issue,
    rest_pull,
)
from tests.phrases import english

SECRET = "Plan to buy Umbrella"
VAULT = "https://api.github.com/repos/acme/vault"
HOME = {"full_name": "acme/rocket", "default_branch": "main", "private": False}


def moved(fake: FakeGitHub, path: str, to: str, answer: Any) -> None:
    """Have a path lead to another, which gives an answer."""

    def redirect(request: web.Request, body: bytes) -> web.StreamResponse | None:
        if request.path != path:
            return None
        return web.Response(status=301, headers={"Location": to})

    fake.faults.append(redirect)
    fake.rest[to] = answer


async def find(fake: FakeGitHub, ref: str) -> Item:
    fake.rest.setdefault(BASE, HOME)
    async with source(fake) as github:
        return await github.find(REPO, ref)


@pytest.mark.parametrize("to", ["/repositories/77/issues/9", "/repositories/77/issues/5"])
@pytest.mark.parametrize("number", [5, 9])
async def test_an_issue_that_was_moved_away_is_not_there(
    fake: FakeGitHub, to: str, number: int
) -> None:
    answer = rest_issue(number, AT, title=SECRET, url=f"{VAULT}/issues/{number}")
    moved(fake, f"{BASE}/issues/5", to, answer)
    fake.rest[f"{BASE}/issues/{number}/events?per_page=100"] = []
    with pytest.raises(NotFound) as raised:
        await find(fake, "5")
    assert SECRET not in str(raised.value)


@pytest.mark.parametrize(
    ("ref", "path", "answer"),
    [
        ("5", f"{BASE}/pulls/5", rest_pull(5, None, title=SECRET, changed_files=0)),
        ("5", f"{BASE}/pulls/5", rest_pull(6, None, title=SECRET, changed_files=0)),
        ("abcd", f"{BASE}/commits/abcd", rest_commit("a", AT) | {"sha": "abcd" * 10, "files": []}),
        ("abcd", f"{BASE}/commits/abcd", rest_commit("b", AT) | {"files": []}),
        (
            "v1",
            f"{BASE}/releases/tags/v1",
            {"tag_name": "v1", "name": SECRET, "body": "", "draft": False, "prerelease": False}
            | {"created_at": AT, "published_at": AT, "author": None},
        ),
    ],
)
async def test_nothing_else_of_another_repository_is_told_either(
    fake: FakeGitHub, ref: str, path: str, answer: dict[str, Any]
) -> None:
    other = ("number" in answer and answer["number"] != 5) or answer.get("sha") == sha("b")
    fake.rest[f"{BASE}/issues/5"] = rest_issue(5, AT, pull_request={"url": "x"})
    fake.rest[f"{BASE}/pulls/5/files?per_page=100"] = []
    fake.rest[path] = answer if other else {**answer, "url": path.replace(BASE, VAULT)}
    fake.rest[f"{BASE}/commits/{'abcd' * 10}"] = {"files": []}
    with pytest.raises(NotFound):
        await find(fake, ref)


async def test_patches_of_another_repository_are_a_gap(fake: FakeGitHub) -> None:
    one_pull_day(fake)
    path = f"{BASE}/commits/{sha('a')}"
    fake.rest[path] = {"files": [rest_file("secret_plan.py")], "url": f"{VAULT}/commits/a"}
    activity = await collect(fake)
    assert "secret_plan.py" not in str(activity)
    assert [gap.what for gap in activity.gaps] == ["patches"]
    assert not activity.gaps[0].lasting


async def test_nodes_of_another_repository_are_gaps(fake: FakeGitHub) -> None:
    one_pull_day(fake)
    there = {"repository": {"nameWithOwner": "acme/vault"}}
    fake.pulls[12] |= there | {"title": SECRET}
    fake.streams["issues"] = [issue(3, AT, title=SECRET, **there)]
    fake.streams["reverts"] = [pull(13, "f", "2026-03-05T00:30:00Z", title=SECRET, **there)]
    activity = await collect(fake)
    assert SECRET not in str(activity)
    assert [item.kind for item in activity.items] == [Kind.COMMIT]
    assert {gap.what for gap in activity.gaps} == {"pull_requests", "issues"}


async def test_a_repository_that_becomes_another_on_the_way_is_not_mixed(
    fake: FakeGitHub,
) -> None:
    one_pull_day(fake)
    plain = fake.graphql

    def swapped(asked: dict[str, Any]) -> dict[str, Any]:
        if len(fake.queries) > 0:
            fake.name = "acme/vault"
            fake.pulls[12]["title"] = SECRET
        return plain(asked)

    fake.graphql = swapped  # type: ignore[method-assign]  # the fake becomes another one here
    activity = await collect(fake)
    assert activity.repo == Repo("acme", "rocket")
    assert SECRET not in str(activity)
    assert activity.gaps


async def sparse(fake: FakeGitHub) -> Activity:
    lists: dict[str, Any] = {
        BASE: HOME,
        COMMITS: [rest_commit("a", AT, "b")],
        LATER: [],
        PULLS: [],
        ISSUES: [],
        f"{BASE}/releases?per_page=30": [],
        f"{BASE}/commits/{sha('a')}": {"files": []},
    }
    fake.rest = lists | fake.rest
    return await collect(fake, token=None)


@pytest.mark.parametrize(
    ("path", "row", "what"),
    [
        (COMMITS, rest_commit("x", AT, "b"), "commits"),
        (PULLS, rest_pull(12, "a", title=SECRET), "pull_requests"),
        (ISSUES, rest_issue(3, AT, title=SECRET), "issues"),
        (
            f"{BASE}/releases?per_page=30",
            {"tag_name": "v1", "name": SECRET, "body": "", "draft": False, "prerelease": False}
            | {"created_at": AT, "published_at": AT, "author": None},
            "releases",
        ),
    ],
)
async def test_rows_of_another_repository_in_a_list_are_gaps(
    fake: FakeGitHub, path: str, row: dict[str, Any], what: str
) -> None:
    mine = [rest_commit("a", AT, "b")] if path == COMMITS else []
    fake.rest[path] = [*mine, {**row, "url": f"{VAULT}/x"}]
    activity = await sparse(fake)
    assert SECRET not in str(activity)
    assert sha("x") not in str(activity)
    assert [item.kind for item in activity.items] == [Kind.COMMIT]
    part = "GitHub gave a part of the answer only"
    assert (what, part) in {(gap.what, english(gap.why)) for gap in activity.gaps}
