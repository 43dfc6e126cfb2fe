"""One thing of a file that is not as it was, and all of them with what the file defined."""

from dataclasses import dataclass, replace
from typing import Any

from digest.facts import Evidence, FactChange, Subject
from digest.reading.interfaces.definition import Definition, Pair
from digest.reading.interfaces.place import Place


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is not as it was; `old` and `new` are where it stands, None on no side.

    `within` is the line of the class whose field it is, where it is told by another name.
    """

    change: FactChange
    subject: Subject
    name: str
    before: str | None = None
    after: str | None = None
    old: Definition | None = None
    new: Definition | None = None
    must_act: bool = False
    inferred: bool = False
    conditions: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    within: Evidence | None = None

    @property
    def definition(self) -> Definition:
        """Where it stands, after the change if it does."""
        found = self.new or self.old
        assert found is not None  # a difference stands on one side at least
        return found


def gone(was: Definition, **more: Any) -> Difference:
    """Tell that a thing is there no more, and what it said itself to use in its place."""
    now = was.instead or None
    made = Difference(FactChange.REMOVED, was.subject, was.name, _default(was), now, was)
    return replace(made, **more)


def came(became: Definition, **more: Any) -> Difference:
    """Tell that a thing is new."""
    name, value = became.name, _default(became)
    made = Difference(FactChange.ADDED, became.subject, name, None, value, None, became)
    return replace(made, **more)


def altered(change: FactChange, was: Definition, became: Definition, **more: Any) -> Difference:
    """Tell that a thing is another; what it was and is are the values unless others are given."""
    made = Difference(change, became.subject, became.name, was.value, became.value, was, became)
    return replace(made, **more)


def _default(one: Definition) -> str | None:
    return None if one.subject is Subject.METRIC else one.value


@dataclass(frozen=True, slots=True)
class Compared:
    """The differences of one file, and what it defined on either side of what differs."""

    place: Place
    pair: Pair
    differences: tuple[Difference, ...]
    old: tuple[Definition, ...] = ()
    new: tuple[Definition, ...] = ()
