"""What people say about time (`yesterday`, `2026-02-09..2026-02-11`) as half-open windows in UTC.

A day is a calendar day of the asked zone. Where the clocks change it has 23 or 25 hours, and
where midnight is skipped it begins at its first moment, so that the days of a zone follow one
another without gap or overlap.
"""

import calendar
import difflib
import functools
import re
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo, available_timezones

from digest.errors import BadWindow, Sentence
from digest.models import Window

MAX_DAYS = 92
"""The longest window: three months, which a digest can still tell item by item."""

FIRST_DAY = date(1970, 1, 2)
"""Git counts seconds from 1970-01-01 in UTC; a day later, that holds in every zone."""

DAYS_KEPT = 1_024
"""Days whose bounds are kept: thousands of channels ask for the same few."""

WEEK = 7
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
FORMS = "today, yesterday, 2026-02-11, 2026-02-09..2026-02-11, week, since fri"
SHOWN_CHARS = 40

_ISO_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_OFFSET = re.compile(r"[+-]\d", re.ASCII)
_LIKE_A_DAY = re.compile(r"(\d{4})[-/. ]?(\d{1,2})[-/. ]?(\d{1,2})", re.ASCII)


def parse(words: str, *, now: datetime, tz: str) -> Window:
    """Read `today`, `yesterday`, a day, `FIRST..LAST`, `week`, `since fri` or `since DAY`.

    `now` is aware; `tz` an IANA name. `week` is the last seven full days. `since fri` begins on
    the latest Friday before today, as git reads `--since=friday`. A window that reaches into the
    day that is not over ends now and is `partial`. Raises `BadWindow` with the nearest right form.
    """
    zone = zone_named(tz)
    now = now.astimezone(UTC).replace(microsecond=0)
    today = now.astimezone(zone).date()
    first, last = _days_named(" ".join(words.casefold().split()), today)
    return _between(first, last, now=now, zone=zone)


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
    whole = (_whole(one, one, zone) for one in _dates(first, last))
    parts = [part for part in whole if part.start < part.end]
    if parts and parts[-1].end > window.end:
        parts[-1] = _partial(parts[-1], window.end, zone)
    return tuple(parts)


def zone_named(name: str) -> ZoneInfo:
    """Give the zone of an IANA name in any case; `BadWindow` suggests the nearest one."""
    known = _known_zones()
    if name in known:
        return ZoneInfo(name)
    by_folded = {zone.casefold(): zone for zone in known}
    folded = name.strip().replace(" ", "_").casefold()
    if folded in by_folded:
        return ZoneInfo(by_folded[folded])
    by_city = {zone.rpartition("/")[2].casefold(): zone for zone in sorted(known, reverse=True)}
    near = difflib.get_close_matches(folded[:SHOWN_CHARS], [*by_folded, *by_city], n=1)
    if near and not _OFFSET.search(folded):
        meant = by_folded.get(near[0]) or by_city[near[0]]
        hint = Sentence("did you mean {meant}?", meant=meant)
    else:
        hint = Sentence("zones have names such as UTC, Asia/Shanghai or Europe/Berlin")
    raise BadWindow("no time zone is called {name}: {hint}", name=_shown(name), hint=hint)


@functools.cache  # it walks the zone files of the machine, which takes some 40 ms
def _known_zones() -> frozenset[str]:
    return frozenset(available_timezones())


def _days_named(words: str, today: date) -> tuple[date, date]:
    yesterday = today - timedelta(days=1)
    if words == "week":
        return today - timedelta(days=WEEK), yesterday
    if words.startswith("since "):
        return _since(words.removeprefix("since "), today), today
    first, dots, last = words.partition("..")
    if not dots:
        only = _date(words, today)
        return only, only
    first, last = first.strip(), last.strip(". ")
    if not first or not last:
        raise BadWindow(
            "{words} has one end: write {yesterday}..{today}",
            words=_shown(words),
            yesterday=yesterday,
            today=today,
        )
    return _date(first, today), _date(last, today)


def _since(words: str, today: date) -> date:
    for index, short in enumerate(WEEKDAYS):
        if words in {short, calendar.day_name[index].casefold()}:
            back = (today.weekday() - index) % WEEK or WEEK
            return today - timedelta(days=back)
    return _date(words, today)


