"""A day that is over is read once from a clone that stays as it is, and anew from any other."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from digest.models import Digest
from digest.pipeline import Pipeline
from digest.sources.git.source import Git
from digest.store.store import Store
from tests.digest.sources.git.workshop import NOW, REPO, Workshop, dated, february
from tests.digest.sources.git.workshop import source as git_source


class Desk:
    """Asks for days of one folder; each question comes a minute after the one before."""

    def __init__(self, folder: Path, store: Store) -> None:
        self.folder, self.store = folder, store
        self.now = NOW
        self.said: list[str] = []

    def clock(self) -> datetime:
        return self.now

    async def told(self, *, days: int = 3, remembers: bool = True) -> tuple[Digest, bool]:
        """Give a digest, and whether the clone was read for it."""
        self.now += timedelta(minutes=1)
        self.said.clear()
        activity = self.store.activity("git:here")
        source: Git = git_source(
            self.folder,
            now=self.now,
            seen=activity.seen_since,
            memory=self.store.memory if remembers else None,
        )
        asked = Pipeline(
            source,
            source_name="git:here",
            store=self.store,
            clock=self.clock,
            progress=self.said.append,
            rereads=True,
        )
        digest = await asked.digest(REPO, february(3, days))
        return digest, any("collecting" in line for line in self.said)


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    shop = Workshop(tmp_path / "shop")
    shop.change(2, "Begin")
    shop.change(3, "Open the valve")
    shop("tag", "-a", "v1.0", "-m", "v1.0", env=dated(3))
    shop("branch", "next")
    return shop


@pytest.fixture
def desk(shop: Workshop, store: Store) -> Desk:
    return Desk(shop.folder, store)


async def test_an_unchanged_clone_is_not_read_again(desk: Desk) -> None:
    first, was_read = await desk.told()
    assert was_read
    again, was_read = await desk.told()
    assert not was_read
    assert again == first
    wider, was_read = await desk.told(days=4)
    assert was_read
    assert len(wider.reading.items) == 2


def _other_clone(shop: Workshop) -> None:
    shutil.rmtree(shop.folder)
    Workshop(shop.folder).change(3, "Bake bread")


CHANGES: dict[str, Callable[[Workshop], object]] = {
    "a new commit": lambda shop: shop.change(3, "Shut the valve"),
    "a tag": lambda shop: shop("tag", "v1.1"),
    "a tag that says something else": lambda shop: shop(
        "tag", "-f", "-a", "v1.0", "-m", "With notes", env=dated(3)
    ),
    "no tag": lambda shop: shop("tag", "-d", "v1.0"),
    "a rewritten branch": lambda shop: shop("commit", "-q", "--amend", "-m", "Mend the valve"),
    "another branch": lambda shop: shop("symbolic-ref", "HEAD", "refs/heads/next"),
    "a branch cut back": lambda shop: shop("reset", "-q", "--hard", "HEAD~"),
    "a remote": lambda shop: shop("remote", "add", "origin", "https://gitlab.com/a/b"),
    "a replaced commit": lambda shop: shop("replace", "HEAD", "HEAD~"),
    "another clone": _other_clone,
}


@pytest.mark.parametrize("change", CHANGES)
async def test_a_clone_that_has_changed_is_read_anew(
    desk: Desk, shop: Workshop, store: Store, change: str
) -> None:
    await desk.told()
    CHANGES[change](shop)
    digest, was_read = await desk.told()
    assert was_read
    fresh = await Pipeline(
        git_source(shop.folder, now=desk.now, seen=store.activity("git:here").seen_since),
        source_name="git:here",
        store=None,
        clock=desk.clock,
        progress=lambda line: None,
    ).digest(REPO, february(3))
    assert digest.reading.items == fresh.reading.items
    assert not (await desk.told())[1]


async def test_what_was_told_of_another_state_meanwhile_is_not_taken_for_this_one(
    desk: Desk, shop: Workshop
) -> None:
    tip = shop("rev-parse", "HEAD")
    before, _ = await desk.told()
    shop.change(3, "Shut the valve")
    await desk.told(remembers=False)
    shop("reset", "-q", "--hard", tip)
    again, was_read = await desk.told()
    assert was_read
    assert again.reading.items == before.reading.items


async def test_a_day_that_is_not_over_or_lacks_a_patch_is_read_anew(
    desk: Desk, shop: Workshop, store: Store
) -> None:
    day = february(3)
    desk.now = NOW - timedelta(days=26) + timedelta(hours=11)
    activity = store.activity("git:here")
    for minutes in (0, 2):
        now = desk.now + timedelta(minutes=minutes)
        running = replace(day, end=now, partial=True)
        said: list[str] = []
        await Pipeline(
            git_source(shop.folder, now=now, seen=activity.seen_since, memory=store.memory),
            source_name="git:here",
            store=store,
            clock=lambda now=now: now,
            progress=said.append,
            rereads=True,
        ).digest(REPO, running)
        assert any("collecting" in line for line in said)

    desk.now = NOW
    shop.write("large.py", "x = 1\n" * 300_000)
    shop.commit(3, "Add a table")
    assert (await desk.told())[1]
    assert (await desk.told())[1]
