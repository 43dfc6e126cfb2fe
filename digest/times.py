"""Times as people write them, in English and Chinese, for commands and for questions (pure).

A time is one point (a day, a weekday, a month, `last 3 days`) or two with a joint between them, and
words around it that bound it (`since`, 以来). What is not said (the year of `3 nov`, the month of
`to 9`) is that of a range's other end, or else the latest that came.
"""

import calendar
import difflib
import functools
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import MAXYEAR, date, timedelta
from enum import Enum, auto
from zoneinfo import ZoneInfo, available_timezones

from digest.errors import SHOWN_CHARS, BadWindow, quoted
from digest.phrase import Example, Phrase
from digest.wording.phrases import SAY

MAX_DAYS = 92
"""The longest window: three months, which a digest can still tell item by item."""
WEEK = 7
DAY_NAMES = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
"""As settings and commands name them, Monday first."""
FORMS = "today, yesterday, monday, 27 feb, 2026-02-11, last 3 days, week, mon..wed, since fri"
MOST_CHARS = 2_000
"""As much of a text is looked through for a time."""


@dataclass(frozen=True, slots=True)
class Days:
    """The first and the last day of a time, both included; it may run backwards or be to come."""

    first: date
    last: date


Said = Callable[[], Days]
"""Gives the days of a time that was read; raises `BadWindow` where the calendar lacks one."""


@dataclass(frozen=True, slots=True)
class TimeInText:
    """A time within a text, and the text without all that it says of time.

    `is_coming` where it says `tomorrow` or `next week`, which is no time of what happened.
    """

    rest: str
    said: Said | None = None
    is_coming: bool = False


def days_named(text: str, today: date) -> Days | None:
    """Return the days that a whole text names; None where it is no time.

    A weekday is the latest before today, as git reads `--since=friday`. Raises `BadWindow` where
    the calendar has no such day.
    """
    words = " ".join(text.split())
    if len(words) > MOST_CHARS:
        return None
    if _COMING.fullmatch(words):
        tomorrow = _moved(today, 1)
        return Days(tomorrow, tomorrow)
    if ordinal := _ORDINAL_ALONE.fullmatch(words):
        day = _number(ordinal["day"] or ordinal["day_zh"])
        return _resolved(_Point(day=day, words=words), today)
    found = _time(words, 0, today)
    return found[0]() if found and found[1] == len(words) else None


def found_in(text: str, today: date) -> TimeInText:
    """Find the time that a question names: the longest where there are several."""
    words = " ".join(text.split())
    rest, begun, at, is_coming = "", 0, 0, False
    said, longest = None, 0
    while start := _STARTS.search(words, at, MOST_CHARS):
        at = start.start()
        coming = _COMING.match(words, at)
        found = None if coming else _time(words, at, today)
        if coming or found:
            end = coming.end() if coming else found[1] if found else at
            if found and end - at > longest:
                said, longest = found[0], end - at
            is_coming |= coming is not None
            rest, begun, at = f"{rest}{words[begun:at]} ", end, end
        else:
            at += 1
    if every := _EVERY.search(words):
        said = _refused(every[0])
    return TimeInText(rest + words[begun:], said or _unread(words), is_coming)


def no_time(words: str) -> Phrase:
    """Say that words are no time, with the nearest that is one."""
    near = difflib.get_close_matches(words[:SHOWN_CHARS], ["today", "yesterday", "week"], n=1)
    hint = SAY.commands.did_you_mean(Example(near[0])) if near else SAY.windows.forms(FORMS)
    return SAY.windows.not_a_time(quoted(words), hint)


def refuse_too_many(count: int, last: date) -> None:
    """Raise `BadWindow` where so many days, which end with `last`, are no window."""
    if count < 1:
        raise BadWindow(SAY.windows.no_days)
    if count > MAX_DAYS:
        near_first = last - timedelta(days=MAX_DAYS - 1)
        raise BadWindow(SAY.windows.too_long(count, MAX_DAYS, near_first, last))


class _Bound(Enum):
    """What words around a time make of it."""

    SINCE = auto()
    UNTIL = auto()
    BEFORE = auto()


