"""What is found of a window, in one form whichever of GitHub's two interfaces told it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from digest.gaps import Gap
from digest.models import Item, Repo, Window
from digest.ports import Seen
from digest.sources.github.api import Asker
from digest.sources.github.facts import CommitFact
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


class Found:
    """What a reader found of a window: by GraphQL (`Gathering`) or by REST's lists (`Listing`).

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

    def __init__(self, asker: Asker, repo: Repo, window: Window, seen: Sequence[Seen]) -> None:
        self.repo = repo
        self.branch = ""
        self.head = ""
        self.commits: dict[str, CommitFact] = {}
        self.later: dict[str, CommitFact] = {}
        self.later_is_whole = False
        self.pulls: dict[int, FoundPull] = {}
        self.later_pulls: list[FoundPull] = []
        self.gaps: list[Gap] = []
        self._asker = asker
        self._window = window
        self._seen = seen
