"""How much an item matters: a sum of named features, and few high ones by construction.

A change's features (`features`) are multiplied by the weights that were learned from what
editors chose (`learned`), or set by hand where the labelled windows hold too few of a kind. The
sum is told in points, so that 62 is where as many changes stand above as editors put on a front
page, and 36 where as many stand above as they gave a line of its own, and half of those that they
neither did nor called noise.
"""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from digest.facts import Symptom
from digest.grades import Importance, Noise, Purpose, Reason
from digest.models import Item, Kind, ReadItem, State, Window
from digest.reading.description import HARDWARE, SHORT_VERSION, TITLE_READ, TRIAL, VERSION
from digest.reading.learned import HIGH, MEDIUM, SHIPPED, Learned
from digest.reading.symptoms import issue_symptom, symptoms

HIGH_PER_DAY = 6
"""High items that one repository may have in a day; the rest of them become medium."""
FRONT_FEWEST, FRONT_MOST = 3, 6
"""Items of the front page, where a window has as many that may stand there."""
PURPOSE = "purpose_"
"""How the features of a purpose begin; they are told with the base of the score."""

NOISE_CAP = 20
"""Most points of a bot, a sync or a formatting run, unless it is about security."""
ASIDE_CAP = 28
"""Most points of a change of documentation, CI, tests, examples or benchmarks alone."""
SUPPLY_CAP = MEDIUM - 1
"""Most points of a change without anything that runs, unless users have to act on it."""
TUNED_CAP = HIGH - 1
"""Most points of values that were tuned for a device, unless they did somebody harm."""
REVERTED_CAP = HIGH - 1
"""Most points of a change that was taken back, unless users had to act on it already."""
ACT_ON = frozenset(
    {
        *("breaking", "security", "security_label", "incompatible", "requirement_stated"),
        *("must_act", "requirement_raised", "platform_raised", "support_gone"),
    }
)
"""Features that make a user act."""
GRAVE = frozenset(
    {
        *("security", "security_label", "data_loss", "breaking", "incompatible"),
        "requirement_stated",
        *("wrong_output", "hang", "setting_gone", "platform_raised", "moves_clients"),
        *("switched_by_default", "makes_release"),
    }
)
"""Features that make a change high whatever else it is, as far as no cap binds."""
NOTICED = frozenset(
    {
        *("flag_added", "env_added", "setting_changed", "setting_deprecated", "api_deprecated"),
        *("default_changed", "setting_added", "api_gone", "purpose_revert", "speed_stated"),
        *("crash", "bad_answer", "out_of_memory", "memory_leak", "cannot_start", "new_model"),
        *("noticed_on_quiet_day", "moved"),
    }
)
"""Features that a user can notice: at least medium, as far as no cap binds."""
_LIFTS = ACT_ON | {"requirement_changed", "purpose_release", "purpose_revert", "default_changed"}
"""Features that lift the cap of what does not run."""

_ISSUE_BASE: Mapping[Purpose, int] = {
    Purpose.RFC: 34,
    Purpose.BUG_REPORT: 30,
    Purpose.REQUEST: 24,
    Purpose.QUESTION: 12,
}
_ISSUE_OTHER = 28
_RELEASE_BASE = 66

BACKGROUND = frozenset(
    {
        *(name for name in SHIPPED.weights if name.startswith("area_")),
        *("size", "files_that_run", "tested", "campaign", "arithmetic", "race", "kernel", "build"),
        *("numerics_touched", "waits_touched", "fault_in_numerics", "abstract_method"),
        "public_name_removed",
        *("hardware_named", "model_named", "widely_used_model", "mostly_gone", "mostly_new"),
        *("pin", "must_act", "broken", "many_additions", "default_in_title"),
        *("noticed_on_quiet_day", "only_tuned"),
    }
)
"""Reasons that say where a change stands and how large it is, not what it does to a user."""

_HARM_POINTS, _FAILURE_POINTS = 16, 10
_HARM = {
    Symptom.WRONG_OUTPUT,
    Symptom.HANG,
    Symptom.DATA_LOSS,
    Symptom.SECURITY,
    Symptom.CANNOT_START,
}
_PRESSING = re.compile(
    r"\b(?:security|regression|critical|blocker|high[ -]prio\w*|p0|sev-?[01])\b", re.IGNORECASE
)
"""Labels by which maintainers say that an issue does not wait."""
_LABELS_READ = 50