class _Needs(Enum):
    """What has to stand beside the end of a time so that it is one."""

    NOTHING = auto()
    WORD = auto()
    """A month or an ordinal alone: `in may`, `since the 9th`, or another end."""
    RANGE = auto()
    """`now`: another end."""
    MONTH = auto()
    """A number: another end with a month, `3 to 9 november`."""


@dataclass(frozen=True, slots=True)
class _Point:
    """An end of a time: days, a weekday, or a date as far as it is said."""

    days: Days | None = None
    weekday: int | None = None
    year: int | None = None
    month: int | None = None
    day: int | None = None
    words: str = ""
    needs: _Needs = _Needs.NOTHING


_MONTHS = {
    name.casefold(): n
    for n in range(1, 13)
    for name in (calendar.month_name[n], calendar.month_abbr[n], "sept" if n == 9 else "")
    if name
}
_MONTH_NAMES = "|".join(sorted(_MONTHS, key=len, reverse=True))
_FLAGS = re.IGNORECASE | re.ASCII
_CJK = "\u3400-\u9fff"
_STARTS = re.compile(rf"(?<![\w/+.-])(?=\w)|(?=[{_CJK}])|(?<=[{_CJK}])(?=\d)", _FLAGS)
_ENDS = re.compile(rf"(?<=[{_CJK}])|(?![\w/+]|[-.]\w)", _FLAGS)
_COMING = re.compile(
    r"tomorrow\b|(?:the )?next (?:week|weekend|month|(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*)\b"
    "|明[天日]|后天|下个?(?:周末|周|星期|礼拜|月)[一二三四五六日天]?",
    _FLAGS,
)
_WEEKDAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?"
_EVERY = re.compile(
    rf"\b(?:every|each) {_WEEKDAY}\b"
    "|每个?(?:周|星期|礼拜)[一二三四五六日天]",
    _FLAGS,
)
"""What comes again and again, which is no time of what happened."""
_OPENS = re.compile(
    r"(?:(?P<since>since|after)|(?P<until>until|till|through|by|up to)|(?P<before>before)"
    "|(?P<joins>between|on)|from|in|over|during|throughout|at|within|for"
    rf"|last(?= (?:{_MONTH_NAMES})\b)) "
    "|(?P<since_zh>自从?|从|由)|(?P<until_zh>截至|截止到?|直到)|(?P<to_zh>到)",
    _FLAGS,
)
_CLOSES = re.compile(
    r" ?(?:(?P<since>以来|至今|开始|起|之后|以后|onwards?\b)|(?P<until>为止)|(?P<joins>之间)|期间"
    "|(?P<before>之前|以前|前(?![缀年面后端向置])))",
    _FLAGS,
)
_JOINTS = re.compile(
    r" ?(?:\.\.+|[-–~]) ?| (?:up )?(?:to|until|till|through) |直?到|至"
    "|(?P<joins> and | ?[和与跟、] ?)",
    _FLAGS,
)


def _time(text: str, at: int, today: date) -> tuple[Said, int] | None:
    """Read a time from a place on, and give its days and the place behind it."""
    opening = _OPENS.match(text, at)
    begins = [(opening.end(), _words_of(opening))] if opening else []
    for begin, words in (*begins, (at, frozenset[str]())):
        if (first := _point(text, begin, today)) is None:
            continue
        for reader in (_range, _single):
            read = reader(text, *first, today, words)
            if read and _ENDS.match(text, read[1]):
                return read
    return None


def _words_of(found: re.Match[str] | None) -> frozenset[str]:
    """Return which kinds of words stand around a time, such as `since`; `any` for any."""
    given = found.groupdict() if found else {}
    return frozenset(name for name, word in given.items() if word) | ({"any"} if found else set())


def _range(
    text: str, first: _Point, at: int, today: date, opening: frozenset[str]
) -> tuple[Said, int] | None:
    """Read the other end of a range, and the words behind it."""
    joint = _JOINTS.match(text, at)
    other = _point(text, joint.end(), today) if joint else None
    if joint is None or other is None:
        return None
    last, end = other
    closing = _CLOSES.match(text, end)
    is_joined = joint["joins"] is not None
    is_said = "joins" in opening | _words_of(closing) or (first.days and last.days)
    if (is_joined and not is_said) or not _make_a_range(first, last, opening):
        return None
    bound = _bound(opening & {"until", "until_zh", "before"})
    end = closing.end() if closing else end
    return lambda: _limited(_between(first, last, today, is_joined), bound, today), end


