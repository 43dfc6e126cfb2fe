"""GitHub with a token, against a small server on loopback."""

from datetime import UTC, datetime
from typing import Any

import pytest

from digest.models import Kind, State
from tests.digest.sources.github.github_fake import (
    DictMemory,
    FakeGitHub,
    brought_by,
    collect,
    commit,
    issue,
    keys,
    one_pull_day,
    pull,
    rest_commit,
    rest_file,
    sha,
)


async def test_a_squashed_pull_request_comes_with_everything_github_knows(
    fake: FakeGitHub,
) -> None:
    one_pull_day(fake)
    activity = await collect(fake)
    found = {item.kind: item for item in activity.items}
    change = found[Kind.PULL_REQUEST]
    assert change.key == "acme/rocket:pull_request:12"
    assert change.url == "https://github.com/acme/rocket/pull/12"
    assert (change.author, change.merged_by, change.milestone) == ("ada", "grace", "1.0")
    assert (change.labels, change.comments, change.reactions) == (("speed",), 3, 2)
    assert change.closes == (7,), "an issue of another repository is not closed here"
    assert change.commits == (sha("a"),)
    assert change.files is not None
    assert change.files[0].patch == "@@ -1 +1,5 @@\n-a\n+b"
    assert found[Kind.COMMIT].pull_request == 12
    assert found[Kind.COMMIT].url == f"https://github.com/acme/rocket/commit/{sha('a')}"
    assert (activity.default_branch, activity.head, activity.gaps) == ("main", sha("a"), ())
    assert sum(line.startswith("POST") for line in fake.log) == 2


async def test_patches_are_read_once_and_for_ever(fake: FakeGitHub) -> None:
    one_pull_day(fake)
    memory = DictMemory()
    await collect(fake, memory=memory)
    fake.log.clear()
    again = await collect(fake, memory=memory)
    assert [line for line in fake.log if line.startswith("GET")] == []
    assert again.items[0].files is not None
    assert all(b"t0ken" not in key.encode() for key in memory.kept)


async def test_every_page_of_commits_and_issues_is_read(fake: FakeGitHub) -> None:
    fake.page_size = 2
    letters = "abcdef"
    fake.streams["commits"] = [
        commit(one, f"2026-03-04T1{9 - i}:00:00Z", letters[i + 1 : i + 2])
        for i, one in enumerate(letters)
    ]
    fake.streams["issues"] = [issue(n, "2026-03-04T05:00:00Z") for n in range(1, 8)]
    for one in letters:
        fake.rest[f"/repos/acme/rocket/commits/{sha(one)}"] = {"files": []}
    activity = await collect(fake)
    assert sum(item.kind is Kind.COMMIT for item in activity.items) == 6
    assert sum(item.kind is Kind.ISSUE for item in activity.items) == 7


