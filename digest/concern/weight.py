"""How much a change concerns a codebase, as one number: what it does, and to which kinds of uses.

The weights are learned from upgrades whose commits name the upstream changes that had to be
followed, by `python benchmarks/concern.py --learn`; leaving each upgrade out, its own changes are
ranked by what the others taught. Tests of a codebase count less than the code that it ships.
"""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence

from digest.concern.definitions import Altered, Way
from digest.concern.learned import CONCERNS_FROM, WEIGHTS
from digest.concern.matching import Ground, Match, Strength
from digest.concern.surface import UseKind
from digest.concern.upstream_names import Tie

_OF_A_TEST = 0.3
_MANY_FILES = 4.0
_GONE = frozenset({Ground.GONE, Ground.MOVED})
_OWN = frozenset({Ground.RETURNS, Ground.DEFAULT})
_SOFT = frozenset({Ground.MEMBER, Ground.NEW})
_BY_ITSELF = frozenset({Ground.MODULE, Ground.REACHED})
_REPLACED = frozenset({UseKind.OVERRIDE, UseKind.PATCHED})
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
            return "breaks by name: gone" if ground in _GONE else "breaks by name"
        if ground in _GONE:
            return "breaks: gone"
        return f"breaks: {ground.value}" if ground in _OWN else "breaks: arguments"
    if ground is Ground.BODY:
        if kind in _REPLACED:
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
