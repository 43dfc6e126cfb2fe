"""An upgrade by GitHub's API is what a clone tells, goes on where it was, and spares mornings."""

import re
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from digest.concern.surface import CodePlace, Surface, Use, UseKind
from digest.concern.upgrade import Upgrade
from digest.errors import NotFound, RateLimited, UsageError
from digest.models import Repo
from digest.ports import Remembered, Source
from digest.sources.github import history
from digest.upgrading import between, upgrade
from tests.digest.sources.git.workshop import Workshop
from tests.digest.sources.git.workshop import source as clone
from tests.digest.sources.github.github_fake import DictMemory, FakeGitHub, serving
from tests.digest.sources.github.github_fake import source as api

ROCKET = Repo("acme", "rocket")
BASE = "/repos/acme/rocket"
USES = (
    Use(UseKind.CALLED, "rocket.engine.launch", CodePlace("plug/run.py", 5), positional=1),
    Use(UseKind.NAME, "rocket.engine.steady", CodePlace("plug/run.py", 2)),
    Use(UseKind.FLAG, "--thrust", CodePlace("run.sh", 3)),
    Use(UseKind.PIN, "rocket", CodePlace("pyproject.toml", 9), value="==1.0.0"),
)
SURFACE = Surface("acme/rocket", uses=USES)
ENGINE = "def launch(path):\n    return path\n\n\ndef steady(path):\n    return path\n"
MAIN = "import argparse\n\nparser = argparse.ArgumentParser()\nparser.add_argument('--thrust')\n"


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    shop = Workshop(tmp_path / "rocket")
    shop.write("rocket/engine.py", ENGINE)
    shop.write("rocket/main.py", MAIN)
    shop.commit(1, "Begin (#1)")
    shop("tag", "v1.0.0")
    shop.write("rocket/engine.py", ENGINE.replace("launch(path)", "launch(path, seed)"))
    shop.commit(2, "Launch with a seed (#2)")
    shop("mv", "rocket/main.py", "rocket/cli.py")
    shop.commit(3, "Move main (#3)")
    shop.write("rocket/cli.py", MAIN.replace("thrust", "power"))
    shop.commit(4, "Call it power (#4)")
    shop.commit(5, "Nothing at all (#5)")
    shop("tag", "v1.1.0")
    return shop


@pytest.fixture
async def fake(shop: Workshop) -> AsyncIterator[FakeGitHub]:
    async with serving() as fake:
        _serve(shop, fake)
        yield fake


def _serve(shop: Workshop, fake: FakeGitHub) -> None:
    """Give what GitHub says of a repository on disk."""
    rows = {}
    for sha in shop("rev-list", "--reverse", "HEAD").split():
        at, title, name, *parents = shop("log", "-1", "--format=%cI%n%s%n%an%n%P", sha).split("\n")
        person = {"name": name, "date": at, "email": "ann@example.org"}
        rows[sha] = {
            "sha": sha,
            "commit": {"message": title, "author": person, "committer": person},
            "author": None,
            "parents": [{"sha": each} for each in parents],
        }
        files = [_file(line) for line in shop("show", "-M", "--raw", "--format=", sha).splitlines()]
        fake.rest[f"{BASE}/commits/{sha}"] = {**rows[sha], "files": files}
        paths = shop("ls-tree", "-r", "--name-only", sha).splitlines()
        fake.trees[sha] = {path: shop("show", f"{sha}:{path}") + "\n" for path in paths}
        listed = [line.split() for line in shop("ls-tree", "-r", sha).splitlines()]
        tree = [{"path": row[3], "type": row[1], "sha": row[2]} for row in listed]
        whole = {"sha": sha, "truncated": False, "tree": tree}
        fake.rest[f"{BASE}/git/trees/{sha}?recursive=1"] = whole
    first, *later = rows.values()
    url = f"https://api.github.com{BASE}/commits/{first['sha']}"
    fork = {**first, "url": url}
    compare = f"{BASE}/compare/{first['sha']}...{later[-1]['sha']}?per_page=100"
    ends = {"merge_base_commit": fork, "base_commit": fork, "total_commits": len(later)}
    fake.rest[compare] = {**ends, "commits": later}
    fake.rest[BASE] = {"full_name": "acme/rocket", "private": False, "default_branch": "main"}
    for tag, row in (("v1.0.0", first), ("v1.1.0", later[-1])):
        fake.rest[f"{BASE}/commits/refs%2Ftags%2F{tag}"] = row
    stamp = "2026-02-05T10:00:00Z"
    fake.rest[f"{BASE}/releases?per_page=100"] = [
        _release("v1.2.0rc1", "2026-02-09T10:00:00Z"), _release("v1.1.0", stamp)
    ]  # fmt: skip


