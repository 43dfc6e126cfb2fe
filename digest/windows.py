"""What people say about time (`yesterday`, `2026-02-09..2026-02-11`) as half-open windows in UTC.

A day is a calendar day of the asked zone. Where the clocks change it has 23 or 25 hours, and
where midnight is skipped it begins at its first moment, so that the days of a zone follow one
another without gap or overlap.

Also time zones as people say them, only what IANA's own names (https://www.iana.org/time-zones) do
not hold: `Berlin` and `new york` are read from those, and letters that two parts of the world use
for clocks far apart are in `AMBIGUOUS` and have to be asked about. And which parts of a window were
looked at, by arithmetic on half-open intervals.
"""

import calendar
import difflib
import functools
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo, available_timezones

from digest.errors import BadWindow
from digest.models import Gap, Item, Notice, Window
from digest.phrase import Example
from digest.wording.phrases import SAY

_CITIES = {
    "Asia/Shanghai": "beijing, shenzhen, hangzhou, guangzhou, nanjing, chengdu, wuhan, china, "
    "北京, 上海, 深圳, 杭州, 广州, 南京, 成都, 武汉, 西安, 中国, 北京时间",
    "Asia/Hong_Kong": "香港, hkt",
    "Asia/Taipei": "taiwan, hsinchu, 台北, 臺北, 新竹",
    "Asia/Tokyo": "osaka, kyoto, 东京, 東京, jst",
    "Asia/Seoul": "korea, 首尔, kst",
    "Asia/Singapore": "新加坡, sgt",
    "Asia/Kolkata": "india, bangalore, bengaluru, hyderabad, mumbai, delhi, new_delhi, chennai, "
    "pune, ist",
    "Asia/Jerusalem": "tel_aviv, haifa, israel",
    "Europe/Berlin": "germany, munich, hamburg, frankfurt, cet, cest",
    "Europe/London": "uk, cambridge, oxford, edinburgh, bst, 伦敦",
    "Europe/Paris": "france, grenoble, 巴黎",
    "Europe/Zurich": "switzerland, geneva, lausanne",
    "Europe/Moscow": "msk, 莫斯科",
    "Europe/Helsinki": "eet, eest",
    "America/Los_Angeles": "san_francisco, bay_area, seattle, san_jose, santa_clara, palo_alto, "
    "mountain_view, california, pacific, pt, pst, pdt, 旧金山, 洛杉矶, 西雅图, 硅谷",
    "America/Denver": "boulder, mountain, mt, mst, mdt",
    "America/Chicago": "austin, dallas, houston, cdt, 芝加哥",
    "America/New_York": "boston, pittsburgh, washington, eastern, et, est, edt, 纽约, 波士顿",
    "America/Toronto": "waterloo, montreal, 多伦多",
    "America/Sao_Paulo": "brazil, rio, brt",
    "Australia/Sydney": "canberra, aest, aedt, 悉尼",
    "UTC": "utc, gmt, z, zulu",
}
NAMED = {word.strip(): zone for zone, words in _CITIES.items() for word in words.split(",")}
"""What people say, in lower case with `_` for spaces, by the IANA name that is meant."""

AMBIGUOUS = {"cst": ("Asia/Shanghai", "America/Chicago")}
"""What stands for clocks far apart."""

# A place whose clock has stood at these minutes from UTC all year for decades.
_STEADY = {
    0: "UTC",
    60: "Africa/Lagos",
    120: "Africa/Johannesburg",
    180: "Asia/Riyadh",
    240: "Asia/Dubai",
    300: "Asia/Karachi",
    330: "Asia/Kolkata",
    345: "Asia/Kathmandu",
    360: "Asia/Dhaka",
    390: "Asia/Yangon",
    420: "Asia/Bangkok",
    480: "Asia/Shanghai",
    540: "Asia/Tokyo",
    570: "Australia/Darwin",
    600: "Australia/Brisbane",
    -180: "America/Buenos_Aires",
    -240: "America/Puerto_Rico",
    -300: "America/Bogota",
    -360: "America/Costa_Rica",
    -420: "America/Phoenix",
    -600: "Pacific/Honolulu",
}
_ZONE_OFFSET = re.compile(r"(?:utc|gmt)?_?([+-])_?(\d{1,2})(?::?(\d{2}))?", re.ASCII)
_FARTHEST = 12
"""Hours from UTC for which IANA has a zone without a place on both sides."""