def _date(words: str, today: date) -> date:
    if words in {"today", "yesterday"}:
        return today - timedelta(days=words == "yesterday")
    written = _LIKE_A_DAY.fullmatch(words)
    if not written:
        near = difflib.get_close_matches(words[:SHOWN_CHARS], ["today", "yesterday", "week"], n=1)
        other = Sentence("write one of {forms}", forms=FORMS)
        hint = Sentence("did you mean {meant}?", meant=near[0]) if near else other
        raise BadWindow("{words} is not a time: {hint}", words=_shown(words), hint=hint)
    year, month, number = (int(part) for part in written.groups())
    if year < 1 or not 1 <= month <= 12:
        raise BadWindow(
            "{words} is not a date: write year-month-day, such as {today}", words=words, today=today
        )
    length = calendar.monthrange(year, month)[1]
    if not 1 <= number <= length:
        near_day = date(year, month, min(max(number, 1), length))
        month_name = calendar.month_name[month]
        raise BadWindow(
            "{words} does not exist, {month_name} {year} has {length} days: try {near_day}",
            words=words,
            month_name=month_name,
            year=year,
            length=length,
            near_day=near_day,
        )
    asked = date(year, month, number)
    if not _ISO_DAY.fullmatch(words):
        raise BadWindow(
            "{words} is not written as a date is here: write {asked}", words=words, asked=asked
        )
    return asked


def _between(first: date, last: date, *, now: datetime, zone: ZoneInfo) -> Window:
    today = now.astimezone(zone).date()
    if first > last:
        raise BadWindow(
            "{first}..{last} runs backwards: write {last}..{first}", first=first, last=last
        )
    if last > today:
        near = f"{first}..{today}" if first < today else f"{today - timedelta(days=1)}"
        raise BadWindow(
            "{last} is still to come, it is {today} in {key}: try {near}",
            last=last,
            today=today,
            key=zone.key,
            near=near,
        )
    if first < FIRST_DAY:
        raise BadWindow(
            "{first} is before git's first day: start at {first_day} or later",
            first=first,
            first_day=FIRST_DAY,
        )
    count = (last - first).days + 1
    if count > MAX_DAYS:
        near_first = last - timedelta(days=MAX_DAYS - 1)
        raise BadWindow(
            "{count} days are too many, a digest has at most {max_days}: try {near_first}..{last}",
            count=count,
            max_days=MAX_DAYS,
            near_first=near_first,
            last=last,
        )
    window = _whole(first, last, zone)
    if window.end > now:
        window = _partial(window, now, zone)
    if window.start < window.end:
        return window
    if last == today:
        raise BadWindow(
            "{today} has only just begun in {key}: try yesterday", today=today, key=zone.key
        )
    near_day = first - timedelta(days=1)
    raise BadWindow(
        "the calendar of {key} skipped {first}: try {near_day}",
        key=zone.key,
        first=first,
        near_day=near_day,
    )


def _whole(first: date, last: date, zone: ZoneInfo) -> Window:
    label = f"{first}" if first == last else f"{first}..{last}"
    return Window(
        _midnight(first, zone), _midnight(last + timedelta(days=1), zone), zone.key, label
    )


def _partial(window: Window, end: datetime, zone: ZoneInfo) -> Window:
    label = f"{window.label} until {end.astimezone(zone):%H:%M}"
    return Window(window.start, end, window.tz, label, partial=True)


def _midnight(of: date, zone: ZoneInfo) -> datetime:
    # PEP 495: of two midnights fold=0 is the first, and a skipped one is read with the offset
    # before the change, which is the very moment of the change when the clocks skip 00:00.
    return datetime(of.year, of.month, of.day, tzinfo=zone).astimezone(UTC)


def _dates(first: date, last: date) -> tuple[date, ...]:
    return tuple(first + timedelta(days=n) for n in range((last - first).days + 1))


def _shown(text: str) -> str:
    """Quote what a person wrote so that it cannot disturb the line it is told in."""
    plain = "".join(char if char.isprintable() else "�" for char in text[:SHOWN_CHARS])
    return f"'{plain}…'" if len(text) > SHOWN_CHARS else f"'{plain}'"
