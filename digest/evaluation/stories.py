"""How well stories agree with those that people made of the same changes: pairs counted."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Self


@dataclass(frozen=True, slots=True)
class PairCount:
    """Pairs of changes that stand in one story: found by both, ours, theirs.

    `seen` are pairs of ours that at least one person made, where several did.
    """

    both: int = 0
    ours: int = 0
    theirs: int = 0
    seen: int = 0

    def __add__(self, other: Self) -> "PairCount":
        """Add the counts of another window."""
        return PairCount(
            self.both + other.both,
            self.ours + other.ours,
            self.theirs + other.theirs,
            self.seen + other.seen,
        )

    @property
    def precision(self) -> float | None:
        """The share of our pairs that people made too, None where we have none."""
        return self.both / self.ours if self.ours else None

    @property
    def recall(self) -> float | None:
        """The share of their pairs that we found, None where they have none."""
        return self.both / self.theirs if self.theirs else None


def count_pairs(
    ours: Iterable[Collection[str]],
    editors: Sequence[Iterable[Collection[str]]],
    noise: Collection[str] = (),
) -> PairCount:
    """Compare our stories of one window with those of one or more editors.

    In: each story as the keys of its members; `editors` one list of stories each; `noise` the keys
    of changes of CI, tests and documentation, of which pairs among themselves count on neither
    side, since such stories are not told. Of three editors or more, two have to agree on a pair;
    of fewer, one is enough.
    """
    noisy = set(noise)

    def pairs(stories: Iterable[Collection[str]]) -> set[tuple[str, str]]:
        return {
            (one, two)
            for story in stories
            for one, two in combinations(sorted(set(story)), 2)
            if not (one in noisy and two in noisy)
        }

    votes = Counter(pair for stories in editors for pair in pairs(stories))
    needed = 2 if len(editors) > 2 else 1
    theirs = {pair for pair, count in votes.items() if count >= needed}
    mine = pairs(ours)
    return PairCount(len(mine & theirs), len(mine), len(theirs), len(mine & votes.keys()))
