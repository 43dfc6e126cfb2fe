"""What of an upstream change touches a codebase, and what breaks it: pure, with both sides shown.

A match stands on a definition that the change altered and on a line of the codebase that uses it.
`BREAKS` is told only where the use itself goes wrong by what is written on both sides; all else
that is used and altered is `TOUCHES`.
"""

import ast
import math
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from digest.concern.definitions import OWN, Altered, NamedCall, Signature, Way, altered
from digest.concern.learned import CONCERNS_FROM, WEIGHTS
from digest.concern.surface import How, Use, UseKind, is_distinct
from digest.concern.upstream_names import REPLACED, Hold, Key, Stand, Tie, UpstreamNames
from digest.models import FileAt, Item
from digest.reading.interfaces import grammar
from digest.reading.interfaces.definition import Pair
from digest.reading.interfaces.place import module_of


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
    for one in change:
        for match in _of(one, holding):
            key = (match.use, one.path, one.name, match.ground)
            member = one.name.rpartition(".")[2]
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
    """Return whether a member used by its name alone is likely of a class that keeps it.

    `parallel_config.world_size` is not of a `CacheConfig` while a `ParallelConfig` has it, nor is
    any that went of a class that the codebase never names, while one that it reaches has it.
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
    is_reached = holding.holds.get((match.altered.path, match.altered.owner))
    if keep and match.altered.way is Way.GONE and not is_reached:
        return True
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
_BY_CALL = REPLACED | {UseKind.CALLED}


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
    if use.kind in REPLACED:
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


def _given(altered: Altered, call: NamedCall, holding: UpstreamNames) -> Iterator[Match]:
    """Match a call that upstream makes with what stands in the place of what is called."""
    for stand in holding.lacking.get(call.name, ()):
        lacking = [name for name in call.keywords if name in stand.less]
        if lacking and _may_call(altered, call, stand, holding):
            yield _made(Ground.GIVEN, altered, Hold(stand.use, Tie.NAMED), names=lacking)
    for use in () if altered.before else holding.replaced.get(call.name, ()):
        yield _made(Ground.REACHED, altered, Hold(use, Tie.NAMED), soft=True, names=(call.name,))


def _may_call(altered: Altered, call: NamedCall, stand: Stand, holding: UpstreamNames) -> bool:
    """Return whether a call of this name may reach what stands in the place of a function.

    A method is called of an object: of the own one by its class or one above, of another one where
    that is called like the class (`self.scheduler` is a `SchedulerInterface`).
    """
    path, name = stand.at
    owner, _, method = name.rpartition(".")
    if not owner or method == "__init__":
        return True
    if call.of in OWN:
        caller = (altered.path, altered.name.partition(".")[0])
        return caller == (path, owner) or any(
            hold.use.kind is UseKind.SUBCLASS
            and (hold.use.by, hold.use.place.path) == (stand.use.by, stand.use.place.path)
            for hold in holding.holds.get(caller, ())
        )
    return _head(_made_or_read(call.of)) == _head(owner)


_HEAD = re.compile(r"([A-Z]+(?![a-z])|[A-Z]?[a-z]+)(?:Base|Interface|Mixin|_?[Vv]?\d+)*$")


_LONGEST_NAME = 80
"""Characters of a name of which its last word is looked for."""


def _head(name: str) -> str:
    """Return the word that says what something is: of `FusedMoEMethodBase` that is `method`."""
    found = _HEAD.search(name[-_LONGEST_NAME:])
    return found[1].lower() if found else name


def _made_or_read(written: str) -> str:
    """Return the last name of what is called or read: of `layer.impl` and `Impl(size=1)`."""
    try:
        node = ast.parse(written, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return written.rpartition(".")[2]
    while isinstance(node, ast.Call | ast.Subscript):
        node = node.func if isinstance(node, ast.Call) else node.value
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


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
    own = [one for one in here if one.kind is UseKind.OVERRIDE and one.by == use.by]
    is_called = any(one.kind is UseKind.CALLED for one in here)
    return bool(own) and not is_called and all(one.how is not How.ON_TOP for one in own)


def _constructed(altered: Altered, hold: Hold, member: str) -> Iterator[Match]:
    use, way = hold.use, altered.way
    if member == "__init__" and altered.old is not None and altered.new is not None:
        yield from _called(altered, hold, altered.old, altered.new)
    elif way is Way.GONE and member in use.keywords and not altered.before.startswith("self."):
        # What objects are given is no field: the class may take the argument all the same.
        yield _made(Ground.LOST_ARGUMENT, altered, hold, names=(member,))
    elif way is Way.ADDED and altered.required and not use.more and member not in use.keywords:
        yield _made(Ground.NEW_ARGUMENT, altered, hold, names=(member,))
    elif way is Way.VALUE and member not in use.keywords and _are_literals(altered):
        yield _made(Ground.DEFAULT, altered, hold, names=(member,))
    elif way is not Way.ADDED:
        yield Match(Strength.TOUCHES, Ground.MEMBER, use, altered, (member,), hold.tie)


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
        yield from _constructed(altered, hold, member)
    elif use.kind in (UseKind.NAME, UseKind.PATCHED):
        ground = Ground.NEW if way in (Way.ADDED, Way.ABSTRACT) else Ground.MEMBER
        yield Match(Strength.TOUCHES, ground, use, altered, (member,), hold.tie)


_OF_A_TEST = 0.3
_MANY_FILES = 4.0
WENT = frozenset({Ground.GONE, Ground.MOVED})
_OWN = frozenset({Ground.RETURNS, Ground.DEFAULT})
_SOFT = frozenset({Ground.MEMBER, Ground.NEW})
_BY_ITSELF = frozenset({Ground.MODULE, Ground.REACHED})
_CALLED = frozenset({UseKind.CALLED, UseKind.CONSTRUCTED})


def features(
    found: Sequence[Match],
    change: Sequence[Altered],
    members: frozenset[str],
    *,
    files: int,
    moved: int,
    in_file: bool,
) -> dict[str, float]:
    """Return what the weights are for, each from 0 to about 1.

    `change` is all that was altered, used or not, `members` are the names of members that the
    codebase says, `files` how many source files the change has, `moved` how many of them moved or
    went, `in_file` tells that one of them is used.
    """
    counted: defaultdict[str, float] = defaultdict(float)
    for match in found:
        share = _OF_A_TEST if match.use.place.is_test else 1.0
        counted[_feature(match, members)] += share
    scaled = {name: 1 - math.exp(-value) for name, value in counted.items()}
    if counted:
        scaled["much"] = math.log1p(sum(counted.values())) / 6
    if in_file:
        scaled["file"] = 1.0
    if moved:
        scaled["moved"] = 1 - math.exp(-moved)
    for way in (Way.GONE, Way.SIGNATURE):
        if count := sum(one.way is way for one in change):
            scaled[f"{way.value} at all"] = math.log1p(count) / 4
    scaled["size"] = min(1.0, math.log1p(files) / _MANY_FILES)
    return scaled


def _feature(match: Match, members: frozenset[str]) -> str:
    ground, kind = match.ground, match.use.kind
    if match.strength is Strength.BREAKS:
        if match.tie is Tie.NAMED:
            return "breaks by name: gone" if ground in WENT else "breaks by name"
        if ground in WENT:
            return "breaks: gone"
        return f"breaks: {ground.value}" if ground in _OWN else "breaks: arguments"
    if ground is Ground.BODY:
        if kind in REPLACED:
            return "body: replaced"
        return "body: called" if kind in _CALLED else "body: named"
    if ground in _SOFT:
        above = "derived" if kind is UseKind.SUBCLASS else "used"
        mentioned = "said" if match.altered.name.rpartition(".")[2] in members else "unsaid"
        return f"{ground.value}: {above}, {mentioned}"
    return ground.value if ground in _BY_ITSELF else "softly"


def weight_of(values: Mapping[str, float], weights: Mapping[str, float] = WEIGHTS) -> float:
    """Return the weight of a change with these features: a logit, the higher the surer."""
    return weights[""] + sum(weights.get(name, 0.0) * value for name, value in values.items())


def is_shown(weight: float) -> bool:
    """Return whether a change of this weight is told as one that concerns the codebase."""
    return weight >= CONCERNS_FROM


@dataclass(frozen=True, slots=True)
class WeighedChange:
    """A change with what of it touches a codebase; `weight` is higher the more it does.

    `features` are what the weight was made of.
    """

    item: Item
    matches: tuple[Match, ...]
    weight: float
    features: Mapping[str, float]

    @property
    def breaks(self) -> bool:
        """Return whether something here goes wrong with it."""
        return any(one.strength is Strength.BREAKS for one in self.matches)

    @property
    def is_shown(self) -> bool:
        """Return whether it is told as one that concerns the codebase."""
        return self.breaks or is_shown(self.weight)


def packages_of(holding: UpstreamNames) -> frozenset[str]:
    """Return the packages of the upstream repository that a codebase uses."""
    return frozenset(module_of(path).partition(".")[0] for path in holding.by_path)


def files_of(
    item: Item, packages: frozenset[str]
) -> tuple[tuple[FileAt | None, FileAt | None], ...]:
    """Return the Python files of a commit in packages that are used, before and after it."""
    if not item.parents:
        return ()
    before, after = item.parents[0], item.commits[0]
    found = []
    for file in item.files or ():
        old = file.previous_path if file.status == "renamed" else file.path
        old = old or file.path
        if not any(_is_of(path, packages) for path in (old, file.path)):
            continue
        found.append(
            (
                None if file.status in ("added", "copied") else FileAt(before, old),
                None if file.status == "removed" else FileAt(after, file.path),
            )
        )
    return tuple(found)


def _is_of(path: str, packages: frozenset[str]) -> bool:
    return path.endswith(".py") and module_of(path).partition(".")[0] in packages


def altered_by(
    item: Item, contents: Mapping[FileAt, str | None], packages: frozenset[str]
) -> tuple[Altered, ...]:
    """Return what a commit does to the definitions of a package, as far as its files were had."""
    pairs = []
    for old, new in files_of(item, packages):
        at = old or new
        if at and all(one is None or one in contents for one in (old, new)):
            before, after = (contents[one] if one else None for one in (old, new))
            pairs.append(Pair(at.path, (new or at).path, before, after))
    return altered(pairs)


@dataclass(slots=True)
class Moves:
    """Where what stands somewhere now stood in the tree that a codebase was held against.

    What a change moves is taken in after it was held, so that changes are held oldest first.
    """

    files: dict[str, str] = field(default_factory=dict)
    names: dict[tuple[str, str], str] = field(default_factory=dict)
    """The file, by the file and name now, of classes and functions that left it alone."""

    def origin(self, path: str) -> str:
        """Return where a file stood."""
        return self.files.get(path, path)

    def back(self, one: Altered) -> Iterator[Altered]:
        """Yield what was altered as it was called; a file that goes takes what moved there too."""
        of = self.names.get((one.path, one.name.partition(".")[0]), self.origin(one.path))
        yield replace(one, path=of)
        if one.way is Way.GONE and not one.name:
            for (path, name), origin in self.names.items():
                if path == one.path:
                    after = f"{one.after}.{name}" if one.after else ""
                    yield replace(one, path=origin, name=name, after=after)

    def take(self, item: Item, change: Sequence[Altered]) -> None:
        """Note what a change moves."""
        came = {
            f"{module_of(one.path)}.{one.name}": one.path
            for one in change
            if one.way is Way.ADDED and one.name and "." not in one.name
        }
        for one in change:
            if one.way in (Way.GONE, Way.BODY) and one.after in came and one.name:
                origin = self.names.pop((one.path, one.name), self.origin(one.path))
                self.names[came[one.after], one.name] = origin
        for file in item.files or ():
            if file.status == "renamed" and file.previous_path:
                self.files[file.path] = self.origin(file.previous_path)
                for path, name in [key for key in self.names if key[0] == file.previous_path]:
                    self.names[file.path, name] = self.names.pop((path, name))


def weigh(
    item: Item,
    change: Sequence[Altered],
    holding: UpstreamNames,
    packages: frozenset[str],
    moves: Moves,
) -> WeighedChange:
    """Hold one change against a codebase; what it moves is taken into `moves`."""
    found = matches([as_it_was for one in change for as_it_was in moves.back(one)], holding)
    files = [file for file in item.files or () if _is_of(file.path, packages)]
    values = features(
        found,
        change,
        holding.members,
        files=len(files),
        moved=sum(file.status in ("renamed", "removed") for file in files),
        in_file=any(moves.origin(path) in holding.by_path for path in _paths(item)),
    )
    moves.take(item, change)
    return WeighedChange(item, found, weight_of(values), values)


def _paths(item: Item) -> Iterator[str]:
    for file in item.files or ():
        yield file.path
        if file.previous_path:
            yield file.previous_path
