"""What an author states of a change, by what it is about: copied exactly, told by rule alone.

A sentence stands under one heading, and only where its own words or the author's heading put it
there: the author's heading first, then what a reader has to do, then the order of reading.
What only may belong is left out: the description is one click away.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from digest.models import Item
from digest.reading.description import (
    BREAKING_TEXT,
    INCOMPATIBLE,
    REQUIRES,
    SECURITY,
    TITLE_READ,
    UNCHANGED,
)
from digest.reading.passages import Passage, PassageKind, passages
from digest.reading.sentence import ACT, quote, split_sentences

MOST_STATEMENTS = 4
"""Sentences under one heading: what an author says more often, the description says."""
LONGEST_STATEMENT = 600
"""Characters of a sentence that is copied; a longer one is a list that lost its breaks."""
MOST_REASON = 900
"""Characters of a stated reason, in whole paragraphs: about 150 words."""
FEWEST_FIGURES = 2
"""Numbers of a table, and lines of output with numbers, that make a result."""


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
class StatedFigures:
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
    figures: tuple[StatedFigures, ...] = ()
    runs: tuple[StatedFigures, ...] = ()
    unmeasured: bool = False

    def about(self, aspect: Aspect) -> tuple[str, ...]:
        """Return the sentences about one aspect."""
        return dict(self.by_aspect).get(aspect, ())


_WHY = re.compile(
    r"motivation|^why|purpose|problem|root cause|background|context|rationale|动机|背景|问题|目的",
    re.IGNORECASE,
)
_HEADS = {
    Aspect.TEST: re.compile(r"\btest(?:s|ing|ed)?\b|validation|verification|测试|验证", re.I),
    Aspect.ARCHITECTURE: re.compile(r"\barchitecture\b|\bdesign\b|架构|设计", re.I),
    Aspect.SECURITY: re.compile(r"\bsecurity\b|安全", re.I),
    Aspect.COMPATIBILITY: re.compile(
        r"\bbreaking\b|compatib|\bmigration\b|\bupgrad|不兼容|兼容|升级|迁移", re.I
    ),
    Aspect.RISK: re.compile(
        r"\blimitations?\b|\bcaveats?\b|\brisks?\b|known issues?|局限|限制|风险", re.I
    ),
    Aspect.QUESTION: re.compile(
        r"\bopen (?:questions?|issues?|points?)\b|\bto-?do\b|\bfuture work\b|待办", re.I
    ),
}
"""An author's headings that put what is under them."""
_SPEED_WORDS = re.compile(
    r"\b(?:fast(?:er)?|slow(?:er)?|speed-?ups?|latency|throughput|overhead|tflops?|tok/s|tokens?/s|"
    r"tpot|ttft|itl|qps|bandwidth|memory|vram|less time|less cpu|perf(?:ormance)?|halves|cuts?|"
    r"reduc\w+|improv\w+|saves?)\b|加速|提升|延迟|吞吐|显存",
    re.IGNORECASE,
)
_MEASURE = re.compile(
    r"(?<![\w.])~?\d{1,7}(?:[.,]\d{1,4})?\s?"
    r"(?:[x×](?!\w)|%|倍|(?:ns|us|µs|μs|ms|s|sec|min|h|[KMG]i?B|[KMG]B/s|T[BF]LOPS?|tok/s|qps)\b)"
)
_FROM_TO = re.compile(
    rf"{_MEASURE.pattern}.{{0,12}}(?:\bto\b|→|->|\bvs\b).{{0,12}}{_MEASURE.pattern}"
)
_TIDY = re.compile(
    r"\brefactor\w*|\bde-?dup\w*|\bduplicat\w+ (?:code|logic)\b|\bdead code\b|"
    r"\bsingle source of truth\b|\bmaintainab\w*|\b(?:easier|simpler|harder) to "
    r"(?:maintain|extend|read|review|test)\b|重构|可维护",
    re.IGNORECASE,
)
_RISK = re.compile(
    r"\bknown (?:issues?|limitations?|problems?)\b|\blimitations?(?: is| are|:)|\bcaveats?\b|"
    r"\bnot (?:yet )?(?:supported|implemented|tested|covered)\b|\bdo(?:es)? not (?:yet )?support\b|"
    r"\bexperimental\b|\bmay (?:break|regress|fail|hang|crash)\b|\bworkaround\b|"
    r"\btemporar(?:y|ily)\b|暂不支持|临时|实验性",
    re.IGNORECASE,
)
_KEPT_OR_GONE = re.compile(
    r"\bstill (?:works?|accepted|supported)\b|\bdeprecat\w*|\bbackwards?[- ]compatib|"
    r"\bas an? (?:deprecated )?alias\b|\b(?:remov(?:e[sd]?|ing)|drop(?:s|ped)?|"
    r"renam(?:e[sd]?|ing)) (?:the |support for )?(?:\w+ )?"
    r"(?:flag|option|argument|parameter|variable|support|alias)\b|\bno longer\b",
    re.IGNORECASE,
)
_BY_WORDS = (
    (Aspect.SECURITY, (SECURITY,)),
    (Aspect.MAINTAINABILITY, (_TIDY, UNCHANGED)),
    (Aspect.COMPATIBILITY, (BREAKING_TEXT, INCOMPATIBLE, REQUIRES, _KEPT_OR_GONE)),
    (Aspect.RISK, (_RISK,)),
)
_OPEN = re.compile(
    r"[?？]$|\b(?:TODOs?|FIXME|TBD|[Oo]pen question|[Nn]ot sure|to be decided)\b",
)
_WE = re.compile(r"\bwe (?:should|must|need|have)\b", re.IGNORECASE)
_RESULT = re.compile(
    r"\bperf|\bbench|\blatency\b|\bthroughput\b|\bt[bf]?flops?\b|\bspeed-?up|\baccuracy\b|\bgsm8k\b|"
    r"\bmmlu\b|\btok(?:ens?)?/s\b|\bmedian\b|\bttft\b|\btpot\b|\bbefore\b.{1,60}\bafter\b|性能|精度",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?<![\w.])\d{1,9}(?:\.\d{1,6})?(?![\w.])")


