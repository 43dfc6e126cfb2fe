"""Which time of a repository was looked at, and which was not, by half-open intervals (pure)."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from digest.models import Gap, Item, Notice, Window


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
