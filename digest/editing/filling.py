"""Facts that a model filled in, each field checked where it must stand; the rules' win (pure).

A name stands in the item, *before* on a removed line and *after* on an added one of the same
hunk, a symptom in words that say it. A field that fails is dropped; a fact without what it needs
is dropped whole. What only a model reads there is marked `inferred`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from digest.editing.checks import folded, mistranslated, quoted, stands
from digest.editing.shown import TITLE, Piece, Said, Shown
from digest.facts import Evidence, Fact, FactChange, FactKind, Side, Subject, Symptom
from digest.models import Kind, ReadItem, Sentence
from digest.reading.paths import RUNTIME, role
from digest.reading.sentence import fits_a_line
from digest.reading.symptoms import symptoms

Source: TypeAlias = Literal["title", "issue", "body", "changelog", "diff"]

MOST_FACTS = 3
LONGEST_NAME = 80
"""Characters of a name, and of what stood or stands in its place."""
LONGEST_QUOTE = 300
"""Characters of a quote, and of a condition as its author writes it."""

_SAYS = {
    FactChange.ADDED: r"add|new|introduc|support|allow|expos|新增|支持|引入",
    FactChange.REMOVED: r"remov|drop|delet|no longer|去除|移除|删除",
    FactChange.RENAMED: r"renam|→|->|重命名",
    FactChange.DEFAULT: r"default|默认",
    FactChange.DEPRECATED: r"deprecat|弃用|废弃",
}
_SPELLED = {Subject.FLAG: r"--[\w-]+", Subject.ENV: r"[A-Z][A-Z0-9_]*_[A-Z0-9_]+"}
_FIGURE = re.compile(r"\d[\d.,]*\s?(?:x|×|%|ms|us|µs|tok/s|tokens/s|GB|TFLOPS)?", re.IGNORECASE)


_SIDES: Mapping[str, Side] = {"+": "+", "-": "-", " ": ""}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a model says that a fact stands: a sentence, a title, or a piece of the diff."""

    source: Source
    text: str
    piece: Piece | None = None
    path: str = ""


@dataclass(frozen=True, slots=True)
class Filled:
    """An item with what a model gave of it that stands, and how much of it did not."""

    read: ReadItem
    facts: tuple[Fact, ...]
    told: int
    dropped: int


def filled(
    entry: Mapping[str, Any], read: ReadItem, shown: Shown, known: Sequence[Fact], model: str
) -> Filled:
    """Check what a model gave of an item; `known` are the rules' facts of it, and come back."""
    facts, told, dropped = list(known), 0, 0
    # What an issue or a release says of itself is told in its own words.
    told_of = entry["facts"] if read.item.kind in (Kind.PULL_REQUEST, Kind.COMMIT) else ()
    for given in told_of[:MOST_FACTS]:
        fact = _fact(given, shown, facts, model)
        if fact is None:
            dropped += 1
            continue
        facts = [each for each in facts if not _is_filled_by(each, fact)]
        facts.append(fact)
        told += 1
    sentence = _sentence(entry, read, shown, model)
    if sentence is not None:
        told += 1
        dropped += bool(entry["zh"] and not sentence.chinese)
        read = replace(read, sentence=sentence)
    elif entry["sentence"]:
        dropped += 1
    return Filled(read, tuple(facts), told, dropped)


def _sentence(
    entry: Mapping[str, Any], read: ReadItem, shown: Shown, model: str
) -> Sentence | None:
    """Give the author's sentence that was picked, with its Chinese if that agrees with it."""
    said = next((each for each in shown.said if each.id == entry["sentence"]), None)
    if said is None or not (said.source == TITLE or fits_a_line(said.text)):
        return None
    if not _is_whole(said, read) or (said.source != TITLE and _in(said.text, read.item.title)):
        return None
    chinese = entry["zh"]
    translator = model if chinese and not mistranslated(chinese, said.text) else ""
    by = "rules" if read.sentence and read.sentence.text == said.text else model
    return Sentence(
        said.text, said.source, said.path, by, chinese if translator else "", translator
    )


def _is_whole(said: Said, read: ReadItem) -> bool:
    """Tell whether a sentence stands in its source as it is shown: without a link taken out."""
    if said.path:
        return True
    own = read.item.title if said.source == TITLE else read.item.body
    return folded(said.text) in folded(own)


