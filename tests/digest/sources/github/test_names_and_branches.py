"""Repositories that are private, renamed or moved, and branches that are pushed to late."""

from datetime import UTC, datetime
from typing import Any

import pytest

from digest.errors import Forbidden
from digest.models import Activity, Kind, NoticeKind, Repo
from digest.ports import Seen, SeenSince
from digest.sources.github.answers import moment
from tests.digest.sources.github.github_fake import (
    NOW,
    FakeGitHub,
    collect,
    commit,
    keys,
    one_pull_day,
    rest_commit,
    rest_file,
    sha,
)


def seeing(branch: str, head: str, at: datetime) -> SeenSince:
    async def seen_since(repo: Repo, moment: datetime) -> tuple[Seen, ...]:
        return (Seen(branch, sha(head), at),)

    return seen_since


async def test_a_private_repository_is_refused_unless_listed(fake: FakeGitHub) -> None:
    one_pull_day(fake)
    fake.private = True
    with pytest.raises(Forbidden, match="INFRA_PRIVATE_REPOS"):
        await collect(fake)
    activity = await collect(fake, private_repos=frozenset({Repo("Acme", "Rocket")}))
    assert activity.items


async def test_a_renamed_repository_is_told_under_its_new_name(fake: FakeGitHub) -> None:
    one_pull_day(fake)
    fake.name = "acme/spaceship"
    fake.pulls.clear()
    activity = await collect(fake)
    assert activity.repo == Repo("acme", "spaceship")
    notice = activity.notices[0]
    assert (notice.kind, notice.after) == (NoticeKind.RENAMED, "acme/spaceship")


async def test_a_moved_repository_that_graphql_does_not_know_is_found_by_rest(
    fake: FakeGitHub,
) -> None:
    one_pull_day(fake)
    known, fake.name = fake.graphql, "acme/starship"
    fake.rest |= {path.replace("rocket", "starship"): row for path, row in fake.rest.items()}
    fake.rest["/repos/acme/rocket"] = {
        "full_name": "acme/starship",
        "default_branch": "main",
        "private": False,
    }

    def forgetful(asked: dict[str, Any]) -> dict[str, Any]:
        if asked["variables"]["name"] == "starship":
            return known(asked)
        return {"data": {"repository": None}, "errors": [{"type": "NOT_FOUND"}]}

    fake.graphql = forgetful  # type: ignore[method-assign]  # the fake forgets the old name here
    activity = await collect(fake)
    assert str(activity.repo) == "acme/starship"
    assert activity.items[0].key.startswith("acme/starship:")
    assert activity.items[0].url.startswith("https://github.com/acme/starship/")
    (notice,) = activity.notices
    assert (notice.before, notice.after) == ("acme/rocket", "acme/starship")


@pytest.mark.parametrize("token", ["t0ken", None])
async def test_a_commit_pushed_after_its_day_was_told_is_told_on_the_next(
    fake: FakeGitHub, token: str | None
) -> None:
    seen_at = datetime(2026, 3, 4, 9, tzinfo=UTC)
    lists(fake, ("a", "2026-03-03T22:00:00Z", "b"))

    def commits(activity: Activity) -> list[datetime]:
        return [item.at for item in activity.items if item.kind is Kind.COMMIT]

    assert commits(await collect(fake, token=token)) == []
    seen_since = seeing("main", "b", seen_at)
    assert commits(await collect(fake, token=token, seen_since=seen_since)) == [seen_at]


@pytest.mark.parametrize("token", ["t0ken", None])
async def test_a_commit_made_days_before_it_was_pushed_hides_neither_itself_nor_what_is_below(
    fake: FakeGitHub, token: str | None
) -> None:
    noon, morning = "2026-03-04T12:00:00Z", "2026-03-04T08:00:00Z"
    days_ago, long_ago = "2026-02-28T12:00:00Z", "2026-01-01T12:00:00Z"
    lists(fake, ("c", noon, "b"), ("b", days_ago, "a"), ("a", morning, "9"), ("9", long_ago, "8"))
    landed = {item.commits[0]: item.at for item in (await collect(fake, token=token)).items}
    assert landed == {
        sha("c"): moment(noon),
        sha("b"): moment(morning),
        sha("a"): moment(morning),
    }


@pytest.mark.parametrize("token", ["t0ken", None])
async def test_commits_of_last_week_that_are_pushed_today_are_told_once_the_head_was_seen(
    fake: FakeGitHub, token: str | None
) -> None:
    seen_at = datetime(2026, 3, 4, 9, tzinfo=UTC)
    days_ago, long_ago = "2026-02-28T12:00:00Z", "2026-01-01T12:00:00Z"
    lists(fake, ("b", days_ago, "a"), ("a", days_ago, "9"), ("9", long_ago, "8"))

    activity = await collect(fake, token=token, seen_since=seeing("main", "9", seen_at))
    assert [(item.commits[0], item.at) for item in activity.items] == [
        (sha("b"), seen_at),
        (sha("a"), seen_at),
    ]
    assert (await collect(fake, token=token)).items == (), "nobody knows when they were pushed"


