"""Weights that tell what somebody named from what nobody did: logistic regression with ridge.

`P(named) = 1 / (1 + exp(-w . x))`; the loss is convex, so that the same labels give the same
weights. It is solved by Newton's method with halved steps (Nocedal and Wright 2006, ch. 3).
"""

import math
from collections.abc import Mapping, Sequence

from digest.evaluation.fitting import solved

RIDGE = 2.0
_STEPS = 25
_ENOUGH = 1e-3


def logit(
    rows: Sequence[Mapping[str, float]], named: Sequence[bool], names: Sequence[str]
) -> dict[str, float]:
    """Return the weight of each name, and of the empty one, which stands for every row."""
    place = {"": 0, **{name: at for at, name in enumerate(names, 1)}}
    prepared = [
        [(0, 1.0), *((place[name], value) for name, value in row.items() if name in place)]
        for row in rows
    ]
    weights = [0.0] * len(place)
    weights[0] = math.log((sum(named) + 1) / (len(named) - sum(named) + 1))
    lost = _loss(prepared, named, weights)
    for _ in range(_STEPS):
        step = _step(prepared, named, weights)
        size = 1.0
        while size > _ENOUGH:
            tried = [weight + size * change for weight, change in zip(weights, step, strict=True)]
            loss = _loss(prepared, named, tried)
            if loss < lost:
                break
            size /= 2
        else:
            break
        done = lost - loss < _ENOUGH
        weights, lost = tried, loss
        if done:
            break
    return {name: weights[at] for name, at in place.items()}


def _loss(
    rows: Sequence[Sequence[tuple[int, float]]], named: Sequence[bool], weights: Sequence[float]
) -> float:
    total = RIDGE / 2 * sum(weight * weight for weight in weights[1:])
    for row, is_named in zip(rows, named, strict=True):
        told = sum(weights[at] * value for at, value in row)
        total += math.log1p(math.exp(-abs(told))) + max(told, 0.0) - is_named * told
    return total


def _step(
    rows: Sequence[Sequence[tuple[int, float]]], named: Sequence[bool], weights: Sequence[float]
) -> list[float]:
    size = len(weights)
    gradient = [0.0, *(-RIDGE * weight for weight in weights[1:])]
    curvature = [[0.0] * size for _ in range(size)]
    for at in range(size):
        curvature[at][at] = RIDGE if at else _ENOUGH
    for row, is_named in zip(rows, named, strict=True):
        told = sum(weights[at] * value for at, value in row)
        chance = 1 / (1 + math.exp(-max(-30.0, min(30.0, told))))
        for at, value in row:
            gradient[at] += (is_named - chance) * value
            for other, its in row:
                curvature[at][other] += chance * (1 - chance) * value * its
    return solved(curvature, gradient)
