"""The wiring of a running bot: platforms, follow-ups, mornings and the clock."""

import asyncio
import os
import secrets
import signal
import socket
from collections.abc import AsyncIterator, Coroutine, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

import structlog
from aiohttp import web

from adapters.clock import ticking
from adapters.run import Choices, Running, running
from bot.channel_answers import ChannelAnswers
from bot.channels import Platform
from bot.chat import Chat
from bot.delivery import Delivering
from bot.flagging import Flagging
from bot.planning import Planning
from bot.ports import Publisher
from bot.rooms import Rooms
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
    "no platform is set up: set SLACK_BOT_TOKEN and SLACK_APP_TOKEN, or DISCORD_TOKEN, as "
    "docs/slack.md and docs/discord.md tell"
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
    async with running(Choices(), progress) as infra, AsyncExitStack() as stack:
        settings, clock, store = infra.settings, infra.clock, infra.store
        assert store is not None  # `Choices()` keeps a store
        kept = ChannelStore(store.database)
        publishers = _publishers(settings, only, kept, stack)
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
        if only != "web":
            start = bot.infra.settings.now
            speed = start.speed if start else 1.0
            stack.enter_context(ticking(bot.chat.tick, bot.infra.clock, speed))
        log.info("infra runs", only=only or "everything")
        await _together(_faces(bot, only))


async def _together(faces: Mapping[str, Coroutine[None, None, None]]) -> None:
    """Hear every platform; one that fails is logged, and the last one's failure is raised."""
    tasks = {asyncio.create_task(face): name for name, face in faces.items()}
    try:
        while tasks:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                name = tasks.pop(task)
                if not tasks:
                    task.result()
                log.error("platform not heard", platform=name, reason=str(task.exception()))
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _faces(bot: Chatting, only: str) -> dict[str, Coroutine[None, None, None]]:
    """Give what hears each platform; what is heard by HTTP is left to the web process."""
    settings = bot.infra.settings
    by_socket = bool(settings.slack_app_token.get_secret_value())
    faces: dict[str, Coroutine[None, None, None]] = {}
    if Platform.SLACK in bot.publishers and only != ("web" if by_socket else "worker"):
        faces[Platform.SLACK] = _hear_slack(bot)
    if Platform.DISCORD in bot.publishers and only != "web":
        faces[Platform.DISCORD] = _hear_discord(bot)
    return faces or {"nothing": _serve_health(settings) if only == "web" else _for_ever()}


async def _hear_slack(bot: Chatting) -> None:
    from adapters.slack.app import SlackFace, SlackKeys
    from adapters.slack.client import SlackPublisher

    settings = bot.infra.settings
    publisher = bot.publishers[Platform.SLACK]
    assert isinstance(publisher, SlackPublisher)  # `_publishers` made it
    keys = SlackKeys(
        settings.slack_bot_token.get_secret_value(),
        settings.slack_app_token.get_secret_value(),
        settings.slack_signing_secret.get_secret_value(),
        settings.slack_api_url,
    )
    face = await SlackFace.made(publisher, bot.chat, keys, clock=bot.infra.clock)
    if not keys.by_socket:
        await _serve(face.application(), settings)
        return
    async with face.listening():
        await _for_ever()


async def _hear_discord(bot: Chatting) -> None:
    from adapters.discord.app import DiscordFace
    from adapters.discord.client import DiscordPublisher

    settings = bot.infra.settings
    publisher = bot.publishers[Platform.DISCORD]
    assert isinstance(publisher, DiscordPublisher)  # `_publishers` made it
    face = DiscordFace(
        publisher,
        bot.chat,
        bot.store.holds,
        settings.discord_token.get_secret_value(),
        clock=bot.infra.clock,
        owner=_process(),
        api_url=settings.discord_api_url,
    )
    await face.listen()


async def _serve_health(settings: Settings) -> None:
    from adapters.slack.app import HEALTH_PATH, healthy

    application = web.Application()
    application.router.add_get(HEALTH_PATH, healthy)
    await _serve(application, settings)


async def _for_ever() -> None:
    await asyncio.Event().wait()


async def _serve(application: web.Application, settings: Settings) -> None:
    """Serve until cancelled; raises `ConfigurationError` where the address is taken."""
    runner = web.AppRunner(application, access_log=None)
    try:
        await runner.setup()
        await web.TCPSite(runner, settings.host, settings.port).start()
        log.info("http listens", host=settings.host, port=settings.port)
        await _for_ever()
    except OSError as error:
        message = f"{settings.host}:{settings.port} cannot be listened on: set another HOST or PORT"
        raise ConfigurationError(message) from error
    finally:
        await runner.cleanup()


def _publishers(
    settings: Settings, only: str, store: ChannelStore, stack: AsyncExitStack
) -> dict[Platform, Publisher]:
    publishers: dict[Platform, Publisher] = {}
    token = settings.slack_bot_token.get_secret_value()
    if token and only != Platform.DISCORD:
        from adapters.slack.client import SlackPublisher

        publishers[Platform.SLACK] = SlackPublisher(token, api_url=settings.slack_api_url)
    token = settings.discord_token.get_secret_value()
    if token and only != Platform.SLACK:
        from adapters.discord.client import DiscordPublisher
        from adapters.discord.rest import Rest, point_at

        point_at(settings.discord_api_url, settings.discord_gateway_url)
        rest = Rest(token)
        stack.push_async_callback(rest.close)
        publishers[Platform.DISCORD] = DiscordPublisher(rest, store.values)
    return publishers


def _process() -> str:
    """Name this process so that no other has the name, also after a restart."""
    return f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"