@pytest.mark.parametrize("token", ["t0ken", None])
@pytest.mark.parametrize("tip", ["d", "e"])
async def test_a_commit_made_days_before_it_was_pushed_hides_no_day_that_was_over_by_then(
    fake: FakeGitHub, token: str | None, tip: str
) -> None:
    morning, noon = "2026-03-04T08:00:00Z", "2026-03-04T12:00:00Z"
    days_ago, long_ago = "2026-02-28T12:00:00Z", "2026-01-01T12:00:00Z"
    rows = [("d", days_ago, "c"), ("b", noon, "a"), ("a", morning, "9"), ("9", long_ago, "8")]
    lists(fake, *rows)
    above = [("d", days_ago, "c"), ("c", "2026-03-05T00:40:00Z", "b")]
    if tip == "e":
        above.insert(0, ("e", "2026-03-05T00:50:00Z", "d"))
        fake.head = sha("e")
    fake.streams["later"] = [commit(*row) for row in above]
    url = "/repos/acme/rocket/commits?sha=main&per_page=100"
    fake.rest[url] = [rest_commit(*row) for row in (*above, *rows[1:])]
    landed = {item.commits[0]: item.at for item in (await collect(fake, token=token)).items}
    assert landed == {sha("b"): moment(noon), sha("a"): moment(morning)}


def lists(fake: FakeGitHub, *rows: tuple[str, str, str]) -> None:
    """Have the branch list commits, newest first, each a letter, a time and a parent."""
    base = "/repos/acme/rocket"
    fake.head = sha(rows[0][0])
    fake.streams["commits"] = [commit(*row) for row in rows]
    fake.rest |= {
        base: {"full_name": "acme/rocket", "default_branch": "main", "private": False},
        f"{base}/commits?sha=main&per_page=100&until=2026-03-05T00:00:00Z": [
            rest_commit(*row) for row in rows
        ],
        f"{base}/commits?sha=main&per_page=100": [],
    } | {f"{base}/commits/{sha(row[0])}": {"files": [rest_file("core.py")]} for row in rows}


async def test_a_changed_branch_and_a_forced_push_are_noticed(fake: FakeGitHub) -> None:
    one_pull_day(fake)
    compare = "/repos/acme/rocket/compare/{}..." + sha("a") + "?per_page=1"
    fake.rest[compare.format(sha("d"))] = {"status": "diverged"}
    fake.rest[compare.format(sha("e"))] = {"status": "ahead"}

    async def kinds(branch: str, head: str) -> list[NoticeKind]:
        activity = await collect(fake, seen_since=seeing(branch, head, NOW))
        return [one.kind for one in activity.notices]

    assert await kinds("master", "d") == [NoticeKind.DEFAULT_BRANCH_CHANGED]
    assert await kinds("main", "d") == [NoticeKind.FORCED_PUSH]
    assert await kinds("main", "9") == [NoticeKind.FORCED_PUSH], "the old head is gone"
    assert await kinds("main", "e") == []
    assert await kinds("main", "a") == []


async def test_the_branch_is_followed_from_its_head_where_the_day_alone_is_not_clear(
    fake: FakeGitHub,
) -> None:
    fake.page_size, fake.head = 2, sha("h")
    fake.streams["commits"] = [
        commit("s", "2026-03-04T11:00:00Z", "r", "On a branch"),
        commit("r", "2026-03-04T09:00:00Z", "b", "On a branch too"),
        commit("a", "2026-03-04T10:00:00Z", "b", "On the branch that counts"),
    ]
    fake.streams["later"] = [
        commit("h", "2026-03-05T00:40:00Z", "g"),
        commit("g", "2026-03-05T00:30:00Z", "fs", "Merge"),
        commit("f", "2026-03-05T00:20:00Z", "a"),
    ]
    activity = await collect(fake)
    assert keys(activity.items) == {f"commit:{sha('a')}"}
    assert {item.commits[0] for item in activity.later} == {sha(one) for one in "hgfsr"}


async def test_a_clear_day_long_ago_needs_no_walk_from_the_head(fake: FakeGitHub) -> None:
    one_pull_day(fake)
    fake.page_size, fake.head = 1, sha("h")
    fake.streams["later"] = [
        commit("h", "2026-03-05T00:40:00Z", "g"),
        commit("g", "2026-03-05T00:30:00Z", "f"),
    ]
    activity = await collect(fake)
    assert keys(activity.items) == {"pull_request:12", f"commit:{sha('a')}"}
    assert keys(activity.later) == {f"commit:{sha('h')}"}
    assert len(fake.queries) == 2
