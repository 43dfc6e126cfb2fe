"""How fast Slack is posted to, learnt from its answers: each channel by itself, and all together.

Slack says of a channel "about one message per second, short bursts tolerated", and of a workspace
only that there is a ceiling (https://docs.slack.dev/apis/web-api/rate-limits). So a channel begins
with that pace, and every refusal with `Retry-After` makes it slower, every accepted message a
little faster again. Refusals in several channels at once are the workspace's: then all slow down,
to the pace at which messages were taken.
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from adapters.slack.errors import LIMITED
from bot.model.ports import Limited

POST_INTERVAL = 1.0
"""Seconds between two messages to one channel to begin with, and at least."""

BURST = 3
"""Messages that may follow one another without a pause."""

SLOWEST = 30.0
"""Seconds between two messages to one channel at most."""

SLOWER, FASTER = 2.0, 0.9
"""What a refusal and an accepted message make of the time between two messages: as TCP does,
https://www.rfc-editor.org/rfc/rfc5681#section-3.1, it gives way fast and comes back slowly."""

TOGETHER = 5.0
SEVERAL = 3
"""Seconds in which so many channels are refused if it is the workspace that is limited."""

REMEMBERED = 60.0
"""Seconds whose accepted messages tell the workspace's pace."""

NO_PACE = 0.005
"""Seconds between two messages of a workspace that are no pause any more."""

WAITED_HERE = 3.0
"""Seconds that are waited for inside one call; for longer ones another channel goes on."""

PACED_CHANNELS = 5_000


@dataclass(slots=True)
class Lane:
    """When the next message may go, and how far apart messages are, in seconds."""

    interval: float
    free_at: float = 0.0


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
        self._lanes: OrderedDict[str, Lane] = OrderedDict()
        self._all = Lane(0.0)
        self._refused: deque[tuple[float, str]] = deque()
        self._taken: deque[float] = deque()

    async def turn(self, channel: str) -> None:
        """Wait until the channel may get one more message; raises `Limited` where that is long."""
        now, lane = self._now(), self._lane(channel)
        own = max(lane.free_at, now - lane.interval * (self._burst - 1))
        begun = own if self._all.free_at <= now else max(own, self._all.free_at)
        if begun - now > WAITED_HERE:
            raise Limited(LIMITED, begun - now)
        lane.free_at = begun + lane.interval
        self._all.free_at = max(self._all.free_at, now) + self._all.interval
        if begun > now:
            await self._sleep(begun - now)

    def taken(self, channel: str) -> None:
        """Take in that Slack took a message."""
        now, lane = self._now(), self._lane(channel)
        lane.interval = max(self._interval, lane.interval * FASTER)
        self._all.interval *= FASTER
        if self._all.interval < NO_PACE:
            self._all.interval = 0.0
        self._taken.append(now)
        while self._taken[0] <= now - REMEMBERED:
            self._taken.popleft()

    def refused(self, channel: str, retry_after: float) -> None:
        """Take in that Slack refused a message for some seconds."""
        now, lane = self._now(), self._lane(channel)
        lane.free_at = max(lane.free_at, now + retry_after)
        lane.interval = min(SLOWEST, max(lane.interval, self._interval) * SLOWER)
        self._refused.append((now, channel))
        while self._refused[0][0] <= now - TOGETHER:
            self._refused.popleft()
        if len({each for _, each in self._refused}) < SEVERAL:
            return
        self._all.free_at = max(self._all.free_at, now + retry_after)
        spent = now - self._taken[0] if self._taken else 0.0
        seen = spent / len(self._taken) if spent else self._interval / SEVERAL
        self._all.interval = min(self._interval, max(self._all.interval * SLOWER, seen))

    def _lane(self, channel: str) -> Lane:
        lane = self._lanes.pop(channel, None) or Lane(self._interval)
        self._lanes[channel] = lane
        while len(self._lanes) > PACED_CHANNELS:
            self._lanes.popitem(last=False)
        return lane
