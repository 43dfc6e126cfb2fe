"""Links from a roundup to the other threads of its morning, once those are posted."""

from collections.abc import Sequence

import structlog

from bot.deliver.planning import Planning
from bot.model.ports import Publisher, PublishError
from bot.model.posts import Delivery, Post, PostState
from bot.model.subscriptions import Subscription
from digest.errors import CouldNotLook
from digest.models import Roundup

log = structlog.get_logger()


async def link(
    planning: Planning,
    publisher: Publisher,
    subscription: Subscription,
    delivery: Delivery,
    posts: Sequence[Post],
    roundup: Roundup | None,
) -> None:
    """Put links to the other threads into the first one; without them it is still whole.

    The first one is planned anew for that: only where it still tells of the same threads.
    """
    parents = {
        post.thread: post
        for post in reversed(posts)
        if post.state is PostState.SENT and post.thread > 0
    }
    if not parents:
        return
    try:
        roundup = roundup or await planning.gathered(subscription, delivery.slot)
        followups = await planning.followups(subscription.channel)
        wrong = await planning.corrections(subscription.channel, delivery.slot)
        surfaces = await planning.surfaces(subscription.channel)
        threads = planning.threads(
            subscription, delivery.slot, roundup, followups, wrong, surfaces=surfaces
        )
        told_of = [post.repo for post in posts if post.position == 0]
        if [thread.repo for thread in threads] != told_of:
            return  # it was changed since the threads were planned
        links = {
            post.repo: await publisher.link(post.channel, post.ref) for post in parents.values()
        }
        linked = planning.threads(
            subscription, delivery.slot, roundup, followups, wrong, links, surfaces
        )
        messages = publisher.render(linked[0])
        first = [post for post in posts if post.thread == 0]
        if len(messages) != len(first):
            return
        for post, message in zip(first, messages, strict=True):
            if post.state is PostState.SENT and post.message.payload != message.payload:
                await publisher.edit(post.channel, post.ref, message.payload)
    except (CouldNotLook, PublishError) as error:
        log.warning("roundup without links", reason=str(error))
