"""Whole files at commits: one request for all of them, none the second time."""

from collections.abc import Mapping
from typing import Any

import pytest
from aiohttp import web

from digest.errors import PrivateRepo, RateLimited
from digest.models import FileAt
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


@pytest.mark.parametrize(
    "odd",
    [{"__typename": "Blob", "text": 7}, {"text": "x"}, [1], "", {"__typename": "Blob"}],
)
async def test_an_odd_file_is_absent_and_the_others_are_there(fake: FakeGitHub, odd: Any) -> None:
    fill(fake)
    plain = fake.graphql

    def spoil(asked: dict[str, Any]) -> dict[str, Any]:
        answer = plain(asked)
        answer["data"]["repository"]["b1"] = odd
        return answer

    fake.graphql = spoil  # type: ignore[method-assign]  # the fake itself answers oddly here
    assert await contents(fake, HERE, BEFORE) == {HERE: "after = 1\n"}


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
