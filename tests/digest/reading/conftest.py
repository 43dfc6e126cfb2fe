"""Invented items: a fixture for each kind that fills what a test does not care about."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from digest.models import Activity, FileChange, Item, Kind, Repo, State, Window

REPO = Repo("example", "engine")
DAY = datetime(2026, 3, 2, tzinfo=UTC)
Make = Callable[..., Any]


def _files(paths: Sequence[str | FileChange] | None) -> tuple[FileChange, ...] | None:
    if paths is None:
        return None
    return tuple(
        FileChange(one, "modified", 5, 5) if isinstance(one, str) else one for one in paths
    )


@pytest.fixture(scope="session")
def commit() -> Make:
    def make(sha: str, title: str = "Change", *, hour: float = 1.0, **more: Any) -> Item:
        whole = sha.ljust(40, "0")
        files = _files(more.pop("files", None))
        link = f"https://github.com/{REPO}/commit/{whole}"
        return Item(
            **{
                "key": f"{REPO}:commit:{whole}",
                "repo": REPO,
                "kind": Kind.COMMIT,
                "ref": whole[:7],
                "title": title,
                "url": link,
                "author": "ada",
                "at": DAY + timedelta(hours=hour),
                "state": State.MERGED,
                "commits": (whole,),
                "files": files,
                "additions": sum(file.additions for file in files or ()),
                "deletions": sum(file.deletions for file in files or ()),
                **more,
            }
        )

    return make


@pytest.fixture(scope="session")
def pull() -> Make:
    def make(number: int, title: str = "Change", *, hour: float = 1.0, **more: Any) -> Item:
        files = _files(more.pop("files", ["engine/core.py"]))
        return Item(
            **{
                "key": f"{REPO}:pull_request:{number}",
                "repo": REPO,
                "kind": Kind.PULL_REQUEST,
                "ref": f"#{number}",
                "title": title,
                "url": f"https://github.com/{REPO}/pull/{number}",
                "author": "ada",
                "at": DAY + timedelta(hours=hour),
                "state": State.MERGED,
                "number": number,
                "files": files,
                **more,
            }
        )

    return make


@pytest.fixture(scope="session")
def issue() -> Make:
    def make(number: int, title: str = "Trouble", *, hour: float = 1.0, **more: Any) -> Item:
        return Item(
            **{
                "key": f"{REPO}:issue:{number}",
                "repo": REPO,
                "kind": Kind.ISSUE,
                "ref": f"#{number}",
                "title": title,
                "url": f"https://github.com/{REPO}/issues/{number}",
                "author": "bob",
                "at": DAY + timedelta(hours=hour),
                "state": State.OPEN,
                "number": number,
                **more,
            }
        )

    return make


@pytest.fixture(scope="session")
def release() -> Make:
    def make(tag: str, *, hour: float = 1.0, **more: Any) -> Item:
        return Item(
            **{
                "key": f"{REPO}:release:{tag}",
                "repo": REPO,
                "kind": Kind.RELEASE,
                "ref": tag,
                "title": tag,
                "url": f"https://github.com/{REPO}/releases/tag/{tag}",
                "author": "ada",
                "at": DAY + timedelta(hours=hour),
                "state": State.PUBLISHED,
                **more,
            }
        )

    return make


@pytest.fixture(scope="session")
def activity() -> Make:
    def make(items: Sequence[Item], *, days: int = 1, later: Sequence[Item] = ()) -> Activity:
        window = Window(DAY, DAY + timedelta(days=days), "UTC", "2026-03-02")
        return Activity(REPO, window, tuple(items), window.end, "recorded", later=tuple(later))

    return make
