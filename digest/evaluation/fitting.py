"""Weights learned from what editors chose: a ranking within each window, in plain Python.

The model is linear, `s = w · x`. Of each window, `softmax(s)` is the chance of an item to be an
editor's pick, and the weights make the editors' picks as likely as they can be, less a penalty
on large weights (a conditional logit with ridge, McFadden 1974). Its loss is convex, so that the
same labels give the same weights; it is solved by Newton's method.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

RIDGE = 3.0
"""The penalty: of 2, 3, 4, 6 and 12, the one that ranked left-out windows best."""
STEPS = 8
"""Newton steps from zero; the sixth changes no weight by 0.001 any more."""
STEPS_NEAR = 3
"""Steps from the weights of all windows to those without one."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A window to learn from: each item's features, and how much editors picked it (0 to 1)."""

    features: tuple[Mapping[str, float], ...]
    picked: tuple[float, ...]


def fit(
    windows: Sequence[Ranked],
    names: Sequence[str],
    start: Mapping[str, float] | None = None,
    ridge: float = RIDGE,
) -> dict[str, float]:
    """Return the weight of each name; `start` are weights that are nearly right already."""
    place = {name: at for at, name in enumerate(names)}
    weights = [start.get(name, 0.0) for name in names] if start else [0.0] * len(names)
    prepared = [
        (
            [[(place[n], v) for n, v in one.items() if n in place] for one in window.features],
            window.picked,
        )
        for window in windows
        if sum(window.picked) > 0
    ]
    for _ in range(STEPS_NEAR if start else STEPS):
        step = _newton_step(prepared, weights, ridge)
        weights = [weight + change for weight, change in zip(weights, step, strict=True)]
    return dict(zip(names, weights, strict=True))


def _newton_step(
    windows: Sequence[tuple[Sequence[Sequence[tuple[int, float]]], Sequence[float]]],
    weights: Sequence[float],
    ridge: float,
) -> list[float]:
    size = len(weights)
    gradient = [-ridge * weight for weight in weights]
    curvature = [[0.0] * size for _ in range(size)]
    for at in range(size):
        curvature[at][at] = ridge
    for rows, picked in windows:
        _add_window(rows, picked, weights, gradient, curvature)
    return solved(curvature, gradient)


def _add_window(
    rows: Sequence[Sequence[tuple[int, float]]],
    picked: Sequence[float],
    weights: Sequence[float],
    gradient: list[float],
    curvature: list[list[float]],
) -> None:
    sums = [sum(weights[at] * value for at, value in row) for row in rows]
    top = max(sums)
    chances = [math.exp(each - top) for each in sums]
    whole, total = sum(chances), sum(picked)
    mean: dict[int, float] = {}
    for row, chance, pick in zip(rows, chances, picked, strict=True):
        share = chance / whole
        pull, spread = pick - total * share, total * share
        for at, value in row:
            gradient[at] += pull * value
            mean[at] = mean.get(at, 0.0) + share * value
            line = curvature[at]
            scaled = spread * value
            for other, its in row:
                line[other] += scaled * its
    for at, value in mean.items():
        line = curvature[at]
        for other, its in mean.items():
            line[other] -= total * value * its


def solved(matrix: list[list[float]], right: list[float]) -> list[float]:
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
