"""The Discord face of a running bot: one process at a time hears the gateway for all.

::

    face = DiscordBot(publisher, chat, holds, token, clock=clock, owner=owner)
    await face.listen()          until cancelled; waits while another process holds the gateway

No privileged intent is asked for, and there is one shard, which hears up to 2,500 servers:
https://discord.com/developers/docs/events/gateway#sharding
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import KW_ONLY, dataclass
from datetime import timedelta
from typing import Any

import aiohttp
import discord
import structlog
from discord.http import Route

from adapters.discord.client import DiscordPublisher
from adapters.discord.commands import COMMANDS, ids
from adapters.discord.interactions import Responder
from adapters.discord.listeners import Listeners
from adapters.discord.reactions import Reactions
from adapters.operations.background import Background
from adapters.operations.retry import until_reached
from adapters.web.client import proxy_for
from bot.answer.chat import Chat
from bot.model.channels import Channel, Platform
from bot.model.ports import PublishError, Refused, TokenRevoked
from digest.errors import BadToken, ConfigurationError, StoreFailed
from digest.leases import NamedLeases
from digest.ports import Clock
from digest.wording.phrases import SAY

GATEWAY_LEASE = "discord gateway"
LEASE_TIME = timedelta(seconds=20)
HEARTBEAT = 7.0
"""Seconds between two heartbeats, and between two tries to hold what another holds. Both, and
the seconds until the gateway is open, are half a minute without one."""

PAUSES = (1.0, 5.0, 15.0, 60.0, 300.0)
"""Seconds between tries to reach Discord. A session start costs one of 1,000 a day, after which the
token is reset: https://discord.com/developers/docs/events/gateway#session-start-limit-object"""

GUILDS_WITHIN = 0.5
"""Seconds without another server being told of, after which all are taken to be known."""

BAD_TOKEN = 4004
REFUSED = "Discord's gateway refuses the bot ({code}): look at its settings in the Developer Portal"

log = structlog.get_logger()


class _Session(discord.Client):
    """One session of the gateway: what it hears goes to whoever handles it.

    Of servers and channels what is heard is that they may be there again; what is gone a delivery
    meets: https://discord.com/developers/docs/events/gateway#list-of-intents
    """

    def __init__(self, bot: "DiscordBot", **options: Any) -> None:
        super().__init__(**options)
        self._bot = bot

    async def on_ready(self) -> None:
        self._bot.state = ""
        log.info("discord listens", servers=len(self.guilds))
        ids = [str(each.id) for each in self.guilds]
        if others := [each for each in ids if not self._bot.publisher.serves(each)]:
            log.warning("discord servers outside INFRA_GUILDS are not served", servers=others)
        self._start(self._bot.reactions.reconcile(self), "reactions missed")

    async def on_resumed(self) -> None:
        self._bot.state = ""

    async def on_disconnect(self) -> None:
        self._bot.state = "the gateway is not open"

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        await self._bot.listeners.on_interaction(interaction)

    async def on_message(self, message: discord.Message) -> None:
        self._bot.listeners.on_message(message, self)

    async def on_raw_reaction_add(self, event: discord.RawReactionActionEvent) -> None:
        self._start(self._bot.reactions.on_reaction(event, self, added=True), "reaction")

    async def on_raw_reaction_remove(self, event: discord.RawReactionActionEvent) -> None:
        self._start(self._bot.reactions.on_reaction(event, self, added=False), "reaction")

    async def on_raw_reaction_clear(self, event: discord.RawReactionClearEvent) -> None:
        self._start(self._bot.reactions.on_clear(event, self), "reactions cleared")

    async def on_raw_reaction_clear_emoji(self, event: discord.RawReactionClearEmojiEvent) -> None:
        self._start(self._bot.reactions.on_clear(event, self), "reactions cleared")

    async def on_guild_join(self, guild: discord.Guild) -> None:
        log.info("discord server joined", server=guild.id)
        back = self._bot.unreachable.workspace_back(Platform.DISCORD, str(guild.id))
        self._start(back, "server joined")

    async def on_guild_channel_update(
        self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel
    ) -> None:
        """Note that the permissions of a channel changed, which may let the bot in again."""
        if before.overwrites != after.overwrites or before.category_id != after.category_id:
            channel = Channel(Platform.DISCORD, str(after.guild.id), str(after.id))
            back = self._bot.unreachable.back(channel, certain=False)
            self._start(back, "channel changed")

    def _start(self, work: Coroutine[None, None, None], name: str) -> None:
        self._bot.background.start(work, f"discord {name}")


