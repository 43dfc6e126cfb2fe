"""The wiring of a running bot: platforms, follow-ups, mornings and the clock."""

import asyncio
import os
import secrets
import signal
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

import structlog
from aiohttp import web

from adapters.clock import ticking
from adapters.run import Choices, Running, running
from bot.channel_answers import ChannelAnswers
from bot.channels import Platform
from bot.chat import Chat, Rooms
from bot.delivery import Delivering
from bot.flagging import Flagging
from bot.planning import Planning
from bot.ports import Publisher
from bot.settings import Settings
from bot.sharing import Sharing
from bot.store.store import ChannelStore
from bot.subscribing import Subscribing
from bot.visibility import Visibility
from digest.errors import ConfigurationError
from digest.ports import Progress

ONLY = ("slack", "discord", "worker", "web")
"""What a process can be told to do alone: one platform, all but HTTP, or HTTP alone."""

NO_PLATFORM = (
    "no platform is set up: set SLACK_BOT_TOKEN and SLACK_APP_TOKEN, as docs/slack.md tells"
)

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Chatting:
    """Everything that a running bot needs, made and open."""

    chat: Chat
    rooms: Rooms
    store: ChannelStore
    publishers: Mapping[Platform, Publisher]
    infra: Running


@asynccontextmanager
async def chatting(progress: Progress, only: str = "") -> AsyncIterator[Chatting]:
    """Make the bot as it is set, and close it again; nothing is heard or sent by itself.

    Raises `ConfigurationError`, `DatabaseVersion` or `StoreFailed`.
    """
    async with running(Choices(), progress) as infra:
        settings, clock, store = infra.settings, infra.clock, infra.store
        assert store is not None  # `Choices()` keeps a store
        kept = ChannelStore(store.database)
        publishers = _publishers(settings, only)
        visibility = Visibility(settings.private_repos)
        reading = ChannelAnswers(
            infra.answers, kept.subscriptions, visibility, tz=settings.tz, language=settings.lang
        )
        sharing = Sharing(kept.posts, publishers)
        planning = Planning(
            infra.pipeline,
            kept,
            clock=clock,
            may_tell=visibility.may_tell,
            page_url=settings.url or None,
        )
        rooms = Rooms(
            reading=reading,
            subscribing=Subscribing(
                infra.answers, reading, kept.subscriptions, settings.may_subscribe, clock=clock
            ),
            flagging=Flagging(infra.pipeline, kept, sharing, clock),
            sharing=sharing,
            delivering=Delivering(planning, kept, publishers, clock=clock, owner=_process()),
        )
        yield Chatting(Chat(rooms, kept, clock), rooms, kept, publishers, infra)


async def run(only: str, progress: Progress) -> None:
    """Hear, tick and send until the process is asked to end, also while it still begins.

    Raises `ConfigurationError` where nothing is set up, or a token is refused.
    """
    work = asyncio.create_task(_work(only, progress))
    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, work.cancel)
    await asyncio.wait([work])
    if not work.cancelled():
        work.result()
    log.info("infra ended")


async def _work(only: str, progress: Progress) -> None:
    async with chatting(progress, only) as bot, AsyncExitStack() as stack:
        if not bot.publishers:
            raise ConfigurationError(NO_PLATFORM)
        stack.push_async_callback(bot.chat.stop)
        application = await _listen(bot, only, stack)
        if application:
            await _serve(application, bot.infra.settings, stack)
        if only != "web":
            start = bot.infra.settings.now
            speed = start.speed if start else 1.0
            stack.enter_context(ticking(bot.chat.tick, bot.infra.clock, speed))
        log.info("infra runs", only=only or "everything")
        await asyncio.Event().wait()


async def _listen(bot: Chatting, only: str, stack: AsyncExitStack) -> web.Application | None:
    """Hear every platform that is set; gives the application of those that are heard by HTTP."""
    from adapters.slack.app import HEALTH_PATH, SlackFace, SlackKeys, healthy
    from adapters.slack.client import SlackPublisher

    settings = bot.infra.settings
    application: web.Application | None = None
    if only == "web":
        application = web.Application()
        application.router.add_get(HEALTH_PATH, healthy)
    publisher = bot.publishers.get(Platform.SLACK)
    if isinstance(publisher, SlackPublisher):
        keys = SlackKeys(
            settings.slack_bot_token.get_secret_value(),
            settings.slack_app_token.get_secret_value(),
            settings.slack_signing_secret.get_secret_value(),
            settings.slack_api_url,
        )
        if keys.by_socket and only == "web":
            return application
        if not keys.by_socket and only == "worker":
            return None
        face = await SlackFace.made(publisher, bot.chat, keys, clock=bot.infra.clock)
        if keys.by_socket:
            await stack.enter_async_context(face.listening())
        else:
            application = face.application()
    return application


async def _serve(application: web.Application, settings: Settings, stack: AsyncExitStack) -> None:
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    stack.push_async_callback(runner.cleanup)
    try:
        await web.TCPSite(runner, settings.host, settings.port).start()
    except OSError as error:
        message = f"{settings.host}:{settings.port} cannot be listened on: set another HOST or PORT"
        raise ConfigurationError(message) from error
    log.info("http listens", host=settings.host, port=settings.port)


def _publishers(settings: Settings, only: str) -> dict[Platform, Publisher]:
    publishers: dict[Platform, Publisher] = {}
    token = settings.slack_bot_token.get_secret_value()
    if token and only != Platform.DISCORD:
        from adapters.slack.client import SlackPublisher

        publishers[Platform.SLACK] = SlackPublisher(token, api_url=settings.slack_api_url)
    return publishers


def _process() -> str:
    """Name this process so that no other has the name, also after a restart."""
    return f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"
