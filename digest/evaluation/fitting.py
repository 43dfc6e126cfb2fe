"""Weights fitted to what people chose, in plain Python, by Newton's method.

`ranking` makes the picks of editors as likely as they can be, where `softmax(w · x)` is the chance
of an item of a window to be picked (a conditional logit, McFadden 1974); `logistic` does the same
for what is so or not so, each by itself. A ridge keeps weights small. Both losses are convex: the
same labels give the same weights.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

RIDGE = 3.0
"""The penalty of a ranking: of 2, 3, 4, 6 and 12, the one that ranked left-out windows best."""
STEPS, STEPS_NEAR = 9, 3
"""Newton steps from zero (the sixth changes no weight by 0.001), and from what is nearly right."""

Row: TypeAlias = Sequence[tuple[int, float]]
"""The features of one case, by their places."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A window to learn from: each item's features, and how much editors picked it (0 to 1)."""

    features: tuple[Mapping[str, float], ...]
    picked: tuple[float, ...]


class _Slope:
    """Gradient and curvature of a loss at some weights, to which cases add what they say."""

    def __init__(self, weights: Sequence[float], ridge: Sequence[float]) -> None:
        self._weights = weights
        self.gradient = [-each * weight for each, weight in zip(ridge, weights, strict=True)]
        self.curvature = [[0.0] * len(weights) for _ in weights]
        for at, each in enumerate(ridge):
            self.curvature[at][at] = each

    def sum(self, row: Row) -> float:
        """Return the weighted sum of a case."""
        return sum(self._weights[at] * value for at, value in row)

    def pull(self, row: Row, pull: float, spread: float) -> None:
        """Add a case that pulls its features, and how sure it is of that."""
        for at, value in row:
            self.gradient[at] += pull * value
        self.spread(row, spread)

    def spread(self, row: Row, spread: float) -> None:
        """Add to the curvature the square of a row."""
        if abs(spread) > 1e-6:
            for at, value in row:
                line, scaled = self.curvature[at], spread * value
                for other, its in row:
                    line[other] += scaled * its

    def stepped(self) -> list[float]:
        """Return the weights after one step."""
        step = _solved(self.curvature, self.gradient)
        return [weight + change for weight, change in zip(self._weights, step, strict=True)]


def ranking(
    windows: Iterable[Ranked],
    names: Sequence[str],
    start: Mapping[str, float] | None = None,
) -> dict[str, float]:
    """Return the weight of each name; `start` are weights that are nearly right already."""
    place = {name: at for at, name in enumerate(names)}
    weights = [start.get(name, 0.0) if start else 0.0 for name in names]
    prepared = [
        ([_row(one, place) for one in window.features], window.picked)
        for window in windows
        if sum(window.picked) > 0
    ]
    for _ in range(STEPS_NEAR if start else STEPS):
        slope = _Slope(weights, [RIDGE] * len(names))
        for rows, picked in prepared:
            _add_window(rows, picked, slope)
        weights = slope.stepped()
    return dict(zip(names, weights, strict=True))


def _add_window(rows: Sequence[Row], picked: Sequence[float], slope: _Slope) -> None:
    sums = [slope.sum(row) for row in rows]
    top = max(sums)
    chances = [math.exp(each - top) for each in sums]
    whole, total = sum(chances), sum(picked)
    mean: dict[int, float] = {}
    for row, chance, pick in zip(rows, chances, picked, strict=True):
        share = chance / whole
        slope.pull(row, pick - total * share, total * share)
        for at, value in row:
            mean[at] = mean.get(at, 0.0) + share * value
    slope.spread([*mean.items()], -total)


def logistic(
    cases: Iterable[tuple[Mapping[str, float], bool, float]],
    ridge: Mapping[str, float],
    start: Mapping[str, float] | None = None,
) -> dict[str, float]:
    """Return the weight of each name in `ridge`, and of the empty one, which every case has.

    In: the features of each case, whether it is so, and how much it counts.
    """
    names = ["", *ridge]
    place = {name: at for at, name in enumerate(names)}
    weights = [start.get(name, 0.0) if start else 0.0 for name in names]
    rows = [([(0, 1.0), *_row(case, place)], is_so, counts) for case, is_so, counts in cases]
    for _ in range(STEPS_NEAR if start else STEPS):
        slope = _Slope(weights, [0.0001, *ridge.values()])
        for row, is_so, counts in rows:
            chance = 1 / (1 + math.exp(-max(-30.0, min(30.0, slope.sum(row)))))
            slope.pull(row, counts * (is_so - chance), counts * chance * (1 - chance))
        weights = slope.stepped()
    return dict(zip(names, weights, strict=True))


def _row(features: Mapping[str, float], place: Mapping[str, int]) -> Row:
    return [(place[name], value) for name, value in features.items() if value and name in place]


def _solved(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Solve `matrix · x = right` for a positive definite matrix (Cholesky)."""
    size = len(right)
    lower = [[0.0] * size for _ in range(size)]
    for i in range(size):
        row = lower[i]
        for j in range(i + 1):
            other = lower[j]
            rest = matrix[i][j] - sum(map(float.__mul__, row[:j], other[:j]))
            row[j] = math.sqrt(rest) if i == j else rest / other[j]
    half = [0.0] * size
    for i in range(size):
        half[i] = (right[i] - sum(map(float.__mul__, lower[i][:i], half[:i]))) / lower[i][i]
    found = [0.0] * size
    for i in reversed(range(size)):
        below = sum(lower[j][i] * found[j] for j in range(i + 1, size))
        found[i] = (half[i] - below) / lower[i][i]
    return found