def zone_said(words: str) -> str:
    """Give the IANA name that is meant by `Beijing`, `PST`, `UTC+8` or `北京`, or nothing.

    Letters of winter or summer (`PST`) mean the place, whose clocks change.
    """
    folded = "_".join(words.casefold().split())
    if folded in NAMED:
        return NAMED[folded]
    offset = _ZONE_OFFSET.fullmatch(folded)
    if offset is None:
        return ""
    sign = 1 if offset[1] == "+" else -1
    minutes = sign * (int(offset[2]) * 60 + int(offset[3] or 0))
    if minutes in _STEADY:
        return _STEADY[minutes]
    hours, rest = divmod(minutes, 60)
    # POSIX counts westwards, and so do these names: Etc/GMT+8 is eight hours behind UTC.
    return f"Etc/GMT{-hours:+d}" if not rest and abs(hours) <= _FARTHEST else ""


def zones_like(typed: str) -> tuple[str, ...]:
    """Give the IANA names that somebody may be typing, the likeliest first; none for nothing.

    Those of what people say come first, then those of which a part begins with it, then those
    that hold it where it is no name of a zone itself. Names without a place in them are left out,
    but for UTC.
    """
    wanted = "_".join(typed.casefold().split())
    if not wanted:
        return ()
    exact = zone_said(wanted)
    said = sorted(zone for name, zone in NAMED.items() if name.startswith(wanted))
    meant = AMBIGUOUS.get(wanted, (exact,) if exact else ())
    begun = [name for name in _places() if f"/{wanted}" in f"/{name.casefold()}"]
    held = [] if meant else [name for name in _places() if wanted in name.casefold()]
    return tuple(dict.fromkeys((*meant, *said, *sorted(begun), *sorted(held))))


@functools.cache  # it walks the zone files of the machine, which takes some 40 ms
def _places() -> frozenset[str]:
    odd = ("Etc/", "posix/", "right/", "SystemV/", "US/")
    return frozenset(
        name
        for name in available_timezones()
        if name == "UTC" or ("/" in name and not name.startswith(odd))
    )


MAX_DAYS = 92
"""The longest window: three months, which a digest can still tell item by item."""

FIRST_DAY = date(1970, 1, 2)
"""Git counts seconds from 1970-01-01 in UTC; a day later, that holds in every zone."""

DAYS_KEPT = 1_024
"""Days whose bounds are kept: thousands of channels ask for the same few."""

WEEK = 7
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
FORMS = "today, yesterday, monday, 27 feb, 2026-02-11, last 3 days, week, mon..wed, since fri"
SHOWN_CHARS = 40

_OFFSET = re.compile(r"[+-]\d", re.ASCII)
_LIKE_A_DAY = re.compile(
    r"(?P<y>\d{4})(?P<sep>[-/.])(?P<m>\d{1,2})(?P=sep)(?P<d>\d{1,2})"
    r"|(?P<yy>20\d\d)(?P<mm>[01]\d)(?P<dd>[0-3]\d)",
    re.ASCII,
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = "|".join(
    f"{calendar.month_name[number].casefold()}|{short}" for number, short in enumerate(_MONTHS, 1)
)
_MONTH_AND_DAY = re.compile(
    rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th)?[ -]?(?P<month>{_MONTH})\.?(?:,? ?(?P<year>\d{{4}}))?"
    rf"|(?P<month_first>{_MONTH})\.? ?(?P<day_second>\d{{1,2}})(?:st|nd|rd|th)?"
    r"(?:,? (?P<year_last>\d{4}))?"
    r"|(?:(?P<chinese_year>\d{4})年)?(?P<chinese_month>\d{1,2})月(?P<chinese_day>\d{1,2})[日号]?",
    re.ASCII,
)
_CHINESE_NUMBERS = "一二三四五六七八九十"
_WEEKDAY_NAMES = "|".join(
    f"{calendar.day_name[number].casefold()}|{short}" for number, short in enumerate(WEEKDAYS)
)
_WEEKDAY = re.compile(rf"(?:last |on )?({_WEEKDAY_NAMES})|(?:周|星期|礼拜)([一二三四五六日天])")
_DAYS_AGO = {
    **dict.fromkeys(("today", "今天", "今日"), 0),
    **dict.fromkeys(("yesterday", "昨天", "昨日"), 1),
    "前天": 2,
}
_FULL_DAYS = re.compile(
    r"(?:(?:the )?(?:last|past) )?(\d{1,4}) ?(?:days?|d|(weeks?|w))"
    rf"|(?:最近|过去|近)(\d{{1,4}}|[{_CHINESE_NUMBERS}])个?(?:天|日|(周|星期))"
)
_SINCE = re.compile(r"since (.*)|自?从?(.*)(?:以来|至今)")
_RANGE = re.compile(r"(?:from )?(.*?)(?: ?\.\.+ ?| (?:to|until|till|through|-|–) |到|至)(.*)")
_SOME_DAY = date(2024, 3, 1)


