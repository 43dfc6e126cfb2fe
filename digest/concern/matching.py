"""What of an upstream change touches a codebase, and what breaks it: pure, with both sides shown.

A match stands on a definition that the change altered and on a line of the codebase that uses it.
`BREAKS` is told only where the use itself goes wrong by what is written on both sides; all else
that is used and altered is `TOUCHES`.
"""

import ast
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from digest.concern.definitions import Altered, Call, Signature, Way
from digest.concern.surface import How, Use, UseKind, is_distinct
from digest.concern.upstream_names import Hold, Key, Tie, UpstreamNames
from digest.reading.interfaces import grammar


class Strength(StrEnum):
    """How much a change concerns a codebase."""

    BREAKS = "breaks"
    TOUCHES = "touches"


class Ground(StrEnum):
    """Why a match is one: what was done upstream to what is used here.

    `UNSET` is a new attribute that only a method sets which the codebase has its own in place of,
    `GIVEN` an argument that upstream gives and what stands in the place of the function lacks,
    `SORT` an attribute that holds another sort of value, `REACHED` a new place upstream that calls
    what is derived from or replaced here.
    """

    GONE = "gone"
    MOVED = "moved"
    ABSTRACT = "abstract"
    LOST_ARGUMENT = "lost argument"
    NEW_ARGUMENT = "new argument"
    ORDER = "order"
    KIND = "kind"
    RETURNS = "returns"
    BASES = "bases"
    DEFAULT = "default"
    UNSET = "unset"
    GIVEN = "given"
    SORT = "sort"
    REACHED = "reached"
    MEMBER = "member"
    BODY = "body"
    NEW = "new"
    MODULE = "module"


@dataclass(frozen=True, slots=True)
class Match:
    """One use and one definition that was altered under it; `names` are arguments or members."""

    strength: Strength
    ground: Ground
    use: Use
    altered: Altered
    names: tuple[str, ...] = ()
    tie: Tie = Tie.IS


def matches(change: Iterable[Altered], holding: UpstreamNames) -> tuple[Match, ...]:
    """Return what a change touches and breaks, strongest first, each use and definition once."""
    found: dict[tuple[Use, str, str, Ground], Match] = {}
    change = tuple(change)
    names = {(one.path, one.name) for one in change if one.way in _SEEN_FROM_AFAR}
    came = {(one.path, one.name) for one in change if one.way is Way.ADDED}
    for altered in change:
        for match in _of(altered, holding):
            key = (match.use, altered.path, altered.name, match.ground)
            member = altered.name.rpartition(".")[2]
            if match.ground is Ground.ABSTRACT:
                harmless = _is_given(match, member, came, holding)
            else:
                harmless = _is_of_another(match, member, names, holding)
            found.setdefault(key, replace(match, strength=Strength.TOUCHES) if harmless else match)
    return tuple(sorted(found.values(), key=lambda one: one.strength is not Strength.BREAKS))


def _is_given(match: Match, member: str, came: Collection[Key], holding: UpstreamNames) -> bool:
    """Return whether a class between the abstract one and the codebase's got the method as well."""
    return any(
        (path, f"{owner}.{member}") in came
        for (path, owner), holds in holding.holds.items()
        if (path, owner) != (match.altered.path, match.altered.owner)
        and any(hold.use == match.use and hold.tie is not Tie.VIA for hold in holds)
    )


def _is_of_another(
    match: Match, member: str, names: Collection[Key], holding: UpstreamNames
) -> bool:
    """Return whether a member used by its name alone is of a class that keeps it, by the object.

    `parallel_config.world_size` is not of a `CacheConfig` while a `ParallelConfig` has it.
    """
    read_of = _flat(_object(match.use.name))
    if (
        match.tie is not Tie.NAMED
        or match.altered.call
        or read_of == _flat(_object(match.altered.name))
    ):
        return False
    keep = [
        key for key in holding.owners.get(member, ()) if (key[0], f"{key[1]}.{member}") not in names
    ]
    return any(read_of == _flat(owner.rpartition(".")[2]) for _, owner in keep)


def _object(name: str) -> str:
    """Return the part of a dotted name before its last: the object that the member is read of."""
    return name.rpartition(".")[0].rpartition(".")[2]


def _flat(name: str) -> str:
    return name.replace("_", "").lower()


def _of(altered: Altered, holding: UpstreamNames) -> Iterator[Match]:
    if altered.call is not None:
        yield from _given(altered, altered.call, holding)
        return
    exact = holding.holds.get((altered.path, altered.name), ())
    for hold in exact:
        yield from _exact(altered, hold)
    if altered.way is Way.GONE and not altered.name:
        for name, hold in holding.by_path.get(altered.path, ()):
            if name:
                yield from _exact(altered, hold)
        return
    if altered.owner and altered.way in _SEEN_FROM_AFAR:
        yield from _bare(altered, holding)
    owner = altered.owner
    if owner:
        for hold in holding.holds.get((altered.path, owner), ()):
            yield from _member(altered, hold, holding)
    elif altered.name and altered.way is not Way.ADDED:
        for hold in holding.holds.get((altered.path, ""), ()):
            if hold.use.kind is UseKind.MODULE:
                yield Match(Strength.TOUCHES, Ground.MODULE, hold.use, altered, (), hold.tie)


