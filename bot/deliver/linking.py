"""Links from a roundup to where its morning tells of each repository, once that is posted."""

from collections.abc import Sequence
from dataclasses import replace

import structlog

from bot.deliver.planning import Planning
from bot.model.parts import PartKind
from bot.model.ports import Publisher, PublishError
from bot.model.posts import Delivery, Post, PostState
from bot.model.references import read_key
from bot.model.subscriptions import Subscription
from bot.store.posts import Posts
from digest.errors import CouldNotLook
from digest.models import Roundup

log = structlog.get_logger()


async def link(
    planning: Planning,
    kept: Posts,
    publisher: Publisher,
    subscription: Subscription,
    delivery: Delivery,
    posts: Sequence[Post],
    roundup: Roundup | None,
) -> None:
    """Put links to the other threads, or to parts of its own, into the first one.

    Without them it is still whole. It is planned anew for that: only where it
    still tells of the same threads.
    """
    begins = _beginnings(posts)
    if not begins:
        return
    try:
        roundup = roundup or await planning.gathered(subscription, delivery.slot)
        followups = await planning.followups(subscription.channel)
        wrong = await planning.corrections(subscription.channel, delivery.slot)
        surfaces = await planning.surfaces(subscription.channel)
        ripples = await planning.ripples(subscription.channel, roundup, surfaces)
        inputs = (subscription, delivery.slot, roundup, followups, wrong)
        threads = planning.threads(*inputs, surfaces=surfaces, ripples=ripples)
        told_of = [post.repo for post in posts if post.position == 0]
        if [thread.repo for thread in threads] != told_of:
            return  # it was changed since the threads were planned
        links = {
            repo: await publisher.link(post.channel, post.ref) for repo, post in begins.items()
        }
        linked = planning.threads(*inputs, links, surfaces, ripples)
        messages = publisher.render(linked[0])
        first = [post for post in posts if post.thread == 0]
        if len(messages) != len(first):
            return
        for post, message in zip(first, messages, strict=True):
            if post.state is PostState.SENT and post.message.payload != message.payload:
                await publisher.edit(post.channel, post.ref, message.payload)
                if post.whole:
                    await kept.redrawn(replace(post, whole=linked[0].parent))
    except (CouldNotLook, PublishError) as error:
        log.warning("roundup without links", reason=str(error))


def _beginnings(posts: Sequence[Post]) -> dict[str, Post]:
    """Give the message with which a morning begins to tell of a repository, by `OWNER/NAME`.

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
