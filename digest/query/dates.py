"""Days that are told by the calendar alone: a weekend, the 9th, 9号, a month; as dates (pure)."""

import calendar
import re
from datetime import date, timedelta

_MONTHS = "|".join(f"{calendar.month_name[n]}|{calendar.month_abbr[n]}" for n in range(1, 13))
_OF_MONTH = re.compile(
    rf"\b(?:the )?(\d{{1,2}}(?:st|nd|rd|th)?) of ({_MONTHS})\b", re.IGNORECASE | re.ASCII
)
_WEEKEND = re.compile(
    r"(since )?(?:(?:over|on|at|during) )?(?:the |this |past )*(last |previous )?\bweekend\b"
    r"|(?:自|从)?(?:这个?|本|过去的?)?(?<!上)(上{1,3}个?)?周末(以来|至今|开始|起)?",
    re.IGNORECASE,
)
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_COUNTED = re.compile(
    rf"\b(last|past) (couple of|few|{'|'.join(_NUMBERS)}) (?=days?\b|weeks?\b)", re.IGNORECASE
)
_TWO = re.compile(r"(?<=近|去)两(?=个?(?:天|日|周|星期))")
_MONTH = re.compile(rf"\b(since|in|during) ({_MONTHS})\b(?! ?\d)", re.IGNORECASE)
_NTH = re.compile(
    r"\b(on|since|from|to|till|until|through|and|by|between|the)( the)? (\d{1,2})(?:st|nd|rd|th)\b"
    rf"(?!-| ?(?:{_MONTHS}|gen|layer|order|party|rank|step|stage|expert|token|try|attempt))",
    re.IGNORECASE | re.ASCII,
)
_GOES_ON = re.compile(r"\s*[a-z]", re.IGNORECASE)
_BEFORE = re.compile(r"\bbefore\s*$", re.IGNORECASE)
_NUMBERED = re.compile(
    r"\d{1,2}月\d{1,2}[日号]?(?:\s*[到至]\s*\d{1,2}[日号])?"
    r"|(?:(本|这个?|上个?)月)?(?<![\d.:#-])(\d{1,2})[日号](?![\d线卡机])",
    re.ASCII,
)


def with_dates(text: str, today: date) -> str:
    """Give a question with its weekends and days of a month as ISO dates, the latest that came.

    What no month has, such as the 32nd, stays as it is.
    """
    text = _OF_MONTH.sub(r"\1 \2", text)
    text = _COUNTED.sub(lambda found: f"{found[1]} {_count(found[2].lower())} ", text)
    text = _TWO.sub("二", text)
    text = _MONTH.sub(lambda found: f" {_month(found, today)} ", text)
    text = _WEEKEND.sub(lambda found: f" {_weekend(found, today)} ", text)

    def nth(found: re.Match[str]) -> str:
        day = _latest(int(found[3]), today)
        is_bare = found[1].lower() == "the"
        if is_bare and (
            _GOES_ON.match(found.string[found.end() :])
            or _BEFORE.search(found.string[: found.start()])
        ):
            return found[0]  # the 2nd most common crash; what was before the 9th
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

    return _NUMBERED.sub(numbered, _NTH.sub(nth, text))


def _weekend(found: re.Match[str], today: date) -> str:
    """Give the weekend that began last, or where that is not over and the last is meant, that."""
    saturday = today - timedelta(days=(today.weekday() - calendar.SATURDAY) % 7)
    if (found[2] or found[3]) and today - saturday < timedelta(days=2):
        saturday -= timedelta(days=7)
    saturday -= timedelta(days=7) * max(0, (found[3] or "").count("上") - 1)
    if found[1] or found[4]:
        return f"since {saturday}"
    sunday = min(today, saturday + timedelta(days=1))
    return f"{saturday}..{sunday}" if sunday > saturday else f"{saturday}"


def _count(word: str) -> int:
    if word in _NUMBERS:
        return _NUMBERS.index(word) + 1
    return 2 if word == "couple of" else 3


def _month(found: re.Match[str], today: date) -> str:
    """Give the latest month of a name, as far as it has come."""
    names = [each.lower() for each in calendar.month_abbr]
    number = names.index(found[2][:3].lower())
    first = date(today.year - (number > today.month), number, 1)
    if found[1].lower() == "since":
        return f"since {first}"
    last = first.replace(day=calendar.monthrange(first.year, first.month)[1])
    return f"{first}..{min(last, today)}"


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
