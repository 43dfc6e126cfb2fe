"""How much an item matters: a score with named reasons, and few high ones by construction."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta

from digest.grades import ChangeObject, Importance, Noise, Purpose, Reason
from digest.models import Item, Kind, ReadItem, UpgradeNote, Window
from digest.reading import signals
from digest.reading.paths import UNREAD, role
from digest.reading.signals import Context

HIGH, MEDIUM = 62, 36
"""Scores from which an item is high, and medium."""
HIGH_PER_DAY = 6
"""High items that one repository may have in a day; the rest of them become medium."""

BASE = {
    Purpose.RELEASE: 66,
    Purpose.REVERT: 44,
    Purpose.PERFORMANCE: 40,
    Purpose.FEATURE: 36,
    Purpose.FIX: 36,
    Purpose.OTHER: 28,
    Purpose.REFACTOR: 26,
    Purpose.CHORE: 18,
    Purpose.RFC: 34,
    Purpose.BUG_REPORT: 30,
    Purpose.REQUEST: 24,
    Purpose.QUESTION: 12,
}
"""Points that a purpose alone is worth."""

ASIDE_CAP = 28
"""Most that a change of documentation, CI, tests, examples or benchmarks alone can have."""
SUPPLY_CAP = MEDIUM - 1
"""Most that a change of build files and pins alone can have, unless a user has to act on it."""
NOISE_CAP = 20
"""Most that a bot, a sync or a formatting run can have, unless it is about security."""
REVERTED_CAP = HIGH - 1
"""Most that a change can have that was taken back, unless a user had to act on it already."""
ACT_ON = frozenset(
    {
        "breaking",
        "security",
        "requirement",
        "incompatible",
        "python_raised",
        "platform_raised",
        "flag_removed",
        "flag_renamed",
        "env_removed",
        "env_renamed",
    }
)
"""Reasons that make a user act."""
GRAVITY: tuple[frozenset[str], ...] = (
    frozenset({"security"}),
    frozenset({"breaking", "flag_removed", "flag_renamed", "python_raised", "incompatible"}),
    frozenset({"harm", "harm_reported"}),
    frozenset({"release"}),
)
"""Reasons by gravity; loss of data stands with security, the rest goes by score alone."""
LIFTS = ACT_ON | {"release", "revert", "known_dependency", "moves_clients", "default_changed"}
"""Reasons that lift the cap of build files and pins."""


def score(
    item: Item,
    purpose: Purpose,
    object_: ChangeObject,
    notes: Sequence[UpgradeNote] = (),
    noise: Noise | None = None,
    context: Context | None = None,
) -> tuple[int, tuple[Reason, ...]]:
    """Give the score of an item, 0 to 100, and the reasons whose points add up to it.

    The first reason is the base, named for the purpose; where a cap or the ends of the scale
    bind, the last reason says so with the points taken.
    """
    around = context or Context()
    reasons = [Reason(purpose.value, BASE[purpose])]
    reasons.extend(_reasons(item, purpose, object_, notes, around))
    total = sum(reason.points for reason in reasons)
    workshop = purpose is Purpose.PERFORMANCE and signals.speeds_the_workshop(item)
    aside = workshop or _only(item, object_, UNREAD)
    cap, name = _cap(item, object_, noise, {reason.name for reason in reasons}, around, aside)
    kept = max(0, min(total, cap))
    if kept != total:
        reasons.append(Reason(name if kept < total else "scale", kept - total))
    return kept, tuple(reasons)


def _reasons(
    item: Item,
    purpose: Purpose,
    object_: ChangeObject,
    notes: Sequence[UpgradeNote],
    context: Context,
) -> Iterator[Reason]:
    if item.kind is Kind.ISSUE:
        yield from signals.of_issue(item)
        return
    if purpose is Purpose.RELEASE:
        yield from signals.of_release(item, context)
    if item.kind is Kind.RELEASE:
        return
    yield from signals.of_words(item, purpose, context)
    yield from signals.of_notes(item, notes, purpose)
    yield from signals.of_files(item, object_, purpose, bool(notes))
    yield from signals.of_context(item, context)


def _cap(
    item: Item,
    object_: ChangeObject,
    noise: Noise | None,
    names: set[str],
    context: Context,
    aside: bool,
) -> tuple[int, str]:
    caps = [(100, "scale")]
    if item.kind in (Kind.COMMIT, Kind.PULL_REQUEST):
        if noise is not None and "security" not in names:
            caps.append((NOISE_CAP, "noise"))
        if aside:
            caps.append((ASIDE_CAP, "nothing_that_runs"))
        elif _only(item, object_, UNREAD | SUPPLY) and not names & LIFTS:
            caps.append((SUPPLY_CAP, "build_alone"))
        if context.reverted and not names & (ACT_ON | {"moves_clients"}):
            caps.append((REVERTED_CAP, "taken_back"))
    return min(caps)


SUPPLY = frozenset({ChangeObject.BUILD, ChangeObject.DEPENDENCY})


def _only(item: Item, object_: ChangeObject, roles: frozenset[ChangeObject]) -> bool:
    """Whether a change touches nothing but files of these roles."""
    if not item.files:
        return object_ in roles
    return all(role(file.path) in roles for file in item.files)


def grade(points: int) -> Importance:
    """The grade of a score, before the day's quota."""
    if points >= HIGH:
        return Importance.HIGH
    return Importance.MEDIUM if points >= MEDIUM else Importance.LOW


def gravity(one: ReadItem) -> int:
    """How grave an item is, 0 being the gravest: a place in `GRAVITY`, else past its end.

    A change that was taken back is past the end too: nobody has to act on it any more.
    """
    names = {reason.name for reason in one.reasons}
    if one.reverted_by is not None and not names & ACT_ON:
        return len(GRAVITY)
    if signals.loses_data(one.item):
        return 0
    return next((place for place, some in enumerate(GRAVITY) if names & some), len(GRAVITY))


def within_quota(items: Sequence[ReadItem], window: Window) -> tuple[ReadItem, ...]:
    """Keep at most `HIGH_PER_DAY` high items of each day of the window, in the order given.

    A day is 24 hours from the window's start, so that an item has the same grade in the digest
    of its day and in that of its week. Of a day's high items the changes and releases are kept
    before issues, then the gravest, then the highest scores; the others become medium with the
    reason `day_quota`.
    """
    taken: Counter[int] = Counter()
    lowered: set[str] = set()
    ranked = sorted(
        (one for one in items if one.importance is Importance.HIGH),
        key=lambda one: (one.item.kind is Kind.ISSUE, gravity(one), -one.score, one.item.key),
    )
    for one in ranked:
        day = _day(one.item, window)
        if taken[day] >= HIGH_PER_DAY:
            lowered.add(one.item.key)
        taken[day] += 1
    return tuple(_lowered(one) if one.item.key in lowered else one for one in items)


def _day(item: Item, window: Window) -> int:
    at = min(max(item.at, window.start), window.end)
    return math.floor((at - window.start) / timedelta(days=1))


def _lowered(one: ReadItem) -> ReadItem:
    reasons = (*one.reasons, Reason("day_quota", 0))
    return replace(one, importance=Importance.MEDIUM, reasons=reasons)