def parse(words: str, *, now: datetime, tz: str) -> Window:
    """Read a day, a period or `FIRST..LAST` of them, or `since` one, as people write them.

    `now` is aware; `tz` an IANA name. Days: `today`, `2026-02-11`, `27 feb`, `2月27日`, `monday`,
    `周一`; a weekday is the latest before today, as git reads `--since=friday`, and a date without
    a year the latest that has come. Periods: `week` and `last 3 days` are full days and end with
    yesterday, `this week` and `last week` begin on a Monday, `last month` on its first. A window
    that reaches into the day that is not over ends now and is `partial`. Raises `BadWindow` with
    the nearest right form.
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
    if folded in by_city:
        return ZoneInfo(by_city[folded])
    near = difflib.get_close_matches(folded[:SHOWN_CHARS], [*by_folded, *by_city], n=1)
    if near and not _OFFSET.search(folded):
        meant = by_folded.get(near[0]) or by_city[near[0]]
        hint = SAY.commands.did_you_mean(meant)
    else:
        hint = SAY.windows.zones
    raise BadWindow(SAY.windows.no_zone(_shown(name), hint))


def zone_meant(words: str) -> ZoneInfo:
    """Give the zone that a person means by an IANA name, a city, `PST` or `UTC+8`.

    Raises `BadWindow` where nothing is meant or two things are.
    """
    if said := zone_said(words):
        return ZoneInfo(said)
    if both := AMBIGUOUS.get(words.strip().casefold()):
        one, other = both
        raise BadWindow(SAY.windows.two_zones(_shown(words), one, other))
    return zone_named(words)


@functools.cache  # it walks the zone files of the machine, which takes some 40 ms
def _known_zones() -> frozenset[str]:
    return frozenset(available_timezones())


def names_time(words: str) -> bool:
    """Tell whether words claim to be a time, right or wrong; no clock is needed for that."""
    try:
        return _named(" ".join(words.casefold().split()), _SOME_DAY) is not None
    except BadWindow:
        return True


def _days_named(words: str, today: date) -> tuple[date, date]:
    named = _named(words, today)
    if named is None:
        near = difflib.get_close_matches(words[:SHOWN_CHARS], ["today", "yesterday", "week"], n=1)
        other = SAY.windows.forms(FORMS)
        hint = SAY.commands.did_you_mean(Example(near[0])) if near else other
        raise BadWindow(SAY.windows.not_a_time(_shown(words), hint))
    return named


def _named(words: str, today: date) -> tuple[date, date] | None:
    """Give the first and last day that folded words name, or None where they name no time."""
    period = _period(words, today)
    if period is not None:
        return period
    if since := _SINCE.fullmatch(words):
        return _days_named(since[1] or since[2], today)[0], today
    ends = _RANGE.fullmatch(words)
    if ends is None:
        return None
    if ".." in words and not (ends[1] and ends[2]):
        if (end := ends[1] or ends[2]) and not names_time(end):
            raise BadWindow(SAY.windows.one_end_of_tags(_shown(words)))
        raise BadWindow(SAY.windows.one_end(_shown(words), today - timedelta(days=1), today))
    if ".." not in words and not (names_time(ends[1]) and names_time(ends[2])):
        return None
    first, last = _days_named(ends[1], today)[0], _days_named(ends[2], today)[1]
    week_on = last + timedelta(days=WEEK)
    if last < first <= week_on <= today and _weekday(ends[2]) is not None:
        return first, week_on  # on a Thursday, `tuesday to thursday` ends with today
    return first, last


def _period(words: str, today: date) -> tuple[date, date] | None:
    if words in _DAYS_AGO:
        only = today - timedelta(days=_DAYS_AGO[words])
        return only, only
    yesterday = today - timedelta(days=1)
    if words in {"week", "past week", "过去一周", "最近一周"}:
        return today - timedelta(days=WEEK), yesterday
    monday = today - timedelta(days=today.weekday())
    if words in {"this week", "本周", "这周", "这星期"}:
        return monday, today
    if words in {"last week", "上周", "上星期"}:
        return monday - timedelta(days=WEEK), monday - timedelta(days=1)
    if words in {"this month", "本月", "这个月"}:
        return today.replace(day=1), today
    if words in {"last month", "上月", "上个月"}:
        last = today.replace(day=1) - timedelta(days=1)
        return last.replace(day=1), last
    if full_days := _FULL_DAYS.fullmatch(words):
        number = full_days[1] or full_days[3]
        count = int(number) if number.isdecimal() else _CHINESE_NUMBERS.index(number) + 1
        count *= WEEK if full_days[2] or full_days[4] else 1
        _refuse_too_many(count, yesterday)
        return today - timedelta(days=count), yesterday
    weekday = _weekday(words)
    if weekday is not None:
        only = today - timedelta(days=(today.weekday() - weekday) % WEEK or WEEK)
        return only, only
    only_date = _date(words, today)
    return (only_date, only_date) if only_date else None


def _weekday(words: str) -> int | None:
    found = _WEEKDAY.fullmatch(words)
    if found is None:
        return None
    if found[2]:
        return WEEK - 1 if found[2] in "日天" else _CHINESE_NUMBERS.index(found[2])
    return WEEKDAYS.index(found[1][:3])


def _refuse_too_many(count: int, last: date) -> None:
    if count < 1:
        raise BadWindow(SAY.windows.no_days)
    if count > MAX_DAYS:
        raise BadWindow(
            SAY.windows.too_long(count, MAX_DAYS, last - timedelta(days=MAX_DAYS - 1), last)
        )


def _date(words: str, today: date) -> date | None:
    """Read a date; one without a year is the latest that has come. `BadWindow` if none is so."""
    if written := _LIKE_A_DAY.fullmatch(words):
        year, month, number = (int(written[part] or written[part * 2]) for part in "ymd")
    elif written := _MONTH_AND_DAY.fullmatch(words):
        said = {key: value for key, value in written.groupdict().items() if value}
        by_name = said.get("month") or said.get("month_first")
        month = _MONTHS.index(by_name[:3]) + 1 if by_name else int(said["chinese_month"])
        number = int(said.get("day") or said.get("day_second") or said["chinese_day"])
        named_year = said.get("year") or said.get("year_last") or said.get("chinese_year")
        year = int(named_year) if named_year else today.year
        if not named_year and (month, number) > (today.month, today.day):
            year -= 1
        while (month, number) == (2, 29) and not named_year and not calendar.isleap(year):
            year -= 1
    else:
        return None
    if year < 1 or not 1 <= month <= 12:
        raise BadWindow(SAY.windows.not_a_date(words, today))
    length = calendar.monthrange(year, month)[1]
    if not 1 <= number <= length:
        near_day = date(year, month, min(max(number, 1), length))
        month_name = calendar.month_name[month]
        raise BadWindow(SAY.windows.no_such_day(words, month_name, year, length, near_day))
    return date(year, month, number)


def _between(first: date, last: date, *, now: datetime, zone: ZoneInfo) -> Window:
    today = now.astimezone(zone).date()
    if first > last:
        raise BadWindow(SAY.windows.backwards(first, last))
    if last > today:
        near = f"{first}..{today}" if first < today else f"{today - timedelta(days=1)}"
        raise BadWindow(SAY.windows.to_come(last, today, zone.key, near))
    if first < FIRST_DAY:
        raise BadWindow(SAY.windows.too_early(first, FIRST_DAY))
    _refuse_too_many((last - first).days + 1, last)
    window = _whole(first, last, zone)
    if window.end > now:
        window = _partial(window, now, zone)
    if window.start < window.end:
        return window
    if last == today:
        raise BadWindow(SAY.windows.just_begun(today, zone.key))
    near_day = first - timedelta(days=1)
    raise BadWindow(SAY.windows.skipped(zone.key, first, near_day))


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