@dataclass(eq=False, repr=False)
class DiscordBot:
    """Hears every server that the bot is on, and answers there."""

    publisher: DiscordPublisher
    chat: Chat
    leases: NamedLeases
    token: str
    _: KW_ONLY
    clock: Clock
    owner: str
    heartbeat: float = HEARTBEAT
    pauses: tuple[float, ...] = PAUSES
    guilds_within: float = GUILDS_WITHIN

    def __post_init__(self) -> None:
        self.background = Background()
        self.state = "not reached yet"
        """Why Discord is not heard."""
        self.unreachable = self.chat.delivering.unreachable
        responder = Responder(self.publisher.rest)
        self.listeners = Listeners(
            self.chat, responder, self.publisher, self.background, self.clock
        )
        self.reactions = Reactions(self.chat, self.publisher, self.clock, self.pauses)

    async def listen(self) -> None:
        """Hear Discord until cancelled.

        Raises `BadToken` and `ConfigurationError` for what no waiting mends.
        """
        try:
            await self._patiently(self._sync)
            while True:
                await self._take()
                try:
                    await self._hear()
                finally:
                    await self._let_go()
        finally:
            await self.background.stop()

    async def unheard(self) -> str:
        """Say why Discord is not heard, or nothing where it is, be it by another process."""
        return self.state

    async def settle(self) -> None:
        """Wait until nothing is in work any more."""
        await self.background.settle()

    async def _sync(self) -> None:
        """Tell Discord the commands; those that it has keep their ids and who may use them.

        https://docs.discord.com/developers/interactions/application-commands#bulk-overwrite-global-application-commands
        """
        rest = self.publisher.rest
        application = str((await rest.ask("GET", "/applications/@me"))["id"])
        path = "/applications/{application}/commands"
        try:
            registered = await rest.ask("PUT", path, json=list(COMMANDS), application=application)
            self.publisher.commands.update(ids(registered))
            log.info("discord commands told", count=len(COMMANDS))
        except Refused as error:  # what Discord has of them goes on working
            log.error("discord commands refused", reason=str(error))

    async def _take(self) -> None:
        """Wait until the gateway is this process's."""
        waited = False
        while not await self._held():
            if not waited:
                log.info("discord is heard by another process")
            waited, self.state = True, ""
            await asyncio.sleep(self.heartbeat)
        self.state = "the gateway is not open yet"

    async def _held(self) -> bool:
        now = self.clock()
        try:
            return await self.leases.take(GATEWAY_LEASE, self.owner, now, now + LEASE_TIME)
        except StoreFailed as error:
            log.warning("gateway not held", reason=str(error))
            return False

    async def _let_go(self) -> None:
        try:
            await self.leases.release(GATEWAY_LEASE, self.owner)
        except StoreFailed as error:
            log.warning("gateway not let go", reason=str(error))

    async def _hear(self) -> None:
        """Hear the gateway while it is held; raises what no waiting mends."""
        hearing = asyncio.create_task(self._patiently(self._connect))
        lost = 0
        try:
            while lost < 2:
                await asyncio.wait({hearing}, timeout=self.heartbeat)
                if hearing.done():
                    return hearing.result()
                lost = 0 if await self._held() else lost + 1
            log.warning("discord gateway lost to another process")
        finally:
            hearing.cancel()
            await asyncio.gather(hearing, return_exceptions=True)

    async def _connect(self) -> None:
        """Hear the gateway until the library gives up; it comes back by itself after most falls."""
        client = self._client()
        try:
            await client.start(self.token)
        except discord.LoginFailure as error:
            raise BadToken(SAY.discord.token) from error
        except discord.ConnectionClosed as error:
            if error.code == BAD_TOKEN:
                raise BadToken(SAY.discord.token) from error
            raise ConfigurationError(REFUSED.format(code=error.code)) from error
        except (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError) as error:
            raise _NotReached(str(error)) from error
        finally:
            self.state = "the gateway is not open"
            await client.close()

    def _client(self) -> discord.Client:
        discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # nobody speaks here
        return _Session(
            self,
            intents=discord.Intents(guilds=True, guild_messages=True, guild_reactions=True),
            proxy=proxy_for(Route.BASE),  # the gateway is reached the same way
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            guild_ready_timeout=self.guilds_within,
        )

    async def _patiently(self, ask: Callable[[], Awaitable[None]]) -> None:
        """Ask until Discord answers; raises what no waiting mends."""

        async def answered() -> None:
            try:
                await ask()
            except TokenRevoked as error:
                raise BadToken(SAY.discord.token) from error

        unreached = (PublishError, _NotReached)
        await until_reached(answered, Platform.DISCORD, self.pauses, unreached)


class _NotReached(Exception):
    """The gateway was not reached, or let us fall."""
