"""A source of an invented repository, and a pipeline that asks it."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

from digest.errors import (
    NotFound,
)
from digest.models import Activity, Event, FileChange, Gap, Item, Kind, Repo, State, Window

TURBINE = Repo("example-org", "turbine")
SIDE = Repo("example-org", "side")
PATCH = '@@ -1,2 +1,3 @@\n import os\n+parser.add_argument("--blade-count", type=int, default=3)\n'


def at(day: int, hour: int = 0, minute: int = 0) -> datetime:
    return datetime(2026, 2, day, hour, minute, tzinfo=UTC)


def day(number: int) -> Window:
    return Window(at(number), at(number + 1), "UTC", f"2026-02-{number:02d}")


def until(moment: datetime) -> Window:
    start = moment.replace(hour=0, minute=0)
    return Window(start, moment, "UTC", f"{start:%Y-%m-%d} until {moment:%H:%M}", partial=True)


def pull(number: int, moment: datetime, title: str = "", repo: Repo = TURBINE, **more) -> Item:
    return replace(
        Item(
            key=f"{repo}:pull_request:{number}",
            repo=repo,
            kind=Kind.PULL_REQUEST,
            ref=f"#{number}",
            title=title or f"Add blade number {number}",
            url=f"https://github.com/{repo}/pull/{number}",
            author="ada",
            at=moment,
            state=State.MERGED,
            number=number,
            commits=(f"{number:040x}",),
            files=(FileChange("turbine/args.py", "modified", 1, 0, PATCH),),
        ),
        **more,
    )


def issue(number: int, moment: datetime, title: str, **more) -> Item:
    return pull(
        number,
        moment,
        title,
        key=f"{TURBINE}:issue:{number}",
        kind=Kind.ISSUE,
        state=State.OPEN,
        commits=(),
        files=None,
        events=(Event("opened", moment),),
        **more,
    )


class Turbine:
    """A source that knows some items, keeps a transcript and can be told to fail."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        self.clock = clock
        self.items: list[Item] = []
        self.asked: list[str] = []
        self.gaps: tuple[Gap, ...] = ()
        self.failure: Exception | None = None
        self.failing: Repo | None = None
        self.failing_to_find: Exception | None = None
        self.renamed: Repo | None = None

    async def collect(self, repo: Repo, window: Window) -> Activity:
        self.asked.append(f"{repo.name} {window.start:%d %H:%M} {window.end:%d %H:%M}")
        await asyncio.sleep(0)
        if self.failure and self.failing in (None, repo):
            raise self.failure
        own = [item for item in self.items if item.repo == repo]
        inside = [
            item
            for item in own
            if any(event.at in window for event in item.events)
            or (not item.events and item.at in window)
        ]
        return Activity(
            repo=self.renamed or repo,
            window=window,
            items=tuple(self._as_named_now(item) for item in inside),
            collected_at=self.clock(),
            source="recorded",
            later=tuple(
                item for item in own if window.end <= item.at < self.clock() and item.files
            ),
            gaps=self.gaps,
            default_branch="main",
            head="f" * 40,
        )

    def _as_named_now(self, item: Item) -> Item:
        if self.renamed is None:
            return item
        kind_and_name = item.key.partition(":")[2]
        return replace(item, repo=self.renamed, key=f"{self.renamed}:{kind_and_name}")

    async def find(self, repo: Repo, ref: str) -> Item:
        self.asked.append(f"find {ref}")
        if self.failing_to_find:
            raise self.failing_to_find
        for item in self.items:
            if item.repo == repo and ref in (item.ref, item.ref.removeprefix("#")):
                return item
        raise NotFound(f"{repo} has no {ref}: check the number")


def refs(digest) -> list[str]:
    return sorted(read.item.ref for read in digest.reading.items)