def _single(
    text: str, point: _Point, at: int, today: date, opening: frozenset[str]
) -> tuple[Said, int] | None:
    """Read the words behind a time of one end."""
    closing = _CLOSES.match(text, at)
    words = _words_of(closing) or opening
    is_enough = point.needs is _Needs.NOTHING or (point.needs is _Needs.WORD and opening)
    if not is_enough or "to_zh" in words:  # 到 is only of a range, or with 为止
        return None
    bound = _bound(words)
    return lambda: _limited(_resolved(point, today), bound, today), closing.end() if closing else at


def _bound(words: frozenset[str]) -> _Bound | None:
    names = {name.removesuffix("_zh") for name in words}
    return next((bound for bound in _Bound if bound.name.casefold() in names), None)


def _make_a_range(first: _Point, last: _Point, opening: frozenset[str]) -> bool:
    """Tell whether both ends have beside them what they need."""
    if first.needs is _Needs.RANGE:
        return False
    if first.needs is _Needs.MONTH:
        return bool(last.month and last.day)
    if last.needs is _Needs.MONTH:
        return bool(first.month and first.day)
    ordinals = [each for each in (first, last) if each.needs is _Needs.WORD and each.day]
    return bool(opening) or not ordinals


def _unread(text: str) -> Said | None:
    """Return what refuses `since the refactor` and 重构以来, which claim to be times."""
    claim = re.search(rf"\bsince ((?:[^ ]+ ?){{1,3}})|((?:(?!以?来)[{_CJK}]){{1,4}})以来", text)
    if claim is None:
        return None
    return _refused((claim[1] or claim[2]).strip(" ?？"))


def _refused(words: str) -> Said:
    def refuse() -> Days:
        raise BadWindow(no_time(words))

    return refuse


_CHINESE_WEEKDAYS = {each: n for n, each in enumerate("一二三四五六日")} | {"天": 6}
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_COUNTS = {each: n for n, each in enumerate(_NUMBERS, 1)}
_COUNTS |= {"a": 1, "": 1, "couple": 2, "a couple": 2, "few": 3, "a few": 3, "两": 2, "几": 3}
_DIGITS = " 一二三四五六七八九"

_ORDINAL = r"\d{1,2}(?:st|nd|rd|th)?(?![\da-z])"
_ORDINAL_ALONE = re.compile(
    r"(?:on )?(?:the )?(?P<day>\d{1,3})(?:st|nd|rd|th)"
    "|(?P<day_zh>[0-9]{1,3}|[一二三四五六七八九十]{1,3}) ?[号日]",
    _FLAGS,
)
"""A day of the month that is all that is said, right or wrong."""
_YEAR = r"(?:,? (?P<year>[1-9]\d{3})\b)?"
_N = "(?:[0-9]{1,4}|[一二两三四五六七八九十]{1,3}|几)"
_SPOKEN_YEAR = "(?:(?P<year>[0-9]{4} ?年|今年|去年)的? ?)?"
_MONTH_ZH = "(?:1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九])"
_WEEK_ZH = "(?:周|星期|礼拜)"
_THIS_OR_LAST = "(?P<which>上{1,2}个?|本|这个?)"


def _number(text: str) -> int:
    """Read digits, an English count or a Chinese number below a hundred."""
    word = text.casefold().removesuffix(" of")
    if word.isdigit():
        return int(word)
    if word in _COUNTS:
        return _COUNTS[word]
    tens, ten, ones = word.rpartition("十")
    value = 10 * (_DIGITS.find(tens) if tens else 1) if ten else 0
    return value + (_DIGITS.find(ones) if ones else 0)


def _ago_of(which: str) -> int:
    """Read how many weeks or months ago one is: `last` and 上 are one, 上上 two, others none."""
    return 1 if which.casefold() == "last" else which.count("上")


