"""What labelled windows teach, and what of it holds for windows that are left out: pure.

Weights of features make editors' picks likely; points of signs tell pairs of changes that editors
put into one story from those that they did not. Points are log odds, raised by `RAISED` so that
what has no sign at all stands near zero.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from digest.evaluation.fitting import Ranked, logistic, ranking
from digest.evaluation.labels import ALSO, NOISE, PLAIN, TOP, LabelledWindow
from digest.evaluation.scoring import Measured, key_of, measured
from digest.models import Activity, FileAt, Item, Reading
from digest.reading.learned import BY_HAND, JOINS, Learned
from digest.reading.reader import Judged, judge, read
from digest.reading.story_signs import ComparedChanges, Rarity

FEWEST = 4
"""Changes that have a feature before a weight is learned for it."""
RAISED = 5.0
"""Points that are added to log odds."""
RIDGE, RIDGE_OF_WORDS = 2.0, 3.0
"""The penalties on large points: of the signs, and of each word by itself."""
FEWEST_PAIRS, FEWEST_WINDOWS = 6, 3
"""Pairs, and windows, that have a sign before it is learned."""
PAIR_OF_NOISE = 0.3
"""How much a pair counts of which every editor calls both changes noise."""
FOLDS = 5
"""Parts of the windows of which each is left out in turn to learn points."""
SMALLEST_STEP = 0.01
"""The least between high and medium: few windows may teach the same sum for both."""
SMALLEST_OF_WORD = 0.1
"""Points below which a word by itself is left out of the table."""
WORTH: Mapping[str, float] = {TOP: 1.0, ALSO: 0.4, PLAIN: 0.12, NOISE: 0.0}
"""How much a change is worth that an editor put there."""
NOTHING_BELOW = 0.1
"""Worth from which a change counts as picked."""
_NOTHING = Learned({}, 1.0, 0.0, {})


@dataclass(frozen=True, slots=True)
class SeenWindow:
    """A labelled window with what its clone gave of it."""

    window: LabelledWindow
    activity: Activity
    contents: Mapping[FileAt, str | None]
    had: Mapping[str, bool]
    past: Rarity

    def read(self, known: Learned) -> Reading:
        """Return the window as it is read with these weights."""
        return read(self.activity, self.contents, had=self.had, past=self.past, learned=known)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two changes of a window: their signs, whether editors put them together, how it counts."""

    signs: Mapping[str, float]
    together: bool
    counts: float


@dataclass(frozen=True, slots=True)
class Case:
    """A labelled window as it was read, its judged changes, and all pairs of them."""

    seen: SeenWindow
    judged: tuple[Judged, ...]
    pairs: tuple[Pair, ...]

    @property
    def window(self) -> LabelledWindow:
        """Return what editors chose."""
        return self.seen.window


def case_of(seen: SeenWindow) -> Case:
    """Return a window with the features of its changes, and the signs between them."""
    judged = judge(seen.activity, seen.contents, had=seen.had, learned=_NOTHING)
    pairs = _pairs(seen.window, [one.read.item for one in judged], seen.past)
    return Case(seen, judged, pairs)


def _pairs(window: LabelledWindow, items: Sequence[Item], past: Rarity) -> tuple[Pair, ...]:
    """Return all pairs of changes of a window (folded items, and what history was before it)."""
    changes = [one for one in items if one.kind.is_change]
    compared = ComparedChanges(changes, past)
    keys = [key_of(window, one.item) for one in compared.profiles]
    noisy, together = window.noise, window.together
    return tuple(
        Pair(
            compared.between(i, j),
            frozenset((one, two)) in together,
            PAIR_OF_NOISE if one in noisy and two in noisy else 1.0,
        )
        for j, two in enumerate(keys)
        for i, one in enumerate(keys[:j])
    )


def learned(windows: Sequence[Case]) -> Learned:
    """Return what windows teach."""
    points = learned_points([one.pairs for one in windows])
    names = frozenset(one.window.name for one in windows)
    return replace(_weights(windows), points=points, windows=names)


def left_out(windows: Sequence[Case]) -> Iterator[tuple[Case, Learned, Learned | None]]:
    """Yield each window with what was learned without it, and weights without its repository.

    Points are learned without its part of the windows; without weights where there is no other
    repository.
    """
    whole = learned(windows)
    pairs = [one.pairs for one in windows]
    points = [
        learned_points([each for at, each in enumerate(pairs) if at % FOLDS != fold], whole.points)
        for fold in range(min(FOLDS, len(windows)))
    ]
    apart: dict[str, Learned | None] = {}
    for at, one in enumerate(windows):
        name = one.window.repo
        if name not in apart:
            rest = [each for each in windows if each.window.repo != name]
            apart[name] = _weights(rest, whole.weights) if rest else None
        own = _weights([each for each in windows if each is not one], whole.weights)
        other, known = apart[name], points[at % FOLDS]
        yield one, replace(own, points=known), other and replace(other, points=known)