def _exact(altered: Altered, hold: Hold) -> Iterator[Match]:
    use, way = hold.use, altered.way
    if hold.tie is Tie.VIA and way is not Way.GONE:
        return
    if way is Way.GONE:
        ground = Ground.MOVED if altered.after else Ground.GONE
        yield _made(ground, altered, hold, soft=use.how is How.TRY)
    elif way is Way.SIGNATURE or way is Way.ABSTRACT:
        yield from _signature(altered, hold)
    elif way is Way.RETURNS:
        yield _made(Ground.RETURNS, altered, hold, soft=use.kind not in _BY_CALL)
    elif way is Way.BASES:
        yield _made(Ground.BASES, altered, hold, soft=use.kind is not UseKind.SUBCLASS)
    elif way is Way.VALUE:
        # Who reads a constant by its name has its new value; a default is relied upon unsaid.
        is_constant = altered.name.rpartition(".")[2].isupper()
        soft = use.kind is UseKind.PATCHED or is_constant or not _are_literals(altered)
        yield _made(Ground.DEFAULT, altered, hold, soft=soft)
    elif way is Way.SORT:
        yield _made(Ground.SORT, altered, hold, soft=use.kind is UseKind.PATCHED)
    elif way is Way.BODY and altered.name:
        yield _made(Ground.BODY, altered, hold, soft=True)


def _are_literals(altered: Altered) -> bool:
    """Return whether both values are literals: computed ones are not sure to differ."""
    try:
        ast.literal_eval(grammar.expression(altered.before))
        ast.literal_eval(grammar.expression(altered.after))
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return False
    return True


_BY_CLASS = frozenset({"staticmethod", "classmethod"})
"""What may be called of the class and of an object alike: who calls it need not know."""
_BY_CALL = frozenset({UseKind.CALLED, UseKind.OVERRIDE, UseKind.PATCHED})
_REPLACED = frozenset({UseKind.OVERRIDE, UseKind.PATCHED})


def _made(
    ground: Ground, altered: Altered, hold: Hold, *, soft: bool = False, names: Sequence[str] = ()
) -> Match:
    quiet = soft or hold.use.how is How.TYPE_CHECKING
    strength = Strength.TOUCHES if quiet else Strength.BREAKS
    return Match(strength, ground, hold.use, altered, tuple(names), hold.tie)


def _signature(altered: Altered, hold: Hold) -> Iterator[Match]:
    old, new, use = altered.old, altered.new, hold.use
    if old is None or new is None:
        yield _made(Ground.KIND, altered, hold)
        return
    came = {*new.marks} - {*old.marks}
    is_eased = use.kind is UseKind.CALLED and {*old.marks} < {*new.marks} and came <= _BY_CLASS
    if old.marks != new.marks and not is_eased:
        yield _made(Ground.KIND, altered, hold)
        return
    if old.returns and new.returns and old.returns != new.returns:
        yield _made(Ground.RETURNS, altered, hold, soft=use.kind not in _BY_CALL)
    if use.kind in _REPLACED:
        yield from _replaced(altered, hold, old, new)
    elif use.kind in (UseKind.CALLED, UseKind.CONSTRUCTED):
        yield from _called(altered, hold, old, new)
    else:
        yield _made(Ground.BODY, altered, hold, soft=True)


def _replaced(altered: Altered, hold: Hold, old: Signature, new: Signature) -> Iterator[Match]:
    """What stands in the place of a function has to take what the function is given."""
    use = hold.use
    before, after = old.named(), new.named()
    gained = [name for name in after if name not in before and name not in use.keywords]
    lost = [name for name in before if name not in after]
    if gained and not use.more:
        yield _made(Ground.NEW_ARGUMENT, altered, hold, names=gained)
    if lost:
        yield _made(Ground.LOST_ARGUMENT, altered, hold, names=lost)
    if not gained and not lost:
        shared = [name for name in old.positional() if name in new.positional()]
        if shared != [name for name in new.positional() if name in old.positional()]:
            yield _made(Ground.ORDER, altered, hold)
        else:
            yield _made(Ground.DEFAULT, altered, hold, soft=True)