def place_of(shown: Shown, name: str, quote: str) -> Place | None:
    """Give the place that holds a quote: the one that is named, else the first."""
    places = list(_places(shown))
    named = [place for key, place in places if key == name.strip().lower()]
    return next((p for p in (*named, *(p for _, p in places)) if quoted(quote, p.text)), None)


def _places(shown: Shown) -> list[tuple[str, Place]]:
    found = [("title", Place("title", shown.title))]
    found += [("issue", Place("issue", title)) for title in shown.issues]
    found += [
        (
            each.id,
            Place(
                "changelog" if each.source == "changelog" else "body", each.text, None, each.path
            ),
        )
        for each in shown.said
    ]
    for piece in shown.pieces:
        text = "\n".join((piece.path, *(line.text for line in piece.lines)))
        found.append((piece.id, Place("diff", text, piece, piece.path)))
    return found


def _fact(given: Mapping[str, Any], shown: Shown, known: Sequence[Fact], model: str) -> Fact | None:
    name, quote = given["name"].strip("` "), given["quote"]
    values = (name, given["before"], given["after"], *given["who"])
    if any(len(each) > LONGEST_NAME for each in values) or len(quote) > LONGEST_QUOTE:
        return None
    place = place_of(shown, given["place"], quote)
    if place is None or (name and not _in(name, shown.text)):
        return None
    conditions = (each for each in given["conditions"][:2] if len(each) <= LONGEST_QUOTE)
    fact = Fact(
        kind=FactKind(given["kind"]),
        item=shown.item.key,
        change=FactChange(given["change"] or FactChange.CHANGED),
        subject=Subject(given["subject"]) if given["subject"] else None,
        name=name,
        who=tuple(each for each in given["who"][:4] if _in(each, shown.text)),
        conditions=tuple(each for each in conditions if quoted(each, shown.text)),
        evidence=(evidence(place, quote),),
        inferred=True,
        by=model,
    )
    if any(not _is_filled_by(each, fact) and _alike(each, fact) for each in known):
        return None
    match fact.kind:
        case FactKind.BITE:
            return _bite(fact, given["symptom"], place, known)
        case FactKind.SUPPORT:
            is_told = place.piece is None and fact.subject is not None and _in(name, place.text)
            changes = (FactChange.ADDED, FactChange.REMOVED)
            return fact if is_told and name and fact.change in changes else None
        case FactKind.SPEED:
            figure = _FIGURE.search(place.text)
            if place.piece is not None or place.source == "title" or figure is None:
                return None
            return replace(fact, subject=None, name=figure.group().strip(), quote=place.text)
        case FactKind.INTERFACE if fact.subject is not None and name:
            return _interface(fact, given, place, shown)
        case FactKind.REQUIREMENT if name and place.piece is not None:
            return _sided(
                replace(fact, subject=Subject.DEPENDENCY), given, place.piece, shown, both=False
            )
    return None


def evidence(place: Place, quote: str) -> Evidence:
    """Give a place as evidence: of a diff with the line that holds the quote."""
    if place.piece is None:
        return Evidence(place.source, place.text, place.path)
    wanted = folded(quote).lstrip("+- ").split("\n")[0].lower()
    for line in place.piece.lines:
        if wanted[:60] in folded(line.text).lower():
            number = line.old if line.sign == "-" else line.new
            side = _SIDES[line.sign]
            return Evidence("diff", line.text.strip(), place.path, number, side)
    return Evidence("diff", quote, place.path)


def _in(name: str, text: str) -> bool:
    return bool(name.strip()) and stands(folded(name).lower(), folded(text).lower())


def _bite(fact: Fact, symptom: str, place: Place, known: Sequence[Fact]) -> Fact | None:
    """Give a bite whose symptom somebody saw; what the rules know of whom it hit stays."""
    if not symptom or place.piece is not None:
        return None
    stated = Symptom(symptom) in {each for each, _ in symptoms(place.text)}
    mine = next((each for each in known if each.kind is FactKind.BITE), None)
    if mine is None and not stated:
        return None  # the rules say that it mends nothing that people run
    change = mine.change if mine else FactChange.FIXED
    return replace(
        fact,
        change=change,
        subject=None,
        name="",
        symptom=Symptom(symptom),
        who=mine.who if mine and mine.who else fact.who,
        conditions=mine.conditions if mine and mine.conditions else fact.conditions,
        inferred=not stated,
    )


