"""Whole files at commits are one request and none the second time; how GitHub is addressed."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest
from aiohttp import web

from digest.errors import PrivateRepo, RateLimited
from digest.models import FileAt, Repo
from digest.sources.github.answers import EARLIEST, LATEST, moment
from digest.sources.github.client import (
    decoded,
    exhausted,
    graphql_url,
    repo_path,
    verdict,
)
from digest.sources.github.items import bare_tag
from tests.digest.sources.github.github_fake import (
    REPO,
    DictMemory,
    FakeGitHub,
    sha,
    source,
)

A, B = sha("a"), sha("b")
HERE = FileAt(A, "core.py")
BEFORE = FileAt(B, "core.py")
GONE = FileAt(B, "new.py")
PICTURE = FileAt(A, "logo.png")
LARGE = FileAt(A, "large.py")
UNKNOWN = FileAt(sha("9"), "core.py")
FOLDER = FileAt(A, "src")
ALL = (HERE, BEFORE, GONE, PICTURE, LARGE, UNKNOWN, FOLDER, HERE)
BASE = "/repos/acme/rocket"


def fill(fake: FakeGitHub) -> None:
    binary = {"text": None, "byteSize": 9, "isBinary": True, "isTruncated": False}
    cut = {"text": "x" * 9, "byteSize": 9_000_000, "isBinary": False, "isTruncated": True}
    fake.trees = {
        A: {
            "core.py": "after = 1\n",
            "logo.png": {"__typename": "Blob", **binary},
            "large.py": {"__typename": "Blob", **cut},
            "src": {"__typename": "Tree"},
        },
        B: {"core.py": "before = 1\n"},
    }


async def contents(fake: FakeGitHub, *files: FileAt, **more: Any) -> Mapping[FileAt, str | None]:
    async with source(fake, **more) as github:
        return await github.contents(REPO, files)


async def test_all_files_come_in_one_request_and_what_could_not_be_read_is_absent(
    fake: FakeGitHub,
) -> None:
    fill(fake)
    found = await contents(fake, *ALL)
    assert found == {
        HERE: "after = 1\n",
        BEFORE: "before = 1\n",
        GONE: None,
        PICTURE: None,
        FOLDER: None,
    }
    assert len(fake.log) == 1


async def test_a_second_look_costs_no_request_but_for_what_was_not_read(fake: FakeGitHub) -> None:
    fill(fake)
    memory = DictMemory()
    first = await contents(fake, HERE, BEFORE, GONE, memory=memory)
    fake.log.clear()
    assert await contents(fake, HERE, BEFORE, GONE, memory=memory) == first
    assert fake.log == []
    await contents(fake, HERE, LARGE, memory=memory)
    assert [sorted(set(query["variables"]) - {"owner", "name"}) for query in fake.queries[1:]] == [
        ["b0", "s0"]
    ]
    assert all("t0ken" not in key for key in memory.kept)


async def test_what_is_too_much_at_once_is_asked_for_in_parts(fake: FakeGitHub) -> None:
    fill(fake)

    def heavy(request: web.Request, body: bytes) -> web.StreamResponse | None:
        return web.json_response({}, status=502) if b"$b2" in body else None

    fake.faults.append(heavy)
    found = await contents(fake, HERE, BEFORE, GONE, PICTURE)
    assert set(found) == {HERE, BEFORE, GONE, PICTURE}


async def test_nothing_of_a_private_repository_is_read_or_remembered(fake: FakeGitHub) -> None:
    fill(fake)
    fake.private = True
    memory = DictMemory()
    with pytest.raises(PrivateRepo):
        await contents(fake, HERE, memory=memory)
    assert memory.kept == {}


async def test_without_a_token_no_file_is_asked_for(fake: FakeGitHub) -> None:
    with pytest.raises(RateLimited, match="set GITHUB_TOKEN"):
        await contents(fake, HERE, token=None)
    assert fake.log == []


NOW = datetime(2026, 3, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("api", "graphql"),
    [
        ("https://api.github.com", "https://api.github.com/graphql"),
        ("https://api.github.com/", "https://api.github.com/graphql"),
        ("https://git.example.org/api/v3", "https://git.example.org/api/graphql"),
        ("https://git.example.org/api/v3/", "https://git.example.org/api/graphql"),
    ],
)
def test_graphql_stands_beside_rest(api: str, graphql: str) -> None:
    assert graphql_url(api) == graphql


def test_names_cannot_leave_their_place_in_an_address() -> None:
    assert repo_path(Repo("a/..", "b?c")) == "/repos/a%2F../b%3Fc"
    tag = bare_tag(Repo("a", "b"), "v1/2 #3", NOW, ("", False))
    assert tag.url == "https://github.com/a/b/releases/tag/v1%2F2%20%233"


def test_times_are_utc_and_nonsense_is_refused() -> None:
    assert moment("2026-03-05T08:00:00+08:00") == NOW
    assert moment("2026-03-05T00:00:00") == NOW
    with pytest.raises(ValueError, match="isoformat"):
        moment("yesterday")
    assert moment("0001-01-01T00:00:00+10:00") == EARLIEST
    assert moment("9999-12-31T23:59:59-10:00") == LATEST


def test_a_reset_that_cannot_be_is_not_believed() -> None:
    for reset in ("9" * 30, "-1"):
        assert exhausted({"x-ratelimit-reset": reset}, True).retry_at is None
    assert "GITHUB_TOKEN" in str(exhausted({}, False))
    assert "allow" in str(verdict(403, {}, "", NOW, False))


def test_what_is_not_json_is_nothing() -> None:
    assert decoded(b"<html>") is None
    assert decoded(b"3") is None
    assert decoded(b"[" * 100_000) is None
    assert decoded(b'{"a": ["\xff", "\\ud800", {"\\uD83D": 1}]}') == {
        "a": ["\ufffd", "\ufffd", {"\ufffd": 1}]
    }
