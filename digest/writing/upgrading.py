"""Which upgrade notes stand first, and which of them are one statement."""

from collections.abc import Iterable, Sequence

from digest.models import Reading, UpgradeNote
from digest.reading.signals import PLATFORM

MOST_PRESSING = 5
"""Bullets before you upgrade, each about one change."""
NOTES_A_CHANGE = 4
"""Notes of one change in its bullet; the others stand in the table."""

_GRAVITY = {
    ("flag", "removed"): 0,
    ("env", "removed"): 0,
    ("config", "removed"): 0,
    ("flag", "renamed"): 0,
    ("env", "renamed"): 0,
    ("config", "renamed"): 0,
    ("python", "changed"): 0,
    ("default", "changed"): 1,
    ("flag", "changed"): 1,
    ("env", "changed"): 1,
    ("config", "changed"): 1,
    ("module", "removed"): 2,
    ("module", "renamed"): 2,
    ("signature", "removed"): 2,
    ("signature", "renamed"): 2,
    ("signature", "changed"): 2,
    ("dependency", "removed"): 3,
    ("dependency", "changed"): 3,
}


_SETTINGS = frozenset({"flag", "config", "default"})
"""Kinds that are one setting seen from two sides; an environment variable is another thing."""


def breaks(note: UpgradeNote) -> bool:
    """Tell whether a note can break what runs: a mere addition or deprecation does not."""
    return (note.kind, note.change) in _GRAVITY


def upkept(reading: Reading, notes: Iterable[UpgradeNote]) -> tuple[UpgradeNote, ...]:
    """Give the notes that bots and upkeep changes make for themselves, pins for the most part."""
    upkeep = {read.item.key for read in reading.items if read.noise is not None}
    return tuple(note for note in notes if note.cites and upkeep.issuperset(note.cites))


def pressing(reading: Reading) -> tuple[UpgradeNote, ...]:
    """Give the notes that can break a running system, gravest first, those of a change together."""
    return tuple(note for group in _ranked(reading) for note in group)


def _ranked(reading: Reading) -> tuple[tuple[UpgradeNote, ...], ...]:
    """Give the pressing notes in a group for each change.

    What is gone, renamed or newly required comes before other defaults, those before what code
    imports and what is pinned; among those of one gravity the most important change is first. What
    was taken back in the window does not press.
    """
    scores = {read.item.key: read.score for read in reading.items}
    aside = {
        read.item.key for read in reading.items if read.reverted_by is not None or read.reverts
    }
    groups: dict[tuple[str, ...], list[UpgradeNote]] = {}
    kept = set(upkept(reading, reading.upgrade_notes))
    for note in reading.upgrade_notes:
        if breaks(note) and note not in kept and not aside.intersection(note.cites):
            groups.setdefault(note.cites, []).append(note)
    ranked = sorted(
        groups.items(),
        key=lambda one: (
            min(_gravity(note) for note in one[1]),
            -max((scores.get(key, 0) for key in one[0]), default=0),
        ),
    )
    return tuple(tuple(sorted(notes, key=_gravity)) for _, notes in ranked)


def foremost(reading: Reading) -> tuple[tuple[UpgradeNote, ...], ...]:
    """Give the groups that stand before everything else, no longer than a bullet can be."""
    return tuple(group[:NOTES_A_CHANGE] for group in _ranked(reading)[:MOST_PRESSING])


def _gravity(note: UpgradeNote) -> int:
    if note.kind == "dependency" and note.change == "changed" and PLATFORM.match(note.name):
        return 0
    return _GRAVITY[note.kind, note.change]


def twins(notes: Sequence[UpgradeNote]) -> tuple[tuple[UpgradeNote, ...], ...]:
    """Put the notes of one change together that say the same of several names."""
    same: dict[tuple[str, ...], list[UpgradeNote]] = {}
    for note in notes:
        said: tuple[str, ...] = (note.kind, note.change, str(note.inferred))
        if packages := moved(note):
            said = (*said, *packages)
        elif note.change != "removed" and note.before is not None:
            kind = "" if note.kind in _SETTINGS else note.kind
            said = (kind, *said[1:], note.before, note.after or "")
        elif note.change == "changed":
            said = (*said, note.after or "")
        same.setdefault(said, []).append(note)
    return tuple(tuple(group) for group in same.values())


def moved(note: UpgradeNote) -> tuple[str, str] | None:
    """Give the package that a module left, and the one in which it has the same name now."""
    if (note.kind, note.change) != ("module", "renamed"):
        return None
    old, _, name = (note.before or "").rpartition(".")
    new, _, now = (note.after or "").rpartition(".")
    return (old, new) if old and new and name == now else None


def moved_together(notes: Iterable[UpgradeNote]) -> tuple[tuple[UpgradeNote, ...], ...]:
    """Put the modules together that one change moved from one package to another.

    Any other note is alone. The first of each group keeps its place.
    """
    groups: dict[object, list[UpgradeNote]] = {}
    for number, note in enumerate(notes):
        packages = moved(note)
        one = (packages, note.inferred, note.cites) if packages else number
        groups.setdefault(one, []).append(note)
    return tuple(tuple(group) for group in groups.values())
