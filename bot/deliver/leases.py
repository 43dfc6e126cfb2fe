"""Leases: what one process at a time does, held by heartbeats; and the claims of slots."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import datetime, timedelta
from typing import Protocol

import structlog

from bot.model.channels import Channel
from bot.model.posts import Delivery, DeliveryState, PostState
from bot.model.slots import Slot
from bot.model.subscriptions import Subscription
from bot.store.deliveries import LeaseLost
from bot.store.store import ChannelStore
from digest.errors import InfraError
from digest.ports import Clock

LEASE = timedelta(seconds=60)
"""The longest that the end of one process makes a slot late, beside the work that is done anew."""

POLL_INTERVAL = timedelta(seconds=15)
"""How often each process looks at what is due."""

RENEWED_FOR = LEASE - 2 * POLL_INTERVAL
"""How long a delivery is held without a heartbeat: one look finds it, the next is after this."""

HEARTBEAT = RENEWED_FOR.total_seconds() / 3
"""Seconds of the real clock between two heartbeats; two of them may fail."""

log = structlog.get_logger()


class NamedLeases(Protocol):
    """What one process at a time may do, by name. Methods raise `StoreFailed`."""

    async def take(self, name: str, owner: str, now: datetime, until: datetime) -> bool:
        """Take or renew a lease; return False while another owner has it."""
        ...

    async def release(self, name: str, owner: str) -> None:
        """Give up a lease; one of another owner stays."""
        ...


@contextlib.asynccontextmanager
async def renewed(
    renew: Callable[[], Awaitable[object]], heartbeat: Callable[[], float]
) -> AsyncIterator[None]:
    """Renew a lease while the block runs, every `heartbeat()` seconds of the real clock.

    A heartbeat that the store does not take is logged, and the next one is tried. `LeaseLost` ends
    the heartbeats: whoever writes under the lease meets the same.
    """

    async def beat() -> None:
        with contextlib.suppress(LeaseLost):
            while True:
                await asyncio.sleep(heartbeat())
                try:
                    await renew()
                except InfraError as error:
                    log.warning("no heartbeat", reason=str(error))

    beating = asyncio.create_task(beat())
    try:
        yield
    finally:
        beating.cancel()
        await asyncio.wait([beating])


class SlotLeases:
    """Claims in the name of one process. Methods raise `StoreFailed`."""

    def __init__(
        self, store: ChannelStore, clock: Clock, owner: str, heartbeat: Callable[[], float]
    ) -> None:
        self._store = store
        self._clock = clock
        self._owner = owner
        self._heartbeat = heartbeat

    async def claimed(
        self, subscription: Subscription, waiting: Delivery | None, slot: Slot | None
    ) -> Delivery | None:
        """Take the delivery that a channel gets next; None if another process has it.

        `waiting` is one that is not told yet. If nothing of it was sent, it makes room for a later
        `slot`, which tells its days too.
        """
        if waiting is None:
            return await self._claim(slot, subscription.channel) if slot else None
        delivery = await self._claim(waiting.slot, subscription.channel)
        if delivery is None:
            return None
        if not _is_over(delivery, subscription):
            if slot is None or slot.local_date <= waiting.slot.local_date:
                return delivery
            posts = await self._store.posts.of_delivery(delivery.id)
            if any(post.state is not PostState.PLANNED for post in posts):
                return delivery
        await self._store.deliveries.supersede(delivery)
        return await self._claim(slot, subscription.channel) if slot else None

    @contextlib.asynccontextmanager
    async def holding(self, delivery: Delivery) -> AsyncIterator[None]:
        """Hold a claimed delivery for as long as this lasts."""

        async def renew() -> None:
            await self._store.deliveries.renew(delivery, self._clock() + RENEWED_FOR)

        async with renewed(renew, self._heartbeat):
            yield

    async def _claim(self, slot: Slot, channel: Channel) -> Delivery | None:
        now = self._clock()
        return await self._store.deliveries.claim(
            slot, channel, self._owner, now, now + RENEWED_FOR
        )


def _is_over(delivery: Delivery, subscription: Subscription) -> bool:
    """Tell whether what a delivery was to tell is told already, by an earlier life of the store."""
    if delivery.state is not DeliveryState.CLAIMED or subscription.last_told_date is None:
        return False
    return delivery.slot.local_date <= subscription.last_told_date
