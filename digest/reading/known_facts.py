"""The facts of a reading by the items that made them, most telling first.

Digests that were stored before facts were known hold upgrade notes alone: these are read as the
facts that they state, so that an old day is told like a new one.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from digest.facts import Evidence, Fact, FactChange, FactKind, Subject, Symptom
from digest.models import Change, Reading, UpgradeNote
from digest.reading.paths import UNREAD, role

GRAVITY = tuple(Symptom)
"""Symptoms, the gravest for a reader first where weight says nothing."""

_BREAKS = (FactChange.REMOVED, FactChange.RENAMED, FactChange.RAISED)
_SWITCHES = ("--enable", "--use", "--disable", "--no-")
_ORDER = {
    FactKind.BITE: 0,
    FactKind.REQUIREMENT: 2,
    FactKind.SUPPORT: 3,
    FactKind.INTERFACE: 4,
    FactKind.MOVE: 5,
    FactKind.SPEED: 6,
}
_OWED = (Subject.API_NAME, Subject.API_ARGUMENT)
_SETTINGS = (Subject.FLAG, Subject.ENV, Subject.CHOICE, Subject.ENDPOINT, Subject.REQUEST_FIELD)


def facts_by_item(reading: Reading) -> Mapping[str, tuple[Fact, ...]]:
    """Return the facts of each item, by its key, the most telling first."""
    found: dict[str, list[Fact]] = {}
    for fact in reading.facts or facts_of_notes(reading):
        found.setdefault(fact.item, []).append(fact)
    return {key: _sorted(facts) for key, facts in found.items()}


def facts_of_change(change: Change) -> tuple[Fact, ...]:
    """Return what is known of one change looked at whole, the most telling first."""
    return _sorted(change.facts or facts_from(change.upgrade_notes))


def facts_of_notes(reading: Reading) -> tuple[Fact, ...]:
    """Return what the upgrade notes of a reading state, as facts.

    What bots and upkeep changes pin for themselves, and what was taken back, asks nobody to act.
    """
    aside = {
        read.item.key
        for read in reading.items
        if read.noise is not None or read.reverted_by is not None or read.reverts
    }
    return tuple(
        replace(fact, must_act=fact.must_act and fact.item not in aside)
        for fact in facts_from(reading.upgrade_notes)
    )


def facts_from(notes: Iterable[UpgradeNote]) -> tuple[Fact, ...]:
    """Return upgrade notes as facts of the first item that each of them cites."""
    found = (note_fact(note) for note in notes if note.cites)
    return tuple(fact for fact in found if fact is not None)


def _sorted(facts: Iterable[Fact]) -> tuple[Fact, ...]:
    return tuple(sorted(facts, key=_order))


def _order(fact: Fact) -> tuple[int, int, bool, bool, bool, int, int]:
    """Order facts of one item: what bites, what asks to act, then what is new.

    Of names that come together, the switch that turns a thing on is before its tuning knobs. A
    default of who debugs is after those of everybody.
    """
    rank = 1 if fact.must_act and fact.kind is not FactKind.BITE else _ORDER.get(fact.kind, 7)
    gravity = GRAVITY.index(fact.symptom) if fact.symptom else 0
    subject = _SETTINGS.index(fact.subject) if fact.subject in _SETTINGS else len(_SETTINGS)
    broken = fact.must_act and fact.change in _BREAKS
    debugs = _debugs(fact)
    return rank, gravity, debugs, not broken, not is_switch(fact), subject, len(fact.name)


_DEBUGS = re.compile(r"debug|trace", re.IGNORECASE)


def _debugs(fact: Fact) -> bool:
    """Tell whether a default is another one only for who looks for a fault."""
    is_default = fact.change is FactChange.DEFAULT
    return is_default and any(_DEBUGS.search(one) for one in fact.conditions)


def is_switch(fact: Fact) -> bool:
    """Tell whether a setting looks like the one that turns a thing on."""
    return fact.name.startswith(_SWITCHES) or (fact.after or "").casefold() in ("true", "false")


def bites(facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """Return what of an item's facts could have hit somebody."""
    return tuple(fact for fact in facts if fact.kind is FactKind.BITE and fact.symptom)


