"""A model's own sentences: what they may be about, and what of them stands (pure).

Names and figures of a sentence stand in what was shown of its items; then it is read a second
time, beside its source alone, and is told only if that reading confirms it, where a limit was lost
as that reading rewrote it with the limit.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from digest.edited import Remark, RemarkKind
from digest.editing.checks import (
    fault,
    folded,
    holds,
    invented,
    names_of,
    otherwise,
    quoted,
    with_names_of,
)
from digest.editing.filling import LONGEST_QUOTE, Place, place_of
from digest.editing.picking import facts_text
from digest.editing.questions import one_line, tokens
from digest.editing.shown import AuthorSentence, Shown
from digest.facts import Fact, FactKind, Story, Symptom
from digest.languages import Language
from digest.models import ReadItem
from digest.reading.analysis import worth
from digest.reading.passages import is_order
from digest.reading.whom import NVIDIA, VENDOR, conditions, whom
from digest.writing.fact_phrases import RULES

MOST_SENTENCES = 4
MOST_IDS = 3
"""Items of one sentence: of more no sentence keeps what narrows each."""
NARROWING_TOKENS = 60
"""Tokens of the sentences that narrow a change, beside its line."""
MOST_PATHS = 3
"""Files that were changed most."""
FILES = " | files: "
"""What stands between a line and these."""
MOST_REMARKS = 6
_NO_TEST = re.compile(
    r"\b(?:no|not|without|lacks?|only)\b.*\btest|\btest.*\b(?:no|not|only)\b|(?:没有|缺|无|未|只|仅).*测试|测试.*(?:没有|缺|未|只|仅)",
    re.IGNORECASE,
)
_NOTHING = frozenset({"", "no", "none", "nothing", "n/a", "-", "无", "没有"})
"""Words by which a second reader says that nothing is lost or missing."""
_DESCRIPTION = re.compile(r"\bdescription\b|描述", re.IGNORECASE)

Source: TypeAlias = Sequence[str]
"""What a sentence is about, a text for each of its items."""
Lines: TypeAlias = Mapping[str, str]
"""Items as the question for a paragraph shows them, by their keys, without ids."""


def line_of(read: ReadItem, facts: Sequence[Fact], *, repo: bool = False) -> str:
    """Return an item as the question for a paragraph shows it.

    What is only inferred, by rules or a model, is left out: it would be told without its mark. Of
    what a model says that somebody saw it is left whom it hit.
    """
    item = read.item
    stated = (
        replace(fact, symptom=Symptom.BROKEN, inferred=False)
        if fact.kind is FactKind.BITE and fact.by != RULES
        else fact
        for fact in facts
    )
    told = (
        # What was before several changes is not what was before this one.
        replace(fact, before=None) if any(one.item for one in fact.evidence) else fact
        for fact in stated
        if not fact.inferred
    )
    known = facts_text([*told])
    sentence = read.sentence.text if read.sentence and not read.sentence.is_title else ""
    where = f"{item.repo.name} · " if repo else ""
    parts = (where + item.ref, known, folded(one_line(item.title))[:160], folded(sentence))
    return " | ".join(part for part in parts if part)


def narrowed(line: str, seen: Shown | None) -> str:
    """Return a line with the author's sentences that narrow it and the files that changed most.

    Such name hardware, a model, a feature or a condition that the line does not: without them a
    sentence tells of all what holds for a part.
    """
    left = NARROWING_TOKENS
    for sentence in seen.sentences if seen else ():
        added = folded(sentence.text)
        names = (*whom(added), *conditions(added))
        is_new = any(name.lower() not in line.lower() for name in names)
        if is_new and added[-1:] != ":" and tokens(added) <= left:
            line, left = f"{line} | {added}", left - tokens(added)
    touched = [file for file in (seen.item.files or () if seen else ()) if worth(file.path) <= 1]
    touched.sort(key=lambda file: -(file.additions + file.deletions))
    paths = [one_line(file.path) for file in touched if not is_order(file.path)]
    return f"{line}{FILES}{', '.join(paths[:MOST_PATHS])}" if paths else line


def shown_lines(lines: Lines, stories: Sequence[Story]) -> str:
    """Return the data of the question for a paragraph."""
    ids = {key: f"i{number}" for number, key in enumerate(lines, 1)}
    rows = [f"{ids[key]} {line}" for key, line in lines.items()]
    for story in stories:
        members = [ids[key] for key in story.items if key in ids]
        if len(members) > 1:
            rows.append(f"story: {folded(story.name)[:100]} | {' '.join(members)}")
    return "\n".join(rows)


def paragraph(
    answer: Mapping[str, Any], lines: Lines, stories: Sequence[Story]
) -> tuple[Remark, ...]:
    """Return the sentences of an answer without a name or figure of their own.

    A sentence is of the languages in which it passed.
    """
    keys = {f"i{number}": key for number, key in enumerate(lines, 1)}
    accepted: list[Remark] = []
    for each in answer["sentences"][:MOST_SENTENCES]:
        cites = tuple(dict.fromkeys(keys[name] for name in each["ids"] if name in keys))
        if not cites or len(each["ids"]) > MOST_IDS:
            continue
        named = (story.name for story in stories if set(cites) & set(story.items))
        told = [_without_files(lines[key]) for key in cites]
        claims = "\n".join((*told, *named))
        source = "\n".join((claims, *(f"{key} {lines[key]}" for key in cites)))
        remark = _checked(RemarkKind.LEAD, each, source, cites, claims)
        if remark.text:
            accepted.append(remark)
    return tuple(accepted)


def _without_files(line: str) -> str:
    """Return a line without paths: `errors.py` says nothing of an error."""
    return line.partition(FILES)[0]


def _checked(
    kind: RemarkKind,
    given: Mapping[str, Any],
    source: str,
    cites: tuple[str, ...],
    claims: str = "",
) -> Remark:
    passed: dict[Language, str] = {}
    chinese = with_names_of(given["zh"], given["en"])
    for language, text in ((Language.EN, given["en"]), (Language.ZH, chinese)):
        # A word that stands in the English sentence, which passed, may stay so in Chinese.
        known = "\n".join((source, *passed.values()))
        judges = kind is not RemarkKind.LEAD
        said = "\n".join((claims, *passed.values()))
        if not fault(text, language) and not invented(
            text, language, known, judges=judges, claims=said
        ):
            passed[language] = text
    return Remark(kind, passed, cites)


def review(answer: Mapping[str, Any], shown: Shown) -> tuple[Remark, ...]:
    """Return the remarks of an answer about one change whose quote is there; see `paragraph`.

    What is missing may be said without a quote.
    """
    accepted: list[Remark] = []
    for each in answer["remarks"][:MOST_REMARKS]:
        kind, quote = RemarkKind(each["kind"]), each["quote"][:LONGEST_QUOTE]
        place = place_of(shown, each["place"], quote)
        if place is None and (quote or kind is not RemarkKind.MISSING):
            continue
        remark = _checked(kind, each, shown.text, (shown.item.key,))
        if not remark.text or any(_is_of_unseen(text, shown) for text in remark.text.values()):
            continue
        if place is not None:
            words, line = _as_written(place, quote)
            remark = replace(remark, quote=words, path=place.path, line=line)
        accepted.append(remark)
    return tuple(accepted)


def _as_written(place: Place, quote: str) -> tuple[str, int | None]:
    """Return a quote in its author's own characters; of a diff its line, and that one's number."""
    if isinstance(place, AuthorSentence):
        return (quote if quote in place.text else place.text), None
    wanted = folded(quote.partition("\n")[0]).lower()[:60]
    for line in place.lines:
        if wanted in folded(line.text).lower():
            return line.text.strip(), line.old if line.sign == "-" else line.new
    return quote, None


def _is_of_unseen(text: str, shown: Shown) -> bool:
    """Tell whether something is missed in tests or a description of which not all was seen."""
    lacks_tests = _NO_TEST.search(text) and not shown.has_all_tests
    return bool(lacks_tests or (_DESCRIPTION.search(text) and not shown.item.body.strip()))


def to_check(remarks: Sequence[Remark], sources: Sequence[Source]) -> str:
    """Return the data of a second reading: each sentence by number with what it is about."""
    parts = []
    shown: dict[str, int] = {}
    for number, (remark, source) in enumerate(zip(remarks, sources, strict=True), 1):
        mark = "" if remark.kind is RemarkKind.LEAD else " (judgement)"
        whole = "\n".join(source)
        first = shown.setdefault(whole, number)
        about = whole if first == number else f"as for {first}"
        texts = "\n".join(remark.text[each] for each in Language if each in remark.text)
        parts.append(f"{number}.{mark} {texts}\nsource:\n{about}")
    return "\n\n".join(parts)


def confirmed(
    answer: Mapping[str, Any], remarks: Sequence[Remark], sources: Sequence[Source]
) -> tuple[Remark, ...]:
    """Return the sentences that a second reading confirms, by words of each item that they cite.

    One that it confirms of one item and not of another is not confirmed. Where it finds a limit
    lost, a sentence is told as that reading rewrote it, and a judgement is not told.
    """
    checks: dict[str, list[Mapping[str, Any]]] = {}
    for each in answer["checks"]:
        checks.setdefault(each["number"].strip(". "), []).append(each)
    rewritten = {each["number"].strip(". "): each for each in answer["rewritten"]}
    told = []
    for number, (remark, source) in enumerate(zip(remarks, sources, strict=True), 1):
        given = checks.get(str(number), [])
        limits = "\n".join(check["limits"] for check in given if _is_something(check["limits"]))
        if limits:
            remark = _with_limits(remark, rewritten.get(str(number)), limits, source)
        if remark.text and _stands(remark, source, given):
            told.append(remark)
    return tuple(told)


def _with_limits(
    remark: Remark, given: Mapping[str, Any] | None, limits: str, source: Source
) -> Remark:
    """Return a sentence as a second reading put its limits in, as far as it is the sentence still.

    What is new in it are names and figures of these limits, which its source holds; it claims
    nothing more, and its Chinese has the same new names.
    """
    if given is None or remark.kind is not RemarkKind.LEAD:
        return replace(remark, text={})
    if invented(limits, Language.EN, _with_parts("\n".join(source)), judges=True):
        return replace(remark, text={})
    told = (_without_files(text.partition("\n")[0]) for text in source)
    own = "\n".join((*remark.text.values(), *told))
    passed: dict[Language, str] = {}
    added: list[str] = []
    chinese = with_names_of(given["zh"], given["en"])
    for language, text in ((Language.EN, given["en"]), (Language.ZH, chinese)):
        if language not in remark.text:
            continue
        known = _with_parts("\n".join((own, limits)))
        is_said_otherwise = (
            fault(text, language)
            or invented(text, language, known, claims=own)
            or otherwise(text, remark.text[language], language, limits)
            or not all(holds(text, name) for name in added)
        )
        if is_said_otherwise:
            break
        passed[language] = text
        was = remark.text[language]
        added = [name for name in names_of(text, language) if not holds(was, name)]
    return replace(remark, text=passed)


def _with_parts(text: str) -> str:
    """Return a text with the parts of its names: `enable_a2a_moe` speaks of MoE."""
    return f"{text}\n{re.sub('[_./-]', ' ', text)}"


def _is_something(text: str) -> bool:
    return any(map(str.isalnum, text)) and text.lower().rstrip(".") not in _NOTHING


def _stands(remark: Remark, source: Source, checks: Sequence[Mapping[str, Any]]) -> bool:
    words = [check["words"] for check in checks]
    return (
        all(any(quoted(each, text) for each in words) for text in source)
        and all(any(quoted(each, text) for text in source) for each in words)
        and all(_confirms(check, remark) for check in checks)
    )


def _confirms(check: Mapping[str, Any], remark: Remark) -> bool:
    """Tell whether nothing is missing, such as the hardware that the words name.

    A judgement stands beside its quote, which has that.
    """
    texts = [folded(text).lower() for text in remark.text.values()]
    words = folded(check["words"]).lower()
    hardware = (found[0] for pattern in (VENDOR, NVIDIA) for found in pattern.finditer(words))
    is_whole = all(name in text for name in hardware for text in texts)
    is_right = is_whole or remark.kind is not RemarkKind.LEAD
    return check["confirmed"] == "yes" and not _is_something(check["missing"]) and is_right
