"""Days of single repositories that a channel is still to be told: nobody could look at them.

A thread of several repositories goes out without those that fail, and says so. Their days are told
with the next thread for which they can be looked at, so that no day of a repository is left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from digest.models import Repo


@dataclass(frozen=True, slots=True)
class MissedDays:
    """The days of one repository from `since` (UTC) up to those of the next slot."""

    repo: Repo
    since: datetime


def owed(
    arrears: Sequence[MissedDays], repos: Sequence[Repo], begin: datetime, earliest: datetime
) -> tuple[MissedDays, ...]:
    """Give what a slot has to tell beside its window, which begins at `begin`.

    Nothing before `earliest` is told; repositories that a channel does not get any more are left
    out.
    """
    return tuple(
        MissedDays(each.repo, max(each.since, earliest))
        for each in arrears
        if each.repo in repos and each.since < begin
    )


def left(
    told: Sequence[MissedDays], unseen: Sequence[Repo], repos: Sequence[Repo], begin: datetime
) -> tuple[MissedDays, ...]:
    """Give what is owed after a slot with the arrears `told`, in which `unseen` were not seen."""
    since = {each.repo: each.since for each in told}
    return tuple(MissedDays(repo, since.get(repo, begin)) for repo in unseen if repo in repos)
