"""How far down a branch a window reaches, in commits that are listed newest first (pure).

GitHub lists commits as git does. Asked for those `since` a moment, git stops at the first older
one, also where younger ones lie behind it (https://git-scm.com/docs/git-log, `--since-as-filter`):
one commit that was made days before it was pushed would hide itself and all that landed before it.
So no such moment is named here; a branch is read down until there are only older commits.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import takewhile
from typing import Final

from digest.models import Window
from digest.ports import Seen
from digest.sources.github.facts import CommitFact

LOOK_BACK: Final = timedelta(hours=6)
"""How much earlier than its landing a merge queue may have made a commit."""

RUN: Final = 25
"""So many older commits in a row are taken for what stood on the branch before the window."""


MOST: Final = 500
"""Commits read at most for a head that was seen: a forced push may have taken it away."""


def is_passed(listed: Sequence[CommitFact], window: Window, seen: Sequence[Seen]) -> bool:
    """Tell whether the end of a list lies below a window.

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
    """Give the commits down to the last that may have landed since `start` (UTC).

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
