"""How fast Slack is posted to: about a message a second to each channel, and not before it says.

Slack says of a channel "about one message per second, short bursts tolerated"
(https://docs.slack.dev/apis/web-api/rate-limits). A refusal holds up its channel alone, until the
seconds of its `Retry-After` are over.
"""

import asyncio
from collections.abc import Awaitable, Callable

from cachetools import LRUCache

from bot.model.ports import Limited
from digest.wording.phrases import SAY

POST_INTERVAL = 1.0
"""Seconds between two messages to one channel."""

BURST = 3
"""Messages that may follow one another without a pause."""

WAITED_HERE = 3.0
"""Seconds that are waited for inside one call; for longer ones another channel goes on."""

PACED_CHANNELS = 5_000


class Pace:
    """Keeps messages apart; `now` and `sleep` are in seconds of a clock that never goes back."""

    def __init__(
        self,
        interval: float = POST_INTERVAL,
        burst: int = BURST,
        *,
        now: Callable[[], float] | None = None,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._interval = interval
        self._burst = burst
        self._now = now or (lambda: asyncio.get_running_loop().time())
        self._sleep = sleep
        self._free_at: LRUCache[str, float] = LRUCache(PACED_CHANNELS)

    async def turn(self, channel: str) -> None:
        """Wait until the channel may get one more message; raises `Limited` where that is long."""
        now = self._now()
        begun = max(self._free_at.get(channel, 0.0), now - self._interval * (self._burst - 1))
        if begun - now > WAITED_HERE:
            raise Limited(SAY.slack.limited, begun - now)
        self._free_at[channel] = begun + self._interval
        if begun > now:
            await self._sleep(begun - now)

    def refused(self, channel: str, retry_after: float) -> None:
        """Keep messages from a channel for the seconds that Slack named."""
        self._free_at[channel] = max(self._free_at.get(channel, 0.0), self._now() + retry_after)
