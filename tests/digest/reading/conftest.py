"""Invented items: a fixture for each kind that fills what a test does not care about."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from digest.models import Activity, FileChange, Item, Kind, Repo, State, Window

REPO = Repo("example", "engine")
DAY = datetime(2026, 3, 2, tzinfo=UTC)
Make = Callable[..., Any]
PATHS = {Kind.PULL_REQUEST: "pull", Kind.ISSUE: "issues", Kind.RELEASE: "releases/tag"}


def _files(paths: Sequence[str | FileChange] | None) -> tuple[FileChange, ...] | None:
    if paths is None:
        return None
    return tuple(
        FileChange(one, "modified", 5, 5) if isinstance(one, str) else one for one in paths
    )


def _item(kind: Kind, name: object, ref: str, title: str, hour: float, **more: Any) -> Item:
    fields: dict[str, Any] = {
        "key": f"{REPO}:{kind.value}:{name}",
        "repo": REPO,
        "kind": kind,
        "ref": ref,
        "title": title,
        "url": f"https://github.com/{REPO}/{PATHS.get(kind, 'commit')}/{name}",
        "author": "ada",
        "at": DAY + timedelta(hours=hour),
        "state": State.MERGED,
    }
    return Item(**fields | more | {"files": _files(more.get("files"))})


@pytest.fixture(scope="session")
def commit() -> Make:
    def make(sha: str, title: str = "Change", *, hour: float = 1.0, **more: Any) -> Item:
        whole = sha.ljust(40, "0")
        files = _files(more.get("files")) or ()
        counted = {
            "commits": (whole,),
            "additions": sum(file.additions for file in files),
            "deletions": sum(file.deletions for file in files),
        }
        return _item(Kind.COMMIT, whole, whole[:7], title, hour, **counted | more)

    return make


@pytest.fixture(scope="session")
def pull() -> Make:
    def make(number: int, title: str = "Change", *, hour: float = 1.0, **more: Any) -> Item:
        more = {"number": number, "files": ["engine/core.py"]} | more
        return _item(Kind.PULL_REQUEST, number, f"#{number}", title, hour, **more)

    return make


@pytest.fixture(scope="session")
def issue() -> Make:
    def make(number: int, title: str = "Trouble", *, hour: float = 1.0, **more: Any) -> Item:
        more = {"number": number, "author": "bob", "state": State.OPEN} | more
        return _item(Kind.ISSUE, number, f"#{number}", title, hour, **more)

    return make


@pytest.fixture(scope="session")
def release() -> Make:
    def make(tag: str, *, hour: float = 1.0, **more: Any) -> Item:
        more = {"state": State.PUBLISHED} | more
        return _item(Kind.RELEASE, tag, tag, more.pop("title", tag), hour, **more)

    return make


@pytest.fixture(scope="session")
def activity() -> Make:
    def make(items: Sequence[Item], *, days: int = 1, later: Sequence[Item] = ()) -> Activity:
        window = Window(DAY, DAY + timedelta(days=days), "UTC", "2026-03-02")
        return Activity(REPO, window, tuple(items), window.end, "recorded", later=tuple(later))

    return make
