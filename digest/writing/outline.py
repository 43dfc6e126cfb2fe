"""What a page or a thread tells, in which order: the same in every language and every medium."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from digest.facts import Story
from digest.models import Kind, Reading, ReadItem, Revert


@dataclass(frozen=True, slots=True)
class Listed:
    """Items under one heading; `told` on a line of their own, for `more` there is no time."""

    told: tuple[ReadItem, ...] = ()
    more: tuple[ReadItem, ...] = ()

    @property
    def items(self) -> tuple[ReadItem, ...]:
        """All of them, in their order."""
        return (*self.told, *self.more)


@dataclass(frozen=True, slots=True)
class Group:
    """Items of the rest under one name.

    A `Noise`, the list that they had no time in (`fixed`, `added`, `changed`, `issues`), or
    nothing for what is merely low.
    """

    name: str
    reads: tuple[ReadItem, ...]


@dataclass(frozen=True, slots=True)
class Outline:
    """The parts of a page in their order.

    What is read first: `mostly` are the stories of the lead, `bitten`, `upgrading` and `new` the
    items whose facts stand there, best first, `others` what else is on the front page. It says
    again, shorter, what follows.

    What follows tells every change in exactly one place, its home: `front` alone, `reverts` in
    pairs, `stories` by their members, `fixed`, `added` and `changed` by lines, and `rest`, which is
    opened by who wants it: what is low, and what there was no time for. A
    story names its members that are at home before it too. `taken` are those of the `reverts`
    that an item of the front page tells, by its key.

    `quoted` are the keys of items whose author is quoted, `opened` those of releases whose notes
    are begun. `is_long` is a window of several days: its stories come
    before its front page.
    """

    mostly: tuple[Story, ...]
    bitten: tuple[ReadItem, ...]
    upgrading: tuple[ReadItem, ...]
    new: tuple[ReadItem, ...]
    others: tuple[ReadItem, ...]
    front: tuple[ReadItem, ...]
    reverts: tuple[Revert, ...]
    taken: Mapping[str, Revert]
    stories: tuple[Story, ...]
    fixed: Listed
    added: Listed
    changed: Listed
    issues: Listed
    releases: tuple[ReadItem, ...]
    rest: tuple[Group, ...]
    quoted: frozenset[str] = field(default=frozenset())
    opened: frozenset[str] = field(default=frozenset())
    full: bool = False
    is_long: bool = False


def changes(reading: Reading) -> tuple[ReadItem, ...]:
    """Return the pull requests and commits of a reading, in its order."""
    return tuple(
        read for read in reading.items if read.item.kind in (Kind.PULL_REQUEST, Kind.COMMIT)
    )


def of_kind(reading: Reading, kind: Kind) -> tuple[ReadItem, ...]:
    """Return the items of one kind, in the order of the reading."""
    return tuple(read for read in reading.items if read.item.kind is kind)
