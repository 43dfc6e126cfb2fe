"""Facts that a model filled in, each field checked where it must stand; the rules' win (pure).

A fact is one that its author's words tell of its name: what a model alone read from code was wrong
three times of four. A field that fails is dropped; a fact without what it needs is dropped whole.
All of it is marked `inferred`, as is what was seen where no text says it.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from digest.editing.checks import folded, mistranslated, quoted, stands, with_names_of
from digest.editing.shown import TITLE, AuthorSentence, Piece, Shown
from digest.facts import Evidence, Fact, FactChange, FactKind, Subject, Symptom
from digest.models import Kind, ReadItem, Sentence
from digest.reading.paths import RUNTIME, role
from digest.reading.sentence import fits_a_line, is_news
from digest.writing.visible import bare

Place: TypeAlias = AuthorSentence | Piece
"""Where a model says that a fact stands: a sentence (also a title), or a piece of the diff."""

MOST_FACTS = 3
LONGEST_NAME = 80
"""Characters of a name, and of what stood or stands in its place."""
LONGEST_QUOTE = 300
"""Characters of a quote, and of a condition as its author writes it."""

_SPELLED: Mapping[Subject | None, str] = {
    Subject.API_NAME: r"(?=.*(?:[A-Z_-]|\w\w\.\w\w|\(\)))[A-Za-z_][\w.-]*(?:\(\))?",
    Subject.FLAG: r"--[\w-]+",
    Subject.ENV: r"[A-Z][A-Z0-9_]*_[A-Z0-9_]+",
}
_STATED = {
    FactChange.ADDED: (
        r"(?<!re-)\b(?:add|new|support|introduc|enabl|implement|bring|allow|expos)\w*\b"
        r"[^:;.]*{name}|{name}[\w\s-]{{0,30}}\bsupport|(?:新增|支持|引入).*{name}"
    ),
    FactChange.REMOVED: r"(?:remov|drop|delet|no longer|去除|移除|删除|不再).*{name}",
    FactChange.RENAMED: r"renam|→|->|重命名",
    FactChange.DEFAULT: r"default|默认",
    FactChange.DEPRECATED: r"deprecat|弃用|废弃",
}
"""How it is said what became of a name; that a part of it is supported is not said of it."""
_ALARMS = frozenset({Symptom.DATA_LOSS, Symptom.SECURITY})
"""Symptoms that are told only where the rules find them stated: a reader acts on them at once."""
_WHOM = re.compile(r"(?=[^A-Z\d_]*[A-Z\d_])[\w-][\w .,+/=<>-]*")
"""Whom a change is about: a model, hardware or a setting by its name, or a bound; no address."""
_HOST = re.compile(r"\w\.[a-z]{2,}(?:/|$)")
_BELIEVED = ("high", "likely")
"""How sure a model has to be of what was seen: of its guesses no more than half are right."""
_BELIEVED_OF_OUTPUT = (*_BELIEVED, "guess")
"""The same of wrong output, of which two guesses of three are right, nearly as many as of what it
calls likely (docs/quality.md): what computes on leaves no sign that would make anybody surer."""
_EMPHASIS = re.compile(r"\*\*([^*\n]{1,200})\*\*")
"""An author's, which a translation copies."""
_TWO_SIDED = (FactChange.RENAMED, FactChange.DEFAULT)


@dataclass(frozen=True, slots=True)
class Filled:
    """An item with what a model gave of it that stands, and how much it gave."""

    read: ReadItem
    facts: tuple[Fact, ...]
    told: int
    given: int


def filled(
    entry: Mapping[str, Any], read: ReadItem, shown: Shown, known: Sequence[Fact], model: str
) -> Filled:
    """Check what a model gave of an item; `known` are the rules' facts of it, and come back."""
    facts, stand = list(known), list[bool]()
    # What an issue or a release says of itself is told in its own words; a title says little.
    is_read = read.item.kind.is_change and (shown.is_enough or is_open(known))
    for each in entry["facts"][:MOST_FACTS] if is_read else ():
        fact = _fact(each, shown, facts, model)
        facts += [fact] if fact else []
        stand.append(fact is not None)
    if is_read and entry["saw"]:
        if bite := _bite(entry, shown, facts, model):
            facts = [*(fact for fact in facts if fact.kind is not FactKind.BITE), bite]
        stand.append(bite is not None)
    if entry["sentence"]:
        if sentence := _sentence(entry, read, shown, model):
            read = replace(read, sentence=sentence)
            stand += [False] if entry["zh"] and not sentence.chinese else []
        stand.append(sentence is not None)
    return Filled(read, tuple(facts), sum(stand), len(stand))


def _sentence(
    entry: Mapping[str, Any], read: ReadItem, shown: Shown, model: str
) -> Sentence | None:
    """Return the author's sentence that was picked, with its Chinese if that agrees with it."""
    if entry["sentence"].lower() == TITLE:
        return _title(entry, read, shown, model)
    picked = next((each for each in shown.sentences if each.id == entry["sentence"]), None)
    if picked is None or not _is_whole(picked, read):
        return None
    if not (fits_a_line(picked.text) and is_news(picked.text)):
        return None
    if _in(picked.text, read.item.title):
        return None
    chinese = with_names_of(_EMPHASIS.sub(r"\1", entry["zh"]), picked.text)
    translator = "" if mistranslated(chinese, picked.text) else model
    by = "rules" if read.sentence and read.sentence.text == picked.text else model
    return Sentence(
        picked.text, picked.source, picked.path, by, chinese if translator else "", translator
    )