def _called(altered: Altered, hold: Hold, old: Signature, new: Signature) -> Iterator[Match]:
    use = hold.use
    before, after = old.named(), new.named()
    keywords = list(use.keywords)
    takes_any = any(one.kind == "*" for one in new.parameters)
    if len(new.positional()) < use.positional and not takes_any:
        keywords += old.positional()[: use.positional]
    lost = [
        name for name in keywords if name in before and name not in after and not new.takes_more()
    ]
    given = {*use.keywords, *new.positional()[: use.positional]}
    lacking = [one.name for one in new.parameters if one.required and one.name not in given]
    was_lacking = {one.name for one in old.parameters if one.required}
    lacking = [name for name in lacking if name not in was_lacking or name not in before]
    if lost:
        yield _made(Ground.LOST_ARGUMENT, altered, hold, names=lost)
    if lacking and not use.more:
        yield _made(Ground.NEW_ARGUMENT, altered, hold, names=lacking)
    shifted = old.positional()[: use.positional] != new.positional()[: use.positional]
    if shifted and not lost and not lacking:
        yield _made(Ground.ORDER, altered, hold)
    relied = [
        name
        for name, one in before.items()
        if name in after
        and name not in use.keywords
        and name not in given
        and one.default != after[name].default
        and one.default is not None
    ]
    if relied:
        yield _made(Ground.DEFAULT, altered, hold, names=relied)
    if not (lost or lacking or shifted or relied):
        yield _made(Ground.BODY, altered, hold, soft=True)


_SEEN_FROM_AFAR = frozenset({Way.GONE, Way.SIGNATURE, Way.RETURNS, Way.SORT})


def _given(altered: Altered, call: Call, holding: UpstreamNames) -> Iterator[Match]:
    """Match a call that upstream makes with what stands in the place of what is called."""
    for use, less in holding.lacking.get(call.name, ()):
        lacking = [name for name in call.keywords if name in less]
        if lacking:
            yield _made(Ground.GIVEN, altered, Hold(use, Tie.NAMED), names=lacking)
    for use in () if altered.before else holding.replaced.get(call.name, ()):
        yield _made(Ground.REACHED, altered, Hold(use, Tie.NAMED), soft=True, names=(call.name,))


def _bare(altered: Altered, holding: UpstreamNames) -> Iterator[Match]:
    """Match a member with uses of its name on objects whose class is not known."""
    member = altered.name.rpartition(".")[2]
    if not is_distinct(member):
        return
    for use in holding.bare.get(member, ()):
        hold = Hold(use, Tie.NAMED)
        if altered.way is Way.GONE:
            yield _made(Ground.GONE, altered, hold)
        elif altered.way is Way.SORT:
            yield _made(Ground.SORT, altered, hold)
        elif altered.way is Way.RETURNS:
            yield _made(Ground.RETURNS, altered, hold, soft=use.kind is not UseKind.CALLED)
        else:
            yield from _signature(altered, hold)


def _is_replaced(name: str, path: str, use: Use, holding: UpstreamNames) -> bool:
    """Return whether a class of the codebase replaces a method and never calls it."""
    holds = [one.use for one in holding.holds.get((path, name), ()) if one.tie is Tie.IS]
    here = [one for one in holds if one.place.path == use.place.path]
    return any(one.kind is UseKind.OVERRIDE and one.by == use.by for one in here) and not any(
        one.kind is UseKind.CALLED for one in here
    )


def _member(altered: Altered, hold: Hold, holding: UpstreamNames) -> Iterator[Match]:
    """Match what is done to a member of a class with a use of the class itself."""
    use, way = hold.use, altered.way
    if hold.tie is Tie.VIA:
        return
    member = altered.name.rpartition(".")[2]
    if use.kind is UseKind.SUBCLASS:
        mine = holding.overrides.get(use.by, frozenset())
        if way is Way.ABSTRACT and member not in mine:
            yield _made(Ground.ABSTRACT, altered, hold, names=(member,))
        elif (
            way is Way.ADDED
            and member not in mine
            and _is_replaced(f"{altered.owner}.{altered.setter}", altered.path, use, holding)
        ):
            yield _made(Ground.UNSET, altered, hold, names=(member,))
        elif member not in mine:
            ground = Ground.NEW if way is Way.ADDED else Ground.MEMBER
            yield Match(Strength.TOUCHES, ground, use, altered, (member,), hold.tie)
    elif use.kind is UseKind.CONSTRUCTED:
        if member == "__init__" and altered.old is not None and altered.new is not None:
            yield from _called(altered, hold, altered.old, altered.new)
        elif way is Way.GONE and member in use.keywords:
            yield _made(Ground.LOST_ARGUMENT, altered, hold, names=(member,))
        elif way is Way.ADDED and altered.required and not use.more and member not in use.keywords:
            yield _made(Ground.NEW_ARGUMENT, altered, hold, names=(member,))
        elif way is Way.VALUE and member not in use.keywords and _are_literals(altered):
            yield _made(Ground.DEFAULT, altered, hold, names=(member,))
        else:
            yield Match(Strength.TOUCHES, Ground.MEMBER, use, altered, (member,), hold.tie)
    elif use.kind in (UseKind.NAME, UseKind.PATCHED):
        ground = Ground.NEW if way in (Way.ADDED, Way.ABSTRACT) else Ground.MEMBER
        yield Match(Strength.TOUCHES, ground, use, altered, (member,), hold.tie)