def _date(found: re.Match[str], today: date) -> _Point:
    day = found.groupdict().get("d")
    year, month = int(found["y"]), int(found["m"])
    return _Point(year=year, month=month, day=int(day) if day else None, words=found[0])


def _written_date(found: re.Match[str], today: date) -> _Point:
    day = int(re.sub(r"\D", "", found["day"]))
    year = int(found["year"]) if found["year"] else None
    words = found[0].removeprefix("the ")
    return _Point(year=year, month=_MONTHS[found["month"].casefold()], day=day, words=words)


def _chinese_date(found: re.Match[str], today: date) -> _Point:
    said, day = found["year"] or "", found.groupdict().get("day")
    year = int(said[:4]) if said[:4].isdigit() else None
    if said and year is None:
        year = today.year - (said == "去年")
    number = _number(day) if day else None
    return _Point(year=year, month=_number(found["month"]), day=number, words=found[0])


def _month(found: re.Match[str], today: date) -> _Point:
    month, year = _MONTHS[found["month"].casefold()], found["year"]
    if year:
        return _Point(year=int(year), month=month)
    return _Point(month=month, needs=_Needs.WORD)


def _this_month(found: re.Match[str], today: date) -> _Point:
    day = found.groupdict().get("day")
    number = _number(day) if day else None
    return replace(_month_before(today, _ago_of(found["which"])), day=number, words=found[0])


def _month_before(today: date, count: int) -> _Point:
    year, month = divmod(today.year * 12 + today.month - 1 - min(count, 1_000), 12)
    return _Point(year=year, month=month + 1)


def _year(found: re.Match[str], today: date) -> _Point:
    said = found[0].casefold()
    last = said.startswith(("last", "去"))
    year = int(said[:4]) if said[0].isdigit() else today.year - last
    if not 1 <= year <= MAXYEAR:
        return _Point(year=year, month=1, day=1, words=found[0])
    return _Point(Days(date(year, 1, 1), max(date(year, 1, 1), min(today, date(year, 12, 31)))))


def _ago(first: int, last: int) -> Callable[[re.Match[str], date], _Point]:
    return lambda found, today: _Point(Days(_moved(today, -first), _moved(today, -last)))


def _now(found: re.Match[str], today: date) -> _Point:
    return _Point(Days(today, today), needs=_Needs.RANGE)


def _long_ago(found: re.Match[str], today: date) -> _Point:
    """Read `3 days ago` and 三天前 as that day, weeks and months as those of the calendar."""
    count, unit = _number(found["n"]), found["unit"].casefold()
    if unit.startswith(("day", "天")):
        day = _moved(today, -count)
        return _Point(Days(day, day))
    if unit.startswith("month") or unit == "个月":
        return _month_before(today, count)
    return _Point(_week_before(today, count))


def _weekday(found: re.Match[str], today: date) -> _Point:
    weekday = DAY_NAMES.index(found["day"][:3].casefold())
    if not found["before"]:
        return _Point(weekday=weekday)
    day = _week_before(today, 1).first + timedelta(days=weekday)
    return _Point(Days(day, day))


def _chinese_weekday(found: re.Match[str], today: date) -> _Point:
    weekday = _CHINESE_WEEKDAYS[found["day"]]
    if not found["which"]:
        return _Point(weekday=weekday)
    day = _week_before(today, _ago_of(found["which"])).first + timedelta(days=weekday)
    return _Point(Days(day, day))


def _week(found: re.Match[str], today: date) -> _Point:
    return _Point(_week_before(today, _ago_of(found["which"])))


def _weekend(found: re.Match[str], today: date) -> _Point:
    """Read a weekend: the one that began last, and as `last weekend` one that is over."""
    weeks = _ago_of(found["which"] or "")
    saturday = today - timedelta(days=(today.weekday() - calendar.SATURDAY) % WEEK)
    if weeks and today - saturday < timedelta(days=2):
        saturday -= timedelta(days=WEEK)
    saturday -= timedelta(days=WEEK) * max(0, weeks - 1)
    return _Point(Days(saturday, min(today, saturday + timedelta(days=1))))