def demands(facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """Return what of an item's facts hits who upgrades and does nothing, now or soon.

    A pure addition breaks nobody, whatever says that it must be acted on, but for what callers have
    to give and plugins to write; support that is only inferred to be gone is no news to act on, but
    for a model whose old name the registry lost. A setting that is deprecated will go. A package
    that everybody has to install from now on, or no more, is for who packs or mirrors them.
    """
    return tuple(fact for fact in facts if _requires_action(fact))


_COMES_OR_GOES = (FactChange.ADDED, FactChange.REMOVED)


def _requires_action(fact: Fact) -> bool:
    guessed = fact.kind is FactKind.SUPPORT and fact.inferred
    if fact.kind is FactKind.BITE or (guessed and fact.change is not FactChange.RENAMED):
        return False
    if fact.change is FactChange.DEPRECATED:
        return fact.kind is FactKind.INTERFACE and not fact.inferred
    if fact.change in _COMES_OR_GOES and _is_needed_by_all(fact):
        return True
    added = fact.change is FactChange.ADDED and fact.kind is not FactKind.REQUIREMENT
    return fact.must_act and (not added or fact.subject in _OWED)


def _is_needed_by_all(fact: Fact) -> bool:
    """Tell whether a fact is of a package that everybody has to install, and no extra's."""
    is_package = fact.kind is FactKind.REQUIREMENT and fact.subject is Subject.DEPENDENCY
    return is_package and not fact.conditions and not fact.name.startswith("extra ")


def is_of_code(fact: Fact) -> bool:
    """Tell whether a fact hits who imports a project rather than who runs it."""
    return fact.kind is FactKind.MOVE or fact.subject in (*_OWED, Subject.MODULE)


def additions(facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """Return what of an item's facts can be used now that could not be before."""
    return tuple(
        fact
        for fact in facts
        if fact.change is FactChange.ADDED
        and fact.kind in (FactKind.SUPPORT, FactKind.INTERFACE)
        and not (fact.must_act and fact.subject in _OWED)
        and not is_of_no_name(fact)
    )


def is_of_no_name(fact: Fact) -> bool:
    """Tell whether a new setting is known by a part of its name alone: nobody can type it."""
    return fact.change is FactChange.ADDED and fact.name.startswith("*")


_SUBJECT: Mapping[str, Subject] = {
    "flag": Subject.FLAG,
    "env": Subject.ENV,
    "config": Subject.CONFIG_FIELD,
    "default": Subject.CONFIG_FIELD,
    "dependency": Subject.DEPENDENCY,
    "python": Subject.PLATFORM,
    "module": Subject.MODULE,
    "signature": Subject.API_NAME,
}
_CHANGE: Mapping[str, FactChange] = {
    "added": FactChange.ADDED,
    "removed": FactChange.REMOVED,
    "renamed": FactChange.RENAMED,
    "changed": FactChange.CHANGED,
    "deprecated": FactChange.DEPRECATED,
}
_NOTED_AS: Mapping[Subject, str] = {
    Subject.FLAG: "flag",
    Subject.ENV: "env",
    Subject.CHOICE: "flag",
    Subject.CONFIG_FIELD: "config",
    Subject.REQUEST_FIELD: "config",
    Subject.RESPONSE_FIELD: "config",
    Subject.ENDPOINT: "config",
    Subject.METRIC: "config",
    Subject.PROTOCOL: "config",
    Subject.API_NAME: "signature",
    Subject.API_ARGUMENT: "signature",
    Subject.DEPENDENCY: "dependency",
    Subject.PLATFORM: "python",
    Subject.MODULE: "module",
}
_NOTED_CHANGE: Mapping[FactChange, str] = {
    FactChange.ADDED: "added",
    FactChange.REMOVED: "removed",
    FactChange.RENAMED: "renamed",
    FactChange.MOVED: "renamed",
    FactChange.DEPRECATED: "deprecated",
}
_NOTED = frozenset({FactKind.INTERFACE, FactKind.REQUIREMENT, FactKind.MOVE})
_ACTS = frozenset({FactChange.REMOVED, FactChange.RENAMED, FactChange.DEFAULT})


def note_fact(note: UpgradeNote) -> Fact | None:
    """Return the fact of an upgrade note, or None where it is of nothing that users run."""
    if role(note.path) in UNREAD:
        return None
    kind, change = FactKind.INTERFACE, _CHANGE[note.change]
    if note.kind in ("dependency", "python"):
        kind = FactKind.REQUIREMENT
        if note.kind == "python" and change is FactChange.CHANGED:
            change = FactChange.RAISED
    elif note.kind == "module":
        kind, change = FactKind.MOVE, FactChange.MOVED if note.after else FactChange.REMOVED
    elif note.kind == "default" and change is FactChange.CHANGED:
        change = FactChange.DEFAULT
    subject = _SUBJECT[note.kind]
    if note.kind == "default" and note.name.startswith("--"):
        subject = Subject.FLAG
    elif note.kind == "default" and note.name.isupper():
        subject = Subject.ENV
    return Fact(
        kind=kind,
        item=note.cites[0],
        change=change,
        subject=subject,
        name=note.name,
        before=note.before,
        after=note.after,
        evidence=(
            Evidence(
                "diff",
                note.after or note.before or note.name,
                path=note.path,
                line=note.line,
                side="-" if change is FactChange.REMOVED else "+",
            ),
        ),
        inferred=note.inferred,
        must_act=change is FactChange.RAISED or (kind is FactKind.INTERFACE and change in _ACTS),
    )


def fact_note(fact: Fact) -> UpgradeNote | None:
    """Return a fact of an interface as an upgrade note, or None where no note has such a thing.

    Of public names only what somebody has to act on is a note. A choice that came or went changes
    its flag, which stays. A note has no room for where a default holds that code chooses.
    """
    kind = _NOTED_AS.get(fact.subject) if fact.subject is not None else None
    if fact.kind not in _NOTED or kind is None:
        return None
    if kind == "signature" and not fact.must_act:
        return None
    if fact.change is FactChange.DEFAULT and fact.conditions:
        return None
    if fact.change is FactChange.DEFAULT:
        kind = "default"
    change = _NOTED_CHANGE.get(fact.change, "changed")
    if fact.subject is Subject.CHOICE:
        change = "changed"
    shown = fact.evidence[-1] if fact.evidence else None
    return UpgradeNote(
        kind=kind,
        change=change,
        name=fact.name,
        before=fact.before,
        after=fact.after,
        path=shown.path if shown else "",
        line=shown.line if shown else None,
        cites=(fact.item,),
        inferred=fact.inferred,
    )
