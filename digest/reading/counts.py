"""The computed numbers of a reading."""

from collections import Counter
from collections.abc import Sequence

from digest.grades import Importance
from digest.models import Counts, Kind, ReadItem, State, Window


def count(items: Sequence[ReadItem], window: Window) -> Counts:
    """Count items, SHAs, the issues' events inside the window, and grades without issues."""
    changes = [one for one in items if one.item.kind is not Kind.ISSUE]
    issues = [one.item for one in items if one.item.kind is Kind.ISSUE]
    grades = Counter(one.importance for one in changes)
    events = Counter(event.name for issue in issues for event in issue.events if event.at in window)
    return Counts(
        commits=sum(len(one.item.commits) for one in changes),
        pull_requests=sum(
            one.item.kind is Kind.PULL_REQUEST and one.item.state is State.MERGED for one in changes
        ),
        issues=len(issues),
        issues_opened=events["opened"],
        issues_closed=events["closed"],
        issues_reopened=events["reopened"],
        releases=sum(one.item.kind is Kind.RELEASE for one in changes),
        high=grades[Importance.HIGH],
        medium=grades[Importance.MEDIUM],
        low=grades[Importance.LOW],
        noise=sum(one.noise is not None for one in changes),
    )
