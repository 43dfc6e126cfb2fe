"""A digest's time: whole calendar days of a zone, as half-open windows in UTC.

A day is a calendar day of the asked zone. Where the clocks change it has 23 or 25 hours, and
where midnight is skipped it begins at its first moment, so that the days of a zone follow one
another without gap or overlap. What people say about time is read by `digest.times`.

A window is collected in intervals: at the end stands which of its time was looked at.
"""

import functools
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from digest.errors import BadWindow, quoted
from digest.models import Gap, Item, Notice, Window
from digest.phrase import Phrase
from digest.times import Days, days_named, no_time, refuse_too_many, zone_named
from digest.wording.phrases import SAY

FIRST_DAY = date(1970, 1, 2)
"""Git counts seconds from 1970-01-01 in UTC; a day later, that holds in every zone."""

DAYS_KEPT = 1_024
"""Days whose bounds are kept: thousands of channels ask for the same few."""

_SOME_DAY = date(2024, 3, 1)


def parse(words: str, *, now: datetime, tz: str) -> Window:
    """Read a time as people write it: a day, a period, `FIRST..LAST` or `since` one.

    `now` is aware; `tz` an IANA name. Days: `today`, `2026-02-11`, `27 feb`, `2月27日`, `monday`,
    `周一`; a weekday is the latest before today, as git reads `--since=friday`, and a date without
    a year the latest that has come. Periods: `week` and `last 3 days` are full days and end with
    yesterday, `this week` and `last week` begin on a Monday, `last month` on its first. A window
    that reaches into the day that is not over ends now and is `partial`. Raises `BadWindow` with
    the nearest right form.
    """
    today = now.astimezone(zone_named(tz)).date()
    named = days_named(words, today)
    if named is None:
        raise BadWindow(_no_time(" ".join(words.casefold().split()), today))
    return window_of(named, now=now, tz=tz)


def _no_time(words: str, today: date) -> Phrase:
    first, dots, last = words.partition("..")
    if dots and not (first and last.strip(".")):
        if (end := first or last.strip(".")) and not names_time(end):
            return SAY.windows.one_end_of_tags(quoted(words))
        return SAY.windows.one_end(quoted(words), today - timedelta(days=1), today)
    return no_time(words)


def names_time(words: str) -> bool:
    """Tell whether words claim to be a time, right or wrong; no clock is needed for that."""
    try:
        return days_named(words, _SOME_DAY) is not None
    except BadWindow:
        return True


def window_of(days: Days, *, now: datetime, tz: str) -> Window:
    """Give the window of days, up to now at the latest; raises `BadWindow` where there is none."""
    zone = zone_named(tz)
    now = now.astimezone(UTC).replace(microsecond=0)
    first, last = days.first, days.last
    today = now.astimezone(zone).date()
    if first > last:
        raise BadWindow(SAY.windows.backwards(first, last))
    if last > today:
        near = f"{first}..{today}" if first < today else f"{today - timedelta(days=1)}"
        raise BadWindow(SAY.windows.to_come(last, today, zone.key, near))
    if first < FIRST_DAY:
        raise BadWindow(SAY.windows.too_early(first, FIRST_DAY))
    refuse_too_many((last - first).days + 1, last)
    window = _whole(first, last, zone)
    if window.end > now:
        window = _partial(window, now, zone)
    if window.start < window.end:
        return window
    if last == today:
        raise BadWindow(SAY.windows.just_begun(today, zone.key))
    near_day = first - timedelta(days=1)
    raise BadWindow(SAY.windows.skipped(zone.key, first, near_day))


@functools.lru_cache(DAYS_KEPT)
def day(of: date, tz: str) -> Window:
    """Give one whole calendar day of a zone."""
    zone = zone_named(tz)
    return _whole(of, of, zone)


def days(window: Window) -> tuple[Window, ...]:
    """Part a window into its calendar days, oldest first; only the last may be partial.

    Days that the zone skipped altogether are left out.
    """
    zone = zone_named(window.tz)
    first = window.start.astimezone(zone).date()
    last = (window.end - timedelta(microseconds=1)).astimezone(zone).date()
    dates = (first + timedelta(days=n) for n in range((last - first).days + 1))
    whole = (_whole(one, one, zone) for one in dates)
    parts = [part for part in whole if part.start < part.end]
    if parts and parts[-1].end > window.end:
        parts[-1] = _partial(parts[-1], window.end, zone)
    return tuple(parts)


def _whole(first: date, last: date, zone: ZoneInfo) -> Window:
    label = f"{first}" if first == last else f"{first}..{last}"
    return Window(
        _midnight(first, zone), _midnight(last + timedelta(days=1), zone), zone.key, label
    )


UNTIL = " until "
"""What stands in the label of a window between its days and the time that it has come to."""


def _partial(window: Window, end: datetime, zone: ZoneInfo) -> Window:
    label = f"{window.label}{UNTIL}{end.astimezone(zone):%H:%M}"
    return Window(window.start, end, window.tz, label, partial=True)


def _midnight(of: date, zone: ZoneInfo) -> datetime:
    # PEP 495: of two midnights fold=0 is the first, and a skipped one is read with the offset
    # before the change, which is the very moment of the change when the clocks skip 00:00.
    return datetime(of.year, of.month, of.day, tzinfo=zone).astimezone(UTC)


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What a collected interval tells besides its items; `earlier` as in `Activity`."""

    source: str
    gaps: tuple[Gap, ...] = ()
    notices: tuple[Notice, ...] = ()
    earlier: tuple[Item, ...] = ()


def can_heal(gaps: Iterable[Gap]) -> bool:
    """Tell whether asking again may close one of the gaps, so that the time is not finished."""
    return any(not gap.lasting for gap in gaps)


@dataclass(frozen=True, slots=True)
class Interval:
    """A collected interval `[start, end)`; what came after `collected_at` was not seen."""

    start: datetime
    end: datetime
    collected_at: datetime

    @property
    def seen_until(self) -> datetime:
        """The end of what was over when it was collected."""
        return min(self.end, self.collected_at)


def uncovered(window: Window, intervals: Iterable[Interval]) -> tuple[Window, ...]:
    """Give the parts of a window that no interval has seen, in order of time."""
    parts = []
    start = window.start
    for interval in sorted(intervals, key=lambda each: each.start):
        parts.append((start, min(interval.start, window.end)))
        start = max(start, interval.seen_until)
    parts.append((start, window.end))
    return tuple(replace(window, start=a, end=b) for a, b in parts if a < b)
