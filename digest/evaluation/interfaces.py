"""Facts of interfaces against what people labelled commit by commit: pure counting.

A label is told where a fact of that commit has its name and a change of its kind. Labels of the
kind `behaviour` are out of reach of a comparison of interfaces and are counted apart; so are
facts that no label has: labels leave out small things, so somebody has to look at them.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from digest.evaluation.scoring import Share, Summed
from digest.facts import Fact, FactChange, FactKind, Subject

MATTERS = 2
"""From how much on a labelled change matters: 3 must act, 2 should know, 1 small."""

_SETTINGS = frozenset(
    {
        Subject.FLAG,
        Subject.ENV,
        Subject.CONFIG_FIELD,
        Subject.REQUEST_FIELD,
        Subject.RESPONSE_FIELD,
        Subject.API_ARGUMENT,
    }
)
_NAMES = frozenset({Subject.API_NAME, Subject.API_ARGUMENT})
_SUBJECTS: Mapping[str, frozenset[Subject]] = {
    "flag": _SETTINGS,
    "env": frozenset({Subject.ENV}),
    "default": _SETTINGS,
    "choice": frozenset({Subject.CHOICE}),
    "request_field": _SETTINGS,
    "response_field": _SETTINGS,
    "config_field": _SETTINGS,
    "api_name": _NAMES,
    "api_argument": _NAMES,
    "endpoint": frozenset({Subject.ENDPOINT}),
    "metric": frozenset({Subject.METRIC}),
    "dependency": frozenset({Subject.DEPENDENCY, Subject.PLATFORM}),
    "min_version": frozenset({Subject.DEPENDENCY, Subject.PLATFORM}),
}
_CHANGED = frozenset(
    {FactChange.DEFAULT, FactChange.CHANGED, FactChange.RAISED, FactChange.LOWERED}
)
_CHANGES: Mapping[str, frozenset[FactChange]] = {
    "added": frozenset({FactChange.ADDED, FactChange.RENAMED}),
    "removed": frozenset({FactChange.REMOVED, FactChange.RENAMED}),
    "renamed": frozenset({FactChange.RENAMED}),
    "changed": _CHANGED,
    "raised": frozenset({FactChange.RAISED, FactChange.ADDED}),
    "lowered": frozenset({FactChange.LOWERED}),
    "deprecated": frozenset({FactChange.DEPRECATED, FactChange.CHANGED}),
}


@dataclass(frozen=True, slots=True)
class LabelledChange:
    """One change of an interface as somebody labelled it."""

    kind: str
    change: str
    name: str
    before: str | None
    after: str | None
    matters: int


@dataclass(frozen=True, slots=True)
class LabelledCommit:
    """What a commit changed for users; `traps` look like a change and are none."""

    repo: str
    sha: str
    changes: tuple[LabelledChange, ...]
    traps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class InterfaceFigures(Summed):
    """Counts of one commit, or of several together.

    `matter` are labelled changes that matter, told of all; `commits` are commits that have any,
    those of which one was told; `small` are the others; `behaviour` are labels that no comparison
    can find. `labelled` are our facts that a label has, of all; `traps` are facts that fell for
    one. `unlabelled` are the other facts in words.
    """

    matter: Share = field(default_factory=Share)
    commits: Share = field(default_factory=Share)
    small: Share = field(default_factory=Share)
    behaviour: Share = field(default_factory=Share)
    labelled: Share = field(default_factory=Share)
    traps: int = 0
    missed: tuple[str, ...] = ()
    unlabelled: tuple[str, ...] = ()


def commits_of(written: Iterable[Mapping[str, Any]]) -> tuple[LabelledCommit, ...]:
    """Return the labelled commits of the JSON of `notes.json`."""
    return tuple(
        LabelledCommit(
            one["repo"],
            one["sha"],
            tuple(
                LabelledChange(*(change[each.name] for each in fields(LabelledChange)))
                for change in one["changes"]
            ),
            tuple(trap["name"] for trap in one["traps"]),
        )
        for one in written
    )


def interface_figures(commit: LabelledCommit, facts: Sequence[Fact]) -> InterfaceFigures:
    """Return the figures of one commit, whose facts are `facts` (others' kinds are left out)."""
    ours = [one for one in facts if one.kind in (FactKind.INTERFACE, FactKind.REQUIREMENT)]
    comparable = [one for one in commit.changes if one.kind != "behaviour"]
    told = {
        number: [fact for fact in ours if _tells(fact, label)]
        for number, label in enumerate(comparable)
    }
    matter = [number for number, one in enumerate(comparable) if one.matters >= MATTERS]
    small = [number for number, one in enumerate(comparable) if one.matters < MATTERS]
    behaviour = [one for one in commit.changes if one.kind == "behaviour"]
    found = {id(fact) for group in told.values() for fact in group}
    about = {id(fact) for fact in ours for one in behaviour if _is_about(fact, one)}
    other = [fact for fact in ours if id(fact) not in found | about]
    trapped = [fact for fact in other if any(_is_trap(fact, trap) for trap in commit.traps)]
    return InterfaceFigures(
        Share(sum(bool(told[number]) for number in matter), len(matter)),
        Share(int(any(told[number] for number in matter)), int(bool(matter))),
        Share(sum(bool(told[number]) for number in small), len(small)),
        Share(sum(any(_is_about(fact, one) for fact in ours) for one in behaviour), len(behaviour)),
        Share(len(ours) - len(other), len(ours)),
        len(trapped),
        tuple(
            f"{commit.sha[:10]} {comparable[number].kind} {comparable[number].name}"
            for number in matter
            if not told[number]
        ),
        tuple(
            f"{commit.sha[:10]} {fact.subject} {fact.change.value} {fact.name}" for fact in other
        ),
    )


def _tells(fact: Fact, label: LabelledChange) -> bool:
    if fact.subject not in _SUBJECTS.get(label.kind, frozenset()):
        return False
    if fact.change not in _CHANGES.get(label.change, frozenset()):
        return False
    if label.kind == "choice":
        value = label.after if label.change == "added" else label.before or label.after
        return (fact.after or fact.before) == value
    return bool(_words_of_fact(fact) & _words(label.name)) or _ends_alike(fact, label.name)


def _is_about(fact: Fact, label: LabelledChange) -> bool:
    values = {value for value in (fact.before, fact.after) if value and len(value) > 3}
    text = f"{label.name} {label.before} {label.after}"
    return any(value in text for value in values) or bool(_words_of_fact(fact) & _words(label.name))


def _is_trap(fact: Fact, trap: str) -> bool:
    return bool(_words_of_fact(fact) & _words(trap))


def _words_of_fact(fact: Fact) -> frozenset[str]:
    names = [fact.name, *fact.names]
    if fact.change is FactChange.RENAMED:
        names += [name for name in (fact.before, fact.after) if name]
    return frozenset(word for name in names for word in _words(name))


def _words(name: str) -> frozenset[str]:
    """Return what a name may be known by: its last part, and `function(argument)` as a whole."""
    found = set()
    if not re.search(r"\w\(\w+\)", name):
        name = re.sub(r"[()]", " ", name)
    for part in re.split(r"[\s,/]+(?![^()]*\))", name.lower()):
        called = re.fullmatch(r"(?:[\w.]+\.)?(\w+)\((\w+)\)", part)
        if called:
            found.add(f"{called[1]}({called[2]})")
            continue
        last = part.partition("(")[0].partition("[")[0].rpartition(".")[2].lstrip("-")
        if len(last) > 2 or last == name.lower():
            found.add(last.replace("-", "_"))
    return frozenset(found)


def _ends_alike(fact: Fact, name: str) -> bool:
    """Variables whose prefix only runs know are told by their ends."""
    return fact.name.startswith("*") and name.endswith(fact.name[1:])
