"""Months by their English names, alone, with a year or at the ends of a range; as dates (pure)."""

import calendar
import re
from datetime import date

from digest.windows import names_time

MONTHS = "|".join(f"{calendar.month_name[n]}|{calendar.month_abbr[n]}" for n in range(1, 13))
"""Their names, long and short, as an alternative of a pattern."""
WEEKDAYS = "|".join(f"{calendar.day_name[n]}|{calendar.day_abbr[n]}" for n in range(7))
"""The names of weekdays, likewise."""

_DAY = r"(?:the )?(?P<{0}_{1}>0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?"
_MONTH_DAY = rf"(?P<{{0}}_month_{{1}}>{MONTHS})\.? {_DAY}"
_DAY_MONTH = rf"{_DAY} ?(?:of )?(?P<{{0}}_month_{{1}}>{MONTHS})\b\.?"
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
_NAME = rf"({MONTHS})(?:,? (20\d\d))?\b(?![ .-]?\d)"
_DATE = (
    r"(?=(?:now|today|yesterday|(?:last |this )(?:week|month)|(?:the )?\d{1,2}(?:st|nd|rd|th)"
    rf"|\d{{4}}-\d|\d{{1,2}} (?:of )?(?:{MONTHS})|(?:{MONTHS}) \d|(?:last )?(?:{WEEKDAYS}))\b)"
)
_NO_DAY = r"(?<!\d)(?<!\d[ -])(?<!\d(?:st|nd|rd|th) )(?<!\d of )(?<!\d(?:st|nd|rd|th) of )\b"
_MONTH_TO_MONTH = re.compile(
    rf"{_NO_DAY}(?:(?:from|between|in|during) )?{_NAME} (?:to|and|until|till|through) {_NAME}",
    re.IGNORECASE,
)
_FROM_MONTH = re.compile(
    rf"\b(?:from|between|since) {_NAME} (?:up to|to|until|till|through|and) {_DATE}",
    re.IGNORECASE,
)
_TO_MONTH = re.compile(
    rf"\b(?:from|between) ((?:\S+ ){{1,3}}?)(?:to|and|until|till|through) {_NAME}", re.IGNORECASE
)
_MONTH = re.compile(
    rf"\b(since|in|during|throughout|all through|from|until|till|through|up to|before|after|by) "
    rf"{_NAME}",
    re.IGNORECASE,
)
_MONTH_OF_YEAR = re.compile(rf"{_NO_DAY}({MONTHS}),? (20\d\d)\b(?![.-]?\d)", re.IGNORECASE)
_WITHIN = {"in", "during", "throughout", "all through"}


def with_months(text: str, today: date) -> str:
    """Give a question with its months as ISO dates, without a year the latest that came.

    A range of days whose ends share a month or a year gets it at both, still by its name.
    """

    def range_of(found: re.Match[str]) -> str:
        first, last = span(_month(found[1], found[2]), _month(found[3], found[4]), today)
        return f" {first}..{last} "

    def from_month(found: re.Match[str]) -> str:
        return f"from {span(_month(found[1], found[2]), None, today)[0]} to "

    def to_month(found: re.Match[str]) -> str:
        if not names_time(found[1]):
            return found[0]
        return f"from {found[1]}to {span(_month(found[2], found[3]), None, today)[1]}"

    def month(found: re.Match[str]) -> str:
        first, last = span(_month(found[2], found[3]), None, today)
        word = found[1].lower()
        if word == "since":
            return f" since {first} "
        return f" {first}..{last} " if word in _WITHIN else f" {word} {first}..{last} "

    def of_year(found: re.Match[str]) -> str:
        first, last = span(_month(found[1], found[2]), None, today)
        return f" {first}..{last} "

    text = _DAYS_OF_MONTHS.sub(_days_of_months, text)
    text = _MONTH_TO_MONTH.sub(range_of, text)
    text = _TO_MONTH.sub(to_month, _FROM_MONTH.sub(from_month, text))
    return _MONTH_OF_YEAR.sub(of_year, _MONTH.sub(month, text))


def span(
    begins: tuple[int, int | None], ends: tuple[int, int | None] | None, today: date
) -> tuple[date, date]:
    """Give the first and the last day of months by number and year, as far as they have come.

    A year that is not said is that of the other end, or else the latest of which the last month
    has begun. A month of a year that is to come is given whole.
    """
    (first_month, first_year), (last_month, last_year) = begins, ends or begins
    turns = first_month > last_month
    if last_year is None:
        ended = today.year - (last_month > today.month)
        last_year = ended if first_year is None else first_year + turns
    if first_year is None:
        first_year = last_year - turns
    first = date(first_year, first_month, 1)
    last = date(last_year, last_month, calendar.monthrange(last_year, last_month)[1])
    is_running = (last.year, last.month) == (today.year, today.month)
    return first, today if is_running else last


def _month(name: str, year: str | None) -> tuple[int, int | None]:
    return _number(name), int(year) if year else None


def _days_of_months(found: re.Match[str]) -> str:
    """Give a range of days with the month and the year that one end has at both of its ends.

    Where that has the days run backwards, as of `28 to 3 november`, the months follow each other.
    """
    said = {key.rpartition("_")[0]: part for key, part in found.groupdict().items() if part}
    has_months = "first_month" in said and "last_month" in said
    first_month = said.get("first_month") or said["last_month"]
    last_month = said.get("last_month") or said["first_month"]
    first_year, last_year = said.get("first_year"), said.get("last_year")
    if has_months and not (first_year or last_year or "-" in found[0]):
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


def _number(month: str) -> int:
    return [each.lower() for each in calendar.month_abbr].index(month[:3].lower())
