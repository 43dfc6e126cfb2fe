"""Times as people write them, in English and Chinese: one grammar, for commands and for questions.

A text is cut into tokens; a rule of the grammar reads tokens from a place on and gives what they
say and where it goes on, or nothing. What is not said (the year of `3 nov`, the month of `to 9`)
is that of a range's other end, or else the latest that came. Pure.
"""

import calendar
import difflib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import MAXYEAR, date, timedelta
from enum import Enum, auto
from typing import TypeVar

from digest.errors import SHOWN_CHARS, BadWindow, quoted
from digest.phrase import Example, Phrase
from digest.wording.phrases import SAY

MAX_DAYS = 92
"""The longest window: three months, which a digest can still tell item by item."""
WEEK = 7
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
"""As settings and commands name them, Monday first."""
FORMS = "today, yesterday, monday, 27 feb, 2026-02-11, last 3 days, week, mon..wed, since fri"
MOST_TOKENS = 200
"""As much of a text is looked through for a time."""

_CJK = "\u3400-\u9fff\uf900-\ufaff、"
_RUN = re.compile(rf"[{_CJK}]+|[^\s{_CJK}，。？！；：“”‘’「」『』（）]+")
_EDGES = "?!.,;:'\"()[]{}<>`*|"
_PIECE = re.compile(
    r"(?:(?P<y>\d{4})(?P<sep>[-/.])(?P<m>\d{1,2})(?P=sep)(?P<d>\d{1,2})"
    r"|(?P<yy>20\d\d)(?P<mm>[01]\d)(?P<dd>[0-3]\d))(?!\d)"
    r"|(?P<nth>\d{1,2})(?:st|nd|rd|th)(?![a-z])|(?P<number>\d{1,4})(?!\d)"
    r"|(?P<word>[a-z]+)(?:\.(?!\.))?(?![a-z])|(?P<sign>\.\.+|[-–~,])",
    re.IGNORECASE | re.ASCII,
)
_DIGITS = ("", *"一二三四五六七八九")
_CHINESE_NUMBERS = {
    f"{tens}{one}": 10 * n + m
    for n, tens in enumerate(("", "十", "二十", "三十"))
    for m, one in enumerate(_DIGITS)
    if tens or one
} | {"两": 2, "几": 3}
# Longer words stand before their beginnings; what follows some of them makes other words of them.
_CHINESE = re.compile(
    "今天|今日|今早|今晚|昨天|昨日|昨晚|大前天|前天|明天|明日|后天|下个?(?:周末|周|星期|礼拜|月)"
    "|上{1,3}个?(?:周末|周|星期|礼拜)|那[一个]?(?:周|星期|礼拜)|(?:本|这个?)(?:周末|周|星期|礼拜)|周末|周|星期|礼拜"
    "|上{1,2}个?月|本月|这个?月|今年|去年|前年|年|月份?|[日号](?![线卡机节专层模进志])|天|小时|个"
    "|初(?!始)|上旬|中旬|下旬|底(?!层)|末|最近|过去|近(?!似)|这(?=[几两一二三四五六七])"
    "|[二三]?十[一二三四五六七八九]?|半个?月|半年|以内|之内|内(?![存核部容置])|[共每第约满隔多]|一(?![直样些下共般])|[二两三四五六七八九十几]|直到|截至|截止到?|到|至今|至|自|从|由|以来|开始|起"
    "|之后|以后|之前|以前|前(?![缀年面后端向置])|为止|之间|现在|目前|如今|今|和|与|及|、|的"
)
_MONTHS = {
    name.casefold(): n
    for n in range(1, 13)
    for name in (calendar.month_name[n], calendar.month_abbr[n])
}
_WEEKDAYS = {
    name.casefold(): n for n in range(7) for name in (calendar.day_name[n], calendar.day_abbr[n])
}
_CHINESE_WEEKDAYS = {each: n for n, each in enumerate("一二三四五六日")} | {"天": 6}
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_COUNTS = {each: n for n, each in enumerate(_NUMBERS, 1)} | {"couple": 2, "few": 3}
_UNITS = {
    **dict.fromkeys(("day", "days", "d", "天", "日"), "day"),
    **dict.fromkeys(("week", "weeks", "w", "周", "星期", "礼拜"), "week"),
    **dict.fromkeys(("month", "months", "月"), "month"),
    **dict.fromkeys(("hour", "hours", "h", "小时"), "hour"),
}
_DAYS_AGO = {
    **dict.fromkeys(("today", "今天", "今日", "今早", "今晚"), 0),
    **dict.fromkeys(("yesterday", "昨天", "昨日"), 1),
    "前天": 2,
    "大前天": 3,
}
_JOINED = {*_MONTHS, *_WEEKDAYS, *_UNITS, *_DAYS_AGO, "now", "early", "mid", "late"}
"""What of a time is written without spaces: `28-feb`, `3d`, `mid-june`, `mon..today`."""
_WITHIN = ("内", "以内", "之内")
_NTH = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": -1}
_NOW = ("now", "现在", "目前", "如今", "今")
_TO = ("to", "until", "till", "through", "..", "-", "–", "~", "到", "至", "直到")
_AND = ("and", "和", "与", "及", "、")
_PARTS = {
    **dict.fromkeys(("early", "beginning", "start", "初", "上旬"), (1, 10)),
    **dict.fromkeys(("mid", "middle", "中旬"), (11, 20)),
    **dict.fromkeys(("late", "end", "下旬", "底", "末"), (21, 31)),
}
_COUNTING = frozenset("近共每第约满隔前个多几")
"""Before a number with 月, which is then no month's name: `共12月`."""
_RANKED = frozenset(
    ("gen", "generation", "layer", "order", "party", "rank", "step", "stage", "expert", "token")
)
"""After an ordinal, which is then no day's: `the 4th gen`."""


