"""From a slot to posted threads: the conductor of a channel's morning.

::

    delivery = await deliveries.claim(slot, …)              by one process at a time
    roundup  = await digests.roundup(repos, slot.window)    gather
    threads  = plan(digests, failed, subscription, …)       decide (bot.thread)
    posts    = await deliveries.plan(delivery, posts, …)    all messages are kept before one is sent
    await sending.send_all(delivery)                        one by one, each kept as it is accepted

After a crash whoever claims the delivery next goes on where it stands. A thread that was never
begun is told with the next one, if that is due by then.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from datetime import datetime, timedelta
from functools import partial

import structlog

from bot.compose.thread import nothing_happened
from bot.deliver.background import log_failure
from bot.deliver.planning import (
    NOT_ALLOWED,
    Morning,
    MorningInputs,
    Planning,
    refuse_blindness,
    withheld,
)
from bot.deliver.posting import PAUSES, posted, retried, thread_posts, uncut, unmet
from bot.deliver.subscriber_notices import (
    SourceNews,
    UnreachableChannels,
    attainable,
    kind_of,
    notify_once,
    published,
)
from bot.model import slots
from bot.model.channels import Channel, Platform
from bot.model.parts import PartKind
from bot.model.ports import Limited, OutcomeUnknown, Publisher, PublishError
from bot.model.posts import Delivery, DeliveryState, Post, PostState
from bot.model.records import LogEntry, LogKind
from bot.model.references import read_key
from bot.model.slots import Slot, delivered, due, mended, waits_since, with_arrears
from bot.model.subscriptions import Subscription
from bot.store.store import ChannelStore
from digest.errors import BadAnswer, CouldNotLook, Defect, InfraError
from digest.leases import HEARTBEAT, RENEWED_FOR, LeaseLost, renewed
from digest.models import Repo
from digest.phrase import NOTHING, Phrase
from digest.ports import Clock
from digest.wording.phrases import SAY

AT_ONCE = 400
"""Channels that this process is busy with at a time."""

LONGEST_WAIT = timedelta(days=1)
"""No delivery waits for so long: such a wait was set by a clock that ran ahead."""

WAITED_FOR = 120.0
"""Seconds that a limit may ask for and the thread still goes on at once when they are over."""

RECONCILED_AFTER = 5.0
"""Seconds until a message whose answer was lost is looked for."""

TRIES = 1 + len(PAUSES)
"""How often a message is asked for before the delivery itself is put off."""

MARGIN = timedelta(minutes=15)
"""How far a platform's clock may be apart from ours when a message of ours is looked for."""

log = structlog.get_logger()


def _beginnings(posts: Sequence[Post]) -> dict[str, Post]:
    """Return the message with which a morning begins to tell of a repository, by `OWNER/NAME`.

    In one thread for all that is the parent of a repository's own thread, posted as a reply; the
    first item that it or what follows is about names the repository.
    """
    begins: dict[str, Post] = {}
    part: Post | None = None
    for post in posts:
        if post.state is not PostState.SENT or (post.thread == 0 and post.position == 0):
            continue
        if post.position == 0:
            begins[post.repo] = post
        elif post.thread == 0:
            part = post if post.message.kind is PartKind.PARENT else part
            if part and post.message.about:
                begins.setdefault(str(read_key(post.message.about[0]).repo), part)
    return begins


