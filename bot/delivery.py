"""From a slot to posted threads: the conductor of a channel's morning.

::

    delivery = await deliveries.claim(slot, …)              by one process at a time
    roundup  = await digests.roundup(repos, slot.window)    gather
    threads  = plan(digests, failed, subscription, …)       decide (bot.thread)
    posts    = await deliveries.plan(delivery, posts, …)    all messages are kept before one is sent
    for each: await posted(post, …)                         one by one, each kept as it is accepted

After a crash whoever claims the delivery next goes on where it stands. A thread that was never
begun is told with the next one, if that is due by then.
"""

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

import structlog

from bot.channels import Channel, Platform
from bot.chat_reply import ChatReply
from bot.followups import nudged
from bot.planning import PAUSES, Morning, Planning, refuse_blindness
from bot.ports import (
    ChannelGone,
    Limited,
    NoPermission,
    OutcomeUnknown,
    Publisher,
    PublishError,
    TokenRevoked,
)
from bot.posting import Nonces, posted, thread_posts, uncut
from bot.posts import Delivery, DeliveryState, Post, PostState
from bot.slots import Slot, due, told
from bot.store.deliveries import LeaseLost
from bot.store.store import ChannelStore
from bot.subscriptions import Subscription
from digest.errors import CouldNotLook, InfraError
from digest.languages import Language, Text
from digest.models import Roundup
from digest.ports import Clock

LEASE = timedelta(seconds=90)
"""How long a delivery is held without a sign of life, and so the longest wait after a crash."""

SIGN_OF_LIFE = 20.0
"""Seconds of the real clock between two signs of life."""

WAITED_FOR = 120.0
"""Seconds that a limit may ask for and the thread still goes on at once when they are over."""

RECONCILED_AFTER = 5.0
"""Seconds until a message whose answer was lost is looked for."""

AT_ONCE = 8
"""Channels in work at a time; more only wait for GitHub and for the platforms' limits."""

PAUSED: Text = {
    Language.EN: "Nothing more is posted to {channel}: {why}. Then subscribe again there.",
    Language.ZH: "已停止向 {channel} 发送：{why}。处理后请在该频道重新订阅。",
}
log = structlog.get_logger()


