"""Interfaces over a window, by its two ends: what several changes did together, and who did it.

What came and went within the window is no news; a default that was changed twice changed once;
a rename that took two changes is one. Two versions are compared by the same rules as a change.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from digest.facts import Evidence, Fact, FactChange, FactKind, Subject
from digest.models import FileAt, FileChange, Item
from digest.reading.interfaces.changes import known_around, settled_differences
from digest.reading.interfaces.comparison import bound_change, compared
from digest.reading.interfaces.definition import Pair, likeness
from digest.reading.interfaces.difference import Compared
from digest.reading.interfaces.facts import fact_of
from digest.reading.interfaces.grammar import UNREADABLE
from digest.reading.interfaces.moved_on import moved_on
from digest.reading.interfaces.moves import as_they_went, gone_modules, moved_modules, words_of
from digest.reading.interfaces.place import ChangeEnds, can_matter, fronts_above, place_of

_SETTLED = (FactKind.INTERFACE, FactKind.REQUIREMENT, FactKind.SUPPORT)
_VALUED = (FactChange.DEFAULT, FactChange.CHANGED, FactChange.RAISED, FactChange.LOWERED)

MOST_OF_SPAN = 600
"""Files of two versions that are compared at most."""


def settled(facts: Sequence[Fact], items: Sequence[Item] = ()) -> tuple[Fact, ...]:
    """Return what is left of facts at the end of the window in which they were made.

    In: facts in the order in which their changes landed, and the changes: arguments of what one of
    these defines first were never given by anybody. Kinds that have no two ends (bites, releases)
    are given back as they are. Out: each difference once, told of the last change that made it what
    it is; what several changes did has the evidence of each.
    """
    facts = moved_on(facts, items)
    in_order = sorted(items, key=lambda one: (one.at, one.key))
    exploded = [
        one
        for position, fact in enumerate(facts)
        for one in _single(position, fact)
        if fact.subject is not Subject.API_ARGUMENT or not _is_new(one[1], in_order)
    ]
    things: dict[tuple[str, ...], list[tuple[int, Fact]]] = {}
    every: list[list[tuple[int, Fact]]] = []
    left: list[tuple[int, Fact]] = []
    for position, fact in exploded:
        if fact.kind not in _SETTLED:
            left.append((position, fact))
            continue
        events = things.pop(_key(fact, fact.name), None)
        if events is None:
            events = []
            every.append(events)
        events.append((position, fact))
        key = _key(fact, _name_after(fact))
        things[key] = events
        if fact.kind is FactKind.REQUIREMENT and not fact.conditions:
            _go_on(things, key, position, fact)
    firsts = [events[0][1] for events in every]
    new = {first.name for first in firsts if first.change is FactChange.ADDED}
    for first, events in zip(firsts, every, strict=True):
        # What code gives a setting that came within the window was never given to anybody.
        if first.change is not FactChange.DEFAULT or not first.conditions or first.name not in new:
            left += _ends(events)
    left.sort(key=lambda one: one[0])
    return tuple(_regrouped(_renamed(left), facts))


def _go_on(
    things: Mapping[tuple[str, ...], list[tuple[int, Fact]]],
    key: tuple[str, ...],
    position: int,
    fact: Fact,
) -> None:
    """Let what a requirement is for some (`cu13`) go on with what it becomes for everybody."""
    for other, events in things.items():
        last = events[-1][1]
        if other[:2] == key[:2] and other != key and last.after and last.after == fact.before:
            events.append((position, replace(fact, conditions=last.conditions)))


def _is_new(fact: Fact, items: Sequence[Item]) -> bool:
    """Tell whether what an argument is given to came into its file within the window.

    In: the changes in the order in which they landed. The first of them that touches its definition
    tells: it adds that, and takes none of the name out elsewhere.
    """
    name = fact.name.partition("(")[0].split(".")
    owner = next((part for part in name if part[:1].isupper()), name[-1])
    defines = re.compile(rf"^([+-])(?:class|(?:async )?def) {re.escape(owner)}\b", re.MULTILINE)
    paths = {one.path for one in fact.evidence}
    for item in items:
        files = item.files or ()
        if any(file.path in paths and defines.search(file.patch or "") for file in files):
            return {sign for file in files for sign in defines.findall(file.patch or "")} == {"+"}
    return False


def _single(position: int, fact: Fact) -> Iterator[tuple[int, Fact]]:
    """Yield a fact about several names as one for each; choices of several flags stay one."""
    if not fact.names or fact.subject is Subject.CHOICE or fact.kind is FactKind.MOVE:
        yield position, fact
        return
    for name in fact.names:
        yield position, replace(fact, name=name, names=())


def _key(fact: Fact, name: str) -> tuple[str, ...]:
    extra = ""
    if fact.subject is Subject.CHOICE:
        extra = fact.before or fact.after or ""
    elif fact.subject is Subject.DEPENDENCY:
        extra = ";".join(fact.conditions)
        name = name.lower().replace("_", "-")
    elif fact.change is FactChange.DEFAULT:
        extra = ";".join(fact.conditions)
    elif (fact.after or "").startswith("*, "):
        extra = "by keyword"  # how an argument is given is another thing than its default
    return fact.subject or "", name, extra


def _name_after(fact: Fact) -> str:
    return fact.after or fact.name if fact.change is FactChange.RENAMED else fact.name


def _ends(events: Sequence[tuple[int, Fact]]) -> list[tuple[int, Fact]]:
    """Return what is left of what happened to one thing: nothing, or its two ends."""
    if len(events) == 1:
        return list(events)
    (_, first), (position, last) = events[0], events[-1]
    came, went = first.change is FactChange.ADDED, last.change is FactChange.REMOVED
    deprecated = next((one for one in events if one[1].change is FactChange.DEPRECATED), None)
    evidence = _evidence([fact for _, fact in events], last.item)
    result: Fact | None = replace(last, evidence=evidence)
    if came and went:
        result = None
    elif came:
        result = replace(
            first,
            item=first.item if first.name == _name_after(last) else last.item,
            name=_name_after(last),
            after=_last_value(events),
            evidence=_evidence([fact for _, fact in events], first.item),
        )
        position = events[0][0] if result.item == first.item else position
    elif first.change is FactChange.REMOVED and last.change is FactChange.ADDED:
        result = _back(first, last, evidence)
    elif went:
        result = replace(last, name=first.name, before=first.before, evidence=evidence)
    elif any(fact.change is FactChange.RENAMED for _, fact in events):
        result = _renamed_once(first, last, evidence)
    elif first.change in _VALUED and last.change in _VALUED:
        result = _valued(first, last, evidence)
    found = [] if result is None else [(position, result)]
    if deprecated is not None and result is not None and not went and result != deprecated[1]:
        found.append(deprecated)
    return found


def _last_value(events: Sequence[tuple[int, Fact]]) -> str | None:
    """Return the value at the end: what the last event says that says one."""
    valued = [
        fact.after
        for _, fact in events
        if fact.change is FactChange.ADDED or fact.change in _VALUED
    ]
    return valued[-1] if valued else None


def _evidence(facts: Sequence[Fact], item: str) -> tuple[Evidence, ...]:
    """Return the evidence of all, naming the item where it is another one's."""
    found: dict[Evidence, None] = {}
    for fact in facts:
        for one in fact.evidence:
            found[one if fact.item == item or one.item else replace(one, item=fact.item)] = None
    return tuple(found)


