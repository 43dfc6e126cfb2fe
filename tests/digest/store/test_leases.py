"""A lease by name on a real database: who loses it does not take it back."""

from datetime import timedelta

import pytest

from digest import leases
from digest.leases import RENEWED_FOR, held
from digest.store.database import Database
from digest.store.leases import Leases
from tests.conftest import SetClock, eventually


async def test_a_lost_lease_is_left_to_who_has_it_and_logged(
    sqlite_url: str,
    clock: SetClock,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(leases, "HEARTBEAT", 0.01)
    async with Database(sqlite_url) as database:
        stored = Leases(database)
        async with held(stored, "webhook", "slow", clock) as is_mine:
            assert is_mine
            later = clock() + RENEWED_FOR + timedelta(seconds=1)
            assert await stored.take("webhook", "other", later, later + RENEWED_FOR)
            said: list[str] = []
            await eventually(lambda: said.append(capsys.readouterr().out) or "taken" in str(said))
            await stored.release("webhook", "other")

            assert await stored.take("webhook", "third", later, later + RENEWED_FOR)
        assert not await stored.take("webhook", "slow", later, later + RENEWED_FOR)