def statements(item: Item) -> Statements:
    """Read what the author of a change states; an issue or a release has its words told whole."""
    if not item.kind.is_change:
        return Statements()
    pieces = tuple(p for p in passages(item.body) if p.kind is not PassageKind.QUOTED)
    reason = _reason(pieces)
    found: dict[Aspect, dict[str, None]] = {aspect: {} for aspect in Aspect}
    placed: dict[str, Aspect] = {}
    for aspect, text in _stated(pieces):
        found[placed.setdefault(text, aspect)].setdefault(text)
    blocks = [p for p in pieces if p.kind in (PassageKind.TABLE, PassageKind.CODE)]
    figures = tuple(StatedFigures(p.text, p.heading) for p in blocks if _is_result(p))
    return Statements(
        reason=reason or tuple(filter(None, (quote(item),))),
        reasoned=bool(reason),
        by_aspect=tuple(
            (aspect, tuple(each)[:MOST_STATEMENTS]) for aspect, each in found.items() if each
        ),
        figures=figures,
        runs=tuple(
            StatedFigures(p.text, p.heading)
            for p in blocks
            if p.kind is PassageKind.CODE
            and _HEADS[Aspect.TEST].search(p.heading)
            and not _is_result(p)
        ),
        unmeasured=_claims_speed(item, found[Aspect.PERFORMANCE]) and not figures,
    )


def _claims_speed(item: Item, stated: dict[str, None]) -> bool:
    title = item.title[:TITLE_READ]
    in_title = bool(_MEASURE.search(title) and _SPEED_WORDS.search(title))
    return (in_title or bool(stated)) and "body" not in item.detail_missing


def _reason(pieces: Sequence[Passage]) -> tuple[str, ...]:
    """Return the whole paragraphs under a heading that says why, as far as they are short."""
    texts: list[str] = []
    for piece in pieces:
        if _WHY.search(piece.heading) and piece.kind in (PassageKind.PROSE, PassageKind.ITEM):
            if sum(map(len, texts)) + len(piece.text) > MOST_REASON:
                break
            texts.append(piece.text)
    return tuple(texts)


def _stated(pieces: Sequence[Passage]) -> Iterator[tuple[Aspect, str]]:
    for piece in pieces:
        if piece.kind in (PassageKind.TABLE, PassageKind.CODE):
            continue
        if piece.kind is PassageKind.OPEN_BOX:
            if _is_statement(piece.text):
                steps = _HEADS[Aspect.COMPATIBILITY].search(piece.heading)
                yield (Aspect.ACTION if steps else Aspect.QUESTION), piece.text
            continue
        under = next(
            (aspect for aspect, head in _HEADS.items() if head.search(piece.heading)), None
        )
        for sentence in split_sentences(piece.text):
            if _is_statement(sentence) and (aspect := under or _aspect(sentence)):
                yield aspect, sentence


def _is_statement(sentence: str) -> bool:
    """Tell whether a sentence says something by itself: no label, and no row of links."""
    return (
        len(sentence) <= LONGEST_STATEMENT
        and sentence[-1] not in ":：,，"
        and sentence.count("http") <= 2
        and not sentence.startswith("[")
        and sum(char.isalpha() for char in sentence) >= 8
    )


def _aspect(sentence: str) -> Aspect | None:
    """Tell what a sentence is about by its own words: first what a reader looks for."""
    if _OPEN.search(sentence):
        return Aspect.QUESTION
    if ACT.search(sentence) and not _WE.search(sentence):
        return Aspect.ACTION
    if _FROM_TO.search(sentence) or (_MEASURE.search(sentence) and _SPEED_WORDS.search(sentence)):
        return Aspect.PERFORMANCE
    for aspect, signs in _BY_WORDS:
        if any(sign.search(sentence) for sign in signs):
            return aspect
    return None


def _is_result(piece: Passage) -> bool:
    lines = piece.text.split("\n")
    numbers = [len(_NUMBER.findall(line[:400])) for line in lines]
    if piece.kind is PassageKind.TABLE:
        # A row that a commit message has wrapped is no table any more.
        is_whole = len({line.strip().strip("|").count("|") for line in lines if line.strip()}) == 1
        return is_whole and sum(numbers[1:]) >= FEWEST_FIGURES
    speaks = _RESULT.search(f"{piece.heading}\n{piece.text[:LONGEST_STATEMENT]}")
    return bool(speaks) and sum(count > 1 for count in numbers) >= FEWEST_FIGURES
