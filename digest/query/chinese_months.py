"""Months as Chinese writes them, `10月`, `去年10月`, `10月底以来`; as dates (pure)."""

import re
from datetime import date, timedelta

from digest.query.months import span

_PARTS = {"初": (1, 10), "上旬": (1, 10), "中旬": (11, 20)}
_LATE = (21, 31)
"""The days of the last part of a month: 下旬, 底, 末."""
_PART = r"(上旬|中旬|下旬|初(?!始)|底(?!层)|末)"
_SPACES = re.compile(r"(?<=\d)\s{1,2}(?=[年月日号])|(?<=[年月])\s{1,2}(?=\d{1,2}\s?[月日号])")
_OF = re.compile(r"(?<=\d年)的(?=\d{1,2}月)")
_YEARS_AGO = {"今": 0, "去": 1, "前": 2}
_YEAR = re.compile(r"(今|去|前)年的?(?=\d{1,2}月)")
_YEAR_OF_BOTH = re.compile(
    r"(20\d\d)年(\d{1,2})月(份|\d{1,2}[日号]?)?(到|至|-|~|和|与)(\d{1,2})月", re.ASCII
)
_NUMBER = r"(1[0-2]|0?[1-9])"
_MONTH = rf"(?:(20\d\d)年)?{_NUMBER}月份?(?!\d)"
# Neither a name's or a number's end (`TP8月`, `3.5月`) nor a count of months (`共12月`).
_APART = r"(?<![A-Za-z\d._/:#+~-])(?<![近共每第约满隔前个])(?<!过去)"
_NAMED = re.compile(
    rf"{_APART}(?<![一二三四五六七八九十])(十[一二]?|[一二三四五六七八九])月"
    r"(?![一二三四五六七八九十\d])"
)
_NOW = re.compile(
    r"(?P<day>(?<=[日号月份初底末旬天一二三四五六\d]))?"
    r"(?:直到|到|至|截至|截止到?)(?:现在|目前|如今|今(?![天日年]))(?:为止)?"
)
_END_OF_SAME = re.compile(r"(\d{1,2}月)(\d{1,2}[日号]?[到至])(月[底末])", re.ASCII)
_COUNTED = re.compile(
    r"(?:最近|过去|近)的?(\d{1,2}|[一二两三四五六七八九十])个?月(?![份\d])", re.ASCII
)
_NUMBERS = {each: n for n, each in enumerate("一二三四五六七八九十", 1)} | {
    "两": 2,
    "十一": 11,
    "十二": 12,
}
_BOUNDS = r"(?:(?P<since>以来|至今|开始|起|之后|以后)|(?P<before>之前|以前)|为止)?"
_BEGINS = r"(?:(?P<begins>自|从|由)|(?P<until>截至|截止到?|直到|到(?=.{1,14}为止)))?"
_RANGE = re.compile(
    rf"{_APART}(?:自|从|由)?(?:(20\d\d)年)?{_NUMBER}(?:月份?(?!\d){_PART}?\s*(?:到|至|-|~|和|与|及|、)"
    rf"|(?:到|至|-|~)(?={_NUMBER}月))\s*{_MONTH}{_PART}?",
    re.ASCII,
)
_FROM_MONTH = re.compile(
    rf"{_APART}{_MONTH}{_PART}?(?=[到至]\s*(?:\d|今|昨|前天|周|星期|上|本))", re.ASCII
)
_TO_MONTH = re.compile(rf"(?<=[日号天\d一二三四五六])([到至])\s*{_MONTH}{_PART}?", re.ASCII)
_PART_OF_MONTH = re.compile(
    rf"{_APART}{_BEGINS}(?:{_MONTH}|(?P<own>上个?月|本月|这个?月|(?<![几多年一二三四五六七八九十])月))的?{_PART}{_BOUNDS}",
    re.ASCII,
)
_ONE = re.compile(rf"{_APART}{_BEGINS}{_MONTH}{_BOUNDS}", re.ASCII)


