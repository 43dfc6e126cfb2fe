"""Whole files at commits are one request and none the second time; how GitHub is addressed."""

from asyncio import gather
from base64 import encodebytes
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest
from aiohttp import web

from digest.errors import PrivateRepo, RateLimited
from digest.lookups import whole_files
from digest.models import FileAt, Repo
from digest.sources.github.answers import EARLIEST, LATEST, moment
from digest.sources.github.client import (
    decoded,
    exhausted,
    graphql_url,
    repo_path,
    verdict,
)
from digest.sources.github.files import RESERVED_REQUESTS, UNTOLD_REQUESTS
from digest.sources.github.items import bare_tag
from tests.digest.sources.github.github_fake import (
    REPO,
    DictMemory,
    FakeGitHub,
    sha,
    source,
    with_address,
)
from tests.phrases import english

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


def served(text: str) -> dict[str, Any]:
    return {"type": "file", "encoding": "base64", "content": encodebytes(text.encode()).decode()}


async def test_without_a_token_files_are_read_one_by_one_while_requests_last(
    fake: FakeGitHub,
) -> None:
    here, before = (f"{BASE}/contents/core.py?ref={file.sha}" for file in (HERE, BEFORE))
    fake.rest[here], fake.rest[before] = served("after = 1\n"), served("before = 1\n")
    fake.rest[f"{BASE}/contents/a%20picture.png?ref={A}"] = served("\0")
    fake.rest[f"{BASE}/contents/large.py?ref={A}"] = {"type": "file", "encoding": "none"}
    fake.rest[f"{BASE}/contents/src?ref={A}"] = {"type": "submodule"}
    fake.rest[f"{BASE}/contents/broken.py?ref={A}"] = {**served(""), "content": "x"}
    picture, broken = FileAt(A, "a picture.png"), FileAt(A, "broken.py")
    wanted = (HERE, BEFORE, GONE, picture, LARGE, UNKNOWN, FOLDER, broken)
    fake.headers = {"x-ratelimit-remaining": str(RESERVED_REQUESTS + 16)}
    memory = DictMemory()

    async with source(fake, token=None, memory=memory) as github:
        found = await github.contents(REPO, wanted)
        assert found == {
            HERE: "after = 1\n",
            BEFORE: "before = 1\n",
            GONE: None,
            picture: None,
            FOLDER: None,
        }
        assert len(fake.log) == 8

        fake.log.clear()
        assert await github.contents(REPO, wanted) == found
        assert {line.partition("?")[0].rpartition("/")[2] for line in fake.log} == {
            "large.py",
            "core.py",
            "broken.py",
        }

        fake.headers = {"x-ratelimit-remaining": str(RESERVED_REQUESTS + 2)}
        await github.contents(REPO, wanted)
        fake.log.clear()
        some, gap = await whole_files(github, REPO, (FOLDER, LARGE, UNKNOWN), lambda line: None)
        assert (some, gap and english(gap.why)) == (
            {FOLDER: None},
            "interfaces were not compared in files: 2 of 3",
        )
        assert fake.log == [f"GET {BASE}/contents/large.py?ref={A}"]

        beside = (UNKNOWN, LARGE)
        assert await whole_files(github, REPO, (FOLDER,), lambda line: None, beside) == (some, None)

        fake.headers = {"x-ratelimit-remaining": str(RESERVED_REQUESTS + 1)}
        await github.contents(REPO, wanted)
        fake.log.clear()
        assert await github.contents(REPO, wanted) == found
        with pytest.raises(RateLimited, match="set GITHUB_TOKEN"):
            await github.contents(REPO, [LARGE])
        assert fake.log == []


@pytest.mark.parametrize(("rest", "most"), [(60, 52), (20, 12), (RESERVED_REQUESTS, 1)])
@pytest.mark.parametrize("is_known", [True, False])
async def test_repositories_of_one_session_never_count_on_the_same_requests(
    fake: FakeGitHub, rest: int, most: int, is_known: bool
) -> None:
    left = rest + is_known

    def count_down(request: web.Request, body: bytes) -> web.StreamResponse:
        nonlocal left
        left -= 1
        value = with_address(served(""), request.path)
        return web.json_response(value, headers={"x-ratelimit-remaining": str(left)})

    fake.faults.append(count_down)
    many = [FileAt(A, f"{at}.py") for at in range(40)]
    async with source(fake, token=None) as github:
        if is_known:
            await github.contents(Repo("acme", "known"), [HERE])
            fake.log.clear()
        repos = [Repo("acme", name) for name in ("one", "two", "three", "four")]
        await gather(*(github.contents(repo, many) for repo in repos), return_exceptions=True)
    assert len(fake.log) <= most
    assert left >= RESERVED_REQUESTS - 1


async def test_while_nobody_tells_what_is_left_few_files_are_read(fake: FakeGitHub) -> None:
    many = [FileAt(A, f"{at}.py") for at in range(40)]
    for file in many:
        fake.rest[f"{BASE}/contents/{file.path}?ref={A}"] = served("")
    assert len(await contents(fake, *many, token=None)) == len(fake.log) == UNTOLD_REQUESTS


NOW = datetime(2026, 3, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("api", "graphql"),
    [
        ("https://api.github.com", "https://api.github.com/graphql"),
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
