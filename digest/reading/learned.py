"""What was learned from editors' choices (`learned.toml`), and what is set by hand beside it."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

HIGH, MEDIUM = 62, 36
"""Points from which an item is high, and medium."""
BY_HAND: Mapping[str, float] = {
    "security": 1.1,
    "security_label": 1.1,
    "data_loss": 0.7,
    "breaking": 1.0,
    "incompatible": 0.7,
    "requirement_stated": 0.6,
    "unchanged": -0.5,
    "discussion": 0.3,
    "asked_for": 0.3,
    "in_release": 0.2,
    "makes_release": 0.4,
    "moves_clients": 0.5,
    "platform_raised": 0.5,
    "noticed_on_quiet_day": 0.0,
    "only_tuned": 0.0,
}
"""Weights of what the labelled windows hold too little of: four security fixes, no lost data, and
no descriptions, labels or discussions, because they are clones of git. They follow the order in
which the editors say what matters: security like silent wrong output, then what breaks."""
JOINS: Mapping[str, float] = {"series": 6.5, "tracker": 6.5, "continues": 6.5}
"""What signs of a story are worth that labels hold too seldom to learn: one alone joins."""


@dataclass(frozen=True, slots=True)
class Learned:
    """Weights of a change's features, and points of the signs that two changes are one story.

    Above the sums `high_at` and `medium_at` stand as many changes as editors put on top, and would
    tell. `windows` are those that were learned from: their figures are made by leaving each out.
    """

    weights: Mapping[str, float]
    high_at: float
    medium_at: float
    points: Mapping[str, float]
    windows: frozenset[str] = frozenset()

    def sum(self, features: Mapping[str, float]) -> float:
        """Return the weighted sum of a change's features, before caps and points."""
        return sum(self.weight(name) * value for name, value in features.items())

    def weight(self, name: str) -> float:
        """Return the weight of a feature: set by hand, learned, or none."""
        return BY_HAND[name] if name in BY_HAND else self.weights.get(name, 0.0)

    @property
    def unit(self) -> float:
        """Points for one unit of the sum."""
        return (HIGH - MEDIUM) / (self.high_at - self.medium_at)

    def joins(self, name: str) -> float:
        """Return what a sign that two changes are one story is worth."""
        return JOINS[name] if name in JOINS else self.points.get(name, 0.0)


def learned_of(text: str) -> Learned:
    """Read a table in the form of `learned.toml`."""
    table = tomllib.loads(text)
    return Learned(**table | {"windows": frozenset(table["windows"])})


SHIPPED = learned_of(files("digest.reading").joinpath("learned.toml").read_text("utf-8"))
