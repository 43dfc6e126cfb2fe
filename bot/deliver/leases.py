"""The claims of slots, each held by a lease."""

import contextlib
from collections.abc import AsyncIterator, Callable

from bot.model.channels import Channel
from bot.model.posts import Delivery, DeliveryState, PostState
from bot.model.slots import Slot
from bot.model.subscriptions import Subscription
from bot.store.store import ChannelStore
from digest.leases import RENEWED_FOR, renewed
from digest.ports import Clock


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
