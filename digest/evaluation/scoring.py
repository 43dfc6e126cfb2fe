"""Figures of a reading against what editors chose: pure counting."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from itertools import combinations
from typing import Self

from digest.evaluation.labels import LabelledWindow
from digest.facts import FactKind, Symptom
from digest.models import Item, Kind, Reading

FIRST, SECOND = 6, 10
"""How many of our first changes are looked at."""


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
    """What one window, or several together, gave; `precise` and `found` are of pairs of stories."""

    first: Share = field(default_factory=Share)
    second: Share = field(default_factory=Share)
    unshown: Share = field(default_factory=Share)
    symptom: Share = field(default_factory=Share)
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
) -> tuple[Share, Share, Share]:
    """Count symptoms told right of those that editors agree on, and told that none of them names.

    Third, those that are only inferred: told that an editor names. `broken` names no symptom: it
    is neither right nor false.
    """
    told = {
        ours[fact.item]: (fact.symptom.value, fact.inferred)
        for fact in reading.facts
        if fact.kind is FactKind.BITE and fact.symptom is not None and fact.item in ours
    }
    right, wrong, guessed = Share(), Share(), Share()
    for key in ours.values():
        agreed, named = window.symptoms(key)
        symptom, inferred = told.get(key, ("", False))
        if agreed:
            right += Share(symptom in agreed, 1)
        if symptom and symptom != Symptom.BROKEN.value:
            wrong += Share(symptom not in named, 1)
            guessed += Share(inferred and symptom in named, inferred)
    return right, wrong, guessed


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