def with_chinese_months(text: str, today: date) -> str:
    """Give a question with its months as ISO dates, without a year the latest that came.

    A day of a month stays as it is, but gets the year of the other end of its range.
    """

    def year(found: re.Match[str]) -> str:
        return f"{today.year - _YEARS_AGO[found[1]]}年"

    def range_of(found: re.Match[str]) -> str:
        first, last = span(_month(found[1], found[2]), _month(found[5], found[6]), today)
        return f" {_first_of(first, found[3])}..{_last_of(last, found[7])} "

    def from_month(found: re.Match[str]) -> str:
        first, _ = span(_month(found[1], found[2]), None, today)
        return f"{_first_of(first, found[3])}"

    def to_month(found: re.Match[str]) -> str:
        _, last = span(_month(found[2], found[3]), None, today)
        return f"{found[1]}{_last_of(last, found[4])}"

    def counted(found: re.Match[str]) -> str:
        count = _NUMBERS.get(found[1]) or int(found[1])
        return f" {_months_before(today, count)}..{today - timedelta(days=1)} "

    def part_of(found: re.Match[str]) -> str:
        first, last = _part(found, today)
        return _bounded(found, first, last)

    def one(found: re.Match[str]) -> str:
        return _bounded(found, *span(_month(found[3], found[4]), None, today))

    text = _NAMED.sub(lambda found: f"{_NUMBERS[found[1]]}月", _SPACES.sub("", text))
    text = _OF.sub("", _YEAR.sub(year, text))
    # A beginning has to stand before it: 截至目前 alone is no time.
    text = _NOW.sub(lambda found: " " if found["day"] is None else "至今", text)
    text = _END_OF_SAME.sub(lambda found: f"{found[1]}{found[2]}{found[1][:-1]}{found[3]}", text)
    text = _COUNTED.sub(counted, _YEAR_OF_BOTH.sub(_year_of_both, text))
    text = _TO_MONTH.sub(to_month, _FROM_MONTH.sub(from_month, _RANGE.sub(range_of, text)))
    text = _PART_OF_MONTH.sub(part_of, text)
    return _ONE.sub(one, text)


def _year_of_both(found: re.Match[str]) -> str:
    year, month, day, to, last = found.groups()
    last_year = int(year) + (int(month) > int(last))
    return f"{year}年{month}月{day or ''}{to}{last_year}年{last}月"


def _month(year: str | None, number: str) -> tuple[int, int | None]:
    return int(number), int(year) if year else None


def _part(found: re.Match[str], today: date) -> tuple[date, date]:
    """Give the days of a part of a month, the latest that came, as far as they have come."""
    if found["own"]:
        month = today.replace(day=1)
        if found["own"].startswith("上"):
            month = (month - timedelta(days=1)).replace(day=1)
        said: tuple[int, int | None] = (month.month, month.year)
    else:
        said = _month(found[3], found[4])
    first, last = span(said, None, today)
    if said[1] is None and _first_of(first, found[6]) > today:
        first, last = span((first.month, first.year - 1), None, today)
    begins = _first_of(first, found[6])
    return begins, max(begins, _last_of(last, found[6]))


def _first_of(first: date, part: str | None) -> date:
    return first.replace(day=_PARTS.get(part, _LATE)[0]) if part else first


def _last_of(last: date, part: str | None) -> date:
    return last.replace(day=min(_PARTS.get(part, _LATE)[1], last.day)) if part else last


def _months_before(today: date, count: int) -> date:
    """Give the day of the same number some months ago, or the last of a month without it."""
    years, month = divmod(today.year * 12 + today.month - 1 - count, 12)
    last = span((month + 1, years), None, date.max)[1]
    return last.replace(day=min(today.day, last.day))


def _bounded(found: re.Match[str], first: date, last: date) -> str:
    """Give days with the English word for what Chinese says around them."""
    if found["since"] or found["begins"]:
        return f" since {first} "
    days = f"{first}..{last}" if first < last else f"{first}"
    if found["before"]:
        return f" before {days} "
    return f" until {days} " if found["until"] else f" {days} "
