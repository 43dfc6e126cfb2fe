"""What a page tells, in which order: the same in every language."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from digest.models import Kind, Reading, ReadItem, Revert, UpgradeNote


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
class Further:
    """Upgrade notes beside the pressing ones, by how they are told.

    `rows` stand in the table and `more` by reference; `added` are named, since what is merely
    added breaks nothing; `upkeep`, pinned by bots and upkeep changes for themselves, are counted.
    """

    rows: tuple[UpgradeNote, ...] = ()
    more: tuple[UpgradeNote, ...] = ()
    added: tuple[UpgradeNote, ...] = ()
    upkeep: tuple[UpgradeNote, ...] = ()

    @property
    def size(self) -> int:
        """How many notes there are."""
        return len(self.rows) + len(self.more) + len(self.added) + len(self.upkeep)


@dataclass(frozen=True, slots=True)
class Plan:
    """The parts of a page in their order; every item of the reading is in one at least.

    `pressing` are the notes that stand first, one bullet for each group. `high`, `themes` and
    `rest` hold changes; a change of a revert that is not high is told with that revert alone, and
    counted by `medium_reverted` or `low_reverted`. `taken` are those of the `reverts` that a high
    item tells, by its key. `rest` names its groups by `Noise`, or by an empty name for what is
    merely low. `whole` are the keys of high items whose quote is told to its end, `opened` those
    of releases whose notes are begun. `glossed` are the keys of items, and the names of themes,
    whose gloss is told: its first sentence, all of it where the plan is `full`.
    """

    pressing: tuple[tuple[UpgradeNote, ...], ...]
    further: Further
    reverts: tuple[Revert, ...]
    taken: Mapping[str, Revert]
    high: tuple[ReadItem, ...]
    themes: tuple[Group, ...]
    issues: Group
    releases: tuple[ReadItem, ...]
    rest: tuple[Group, ...]
    medium_reverted: tuple[ReadItem, ...]
    low_reverted: tuple[ReadItem, ...]
    whole: frozenset[str] = field(default=frozenset())
    opened: frozenset[str] = field(default=frozenset())
    glossed: frozenset[str] = field(default=frozenset())
    full: bool = False


def changes(reading: Reading) -> tuple[ReadItem, ...]:
    """Give the pull requests and commits of a reading, in its order."""
    return tuple(
        read for read in reading.items if read.item.kind in (Kind.PULL_REQUEST, Kind.COMMIT)
    )


def of_kind(reading: Reading, kind: Kind) -> tuple[ReadItem, ...]:
    """Give the items of one kind, in the order of the reading."""
    return tuple(read for read in reading.items if read.item.kind is kind)