@dataclass(frozen=True, slots=True)
class Weight:
    """The weight of an item: its exact sum, its points from 0 to 100, and why.

    The points of `reasons` add up to `points`; `exact` orders items of the same points.
    """

    exact: float
    points: int
    reasons: tuple[Reason, ...]


def weigh(
    features: Mapping[str, float],
    purpose: Purpose,
    noise: Noise | None = None,
    reverted: bool = False,
    learned: Learned = SHIPPED,
) -> Weight:
    """Weigh a change by its features.

    The first reason is the base, named for the purpose; where a cap or an end of the scale
    binds, the last reason says so with the points taken.
    """
    exact = learned.sum(features)
    total = math.floor(MEDIUM + learned.unit * (exact - learned.medium_at) + 0.5)
    explained = [
        Reason(name, round(learned.unit * learned.weight(name) * value))
        for name, value in sorted(features.items())
        if not name.startswith(PURPOSE)
    ]
    explained = [reason for reason in explained if reason.points]
    explained.sort(key=lambda reason: (-abs(reason.points), reason.name))
    base = total - sum(reason.points for reason in explained)
    reasons = [Reason(purpose.value, base), *explained]
    stands = not reverted or bool(features.keys() & ACT_ON)
    if total < HIGH and stands and features.keys() & GRAVE:
        reasons.append(Reason("grave", HIGH - total))
        total = HIGH
    elif total < MEDIUM and features.keys() & NOTICED:
        reasons.append(Reason("noticed", MEDIUM - total))
        total = MEDIUM
    cap, name = _cap(features, noise, reverted)
    points = max(0, min(total, cap))
    if points != total:
        reasons.append(Reason(name if points < total else "scale", points - total))
    return Weight(exact, points, tuple(reasons))


def _cap(features: Mapping[str, float], noise: Noise | None, reverted: bool) -> tuple[int, str]:
    names = features.keys()
    caps = [(100, "scale")]
    if noise is not None and not names & {"security", "security_label"}:
        caps.append((NOISE_CAP, "noise_cap"))
    if "only_aside" in names:
        caps.append((ASIDE_CAP, "nothing_that_runs_cap"))
    elif "nothing_that_runs" in names and not names & _LIFTS:
        caps.append((SUPPLY_CAP, "build_alone"))
    if "only_tuned" in names and not names & (ACT_ON | GRAVE):
        caps.append((TUNED_CAP, "tuned_values_cap"))
    if reverted and not names & ACT_ON:
        caps.append((REVERTED_CAP, "taken_back"))
    return min(caps)


def weigh_issue(item: Item, purpose: Purpose) -> Weight:
    """Weigh an issue: what was seen, labels, a release that it names, how many speak, its state.

    A symptom that only the description states is less sure than one of the title.

    No labels exist for issues; these points are set by hand.
    """
    title = item.title[:TITLE_READ]
    stated = {symptom for symptom, _ in symptoms(title)}
    is_pressing = any(_PRESSING.search(label) for label in item.labels[:_LABELS_READ])
    reasons = [Reason(purpose.value, _ISSUE_BASE.get(purpose, _ISSUE_OTHER))]
    if stated & _HARM or is_pressing:
        reasons.append(Reason("harm", _HARM_POINTS))
    elif stated or (purpose is Purpose.BUG_REPORT and issue_symptom(item) is not None):
        reasons.append(Reason("failure", _FAILURE_POINTS))
    if VERSION.search(title):
        reasons.append(Reason("names_release", 8))
    if HARDWARE.search(title):
        reasons.append(Reason("hardware", 2))
    heard = min(24, round(5 * math.log2(1 + (item.reactions * 2 + item.comments) / 3)))
    if heard:
        reasons.append(Reason("much_discussed", heard))
    if item.state is State.REOPENED:
        reasons.append(Reason("reopened", 10))
    if item.state is State.DUPLICATE or item.duplicate_of is not None:
        reasons.append(Reason("duplicate", -16))
    elif item.state is State.NOT_PLANNED:
        reasons.append(Reason("not_planned", -8))
    return _within_scale(reasons)


