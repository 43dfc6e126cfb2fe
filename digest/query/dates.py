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
_DAY = r"(?:the )?(?P<{0}_{1}>0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?"
_MONTH_DAY = rf"(?P<{{0}}_month_{{1}}>{_MONTHS})\.? {_DAY}"
_DAY_MONTH = rf"{_DAY} ?(?:of )?(?P<{{0}}_month_{{1}}>{_MONTHS})\b\.?"
_YEAR = r"(?:,? (?P<{0}_year_{1}>20\d\d)\b)?"
_TO = r" ?(?:to|and|until|till|through|-) ?"


def _range_of_days(*ends: tuple[str, str]) -> str:
    """Give the pattern of ranges by their ends' patterns, groups numbered for each of them."""
    return "|".join(
        first.format("first", n) + _TO + last.format("last", n)
        for n, (first, last) in enumerate(ends)
    )


# Both ends with a month come first, so that no part of such a range is taken for one.
_DAYS_OF_MONTHS = re.compile(
    r"(?<![\w.:/#-])(?:(?:from|between) )?(?:"
    + _range_of_days(
        (_MONTH_DAY + _YEAR, _MONTH_DAY + _YEAR),
        (_MONTH_DAY + _YEAR, _DAY_MONTH + _YEAR),
        (_DAY_MONTH + _YEAR, _MONTH_DAY + _YEAR),
        (_DAY_MONTH + _YEAR, _DAY_MONTH + _YEAR),
        (_DAY, _DAY_MONTH + _YEAR),
        (_MONTH_DAY + _YEAR, _DAY + _YEAR),
        (r"(?:(?<=from )|(?<=between ))" + _DAY_MONTH + _YEAR, _DAY + _YEAR),
    )
    + r")(?![\w:%]|[.-]\w)",
    re.IGNORECASE | re.ASCII,
)
_MONTH_TO_MONTH = re.compile(
    rf"\b(?:from|between) ({_MONTHS}) (?:to|and|until|till) ({_MONTHS})\b(?! ?\d)", re.IGNORECASE
)
_CHINESE_MONTH = re.compile(
    r"(?<!\d)(自|从)?(1[0-2]|[1-9])月份?(?!\s*\d)(?:[到至](1[0-2]|[1-9])月份?(?!\s*\d))?"
    r"(以来|至今|开始|起)?",
    re.ASCII,
)
_NTH = re.compile(
    r"\b(on|since|from|to|till|until|through|and|by|between|the)( the)? (\d{1,2})(?:st|nd|rd|th)\b"
    rf"(?!-| ?(?:{_MONTHS}|gen|layer|order|party|rank|step|stage|expert|token|try|attempt))",
    re.IGNORECASE | re.ASCII,
)
_GOES_ON = re.compile(r"\s*[a-z]", re.IGNORECASE)
_NUMBERED = re.compile(
    r"\d{1,2}月\d{1,2}[日号]?(?:\s*[到至]\s*\d{1,2}[日号])?"
    r"|(?:(本|这个?|上个?)月)?(?<![\d.:#-])(\d{1,2})[日号](?![\d线卡机])",
    re.ASCII,
)


def with_dates(text: str, today: date) -> str:
    """Give a question with its weekends and days of a month as ISO dates, the latest that came.

    What no month has, such as the 32nd, stays as it is.
    """
    text = _DAYS_OF_MONTHS.sub(_days_of_months, text)
    text = _MONTH_TO_MONTH.sub(lambda found: f" {_two_months(found, today)} ", text)
    text = _CHINESE_MONTH.sub(lambda found: f" {_chinese_months(found, today)} ", text)
    text = _OF_MONTH.sub(r"\1 \2", text)
    text = _COUNTED.sub(lambda found: f"{found[1]} {_count(found[2].lower())} ", text)
    text = _TWO.sub("二", text)
    text = _MONTH.sub(lambda found: f" {_month(found, today)} ", text)
    text = _WEEKEND.sub(lambda found: f" {_weekend(found, today)} ", text)

    def nth(found: re.Match[str]) -> str:
        day = _latest(int(found[3]), today)
        is_bare = found[1].lower() == "the"
        if is_bare and _GOES_ON.match(found.string[found.end() :]):
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


def _days_of_months(found: re.Match[str]) -> str:
    """Give a range of days with the month and the year that one end has at both of its ends.

    Where that has the days run backwards, as of `28 to 3 november`, the months follow each other.
    """
    said = {key.rpartition("_")[0]: part for key, part in found.groupdict().items() if part}
    has_months = "first_month" in said and "last_month" in said
    first_month = said.get("first_month") or said["last_month"]
    last_month = said.get("last_month") or said["first_month"]
    first_year, last_year = said.get("first_year"), said.get("last_year")
    if has_months and not (first_year or last_year):
        return found[0]
    if not has_months and int(said["first"]) > int(said["last"]):
        if "last_month" in said:
            first_month = calendar.month_abbr[(_number(last_month) - 2) % 12 + 1]
        else:
            last_month = calendar.month_abbr[_number(first_month) % 12 + 1]
    over_a_year = _number(first_month) > _number(last_month)
    if last_year and not first_year:
        first_year = str(int(last_year) - over_a_year)
    elif first_year and not last_year:
        last_year = str(int(first_year) + over_a_year)
    first_day = " ".join(filter(None, (said["first"], first_month, first_year)))
    last_day = " ".join(filter(None, (said["last"], last_month, last_year)))
    return f"from {first_day} to {last_day}"


def _month(found: re.Match[str], today: date) -> str:
    """Give the latest month of a name, as far as it has come."""
    number = _number(found[2])
    return _months(number, number, today, is_since=found[1].lower() == "since")


def _two_months(found: re.Match[str], today: date) -> str:
    return _months(_number(found[1]), _number(found[2]), today, is_since=False)


def _number(month: str) -> int:
    return [each.lower() for each in calendar.month_abbr].index(month[:3].lower())


def _chinese_months(found: re.Match[str], today: date) -> str:
    first, last = int(found[2]), int(found[3] or found[2])
    is_since = bool(found[4] or found[1]) and not found[3]
    return _months(first, last, today, is_since=is_since)


def _months(begins: int, ends: int, today: date, *, is_since: bool) -> str:
    """Give the days of months by their numbers, the latest that have come, as far as they have."""
    year = today.year - (ends > today.month)
    first = date(year - (begins > ends), begins, 1)
    if is_since:
        return f"since {first}"
    last = date(year, ends, calendar.monthrange(year, ends)[1])
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
