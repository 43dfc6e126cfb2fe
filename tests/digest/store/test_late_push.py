"""Commits that are pushed days after they were made, whoever asks for what in between."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from digest.models import Gap, Window
from digest.store.store import Store
from tests.digest.sources.git.workshop import REPO, Workshop, february, source
from tests.phrases import gap as gap_of


async def test_a_late_push_is_told_on_the_day_on_which_it_could_be_seen(
    store: Store, tmp_path: Path
) -> None:
    shop, stored = Workshop(tmp_path / "turbine"), store.activity("git")

    async def told(window: Window, hour: int) -> list[str]:
        now = datetime(2026, 2, 9, tzinfo=UTC) + timedelta(hours=hour)
        git = source(shop.folder, now=now, seen=stored.seen_since)
        for part in await stored.missing(REPO, window):
            await stored.save(await git.collect(REPO, part))
        known = await stored.read(REPO, window)
        return [item.commits[0] for item in known.items] if known else []

    shop.change(2)
    assert await told(february(8), hour=9) == []
    on_friday = shop.change(6, "Made on Friday, pushed on Monday")
    week = february(2, 8)
    assert on_friday not in await told(week, hour=12), "somebody else asks for the week"
    after = shop.change("2026-02-09T18:00:00Z")
    assert await told(february(9), hour=33) == [on_friday, after]
    assert await told(february(10), hour=57) == []


async def test_a_look_that_was_repeated_still_tells_when_a_late_push_came(
    store: Store, tmp_path: Path
) -> None:
    shop, stored = Workshop(tmp_path / "turbine"), store.activity("git")

    async def look(window: Window, hour: int, *gaps: Gap) -> list[str]:
        now = datetime(2026, 2, 9, tzinfo=UTC) + timedelta(hours=hour)
        git = source(shop.folder, now=now, seen=stored.seen_since)
        assert await stored.missing(REPO, window) == (window,)
        await stored.save(replace(await git.collect(REPO, window), gaps=gaps))
        known = await stored.read(REPO, window)
        assert known
        assert known.gaps == gaps
        return [item.commits[0] for item in known.items]

    shop.change(2)
    assert await look(february(8), 9, gap_of("issues", "GitHub hangs")) == []
    on_friday = shop.change(6, "Made on Friday, pushed on Monday")
    assert await look(february(8), 12) == []
    after = shop.change("2026-02-09T18:00:00Z")
    assert await look(february(9), 33) == [on_friday, after]
