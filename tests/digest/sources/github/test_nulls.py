"""Nulls where GitHub promises something, without an error beside them: gaps, never a quiet day."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from digest.pipeline import Pipeline
from digest.sources.github.graphql import STREAMS
from digest.store.store import open_store
from tests.digest.sources.github.github_fake import (
    DAY,
    NOW,
    REPO,
    FakeGitHub,
    issue,
    one_pull_day,
    source,
)

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
