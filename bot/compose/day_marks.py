"""What marks a day of a repository: tags of a forum's post, and who is mentioned."""

from collections.abc import Sequence

from bot.model.parts import Mark
from digest.concern.reading_concerns import concerned
from digest.concern.surface import Surface
from digest.facts import FactChange, Symptom
from digest.grades import Importance
from digest.models import Kind, Reading, State

_GONE = (FactChange.REMOVED, FactChange.RENAMED, FactChange.RAISED)
_SECURITY = {"security", "security_label"}
"""Reasons of a score."""


def day_marks(reading: Reading, surfaces: Sequence[Surface]) -> frozenset[Mark]:
    """Give the marks of what is told of a day.

    What breaks is what a channel uses, where it said that; elsewhere a removal, a new name or a
    higher requirement that hits who upgrades and does nothing.
    """
    found = set()
    if surfaces:
        breaks = any(one.breaks for one in concerned(reading, surfaces))
    else:
        breaks = any(fact.must_act and fact.change in _GONE for fact in reading.facts)
    if breaks:
        found.add(Mark.BREAKING)
    for read in reading.items:
        if _SECURITY & {reason.name for reason in read.reasons}:
            found.add(Mark.SECURITY)
        if read.importance is Importance.HIGH:
            found.add(Mark.IMPORTANT)
        if read.item.kind is Kind.RELEASE and read.item.state is not State.PRERELEASE:
            found.add(Mark.RELEASE)
    if any(fact.symptom is Symptom.SECURITY for fact in reading.facts):
        found.add(Mark.SECURITY)
    return frozenset(found)
