"""Numbers with their units: both have to stand together in what they are said to be from."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from digest.grounding.plain import spread
from digest.grounding.units import (
    COUNTED,
    DOUBLE,
    FIGURE,
    HALF,
    MEASURED,
    TRIPLE,
    TWICE,
    WORD,
    WORDS,
)

_FEWEST_LISTED, _MOST_LISTED = 3, 12
_LIST = re.compile(r"[(\[{]([^()\[\]{}]{3,400})[)\]}]")
_NAME = re.compile(r"[a-z_]\w*")
_ASSIGNS = re.compile(r"(?<![=!<>])=(?!=)|\(")
_IN_BRACKETS = re.compile(r"\(([^()\s]{1,12})\)")
_DIGITS = 40
"""A longer number is no number that anyone states."""

_MULTIPLES = (
    (TWICE, re.compile(rf"{TWICE.pattern}|duplicat|redundan|double|again|second time|重复")),
    (DOUBLE, re.compile(rf"{DOUBLE.pattern}|\b2(?:\.0)?x|两倍|2 ?倍|\bdouble", re.ASCII)),
    (TRIPLE, re.compile(rf"{TRIPLE.pattern}|\b3(?:\.0)?x|三倍|3 ?倍|\btriple", re.ASCII)),
    (HALF, re.compile(rf"{HALF.pattern}|\b50 ?%|\b0\.5x|\b2(?:\.0)?x|\bhalf|\bhalv|半", re.ASCII)),
)
_NEAR = 40
"""Characters between a number and what it counts, either way: a phrase, not a paragraph."""

_COUNTS_OF_LINES = ("added lines:", "removed lines:")
_BOUND = re.compile(
    r"\b(?:(?P<most>up to|at most|as much as|no more than|max(?:imum)?(?: of)?)"
    r"|(?P<least>at least|more than|over|above|no less than|exceed(?:s|ing)?))\s*[~≈]?\s*(?=\d)"
    r"|(?P<zh_most>最多|至多|高达|最高)[^\d。，]{0,12}(?=\d)|(?P<zh_least>至少|超过|多于|不少于|高于)"
    r"[^\d。]{0,4}(?=\d)",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class Figure:
    """A number as it is written, without commas, with its unit or what it counts ("" for none)."""

    value: str
    unit: str
    noun: str
    words: str
    start: int

    @property
    def measured(self) -> tuple[Decimal, str]:
        """Give the value as a number with its unit, so that 1.50 ms is 1.5 milliseconds."""
        return Decimal(self.value).normalize(), self.unit


def figures(text: str) -> Iterator[Figure]:
    """Find the numbers in folded text in lower case."""
    for found in FIGURE.finditer(text):
        value = found["value"].replace(",", "")
        if len(value) > _DIGITS:
            value = "0" * _DIGITS
        yield Figure(
            value=value,
            unit=MEASURED.get(found["measure"] or "", ""),
            noun=found["noun"] or "",
            words=found.group(),
            start=found.start(),
        )


def unlicensed(
    text: str, stretches: Sequence[str], lines: Sequence[str], names: int
) -> Iterator[str]:
    """Give the numbers of a sentence that no stretch of the source has.

    `text` is the sentence in lower case without its identifiers; a stretch is a paragraph or fact.
    In a line of code the unit may be part of a name (`LIMIT_GB = 30`).
    `names` counts the identifiers of the sentence: as many things may be counted in words.
    """
    known = [(stretch, tuple(figures(stretch))) for stretch in (*stretches, *lines)]
    for figure in figures(text):
        stated = any(_has(figure, stretch, there) for stretch, there in known)
        if not stated and not any(_has_in_code(figure, line) for line in lines):
            yield figure.words
        elif _is_strengthened(figure, text, stretches):
            yield f"{text[max(0, figure.start - 12) : figure.start]}{figure.words}".strip()
    for found in WORD.finditer(text):
        value = WORDS.get(found[1] or found[2], "")
        if TWICE.match(text, found.start()) or _is_listed(value, lines):
            continue
        if value != str(names) and not any(
            _has_word(found.group(), value, stretch, there) for stretch, there in known
        ):
            yield found.group()
    for spoken, licence in _MULTIPLES:
        said = spoken.search(text)
        if said and not any(licence.search(stretch) for stretch in stretches):
            yield said.group()


def _is_listed(value: str, lines: Sequence[str]) -> bool:
    """Tell whether code lists as many things: `("a", "b")`, or lines that differ in names alone."""
    if not value or not _FEWEST_LISTED <= int(value) <= _MOST_LISTED:
        return False
    lists = (found[1] for line in lines for found in _LIST.finditer(line))
    if any(inside.strip(" ,").count(",") + 1 == int(value) for inside in lists):
        return True
    alike = Counter(_NAME.sub("x", line) for line in lines if _ASSIGNS.search(line))
    return int(value) in alike.values()


def values(text: str) -> frozenset[tuple[Decimal, str]]:
    """Give the numbers of a sentence as a set, to be held against its other language."""
    return frozenset(figure.measured for figure in figures(text))


def numbers(text: str) -> frozenset[tuple[Decimal, str]]:
    """Give the numbers of a text, those in words too."""
    spelled = (WORDS.get(found[1] or found[2]) for found in WORD.finditer(text))
    return values(text) | {(Decimal(each).normalize(), "") for each in spelled if each}


def _has(figure: Figure, stretch: str, there: Sequence[Figure]) -> bool:
    if figure.unit:
        return any(each.measured == figure.measured for each in there) or _in_a_table(
            figure, stretch, there
        )
    if not figure.noun and stretch.startswith(_COUNTS_OF_LINES):
        return False
    bare = [each for each in there if each.value == figure.value and not each.unit]
    if not figure.noun:
        return bool(bare)
    return any(_counts(each, figure.noun, stretch) for each in bare)


def _has_in_code(figure: Figure, line: str) -> bool:
    if not figure.unit or not any(each.value == figure.value for each in figures(line)):
        return False
    return any(MEASURED.get(word) == figure.unit for word in spread(line).split())


def _in_a_table(figure: Figure, stretch: str, there: Sequence[Figure]) -> bool:
    """Tell of a column headed `TTFT (ms)`: the one unit of a stretch goes for its bare numbers."""
    units = {MEASURED[word] for word in _IN_BRACKETS.findall(stretch) if word in MEASURED}
    return units == {figure.unit} and any(
        not each.unit and each.measured[0] == figure.measured[0] for each in there
    )


def _counts(figure: Figure, noun: str, stretch: str) -> bool:
    near = stretch[max(0, figure.start - _NEAR) : figure.start + len(figure.words) + _NEAR]
    return any(spelling in near for spelling in COUNTED[noun])


def _has_word(word: str, value: str, stretch: str, there: Sequence[Figure]) -> bool:
    if stretch.startswith(_COUNTS_OF_LINES):
        return False
    return any(each.value == value for each in there) or any(
        WORDS.get(found[1] or found[2], "") == value for found in WORD.finditer(stretch)
    )


def _is_strengthened(figure: Figure, text: str, stretches: Sequence[str]) -> bool:
    """Tell whether a bound was dropped ("up to") or made up ("more than")."""
    mine = _bound(text, figure.start)
    theirs = {
        _bound(stretch, each.start)
        for stretch in stretches
        for each in figures(stretch)
        if each.measured == figure.measured
    }
    if not theirs or not figure.unit:
        return False
    return mine not in theirs and (mine == "least" or "most" in theirs)


def _bound(text: str, start: int) -> str:
    before = text[max(0, start - 24) : start + 1]
    found = next(reversed(list(_BOUND.finditer(before))), None)
    if found is None or found.end() < len(before) - 2:
        return ""
    return "most" if found["most"] or found["zh_most"] else "least"
