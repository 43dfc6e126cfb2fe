"""Which digest a button means: repository and window in one short text."""

from datetime import UTC, datetime

from digest.errors import UsageError
from digest.models import Reading, Repo, Window
from digest.wording.phrases import SAY

SEPARATOR = "|"
PARTIAL = "partial"
"""Stands last where the window was not over yet."""


def reference(reading: Reading) -> str:
    """Give the text by which `parse` finds the digest of a reading again."""
    window = reading.window
    times = f"{window.start.timestamp():.0f}-{window.end.timestamp():.0f}"
    over = (PARTIAL,) if window.partial else ()
    return SEPARATOR.join((str(reading.repo), times, window.tz, window.label, *over))


def parse(text: str) -> tuple[Repo, Window]:
    """Give repository and window of a button's value; `UsageError` for anything else."""
    try:
        repo, times, tz, label, *over = text.split(SEPARATOR)
        start, end = (datetime.fromtimestamp(int(each), UTC) for each in times.split("-"))
        # Buttons of earlier versions marked the label by a space behind it.
        if over not in ([], [PARTIAL]):
            raise ValueError(text)
        partial = bool(over) or label.endswith(" ")
        window = Window(start, end, tz, label.rstrip(), partial=partial)
        return Repo.parse(repo), window
    except (ValueError, OverflowError, OSError) as error:
        raise UsageError(SAY.followups.old_button) from error
