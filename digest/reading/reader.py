"""Everything decided about an activity: the one page that says in which order."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from digest.grades import Purpose
from digest.models import Activity, Item, Kind, Reading, ReadItem, Revert, UpgradeNote
from digest.reading.change import is_release, purpose, touched
from digest.reading.counts import count
from digest.reading.folding import fold
from digest.reading.importance import grade, gravity, score, within_quota
from digest.reading.noise import noise
from digest.reading.quote import quote
from digest.reading.relations import closed_issues, relate, series
from digest.reading.reverts import pair, relands
from digest.reading.signals import Context
from digest.reading.themes import theme, themes
from digest.reading.upgrade import upgrade_notes


@dataclass(frozen=True, slots=True)
class _Around:
    """What is known of all items before one of them is judged."""

    issues: Mapping[int, Item]
    reverts: Sequence[Revert]
    serial: Mapping[str, tuple[str, int, int]]
    fixes: Mapping[str, tuple[int, ...]]
    related: Mapping[str, tuple[str, ...]]
    released: frozenset[str]


def read(activity: Activity) -> Reading:
    """Decide everything about an activity; the same items in any order give the same reading.

    In: what a source gathered.
    Out: the reading; every SHA of the activity's window stands in exactly one of its items.
    """
    items = fold(activity.items)
    later, earlier = fold(activity.later), fold(activity.earlier)
    notes = {item.key: upgrade_notes(item) for item in items}
    around = _around(items, later, earlier)
    judged = [_judge(item, notes[item.key], around) for item in items]
    told = within_quota(sorted(judged, key=_order), activity.window)
    return Reading(
        repo=activity.repo,
        window=activity.window,
        items=told,
        upgrade_notes=tuple(note for one in told for note in notes[one.item.key]),
        themes=themes(told),
        reverts=tuple(around.reverts),
        counts=count(told, activity.window),
        gaps=activity.gaps,
        notices=activity.notices,
        collected_at=activity.collected_at,
        source=activity.source,
    )


def _around(items: Sequence[Item], later: Sequence[Item], earlier: Sequence[Item]) -> _Around:
    mine = {item.key for item in items}
    serial = {item.key: found for item in items if (found := series(item)) is not None}
    fixes = {item.key: closed_issues(item) for item in items}
    return _Around(
        issues={
            item.number: item
            for item in items
            if item.kind is Kind.ISSUE and item.number is not None
        },
        reverts=pair(
            items,
            [item for item in later if item.key not in mine],
            [item for item in earlier if item.key not in mine],
        ),
        serial=serial,
        fixes=fixes,
        related=_joined(relate(items, serial, fixes), relands(items)),
        released=frozenset(_versions(items)),
    )


def _versions(items: Iterable[Item]) -> Iterable[str]:
    """The versions that changes of the window say they make."""
    for item in items:
        if item.kind is not Kind.RELEASE and item.kind is not Kind.ISSUE and is_release(item):
            yield _version(item.title.rpartition(" ")[2])


def _version(ref: str) -> str:
    return ref.strip().lstrip("vV")


def _joined(
    one: Mapping[str, tuple[str, ...]], other: Mapping[str, tuple[str, ...]]
) -> dict[str, tuple[str, ...]]:
    joined = {key: set(keys) for key, keys in one.items()}
    for key, keys in other.items():
        for target in keys:
            joined.setdefault(key, set()).add(target)
            joined.setdefault(target, set()).add(key)
    return {key: tuple(sorted(keys)) for key, keys in joined.items()}


def _judge(item: Item, notes: Sequence[UpgradeNote], around: _Around) -> ReadItem:
    """Judge one item, in the light of all."""
    reason, inferred = purpose(item)
    object_ = touched(item)
    noisy = noise(item, object_)
    fixes = around.fixes[item.key]
    taken_back = [one for one in around.reverts if one.original and one.original.key == item.key]
    takes_back = [one for one in around.reverts if one.revert.key == item.key]
    serial = around.serial.get(item.key)
    context = Context(
        closed=tuple(around.issues[number] for number in fixes if number in around.issues),
        reverted=bool(taken_back),
        ends_series=serial is not None and serial[1] == serial[2],
        released=item.kind is Kind.RELEASE and _version(item.ref) in around.released,
    )
    points, reasons = score(item, reason, object_, notes, noisy, context)
    pairs = (*taken_back, *takes_back)
    others = {one.revert.key for one in pairs} | {one.original.key for one in pairs if one.original}
    original = takes_back[0].original if takes_back else None
    related = (set(around.related.get(item.key, ())) | others) - {item.key}
    return ReadItem(
        item=item,
        purpose=Purpose.REVERT if takes_back else reason,
        object=object_,
        importance=grade(points),
        score=points,
        reasons=reasons,
        theme=theme(item, object_),
        inferred=inferred,
        noise=noisy,
        related=tuple(sorted(related)),
        fixes=fixes,
        reverted_by=taken_back[-1].revert.key if taken_back else None,
        reverts=original.key if original else None,
        series=serial,
        quote=quote(item),
    )


def _order(one: ReadItem) -> tuple[bool, int, int, str]:
    return (one.item.kind is Kind.ISSUE, -one.score, gravity(one), one.item.key)
