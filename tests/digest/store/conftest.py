"""An open store, and items to fill it."""

from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from digest.models import Activity, Item, Kind, Repo, State, Window
from digest.store.store import Store, open_store

TURBINE = Repo("example-org", "turbine")


@pytest.fixture
async def store(chosen_url: str) -> AsyncIterator[Store]:
    async with open_store(chosen_url) as opened:
        yield opened


@pytest.fixture
def moment() -> Callable[..., datetime]:
    """Give a moment of February 2026 in UTC: `moment(11, 14, 20)` is the 11th at 14:20."""
    return lambda day, hour=0, minute=0: datetime(2026, 2, day, hour, minute, tzinfo=UTC)


@pytest.fixture
def day(moment: Callable[..., datetime]) -> Callable[[int], Window]:
    """Give a whole day of February 2026."""
    return lambda number: Window(moment(number), moment(number + 1), "UTC", f"2026-02-{number:02d}")


@pytest.fixture
def pull(moment: Callable[..., datetime]) -> Callable[..., Item]:
    """Give a merged pull request."""

    def make(number: int, at: datetime, **more: Any) -> Item:
        given = {
            "key": f"{TURBINE}:pull_request:{number}",
            "repo": TURBINE,
            "kind": Kind.PULL_REQUEST,
            "ref": f"#{number}",
            "number": number,
            "title": f"Turn blade {number}",
            "url": f"https://github.com/{TURBINE}/pull/{number}",
            "author": "ada",
            "at": at,
            "state": State.MERGED,
        }
        return Item(**(given | more))

    return make


@pytest.fixture
def activity(moment: Callable[..., datetime]) -> Callable[..., Activity]:
    """Give what was collected of a window, by default the morning after."""

    def make(window: Window, *items: Item, **more: Any) -> Activity:
        given = {
            "repo": TURBINE,
            "window": window,
            "items": items,
            "collected_at": moment(window.end.day, 9),
            "source": "github",
            "default_branch": "main",
            "head": "f" * 40,
        }
        return Activity(**(given | more))

    return make