def _counted(found: re.Match[str], today: date) -> _Point:
    """Read `last 3 days` and 最近三天: full days, which end with yesterday."""
    count, unit = _number(found["n"] or ""), found["unit"].casefold()
    yesterday = _moved(today, -1)
    if unit.startswith("month") or unit == "月":
        begun = _month_of(_month_before(today, count), today)
        return _Point(Days(min(_moved(begun.first, today.day - 1), begun.last), yesterday))
    count *= 1 if unit.startswith("day") or unit == "天" else WEEK
    return _Point(Days(_moved(today, -count), yesterday))


def _ordinal(found: re.Match[str], today: date) -> _Point | None:
    day = int(re.sub(r"\D", "", found["day"]))
    if not 1 <= day <= 31:
        return None
    needs = _Needs.MONTH if found["day"].isdigit() else _Needs.WORD
    return _Point(year=int(found["year"] or 0) or None, day=day, needs=needs)


def _numbered(found: re.Match[str], today: date) -> _Point | None:
    day = _number(found["day"])
    return _Point(day=day) if 1 <= day <= 31 else None


_RULES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], date], _Point | None]], ...] = tuple(
    (re.compile(pattern, _FLAGS), read)
    for pattern, read in (
        (r"(?P<y>\d{4})(?P<sep>[-/.])(?P<m>\d{1,2})(?P=sep)(?P<d>\d{1,2})(?!\d)", _date),
        (r"(?P<y>20\d\d)(?P<m>[01]\d)(?P<d>[0-3]\d)(?!\d)", _date),
        (r"(?P<y>20\d\d)-(?P<m>0[1-9]|1[0-2])(?![\d/-]|\.\d)", _date),
        (r"today\b|this (?:morning|afternoon|evening)\b|今[天日早晚]", _ago(0, 0)),
        (r"(?:now|right now)\b|现在|目前|今(?![年后])", _now),
        (r"yesterday\b|昨[天日]", _ago(1, 1)),
        (r"last night\b|昨晚", _ago(1, 0)),
        (r"(?:the )?day before yesterday\b|(?<!大)前天", _ago(2, 2)),
        ("大前天", _ago(3, 3)),
        (
            rf"(?P<n>\d{{1,4}}|{'|'.join(_NUMBERS)}|a) (?P<unit>days?|weeks?|months?) ago\b",
            _long_ago,
        ),
        (rf"(?P<n>{_N}) ?个?(?P<unit>天|周|星期|礼拜|个月)(?:之前|以前|前)", _long_ago),
        (
            rf"(?:the )?(?P<day>{_ORDINAL})(?: of|-)? ?(?P<month>{_MONTH_NAMES})\b"
            rf"(?:(?<!may)(?<!march)|(?! [a-z])){_YEAR}",
            _written_date,
        ),
        (rf"(?P<month>{_MONTH_NAMES})\b\.?(?: the)? ?-?(?P<day>{_ORDINAL}){_YEAR}", _written_date),
        (rf"{_SPOKEN_YEAR}(?P<month>{_N}) ?月 ?(?P<day>{_N}) ?[日号]", _chinese_date),
        (rf"{_SPOKEN_YEAR}(?P<month>{_MONTH_ZH}) ?月份?(?!{_N})", _chinese_date),
        (rf"(?P<month>{_MONTH_NAMES})\b(?! \d{{1,2}}\b){_YEAR}", _month),
        (r"(?P<which>this|last) month\b", _this_month),
        (rf"{_THIS_OR_LAST}月(?:(?P<day>{_N})[日号])?", _this_month),
        (r"(?:this|last) year\b|今年|去年|\d{4} ?年", _year),
        (
            rf"(?:last )?(?P<day>{_WEEKDAY})"
            r"\b(?P<before> (?:of )?last week\b)?",
            _weekday,
        ),
        (
            rf"{_THIS_OR_LAST}?{_WEEK_ZH}(?P<day>[一二三四五六日天])(?![直样些下共般])",
            _chinese_weekday,
        ),
        (r"(?:the )?(?:(?P<which>this|past|last) )?weekend\b", _weekend),
        (rf"{_THIS_OR_LAST}?周末", _weekend),
        (r"(?P<which>this|last) week\b", _week),
        (rf"{_THIS_OR_LAST}{_WEEK_ZH}", _week),
        (r"(?:past )?week\b", _ago(WEEK, 1)),
        (
            rf"(?:the )?(?:last|past) (?:(?P<n>\d{{1,4}}|{'|'.join(_NUMBERS)}|(?:a )?(?:couple|few)"
            r"(?: of)?) )?(?P<unit>days?|weeks?|months?)\b",
            _counted,
        ),
        (r"(?P<n>^\d{1,4}|1|\d{1,4}(?= \w+s\b)) (?P<unit>days?|weeks?)\b", _counted),
        (rf"(?:最近|过去|近|这)的?(?P<n>{_N})个?(?P<unit>天|周|星期|礼拜|月)(?!份)", _counted),
        (rf"(?<![{_CJK}])前(?P<n>{_N})个?(?P<unit>天|周|星期|礼拜)", _counted),
        (rf"(?P<n>{_N})(?P<unit>天|周)(?:以内|之内|内(?![存核部容置]))", _counted),
        (rf"(?P<day>{_N})[日号](?![线卡机节专层模进志])", _numbered),
        (
            rf"(?:the )?(?P<day>{_ORDINAL})(?! (?:gen|generation|layer|rank|stage|party)\b){_YEAR}",
            _ordinal,
        ),
    )
)
"""What a point may look like, and what reads it: the first that fits is taken."""


