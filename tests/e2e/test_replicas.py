"""A day of `make replicas`: processes are killed again and again, every slot is told once."""

from datetime import timedelta

from bot.claiming import LEASE
from tests.bot.platform_fake import KILN
from tests.e2e.replicas import BEGINS, TICK, channels, due_moment, expected, report, week


async def test_three_processes_of_which_one_is_killed_every_few_minutes_tell_every_slot_once(
    postgres_url: str,
) -> None:
    told = await week(postgres_url, number=40, length=timedelta(days=1), replicas=3, seed=3)

    assert told.wrong == []
    assert told.kills > 5
    assert len(told.late) >= 40
    assert max(told.late.values()) <= LEASE + TICK, report(told)


async def test_two_processes_share_a_file_of_sqlite_as_well(sqlite_url: str) -> None:
    told = await week(sqlite_url, number=10, length=timedelta(hours=12), replicas=2, seed=5)

    assert told.wrong == []
    assert told.kills > 0


def test_the_week_has_a_time_that_is_skipped_and_one_that_comes_twice() -> None:
    wanted = {
        (each.tz, each.at): expected(each, BEGINS + timedelta(days=7))
        for each in channels(300, (KILN,))
    }
    skipped = [
        slots for (tz, at), slots in wanted.items() if tz == "Europe/Berlin" and at.hour == 2
    ]

    assert all(
        due_moment(day, at, tz) < BEGINS + timedelta(days=7)
        for (tz, at), slots in wanted.items()
        for day in slots
    )
    assert len(skipped) == 2
    assert sum(map(len, wanted.values())) >= 1_600
