"""A day of `make replicas`: processes are killed again and again, every slot is told once."""

from datetime import UTC, date, datetime, time, timedelta

from digest.leases import LEASE
from tests.bot.platform_fake import KILN
from tests.e2e.replicas import channels, due_moment, report, week


async def test_three_processes_of_which_one_is_killed_every_few_minutes_tell_every_slot_once(
    postgres_url: str,
) -> None:
    told = await week(postgres_url, number=40, length=timedelta(days=1), replicas=3, seed=3)

    assert told.wrong == []
    assert told.kills > 5
    assert len(told.late) >= 40
    assert min(told.late.values()) >= timedelta(0), report(told)
    assert max(told.late.values()) <= LEASE, report(told)


async def test_two_processes_share_a_file_of_sqlite_as_well(sqlite_url: str) -> None:
    told = await week(sqlite_url, number=30, length=timedelta(days=1), replicas=2, seed=5)

    assert told.wrong == []
    assert told.kills > 5


def test_the_week_has_a_time_that_is_skipped_and_one_that_comes_twice() -> None:
    """Berlin has no half past two on 29 March; Sydney has two of them on 5 April."""
    half_past = time(2, 30)
    named = [(each.tz, each.at) for each in channels(300, (KILN,))]

    skipped = due_moment(date(2026, 3, 29), half_past, "Europe/Berlin")
    doubled = due_moment(date(2026, 4, 5), half_past, "Australia/Sydney")

    assert {("Europe/Berlin", half_past), ("Australia/Sydney", half_past)} <= set(named)
    assert skipped == datetime(2026, 3, 29, 1, 30, tzinfo=UTC)
    assert doubled == datetime(2026, 4, 4, 15, 30, tzinfo=UTC)
    assert len({tz for tz, _ in named}) == 30
