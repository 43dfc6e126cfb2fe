"""What of a window was not looked at is found by arithmetic on half-open intervals."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from digest.models import Window
from digest.windows import Interval, uncovered

MIDNIGHT = datetime(2026, 2, 11, tzinfo=UTC)


def at(hour: int) -> datetime:
    return MIDNIGHT + timedelta(hours=hour)


def hours(window: Window, *intervals: Interval) -> list[tuple[int, int]]:
    parts = uncovered(window, intervals)
    return [
        (
            int((p.start - MIDNIGHT).total_seconds()) // 3600,
            int((p.end - MIDNIGHT).total_seconds()) // 3600,
        )
        for p in parts
    ]


DAY = Window(at(0), at(24), "UTC", "2026-02-11")


@given(st.lists(st.tuples(st.integers(-5, 30), st.integers(-5, 30), st.integers(-5, 40))))
def test_every_hour_is_seen_or_missing_never_both(drawn: list[tuple[int, int, int]]) -> None:
    intervals = [Interval(at(a), at(b), at(c)) for a, b, c in drawn if a < b]
    missing = {hour for a, b in hours(DAY, *intervals) for hour in range(a, b)}

    seen = {
        hour
        for hour in range(24)
        if any(each.start <= at(hour) < each.seen_until for each in intervals)
    }

    assert missing == set(range(24)) - seen
