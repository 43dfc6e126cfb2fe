"""One process of a running bot: it hears, ticks, sends and serves, until it is asked to end.

::

    all          the default: everything, on SQLite alone or beside others on PostgreSQL
    web          HTTP alone: Slack's events where it is heard so, pages, health and metrics
    worker       clock, sockets and sending; what is heard by HTTP is left to the web process
    slack        one platform with a clock of its own
    discord

Any number of any kind share the work on PostgreSQL: what is due is claimed row by row, one process
holds Discord's gateway, and an event that comes twice is known by its id in the database.
"""

import asyncio
import signal
from collections.abc import Coroutine, Mapping
from contextlib import AsyncExitStack
from datetime import datetime

import structlog

from adapters.operations.background import say_if_broken
from adapters.operations.clock import daily_purge, once_private, ticking
from adapters.operations.health import Health
from adapters.pages.public_pages import PublicPages
from adapters.web.http_server import (
    Responder,
    application,
    operators_application,
    serving,
)
from adapters.wiring.assembly import clock_from, github_name, storage_warning
from adapters.wiring.chat import AssembledBot, assembled_bot
from bot.compose.pages import PageAddress, hidden_names
from bot.model.channels import Platform
from digest.errors import ConfigurationError
from digest.languages import Language
from digest.models import KNOWN
from digest.wording.phrases import SAY
from digest.wording.saying import localized

SECONDS_TO_FINISH = 7.0
"""After so long, what is still waited for is let go of: hosts kill after ten seconds, as Docker
does (https://docs.docker.com/reference/cli/docker/container/stop/)."""

log = structlog.get_logger()


async def run(only: str) -> None:
    """Hear, tick and send until the process is asked to end, also while it still begins.

    Raises `ConfigurationError` where nothing is set up, or a token is refused.
    """
    work = asyncio.create_task(_work(only))
    loop = asyncio.get_running_loop()

    ends = False

    def end() -> None:
        nonlocal ends
        if ends:  # it is under way, and is not to be torn
            return
        ends = True
        log.info("infra ends")
        work.cancel()
        loop.call_later(SECONDS_TO_FINISH, work.cancel)

    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, end)
    await asyncio.wait([work])
    if not work.cancelled():
        work.result()
    log.info("infra ended")


async def _work(only: str) -> None:
    async with assembled_bot(lambda _step: None, only) as bot, AsyncExitStack() as stack:
        if not bot.publishers:
            raise ConfigurationError(SAY.chat.no_platform)
        infra = bot.infra
        if warning := storage_warning(infra.settings):
            log.warning("the database will not last", reason=localized(warning, Language.EN))
        health = Health(
            bot.database,
            bot.metrics,
            owner=bot.owner,
            only=only,
            clock=infra.clock,
            budget=infra.budget,
            speed=infra.speed,
        )
        opened: dict[str, Responder] = {}
        await _serve(bot, only, health, opened, stack)
        faces = _faces(bot, only, health, opened)
        log.info("infra runs", only=only or "everything")
        await _hear(bot, only, health, faces)


async def _serve(
    bot: AssembledBot,
    only: str,
    health: Health,
    opened: dict[str, Responder],
    stack: AsyncExitStack,
) -> None:
    """Serve HTTP: where it is needed, by default, and else where a port is set.

    Operators have an address of their own, in every process, where its port is set.
    """
    settings = bot.infra.settings
    if settings.ops_port is not None:
        mine = operators_application(health)
        names = "INFRA_OPS_HOST or INFRA_OPS_PORT"
        await stack.enter_async_context(
            serving(mine, settings.ops_host, settings.ops_port, needed=False, names=names)
        )
    needed = only == "web" or _heard_by_http(bot, only)
    if not needed and only and "port" not in settings.model_fields_set:
        return
    paths = ("/slack/events",) if _heard_by_http(bot, only) else ()
    made = application(health, opened, paths, _pages(bot))
    await stack.enter_async_context(serving(made, settings.host, settings.port, needed=needed))


def _pages(bot: AssembledBot) -> Responder | None:
    """Return what serves the public pages, where there is a public address."""
    settings, store = bot.infra.settings, bot.infra.store
    if not settings.url or store is None:
        return None
    from adapters.pages.site import Site

    shelf = store.digests(github_name(settings))
    return Site(
        PublicPages(shelf, bot.store.hidden.all, bot.infra.clock),
        PageAddress(settings.url),
        KNOWN,
        store.watched,
        tz=settings.tz,
        language=settings.lang,
    ).answer