def _weights(windows: Sequence[Case], start: Mapping[str, float] | None = None) -> Learned:
    """Return weights learned from windows, and the sums from which changes are high and medium.

    As many changes stand above as editors put on top (a mean of the editors of each window), and
    as they gave a line of its own or, for one half, neither that nor called noise.
    """
    counted = Counter(name for one in windows for each in one.judged for name in each.features)
    names = sorted(n for n, times in counted.items() if times >= FEWEST and n not in BY_HAND)
    weights = ranking([_ranked(one) for one in windows], names, start)
    found = replace(_NOTHING, weights=weights)
    sums = sorted(
        (found.sum(each.features) for one in windows for each in one.judged), reverse=True
    )
    top = sum(_share(one.window, {TOP}) for one in windows)
    shown = sum(_share(one.window, {TOP, ALSO}) for one in windows)
    shown += sum(_share(one.window, {PLAIN}) for one in windows) / 2
    high, medium = (sums[min(round(count), len(sums) - 1)] for count in (top, shown))
    return replace(found, high_at=max(high, medium + SMALLEST_STEP), medium_at=medium)


def _ranked(one: Case) -> Ranked:
    worth = tuple(_worth(one.window, key_of(one.window, each.read.item)) for each in one.judged)
    return Ranked(tuple(each.features for each in one.judged), worth)


def _worth(window: LabelledWindow, key: str) -> float:
    """Return how much editors picked a change, 0 to 1."""
    worth = sum(WORTH[editor.place(key)] for editor in window.editors) / len(window.editors)
    return max(0.0, worth - NOTHING_BELOW)


def _share(window: LabelledWindow, places: set[str]) -> float:
    """Return how many changes of a window editors put into these places, in the mean."""
    put = sum(
        editor.place(key) in places for key in window.keys.values() for editor in window.editors
    )
    return put / len(window.editors)


def learned_points(
    windows: Sequence[Sequence[Pair]], start: Mapping[str, float] | None = None
) -> dict[str, float]:
    """Return what each sign is worth; `start` are points that are nearly right already."""
    times: Counter[str] = Counter()
    places: Counter[str] = Counter()
    for window in windows:
        signs = Counter(name for pair in window for name in pair.signs)
        times.update(signs)
        places.update(signs.keys())
    ridge = {
        name: RIDGE_OF_WORDS if _is_word(name) else RIDGE
        for name in sorted(times)
        if name not in JOINS and times[name] >= FEWEST_PAIRS and places[name] >= FEWEST_WINDOWS
    }
    cases = ((pair.signs, pair.together, pair.counts) for window in windows for pair in window)
    near = {**start, "": start[""] - RAISED} if start else None
    points = logistic(cases, ridge, near)
    return {**points, "": points[""] + RAISED}


def _is_word(name: str) -> bool:
    return name.startswith(("title ", "place "))


def as_text(known: Learned) -> str:
    """Return the text of `digest/reading/learned.toml`."""
    weights = sorted(known.weights.items(), key=lambda row: (-round(row[1], 2), row[0]))
    points = sorted(
        ((name, round(worth, 2)) for name, worth in known.points.items()),
        key=lambda row: (_is_word(row[0]), -row[1], row[0]),
    )
    told = [
        (name, worth)
        for name, worth in points
        if not _is_word(name) or abs(worth) >= SMALLEST_OF_WORD
    ]
    names = "".join(f'  "{name}",\n' for name in sorted(known.windows))
    return (
        f"{_HEAD}high_at = {known.high_at:.2f}\nmedium_at = {known.medium_at:.2f}\n"
        f"windows = [\n{names}]\n\n[weights]\n{_rows(weights)}\n[points]\n{_rows(told)}"
    )


def _rows(rows: Iterable[tuple[str, float]]) -> str:
    return "".join(f'"{name}" = {worth:.2f}\n' for name, worth in rows)


_HEAD = """\
# What was learned from editors' choices. Made by this command; change nothing by hand:
#
#     infra evaluate LABELS --clones DIR --learn digest/reading/learned.toml
#
# A positive weight speaks for a place on the front page, a negative one against it: a change with a
# feature of 1 and a weight of 0.7 is twice as likely to be picked as another one of its window.
# What no weight is learned for is set by hand in `learned.BY_HAND`. Above the sums `high_at` and
# `medium_at` stand as many changes as editors put on top, and would tell.
#
# Points are of signs that two changes are of one story: log odds for one unit of a sign; "" is what
# two changes have without any. `title x` is of a word that both titles have, `place x` of one that
# a title and the other's path have.
"""


def rows_of(cases: Sequence[Case], weights: Learned) -> list[Measured]:
    """Measure windows that weights are learned from by leaving them out, others with the weights.

    One window alone cannot be left out: its row says that the weights know it.
    """
    known = [one for one in cases if one.window.name in weights.windows]
    new = [one.seen for one in cases if one.window.name not in weights.windows]
    rows = []
    if len(known) > 1:
        every = [*left_out(known)]
        each = [(one.window, one.seen.read(without)) for one, without, _ in every]
        rows.append(measured("weights learned without the window", each))
        three = [one for one in each if len(one[0].editors) > 1]
        if 0 < len(three) < len(each):
            rows.append(measured("of these, three editors", three))
        apart = [(one.window, one.seen.read(other)) for one, _, other in every if other]
        if apart:
            rows.append(measured("without its repository", apart))
    elif known:
        seen = known[0].seen
        rows.append(measured("weights that know the window", [(seen.window, seen.read(weights))]))
    if new:
        rows.append(measured("as shipped", [(one.window, one.read(weights)) for one in new]))
    return rows
