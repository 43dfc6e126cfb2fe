"""The author's own figure of speed or memory, with the clause that says under which condition."""

import re

from digest.facts import Evidence, Fact, FactChange, FactKind
from digest.grades import Purpose
from digest.models import Item
from digest.reading.change import bare
from digest.reading.description import TITLE_READ, written
from digest.reading.sentence import split_sentences

_FIGURE = re.compile(
    r"(?<![\w.])[~+≈-]?\d{1,4}(?:\.\d{1,3})?(?:[-–~]\d{1,4}(?:\.\d+)?)?\s?(?:[x×](?!\w)|%|倍)"
)
_MEANS = re.compile(
    r"\b(?:fast\w*|speed-?\w*|speed ?ups?|through-?put|latency|TTFT|TPOT|ITL|E2E|perf\w*|TFLOPS|"
    r"tokens?/s|bandwidth|memory|overhead|time|improv\w+|reduc\w+|gain|less|lower|higher)\b|"
    r"加速|提升|吞吐|延迟|降低|减少",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"\b(?:accuracy|gsm8k|mmlu|test|coverage|score|pass(?:es|ed)? rate|error|ci)\b", re.I
)
_WORKSHOP = re.compile(
    r"\b(?:build|compile|compilation|tests?|ci|lint\w*|docker)(?: times?| duration)?\b", re.I
)
_MISMEASURED = re.compile(
    r"\b(?:(?:under|over)-?(?:count|estimat|report|stat(?:e|ing))|mis-?(?:count|report|measur))\w*|"
    r"\boff by (?!default)|少算|多算|低估|高估|误算",
    re.IGNORECASE,
)
"""What belongs to a figure that was told wrong: by how much it was is no gain."""
_LONGEST = 240


def speed_facts(item: Item, purpose: Purpose) -> tuple[Fact, ...]:
    """Return the figure that an author states for what became faster or smaller, verbatim."""
    if purpose not in (Purpose.PERFORMANCE, Purpose.FEATURE, Purpose.OTHER, Purpose.FIX):
        return ()
    title = item.title[:TITLE_READ]
    if _WORKSHOP.search(bare(title)):
        return ()
    if _is_gain(title):
        return (_fact(item, bare(title), Evidence("title", bare(title))),)
    if purpose is not Purpose.PERFORMANCE:
        return ()
    for paragraph in written(item.body).split("\n"):
        text = paragraph.strip().lstrip("-*+ ")
        if "|" in text or not _FIGURE.search(text):
            continue
        for sentence in split_sentences(text):
            if len(sentence) <= _LONGEST and _is_gain(sentence) and not _NOT.search(sentence):
                return (_fact(item, sentence, Evidence("body", sentence)),)
    return ()


def _is_gain(text: str) -> bool:
    """Tell whether a text has a figure of speed or memory, and not of an error in measuring it."""
    has_figure = _FIGURE.search(text) is not None and _MEANS.search(text) is not None
    return has_figure and _MISMEASURED.search(text) is None


def _fact(item: Item, clause: str, evidence: Evidence) -> Fact:
    figure = _FIGURE.search(clause)
    return Fact(
        kind=FactKind.SPEED,
        item=item.key,
        change=FactChange.CHANGED,
        name=figure.group().strip() if figure else "",
        quote=clause,
        evidence=(evidence,),
    )