class _Bound(Enum):
    """What words around a time make of it."""

    SINCE = auto()
    UNTIL = auto()
    BEFORE = auto()


_OPENS = {
    **dict.fromkeys(("since", "after", "自", "从", "由"), _Bound.SINCE),
    **dict.fromkeys(("until", "till", "through", "by", "截至", "截止", "截止到"), _Bound.UNTIL),
    **dict.fromkeys(("直到", "到"), _Bound.UNTIL),
    "before": _Bound.BEFORE,
    "from": None,
    "between": None,
    "on": None,
    "over": None,
    **dict.fromkeys(("in", "during", "throughout", "at", "within", "for"), None),
}
"""Before a time. What is `from` a day is of that day, but for `from monday on`."""
_CLOSES = {
    **dict.fromkeys(("以来", "至今", "开始", "起", "之后", "以后"), _Bound.SINCE),
    **dict.fromkeys(("之前", "以前", "前"), _Bound.BEFORE),
    "为止": _Bound.UNTIL,
}


@dataclass(frozen=True, slots=True)
class Days:
    """The first and the last day of a time, both included; it may run backwards or be to come."""

    first: date
    last: date


Said = Callable[[], Days]
"""Gives the days of a time that was read; raises `BadWindow` where the calendar lacks one."""


@dataclass(frozen=True, slots=True)
class Found:
    """A time within a text, and the text without all that it says of time.

    `is_coming` where it says `tomorrow` or `next week`, which is no time of what happened.
    """

    rest: str
    said: Said | None = None
    is_coming: bool = False


def days_named(text: str, today: date) -> Days | None:
    """Give the days that a whole text names; None where it is no time.

    A weekday is the latest before today, as git reads `--since=friday`. Raises `BadWindow` where
    the calendar has no such day.
    """
    tokens = list(_tokens(text, is_whole=True))
    if len(tokens) > MOST_TOKENS:
        return None
    grammar = _Grammar(text, tokens, today, is_whole=True)
    if tokens and grammar.coming(0) == len(tokens):
        return Days(_moved(today, 1), _moved(today, 1))
    found = grammar.time(0)
    return found[0]() if found and found[1] == len(tokens) else None


def found_in(text: str, today: date) -> Found:
    """Find the time that a question names: the longest where there are several."""
    tokens = [
        token for token, _ in zip(_tokens(text, is_whole=False), range(MOST_TOKENS), strict=False)
    ]
    grammar = _Grammar(text, tokens, today, is_whole=False)
    times: list[tuple[int, int, Said | None]] = []
    at = 0
    while at < len(tokens):
        said, end = (tokens[at].begins and grammar.time(at)) or (None, grammar.coming(at))
        if end > at and tokens[end - 1].ends:
            times.append((tokens[at].start, tokens[end - 1].end, said))
            at = end
        else:
            at += 1
    rest, begun = "", 0
    for start, end, _ in times:
        rest, begun = f"{rest}{text[begun:start]} ", end
    longest = max(
        (each for each in times if each[2]), key=lambda each: each[1] - each[0], default=None
    )
    is_coming = any(said is None for _, _, said in times)
    said = longest[2] if longest else grammar.unread()
    return Found(rest + text[begun:], said, is_coming)


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


@dataclass(frozen=True, slots=True)
class _Token:
    """A number, a date or a word in lower case; an empty one is none that a time is made of."""

    text: str
    start: int
    end: int
    begins: bool = True
    ends: bool = True
    number: int | None = None
    is_ordinal: bool = False
    date: tuple[int, int, int] | None = None


def _tokens(text: str, *, is_whole: bool) -> Iterator[_Token]:
    """Part a text; what stands around the words of a question is left out."""
    for run in _RUN.finditer(text):
        if re.match(rf"[{_CJK}]", run[0]):
            yield from _chinese(run[0], run.start())
            continue
        core = run[0] if is_whole else run[0].strip(_EDGES)
        start = run.start() + run[0].find(core)
        if not is_whole:
            core = core.removesuffix("'s").removesuffix("’s")
        if core:
            yield from _latin(core, start)


def _chinese(run: str, start: int) -> Iterator[_Token]:
    at = 0
    while at < len(run):
        found = _CHINESE.match(run, at)
        word = found[0] if found else ""
        end = found.end() if found else at + 1
        yield _Token(word, start + at, start + end, number=_CHINESE_NUMBERS.get(word))
        at = end