def _interface(fact: Fact, given: Mapping[str, Any], place: Place, shown: Shown) -> Fact | None:
    spelled = _SPELLED.get(fact.subject) if fact.subject else None
    if spelled and not re.fullmatch(spelled, fact.name):
        return None
    # Code is full of names that come and go: users see one of which its author speaks.
    has_values = fact.change in (FactChange.DEFAULT, FactChange.CHANGED)
    is_seen = spelled or has_values or fact.subject is Subject.CHOICE
    if not (is_seen or _in(fact.name, shown.prose)):
        return None
    if place.piece is not None:
        if role(place.path) not in RUNTIME:
            return None
        return _sided(fact, given, place.piece, shown, both=fact.change in _TWO_SIDED)
    says = _SAYS.get(fact.change)
    if (
        says is None
        or not re.search(says, place.text, re.IGNORECASE)
        or not _in(fact.name, place.text)
    ):
        return None
    before, after = given["before"], given["after"]
    if fact.change in _TWO_SIDED:
        if not (_in(before, place.text) and _in(after, place.text)):
            return None
        return replace(fact, before=before, after=after)
    return fact


_HAS_DIGIT = re.compile(r"\d")
_WITHOUT_VALUE = (Subject.API_NAME, Subject.ENDPOINT, Subject.CHOICE)
_TWO_SIDED = (FactChange.RENAMED, FactChange.DEFAULT, FactChange.CHANGED)


def _sided(
    fact: Fact, given: Mapping[str, Any], piece: Piece, shown: Shown, *, both: bool
) -> Fact | None:
    """Check a fact on the sides of its hunk: what was before is taken out, what is after put in.

    What was only moved, within its file, has neither come nor gone.
    """
    gone, come = piece.side("-"), piece.side("+")
    before = given["before"] if _in(given["before"], gone) else None
    after = given["after"] if _in(given["after"], come) else None
    if both or fact.kind is FactKind.REQUIREMENT:
        around = "\n".join(line.text for line in piece.lines)
        named = fact.change is FactChange.RENAMED or _in(fact.name, around)
        if before is None or after is None or before == after or not named:
            return None
        is_renamed = fact.change is FactChange.RENAMED
        label = "" if is_renamed else fact.name
        if not (_is_value(before, label) and _is_value(after, label)):
            return None
        if fact.kind is FactKind.REQUIREMENT and not all(map(_HAS_DIGIT.search, (before, after))):
            return None  # no versions
        # What still stands, or stood before, is not surely what the other has taken the place of.
        is_swapped = not _in(before, come) and not _in(after, gone)
        if (is_renamed and not is_swapped) or (not is_renamed and fact.subject in _WITHOUT_VALUE):
            return None
        name = after if is_renamed else fact.name
        return replace(fact, name=name, before=before, after=after, inferred=not is_swapped)
    is_there = {
        FactChange.ADDED: _in(fact.name, come) and not _in(fact.name, shown.side(piece.path, "-")),
        FactChange.REMOVED: _in(fact.name, gone)
        and not _in(fact.name, shown.side(piece.path, "+")),
        FactChange.DEPRECATED: _in(fact.name, come) and "deprecat" in come.lower(),
    }
    return fact if is_there.get(fact.change) else None


def _is_value(text: str, name: str) -> bool:
    """Tell whether something is a value: no statement, half a call, or the name of what has it."""
    is_whole = all(text.count(each) == text.count(end) for each, end in ("()", "[]", "{}"))
    is_named = name and re.match(rf"{re.escape(name)}(?!\w)", text)
    return is_whole and " = " not in text and not is_named


def _alike(known: Fact, fact: Fact) -> bool:
    """Tell whether a fact says what is known already, or otherwise of the same."""
    if known.kind is not fact.kind:
        return False
    if fact.kind in (FactKind.BITE, FactKind.SPEED):
        return True
    names = (known.name, *known.names, known.before, known.after)
    return _bare(fact.name) in {_bare(each) for each in names if each}


def _bare(name: str) -> str:
    """Give a name without what it belongs to: `pass_config.enable_sp` is also `enable_sp`."""
    return name.lower().rpartition(".")[2]


def _is_filled_by(known: Fact, fact: Fact) -> bool:
    """Tell whether a model says what the rules left open: what was seen, where something broke."""
    is_bite = known.kind is FactKind.BITE and fact.kind is FactKind.BITE
    return is_bite and known.symptom is Symptom.BROKEN and known.by == "rules"
