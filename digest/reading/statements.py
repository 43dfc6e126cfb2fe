"""What an author states of a change, by what it is about: copied exactly, told by rule alone.

A sentence stands under one heading, and only where its own words or the author's heading put it
there: the author's heading first, then what a reader has to do, then the order of reading.
What only may belong is left out: the description is one click away.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from digest.models import Item, Kind
from digest.reading.description import TITLE_READ
from digest.reading.passages import Passage, PassageKind, passages
from digest.reading.sentence import ACT, quote, split_sentences
from digest.reading.signals import (
    BREAKING_TEXT,
    COMPATIBLE_TEXT,
    INCOMPATIBLE,
    REQUIRES,
    SECURITY,
    UNCHANGED,
)

MOST_STATEMENTS = 4
"""Sentences under one heading: what an author says more often, the description says."""
LONGEST_STATEMENT = 600
"""Characters of a sentence that is copied; a longer one is a list that lost its breaks."""
MOST_REASON = 900
"""Characters of a stated reason, in whole paragraphs: about 150 words."""


class Aspect(StrEnum):
    """What a statement is about: the headings of an analysis, in the order of reading."""

    ARCHITECTURE = "architecture"
    PERFORMANCE = "performance"
    SECURITY = "security"
    MAINTAINABILITY = "maintainability"
    COMPATIBILITY = "compatibility"
    TEST = "test"
    RISK = "risk"
    ACTION = "action"
    QUESTION = "question"


@dataclass(frozen=True, slots=True)
class Figures:
    """A table or printed lines with figures, byte for byte; `heading` is that above it."""

    text: str
    heading: str


@dataclass(frozen=True, slots=True)
class Statements:
    """All that an author states of one change.

    `reason` holds whole paragraphs, or one or two sentences; `reasoned` tells that the author put
    them under a heading such as Motivation. `by_aspect` pairs each aspect that has any with its
    sentences. `runs` are commands and output under a heading of tests. `unmeasured` tells that
    speed is claimed and the description, which was read, shows no result of a measurement.
    """

    reason: tuple[str, ...] = ()
    reasoned: bool = False
    by_aspect: tuple[tuple[Aspect, tuple[str, ...]], ...] = ()
    figures: tuple[Figures, ...] = ()
    runs: tuple[Figures, ...] = ()
    unmeasured: bool = False

    def about(self, aspect: Aspect) -> tuple[str, ...]:
        """Give the sentences about one aspect."""
        return dict(self.by_aspect).get(aspect, ())


_WHAT = re.compile(
    r"^$|description|summary|what|overview|changes?\b|modification|highlight|描述|概述|修改|改动",
    re.IGNORECASE,
)
_WHY = re.compile(
    r"motivation|^why|purpose|problem|root cause|background|context|rationale|动机|背景|问题|目的",
    re.IGNORECASE,
)
_HEADS: tuple[tuple[Aspect, re.Pattern[str]], ...] = (
    (Aspect.TEST, re.compile(r"\btest(?:s|ing|ed)?\b|validation|verification|测试|验证", re.I)),
    (Aspect.ARCHITECTURE, re.compile(r"\barchitecture\b|\bdesign\b|架构|设计", re.I)),
    (Aspect.SECURITY, re.compile(r"\bsecurity\b|安全", re.I)),
    (
        Aspect.COMPATIBILITY,
        re.compile(r"\bbreaking\b|compatib|\bmigration\b|\bupgrad|不兼容|兼容|升级|迁移", re.I),
    ),
    (
        Aspect.RISK,
        re.compile(r"\blimitations?\b|\bcaveats?\b|\brisks?\b|known issues?|局限|限制|风险", re.I),
    ),
    (
        Aspect.QUESTION,
        re.compile(
            r"\bopen (?:questions?|issues?|points?)\b|\bto-?do\b|\bfuture work\b|待办", re.I
        ),
    ),
)
COMPATIBLE = 3
"""The place of the headings under which an open box is a step for whoever upgrades."""
_SPEED_WORDS = re.compile(
    r"\b(?:fast(?:er)?|slow(?:er)?|speed-?ups?|sped up|latency|throughput|overhead|tflops?|tok/s|"
    r"tokens?/s|tpot|ttft|itl|qps|bandwidth|memory|vram|less time|less cpu|perf(?:ormance)?|"
    r"halves|cuts?|reduc\w+|improv\w+|saves?)\b|加速|提升|延迟|吞吐|显存",
    re.IGNORECASE,
)
_MEASURE = re.compile(
    r"(?<![\w.])~?\d{1,7}(?:[.,]\d{1,4})?\s?"
    r"(?:[x×](?!\w)|%|倍|(?:ns|us|µs|μs|ms|s|sec|min|h|[KMG]i?B|[KMG]B/s|T[BF]LOPS?|tok/s|qps)\b)"
)
_TIDY = re.compile(
    r"\brefactor\w*|\bde-?dup\w*|\bduplicat\w+ (?:code|logic)\b|\bdead code\b|"
    r"\btech(?:nical)? debt\b|"
    r"\bsingle source of truth\b|\bmaintainab\w*|\b(?:easier|simpler|harder) to "
    r"(?:maintain|extend|read|review|test)\b|重构|可维护",
    re.IGNORECASE,
)
_RISK = re.compile(
    r"\bknown (?:issues?|limitations?|problems?)\b|\blimitations?(?: is| are|:)|"
    r"\bcaveats?\b|\bnot (?:yet )?(?:supported|implemented|tested|covered)\b|\b(?:does|do) not "
    r"(?:yet )?support\b|\bexperimental\b|\bmay (?:break|regress|fail|hang|crash)\b|"
    r"\bworkaround\b|\btemporar(?:y|ily)\b|暂不支持|临时|实验性",
    re.IGNORECASE,
)
_LATER = re.compile(
    r"\bTODOs?\b|\bFIXME\b|\bopen question\b|\bnot sure\b|\bto be decided\b|\bTBD\b"
)
_QUESTION = re.compile(r"[?？]$")
_GONE = re.compile(
    r"\b(?:remov(?:e[sd]?|ing)|drop(?:s|ped)?|renam(?:e[sd]?|ing)) (?:the |support for )?"
    r"(?:\w+ )?(?:flag|option|argument|parameter|variable|support|alias)\b|\bno longer\b",
    re.IGNORECASE,
)
_FROM_TO = re.compile(
    rf"{_MEASURE.pattern}.{{0,12}}(?:\bto\b|→|->|\bvs\b).{{0,12}}{_MEASURE.pattern}"
)
_WE = re.compile(r"\bwe (?:should|must|need|have)\b", re.IGNORECASE)
_RESULT = re.compile(
    r"\bperf|\bbench|\blatency\b|\bthroughput\b|\bt[bf]?flops?\b|\bspeed-?up|\baccuracy\b|\bgsm8k\b|"
    r"\bmmlu\b|\btok(?:ens?)?/s\b|\bmedian\b|\bttft\b|\btpot\b|\bbefore\b.{1,60}\bafter\b|性能|精度",
    re.IGNORECASE,
)
_ONLY_LINKS = re.compile(
    r"^(?:\W{0,3}(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?|relate[sd]|to|see|issues?|refs?|and|part|of|"
    r"depends|on|pr|link|https?:\S{1,300}|[\w./-]{0,140}#\d{1,9})){1,12}\W{0,3}$",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?<![\w.])\d{1,9}(?:\.\d{1,6})?(?![\w.])")
_SEPARATOR = re.compile(r"^[\s|:+=-]{3,400}$")
_MOST_LINKS = 2
FEWEST_IN_TABLE = 2
FEWEST_ROWS = 2
"""Numbers of a table, and lines of output with numbers, that make a result."""


def statements(item: Item) -> Statements:
    """Read what the author of a change states; an issue or a release has its words told whole."""
    if item.kind in (Kind.ISSUE, Kind.RELEASE):
        return Statements()
    pieces = tuple(p for p in passages(item.body) if p.kind is not PassageKind.QUOTED)
    reason = _reason(pieces)
    reasons = reason or _opening(pieces) or tuple(part for part in (quote(item),) if part)
    found: dict[Aspect, dict[str, None]] = {aspect: {} for aspect in Aspect}
    placed: dict[str, Aspect] = {}
    for aspect, text in _stated(pieces):
        found[placed.setdefault(text, aspect)].setdefault(text)
    figures = tuple(_figures(pieces))
    return Statements(
        reason=reasons,
        reasoned=bool(reason),
        by_aspect=tuple(
            (aspect, tuple(each)[:MOST_STATEMENTS]) for aspect, each in found.items() if each
        ),
        figures=figures,
        runs=tuple(_runs(pieces)),
        unmeasured=_claims_speed(item, found[Aspect.PERFORMANCE]) and not figures,
    )


def _claims_speed(item: Item, stated: dict[str, None]) -> bool:
    title = item.title[:TITLE_READ]
    in_title = bool(_MEASURE.search(title) and _SPEED_WORDS.search(title))
    return (in_title or bool(stated)) and "body" not in item.detail_missing


def _reason(pieces: Sequence[Passage]) -> tuple[str, ...]:
    """Give the whole paragraphs under a heading that says why, as far as they are short."""
    texts: list[str] = []
    length = 0
    for piece in pieces:
        if not _WHY.search(piece.heading) or piece.kind not in (
            PassageKind.PROSE,
            PassageKind.ITEM,
        ):
            continue
        length += len(piece.text)
        if length > MOST_REASON:
            break
        texts.append(piece.text)
    return tuple(texts)


def _opening(pieces: Sequence[Passage]) -> tuple[str, ...]:
    """Give the first paragraph that says what a change is, with the list that it announces."""
    texts: list[str] = []
    length = 0
    for piece in pieces:
        if not texts:
            is_first = piece.kind is PassageKind.PROSE and _WHAT.search(piece.heading)
            if not is_first or _ONLY_LINKS.match(piece.text[:LONGEST_STATEMENT]):
                continue
        elif texts[0][-1] not in ":：" or piece.kind is not PassageKind.ITEM:
            break
        length += len(piece.text)
        if length > MOST_REASON:
            break
        texts.append(piece.text)
    return () if len(texts) == 1 and texts[0][-1] in ":：" else tuple(texts)


def _runs(pieces: Sequence[Passage]) -> Iterator[Figures]:
    for piece in pieces:
        under = piece.kind is PassageKind.CODE and _HEADS[0][1].search(piece.heading)
        if under and not _is_result(piece):
            yield Figures(piece.text, piece.heading)


def _stated(pieces: Sequence[Passage]) -> Iterator[tuple[Aspect, str]]:
    for piece in pieces:
        if piece.kind in (PassageKind.TABLE, PassageKind.CODE):
            continue
        if piece.kind is PassageKind.OPEN_BOX:
            if _is_statement(piece.text):
                steps = _HEADS[COMPATIBLE][1].search(piece.heading)
                yield (Aspect.ACTION if steps else Aspect.QUESTION), piece.text
            continue
        by_heading = [aspect for aspect, head in _HEADS if head.search(piece.heading)]
        for sentence in split_sentences(piece.text):
            if not _is_statement(sentence):
                continue
            if aspects := [*by_heading[:1], *_actions(sentence), *_aspects(sentence)]:
                yield aspects[0], sentence


def _is_statement(sentence: str) -> bool:
    """Whether a sentence says something by itself: no label, and no row of links."""
    return (
        len(sentence) <= LONGEST_STATEMENT
        and sentence[-1] not in ":：,，"
        and sentence.count("http") <= _MOST_LINKS
        and not sentence.startswith("[")
        and sum(char.isalpha() for char in sentence) >= 8
    )


def _actions(sentence: str) -> Iterator[Aspect]:
    """Tell what has to be done: a reader looks for that before what else a sentence is about."""
    if ACT.search(sentence) and not (_WE.search(sentence) or _is_open(sentence)):
        yield Aspect.ACTION


def _is_open(sentence: str) -> bool:
    return bool(_QUESTION.search(sentence) or _LATER.search(sentence))


def _aspects(sentence: str) -> Iterator[Aspect]:
    if _is_open(sentence):
        yield Aspect.QUESTION
        return
    if _FROM_TO.search(sentence) or (_MEASURE.search(sentence) and _SPEED_WORDS.search(sentence)):
        yield Aspect.PERFORMANCE
    if SECURITY.search(sentence):
        yield Aspect.SECURITY
    if _TIDY.search(sentence) or UNCHANGED.search(sentence):
        yield Aspect.MAINTAINABILITY
    if _is_of_compatibility(sentence):
        yield Aspect.COMPATIBILITY
    if _RISK.search(sentence):
        yield Aspect.RISK


def _is_of_compatibility(sentence: str) -> bool:
    return any(
        sign.search(sentence)
        for sign in (BREAKING_TEXT, INCOMPATIBLE, REQUIRES, COMPATIBLE_TEXT, _GONE)
    )


def _figures(pieces: Sequence[Passage]) -> Iterator[Figures]:
    """Give the tables and printed lines that hold results, as they stand in the description."""
    for piece in pieces:
        if piece.kind in (PassageKind.TABLE, PassageKind.CODE) and _is_result(piece):
            yield Figures(piece.text, piece.heading)


def _is_result(piece: Passage) -> bool:
    lines = [line[:400] for line in piece.text.split("\n") if not _SEPARATOR.match(line[:400])]
    numbers = [len(_NUMBER.findall(line)) for line in lines]
    if piece.kind is PassageKind.TABLE:
        return sum(numbers[1:]) >= FEWEST_IN_TABLE
    rows = [count for count in numbers if count > 1]
    speaks = _RESULT.search(piece.heading) or any(_RESULT.search(line) for line in lines)
    return bool(speaks) and len(rows) >= FEWEST_ROWS