def _point(text: str, at: int, today: date) -> tuple[_Point, int] | None:
    for rule, read in _RULES:
        if (found := rule.match(text, at)) and (point := read(found, today)):
            return point, found.end()
    return None


def _between(first: _Point, last: _Point, today: date, is_joined: bool) -> Days:
    """Return the days of a range: what one end does not say is the other's."""
    if is_joined and first.days and last.days:  # `this week and last week`
        return Days(min(first.days.first, last.days.first), max(first.days.last, last.days.last))
    if first.days is None and last.days is None:
        first, last = _with_months(first, last)
    if first.day and not first.month and not last.month and last.day:
        ended = _resolved(last, today).last
        return Days(_latest(first.day, ended), ended)
    begun, ended = _resolved(first, today), _resolved(last, today).last
    if ended >= begun.first:
        return Days(begun.first, ended)
    if last.weekday is not None:
        ended += timedelta(days=WEEK)
    elif last.month and not last.year and not last.days:
        ended = _resolved(replace(last, year=min(ended.year + 1, MAXYEAR)), today).last
    if ended < begun.first:
        raise BadWindow(SAY.windows.backwards(_iso(first, begun.first), _iso(last, ended)))
    return Days(begun.first, ended)


def _iso(point: _Point, day: date) -> str:
    """Name an end of a range as ISO does: a month, or a day."""
    return f"{day:%Y-%m}" if point.month and not point.day else f"{day}"


def _with_months(first: _Point, last: _Point) -> tuple[_Point, _Point]:
    """Give both ends the month and the year that one of them has.

    Where that has the days run backwards, as of `28 to 3 november`, the months follow each other.
    """
    if first.day and not first.month and last.month and last.day:
        month = last.month - (first.day > last.day)
        first = replace(first, month=(month - 1) % 12 + 1)
    elif first.month and first.day and not last.month and last.day:
        month = first.month + (first.day > last.day)
        last = replace(last, month=(month - 1) % 12 + 1)
    if first.month and last.month:
        turns = first.month > last.month
        if last.year and not first.year:
            first = replace(first, year=last.year - turns)
        elif first.year and not last.year:
            last = replace(last, year=min(first.year + turns, MAXYEAR))
    words = [
        each.words or f"{calendar.month_name[each.month or 1]} {each.day}" for each in (first, last)
    ]
    return replace(first, words=words[0]), replace(last, words=words[1])


def _resolved(point: _Point, today: date) -> Days:
    """Return the days of one end, the latest that came where it does not say of which year."""
    if point.days:
        return point.days
    if point.weekday is not None:
        day = today - timedelta(days=(today.weekday() - point.weekday) % WEEK or WEEK)
    elif point.day is None:
        return _month_of(point, today)
    elif point.month is None and 1 <= point.day <= 31:
        day = _latest(point.day, today)
    elif point.month is None:
        day = _day_of(replace(point, year=today.year, month=today.month), today)
    else:
        day = _day_of(point, today)
    return Days(day, day)


