"""What is known of repositories beyond their readings, for an outlook: asked of the store alone."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from digest.models import Item, Reading, Repo, Window
from digest.reading.outlook import Known, has_reverted_features
from digest.store.activity import StoredActivity

LANDED_AGAIN = timedelta(days=14)
"""How long after a window a feature that was taken back is looked for; most return in a week."""


async def known_of(
    activity: StoredActivity, readings: Sequence[Reading], now: datetime
) -> dict[Repo, Known]:
    """Return the last release of each repository, and what landed later where that matters.

    A release is known only where everything from it to the window's end was looked at: what was
    not could hold another one. `now` is UTC. Raises `StoreFailed`.
    """
    known: dict[Repo, Known] = {}
    for reading in readings:
        repo, window = reading.repo, reading.window
        release = await activity.last_release(repo, window.end)
        if release is not None:
            since = Window(release.at, window.end, "UTC", "")
            if await activity.missing(repo, since):
                release = None
        later: tuple[Item, ...] = ()
        if has_reverted_features(reading) and window.end < now:
            until = min(now, window.end + LANDED_AGAIN)
            later = await activity.between(repo, window.end, until)
        known[repo] = Known(release, later)
    return known