def _back(first: Fact, last: Fact, evidence: tuple[Evidence, ...]) -> Fact | None:
    """Tell of what went and came back only if it came back as another."""
    if first.before == last.after or first.before is None or last.after is None:
        return None
    if first.subject is Subject.CHOICE:
        return None
    change = FactChange.DEFAULT
    if first.kind is FactKind.REQUIREMENT:
        change = bound_change(first.before, last.after)
    return replace(last, change=change, before=first.before, evidence=evidence, must_act=True)


def _renamed_once(first: Fact, last: Fact, evidence: tuple[Evidence, ...]) -> Fact | None:
    new = _name_after(last)
    if new == first.name:
        return None
    return replace(
        last,
        change=FactChange.RENAMED,
        name=first.name,
        before=first.name,
        after=new,
        evidence=evidence,
        must_act=True,
        inferred=True,
    )


def _valued(first: Fact, last: Fact, evidence: tuple[Evidence, ...]) -> Fact | None:
    if first.before == last.after:
        return None
    change = last.change
    if first.kind is FactKind.REQUIREMENT:
        change = bound_change(first.before or "", last.after or "")
    return replace(last, change=change, before=first.before, evidence=evidence)


def _renamed(facts: Sequence[tuple[int, Fact]]) -> list[tuple[int, Fact]]:
    """Pair what one change removed with what another one added in its place."""
    gone = [one for one in facts if one[1].change is FactChange.REMOVED]
    came = [one for one in facts if one[1].change is FactChange.ADDED]
    paired: dict[int, tuple[int, Fact]] = {}
    taken: set[int] = set()
    for old in gone:
        alike = [(_likeness(old[1], new[1]), new) for new in came if id(new) not in taken]
        best = max(alike, key=lambda pair: pair[0], default=(0.0, old))
        if best[0] <= 0:
            continue
        new = best[1]
        later, earlier = (new, old) if new[0] >= old[0] else (old, new)
        taken |= {id(new), id(old)}
        paired[id(later)] = (
            later[0],
            replace(
                later[1],
                change=FactChange.RENAMED,
                name=old[1].name,
                before=old[1].name,
                after=new[1].name,
                evidence=_evidence([earlier[1], later[1]], later[1].item),
                must_act=True,
                inferred=True,
            ),
        )
    return [paired.get(id(one), one) for one in facts if id(one) in paired or id(one) not in taken]