async def _hear(
    bot: AssembledBot,
    only: str,
    health: Health,
    faces: Mapping[str, Coroutine[None, None, None]],
) -> None:
    """Tick and hear; at the end the clock stops first, then all that is in work ends at once."""

    def tick(now: datetime) -> None:
        bot.chat.tick(now, looked=health.ticked)

    tasks = {asyncio.create_task(face): name for name, face in faces.items()}
    infra = bot.infra
    lives = {"heartbeats": health.live()}
    if only != "web":
        listed = hidden_names(infra.settings.private_repos)
        purge = daily_purge(bot.database, infra.settings.keep_days, infra.clock)
        lives["purging"] = purge.live()
        lives["once private"] = once_private(infra.source, listed, bot.database, infra.clock).live()
    life = [asyncio.create_task(each, name=name) for name, each in lives.items()]
    for task in life:
        task.add_done_callback(say_if_broken)
    try:
        if only == "web":
            await _until_none_is_heard(tasks)
            return
        health.expect_clock()
        with ticking(tick, infra.clock, infra.speed, machine=clock_from(None)):
            await _until_none_is_heard(tasks)
    finally:
        for task in (*tasks, *life):
            task.cancel()
        await asyncio.gather(*tasks, *life, bot.chat.stop(), return_exceptions=True)
        await bot.chat.stop()  # what the last answer may have begun


async def _until_none_is_heard(faces: Mapping["asyncio.Task[None]", str]) -> None:
    """Wait; a face that fails is logged, and the last one's failure is raised."""
    left = dict(faces)
    while left:
        done, _ = await asyncio.wait(left, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            name = left.pop(task)
            if not left:
                task.result()
            log.error("platform not heard", platform=name, reason=str(task.exception()))


def _heard_by_http(bot: AssembledBot, only: str) -> bool:
    """Return whether this process is the one that Slack posts to."""
    by_socket = bool(bot.infra.settings.slack_app_token.get_secret_value())
    return Platform.SLACK in bot.publishers and not by_socket and only != "worker"


def _faces(
    bot: AssembledBot, only: str, health: Health, opened: dict[str, Responder]
) -> dict[str, Coroutine[None, None, None]]:
    """Return what hears each platform; what is heard by HTTP is left to the web process."""
    by_socket = bool(bot.infra.settings.slack_app_token.get_secret_value())
    faces: dict[str, Coroutine[None, None, None]] = {}
    if Platform.SLACK in bot.publishers and only != ("web" if by_socket else "worker"):
        faces[Platform.SLACK] = _hear_slack(bot, health, opened)
    if Platform.DISCORD in bot.publishers and only != "web":
        faces[Platform.DISCORD] = _hear_discord(bot, health)
    return faces or {"nothing": _for_ever()}


async def _hear_slack(bot: AssembledBot, health: Health, opened: dict[str, Responder]) -> None:
    from adapters.slack.app import EVENTS_PATH, SlackBot, introduced
    from adapters.slack.client import SlackPublisher

    settings = bot.infra.settings
    publisher = bot.platforms[Platform.SLACK]
    assert isinstance(publisher, SlackPublisher)  # `_publishers` made it
    app_token = settings.slack_app_token.get_secret_value()
    reached = False

    async def unheard() -> str:
        return await face.unheard() if reached else "not reached yet"

    health.listens(Platform.SLACK, unheard)
    face = SlackBot(
        publisher,
        bot.chat,
        await introduced(publisher),
        app_token=app_token,
        signing_secret=settings.slack_signing_secret.get_secret_value(),
        clock=bot.infra.clock,
        policies=(settings.may_subscribe, settings.may_follow_up),
    )
    if app_token:
        async with face.listening():
            reached = True
            await _for_ever()
    try:
        opened[EVENTS_PATH] = face.on_request
        reached = True
        await _for_ever()
    finally:
        await face.stop()


async def _hear_discord(bot: AssembledBot, health: Health) -> None:
    from adapters.discord.app import DiscordBot
    from adapters.discord.client import DiscordPublisher

    settings = bot.infra.settings
    publisher = bot.platforms[Platform.DISCORD]
    assert isinstance(publisher, DiscordPublisher)  # `_publishers` made it
    face = DiscordBot(
        publisher,
        bot.chat,
        bot.store.leases,
        settings.discord_token.get_secret_value(),
        clock=bot.infra.clock,
        owner=bot.owner,
    )
    health.listens(Platform.DISCORD, face.unheard)
    await face.listen()


async def _for_ever() -> None:
    await asyncio.Event().wait()