def _day_of(point: _Point, today: date) -> date:
    month, number = point.month or 0, point.day or 0
    year = today.year if point.year is None else point.year
    if point.year is None:
        year -= (month, number) > (today.month, today.day)
        while (month, number) == (2, 29) and not calendar.isleap(year):
            year -= 1
    if year < 1 or not 1 <= month <= 12:
        raise BadWindow(SAY.windows.not_a_date(point.words, today))
    length = calendar.monthrange(year, month)[1]
    if not 1 <= number <= length:
        near = date(year, month, min(max(number, 1), length))
        name = calendar.month_name[month]
        raise BadWindow(SAY.windows.no_such_day(point.words, name, year, length, near))
    return date(year, month, number)


def _month_of(point: _Point, today: date) -> Days:
    """Return the days of a month, as far as they have come if it has begun."""
    month = point.month or 1
    year = point.year or today.year - (month > today.month)
    if not 1 <= year <= MAXYEAR:
        raise BadWindow(SAY.windows.not_a_date(point.words, today))
    first = date(year, month, 1)
    last = first.replace(day=calendar.monthrange(year, month)[1])
    return Days(first, min(last, today) if first <= today else last)


def _latest(number: int, until: date) -> date:
    """Return the latest day of that number in its month, up to a day."""
    first = until.replace(day=1)
    while True:
        if number <= calendar.monthrange(first.year, first.month)[1]:
            day = first.replace(day=number)
            if day <= until:
                return day
        first = (first - timedelta(days=1)).replace(day=1)


def _limited(days: Days, bound: _Bound | None, today: date) -> Days:
    """Return the days that a time bounds, seven where nothing says their other end."""
    match bound:
        case _Bound.SINCE:
            return Days(days.first, today)
        case _Bound.UNTIL:
            return Days(_moved(days.last, 1 - WEEK), days.last)
        case _Bound.BEFORE:
            return Days(_moved(days.first, -WEEK), _moved(days.first, -1))
    return days


def _week_before(today: date, count: int) -> Days:
    """Return the calendar week of so many weeks ago, this one as far as it has come."""
    monday = today - timedelta(days=today.weekday() + WEEK * count)
    return Days(monday, min(today, _moved(monday, WEEK - 1)))


def _moved(day: date, days: int) -> date:
    """Return a day so many days later, or the calendar's end."""
    ordinal = day.toordinal() + days
    return date.fromordinal(min(max(ordinal, date.min.toordinal()), date.max.toordinal()))


_OFFSET = re.compile(r"[+-]\d", re.ASCII)
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
    odd = ("Etc/", "posix/", "right/", "SystemV/", "US/")
    places = [
        name
        for name in _known_zones()
        if name == "UTC" or ("/" in name and not name.startswith(odd))
    ]
    begun = [name for name in places if f"/{wanted}" in f"/{name.casefold()}"]
    held = [] if meant else [name for name in places if wanted in name.casefold()]
    return tuple(dict.fromkeys((*meant, *said, *sorted(begun), *sorted(held))))


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
    near = difflib.get_close_matches(folded[:SHOWN_CHARS], [*by_folded, *by_city], n=1, cutoff=0.7)
    if near and not _OFFSET.search(folded):
        meant = by_folded.get(near[0]) or by_city[near[0]]
        hint = SAY.commands.did_you_mean(meant)
    else:
        hint = SAY.windows.zones
    raise BadWindow(SAY.windows.no_zone(quoted(name), hint))


def zone_meant(words: str) -> ZoneInfo:
    """Give the zone that a person means by an IANA name, a city, `PST` or `UTC+8`.

    Raises `BadWindow` where nothing is meant or two things are.
    """
    if said := zone_said(words):
        return ZoneInfo(said)
    if both := AMBIGUOUS.get(words.strip().casefold()):
        one, other = both
        raise BadWindow(SAY.windows.two_zones(quoted(words), one, other))
    return zone_named(words)


@functools.cache  # it walks the zone files of the machine, which takes some 40 ms
def _known_zones() -> frozenset[str]:
    return frozenset(available_timezones())
