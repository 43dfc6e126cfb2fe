"""Nulls where GitHub promises something, without an error beside them: gaps, never a quiet day."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from digest.pipeline import Pipeline
from digest.sources.github.graphql import STREAMS
from digest.store.store import open_store
from tests.digest.sources.github.github_fake import (
    DAY,
    NOW,
    REPO,
    FakeGitHub,
    brought_by,
    collect,
    commit,
    issue,
    one_pull_day,
    pull,
    rest_file,
    sha,
    source,
)
from tests.phrases import english

AT = "2026-03-04T10:00:00Z"
Spoil = Callable[[dict[str, Any]], None]


def busy_day(fake: FakeGitHub) -> None:
    one_pull_day(fake)
    fake.streams["issues"] = [issue(3, AT)]
    fake.streams["releases"] = [
        {
            "tagName": "v1.0",
            "name": "One",
            "description": "",
            "isPrerelease": False,
            "isDraft": False,
            "createdAt": AT,
            "publishedAt": AT,
            "author": None,
        }
    ]


def spoiling(fake: FakeGitHub, spoil: Spoil, times: int = 1_000) -> None:
    plain, left = fake.graphql, [times]

    def spoiled(asked: dict[str, Any]) -> dict[str, Any]:
        answer = plain(asked)
        if left[0]:
            left[0] -= 1
            spoil(answer["data"]["repository"])
        return answer

    fake.graphql = spoiled  # type: ignore[method-assign]  # the fake itself leaves parts out here


async def test_a_null_day_is_not_kept_as_a_quiet_one(fake: FakeGitHub, tmp_path: Path) -> None:
    busy_day(fake)
    plain = fake.graphql
    spoiling(fake, lambda row: row.update(dict.fromkeys(row.keys() & set(STREAMS))))
    database = f"sqlite:///{tmp_path / 'infra.sqlite3'}"
    async with open_store(database) as store, source(fake, memory=store.memory) as github:
        pipeline = Pipeline(
            github,
            source_name="github",
            store=store,
            clock=lambda: NOW,
            progress=lambda line: None,
        )
        dark = await pipeline.digest(REPO, DAY)
        assert dark.reading.items == ()
        assert {gap.what for gap in dark.reading.gaps} == {"commits", "issues", "releases"}
        fake.graphql = plain  # type: ignore[method-assign]  # it is well again
        light = await pipeline.digest(REPO, DAY)
    assert light.reading.gaps == ()
    assert light.reading.counts.commits == light.reading.counts.issues == 1


@pytest.mark.parametrize(
    "spoil",
    [
        {"body": 7},
        {"additions": "3x"},
        {"state": "FROZEN"},
        {"labels": None},
        {"labels": {"nodes": [None]}},
        {"closingIssuesReferences": {"nodes": None}},
        {"mergedAt": None},
    ],
)
async def test_one_odd_value_of_a_pull_request_costs_that_one_alone(
    fake: FakeGitHub, spoil: dict[str, Any]
) -> None:
    one_pull_day(fake)
    second = "2026-03-04T11:00:00Z"
    whose = brought_by(13, "c", second)
    fake.streams["commits"].insert(0, commit("c", second, "a", "Pull 13 (#13)", whose))
    fake.head = sha("c")
    fake.pulls[13] = pull(13, "c", second)
    fake.rest[f"/repos/acme/rocket/commits/{sha('c')}"] = {"files": [rest_file("other.py")]}
    fake.pulls[12] |= spoil
    activity = await collect(fake)
    assert "acme/rocket:pull_request:13" in {item.key for item in activity.items}
    assert {f"acme/rocket:commit:{sha(one)}" for one in "ac"} <= {i.key for i in activity.items}
    assert [gap.what for gap in activity.gaps] == ["pull_requests"]
    assert "#12" in english(activity.gaps[0].why)
