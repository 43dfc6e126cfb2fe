"""What is found of a window, in one form whichever of GitHub's two interfaces told it.

A branch is read down until there are only older commits. GitHub lists commits as git does: asked
for those `since` a moment, git stops at the first older one, also where younger ones lie behind it
(https://git-scm.com/docs/git-log, `--since-as-filter`), so one commit that was made days before it
was pushed would hide itself and all that landed before it. No such moment is named here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import takewhile
from typing import Final

from digest.models import Gap, Item, Repo, Window
from digest.ports import Seen
from digest.sources.github.client import Session
from digest.sources.github.commit_facts import CommitFact
from digest.wording.phrases import SAY

ADVICE = SAY.github.set_token


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


class WindowData:
    """What a reader found of a window: by GraphQL (`GraphQLWindow`) or by REST's lists
    (`RestWindow`).

    `commits` are those of the window and before, `later` those after it, by SHA; `pulls` are by
    number, `later_pulls` those that may have landed after the window.
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
        self.repo = repo
        self.branch = ""
        self.head = ""
        self.commits: dict[str, CommitFact] = {}
        self.later: dict[str, CommitFact] = {}
        self.later_is_whole = False
        self.pulls: dict[int, FoundPull] = {}
        self.later_pulls: list[FoundPull] = []
        self.gaps: list[Gap] = []
        self.asker = asker
        self.window = window
        self.seen = seen


LOOK_BACK: Final = timedelta(hours=6)
"""How much earlier than its landing a merge queue may have made a commit."""

RUN: Final = 25
"""So many older commits in a row are taken for what stood on the branch before the window."""


MOST: Final = 500
"""Commits read at most for a head that was seen: a forced push may have taken it away."""


def is_passed(listed: Sequence[CommitFact], window: Window, seen: Sequence[Seen]) -> bool:
    """Return whether the end of a list lies below a window.

    So it does where only older commits follow, and the first head that was `seen` in the window is
    listed: what was pushed since stands above it, however old and however much.
    """
    if len(listed) < RUN or any(_is_young(one, window.start) for one in listed[-RUN:]):
        return False
    here = [each for each in seen if each.at in window]
    first = min(here, key=lambda each: each.at, default=None)
    is_listed = first is None or any(one.sha == first.head for one in listed)
    return is_listed or len(listed) >= MOST


def reached(
    listed: Sequence[CommitFact], start: datetime, seen: Sequence[Seen]
) -> tuple[CommitFact, ...]:
    """Return the commits down to the last that may have landed since `start` (UTC).

    That is the last one made since then, or the last above a head that was `seen` since, however
    old: it was not there then.
    """
    older = len(list(takewhile(lambda one: not _is_young(one, start), reversed(listed))))
    last = len(listed) - older
    heads = {each.head for each in seen if each.at >= start}
    above = (place for place, one in enumerate(listed) if one.sha in heads)
    return tuple(listed[: max(last, *above, 0)])


def _is_young(commit: CommitFact, start: datetime) -> bool:
    return commit.committed_at >= start - LOOK_BACK