def _likeness(old: Fact, new: Fact) -> float:
    if old.subject is not new.subject or old.item == new.item or old.before != new.after:
        return 0.0
    if old.subject not in (Subject.FLAG, Subject.ENV, Subject.METRIC) or old.before is None:
        return 0.0
    places, others = ({one.path for one in fact.evidence} for fact in (old, new))
    return likeness(old.name, new.name) if places & others else 0.0


def _regrouped(facts: Sequence[tuple[int, Fact]], given: Sequence[Fact]) -> Iterator[Fact]:
    """Put the names of one statement together again."""
    names: dict[tuple[int, FactChange], list[str]] = {}
    for position, fact in facts:
        names.setdefault((position, fact.change), []).append(fact.name)
    joined: set[tuple[int, FactChange]] = set()
    for position, fact in facts:
        group = names[position, fact.change]
        original = given[position]
        if len(group) == 1 or original.change is not fact.change or not original.names:
            yield fact
        elif (position, fact.change) not in joined:
            joined.add((position, fact.change))
            yield replace(fact, name=group[0], names=tuple(group))


def span_wanted(files: Sequence[FileChange], before: str, after: str) -> tuple[FileAt, ...]:
    """Return the files that tell what two versions differ in for a user, at most `MOST_OF_SPAN`.

    In: the files that differ between the commits `before` and `after` (whole SHAs), with or
    without patches.
    """
    found: dict[FileAt, None] = {}
    for file in _of_span(files):
        if file.status != "added":
            found[FileAt(before, file.previous_path or file.path)] = None
        if file.status != "removed":
            found[FileAt(after, file.path)] = None
        if (place := place_of(file.path)) is not None:
            found |= dict.fromkeys(FileAt(after, front) for front in fronts_above(place))
        if len(found) >= MOST_OF_SPAN:
            break
    return tuple(found)


def _of_span(files: Sequence[FileChange]) -> list[FileChange]:
    ranked: list[tuple[int, int, int, int, FileChange]] = []
    for file in files:
        place = place_of(file.path)
        if place is None:
            continue
        worth = can_matter(file, place)
        if worth:
            first = place.arguments or place.environment or place.config
            ranked.append((-worth, -int(first), place.depth, len(ranked), file))
    ranked.sort(key=lambda one: one[:4])
    return [one[-1] for one in ranked]


def span_facts(
    key: str,
    repository: str,
    files: Sequence[FileChange],
    contents: Mapping[FileAt, str | None],
    ends: ChangeEnds,
    changes: Sequence[Item] = (),
) -> tuple[Fact, ...]:
    """Return what two versions differ in for a user.

    In: what is told of (`key`, as the item of every fact until `attributed` finds whose it is),
    the repository's name, the files that differ, what `span_wanted` asked for as far as it
    could be had, and the changes in between in their order: what they rename has another name.
    Files that could not be read are not compared.
    """
    pairs = []
    for file in _of_span(files):
        old_path = file.previous_path or file.path
        sides: list[str | None] = []
        for at, absent in (
            (FileAt(ends.before, old_path), file.status == "added"),
            (FileAt(ends.after, file.path), file.status == "removed"),
        ):
            if not absent and at not in contents:
                break
            sides.append(None if absent else contents[at])
        if len(sides) == 2 and sides != [None, None]:
            pairs.append(Pair(old_path, file.path, sides[0], sides[1]))
    seen: list[Compared] = []
    for pair in pairs:
        place = place_of(pair.path)
        with suppress(*UNREADABLE):
            seen += [compared(pair, place)] if place is not None else []
    after = {at: text for at, text in contents.items() if at.sha == ends.after}
    known = replace(
        known_around(after, repository),
        files=seen,
        words="\n".join(map(words_of, changes)),
        steps=[file for item in changes for file in item.files or ()],
    )
    found = [fact_of(key, one) for one in settled_differences(known)]
    went = as_they_went(files)
    return (*found, *moved_modules(key, went), *gone_modules(key, went))


def attributed(span: Sequence[Fact], facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """Return the facts of a span, each of the last change that is known to have made it.

    In: facts of the span, and facts of its changes in the order in which they landed. Out: a fact
    about several names as one for each change that made some of them. What no change is known to
    have made keeps its item, each name by itself.
    """
    makers: dict[tuple[str, ...], str] = {}
    for made in facts:
        for _, one in _single(0, made):
            makers[_key(one, one.name)] = one.item
            makers[_key(one, _name_after(one))] = one.item
    return tuple(one for fact in span for one in _by_maker(fact, makers))


def _by_maker(fact: Fact, makers: Mapping[tuple[str, ...], str]) -> Iterator[Fact]:
    named: dict[str, list[str]] = {}
    for _, one in _single(0, fact):
        made = (makers.get(_key(one, name)) for name in (_name_after(one), one.name, *one.names))
        maker = next(filter(None, made), None)
        if maker is None:
            yield one
        elif one.names:
            yield replace(one, item=maker)
        else:
            named.setdefault(maker, []).append(one.name)
    for maker, names in named.items():
        yield replace(fact, item=maker, name=names[0], names=tuple(names) if len(names) > 1 else ())