def _release(tag: str, at: str) -> dict[str, Any]:
    named = {"tag_name": tag, "name": tag, "body": "", "author": None}
    dates = {"created_at": at, "published_at": at}
    return {**named, **dates, "draft": False, "prerelease": "rc" in tag}


def _file(line: str) -> dict[str, Any]:
    status, *paths = line.split("\t")
    letter = status.split()[-1][0]
    word = {"A": "added", "M": "modified", "R": "renamed", "D": "removed"}[letter]
    row = {"filename": paths[-1], "status": word, "additions": 1, "deletions": 1, "patch": "@@"}
    return {**row, "previous_filename": paths[0]} if letter == "R" else row


async def _upgrade(source: Source, base: str = "", head: str = "") -> Upgrade:
    return await upgrade(source, ROCKET, base, head, SURFACE, lambda step: None)


async def test_it_is_what_a_clone_tells_from_the_pin_to_the_newest_release(
    shop: Workshop, fake: FakeGitHub
) -> None:
    async with api(fake) as github:
        told = await _upgrade(github)
        suspects = await between(
            github, ROCKET, ("v1.0.0", "v1.1.0"), "launch seed", SURFACE, lambda step: None
        )
    same = await _upgrade(clone(shop.folder), "v1.0.0", "v1.1.0")

    same = replace(same, span=replace(same.span, tags=None))  # a clone knows them
    assert told == same
    assert [one.item.pull_request for one in told.breaks] == [2]
    assert [one.use.name for one in told.settings] == ["--thrust"]
    assert [one.name for one in told.unchanged] == ["rocket.engine.steady"]
    assert (told.changes, told.unread, told.is_whole) == (4, (), True)
    assert suspects[1][0].item.pull_request == 2


class KilledError(Exception):
    """The process ends without warning."""


class DyingMemory(DictMemory):
    """Keeps so many answers more, and then the process ends."""

    lives = 0

    async def remember(self, key: str, answer: Remembered) -> None:
        await super().remember(key, answer)
        self.lives -= 1
        if self.lives == 0:
            raise KilledError


async def test_what_was_answered_before_an_end_without_warning_is_not_asked_again(
    fake: FakeGitHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "AT_ONCE", 1)
    monkeypatch.setattr(history, "SECONDS_EACH", 0.0)
    memory = DyingMemory()
    told, kills = None, 0
    while told is None:
        memory.lives = 4
        async with api(fake, memory=memory) as github:
            try:
                told = await _upgrade(github, "v1.0.0", "v1.1.0")
            except KilledError:
                kills += 1
    lasting = [line for line in fake.log if re.search(r"/commits/[0-9a-f]{40}|trees|\.\.\.", line)]

    assert kills > 2
    assert len(told.breaks) == 1
    assert len(lasting) == len(set(lasting))
    fake.log.clear()
    async with api(fake, memory=memory) as github:
        assert await _upgrade(github, "v1.0.0", "v1.1.0") == told
    assert all(line.endswith((BASE, "v1.0.0", "v1.1.0")) for line in fake.log)


async def test_what_could_not_be_looked_at_is_said(shop: Workshop, fake: FakeGitHub) -> None:
    second, third = shop("rev-list", "--reverse", "HEAD").split()[1:3]
    fake.trees[second]["rocket/engine.py"] = {
        "__typename": "Blob", "text": "x", "byteSize": 9_000_000, "isBinary": False,
        "isTruncated": True,
    }  # fmt: skip
    del fake.rest[f"{BASE}/commits/{third}"]
    async with api(fake) as github:
        told = await _upgrade(github, "v1.0.0", "v1.1.0")

    assert set(told.unread) == {third[:7], "rocket/engine.py"}


async def test_requests_are_left_for_mornings_and_without_a_token_it_is_not_begun(
    fake: FakeGitHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake.headers = {"X-RateLimit-Remaining": str(history.RESERVED_REQUESTS)}
    async with api(fake) as github:
        with pytest.raises(RateLimited, match="kept for mornings"):
            await _upgrade(github, "v1.0.0", "v1.1.0")
    fake.headers = {"X-RateLimit-Remaining": "12"}
    async with api(fake, token=None) as github:
        with pytest.raises(RateLimited, match="GITHUB_TOKEN"):
            await _upgrade(github, "v1.0.0", "v1.1.0")


async def test_ends_that_are_not_there_are_said(fake: FakeGitHub) -> None:
    never = replace(SURFACE, uses=(Use(UseKind.PIN, "rocket", value="==9.9.9"),))
    async with api(fake) as github:
        with pytest.raises(UsageError, match=r"no tag or commit that this surface pins \(9.9.9\)"):
            await upgrade(github, ROCKET, "", "", never, lambda step: None)
        with pytest.raises(NotFound, match="v7"):
            await _upgrade(github, "v7", "v1.1.0")
        fake.rest[f"{BASE}/releases?per_page=100"] = []
        with pytest.raises(UsageError, match="has no release"):
            await _upgrade(github)