def _title(entry: Mapping[str, Any], read: ReadItem, shown: Shown, model: str) -> Sentence | None:
    """Return the title with its Chinese, with or without its marks; a release's is its name."""
    title, chinese = shown.title, with_names_of(entry["zh"], shown.title)
    agrees = any(not mistranslated(chinese, text) for text in (title, bare(title)))
    if not agrees or read.item.kind is Kind.RELEASE or folded(chinese) == folded(title):
        return None
    return Sentence(title, TITLE, by=model, chinese=chinese, translator=model)


def _is_whole(sentence: AuthorSentence, read: ReadItem) -> bool:
    """Tell whether a sentence stands in its source as it is shown: without a link taken out."""
    return bool(sentence.path) or folded(sentence.text) in folded(read.item.body)


def place_of(shown: Shown, name: str, quote: str) -> Place | None:
    """Return the place that holds a quote: the one that is named, else the first."""
    places = sorted(shown.places(), key=lambda place: place.id != name.lower())
    return next((place for place in places if quoted(quote, place.text)), None)


def _in(name: str, text: str) -> bool:
    return stands(folded(name).lower(), folded(text).lower())


def _fact(given: Mapping[str, Any], shown: Shown, known: Sequence[Fact], model: str) -> Fact | None:
    """Return a fact as far as its author's words, which it quotes, say it of its name."""
    name, quote = given["name"].strip("` "), given["quote"]
    values = (name, given["before"], given["after"])
    if any(len(each) > LONGEST_NAME for each in values) or len(quote) > LONGEST_QUOTE:
        return None
    place = place_of(shown, given["place"], quote)
    if not isinstance(place, AuthorSentence):
        return None
    who, conditions = _of_whom(given, shown.text)
    source = place.source
    if source == "docs" or source == "notes":
        source = "body"
    fact = Fact(
        kind=FactKind(given["kind"]),
        item=shown.item.key,
        change=FactChange(given["change"] or FactChange.CHANGED),
        subject=Subject(given["subject"]) if given["subject"] else None,
        name=name,
        who=who,
        conditions=conditions,
        evidence=(Evidence(source, place.text, place.path),),
        inferred=True,
        by=model,
    )
    if any(_alike(each, fact) for each in known):
        return None
    spelled = _SPELLED.get(fact.subject)
    if fact.subject is None or (spelled and not re.fullmatch(spelled, folded(name))):
        return None
    if fact.kind is FactKind.SUPPORT and fact.change not in (FactChange.ADDED, FactChange.REMOVED):
        return None
    says = _STATED.get(fact.change, "(?!)").format(name=re.escape(folded(name)))
    if not (re.search(says, folded(place.text), re.IGNORECASE) and _in(name, place.text)):
        return None
    if fact.change not in _TWO_SIDED:
        return fact
    before, after = given["before"], given["after"]
    are_there = _in(before, place.text) and _in(after, place.text)
    return replace(fact, before=before, after=after) if are_there else None


def _bite(entry: Mapping[str, Any], shown: Shown, known: Sequence[Fact], model: str) -> Fact | None:
    """Return what was seen, as a model reads it.

    What the rules know of whom it hit, and of the change that brought it, stays. None where they
    know what was seen, and where the model would not bet on it.
    """
    symptom = Symptom(entry["saw"])
    mine = next((each for each in known if each.kind is FactKind.BITE), None)
    believed = _BELIEVED_OF_OUTPUT if symptom is Symptom.WRONG_OUTPUT else _BELIEVED
    if (mine and not is_open(known)) or symptom in _ALARMS or entry["sure"] not in believed:
        return None
    roles = {role(file.path) for file in shown.item.files or ()}
    if symptom is not Symptom.BUILD_FAILS and roles and roles.isdisjoint(RUNTIME):
        return None  # nobody runs it
    # Of what was seen a person has to say when; a condition in the code is of the code.
    who, conditions = _of_whom(entry, shown.prose)
    return Fact(
        kind=FactKind.BITE,
        item=shown.item.key,
        change=mine.change if mine else FactChange.FIXED,
        symptom=symptom,
        name=mine.name if mine else "",
        who=(mine and mine.who) or who,
        conditions=(mine and mine.conditions) or conditions,
        evidence=mine.evidence if mine else (Evidence("title", shown.title),),
        inferred=True,
        by=model,
    )


def _of_whom(given: Mapping[str, Any], source: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return who is hit and what else must hold, as far as both stand in a source."""
    who = (folded(each) for each in given["who"][:4] if len(each) <= LONGEST_NAME)
    named = (each for each in who if _WHOM.fullmatch(each) and not _HOST.search(each))
    conditions = (each for each in given["conditions"][:2] if len(each) <= LONGEST_QUOTE)
    return (
        tuple(dict.fromkeys(each for each in named if _in(each, source))),
        tuple(each for each in conditions if quoted(each, source)),
    )


def _alike(known: Fact, fact: Fact) -> bool:
    """Tell whether a fact says what is known already, or otherwise of the same."""
    if known.kind is not fact.kind:
        return False
    names = (known.name, *known.names, known.before, known.after)
    return _bare(fact.name) in {_bare(each) for each in names if each}


def _bare(name: str) -> str:
    """Return a name without what it belongs to: `pass_config.enable_sp` is also `enable_sp`."""
    return name.lower().rpartition(".")[2]


def is_open(known: Sequence[Fact]) -> bool:
    """Tell whether the rules know of an item that something broke, and not what was seen."""
    return any(
        each.kind is FactKind.BITE and each.by == "rules" and each.symptom is Symptom.BROKEN
        for each in known
    )