def _latin(run: str, start: int) -> Iterator[_Token]:
    """Part what no space parts, `28-feb` or `mon..wed`; no time begins or ends within it."""
    pieces, at = [], 0
    while at < len(run) and (piece := _PIECE.match(run, at)):
        pieces.append(piece)
        at = piece.end()
    words = {piece["word"].casefold() for piece in pieces if piece["word"]}
    if at < len(run) or (len(pieces) > 1 and words - _JOINED):
        yield _Token("", start, start + len(run))
        return
    for piece in pieces:
        number = piece["nth"] or piece["number"]
        year, month, day = (int(piece[part] or piece[part * 2] or 0) for part in "ymd")
        yield _Token(
            ".." if piece[0].startswith("..") else (piece["word"] or piece[0]).casefold(),
            start + piece.start(),
            start + piece.end(),
            begins=piece is pieces[0],
            ends=piece is pieces[-1],
            number=int(number) if number else None,
            is_ordinal=bool(piece["nth"]),
            date=(year, month, day) if piece["y"] or piece["yy"] else None,
        )


class _Needs(Enum):
    """What has to stand beside the end of a time so that it is one."""

    NOTHING = auto()
    RANGE_OR_WORD = auto()
    """A month alone: `in may`, `march to may`."""
    WORD = auto()
    """An ordinal: `since the 9th`, and `the 9th` where no word goes on."""
    MONTH = auto()
    """A number: `3 to 9 november`."""


@dataclass(frozen=True, slots=True)
class _Point:
    """An end of a time: days, a weekday, or a month with a day or a part, as far as it is said."""

    days: Days | None = None
    weekday: int | None = None
    year: int | None = None
    month: int | None = None
    day: int | None = None
    part: tuple[int, int] = (1, 31)
    words: str = ""
    is_week: bool = False
    """Whether the whole week is meant that it is in."""
    needs: _Needs = _Needs.NOTHING
    refused: BadWindow | None = None

    @property
    def kind(self) -> tuple[bool, bool, bool]:
        """What two ends have in common that `and` makes one time."""
        return (self.days is None, self.weekday is None, self.day is None)


_Value = TypeVar("_Value")
_Read = tuple[_Value, int] | None
"""What a rule read, and the next place; None where the tokens there are nothing of it."""


