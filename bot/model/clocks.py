"""Whether a clock can be believed; nothing is told by one that cannot."""

from datetime import UTC, datetime

from digest.errors import ConfigurationError
from digest.wording.phrases import SAY

EARLIEST = datetime(2024, 1, 1, tzinfo=UTC)
"""No clock that is right shows an earlier moment: this program did not exist."""


def doubt(now: datetime) -> ConfigurationError | None:
    """Give what is wrong with a clock, if it is seen to be wrong."""
    return ConfigurationError(SAY.chat.clock(f"{now:%Y-%m-%d}")) if now < EARLIEST else None
