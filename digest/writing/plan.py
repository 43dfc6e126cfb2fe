"""What a digest page tells, in which order: decided once, the same in every language.

Everything is told: an item has its title on the page, or stands by its linked reference inside a
stated count. Titles of medium and then of low items are given while the page can be read in two
minutes; the high ones always have theirs. `full` gives every title.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from digest.models import Importance, Item, Kind, Noise, Reading, ReadItem, Revert, UpgradeNote

# Brysbaert 2019 (https://doi.org/10.1016/j.jml.2019.104047): 238 English words a minute. For
# Chinese about 260 characters a minute, https://iovs.arvojournals.org/article.aspx?articleid=2166061
WORDS_A_MINUTE = 238
CHARACTERS_A_MINUTE = 260
MINUTES_A_PAGE = 2.0
FRAME_MINUTES = 0.35
HIGH_MINUTES = 0.14
NOTE_MINUTES = 0.025
LINE_MINUTES = 0.07
TITLE_MINUTES = 0.012
"""What our own words beside a title, a note or a line take in the slower language."""
MOST_ISSUES = 5
MOST_PRESSING = 5

_HAN = re.compile("[\u3400-\u9fff]")
_WORD = re.compile(r"[A-Za-z][\w'-]*")


@dataclass(frozen=True, slots=True)
class Group:
    """Items under one name; `told` with their titles, `more` by reference alone."""

    name: str
    told: tuple[ReadItem, ...]
    more: tuple[ReadItem, ...]

    @property
    def size(self) -> int:
        """How many items the group holds."""
        return len(self.told) + len(self.more)


@dataclass(frozen=True, slots=True)
class Plan:
    """The parts of a page in their order; every item of the reading is in one at least.

    `high`, `themes` and `rest` hold changes; a change of `reverts` that is not high is told there
    alone, and counted by `medium_reverted` or `low_reverted`. `rest` names its groups by `Noise`,
    or by an empty name for what is merely low. `notes` are those that `pressing` leaves over.
    """

    pressing: tuple[UpgradeNote, ...]
    notes: tuple[UpgradeNote, ...]
    reverts: tuple[Revert, ...]
    high: tuple[ReadItem, ...]
    themes: tuple[Group, ...]
    issues: Group
    releases: tuple[ReadItem, ...]
    rest: tuple[Group, ...]
    medium_reverted: tuple[ReadItem, ...]
    low_reverted: tuple[ReadItem, ...]


def minutes(text: str) -> float:
    """Say how long a text takes to read."""
    words = len(_WORD.findall(text)) / WORDS_A_MINUTE
    return words + len(_HAN.findall(text)) / CHARACTERS_A_MINUTE


def changes(reading: Reading) -> tuple[ReadItem, ...]:
    """Give the pull requests and commits of a reading, in its order."""
    return tuple(
        read for read in reading.items if read.item.kind in (Kind.PULL_REQUEST, Kind.COMMIT)
    )


def of_kind(reading: Reading, kind: Kind) -> tuple[ReadItem, ...]:
    """Give the items of one kind, in the order of the reading."""
    return tuple(read for read in reading.items if read.item.kind is kind)


_PRESSING = {
    ("flag", "removed"): 0,
    ("env", "removed"): 0,
    ("config", "removed"): 0,
    ("flag", "renamed"): 0,
    ("env", "renamed"): 0,
    ("config", "renamed"): 0,
    ("default", "changed"): 1,
    ("flag", "changed"): 1,
    ("env", "changed"): 1,
    ("config", "changed"): 1,
    ("module", "removed"): 2,
    ("module", "renamed"): 2,
    ("signature", "removed"): 2,
    ("signature", "renamed"): 2,
    ("signature", "changed"): 2,
    ("python", "changed"): 2,
    ("dependency", "removed"): 3,
    ("dependency", "changed"): 3,
}


def pressing(reading: Reading) -> tuple[UpgradeNote, ...]:
    """Give the notes that can break a running system, gravest first.

    What only adds does not press, nor what is merely inferred, nor what a bot or an upkeep change
    pins for itself.
    """
    upkeep = {read.item.key for read in reading.items if read.noise is not None}
    urgent = [
        note
        for note in reading.upgrade_notes
        if (note.kind, note.change) in _PRESSING and not note.inferred
        if not upkeep.issuperset(note.cites)
    ]
    return tuple(sorted(urgent, key=lambda note: _PRESSING[note.kind, note.change]))


def plan(reading: Reading, *, full: bool = False) -> Plan:
    """Decide what the page of a reading tells."""
    landed = changes(reading)
    paired = _keys_of(reading.reverts)
    high = tuple(read for read in landed if read.importance is Importance.HIGH)
    others = [
        read
        for read in landed
        if read.importance is not Importance.HIGH and read.item.key not in paired
    ]
    medium = [read for read in others if read.importance is Importance.MEDIUM]
    low = [read for read in others if read.importance is Importance.LOW]
    retold = [read for read in landed if read.item.key in paired]
    urgent = pressing(reading)
    issues = _issues(reading, full=full)
    budget = MINUTES_A_PAGE - _spent(reading, high, issues)
    plain = [read for read in low if read.noise is None]
    affordable = others if full else _affordable([*medium, *plain], budget)
    told = {read.item.key for read in affordable}
    return Plan(
        pressing=urgent[:MOST_PRESSING],
        notes=tuple(note for note in reading.upgrade_notes if note not in urgent[:MOST_PRESSING]),
        reverts=reading.reverts,
        high=high,
        themes=tuple(_group(theme, members, told) for theme, members in _by_theme(medium)),
        issues=issues,
        releases=of_kind(reading, Kind.RELEASE),
        rest=tuple(_group(name, members, told) for name, members in _by_noise(low)),
        medium_reverted=tuple(r for r in retold if r.importance is Importance.MEDIUM),
        low_reverted=tuple(r for r in retold if r.importance is Importance.LOW),
    )


def _keys_of(reverts: Iterable[Revert]) -> set[str]:
    items: list[Item] = []
    for revert in reverts:
        items.append(revert.revert)
        if revert.original is not None:
            items.append(revert.original)
    return {item.key for item in items}


def _group(name: str, members: list[ReadItem], told: set[str]) -> Group:
    return Group(
        name,
        tuple(read for read in members if read.item.key in told),
        tuple(read for read in members if read.item.key not in told),
    )


def _by_theme(medium: list[ReadItem]) -> list[tuple[str, list[ReadItem]]]:
    themes: dict[str, list[ReadItem]] = {}
    for read in medium:
        themes.setdefault(read.theme, []).append(read)
    return list(themes.items())


def _by_noise(low: list[ReadItem]) -> list[tuple[str, list[ReadItem]]]:
    groups: dict[str, list[ReadItem]] = {"": []}
    for noise in Noise:
        groups[noise.value] = []
    for read in low:
        groups[read.noise.value if read.noise else ""].append(read)
    return [(name, members) for name, members in groups.items() if members]


def _issues(reading: Reading, *, full: bool) -> Group:
    found = of_kind(reading, Kind.ISSUE)
    if full or len(found) <= MOST_ISSUES:
        return Group("", found, ())
    worth = [read for read in found if read.importance is not Importance.LOW][:MOST_ISSUES]
    told = {read.item.key for read in worth or found[:MOST_ISSUES]}
    return _group("", list(found), told)


def _spent(reading: Reading, high: tuple[ReadItem, ...], issues: Group) -> float:
    releases = of_kind(reading, Kind.RELEASE)
    texts = [read.item.title + " " + read.quote for read in high]
    texts += [read.item.title for read in issues.told]
    texts += [revert.original.title for revert in reading.reverts if revert.original]
    return (
        FRAME_MINUTES
        + minutes(" ".join(texts))
        + HIGH_MINUTES * len(high)
        + LINE_MINUTES * (len(issues.told) + len(reading.reverts) + len(releases))
        + LINE_MINUTES * min(MOST_PRESSING, len(pressing(reading)))
        + NOTE_MINUTES * len(reading.upgrade_notes)
    )


def _affordable(reads: list[ReadItem], budget: float) -> list[ReadItem]:
    told: list[ReadItem] = []
    for read in reads:
        budget -= TITLE_MINUTES + minutes(read.item.title)
        if budget < 0:
            break
        told.append(read)
    return told
