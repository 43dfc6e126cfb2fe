"""What to watch, made only of evidence: every point stands on items that say it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from digest.grades import Importance, Purpose
from digest.models import Item, Kind, Reading, ReadItem, Repo, State
from digest.reading.change import RELAND, purpose
from digest.reading.description import TITLE_READ
from digest.reading.reverts import is_revert, relands

MOST_POINTS = 5
"""Lines of an outlook: more of them would be a second digest."""
MOST_RFCS = 2
MOST_TITLES = 3
"""Titles in one line; the others are told by the repository's own digest."""


class OutlookKind(StrEnum):
    """Why something is worth watching."""

    REVERTED = "reverted"
    UNRELEASED = "unreleased"
    RFC = "rfc"


@dataclass(frozen=True, slots=True)
class WatchFor:
    """One thing to watch: the items that are its evidence, the first ones told by title.

    `count` is how many there are; `release` is what unreleased fixes are not in.
    """

    kind: OutlookKind
    repo: Repo
    items: tuple[Item, ...]
    count: int
    release: Item | None = None


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What is known of a repository beyond its reading.

    `release` is the last one before the window's end, None where it is unknown or something
    between it and the window was not looked at. `later` are changes that landed after the window.
    """

    release: Item | None = None
    later: tuple[Item, ...] = ()


UNKNOWN = Surroundings()


def outlook(
    readings: Sequence[Reading], known: Mapping[Repo, Surroundings]
) -> tuple[WatchFor, ...]:
    """Give what to watch in the repositories of a roundup, `MOST_POINTS` at most.

    Reverted features come first, then fixes that are in no release, then open RFCs.
    """
    found: list[WatchFor] = []
    for reading in readings:
        of = known.get(reading.repo, UNKNOWN)
        found += _reverted(reading, of.later)
    for reading in readings:
        found += _unreleased(reading, known.get(reading.repo, UNKNOWN).release)
    found += _rfcs(readings)
    return tuple(found[:MOST_POINTS])


def has_reverted_features(reading: Reading) -> bool:
    """Tell whether later changes matter: one of them may land a feature again."""
    return any(True for _ in _gone(reading))


def _reverted(reading: Reading, later: Sequence[Item]) -> Iterator[WatchFor]:
    """Give the features that were taken back and that nothing known has landed again."""
    here = [read.item for read in reading.items]
    gone = {item.key: item for item in _gone(reading)}
    changes = (*here, *(item for item in later if item.key not in {one.key for one in here}))
    again = {key for keys in relands((*changes, *gone.values())).values() for key in keys}
    titles = [item.title[:TITLE_READ] for item in changes if RELAND.match(item.title[:TITLE_READ])]
    left = [
        item
        for key, item in gone.items()
        if key not in again and not any(_names(title, item.ref) for title in titles)
    ]
    if left:
        yield WatchFor(OutlookKind.REVERTED, reading.repo, tuple(left[:MOST_TITLES]), len(left))


def _names(title: str, ref: str) -> bool:
    """Tell whether a title names a reference: `#4` is not in `#41`."""
    return re.search(rf"{re.escape(ref)}(?!\w)", title) is not None


def _gone(reading: Reading) -> Iterator[Item]:
    judged = {read.item.key: read.purpose for read in reading.items}
    for pair in reading.reverts:
        original = pair.original
        if original is None or is_revert(original):
            continue
        why = judged.get(original.key) or purpose(original)[0]
        if why is Purpose.FEATURE:
            yield original


def _unreleased(reading: Reading, release: Item | None) -> Iterator[WatchFor]:
    """Give the weighty fixes that landed after the last release."""
    if release is None or _released_since(reading, release.at):
        return
    fixes = [read.item for read in reading.items if _is_weighty_fix(read, release.at)]
    if fixes:
        named = tuple(fixes[:MOST_TITLES])
        yield WatchFor(OutlookKind.UNRELEASED, reading.repo, named, len(fixes), release)


def _is_weighty_fix(read: ReadItem, released: datetime) -> bool:
    weighty = read.importance is Importance.HIGH or (
        read.importance is Importance.MEDIUM and bool(read.fixes)
    )
    return (
        weighty
        and read.purpose is Purpose.FIX
        and read.item.kind.is_change
        and read.reverted_by is None
        and read.item.at > released
    )


def _released_since(reading: Reading, moment: datetime) -> bool:
    return any(
        read.item.kind is Kind.RELEASE
        and read.item.state is not State.PRERELEASE
        and read.item.at > moment
        for read in reading.items
    )


def _rfcs(readings: Sequence[Reading]) -> Iterator[WatchFor]:
    """Give the open RFCs in which something happened, the most discussed first."""
    opened = [
        read
        for reading in readings
        for read in reading.items
        if read.item.kind is Kind.ISSUE
        and read.purpose is Purpose.RFC
        and not read.inferred
        and read.item.state in (State.OPEN, State.REOPENED)
    ]
    ranked = sorted(opened, key=lambda read: -(read.item.comments + read.item.reactions))
    for read in ranked[:MOST_RFCS]:
        yield WatchFor(OutlookKind.RFC, read.item.repo, (read.item,), 1)
