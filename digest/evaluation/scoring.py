"""Figures of a reading against what editors chose and people labelled: pure counting.

A labelled change of an interface is told where a fact of that commit has its name and a change of
its kind. Labels of the kind `behaviour` are out of reach of a comparison and are not counted.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import combinations
from typing import Self

from digest.evaluation.labels import LabelledChange, LabelledCommit, LabelledWindow
from digest.facts import Fact, FactChange, FactKind, Subject, Symptom
from digest.models import Item, Kind, Reading
from digest.reading.description import written
from digest.reading.paths import RUNTIME, role

FIRST, SECOND = 6, 10
"""How many of our first changes are looked at."""
DESCRIBED = 200
"""Characters of a description, as its author wrote it, from which it can say what was seen."""


class Summed:
    """A record of counts that is added field by field, where records are of disjoint wholes."""

    def __add__(self, other: Self) -> Self:
        """Add the counts of another part."""
        names = [each.name for each in fields(self)]  # type: ignore[arg-type] # dataclasses alone
        return type(self)(*(getattr(self, name) + getattr(other, name) for name in names))


@dataclass(frozen=True, slots=True)
class Share(Summed):
    """A part of a whole; `of` 0 means that there was nothing to count."""

    part: int = 0
    of: int = 0

    def told(self) -> str:
        """Return the share in per cent with its counts, or a dash where nothing was counted."""
        return f"{100 * self.part / self.of:.0f} % ({self.part} of {self.of})" if self.of else "–"


@dataclass(frozen=True, slots=True)
class Figures(Summed):
    """What one window, or several together, gave.

    `described` are the symptoms of changes with a description; `precise` and `found` are of pairs
    of stories.
    """

    first: Share = field(default_factory=Share)
    second: Share = field(default_factory=Share)
    unshown: Share = field(default_factory=Share)
    symptom: Share = field(default_factory=Share)
    described: Share = field(default_factory=Share)
    false_symptom: Share = field(default_factory=Share)
    inferred: Share = field(default_factory=Share)
    precise: Share = field(default_factory=Share)
    found: Share = field(default_factory=Share)


def figures(window: LabelledWindow, reading: Reading) -> Figures:
    """Return the figures of one window, whose changes are the reading's items in their order."""
    ours = {
        one.item.key: key
        for one in reading.items
        if one.item.kind is not Kind.ISSUE and (key := key_of(window, one.item))
    }
    order = [ours[one.item.key] for one in reading.items if one.item.key in ours]
    leading = {key for key in order if window.leads(key)}
    return Figures(
        Share(len(leading & {*order[:FIRST]}), len(leading)),
        Share(len(leading & {*order[:SECOND]}), len(leading)),
        Share(sum(not window.shown(key) for key in order[:FIRST]), len(order[:FIRST])),
        *_of_bites(window, reading, ours),
        *_of_stories(window, reading, ours),
    )


def key_of(window: LabelledWindow, item: Item) -> str:
    """Return the labels' key of an item, empty where they do not hold it."""
    return next((window.keys[sha] for sha in item.commits if sha in window.keys), "")


def _of_bites(
    window: LabelledWindow, reading: Reading, ours: Mapping[str, str]
) -> tuple[Share, Share, Share, Share]:
    """Count symptoms told right of those that editors agree on, and told that none of them names.

    In: the window, its reading, and the labels' key of each item. Out: those told right; of these,
    those of changes with a description; those told that nobody names; those only inferred that an
    editor names. `broken` names no symptom: it is neither right nor false.
    """
    described = {
        ours[one.item.key]
        for one in reading.items
        if one.item.key in ours and len(written(one.item.body)) >= DESCRIBED
    }
    symptoms = {
        ours[fact.item]: (fact.symptom.value, fact.inferred)
        for fact in reading.facts
        if fact.kind is FactKind.BITE and fact.symptom is not None and fact.item in ours
    }
    right, of_described, wrong, guessed = Share(), Share(), Share(), Share()
    for key in ours.values():
        agreed, named = window.symptoms(key)
        symptom, inferred = symptoms.get(key, ("", False))
        if agreed:
            right += Share(symptom in agreed, 1)
            of_described += Share(key in described and symptom in agreed, key in described)
        if symptom and symptom != Symptom.BROKEN.value:
            wrong += Share(symptom not in named, 1)
            guessed += Share(inferred and symptom in named, inferred)
    return right, of_described, wrong, guessed


def _of_stories(
    window: LabelledWindow, reading: Reading, ours: Mapping[str, str]
) -> tuple[Share, Share]:
    """Count the pairs of our stories that editors made too, of all ours, and of all theirs.

    Pairs of noise alone count on neither side, since such stories are not told.
    """
    mine = {
        frozenset(pair)
        for story in reading.stories
        for pair in combinations({ours[key] for key in story.items if key in ours}, 2)
    }
    theirs = {pair for pair in window.together if not pair <= window.noise}
    mine = {pair for pair in mine if not pair <= window.noise}
    both = len(mine & theirs)
    return Share(both, len(mine)), Share(both, len(theirs))


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
    "api_name": _NAMES | {Subject.PROTOCOL},
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
class InterfaceFigures(Summed):
    """Counts of one commit, or of several together.

    `matter` are labelled changes that matter, told of all; `commits` are commits that have any,
    those of which one was told; `labelled` are our facts that a label has, of all; `traps` are
    facts that fell for one.
    """

    matter: Share = field(default_factory=Share)
    commits: Share = field(default_factory=Share)
    labelled: Share = field(default_factory=Share)
    traps: int = 0


