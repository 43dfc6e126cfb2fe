"""Which digest a button means: repository and window in one short text."""

from datetime import UTC, datetime

from digest.errors import UsageError
from digest.models import Reading, Repo, Window
from digest.wording.phrases import SAY

SEPARATOR = "|"


def reference(reading: Reading) -> str:
    """Give the text by which `parse` finds the digest of a reading again."""
    window = reading.window
    times = f"{window.start.timestamp():.0f}-{window.end.timestamp():.0f}"
    label = f"{window.label} " if window.partial else window.label
    return SEPARATOR.join((str(reading.repo), times, window.tz, label))


def parse(text: str) -> tuple[Repo, Window]:
    """Give repository and window of a button's value; `UsageError` for anything else."""
    try:
        repo, times, tz, label = text.split(SEPARATOR)
        start, end = (datetime.fromtimestamp(int(each), UTC) for each in times.split("-"))
        # A label of a day that is not over is marked by the space behind it.
        window = Window(start, end, tz, label.rstrip(), partial=label.endswith(" "))
        return Repo.parse(repo), window
    except (ValueError, OverflowError, OSError) as error:
        raise UsageError(SAY.followups.old_button) from error
