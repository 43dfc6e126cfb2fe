"""Weights learned from labelled windows, and measured on windows that were left out."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from digest.evaluation.fitting import Ranked, fit
from digest.evaluation.labels import ALSO, PLAIN, TOP, LabelledWindow
from digest.evaluation.scoring import key_of
from digest.evaluation.story_learning import Pair, pairs_of
from digest.models import Activity, FileAt
from digest.reading.reader import Judged, judge
from digest.reading.terms import History
from digest.reading.weight import BY_HAND, WeightModel

FEWEST = 4
"""Changes that have a feature before a weight is learned for it."""
_NONE_LEARNED = WeightModel({}, 1.0, 0.0)


@dataclass(frozen=True, slots=True)
class Seen:
    """A labelled window with what a source gave of it, and its judged changes."""

    window: LabelledWindow
    activity: Activity
    contents: Mapping[FileAt, str | None]
    past: History
    judged: tuple[Judged, ...]
    pairs: tuple[Pair, ...]


def seen(
    window: LabelledWindow,
    activity: Activity,
    contents: Mapping[FileAt, str | None],
    past: History,
) -> Seen:
    """Return a window with the features of its changes, and the signs between them."""
    judged = judge(activity, contents, model=_NONE_LEARNED)
    pairs = pairs_of(window, [one.read.item for one in judged], past)
    return Seen(window, activity, contents, past, judged, pairs)


def learned(windows: Sequence[Seen], start: Mapping[str, float] | None = None) -> WeightModel:
    """Return weights learned from windows, and the sums from which changes are high and medium.

    As many changes stand above as editors put on top (a mean of the editors of each window), and
    as they gave a line of its own or, for one half, neither that nor called noise.
    """
    counted = Counter(name for one in windows for each in one.judged for name in each.features)
    names = sorted(n for n, times in counted.items() if times >= FEWEST and n not in BY_HAND)
    weights = fit([_ranked(one) for one in windows], names, start)
    model = WeightModel(weights, 1.0, 0.0)
    sums = sorted(
        (model.sum(each.features) for one in windows for each in one.judged), reverse=True
    )
    top = sum(_share(one.window, {TOP}) for one in windows)
    shown = sum(_share(one.window, {TOP, ALSO}) for one in windows)
    shown += sum(_share(one.window, {PLAIN}) for one in windows) / 2
    return WeightModel(weights, _above(sums, top), _above(sums, shown))


def without_each(windows: Sequence[Seen]) -> Iterable[tuple[Seen, WeightModel]]:
    """Yield each window with weights that were learned from all others."""
    whole = learned(windows)
    for one in windows:
        yield one, learned([each for each in windows if each is not one], whole.learned)


def without_repos(windows: Sequence[Seen]) -> Iterable[tuple[Seen, WeightModel]]:
    """Yield each window with weights that were learned from the other repositories alone."""
    whole = learned(windows)
    for repo in dict.fromkeys(one.window.repo for one in windows):
        rest = [each for each in windows if each.window.repo != repo]
        if not rest:
            return
        model = learned(rest, whole.learned)
        yield from ((one, model) for one in windows if one.window.repo == repo)


def _ranked(one: Seen) -> Ranked:
    worth = tuple(one.window.worth(key_of(one.window, each.read.item)) for each in one.judged)
    return Ranked(tuple(each.features for each in one.judged), worth)


def _share(window: LabelledWindow, places: set[str]) -> float:
    """Return how many changes of a window editors put into these places, in the mean."""
    put = sum(
        editor.place(key) in places for key in window.keys.values() for editor in window.editors
    )
    return put / len(window.editors)


def _above(sums: Sequence[float], count: float) -> float:
    return sums[min(round(count), len(sums) - 1)]


def as_python(model: WeightModel, windows: Iterable[LabelledWindow]) -> str:
    """Return the text of `digest/reading/weights.py`."""
    rows = sorted(model.learned.items(), key=lambda row: (-round(row[1], 2), row[0]))
    names = sorted({window.name for window in windows})
    return (
        _HEAD
        + "LEARNED: Mapping[str, float] = {\n"
        + "".join(f'    "{name}": {weight:.2f},\n' for name, weight in rows)
        + "}\n"
        + f"HIGH_AT, MEDIUM_AT = {model.high_at:.2f}, {model.medium_at:.2f}\n"
        + '"""Sums above which as many changes stand as editors put on top, and would tell."""\n\n'
        + "LEARNED_FROM = frozenset(\n    {\n"
        + "".join(f'        "{name}",\n' for name in names)
        + "    }\n)\n"
        + '"""What was learned from: figures of these windows are made by leaving each out."""\n'
    )


_HEAD = '''"""Weights of the features of a change, learned from what editors chose.

Made by this command; change nothing by hand:

    infra evaluate LABELS --clones DIR --learn digest/reading/weights.py

A positive weight speaks for a place on the front page, a negative one against it: a change with a
feature of 1 and a weight of 0.7 is twice as likely to be picked as another one of its window.
What no weight is learned for is set by hand in `weight.BY_HAND`.
"""

from collections.abc import Mapping

'''
