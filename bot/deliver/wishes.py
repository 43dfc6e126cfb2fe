"""What a channel wishes beside its messages: tags, publishing, a role that is mentioned.

What cannot be had is said once, to who subscribed, and stands in the channel's list until it can:
the morning itself goes out without it.
"""

from collections.abc import Sequence
from dataclasses import replace

import structlog

from bot.deliver.unreachable_channels import UnreachableChannels
from bot.model.channel_commands import NOBODY
from bot.model.ports import Limited, Publisher, PublishError, Unmet, Wish
from bot.model.posts import Post, PostState
from bot.model.subscriptions import Subscription
from bot.store.subscriptions import Subscriptions
from digest.phrase import Example
from digest.wording.phrases import SAY

MOST_PUBLISHED = 10
"""First messages of a morning that are published. More than that an hour Discord was seen to refuse
(https://github.com/discordjs/discord.js/issues/4956); its own pages on announcement channels,
https://support.discord.com/hc/en-us/articles/360032008192 among them, are obeyed by its answers."""

log = structlog.get_logger()


async def unmet(publisher: Publisher, subscription: Subscription) -> tuple[Unmet, ...] | None:
    """Return what a channel cannot have now; None where that is not told just now."""
    channel, role = subscription.channel, subscription.mention.role
    try:
        return await publisher.unmet(channel, publish=subscription.publish, role=role)
    except PublishError as error:
        log.info("wishes not looked at", channel=str(channel), reason=str(error))
        return None


def attainable(subscription: Subscription, missing: Sequence[Unmet]) -> Subscription:
    """Return a subscription without what it cannot have now."""
    wishes = {each.wish for each in missing}
    if Wish.MENTION in wishes:
        subscription = replace(subscription, mention=NOBODY)
    if Wish.PUBLISH in wishes:
        subscription = replace(subscription, publish=False)
    return subscription


async def notify_once(
    subscription: Subscription,
    missing: Sequence[Unmet],
    subscriptions: Subscriptions,
    unreachable: UnreachableChannels,
) -> None:
    """Tell who subscribed what their channel cannot have, unless it was so the last time too.

    That not all of a morning is published is said once: some days have fewer messages.
    """
    wishes = frozenset(each.wish.value for each in missing)
    if subscription.publish:
        wishes |= subscription.unmet & {Wish.PUBLISH_ALL.value}
    if wishes == subscription.unmet:
        return
    await subscriptions.change(
        subscription.channel, lambda current: replace(current, unmet=wishes) if current else None
    )
    for each in missing:
        if each.wish.value not in subscription.unmet:
            line = SAY.delivering.of_channel(
                subscription.channel, SAY.subscribing.not_had(each.why)
            )
            await unreachable.notify(subscription, line)


async def published(
    publisher: Publisher, subscription: Subscription, posts: Sequence[Post]
) -> Unmet | None:
    """Publish a morning to whoever follows the channel; give what was not done of it.

    Threads are not published, only the messages that they hang on: the roundup, then the busiest
    repositories. Those that are published already, before a crash, stay so.
    """
    first = [post for post in posts if post.position == 0 and post.state is PostState.SENT]
    try:
        for post in first[:MOST_PUBLISHED]:
            await publisher.publish(subscription.channel, post.ref)
    except PublishError as error:
        log.warning(
            "not published",
            channel=str(subscription.channel),
            reason=str(error),
            limited=isinstance(error, Limited),
        )
        return Unmet(Wish.PUBLISH, SAY.discord.not_published(error.why))
    if len(first) <= MOST_PUBLISHED:
        return None
    why = SAY.discord.published_in_part(MOST_PUBLISHED, len(first), Example("one thread"))
    return Unmet(Wish.PUBLISH_ALL, why)
