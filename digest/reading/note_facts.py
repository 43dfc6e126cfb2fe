"""Upgrade notes and facts of interfaces, the one told as the other.

`Reading.upgrade_notes` is a view of the facts, which the JSON keeps until its next major version.
Digests that were stored before facts were known hold notes alone.
"""

from collections.abc import Mapping

from digest.facts import Evidence, Fact, FactChange, FactKind, Subject
from digest.models import UpgradeNote
from digest.reading.paths import UNREAD, role

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
    its flag, which stays.
    """
    kind = _NOTED_AS.get(fact.subject) if fact.subject is not None else None
    if fact.kind not in _NOTED or kind is None:
        return None
    if kind == "signature" and not fact.must_act:
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
