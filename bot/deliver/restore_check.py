"""A database that may be older than its channels: set back from a copy, and found out in time.

Every process says at every look that it is alive. Where nobody said so for a while, either the bot
was off or the database is a copy of an earlier day. Then each channel is compared once: a newest
message of the bot's own that the store does not know was posted by an earlier life of it, and the
days that were due by then are taken as told.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import structlog

from bot.deliver.planning import PAUSES
from bot.deliver.unreachable_channels import UnreachableChannels
from bot.model.ports import Limited, MayNotLook, OwnMessage, Publisher, PublishError
from bot.model.posts import Delivery, DeliveryState
from bot.model.slots import delivered, due
from bot.model.subscriptions import Subscription
from bot.store.store import ChannelStore
from bot.store.timestamps import ALIVE
from digest.leases import POLL_INTERVAL
from digest.wording.phrases import SAY

AWAY = timedelta(minutes=5)
"""How long nobody may be alive before the channels are compared; a restart takes less."""

SUSPECTED = "doubted"

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Suspicion:
    """When somebody came back after nobody was alive; None where that never was."""

    since: datetime | None = None

    def is_about(self, subscription: Subscription, waiting: Delivery | None) -> bool:
        """Return whether a channel has to be compared before it is told.

        An earlier life told nothing that came due later; so that a channel is asked for only where
        something that is not told was due by then.
        """
        if self.since is None or subscription.created_at >= self.since:
            return False
        if subscription.checked_at and subscription.checked_at >= self.since:
            return False
        return waiting is not None or due(subscription, self.since) is not None


def seen(known: dict[str, datetime], now: datetime) -> tuple[dict[str, datetime], Suspicion]:
    """Return the moments to keep after a look, and the doubt that there is then."""
    after = {ALIVE: now}
    last = known.get(ALIVE)
    if last is not None and now - last > AWAY:
        after[SUSPECTED] = now
    return after, Suspicion(after.get(SUSPECTED, known.get(SUSPECTED)))


def counted_as_delivered(
    subscription: Subscription, newest: OwnMessage, now: datetime
) -> Subscription:
    """Return a subscription that was told, by an earlier life, what was due at its newest message.

    The platform has a clock of its own: one that is ahead makes nothing told that is not due.
    """
    slot = due(subscription, min(newest.at, now))
    return delivered(subscription, slot) if slot else subscription


class RestoreCheck:
    """Compares channels with the store."""

    def __init__(self, store: ChannelStore, unreachable: UnreachableChannels) -> None:
        self._store = store
        self._unreachable = unreachable
        self._put_off: dict[int, tuple[int, datetime]] = {}

    async def look(self, now: datetime) -> Suspicion:
        """Say that this process is alive, and give the doubt; raises `StoreFailed`."""
        return await self._store.timestamps.decide(
            (ALIVE, SUSPECTED), lambda known: seen(known, now)
        )

    def is_put_off(self, number: int, now: datetime) -> bool:
        """Return whether a subscription, by its number, is not to be compared again yet."""
        _, again = self._put_off.get(number, (0, now))
        return now < again <= now + PAUSES[-1]

    def put_off(self, number: int, error: PublishError, now: datetime) -> None:
        """Take in that a channel could not be compared: the next try is after a growing pause."""
        tries, _ = self._put_off.get(number, (0, now))
        pause = PAUSES[min(tries, len(PAUSES) - 1)]
        if isinstance(error, Limited):
            asked = max(timedelta(seconds=error.retry_after), POLL_INTERVAL)
            pause = min(asked, PAUSES[-1])  # a longer one is taken for a clock that ran ahead
        self._put_off[number] = (tries + 1, now + pause)

    async def settle(
        self,
        subscription: Subscription,
        waiting: Delivery | None,
        publisher: Publisher,
        now: datetime,
    ) -> Subscription | None:
        """Compare a channel, and give its subscription then; None if it is gone meanwhile.

        Raises `PublishError` and `StoreFailed`, after which it is in doubt as before. A delivery
        whose messages are planned is left to be sent carefully.
        """
        if waiting and waiting.state is not DeliveryState.CLAIMED:
            return subscription
        newest = await self._newest(subscription, publisher)
        self._put_off.pop(subscription.id or 0, None)

        def decide(current: Subscription | None) -> Subscription | None:
            if current is None or current.id != subscription.id:
                return current
            after = counted_as_delivered(current, newest, now) if newest else current
            return replace(after, checked_at=now)

        after = await self._store.subscriptions.change(subscription.channel, decide)
        if newest and after and after.last_delivered_date != subscription.last_delivered_date:
            at = f"{newest.at:%Y-%m-%d %H:%M} UTC"
            log.warning("database set back", channel=str(after.channel), newest=at)
            await self._unreachable.notify(after, SAY.delivering.set_back(after.channel, at))
        return after if after and after.id == subscription.id else None

    async def _newest(self, subscription: Subscription, publisher: Publisher) -> OwnMessage | None:
        """Return the newest message of the bot's own in a channel if the store does not know it."""
        since = subscription.last_delivered_end or subscription.created_at
        try:
            newest = await publisher.newest_own(subscription.channel, since)
        except MayNotLook as error:
            log.warning("not compared", channel=str(subscription.channel), reason=str(error))
            return None
        if newest is None or await self._store.posts.at(subscription.channel, newest.ref):
            return None
        return newest
