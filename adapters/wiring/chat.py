"""The wiring of a bot in channels: platforms, subscriptions, follow-ups and mornings."""

import os
import secrets
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from adapters.operations.metrics import Metrics, counted
from adapters.operations.webhook import Webhook
from adapters.pages.html import render
from adapters.web.client import fetched
from adapters.wiring.assembly import Running, read_public_surface, running
from bot.answer.chat import Chat
from bot.compose.pages import PageAddress
from bot.deliver.background import BackgroundLook, ConcernReading
from bot.deliver.delivery import Delivering
from bot.deliver.planning import Planning
from bot.deliver.posting import Sharing
from bot.deliver.shared_roundups import SharedRoundups
from bot.followups.handler import FollowUpHandler
from bot.followups.upstream_checks import UpstreamChecks
from bot.followups.webhook_queue import WebhookQueue
from bot.model.channels import Channel, Platform
from bot.model.policy import Visibility
from bot.model.ports import Publisher
from bot.settings import Settings
from bot.store.store import ChannelStore
from digest.concern.ripple import RippleHistory
from digest.ports import Progress
from digest.store.database import Database
from digest.upstream import Upstream


@dataclass(frozen=True, slots=True)
class AssembledBot:
    """Everything that a running bot needs, made and open.

    `platforms` are the publishers as they were made, `publishers` the same with their calls
    counted. `owner` names this process.
    """

    chat: Chat
    store: ChannelStore
    publishers: Mapping[Platform, Publisher]
    infra: Running
    platforms: Mapping[Platform, Publisher]
    metrics: Metrics
    database: Database
    owner: str


@asynccontextmanager
async def assembled_bot(progress: Progress, only: str = "") -> AsyncIterator[AssembledBot]:
    """Make the bot as it is set, and close it again; nothing is heard or sent by itself.

    Raises `ConfigurationError`, `DatabaseVersion` or `StoreFailed`.
    """
    async with running(progress) as infra, AsyncExitStack() as stack:
        settings, clock, store = infra.settings, infra.clock, infra.store
        assert store is not None  # `running` keeps one by default
        channels = ChannelStore(store.database, announces=bool(_webhook(settings)[0]))
        caps = {"day": settings.tokens_a_day, "month": settings.tokens_a_month}
        metrics, owner = Metrics(caps if infra.model else None), _process()
        platforms = _publishers(settings, only, channels, stack)
        publishers = {name: counted(each, name, metrics) for name, each in platforms.items()}

        async def is_shared(channel: Channel, person: str) -> bool:
            """Where no platform is set, nothing goes to a channel."""
            publisher = publishers.get(channel.platform)
            return publisher is not None and await publisher.is_shared(channel, person)

        async def is_public(channel: Channel) -> bool:
            publisher = publishers.get(channel.platform)
            return publisher is not None and await publisher.is_public(channel)

        async def is_stranger(channel: Channel, person: str) -> bool:
            return await sharing.publisher(channel).is_stranger(channel, person)

        sharing = Sharing(channels.posts, publishers)
        visibility = Visibility(
            settings.private_repos,
            is_shared,
            is_stranger,
            channels.subscriptions.of,
            channels.hidden.all,
            is_public,
        )
        gathering = SharedRoundups(infra.pipeline, channels.leases, clock=clock, owner=owner)
        stack.push_async_callback(gathering.stop)
        ripple_history = RippleHistory(infra.pipeline.stored)
        planning = Planning(
            gathering,
            channels,
            clock=clock,
            visibility=visibility,
            pages=PageAddress(settings.url, await channels.hidden.all()) if settings.url else None,
            ripple_history=ripple_history,
        )
        delivering = Delivering(
            planning, channels, publishers, clock=clock, owner=owner, late=metrics.late
        )
        followups = FollowUpHandler(
            *(infra.pipeline, channels, sharing, clock),
            *(visibility.may_show, settings.may_follow_up),
        )
        beside: list[BackgroundLook] = [
            ConcernReading(channels.concerns, read_public_surface, clock, fetched)
        ]
        if isinstance(infra.source, Upstream):
            beside.append(
                UpstreamChecks(
                    *(infra.source, channels, sharing, followups.messages),
                    *(visibility.may_tell_alone, infra.pipeline, planning.surfaces),
                    clock=clock,
                    owner=owner,
                    platforms=tuple(publishers),
                    language=settings.lang,
                )
            )
        url, secret = _webhook(settings)
        if url:
            hook = Webhook(url, secret, clock)
            stack.push_async_callback(hook.close)
            beside.append(WebhookQueue(hook, channels, clock=clock, owner=owner))
        chat = Chat(
            *(infra.answers, visibility, followups, sharing, delivering),
            store=channels,
            clock=clock,
            policy=settings.may_subscribe,
            tz=settings.tz,
            language=settings.lang,
            source=infra.source,
            draw=render,
            fetch=fetched,
            ripple_history=ripple_history,
            beside=beside,
        )
        yield AssembledBot(
            chat,
            channels,
            publishers,
            infra,
            platforms,
            metrics,
            store.database,
            owner,
        )


def _webhook(settings: Settings) -> tuple[str, str]:
    """Return address and secret of the webhook, empty where none is set."""
    return settings.webhook_url.get_secret_value(), settings.webhook_secret.get_secret_value()


def _publishers(
    settings: Settings, only: str, store: ChannelStore, stack: AsyncExitStack
) -> dict[Platform, Publisher]:
    publishers: dict[Platform, Publisher] = {}
    token = settings.slack_bot_token.get_secret_value()
    if token and only != Platform.DISCORD:
        from adapters.slack.client import SlackPublisher

        slack = SlackPublisher(token, api_url=settings.slack_api_url)
        stack.push_async_callback(slack.close)
        publishers[Platform.SLACK] = slack
    token = settings.discord_token.get_secret_value()
    if token and only != Platform.SLACK:
        from adapters.discord.client import DiscordPublisher
        from adapters.discord.rest import Rest, point_at

        point_at(settings.discord_api_url, settings.discord_gateway_url)
        rest = Rest(token)
        stack.push_async_callback(rest.close)
        publishers[Platform.DISCORD] = DiscordPublisher(rest, store.values, settings.guilds)
    return publishers


def _process() -> str:
    """Name this process so that no other has the name, also after a restart."""
    return f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"
