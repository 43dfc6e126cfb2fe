"""Upgrade notes told as facts: what the hunks of a diff show where no whole file was read."""

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
        must_act=kind is FactKind.INTERFACE and change in _ACTS,
    )