async def test_an_issue_that_is_touched_while_the_list_is_read_is_not_lost(
    fake: FakeGitHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    one_pull_day(fake)
    rows = [issue(number, f"2026-03-04T{number:02}:00:00Z") for number in range(1, 7)]
    other_pages = fake.page

    def page(name: str, variables: dict[str, Any]) -> dict[str, Any]:
        if name != "issues":
            return other_pages(name, variables)
        newest_first = "UPDATED_AT, direction: DESC" in fake.queries[-1]["query"]
        rows.sort(key=lambda row: str(row["updatedAt"]), reverse=newest_first)
        last = variables["issues_after"]
        places = [row["updatedAt"] for row in rows]
        left = [
            {**row}
            for row, at in zip(rows, places, strict=True)
            if last is None or (at < last if newest_first else at > last)
        ]
        if last is None:
            rows[0]["updatedAt"], rows[-1]["updatedAt"] = "2026-03-05T00:30Z", "2026-03-05T00:31Z"
        info = {"hasNextPage": len(left) > 2, "endCursor": left[:2][-1]["updatedAt"]}
        return {"totalCount": len(rows), "nodes": left[:2], "pageInfo": info}

    monkeypatch.setattr(fake, "page", page)
    activity = await collect(fake)
    opened = {item.number for item in activity.items if item.kind is Kind.ISSUE}
    assert opened == {1, 2, 3, 4, 5, 6}


async def test_old_commits_count_on_the_day_of_the_merge_that_brought_them(
    fake: FakeGitHub,
) -> None:
    merged = "2026-03-04T10:00:00Z"
    fake.streams["commits"] = [
        commit("a", merged, "bx", "Merge pull request #3 from x/y", brought_by(3, "a", merged)),
        commit("e", "2026-03-04T08:00:00Z", "c", "A branch that is merged another day"),
    ]
    fake.head = sha("f")
    fake.streams["later"] = [commit("f", "2026-03-05T00:30:00Z", "ae", "Merge branch 'e'")]
    fake.pulls[3] = pull(3, "a", merged)
    compare = f"/repos/acme/rocket/compare/{sha('b')}...{sha('a')}?per_page=100"
    old = [
        rest_commit("y", "2026-02-20T00:00:00Z", "c"),
        rest_commit("x", "2026-02-21T00:00:00Z", "y"),
    ]
    fake.rest[compare] = {"commits": [*old, rest_commit("a", merged, "bx")]}
    activity = await collect(fake)
    commits = {item.commits[0]: item for item in activity.items if item.kind is Kind.COMMIT}
    assert set(commits) == {sha("a"), sha("x"), sha("y")}
    assert {item.at for item in commits.values()} == {datetime(2026, 3, 4, 10, tzinfo=UTC)}
    assert {item.pull_request for item in commits.values()} == {3}
    change = next(item for item in activity.items if item.kind is Kind.PULL_REQUEST)
    assert set(change.commits) == set(commits)
    assert {item.commits[0] for item in activity.later} == {sha("e"), sha("f")}


async def test_a_pull_requests_own_commits_spare_the_comparison(fake: FakeGitHub) -> None:
    merged = "2026-03-04T10:00:00Z"
    whose = brought_by(3, "a", merged)
    fake.streams["commits"] = [commit("a", merged, "bx", "Merge pull request #3 from x/y", whose)]
    own = {"totalCount": 1, "nodes": [{"commit": commit("x", "2026-02-21T00:00:00Z", "c")}]}
    fake.pulls[3] = pull(3, "a", merged, commits=own)
    activity = await collect(fake)
    assert {sha("a"), sha("x")} == {i.commits[0] for i in activity.items if i.kind is Kind.COMMIT}
    assert not any("compare" in line for line in fake.log)


async def test_a_merge_queues_commit_counts_when_it_was_merged(fake: FakeGitHub) -> None:
    queued, merged = "2026-03-03T23:30:00Z", "2026-03-04T00:10:00Z"
    late = brought_by(5, "a", "2026-03-05T00:10:00Z")
    fake.streams["commits"] = [
        commit("a", "2026-03-04T23:50:00Z", "b", "Tomorrow (#5)", late),
        commit("b", queued, "c", "Today (#4)", brought_by(4, "b", merged)),
    ]
    fake.pulls[4] = pull(4, "b", merged)
    activity = await collect(fake)
    assert keys(activity.items) == {"pull_request:4", f"commit:{sha('b')}"}
    assert keys(activity.later) == {f"commit:{sha('a')}"}


async def test_issues_come_with_state_and_the_events_of_the_day(fake: FakeGitHub) -> None:
    before, during, after = "2026-03-01T00:00:00Z", "2026-03-04T09:00:00Z", "2026-03-05T00:00:00Z"
    fake.streams["issues"] = [
        issue(1, during),
        issue(2, before, ("ClosedEvent", during), state="CLOSED", stateReason="NOT_PLANNED"),
        issue(3, before, ("ReopenedEvent", during), stateReason="REOPENED"),
        issue(4, before, ("ClosedEvent", after), state="CLOSED", stateReason="COMPLETED"),
        issue(
            5,
            during,
            ("ClosedEvent", during),
            state="CLOSED",
            stateReason="DUPLICATE",
            duplicateOf={"number": 1, "repository": {"nameWithOwner": "acme/rocket"}},
        ),
    ]
    activity = await collect(fake)
    told = {item.number: item for item in activity.items}
    assert {number: item.state for number, item in told.items()} == {
        1: State.OPEN,
        2: State.NOT_PLANNED,
        3: State.REOPENED,
        5: State.DUPLICATE,
    }
    assert [event.name for event in told[5].events] == ["opened", "closed"]
    assert told[5].duplicate_of == 1
    assert told[1].author == "ghost"


async def test_releases_and_bare_version_tags_are_told_once(fake: FakeGitHub) -> None:
    at = "2026-03-04T09:00:00Z"
    fake.streams["releases"] = [
        {
            "tagName": "v1.0/rc",
            "name": "",
            "description": "## Notes",
            "isPrerelease": True,
            "isDraft": False,
            "createdAt": at,
            "publishedAt": at,
            "author": {"login": "ada"},
            "tagCommit": {"oid": sha("c")},
        }
    ]
    light = {
        "__typename": "Commit",
        "oid": sha("a"),
        "committedDate": at,
        "author": {"name": "Ada", "user": None},
    }
    annotated = {
        "__typename": "Tag",
        "oid": sha("9"),
        "message": "One",
        "tagger": {"date": at, "name": "Bo", "user": None},
        "target": {"oid": sha("a"), "committedDate": "2026-01-01T00:00:00Z"},
    }
    names = {"v1.0/rc": light, "v1.1": light, "v1.2": annotated, "nightly-2026.3": light}
    names |= {"dev-20260305": light, f"dev-{sha('a')[:8]}": light, "ciflow/trunk/2": light}
    names["v1.3"] = annotated | {"message": "Rocket v1.3\n"}
    names["v0.9-tree"] = {"__typename": "Tree", "oid": sha("8")}
    fake.streams["tags"] = [{"name": name, "target": target} for name, target in names.items()]
    activity = await collect(fake)
    told = {item.ref: item for item in activity.items}
    assert {ref: item.state for ref, item in told.items()} == {
        "v1.0/rc": State.PRERELEASE,
        "v1.1": State.TAGGED,
        "v1.2": State.TAGGED,
        "v1.3": State.TAGGED,
        "nightly-2026.3": State.PRERELEASE,
        "dev-20260305": State.PRERELEASE,
    }
    assert {ref: told[ref].tagged for ref in ("v1.0/rc", "v1.1", "v1.2")} == {
        "v1.0/rc": sha("c"),
        "v1.1": sha("a"),
        "v1.2": sha("a"),
    }
    assert told["v1.0/rc"].url.endswith("/releases/tag/v1.0%2Frc")
    assert told["v1.0/rc"].title == "v1.0/rc"
    assert (told["v1.2"].body, told["v1.3"].body) == ("One", "")


async def test_later_reverts_are_given_whole(fake: FakeGitHub) -> None:
    one_pull_day(fake)
    fake.head = sha("f")
    undone = "2026-03-05T00:30:00Z"
    fake.streams["later"] = [commit("f", undone, "a", 'Revert "Pull 12" (#13)')]
    fake.streams["reverts"] = [
        pull(13, "f", undone, title='Revert "Pull 12"'),
        pull(14, "e", undone, baseRefName="release"),
    ]
    activity = await collect(fake)
    assert keys(activity.later) == {"pull_request:13", f"commit:{sha('f')}"}
    assert keys(activity.items) == {"pull_request:12", f"commit:{sha('a')}"}


async def test_what_reverts_of_the_day_take_back_is_asked_for_in_one_document(
    fake: FakeGitHub,
) -> None:
    one_pull_day(fake)
    fake.pulls[12]["title"] = 'Revert "Old" (#3)'
    fake.pulls[12]["body"] = f"This reverts commit {sha('d')[:9]}, {sha('e')}, not #4."
    fake.pulls[12]["body"] += f"\nThis reverts commit {sha('e')}. Reverts #5, reverts #6."
    fake.pulls[3] = pull(3, "c", "2026-02-27T10:00:00Z", title="Old")
    fake.pulls[5] = pull(5, "f", "2026-02-20T10:00:00Z", baseRefName="release")
    fake.commits[sha("d")[:9]] = commit("d", "2026-03-01T10:00:00Z") | {"brought_by": {"nodes": []}}
    merged = pull(2, "e", "2026-03-02T10:00:00Z")
    fake.commits[sha("e")] = commit("e", "2026-03-02T10:00:00Z") | {
        "brought_by": {"nodes": [merged]}
    }
    activity = await collect(fake)
    assert keys(activity.earlier) == {
        "pull_request:3",
        "pull_request:2",
        f"commit:{sha('d')}",
        f"commit:{sha('e')}",
    }
    assert {item.key: str(item.at)[:10] for item in activity.earlier}[
        "acme/rocket:pull_request:3"
    ] == "2026-02-27"
    assert activity.gaps == ()
    assert sum(line.startswith("POST") for line in fake.log) == 3


async def test_a_file_list_that_is_cut_is_never_taken_for_the_whole(fake: FakeGitHub) -> None:
    one_pull_day(fake)
    page = [{"path": "a.md", "changeType": "MODIFIED", "additions": 1, "deletions": 0}]
    fake.pulls[12] |= {"changedFiles": 2, "files": {"nodes": page}}
    whole = [rest_file("a.md"), rest_file("rocket/core.py")]
    fake.rest[f"/repos/acme/rocket/commits/{sha('a')}"] = {"files": whole}
    change = (await collect(fake)).items[0]
    assert [file.path for file in change.files or ()] == ["a.md", "rocket/core.py"]


async def test_an_empty_repository_is_a_quiet_day_without_gaps(fake: FakeGitHub) -> None:
    fake.head = ""
    activity = await collect(fake)
    assert (activity.items, activity.gaps, activity.head) == ((), (), "")
