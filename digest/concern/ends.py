"""What both ends of a span show of the names that a codebase uses, whatever its changes say.

A change is read against the commit before it, and a branch of a release may have taken back, or
never had, what the other one long has: only the ends tell what is gone and what a call must give.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from digest.concern.definitions import Altered, Way, altered
from digest.concern.matching import WENT, Ground, Match, Strength, WeighedChange, matches
from digest.concern.surface import Use
from digest.concern.upstream_names import Key, Tie, UpstreamNames
from digest.reading.interfaces.definition import Pair


@dataclass(frozen=True, slots=True)
class Ends:
    """What both ends of a span show: files by path with a name of their content, and texts.

    `moved` tells where a file of the base stands at the head, `again` has the text of what stands
    in the old place of one: mostly it hands the names on.
    """

    before: Mapping[str, str]
    after: Mapping[str, str]
    moved: Mapping[str, str]
    texts: Mapping[str, tuple[str | None, str | None]]
    again: Mapping[str, str] = field(default_factory=dict)


def differing_paths(
    holding: UpstreamNames,
    before: Mapping[str, str],
    after: Mapping[str, str],
    moved: Mapping[str, str],
) -> tuple[str, ...]:
    """Return the files of the base that are used and not as they were, sorted."""
    return tuple(
        path
        for path in sorted(holding.by_path)
        if path in before
        and (
            before[path] != after.get(moved.get(path, path), "")
            or is_there_again(path, after, moved)
        )
    )


def is_there_again(path: str, after: Mapping[str, str], moved: Mapping[str, str]) -> bool:
    """Return whether another file stands at the head where one of the base moved away."""
    return path in moved and path in after


def _by_ends(ends: Ends) -> tuple[Altered, ...]:
    """Compare the files at both ends; a file that moved and is the same has not altered a name."""
    found: list[Altered] = []
    for path, (before, after) in ends.texts.items():
        if path not in ends.again:
            found += altered([Pair(path, ends.moved.get(path, path), before, after)])
            continue
        found += altered([Pair(path, path, before, after)])
        handed = altered([Pair(path, path, before, ends.again[path])])
        found += (one for one in handed if one.way is Way.GONE)
    return tuple(found)


_BY_PLACE = frozenset({Ground.ORDER, Ground.NEW_ARGUMENT, Ground.LOST_ARGUMENT})

_Saying = tuple[Use, Ground, str]
"""A use, how it breaks, and the argument or member by which; of a name it is one thing to go."""


def _sayings(match: Match) -> Iterable[_Saying]:
    ground = Ground.GONE if match.ground in WENT else match.ground
    return [(match.use, ground, name) for name in match.names or ("",)]


def _and_above(name: str) -> list[str]:
    """Return a dotted name and those above it."""
    parts = name.split(".")
    return [".".join(parts[:length]) for length in range(1, len(parts) + 1)]


class HeldEnds:
    """The ends of a span held against a codebase; `at_head` is its surface held against the head.

    `touched` are the definitions, of files that are used, that are not as they were.
    """

    def __init__(self, ends: Ends, holding: UpstreamNames, at_head: UpstreamNames) -> None:
        by_ends = _by_ends(ends)
        self.touched = {(one.path, one.name) for one in by_ends}
        self._gone = {(one.path, one.name) for one in by_ends if one.way is Way.GONE}
        self._moved = ends.moved
        self._nowhere = {use.name for use in at_head.lost}
        self._reached = {
            (hold.use.name, key)
            for key, holds in at_head.holds.items()
            for hold in holds
            if hold.tie is Tie.IS
        }
        self._breaks = [
            match
            for match in matches(by_ends, holding)
            if match.strength is Strength.BREAKS
            and match.tie is not Tie.NAMED
            and not self._is_still_had(match)
        ]
        self._said = {one for match in self._breaks for one in _sayings(match)}

    def is_in_place(self, name: str, key: Key) -> bool:
        """Return whether a used name stands at the head for the definition that it stood for."""
        path, inner = key
        return (name, (self._moved.get(path, path), inner)) in self._reached

    def standing(self, one: WeighedChange) -> WeighedChange:
        """Leave out what nothing shows any more at the end of the span.

        A module that went and is there again is altered at most: what it lacks now is told by name.
        """
        return replace(one, matches=tuple(filter(self._stands, one.matches)))

    def alone(self, matches: Iterable[Match]) -> tuple[Match, ...]:
        """Return the breaks of which none of these tells: no change of the span makes them."""
        known = {one for match in matches for one in _sayings(match)}
        gone = {use.name for use, how, _ in known if how is Ground.GONE}
        found = []
        for match in self._breaks:
            left = [one for one in _sayings(match) if one not in known]
            if left and not gone.intersection(_and_above(match.use.name)):
                found.append(replace(match, names=tuple(name for *_, name in left if name)))
        return tuple(found)

    def _stands(self, match: Match) -> bool:
        path, name = match.altered.path, match.altered.name
        if match.tie is Tie.NAMED:
            return True
        whole = {(path, ""), (path, match.altered.owner or name)}
        is_gone = bool(({(path, name)} | whole) & self._gone)
        if match.altered.way is not Way.GONE:
            is_touched = bool(({(path, name)} | whole) & self.touched)
            return is_touched and (is_gone or self._breaks_still(match))
        if self._is_still_had(match):
            return False
        if name:
            return (path, name) in self.touched or is_gone
        return any(
            at == path and match.use.name.endswith(f".{one}" if one else "")
            for at, one in self._gone
        )

    def _is_still_had(self, match: Match) -> bool:
        """Return whether what went from its place is had at the head as it is used."""
        return match.ground in WENT and match.use.name not in self._nowhere

    def _breaks_still(self, match: Match) -> bool:
        """Return whether the ends break a use as a change did, by any argument of it."""
        if match.strength is not Strength.BREAKS:
            return True
        if match.ground is Ground.ORDER:
            return any(use == match.use and how in _BY_PLACE for use, how, _ in self._said)
        return any(one in self._said for one in _sayings(match))
