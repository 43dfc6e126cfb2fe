"""Whether a clock can be believed; nothing is told by one that cannot."""

from datetime import UTC, datetime

from digest.errors import ConfigurationError, Phrase

EARLIEST = datetime(2024, 1, 1, tzinfo=UTC)
"""No clock that is right shows an earlier moment: this program did not exist."""

NOT_SET = Phrase(
    "the clock of this machine says {day}, so nothing is posted: set it, on most machines by "
    "switching NTP on",
    zh="这台机器的时钟显示 {day}，因此不会发送任何内容：请校准时钟，大多数机器开启 NTP 即可",
)


def doubt(now: datetime) -> ConfigurationError | None:
    """Give what is wrong with a clock, if it is seen to be wrong."""
    return ConfigurationError(NOT_SET, day=f"{now:%Y-%m-%d}") if now < EARLIEST else None