def interface_figures(commit: LabelledCommit, facts: Sequence[Fact]) -> InterfaceFigures:
    """Return the figures of one commit, whose facts are `facts` (others' kinds are left out)."""
    ours = [one for one in facts if one.kind in (FactKind.INTERFACE, FactKind.REQUIREMENT)]
    behaviour = [one for one in commit.changes if one.kind == "behaviour"]
    labelled = [
        (label.matters >= MATTERS, [fact for fact in ours if _tells(fact, label)])
        for label in commit.changes
        if label.kind != "behaviour"
    ]
    matter = [bool(facts) for matters, facts in labelled if matters]
    found = {id(fact) for _, facts in labelled for fact in facts}
    found |= {id(fact) for fact in ours for one in behaviour if _is_about(fact, one)}
    other = [fact for fact in ours if id(fact) not in found]
    return InterfaceFigures(
        Share(sum(matter), len(matter)),
        Share(int(any(matter)), int(bool(matter))),
        Share(len(ours) - len(other), len(ours)),
        sum(any(_is_trap(fact, trap) for trap in commit.traps) for fact in other),
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


@dataclass(frozen=True, slots=True)
class Measured:
    """Figures of some windows: how the weights were got, how many windows and changes."""

    how: str
    windows: int
    changes: int
    figures: Figures
    by_size: Figures


def measured(how: str, readings: Sequence[tuple[LabelledWindow, Reading]]) -> Measured:
    """Return the figures of windows together, also in the order of how many files they touch."""
    return Measured(
        how,
        len(readings),
        sum(len(reading.items) for _, reading in readings),
        sum((figures(window, reading) for window, reading in readings), Figures()),
        sum((figures(window, _by_files(reading)) for window, reading in readings), Figures()),
    )


def _by_files(reading: Reading) -> Reading:
    """Return a reading in the order of how many files that run a change touches."""
    items = sorted(
        reading.items,
        key=lambda one: (
            -sum(role(file.path) in RUNTIME for file in one.item.files or ()),
            one.item.key,
        ),
    )
    return replace(reading, items=tuple(items))


_ROWS: Sequence[tuple[str, str]] = (
    ("first", "editors' front page among our first six"),
    ("second", "… among our first ten"),
    ("unshown", "our first six that no editor would show at all"),
    ("symptom", "symptoms that editors agree on, told right"),
    ("described", "… of changes with a description"),
    ("false_symptom", "symptoms told that no editor names"),
    ("inferred", "symptoms told as inferred that an editor names"),
    ("precise", "pairs of one story that editors made too"),
    ("found", "pairs of editors' stories, found"),
)
_SIZED = ("first", "second", "unshown")
_HEAD = """# How well a day is told

Days of real repositories against what editors chose, who worked from the sources alone.
The front page is what two editors of three put there, or the one that a window has.
Rules alone, no model. Made by this command; labels and clones are not kept here:

    {command}
"""
_FOOT = """
Symptoms are claims: one is told where a text states it, or inferred, and marked so, of
what the comments and tests of a fix say of before it, of a cause that a title names, and
of a fix of nothing but what answers clients. Any other fix is *broken*, which counts as
not right here; editors inferred many from the diff. A description has {described} characters or
more beside what a template asks for: GitHub's pull requests have one, commits mostly not.
Words and rules of symptoms were made with these windows in sight: for new ones their figures
may be lower.
"""


def page(rows: Sequence[Measured], interfaces: InterfaceFigures | None, command: str) -> str:
    """Return the section as Markdown: a table for the windows, one for interfaces."""
    columns = [f"{one.how}: windows {one.windows}, changes {one.changes}" for one in rows]
    lines = [
        _HEAD.format(command=command),
        "| | " + " | ".join(columns) + " | by the number of files |",
        "|---|" + "---:|" * (len(columns) + 1),
    ]
    for name, words in _ROWS:
        cells = [getattr(one.figures, name).told() for one in rows]
        plain = getattr(rows[0].by_size, name).told() if name in _SIZED else ""
        lines.append(f"| {words} | " + " | ".join(cells) + f" | {plain} |")
    if interfaces is not None:
        lines += ["", *_of_interfaces(interfaces)]
    return "\n".join([*lines, _FOOT.format(described=DESCRIBED)])


def _of_interfaces(figures: InterfaceFigures) -> list[str]:
    return [
        "| interfaces, by labelled commits | |",
        "|---|---:|",
        f"| changes that matter, told | {figures.matter.told()} |",
        f"| commits with such a change, one told | {figures.commits.told()} |",
        f"| our facts that a label has | {figures.labelled.told()} |",
        f"| our facts that fell for a trap | {figures.traps} |",
    ]
