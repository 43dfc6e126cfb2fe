"""When each commit reached the default branch (pure).

Git does not record it. It follows from the first-parent chain of the branch
(https://git-scm.com/docs/git-log#Documentation/git-log.txt---first-parent): a commit of the
chain cannot have landed before its predecessor, and what only a merge brought landed with it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TypeVar

from digest.ports import Seen

_EARLIEST = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Node:
    """A commit as history sees it: SHA, parents in their order, committer date (UTC)."""

    sha: str
    parents: tuple[str, ...]
    committed_at: datetime

    @property
    def reached_at(self) -> datetime:
        """Return the earliest moment at which it can have stood on the default branch."""
        return self.committed_at


C = TypeVar("C", bound=Node)


@dataclass(frozen=True, slots=True)
class Landing:
    """The moment at which a commit landed, and the commit of the chain that brought it.

    `by` is the commit's own SHA for one of the first-parent chain, else a merge's.
    """

    at: datetime
    by: str


def landings(
    nodes: Iterable[Node], tip: str, now: datetime, seen: Iterable[Seen] = ()
) -> dict[str, Landing]:
    """Say for each commit reachable from `tip` when and by what it landed, oldest landing first.

    A commit of the chain lands at the latest committer date of itself and its predecessors. A
    date after `now` that is followed by one before comes from a wrong clock: its commit lands
    with its successor. At the end of the chain it is believed: the commit lands in the future.
    What follows a head that was `seen` landed after that moment, however old its date: it was
    pushed long after it was made, and counts when it could first be seen.
    Parents that are not among `nodes` (a shallow clone) end the walk. Takes time and space
    linear in the number of commits.
    """
    known = {node.sha: node for node in nodes}
    chain = first_parents(known, tip)
    by_time = sorted((each for each in seen if each.at <= now), key=lambda each: each.at)
    last_seen = {each.head: each.at for each in by_time}
    latest = _EARLIEST
    landed: dict[str, Landing] = {}
    for node, date in reversed(list(zip(chain, _believed(chain, now), strict=True))):
        latest = max(latest, date)
        for parent in node.parents[:1]:
            latest = max(latest, last_seen.get(parent, latest))
        landing = Landing(latest, node.sha)
        _land_branches(known, node, landing, landed)
        landed[node.sha] = landing
    return landed


def first_parents(known: Mapping[str, C], tip: str) -> list[C]:
    """Walk first parents from `tip` as far as commits are known."""
    chain: list[C] = []
    node = known.get(tip)
    while node is not None:
        chain.append(node)
        node = known.get(node.parents[0]) if node.parents else None
    return chain


def _believed(chain: list[Node], now: datetime) -> list[datetime]:
    """Return the committer dates of a chain, newest first, without those of wrong clocks."""
    dates: list[datetime] = []
    following: datetime | None = None
    for node in chain:
        if node.reached_at <= now:
            following = node.reached_at
        dates.append(following or node.reached_at)
    return dates


def _land_branches(
    known: Mapping[str, Node], merge: Node, landing: Landing, landed: dict[str, Landing]
) -> None:
    """Land everything that only the further parents of a merge reach, oldest first."""
    waiting = list(reversed(merge.parents[1:]))
    brought: dict[str, Landing] = {}
    while waiting:
        sha = waiting.pop()
        if sha in landed or sha in brought or sha not in known:
            continue
        brought[sha] = landing
        waiting.extend(reversed(known[sha].parents))
    for sha in reversed(brought):
        landed[sha] = landing
