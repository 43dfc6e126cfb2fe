"""Days that are told by the calendar alone: a weekend, the 9th, 9号, a month; as dates (pure)."""

import calendar
import re
from datetime import date, timedelta

from digest.query.chinese_months import with_chinese_months
from digest.query.months import MONTHS, WEEKDAYS, with_months
from digest.windows import names_time

_OF_MONTH = re.compile(
    rf"\b(?:the )?(\d{{1,2}}(?:st|nd|rd|th)?) of ({MONTHS})\b", re.IGNORECASE | re.ASCII
)
_WEEKEND = re.compile(
    r"(?P<after>since )?(?:(?:over|on|at|during) )?(?:the |this |past ){0,3}"
    r"(?P<last>last |previous )?\bweekend\b"
    r"|(?P<until>截至|截止到?|到(?=.{0,6}周末为止))?(?:自|从)?(?:这个?|本|过去的?)?"
    r"(?<!上)(?P<weeks>上{1,3}个?)?周末"
    r"(?:(?P<since>以来|至今|开始|起|之后|以后)|(?P<before>之前|以前)|为止)?",
    re.IGNORECASE,
)
_DAYS_OF_WEEK = (
    rf"(?:(?:from|between|on) )?({WEEKDAYS})(?: ?(?:to|and|until|till|through|-) ?({WEEKDAYS}))?"
)
_OF_WEEK = re.compile(
    rf"\b(?:{_DAYS_OF_WEEK},? (?:of |in )?(last|this) week\b"
    rf"|(last|this) week(?:'s)?,? {_DAYS_OF_WEEK}\b)",
    re.IGNORECASE,
)
_UNTIL_NOW = re.compile(
    r"\b(?:from|between|since) ((?:\S+ ){1,4}?)(?:up to|to|and|until|till) (?:right )?now\b",
    re.IGNORECASE,
)
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_COUNTED = re.compile(
    rf"\b(last|past) (couple of|few|{'|'.join(_NUMBERS)}) (?=days?\b|weeks?\b)", re.IGNORECASE
)
_TWO = re.compile(r"(?<=近|去)两(?=个?(?:天|日|周|星期))")
_NTH = re.compile(
    r"\b(on|since|from|to|till|until|through|and|by|between|the)( the)? (\d{1,2})(?:st|nd|rd|th)\b"
    rf"(?!-| ?(?:{MONTHS}|gen|layer|order|party|rank|step|stage|expert|token|try|attempt))",
    re.IGNORECASE | re.ASCII,
)
_GOES_ON = re.compile(r"\s*[a-z]", re.IGNORECASE)
_NUMBERED = re.compile(
    r"\d{1,2}月\d{1,2}[日号]?(?:\s*[到至]\s*\d{1,2}[日号])?"
    r"|(?:(本|这个?|上个?)月)?(?<![\d.:#-])(\d{1,2})[日号](?![\d线卡机])",
    re.ASCII,
)

_COMING = re.compile(r"\b(?:the )?next (?:week|month)\b", re.IGNORECASE)
"""When somebody is going to do something: no time of what happened."""


def with_dates(text: str, today: date) -> str:
    """Give a question with its weekends and days of a month as ISO dates, the latest that came.

    What no month has, such as the 32nd, stays as it is.
    """
    text = _COMING.sub(" ", text)
    text = with_chinese_months(with_months(text, today), today)
    text = _OF_WEEK.sub(lambda found: f" {_of_week(found, today)} ", text)
    text = _OF_MONTH.sub(r"\1 \2", text)
    text = _COUNTED.sub(lambda found: f"{found[1]} {_count(found[2].lower())} ", text)
    text = _TWO.sub("二", text)
    text = _WEEKEND.sub(lambda found: f" {_weekend(found, today)} ", text)

    def nth(found: re.Match[str]) -> str:
        day = _latest(int(found[3]), today)
        is_bare = found[1].lower() == "the"
        if is_bare and _GOES_ON.match(found.string, found.end()):
            return found[0]  # the 2nd most common crash
        word = "" if is_bare else f"{found[1]} "
        return f"{word}{day}" if day else found[0]

    def numbered(found: re.Match[str]) -> str:
        if not found[2]:
            return found[0]
        until = today
        if (found[1] or "").startswith("上"):
            until = today.replace(day=1) - timedelta(days=1)
        day = _latest(int(found[2]), until)
        return str(day or found[0])

    def until_now(found: re.Match[str]) -> str:
        return f"from {found[1]}to today" if names_time(found[1]) else found[0]

    return _UNTIL_NOW.sub(until_now, _NUMBERED.sub(numbered, _NTH.sub(nth, text)))


def _weekend(found: re.Match[str], today: date) -> str:
    """Give the weekend that began last, or where that is not over and the last is meant, that."""
    saturday = today - timedelta(days=(today.weekday() - calendar.SATURDAY) % 7)
    if (found["last"] or found["weeks"]) and today - saturday < timedelta(days=2):
        saturday -= timedelta(days=7)
    saturday -= timedelta(days=7) * max(0, (found["weeks"] or "").count("上") - 1)
    if found["after"] or found["since"]:
        return f"since {saturday}"
    sunday = min(today, saturday + timedelta(days=1))
    days = f"{saturday}..{sunday}" if sunday > saturday else f"{saturday}"
    if found["before"]:
        return f"before {days}"
    return f"until {days}" if found["until"] else days


def _of_week(found: re.Match[str], today: date) -> str:
    """Give weekdays of the last or of this week, of this one as far as it has come."""
    first_name, last_name = found[1] or found[5], found[2] or found[6]
    is_last = (found[3] or found[4]).lower() == "last"
    monday = today - timedelta(days=today.weekday() + 7 * is_last)
    first = monday + timedelta(days=_weekday(first_name))
    if not last_name:
        return f"{first}"
    last = monday + timedelta(days=_weekday(last_name))
    return f"{first}..{min(last, today) if first <= today else last}"


def _weekday(name: str) -> int:
    return [each.lower() for each in calendar.day_abbr].index(name[:3].lower())


def _count(word: str) -> int:
    if word in _NUMBERS:
        return _NUMBERS.index(word) + 1
    return 2 if word == "couple of" else 3


def _latest(number: int, today: date) -> date | None:
    """Give the latest day of that number which has come; none where no month has it."""
    if not 1 <= number <= 31:
        return None
    first = today.replace(day=1)
    while True:
        if number <= calendar.monthrange(first.year, first.month)[1]:
            day = first.replace(day=number)
            if day <= today:
                return day
        first = (first - timedelta(days=1)).replace(day=1)
