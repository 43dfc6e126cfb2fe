"""Figures of a reading against what editors chose: pure counting."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from digest.evaluation.labels import LabelledWindow
from digest.facts import FactKind, Symptom
from digest.models import Item, Kind, Reading

FIRST, SECOND = 6, 10
"""How many of our first changes are looked at."""


@dataclass(frozen=True, slots=True)
class Share:
    """A part of a whole; `of` 0 means that there was nothing to count."""

    part: int = 0
    of: int = 0

    def __add__(self, other: "Share") -> "Share":
        """Add two shares of disjoint wholes."""
        return Share(self.part + other.part, self.of + other.of)


@dataclass(frozen=True, slots=True)
class Figures:
    """What one window, or several together, gave."""

    first: Share = field(default_factory=Share)
    second: Share = field(default_factory=Share)
    unshown: Share = field(default_factory=Share)
    symptom: Share = field(default_factory=Share)
    false_symptom: Share = field(default_factory=Share)
    pair_precision: Share = field(default_factory=Share)
    pair_recall: Share = field(default_factory=Share)

    def __add__(self, other: "Figures") -> "Figures":
        """Add the figures of two windows."""
        return Figures(
            self.first + other.first,
            self.second + other.second,
            self.unshown + other.unshown,
            self.symptom + other.symptom,
            self.false_symptom + other.false_symptom,
            self.pair_precision + other.pair_precision,
            self.pair_recall + other.pair_recall,
        )


def figures(window: LabelledWindow, reading: Reading) -> Figures:
    """Return the figures of one window, whose changes are the reading's items in their order."""
    ours = {
        one.item.key: key
        for one in reading.items
        if one.item.kind is not Kind.ISSUE and (key := key_of(window, one.item))
    }
    order = [ours[one.item.key] for one in reading.items if one.item.key in ours]
    leading = {key for key in order if window.leads(key)}
    right, wrong = _of_bites(window, reading, ours)
    precision, recall = _of_stories(window, reading, ours)
    return Figures(
        first=Share(len(leading & {*order[:FIRST]}), len(leading)),
        second=Share(len(leading & {*order[:SECOND]}), len(leading)),
        unshown=Share(sum(not window.shown(key) for key in order[:FIRST]), len(order[:FIRST])),
        symptom=right,
        false_symptom=wrong,
        pair_precision=precision,
        pair_recall=recall,
    )


def key_of(window: LabelledWindow, item: Item) -> str:
    """Return the labels' key of an item, empty where they do not hold it."""
    return next((window.keys[sha] for sha in item.commits if sha in window.keys), "")


def _of_bites(
    window: LabelledWindow, reading: Reading, ours: Mapping[str, str]
) -> tuple[Share, Share]:
    """Count symptoms told right of those that editors agree on, and told that none of them names.

    `broken` names no symptom: it is neither right nor false.
    """
    told = {
        ours[fact.item]: fact.symptom.value
        for fact in reading.facts
        if fact.kind is FactKind.BITE and fact.symptom is not None and fact.item in ours
    }
    right, wrong = Share(), Share()
    for key in ours.values():
        agreed, named = window.symptoms(key)
        if agreed:
            right += Share(told.get(key) in agreed, 1)
        if key in told and told[key] != Symptom.BROKEN.value:
            wrong += Share(told[key] not in named, 1)
    return right, wrong


def _of_stories(
    window: LabelledWindow, reading: Reading, ours: Mapping[str, str]
) -> tuple[Share, Share]:
    """Count pairs of one story: ours that an editor has, and theirs, as two have them, in ours."""
    told = _pairs([ours[key] for key in story.items if key in ours] for story in reading.stories)
    by_editor = [_pairs(sorted(story) for story in editor.stories) for editor in window.editors]
    anybody = set().union(*by_editor)
    if len(by_editor) == 1:
        agreed = anybody
    else:
        agreed = {pair for pair in anybody if sum(pair in each for each in by_editor) > 1}
    known = {*ours.values()}
    agreed = {pair for pair in agreed if pair <= known}
    return Share(len(told & anybody), len(told)), Share(len(agreed & told), len(agreed))


def _pairs(groups: Iterable[Sequence[str]]) -> set[frozenset[str]]:
    return {frozenset(pair) for group in groups for pair in combinations(group, 2)}
