"""What signs of a story are worth, learned from pairs of changes that editors put together.

A logistic regression with ridge: the chance that two changes are of one story, from their signs.
It is told as points: log odds, raised by `RAISED` so that what has no sign at all stands near
zero. Its loss is convex: the same labels give the same points.
"""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from digest.evaluation.fitting import solved
from digest.evaluation.labels import LabelledWindow
from digest.evaluation.scoring import key_of
from digest.models import Item, Kind
from digest.reading.stories import BY_HAND
from digest.reading.story_signs import Compared
from digest.reading.terms import History

RAISED = 5.0
"""Points that are added to log odds."""
RIDGE, RIDGE_OF_WORDS = 2.0, 3.0
"""The penalties on large weights: of the signs, and of each word by itself."""
FEWEST_PAIRS, FEWEST_WINDOWS = 6, 3
"""Pairs, and windows, that have a sign before it is learned."""
PAIR_OF_NOISE = 0.3
"""How much a pair counts of which every editor calls both changes noise."""
STEPS, STEPS_NEAR = 9, 3
"""Newton steps from zero, and from points that are nearly right."""
FOLDS = 5
"""Parts of the windows of which each is left out in turn."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two changes of a window: their signs, whether editors put them together, how it counts."""

    signs: Mapping[str, float]
    together: bool
    counts: float


def pairs_of(window: LabelledWindow, items: Sequence[Item], past: History) -> tuple[Pair, ...]:
    """Return all pairs of changes of a window (folded items, and what history was before it)."""
    changes = [one for one in items if one.kind in (Kind.COMMIT, Kind.PULL_REQUEST)]
    compared = Compared(changes, past)
    keys = [key_of(window, one.item) for one in compared.profiles]
    noisy = {key for key in keys if all(key in editor.noise for editor in window.editors)}
    needed = 2 if len(window.editors) > 2 else 1
    found = []
    for j, two in enumerate(keys):
        for i, one in enumerate(keys[:j]):
            votes = sum(
                any(one in story and two in story for story in editor.stories)
                for editor in window.editors
            )
            counts = PAIR_OF_NOISE if one in noisy and two in noisy else 1.0
            found.append(Pair(compared.between(i, j), votes >= needed, counts))
    return tuple(found)


def learned_points(
    windows: Sequence[Sequence[Pair]], start: Mapping[str, float] | None = None
) -> dict[str, float]:
    """Return what each sign is worth; `start` are points that are nearly right already."""
    names = ["", *sorted(_known(windows))]
    place = {name: at for at, name in enumerate(names)}
    ridge = [0.0001] + [RIDGE_OF_WORDS if _is_word(name) else RIDGE for name in names[1:]]
    weights = [start.get(name, 0.0) if start else 0.0 for name in names]
    weights[0] -= RAISED if start else 0.0
    rows = [
        (
            [(0, 1.0), *((place[n], v) for n, v in pair.signs.items() if v and n in place)],
            pair.together,
            pair.counts,
        )
        for window in windows
        for pair in window
    ]
    for _ in range(STEPS_NEAR if start else STEPS):
        step = _newton_step(rows, weights, ridge)
        weights = [weight + change for weight, change in zip(weights, step, strict=True)]
    weights[0] += RAISED
    return dict(zip(names, weights, strict=True))


def without_fold(
    windows: Sequence[Sequence[Pair]], whole: Mapping[str, float]
) -> Iterator[tuple[int, dict[str, float]]]:
    """Yield each window's place, with points learned without its part of the windows."""
    for fold in range(min(FOLDS, len(windows))):
        rest = [window for at, window in enumerate(windows) if at % FOLDS != fold]
        if not rest:
            return
        points = learned_points(rest, whole)
        yield from ((at, points) for at in range(len(windows)) if at % FOLDS == fold)


def _is_word(name: str) -> bool:
    return name.startswith(("title ", "place "))


def _known(windows: Sequence[Sequence[Pair]]) -> set[str]:
    times: defaultdict[str, int] = defaultdict(int)
    places: defaultdict[str, set[int]] = defaultdict(set)
    for at, window in enumerate(windows):
        for pair in window:
            for name in pair.signs:
                times[name] += 1
                places[name].add(at)
    return {
        name
        for name, count in times.items()
        if name not in BY_HAND and count >= FEWEST_PAIRS and len(places[name]) >= FEWEST_WINDOWS
    }


def _newton_step(
    rows: Sequence[tuple[Sequence[tuple[int, float]], bool, float]],
    weights: Sequence[float],
    ridge: Sequence[float],
) -> list[float]:
    gradient = [-strength * weight for strength, weight in zip(ridge, weights, strict=True)]
    curvature = [[0.0] * len(weights) for _ in weights]
    for at, strength in enumerate(ridge):
        curvature[at][at] = strength
    for row, together, counts in rows:
        odds = sum(weights[at] * value for at, value in row)
        chance = 1 / (1 + math.exp(-max(-30.0, min(30.0, odds))))
        pull, spread = counts * (together - chance), counts * chance * (1 - chance)
        for at, value in row:
            gradient[at] += pull * value
            if spread > 1e-6:
                line, scaled = curvature[at], spread * value
                for other, its in row:
                    line[other] += scaled * its
    return solved(curvature, gradient)


def points_as_python(points: Mapping[str, float]) -> str:
    """Return the text of `digest/reading/story_points.py`."""
    rows = sorted(
        ((name, round(worth, 2)) for name, worth in points.items()),
        key=lambda row: (_is_word(row[0]), -row[1], row[0]),
    )
    told = "".join(
        f'    "{name}": {worth:.2f},\n'
        for name, worth in rows
        if not _is_word(name) or abs(worth) >= SMALLEST_OF_WORD
    )
    return f"{_HEAD}POINTS: Mapping[str, float] = {{\n{told}}}\n"


SMALLEST_OF_WORD = 0.1
"""Points below which a word by itself is left out of the table."""
_HEAD = '''"""What each sign that two changes are of one story is worth, learned from editors.

Made by this command; change nothing by hand:

    infra evaluate LABELS --clones DIR --learn digest/reading/weights.py

Points are log odds for one unit of a sign; `""` is what two changes have without any. `title x`
is of a word that both titles have, `place x` of one that a title and the other's path have.
"""

from collections.abc import Mapping

'''