class Delivering:
    """Tells channels what is due.

    `owner` names this process; `pause` waits for seconds of the real clock.
    """

    def __init__(
        self,
        planning: Planning,
        store: ChannelStore,
        publishers: Mapping[Platform, Publisher],
        *,
        clock: Clock,
        owner: str,
        pause: Callable[[float], Awaitable[object]] = asyncio.sleep,
        nonces: Nonces = lambda: secrets.token_hex(12),
    ) -> None:
        self._planning = planning
        self._store = store
        self._publishers = publishers
        self._clock = clock
        self._owner = owner
        self._pause = pause
        self._nonces = nonces
        self._at_once = asyncio.Semaphore(AT_ONCE)
        self._in_work: dict[int, asyncio.Task[None]] = {}

    async def start_due(self, now: datetime) -> None:
        """Begin with every channel that has something due and is not in work already."""
        unfinished = await self._store.deliveries.unfinished()
        for subscription in await self._store.subscriptions.active():
            number = subscription.id
            if number is None or number in self._in_work:
                continue
            if subscription.channel.platform not in self._publishers:
                continue
            waiting = unfinished.get(number)
            if waiting and waiting.retry_at and waiting.retry_at > now:
                continue
            try:
                slot = due(subscription, now)
            except InfraError as error:
                await self._note(subscription, str(error))
                continue
            if waiting or slot:
                task = asyncio.create_task(self._tell(subscription, waiting, now))
                self._in_work[number] = task
                task.add_done_callback(partial(self._done, number))

    async def settle(self) -> None:
        """Wait until no channel is in work."""
        while self._in_work:
            await asyncio.wait(self._in_work.values())
            await asyncio.sleep(0)

    async def stop(self) -> None:
        """Let go of all that is in work; whoever comes next goes on with it."""
        for task in tuple(self._in_work.values()):
            task.cancel()
        await self.settle()

    async def previews(self, now: datetime) -> tuple[Morning, ...]:
        """Give what channels would be told now; nothing is stored or sent."""
        mornings = []
        for subscription in await self._store.subscriptions.active():
            slot = due(subscription, now)
            if slot:
                mornings.append(await self._planning.morning(subscription, slot))
        return tuple(mornings)

    def _done(self, number: int, task: asyncio.Task[None]) -> None:
        del self._in_work[number]
        error = None if task.cancelled() else task.exception()
        if error is not None:
            trace = None if isinstance(error, InfraError) else error
            log.error("delivery failed", subscription=number, reason=str(error), exc_info=trace)

    async def _tell(self, seen: Subscription, waiting: Delivery | None, now: datetime) -> None:
        async with self._at_once:
            # It may have been changed or taken away while this one waited for its turn.
            subscription = await self._store.subscriptions.of(seen.channel)
            if subscription is None or subscription.id != seen.id or subscription.paused:
                return
            delivery = await self._claimed(subscription, waiting, due(subscription, now))
            if delivery is None:
                return
            place = str(subscription.channel)
            with structlog.contextvars.bound_contextvars(delivery=delivery.id, channel=place):
                await self._tell_claimed(subscription, delivery)

    async def _tell_claimed(self, subscription: Subscription, delivery: Delivery) -> None:
        log.info("delivery begins", slot=str(delivery.slot.local_date), tries=delivery.tries)
        try:
            async with self._holding(delivery):
                await self._go_on(subscription, delivery)
        except LeaseLost as lost:
            log.warning("delivery taken over", reason=str(lost))
        except InfraError as error:
            log.warning("delivery waits", reason=str(error))
            await self._failed(subscription, delivery, error)
        except asyncio.CancelledError:
            with contextlib.suppress(LeaseLost, InfraError):
                await self._store.deliveries.release(delivery)
            log.info("delivery left to the next process")
            raise
        else:
            late = (self._clock() - delivery.slot.due_at).total_seconds()
            log.info("delivery told", late_seconds=round(late, 1))

    async def _claimed(
        self, subscription: Subscription, waiting: Delivery | None, slot: Slot | None
    ) -> Delivery | None:
        if waiting is None:
            return await self._claim(slot, subscription.channel) if slot else None
        delivery = await self._claim(waiting.slot, subscription.channel)
        if delivery is None or slot is None or slot.local_date <= waiting.slot.local_date:
            return delivery
        posts = await self._store.posts.of_delivery(delivery.id)
        if any(post.state is not PostState.PLANNED for post in posts):
            return delivery
        await self._store.deliveries.finish(delivery, DeliveryState.SUPERSEDED)
        return await self._claim(slot, subscription.channel)

    async def _claim(self, slot: Slot, channel: Channel) -> Delivery | None:
        now = self._clock()
        return await self._store.deliveries.claim(slot, channel, self._owner, now, now + LEASE)

    @contextlib.asynccontextmanager
    async def _holding(self, delivery: Delivery) -> AsyncIterator[None]:
        async def live() -> None:
            with contextlib.suppress(LeaseLost):
                while True:
                    await asyncio.sleep(SIGN_OF_LIFE)
                    try:
                        await self._store.deliveries.renew(delivery, self._clock() + LEASE)
                    except InfraError as error:
                        log.warning("no sign of life", reason=str(error))

        life = asyncio.create_task(live())
        try:
            yield
        finally:
            life.cancel()
            await asyncio.wait([life])

    async def _go_on(self, subscription: Subscription, delivery: Delivery) -> None:
        roundup = None
        if delivery.state is DeliveryState.CLAIMED:
            roundup = await self._planning.gathered(subscription, delivery.slot)
            refuse_blindness(roundup, delivery.tries)
            delivery = await self._keep_plan(subscription, delivery, roundup)
        posts = await self._send_all(delivery)
        await self._link(subscription, delivery, posts, roundup)
        await self._store.subscriptions.change(
            subscription.channel, lambda current: _after(current, delivery)
        )
        await self._store.deliveries.finish(delivery, DeliveryState.TOLD)

    async def _keep_plan(
        self, subscription: Subscription, delivery: Delivery, roundup: Roundup
    ) -> Delivery:
        reminded = await self._planning.reminded(subscription, delivery.slot)
        threads = await self._planning.threads(subscription, delivery.slot, roundup)
        posts = thread_posts(
            threads,
            self._publisher(subscription),
            self._nonces,
            delivery=delivery.id,
            channel=subscription.channel,
        )
        at = delivery.slot.due_at
        complete = bool(roundup.digests) or not roundup.failed
        await self._store.deliveries.plan(
            delivery,
            posts,
            [nudged(each, at) for each in reminded] if threads else (),
            complete=complete,
        )
        return replace(delivery, state=DeliveryState.PLANNED, complete=complete)

    async def _send_all(self, delivery: Delivery) -> list[Post]:
        publisher = self._publishers[delivery.channel.platform]
        parents: dict[int, str] = {}
        posts = []
        for post in await self._store.posts.of_delivery(delivery.id):
            if post.state in (PostState.PLANNED, PostState.SENDING):
                post = await self._send(publisher, delivery, post, parents.get(post.thread))
            if post.ref:
                parents.setdefault(post.thread, post.ref)
            else:
                log.error("message refused", post=post.id)
            posts.append(post)
        return posts

    async def _send(
        self, publisher: Publisher, delivery: Delivery, post: Post, parent: str | None
    ) -> Post:
        async def keep(step: Post) -> None:
            await self._store.deliveries.advance(delivery, step, self._clock() + LEASE)

        for _ in PAUSES:
            try:
                return await uncut(posted(post, publisher, parent, keep))
            except Limited as limit:
                if limit.retry_after > WAITED_FOR:
                    raise
                await self._pause(limit.retry_after)
            except OutcomeUnknown:
                post = replace(post, state=PostState.SENDING)
                await self._pause(RECONCILED_AFTER)
        return await uncut(posted(post, publisher, parent, keep))

    async def _link(
        self,
        subscription: Subscription,
        delivery: Delivery,
        posts: Sequence[Post],
        roundup: Roundup | None,
    ) -> None:
        """Put links to the other threads into the first one; without them it is still whole.

        The first one is planned anew for that: only where it still tells of the same threads.
        """
        publisher = self._publisher(subscription)
        parents = {
            post.thread: post
            for post in reversed(posts)
            if post.state is PostState.SENT and post.thread > 0
        }
        if not parents:
            return
        try:
            roundup = roundup or await self._planning.gathered(subscription, delivery.slot)
            threads = await self._planning.threads(subscription, delivery.slot, roundup)
            told_of = [post.repo for post in posts if post.position == 0]
            if [thread.repo for thread in threads] != told_of:
                return  # it was changed since the threads were planned
            links = {
                post.repo: await publisher.link(post.channel, post.ref) for post in parents.values()
            }
            linked = await self._planning.threads(subscription, delivery.slot, roundup, links)
            messages = publisher.render(linked[0])
            first = [post for post in posts if post.thread == 0]
            if len(messages) != len(first):
                return
            for post, message in zip(first, messages, strict=True):
                if post.state is PostState.SENT and post.message.payload != message.payload:
                    await publisher.edit(post.channel, post.ref, message.payload)
        except (CouldNotLook, PublishError) as error:
            log.warning("roundup without links", reason=str(error))

    async def _failed(
        self, subscription: Subscription, delivery: Delivery, error: InfraError
    ) -> None:
        if isinstance(error, ChannelGone | NoPermission):
            await self._store.deliveries.release(delivery)
            await self._stop_telling(subscription, str(error))
            return
        await self._note(subscription, str(error))
        now = self._clock()
        if isinstance(error, Limited):
            retry_at = now + timedelta(seconds=error.retry_after)
        else:
            retry_at = now + PAUSES[min(delivery.tries, len(PAUSES) - 1)]
        await self._store.deliveries.wait(delivery, delivery.tries + 1, retry_at)

    async def _note(self, subscription: Subscription, why: str) -> None:
        await self._store.subscriptions.change(
            subscription.channel,
            lambda current: replace(current, last_error=why) if current else None,
        )

    async def _stop_telling(self, subscription: Subscription, why: str) -> None:
        """Pause a subscription, and tell once who subscribed."""
        channel, language = subscription.channel, subscription.language
        await self._store.subscriptions.change(
            channel,
            lambda current: replace(current, paused=why, last_error=why) if current else None,
        )
        if not subscription.created_by:  # on the command line, where `subscriptions` tells it
            return
        publisher = self._publisher(subscription)
        text = PAUSED[language].format(channel=channel, why=why.rstrip("."))
        notice = ChatReply.line(text, language)
        try:
            for message in publisher.render_parts(notice.parts, language):
                await publisher.tell(channel, subscription.created_by, message.payload)
        except PublishError as error:
            log.warning("nobody could be told", reason=str(error))

    def _publisher(self, subscription: Subscription) -> Publisher:
        publisher = self._publishers.get(subscription.channel.platform)
        if publisher is None:
            raise TokenRevoked(f"there is no token for {subscription.channel.platform}: set one")
        return publisher


def _after(current: Subscription | None, delivery: Delivery) -> Subscription | None:
    """Give a subscription, which may have been changed meanwhile, after a delivery."""
    if current is None or current.id != delivery.slot.subscription_id:
        return current
    if delivery.complete:
        return told(current, delivery.slot)
    # Nothing could be looked at: the next slot tells these days too.
    return replace(current, last_told_date=delivery.slot.local_date)