@dataclass(eq=False, repr=False)
class Delivering:
    """Tells channels what is due.

    `owner` names this process; `pause` waits for seconds of the real clock. `late` is told by how
    many seconds after its time a morning was told.
    """

    planning: Planning
    store: ChannelStore
    publishers: Mapping[Platform, Publisher]
    _: KW_ONLY
    clock: Clock
    owner: str
    pause: Callable[[float], Awaitable[object]] = asyncio.sleep
    late: Callable[[float], None] = lambda seconds: None

    def __post_init__(self) -> None:
        self._at_once = asyncio.Semaphore(AT_ONCE)
        self._unanswered: set[int] = set()
        self.unreachable = UnreachableChannels(self.store, self.publishers, self.clock)
        self._news = SourceNews(
            self.store, self.unreachable, self.planning.visibility, clock=self.clock
        )
        self._in_work: dict[int, asyncio.Task[None]] = {}
        self._clock_warned = ""

    async def start_due(self, now: datetime) -> None:
        """Begin with every channel that has something due and is not in work already."""
        if self._is_wrong(now):
            return
        self.unreachable.start(now)
        unfinished = await self.store.deliveries.unfinished()
        async for subscription in self.store.subscriptions.each_due(now, unfinished.keys()):
            number = subscription.id
            if number is None or number in self._in_work:
                continue
            if subscription.channel.platform not in self.publishers:
                continue
            waiting = unfinished.get(number)
            if waiting and waiting.retry_at and now < waiting.retry_at <= now + LONGEST_WAIT:
                continue
            try:
                slot = due(await self._mended(subscription, now), now)
            except InfraError as error:
                await self.unreachable.note(subscription, error.why)
                continue
            except Exception as error:  # the border of one channel that may have something due
                log.error("channel failed", channel=str(subscription.channel), exc_info=error)
                await self.unreachable.note(subscription, SAY.chat.own_error)
                continue
            if waiting or slot:
                task = asyncio.create_task(self._deliver(subscription, waiting, slot, now))
                self._in_work[number] = task
                task.add_done_callback(partial(self._done, number))

    async def settle(self) -> None:
        """Wait until no channel is in work, or looked at."""
        await self.unreachable.settle()
        while self._in_work:
            await asyncio.wait(self._in_work.values())
            await asyncio.sleep(0)

    async def stop(self) -> None:
        """Let go of all that is in work; whoever comes next goes on with it."""
        for task in self._in_work.values():
            task.cancel()
        await self.unreachable.stop()
        await self.settle()

    async def previews(self, now: datetime) -> tuple[Morning, ...]:
        """Return what channels would be told now; nothing is stored or sent.

        Raises `ConfigurationError` for a time that no clock should show.
        """
        if wrong := slots.doubt(now):
            raise wrong
        mornings = []
        for subscription in await self.store.subscriptions.active():
            slot = due(subscription, now)
            if slot:
                mornings.append(await self.planning.morning(subscription, slot))
        return tuple(mornings)

    def _is_wrong(self, now: datetime) -> bool:
        """Return whether the clock cannot be right, and log it once for each day that it shows."""
        why = str(slots.doubt(now) or "")
        if why and why != self._clock_warned:
            log.error("clock not set", reason=why)
        self._clock_warned = why
        return bool(why)

    async def _mended(self, subscription: Subscription, now: datetime) -> Subscription:
        """Return a subscription as it is once the clock that told it is right again."""
        if mended(subscription, now) is subscription:
            return subscription
        log.warning("told by a clock that ran ahead", channel=str(subscription.channel))
        right = await self.store.deliveries.last_delivered(subscription, now)
        after = await self.store.subscriptions.change(
            subscription.channel, lambda current: mended(current, now, right) if current else None
        )
        return after or subscription

    def _done(self, number: int, task: asyncio.Task[None]) -> None:
        del self._in_work[number]
        log_failure("work failed", task, subscription=number)

    async def _deliver(
        self, seen: Subscription, waiting: Delivery | None, slot: Slot | None, now: datetime
    ) -> None:
        wanted = waiting.slot if waiting else slot
        if wanted and (waiting is None or waiting.state is DeliveryState.CLAIMED):
            # Looked at while no place is taken; what fails is told behind the border of a delivery.
            with contextlib.suppress(Exception):
                await self.planning.gathered(seen, wanted)
        async with self._at_once:
            # It may have been changed or taken away while this one waited for its turn.
            subscription = await self.store.subscriptions.of(seen.channel)
            if subscription is None or subscription.id != seen.id or subscription.paused:
                return
            try:
                delivery = await self._claimed(subscription, waiting, due(subscription, now))
            except BadAnswer as error:  # nothing is told beside it, and so nothing twice
                log.error("delivery not readable", channel=str(seen.channel), reason=str(error))
                return await self.unreachable.note(subscription, error.why)
            if delivery is None:
                return
            place = str(subscription.channel)
            with structlog.contextvars.bound_contextvars(delivery=delivery.id, channel=place):
                await self._deliver_claimed(subscription, delivery)

    async def _claimed(
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
        if slot is None or slot.local_date <= waiting.slot.local_date:
            return delivery
        posts = await self.store.posts.of_delivery(delivery.id)
        if any(post.state is not PostState.PLANNED for post in posts):
            return delivery
        await self.store.deliveries.supersede(delivery)
        return await self._claim(slot, subscription.channel)

    async def _claim(self, slot: Slot, channel: Channel) -> Delivery | None:
        now = self.clock()
        return await self.store.deliveries.claim(slot, channel, self.owner, now, now + RENEWED_FOR)

    async def _deliver_claimed(self, subscription: Subscription, delivery: Delivery) -> None:
        async def renew() -> None:
            await self.store.deliveries.renew(delivery, self.clock() + RENEWED_FOR)

        log.info("delivery begins", slot=str(delivery.slot.local_date), tries=delivery.tries)
        try:
            async with renewed(renew, lambda: HEARTBEAT):
                await self._go_on(subscription, delivery)
        except LeaseLost as lost:
            log.warning("delivery taken over", reason=str(lost))
        except InfraError as error:
            log.warning("delivery waits", reason=str(error))
            await self._failed(subscription, delivery, error)
        except Exception as error:  # the border of one delivery
            log.error("delivery failed", exc_info=error)
            why = SAY.chat.own_error
            await self._failed(subscription, delivery, Defect(why))
            if subscription.last_error != why:  # else who subscribed heard of it
                line = SAY.delivering.of_channel(subscription.channel, why)
                await self.unreachable.notify(subscription, line)
        except asyncio.CancelledError:
            if delivery.id not in self._unanswered:  # else its message may still arrive
                with contextlib.suppress(LeaseLost, InfraError):
                    await self.store.deliveries.release(delivery)
            log.info("delivery left to the next process")
            raise
        else:
            late = (self.clock() - waits_since(subscription, delivery.slot)).total_seconds()
            log.info("delivery told", late_seconds=round(late, 1))
            self.late(late)
        finally:
            self._unanswered.discard(delivery.id)

    async def _go_on(self, subscription: Subscription, delivery: Delivery) -> None:
        publisher = self.publishers[subscription.channel.platform]
        missing = await unmet(publisher, subscription)
        subscription, wished = attainable(subscription, missing or ()), subscription
        inputs, is_planned = None, delivery.state is DeliveryState.PLANNED
        planned = await self.store.posts.of_delivery(delivery.id) if is_planned else ()
        is_allowed = is_planned and await self._may_post_all(planned, delivery)
        is_begun = any(post.state is not PostState.PLANNED for post in planned)
        if not (is_allowed or is_begun):
            # A repository may have got another name since an earlier try.
            delivery = replace(delivery, slot=with_arrears(delivery.slot, subscription))
            roundup = await self.planning.gathered(subscription, delivery.slot)
            await self._news.take(subscription, delivery.slot, roundup)
            is_first = not (subscription.last_delivered_date or subscription.last_delivered_end)
            refuse_blindness(roundup, delivery.tries, promised=is_first)
            inputs = await self.planning.inputs(subscription, delivery.slot, roundup)
            delivery, planned = await self._store_plan(subscription, delivery, inputs)
        elif not is_allowed:
            planned = await self._refused(delivery, planned)
        posts = await self._send_all(delivery, planned)
        hidden = withheld(inputs.roundup) if inputs else ()
        await self._link(subscription, delivery, posts, inputs)
        amiss = [each.why for each in missing or ()]
        # What stands there of an earlier try may be meant for the channel alone.
        if subscription.publish and await self._may_post_all(posts, delivery):
            unpublished = await published(publisher, subscription, posts)
            if unpublished:
                amiss.append(unpublished.why)
        if missing is not None:
            await notify_once(wished, missing, self.store.subscriptions, self.unreachable)
        entry = LogEntry(self.clock(), LogKind.DELIVERED, str(delivery.slot.local_date))
        await self.store.deliveries.finish(
            delivery, lambda current: _after(current, delivery, posts, hidden, amiss), entry
        )

    async def _send_all(self, delivery: Delivery, planned: Sequence[Post]) -> list[Post]:
        """Send every message that is not sent yet, in order, and give them as they are then.

        `planned` are all messages of the delivery as they are stored. Raises `PublishError` and
        `LeaseLost`.
        """
        publisher = self.publishers[delivery.channel.platform]
        parents: dict[int, str] = {}
        posts = []
        for post in planned:
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
        async def store(step: Post) -> None:
            await self.store.deliveries.advance(delivery, step)

        # What is told before its time, by hand or by a clock that ran ahead, was not posted since.
        due_at = delivery.slot.due_at
        since = due_at - MARGIN if due_at <= self.clock() else None

        async def request(post: Post) -> Post:
            asking = posted(post, publisher, parent, store, since=since)
            try:
                post = await uncut(asking, lost=partial(self._unanswered.add, delivery.id))
            except OutcomeUnknown:
                self._unanswered.add(delivery.id)
                raise
            self._unanswered.discard(delivery.id)
            return post

        return await retried(
            request,
            post,
            self.pause,
            tries=TRIES,
            longest_limit=WAITED_FOR,
            look_after=RECONCILED_AFTER,
        )

    async def _refused(self, delivery: Delivery, planned: Sequence[Post]) -> tuple[Post, ...]:
        """Refuse what waits of a delivery of which something stands there already."""
        kept = []
        for post in planned:
            if post.state in (PostState.PLANNED, PostState.SENDING):
                post = replace(post, state=PostState.REFUSED)
                await self.store.deliveries.advance(delivery, post)
            kept.append(post)
        return tuple(kept)

    async def _may_post_all(self, posts: Sequence[Post], delivery: Delivery) -> bool:
        """Return whether a channel may be told all that its messages hold.

        They were planned a while ago: since then a repository may have become private, or the
        channel shared. Raises `PublishError` where it is not known.
        """
        repos = {read_key(key).repo for post in posts for key in post.message.about}
        repos |= {*delivery.slot.named}
        channel, may_tell = delivery.channel, self.planning.visibility.may_tell
        allowed = [await may_tell(repo, channel) for repo in repos]
        secrets = await self.planning.hidden_words(channel)
        payloads = "".join(post.message.payload for post in posts) if secrets else ""
        return all(allowed) and not any(word in payloads for word in secrets)

    async def _store_plan(
        self, subscription: Subscription, delivery: Delivery, inputs: MorningInputs
    ) -> tuple[Delivery, tuple[Post, ...]]:
        roundup = inputs.roundup
        reminded = self.planning.reminded(inputs.followups, delivery.slot)
        threads = self.planning.threads(subscription, delivery.slot, inputs)
        publisher = self.publishers[subscription.channel.platform]
        posts = thread_posts(
            threads,
            partial(self.planning.drawing.render, subscription.channel.platform, publisher),
            delivery=delivery.id,
            channel=subscription.channel,
        )
        at = delivery.slot.due_at
        complete = bool(roundup.digests) or not roundup.failed
        silent = nothing_happened(roundup)
        unseen = tuple(repo for repo, why in roundup.failed if why != NOT_ALLOWED)
        slot = replace(delivery.slot, unseen=unseen, named=inputs.named)
        delivery = replace(delivery, slot=slot)
        planned = await self.store.deliveries.plan(
            delivery,
            posts,
            [replace(each, nudged_at=at) for each in reminded] if threads else (),
            complete=complete,
            silent=silent,
            corrected=inputs.corrections if threads else (),
        )
        state = DeliveryState.PLANNED
        return replace(delivery, state=state, complete=complete, silent=silent), planned

    async def _link(
        self,
        subscription: Subscription,
        delivery: Delivery,
        posts: Sequence[Post],
        inputs: MorningInputs | None,
    ) -> None:
        """Put links to the other threads, or to parts of its own, into the first one.

        Without them it is still whole. It is planned anew for that: only where it
        still tells of the same threads.
        """
        begins = _beginnings(posts)
        if not begins:
            return
        planning, slot = self.planning, delivery.slot
        publisher = self.publishers[subscription.channel.platform]
        try:
            if inputs is None:
                roundup = await planning.gathered(subscription, slot)
                inputs = await planning.inputs(subscription, slot, roundup)
            threads = planning.threads(subscription, slot, inputs)
            told_of = [post.repo for post in posts if post.position == 0]
            if [thread.repo for thread in threads] != told_of:
                return  # it was changed since the threads were planned
            links = {
                repo: await publisher.link(post.channel, post.ref) for repo, post in begins.items()
            }
            linked = planning.threads(subscription, slot, inputs, links)
            messages = publisher.render(linked[0])
            first = [post for post in posts if post.thread == 0]
            if len(messages) != len(first):
                return
            for post, message in zip(first, messages, strict=True):
                if post.state is PostState.SENT and post.message.payload != message.payload:
                    await publisher.edit(post.channel, post.ref, message.payload)
                    if post.whole:
                        await self.store.posts.redrawn(replace(post, whole=linked[0].parent))
        except (CouldNotLook, PublishError) as error:
            log.warning("roundup without links", reason=str(error))

    async def _failed(
        self, subscription: Subscription, delivery: Delivery, error: InfraError
    ) -> None:
        entry = LogEntry(self.clock(), LogKind.FAILED, why=error.why)
        await self.store.log.add(subscription.channel, entry)
        if isinstance(error, PublishError):
            if kind_of(error):
                with contextlib.suppress(LeaseLost):
                    await self.store.deliveries.release(delivery)
                await self.unreachable.failed(subscription, error)
                return
            if await self.unreachable.failed(subscription, error):
                return  # its pause has let go of it
        else:
            await self.unreachable.note(subscription, error.why)
        now, tries = self.clock(), await self.store.deliveries.tries(delivery)
        if isinstance(error, Limited):
            retry_at = now + timedelta(seconds=error.retry_after)
        else:
            retry_at = now + PAUSES[min(tries, len(PAUSES) - 1)]
        with contextlib.suppress(LeaseLost):  # a person paused it meanwhile
            await self.store.deliveries.wait(delivery, tries + 1, retry_at)


def _after(
    current: Subscription | None,
    delivery: Delivery,
    posts: Sequence[Post],
    hidden: Sequence[Repo],
    amiss: Sequence[Phrase],
) -> Subscription | None:
    """Return a subscription, which may have been changed meanwhile, after a delivery.

    `hidden` are its repositories that may not be told in the channel, `amiss` what else it could
    not have.
    """
    if current is None or current.id != delivery.slot.subscription_id:
        return current
    slot = delivery.slot
    quiet_since = (current.quiet_since or slot.window.start) if delivery.silent else None
    said_date = slot.local_date if any(post.ref for post in posts) else current.said_date
    current = replace(
        current, quiet_since=quiet_since, said_date=said_date, complaint=NOTHING, failing_since=None
    )
    # Where nothing could be looked at, the next slot tells these days too.
    if delivery.complete:
        current = delivered(current, slot)
    else:
        current = replace(current, last_delivered_date=slot.local_date)
    if amiss:
        current = replace(current, last_error=amiss[0])
    if hidden:
        current = replace(
            current,
            last_error=SAY.chat.failed_repos(hidden, NOT_ALLOWED),
        )
    unsent = (post for post in posts if post.state is PostState.GONE and not post.ref)
    missing = sum(post.state is PostState.REFUSED for post in posts) + len(tuple(unsent))
    if not missing:
        return current
    why = SAY.delivering.refused(missing, slot.local_date)
    return replace(current, last_error=why)
