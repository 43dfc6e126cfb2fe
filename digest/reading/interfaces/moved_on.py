"""Modules and names that moved or went after they came within the window: told by its two ends."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from digest.facts import Evidence, Fact, FactChange, FactKind, Subject
from digest.models import Item
from digest.reading.interfaces.place import module_of


def moved_on(facts: Sequence[Fact], items: Sequence[Item]) -> list[Fact]:
    """Return facts without what moved or went of what came within the window.

    In: facts in the order in which their changes landed, and the changes with their files. What
    moved twice is told once, from where it was to where it is, of the last change; what moved and
    then went is told as gone from where it was. What nobody had before the window is not told.
    """
    if not any(fact.kind is FactKind.MOVE for fact in facts):
        return list(facts)
    new, at = _came(items), {item.key: item.at for item in items}
    way = _Way()
    for position, fact in enumerate(facts):
        if fact.kind is not FactKind.MOVE:
            continue
        for name in fact.names or (fact.name,):
            came = new.get(name)
            landed = at.get(fact.item)
            if came and landed and came.at <= landed:
                way.unknown.add((position, name))
            elif earlier := way.here.pop((fact.subject, name), None):
                way.unknown.add(earlier)
                way.since[position, name] = earlier
            if fact.change is FactChange.MOVED and fact.after:
                way.here[fact.subject, _after(fact, name)] = (position, name)
    return [one for position, fact in enumerate(facts) for one in _told(position, fact, facts, way)]


@dataclass(slots=True)
class _Way:
    """How names went: those that are told elsewhere or not at all, and those with an earlier place.

    A name is that of the fact at a position; `here` has what moved by where it is.
    """

    unknown: set[tuple[int, str]] = field(default_factory=set)
    since: dict[tuple[int, str], tuple[int, str]] = field(default_factory=dict)
    here: dict[tuple[Subject | None, str], tuple[int, str]] = field(default_factory=dict)


def _came(items: Sequence[Item]) -> dict[str, Item]:
    """Return the modules that changes added, each with the first change that did."""
    found: dict[str, Item] = {}
    for item in sorted(items, key=lambda one: (one.at, one.key)):
        for file in item.files or ():
            if file.status == "added" and file.path.endswith(".py"):
                found.setdefault(module_of(file.path), item)
    return found


def _after(fact: Fact, name: str) -> str:
    """Return where a name of a fact is now: several moved from one place to another."""
    return f"{fact.after}{name.removeprefix(fact.name)}" if fact.names else fact.after or ""


def _told(position: int, fact: Fact, facts: Sequence[Fact], way: _Way) -> Iterator[Fact]:
    """Yield a fact as it is told, without what another one tells; what had moved is one each."""
    names = fact.names or (fact.name,)
    touched = [name for name in names if {(position, name)} & (way.unknown | way.since.keys())]
    if fact.kind is not FactKind.MOVE or not touched:
        yield fact
        return
    left = [name for name in names if name not in touched]
    if left:
        after = _after(fact, left[0]) if len(left) == 1 and fact.after else fact.after
        name = left[0] if len(left) == 1 else fact.name
        several = tuple(left) if len(left) > 1 else ()
        yield replace(fact, name=name, names=several, before=name, after=after)
    for name in touched:
        if (position, name) in way.unknown:
            continue
        first = name
        evidence: tuple[Evidence, ...] = fact.evidence
        place = (position, name)
        while place in way.since:
            place = way.since[place]
            first = place[1]
            evidence += tuple(
                replace(one, item=facts[place[0]].item) for one in facts[place[0]].evidence
            )
        now = _after(fact, name) if fact.after else None
        if now != first:
            yield replace(
                fact, name=first, names=(), before=first, after=now, evidence=evidence[:5]
            )
