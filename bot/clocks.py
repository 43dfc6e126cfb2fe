"""Whether a clock can be believed; nothing is told by one that cannot."""

from datetime import UTC, datetime

EARLIEST = datetime(2024, 1, 1, tzinfo=UTC)
"""No clock that is right shows an earlier moment: this program did not exist."""

NOT_SET = (
    "the clock of this machine says {now:%Y-%m-%d}, so nothing is posted: set it "
    "(on most machines by switching NTP on)"
)


def doubt(now: datetime) -> str:
    """Give the sentence that says what is wrong with a clock, or nothing."""
    return NOT_SET.format(now=now) if now < EARLIEST else ""
