"""What is found of a window, in one form whichever of GitHub's two interfaces told it.

A branch is read down until there are only older commits. GitHub lists commits as git does: asked
for those `since` a moment, git stops at the first older one, also where younger ones lie behind it
(https://git-scm.com/docs/git-log, `--since-as-filter`), so one commit that was made days before it
was pushed would hide itself and all that landed before it. No such moment is named here.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import takewhile
from typing import Final

from digest.models import Gap, Item, Repo, Window
from digest.phrase import Phrase
from digest.ports import Seen
from digest.sources.github.answers import IssueNode, PullNode, ReleaseNode
from digest.sources.github.client import Session
from digest.sources.github.commits import CommitFact, commit_fact
from digest.sources.github.graphql import PullWish
from digest.sources.github.items import issue_item, pull_item, release_item
from digest.sources.landing import Landing
from digest.wording.phrases import SAY

ADVICE = SAY.github.set_token

LOOK_BACK: Final = timedelta(hours=6)
"""How much earlier than its landing a merge queue may have made a commit."""

RUN: Final = 25
"""So many older commits in a row are taken for what stood on the branch before the window."""

MOST: Final = 500
"""Commits read at most for a head that was seen: a forced push may have taken it away."""

DRAFTED_BEFORE: Final = timedelta(days=30)
"""How long before it was published a release may have been drafted: lists go by the draft."""


@dataclass(frozen=True, slots=True)
class FoundPull:
    """A pull request of either interface.

    `merge_sha` is the commit that it was merged as, empty where that is not known; `is_landed`
    tells whether it was merged into the default branch; `own` are its commits where they are known
    to the last one.
    """

    item: Item
    merged_at: datetime | None
    merge_sha: str
    is_landed: bool
    own: tuple[CommitFact, ...] = ()


class FoundWindow:
    """What was read of a window: by GraphQL (`GraphQLWindow`) or by REST's lists (`RestWindow`).

    `commits` are those of the window and before, `later` those from the head of the branch down,
    by SHA; `later_is_whole` tells whether these lead to the window. `pulls` are by number,
    `later_pulls` those that may have landed after the window.
    """

    most_merges = 1_000
    """Merges that are asked what they brought."""

    most_compared = 1_000
    """Pages that are read of one of them."""

    unread: tuple[str, ...] = ()
    """What a commit lacks (`Item.detail_missing`) until its files are read."""

    knows_every_pull = True
    """Whether a pull request that is not among `pulls` does not exist."""

    def __init__(self, asker: Session, repo: Repo, window: Window, seen: Sequence[Seen]) -> None:
        self.asker = asker
        self.repo = repo
        self.window = window
        self.seen = seen
        self.branch = ""
        self.head = ""
        self.commits: dict[str, CommitFact] = {}
        self.later: dict[str, CommitFact] = {}
        self.later_is_whole = False
        self.pulls: dict[int, FoundPull] = {}
        self.later_pulls: list[FoundPull] = []
        self.issues: dict[int, IssueNode] = {}
        self.releases: dict[str, ReleaseNode] = {}
        self.gaps: list[Gap] = []

    async def read(self, wishes: Callable[[], Sequence[PullWish]]) -> None:
        """Read everything; `wishes` are the pull requests of the commits once these are known.

        Raises where nothing at all can be said.
        """
        raise NotImplementedError

    def tagged(self, landed: Mapping[str, Landing]) -> list[Item]:
        """Return version tags."""
        raise NotImplementedError

    def add_gap(self, what: str, why: Phrase) -> None:
        """Say once what could not be looked at."""
        gap = Gap(what, why)
        if gap not in self.gaps:
            self.gaps.append(gap)

    def found_pull(self, node: PullNode) -> FoundPull:
        """Return a pull request as it was read."""
        own: tuple[CommitFact, ...] = ()
        if node.commits and len(node.commits.nodes) == node.commits.total_count:
            rows = node.commits.nodes
            own = tuple(commit_fact(row.commit, self.repo, self.branch) for row in rows)
        is_landed = node.state == "MERGED" and node.base_ref_name == self.branch
        item = pull_item(self.repo, node)
        return FoundPull(item, node.merged_at, node.merge_sha, is_landed, own)

    def others(self, landed: Mapping[str, Landing]) -> list[Item]:
        """Return the window's issues and releases, and version tags without a release."""
        issues = [issue_item(self.repo, row, self.window) for row in self.issues.values()]
        listed = [release_item(self.repo, row) for row in self.releases.values()]
        released = [item for item in listed if item]
        names = {item.ref for item in released}
        released += [item for item in self.tagged(landed) if item.ref not in names]
        return [
            *(item for item in issues if item),
            *(item for item in released if item.at in self.window),
        ]


def leads_below(listed: Sequence[CommitFact], moment: datetime) -> bool:
    """Return whether the end of a list of commits, newest first, lies below a moment."""
    return len(listed) >= RUN and not any(_is_young(one, moment) for one in listed[-RUN:])


def is_passed(listed: Sequence[CommitFact], window: Window, seen: Sequence[Seen]) -> bool:
    """Return whether the end of a list lies below a window.

    So it does where only older commits follow, and the first head that was `seen` in the window is
    listed: what was pushed since stands above it, however old and however much.
    """
    if not leads_below(listed, window.start):
        return False
    here = [each for each in seen if each.at in window]
    first = min(here, key=lambda each: each.at, default=None)
    is_listed = first is None or any(one.sha == first.head for one in listed)
    return is_listed or len(listed) >= MOST


def reached(
    listed: Sequence[CommitFact], start: datetime, seen: Sequence[Seen]
) -> dict[str, CommitFact]:
    """Return the commits down to the last that may have landed since `start` (UTC), by SHA.

    That is the last one made since then, or the last above a head that was `seen` since, however
    old: it was not there then.
    """
    older = len(list(takewhile(lambda one: not _is_young(one, start), reversed(listed))))
    heads = {each.head for each in seen if each.at >= start}
    above = (place for place, one in enumerate(listed) if one.sha in heads)
    last = max(len(listed) - older, *above, 0)
    return {one.sha: one for one in listed[:last]}


def _is_young(commit: CommitFact, start: datetime) -> bool:
    return commit.committed_at >= start - LOOK_BACK