def weigh_release(item: Item, told_by_its_change: bool = False) -> Weight:
    """Weigh a release: final, for trial, or told by its own change already (set by hand)."""
    reasons = [Reason(Purpose.RELEASE.value, _RELEASE_BASE)]
    if item.state is State.PRERELEASE or TRIAL.search(item.title) or TRIAL.search(item.ref):
        reasons.append(Reason("prerelease", -24))
    elif not any(SHORT_VERSION.search(text[:TITLE_READ]) for text in (item.title, item.ref)):
        reasons.append(Reason("no_version", -40))
    if told_by_its_change:
        reasons.append(Reason("told_by_its_change", -6))
    return _within_scale(reasons)


def _within_scale(reasons: list[Reason]) -> Weight:
    total = sum(reason.points for reason in reasons)
    points = max(0, min(100, total))
    if points != total:
        reasons.append(Reason("scale", points - total))
    return Weight(float(total), points, tuple(reasons))


def grade(points: int) -> Importance:
    """Return the grade of a score, before the day's quota."""
    if points >= HIGH:
        return Importance.HIGH
    return Importance.MEDIUM if points >= MEDIUM else Importance.LOW


def within_quota(items: Sequence[ReadItem], window: Window) -> tuple[ReadItem, ...]:
    """Keep at most `HIGH_PER_DAY` high items of each day of the window, in the order given.

    A day is 24 hours from the window's start, so that an item has the same grade in the digest
    of its day and in that of its week. The heaviest changes and releases stay high, before
    issues; the others become medium with the reason `day_quota`.
    """
    taken: Counter[int] = Counter()
    graded: list[ReadItem] = []
    lowered: set[str] = set()
    for one in sorted(items, key=lambda one: one.item.kind is Kind.ISSUE):
        if one.importance is Importance.HIGH:
            day = day_of(one.item, window)
            taken[day] += 1
            if taken[day] > HIGH_PER_DAY:
                lowered.add(one.item.key)
    for one in items:
        graded.append(_lowered(one) if one.item.key in lowered else one)
    return tuple(graded)


def not_quite_quiet(items: Sequence[ReadItem]) -> tuple[ReadItem, ...]:
    """Raise the largest change of a window where nothing is above low, in the order given.

    Noise and what was taken back is not raised, nor what is small: a quiet day may have nothing.
    """
    if any(one.importance is not Importance.LOW for one in items if _is_change(one)):
        return tuple(items)
    largest = max(
        (one for one in items if _is_change(one) and one.noise is None and not one.reverted_by),
        key=lambda one: (one.item.additions + one.item.deletions, one.item.key),
        default=None,
    )
    if largest is None or largest.item.additions + largest.item.deletions < LARGE:
        return tuple(items)
    raised = replace(
        largest,
        importance=Importance.MEDIUM,
        score=MEDIUM,
        reasons=(*largest.reasons, Reason("largest_of_a_quiet_day", MEDIUM - largest.score)),
    )
    return tuple(raised if one is largest else one for one in items)


LARGE = 400
"""Changed lines from which a change is large."""


def front_page(items: Sequence[ReadItem], stories: Mapping[str, str]) -> tuple[str, ...]:
    """Return the keys of the front page: what is high first, then the heaviest others.

    In: items in falling order, and the story of each key that has one. High ones stand there and,
    up to `FRONT_FEWEST`, medium ones, none of a story that is there already, and no noise; what was
    taken back does not.
    """
    standing = [one for one in items if one.item.kind is not Kind.ISSUE and not one.reverted_by]
    high = [one for one in standing if one.importance is Importance.HIGH]
    medium = [one for one in standing if one.importance is Importance.MEDIUM and not one.noise]
    chosen: dict[str, str] = {}
    for most, group in ((FRONT_MOST, high), (FRONT_FEWEST, medium)):
        for key in (one.item.key for one in group):
            if len(chosen) < most:
                chosen.setdefault(stories.get(key, key), key)
    return tuple(chosen.values())


def _is_change(one: ReadItem) -> bool:
    return one.item.kind.is_change


def day_of(item: Item, window: Window) -> int:
    """Return which day of a window an item counts on: 24 hours each, from the window's start."""
    at = min(max(item.at, window.start), window.end)
    return math.floor((at - window.start) / timedelta(days=1))


def _lowered(one: ReadItem) -> ReadItem:
    reasons = (*one.reasons, Reason("day_quota", 0))
    return replace(one, importance=Importance.MEDIUM, reasons=reasons)