class _Grammar:
    """The rules, over the tokens of one text."""

    def __init__(self, text: str, tokens: list[_Token], today: date, *, is_whole: bool) -> None:
        self._text = text
        self._tokens = tokens
        self._today = today
        self._is_whole = is_whole

    def time(self, at: int) -> _Read[Said]:
        """Read a time with the words that bound it."""
        opening, bound = self._word(at), None
        if (opening, self._word(at + 1)) in (("up", "to"), ("all", "through")):
            bound = _Bound.UNTIL if opening == "up" else None
            begins = at + 2
        elif opening in _OPENS:
            bound = _OPENS[opening]
            begins = at + 1
        else:
            opening, begins = "", at
        return self._range(begins, opening, bound) or self._single(begins, opening, bound)

    def unread(self) -> Said | None:
        """Give what refuses `since the refactor` and 重构以来, which claim to be times."""
        claims = ("since", "以来")
        at = next(
            (n for n, token in enumerate(self._tokens) if token.text in claims), len(self._tokens)
        )
        if self._word(at) == "since" and at + 1 < len(self._tokens):
            words = self._written(at + 1, min(at + 4, len(self._tokens)))
        elif at and self._word(at) and self._tokens[at - 1].end == self._tokens[at].start:
            words = self._written(max(0, at - 4), at)
        else:
            return None

        def refuse() -> Days:
            raise BadWindow(no_time(words))

        return refuse

    def coming(self, at: int) -> int:
        """Give the place behind `tomorrow` or `next week`; 0 where they do not stand there."""
        word = self._word(at)
        if word in ("tomorrow", "明天", "明日", "后天") or re.fullmatch("下个?[周星礼月].*", word):
            return at + 1
        begins = self._behind(at, "the")
        after = self._word(begins + 1)
        is_time = after in _UNITS or after in _WEEKDAYS or after == "weekend"
        return begins + 2 if self._word(begins) == "next" and is_time else 0

    def _single(self, at: int, opening: str, bound: _Bound | None) -> _Read[Said]:
        read = self._point(at)
        if read is None:
            return None
        point, end = read
        needed = {_Needs.NOTHING, *((_Needs.RANGE_OR_WORD, _Needs.WORD) if opening else ())}
        if point.needs not in needed:
            return None
        if opening == "from" and self._word(end) in ("on", "onward", "onwards"):
            bound, end = _Bound.SINCE, end + 1
        closing = self._word(end)
        if closing in _CLOSES:
            bound, end = _CLOSES[closing], end + 1
        elif opening == "到":
            return None  # only with 为止; of a range it is in the middle
        if self._word(at) in _NOW:
            return None  # `until now` bounds nothing
        return lambda: self._bounded(self._resolved(point), bound), end

    def _range(self, at: int, opening: str, bound: _Bound | None) -> _Read[Said]:
        read = self._point(at) or self._bare(at)
        if read is None:
            return None
        first, middle = read
        middle += self._word(middle) == "up" and self._word(middle + 1) == "to"
        joint = self._word(middle)
        read = self._point(middle + 1) or self._bare(middle + 1)
        if read is None or joint not in (*_TO, *_AND):
            return None
        last, end = read
        is_between = opening in ("between", "on") or self._word(end) == "之间"
        alike = first.kind == last.kind and _Needs.MONTH not in (first.needs, last.needs)
        if joint in _AND and not (is_between or alike):
            return None
        if not self._is_range(first, last, opening):
            return None
        if last.needs is _Needs.MONTH and (year := self._year(end)):
            last, end = replace(last, year=year[0]), year[1]
        end = self._behind(end, "之间", "为止", "以来")
        bound = None if bound is _Bound.SINCE else bound
        is_joined = joint in _AND
        return lambda: self._bounded(self._between(first, last, is_joined), bound), end

    def _is_range(self, first: _Point, last: _Point, opening: str) -> bool:
        """Tell whether both ends have beside them what they need."""
        if first.needs is _Needs.MONTH:
            return bool(last.month and (last.day or (first.day or 0) <= 12))
        if last.needs is _Needs.MONTH:
            return bool(first.month and first.day)
        return bool(opening) or _Needs.WORD not in (first.needs, last.needs)

    def _point(self, at: int) -> _Read[_Point]:
        for rule in (
            self._near,
            self._ago,
            self._beside,
            self._of_week,
            self._weekday,
            self._date,
            self._month,
            self._calendar,
            self._counted,
        ):
            if read := rule(at):
                return self._week_around(*read)
        return None

    def _week_around(self, point: _Point, at: int) -> _Read[_Point]:
        """Give the week of a day that is named by it: `1月19日那周`."""
        if not re.fullmatch("那[一个]?(?:周|星期|礼拜)", self._word(at)):
            return point, at
        return replace(point, is_week=True), at + 1

    def _near(self, at: int) -> _Read[_Point]:
        word = self._word(at)
        if word in _DAYS_AGO:
            return self._days(_DAYS_AGO[word], _DAYS_AGO[word]), at + 1
        if word in _NOW:
            return self._days(0, 0), at + 1
        if word == "right" and self._word(at + 1) == "now":
            return self._days(0, 0), at + 2
        if word in ("昨晚", "overnight"):
            return self._days(1, 0), at + 1
        if word == "this" and self._word(at + 1) in ("morning", "afternoon", "evening"):
            return self._days(0, 0), at + 2
        return (self._days(1, 0), at + 2) if self._words(at, "last", "night") else None

    def _ago(self, at: int) -> _Read[_Point]:
        """Read `3 days ago` and 三天前 as that day, weeks and months as those of the calendar."""
        begins = at + (self._word(at) == "a" and self._word(at + 1) in ("few", "couple"))
        is_one = self._word(begins) in ("a", "an")
        counted = (1, begins + 1) if is_one else self._count(begins)
        if counted is None:
            return None
        count, end = counted
        unit = _UNITS.get(self._word(end), "")
        if self._word(end + 1) not in ("ago", "前", "之前", "以前"):
            return None
        if self._word(end) == "日" or (self._word(end) == "月" and self._word(end - 1) != "个"):
            return None  # 9日前 and 1月前 are before a date
        match unit:
            case "day":
                return self._days(count, count), end + 2
            case "week":
                return _Point(self._week_before(count)), end + 2
            case "month":
                year, month = divmod(self._today.year * 12 + self._today.month - 1 - count, 12)
                return (_Point(year=year, month=month + 1), end + 2) if year > 0 else None
        return None

    def _beside(self, at: int) -> _Read[_Point]:
        """Read `the day before yesterday`, `the day after monday`, `the week before last`."""
        begins = self._behind(at, "the")
        if self._words(begins, "week", "before", "last"):
            return _Point(self._week_before(2)), begins + 3
        if nth := self._week_of_month(begins):
            return nth
        read = self._point(begins + 2) if self._words(begins, "week", "of") else None
        if read and (read[0].day or read[0].days or read[0].weekday is not None):
            return replace(read[0], is_week=True, needs=_Needs.NOTHING), read[1]
        side = self._word(begins + 1)
        if self._word(begins) != "day" or side not in ("before", "after"):
            return None
        if self._word(at - 1) in ("every", "each") or (read := self._point(begins + 2)) is None:
            return None
        if read[0].needs not in (_Needs.NOTHING, _Needs.WORD):
            return None
        try:
            days = self._resolved(read[0])
        except BadWindow as error:
            return _Point(refused=error), read[1]
        day = _moved(days.first, -1) if side == "before" else _moved(days.last, 1)
        return _Point(Days(day, day)), read[1]

    def _week_of_month(self, at: int) -> _Read[_Point]:
        """Read `the first week of october`: its first seven days; `last` are its last seven."""
        which = _NTH.get(self._word(at), self._number(at) if self._is_ordinal(at) else None)
        if which is None or self._word(at + 1) != "week" or self._word(at + 2) not in ("of", "in"):
            return None
        named = self._month(self._behind(at + 3, "the"))
        if named is None or named[0].part != (1, 31):
            return None
        if which not in (-1, 1, 2, 3, 4):  # no month has a fifth week of seven days
            return _Point(refused=BadWindow(no_time(self._written(at, named[1])))), named[1]
        point = named[0]
        if which == -1:
            length = calendar.monthrange(point.year or self._today.year, point.month or 1)[1]
            part = (length - WEEK + 1, length)
        else:
            part = (WEEK * (which - 1) + 1, WEEK * which)
        return replace(point, part=part, needs=_Needs.NOTHING), named[1]

    def _is_ordinal(self, at: int) -> bool:
        return at < len(self._tokens) and self._tokens[at].is_ordinal

    def _of_week(self, at: int) -> _Read[_Point]:
        """Read weekdays of this or of an earlier week, 上周三到周五, as far as they have come."""
        if week := self._named_week(at):
            weeks, begins = week
            named = self._weekdays(self._behind(begins, "from", "between", "on", "的"))
        elif named := self._weekdays(at):
            week = self._named_week(self._behind(named[1], "of", "in"))
            if week is None:
                return None
            weeks, named = week[0], (named[0], week[1])
        if named is None:
            return None
        (first, last), end = named
        monday = self._week_before(weeks).first
        begun = monday + timedelta(days=first)
        ended = monday + timedelta(days=first if last is None else last)
        is_clipped = last is not None and begun <= self._today
        return _Point(Days(begun, min(ended, self._today) if is_clipped else ended)), end

    def _named_week(self, at: int) -> _Read[int]:
        """Read which week is named, by how many weeks ago it began."""
        for ago, names in ((0, ("this",)), (1, ("last", "previous"))):
            if self._word(at) in names and self._word(at + 1) == "week":
                return ago, at + 2
        found = re.fullmatch("(本|这个?|上{1,3}个?)(?:周|星期|礼拜)", self._word(at))
        return (found[1].count("上"), at + 1) if found else None

    def _weekdays(self, at: int) -> _Read[tuple[int, int | None]]:
        first = self._name_of_weekday(at)
        if first is None:
            return None
        joint = self._word(first[1])
        last = self._name_of_weekday(first[1] + 1) if joint in (*_TO, *_AND) else None
        return ((first[0], last[0]), last[1]) if last else ((first[0], None), first[1])

    def _name_of_weekday(self, at: int) -> _Read[int]:
        word = self._word(at)
        if word in _WEEKDAYS:
            return _WEEKDAYS[word], at + 1
        if word in ("周", "星期", "礼拜") and self._word(at + 1) in _CHINESE_WEEKDAYS:
            return _CHINESE_WEEKDAYS[self._word(at + 1)], at + 2
        before = re.fullmatch("(?:本|这个?|上{1,3}个?)(?:周|星期|礼拜)", self._word(at - 1))
        if before and word in _CHINESE_WEEKDAYS:
            return _CHINESE_WEEKDAYS[word], at + 1
        return None

    def _weekday(self, at: int) -> _Read[_Point]:
        begins = self._behind(at, "last", "on")
        read = self._name_of_weekday(begins)
        if read and not (begins == at and self._word(at) in _CHINESE_WEEKDAYS):
            return _Point(weekday=read[0]), read[1]
        return None

    def _calendar(self, at: int) -> _Read[_Point]:
        """Read a week, a weekend, a month or a year of the calendar that is not named by number."""
        if weekend := self._weekend(at):
            return weekend
        if week := self._named_week(at):
            return _Point(self._week_before(week[0])), week[1]
        word, after = self._word(at), self._word(at + 1)
        if word == "week" or (word == "past" and after == "week"):
            return self._days(WEEK, 1), at + 1 + (word == "past")
        this = self._today
        if word in ("本月", "这月", "这个月") or (word, after) == ("this", "month"):
            read = _Point(year=this.year, month=this.month), at + 1 + word.isascii()
        elif re.fullmatch("上{1,2}个?月", word) or (word, after) == ("last", "month"):
            before = this.replace(day=1) - timedelta(days=1)
            if word.startswith("上上"):
                before = before.replace(day=1) - timedelta(days=1)
            read = _Point(year=before.year, month=before.month), at + 1 + word.isascii()
        elif word in ("今年", "去年", "前年") or (after == "year" and word in ("this", "last")):
            year = this.year - {"去年": 1, "last": 1, "前年": 2}.get(word, 0)
            ended = min(this, date(year, 12, 31))
            return _Point(Days(date(year, 1, 1), ended)), at + 1 + word.isascii()
        else:
            return None
        return self._part_of(*read) if read[0].month else read

    def _weekend(self, at: int) -> _Read[_Point]:
        """Read a weekend: the one that began last, and as `last weekend` one that is over."""
        begins, is_last = at, False
        for _ in range(3):
            is_last |= self._word(begins) in ("last", "previous")
            begins = self._behind(begins, "the", "this", "past", "last", "previous")
        found = re.fullmatch("(?P<which>上{1,3}个?|本|这个?)?周末|weekend", self._word(begins))
        if found is None:
            return None
        weeks = (found["which"] or "").count("上")
        saturday = self._today - timedelta(days=(self._today.weekday() - calendar.SATURDAY) % WEEK)
        if (is_last or weeks) and self._today - saturday < timedelta(days=2):
            saturday -= timedelta(days=WEEK)
        saturday -= timedelta(days=WEEK) * max(0, weeks - 1)
        return _Point(Days(saturday, min(self._today, saturday + timedelta(days=1)))), begins + 1

    def _counted(self, at: int) -> _Read[_Point]:
        """Read `last 3 days` and 最近三天: full days, which end with yesterday; hours end now."""
        begins = self._behind(at, "the")
        is_last = self._word(begins) in ("last", "past", "最近", "过去", "近", "这")
        begins = self._behind(begins + is_last, "的")
        if is_last and self._word(begins) in ("半个月", "半月"):
            return self._days(15, 1), begins + 1
        if is_last and self._word(begins) == "半年":
            return self._days(182, 1), begins + 1  # which is more than a digest tells
        counted = self._count(begins)
        if counted is None and not (is_last and self._word(begins - 1) == "past"):
            return None
        count, end = counted or (1, begins)
        word = self._word(end)
        unit = _UNITS.get(word, "")
        is_within = self._word(end + 1) in _WITHIN  # 3天内
        is_last |= is_within
        is_short = word in ("d", "w", "h") and not (is_last or self._is_whole)
        if not unit or is_short or not (is_last or word.isascii()):
            return None
        if not is_last and (unit in ("month", "hour") or self._word(begins) in _COUNTS):
            return None
        if self._word(end + 1) in ("份", *(_CHINESE_NUMBERS if unit == "month" else ())):
            return None
        behind = end + 1 + is_within
        try:
            return self._full(count, unit), behind
        except BadWindow as error:
            return _Point(refused=error), behind

    def _full(self, count: int, unit: str) -> _Point:
        yesterday = self._today - timedelta(days=1)
        if unit == "hour":
            return self._days(-(-count // 24), 0)
        if unit == "month":
            refuse_too_many(count * 28, yesterday)
            year, month = divmod(self._today.year * 12 + self._today.month - 1 - count, 12)
            length = calendar.monthrange(year, month + 1)[1]
            return _Point(Days(date(year, month + 1, min(self._today.day, length)), yesterday))
        count *= WEEK if unit == "week" else 1
        refuse_too_many(count, yesterday)
        return self._days(count, 1)

    def _date(self, at: int) -> _Read[_Point]:
        if at >= len(self._tokens):
            return None
        token = self._tokens[at]
        if token.date:
            year, month, day = token.date
            return _Point(year=year, month=month, day=day, words=self._written(at, at + 1)), at + 1
        return self._chinese_date(at) or self._day_and_month(at) or self._ordinal(at)

    def _day_and_month(self, at: int) -> _Read[_Point]:
        """Read `9 feb`, `the 9th of february 2026`, `feb 9th, 2026`."""
        begins = self._behind(at, "the")
        month, day = _MONTHS.get(self._word(begins)), self._number(self._behind(begins + 1, "the"))
        end = self._behind(begins + 1, "the") + 1
        if month is None:
            day, middle = self._number(begins), self._behind(begins + 1, "of", "-")
            month, end = _MONTHS.get(self._word(middle)), middle + 1
        if month is None or day is None or day > 99:
            return None
        point = _Point(month=month, day=day, words=self._written(at, end))
        if year := self._year(end):
            return replace(point, year=year[0], words=self._written(at, year[1])), year[1]
        # `qwen 3 may crash`: where a word goes on, only another word makes it a month.
        is_verb = self._word(end - 1) in ("may", "march") and end < len(self._tokens)
        return replace(point, needs=_Needs.WORD) if is_verb else point, end

    def _chinese_date(self, at: int) -> _Read[_Point]:
        """Read `2月9日`, `去年10月5日`, and `9号` of this month or the one before."""
        year, begins = self._chinese_year(at) or (None, at)
        month, middle = self._chinese_month(begins) or (None, begins)
        if (
            month is None
            and self._word(begins + 1) == "月"
            and self._word(begins + 3) in ("日", "号")
        ):
            month, middle = self._number(begins), begins + 2  # 13月1日, which is refused
        if month is None:
            return self._numbered(at) if begins == at else None
        day, end = self._number(middle), self._behind(middle + 1, "日", "号")
        if day is None or day > 99 or (end == middle + 1 and self._word(end) in ("个", "月")):
            return None
        if end == middle + 1 and self._word(middle) in _CHINESE_NUMBERS:
            return None
        return _Point(year=year, month=month, day=day, words=self._written(at, end)), end

    def _numbered(self, at: int) -> _Read[_Point]:
        month = None
        begins = at
        if self._word(at) in ("上月", "上个月", "本月", "这月", "这个月"):
            month = self._today.replace(day=1)
            if self._word(at).startswith("上"):
                month = (month - timedelta(days=1)).replace(day=1)
            begins = at + 1
        day = self._number(begins)
        if self._word(begins + 1) not in ("日", "号") or day is None or not 1 <= day <= 31:
            return None
        if self._word(at - 1) in ("月", *_COUNTING):
            return None
        if month is None:
            return _Point(day=day), begins + 2
        words = self._written(at, begins + 2)
        return _Point(year=month.year, month=month.month, day=day, words=words), begins + 2

    def _ordinal(self, at: int) -> _Read[_Point]:
        begins = self._behind(at, "the")
        token = self._tokens[begins] if begins < len(self._tokens) else None
        if token is None or not token.is_ordinal or not 1 <= (token.number or 0) <= 31:
            return None
        after = self._tokens[begins + 1] if begins + 1 < len(self._tokens) else None
        if after and after.text in _RANKED:
            return None
        # `the 2nd most common crash`: where a word goes on, only another word makes it a day.
        is_last = after is None or not self._text[token.end :].lstrip()[:1].isalpha()
        needs = _Needs.NOTHING if begins > at and is_last else _Needs.WORD
        return _Point(day=token.number, needs=needs), begins + 1

    def _bare(self, at: int) -> _Read[_Point]:
        """Read a number that is a day, or in Chinese a month, if a range's other end says so."""
        begins = self._behind(at, "the")
        day = self._number(begins)
        if day is None or not 1 <= day <= 31 or self._word(begins) in _CHINESE_NUMBERS:
            return None
        return _Point(day=day, needs=_Needs.MONTH), begins + 1

    def _month(self, at: int) -> _Read[_Point]:
        """Read a month by its name, with a year, or a part of one: 10月底."""
        year, begins = self._chinese_year(at) or (None, at)
        if read := self._chinese_month(begins):
            return self._part_of(_Point(year=year, month=read[0]), read[1])
        if self._word(at) in ("月", "月份") and self._word(at + 1) in _PARTS:
            if self._word(at - 1) in _COUNTING or self._number(at - 1) is not None:
                return None
            return self._part_of(_Point(), at + 1)
        part = _PARTS.get(self._word(at))
        if part and self._word(at).isascii():
            begins = self._behind(at + 1, "-", "in", "of")
            named = self._month(begins) or self._calendar(begins)
            if named is None or named[0].days or named[0].part != (1, 31):
                return None
            return replace(named[0], part=part, needs=_Needs.NOTHING), named[1]
        return self._named_month(at)

    def _named_month(self, at: int) -> _Read[_Point]:
        which = self._word(at) if self._word(at) in ("last", "this") else ""
        named = _MONTHS.get(self._word(at + bool(which)))
        end = at + bool(which) + 1
        if named is None or (self._number(end) is not None and not self._year(end)):
            return None
        if which:
            this_year = self._today.year
            has_ended = which == "this" or named < self._today.month
            return _Point(year=this_year - (not has_ended), month=named), end
        if found := self._year(end):
            return _Point(year=found[0], month=named), found[1]
        return _Point(month=named, needs=_Needs.RANGE_OR_WORD), end

    def _part_of(self, month: _Point, at: int) -> _Read[_Point]:
        begins = self._behind(at, "的")
        part = _PARTS.get(self._word(begins))
        return (replace(month, part=part), begins + 1) if part else (month, at)

    def _chinese_month(self, at: int) -> _Read[int]:
        month = self._number(at)
        if month is None or not 1 <= month <= 12 or self._word(at + 1) not in ("月", "月份"):
            return None
        return None if self._word(at - 1) in _COUNTING else (month, at + 2)

    def _chinese_year(self, at: int) -> _Read[int]:
        word, number = self._word(at), self._number(at)
        if word in ("今年", "去年", "前年"):
            ago = ("今年", "去年", "前年").index(word)
            return self._today.year - ago, self._behind(at + 1, "的")
        if number and number > 999 and self._word(at + 1) == "年":
            return number, self._behind(at + 2, "的")
        return None

    def _year(self, at: int) -> _Read[int]:
        begins = self._behind(at, ",", "of")
        year = self._number(begins)
        return (year, begins + 1) if year and year > 999 else None

    def _count(self, at: int) -> _Read[int]:
        word, number = self._word(at), self._number(at)
        if word in _COUNTS:
            return _COUNTS[word], self._behind(at + 1, "of", "more")
        if number is None or (at < len(self._tokens) and self._tokens[at].is_ordinal):
            return None
        return number, self._behind(at + 1, "个")

    def _between(self, first: _Point, last: _Point, is_joined: bool) -> Days:
        """Give the days of a range: what one end does not say is the other's."""
        if is_joined and first.days and last.days:  # `this week and last week`
            both = (first.days, last.days)
            return Days(min(each.first for each in both), max(each.last for each in both))
        if first.days is None and last.days is None:
            first, last = _with_months(first, last)
        if first.day and not first.month and not last.month and last.day:
            ended = self._resolved(last)
            return Days(self._latest(first.day, ended.last), ended.last)
        begun, ended = self._resolved(first), self._resolved(last)
        if ended.last >= begun.first:
            return Days(begun.first, ended.last)
        if last.weekday is not None:
            return Days(begun.first, ended.last + timedelta(days=WEEK))
        if last.month and not last.year and not last.days:
            return Days(
                begun.first,
                self._resolved(replace(last, year=min(ended.last.year + 1, MAXYEAR))).last,
            )
        return Days(begun.first, ended.last)

    def _resolved(self, point: _Point) -> Days:
        """Give the days of one end, the latest that came where it does not say of which year."""
        days = self._days_of(point)
        if not point.is_week:
            return days
        monday = _moved(days.first, -days.first.weekday())
        return Days(monday, min(_moved(monday, WEEK - 1), max(days.last, self._today)))

    def _days_of(self, point: _Point) -> Days:
        if point.refused:
            raise point.refused
        if point.days:
            return point.days
        if point.weekday is not None:
            ago = (self._today.weekday() - point.weekday) % WEEK or WEEK
            return Days(self._today - timedelta(days=ago), self._today - timedelta(days=ago))
        if point.day and not point.month:
            day = self._latest(point.day, self._today)
            return Days(day, day)
        if point.day is not None:
            day = self._day_of(point)
            return Days(day, day)
        return self._month_of(point)

    def _day_of(self, point: _Point) -> date:
        month, number = point.month or 0, point.day or 0
        year = self._today.year if point.year is None else point.year
        if point.year is None:
            year -= (month, number) > (self._today.month, self._today.day)
            while (month, number) == (2, 29) and not calendar.isleap(year):
                year -= 1
        if year < 1 or not 1 <= month <= 12:
            raise BadWindow(SAY.windows.not_a_date(point.words, self._today))
        length = calendar.monthrange(year, month)[1]
        if not 1 <= number <= length:
            near = date(year, month, min(max(number, 1), length))
            name = calendar.month_name[month]
            raise BadWindow(SAY.windows.no_such_day(point.words, name, year, length, near))
        return date(year, month, number)

    def _month_of(self, point: _Point) -> Days:
        """Give the days of a month or its part, as far as they have come if they have begun."""
        month = point.month or self._today.month
        year = point.year or self._today.year
        begins, ends = point.part
        if point.year is None and date(year, month, begins) > self._today:
            year, month = (year - 1, month) if point.month else divmod(year * 12 + month - 2, 12)
            month += not point.month
        first = date(year, month, begins)
        last = date(year, month, min(ends, calendar.monthrange(year, month)[1]))
        return Days(first, min(last, self._today) if first <= self._today else last)

    def _latest(self, number: int, until: date) -> date:
        """Give the latest day of that number in its month, up to a day."""
        first = until.replace(day=1)
        while True:
            if number <= calendar.monthrange(first.year, first.month)[1]:
                day = first.replace(day=number)
                if day <= until:
                    return day
            first = (first - timedelta(days=1)).replace(day=1)

    def _bounded(self, days: Days, bound: _Bound | None) -> Days:
        """Give the days that a time bounds, seven where nothing says their other end."""
        match bound:
            case _Bound.SINCE:
                return Days(days.first, self._today)
            case _Bound.UNTIL:
                return Days(_moved(days.last, 1 - WEEK), days.last)
            case _Bound.BEFORE:
                return Days(_moved(days.first, -WEEK), _moved(days.first, -1))
        return days

    def _days(self, first_ago: int, last_ago: int) -> _Point:
        ago = timedelta(days=1)
        return _Point(Days(self._today - first_ago * ago, self._today - last_ago * ago))

    def _week_before(self, count: int) -> Days:
        """Give the calendar week of so many weeks ago, this one as far as it has come."""
        monday = self._today - timedelta(days=self._today.weekday() + WEEK * count)
        return Days(monday, min(self._today, monday + timedelta(days=WEEK - 1)))

    def _word(self, at: int) -> str:
        return self._tokens[at].text if 0 <= at < len(self._tokens) else ""

    def _words(self, at: int, *words: str) -> bool:
        return all(self._word(at + n) == word for n, word in enumerate(words))

    def _number(self, at: int) -> int | None:
        return self._tokens[at].number if 0 <= at < len(self._tokens) else None

    def _behind(self, at: int, *words: str) -> int:
        """Give the place behind one of these words, or the same place."""
        return at + (self._word(at) in words)

    def _written(self, at: int, end: int) -> str:
        return self._text[self._tokens[at].start : self._tokens[end - 1].end]


def _moved(day: date, days: int) -> date:
    """Give a day so many days later, or the calendar's end."""
    ordinal = day.toordinal() + days
    return date.fromordinal(min(max(ordinal, date.min.toordinal()), date.max.toordinal()))


def _with_months(first: _Point, last: _Point) -> tuple[_Point, _Point]:
    """Give both ends the month and the year that one of them has.

    Where that has the days run backwards, as of `28 to 3 november`, the months follow each other.
    """
    if first.needs is _Needs.MONTH and last.month and last.day is None:
        first = replace(first, month=first.day, day=None)  # `12-1月`
    if first.day and not first.month and last.month and last.day:
        month = last.month - (first.day > last.day)
        first = replace(first, month=(month - 1) % 12 + 1)
    elif first.month and not last.month and (last.day or last.weekday is None):
        is_next = bool(first.day and last.day and first.day > last.day)
        last = replace(last, month=(first.month + is_next - 1) % 12 + 1)
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
