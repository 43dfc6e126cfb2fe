"""What Discord tells of servers and channels: left, joined, deleted, changed.

Names are stored nowhere, so renamed ones need nothing. A thread that was deleted is made again by
the next reply to its message. What is missed while nobody hears the gateway is made up for when
the bot is ready again.
"""

from collections.abc import Collection

import discord
import structlog

from adapters.operations.background import Background
from bot.deliver.unreachable_channels import Absence, UnreachableChannels
from bot.model.channels import Channel, Platform

log = structlog.get_logger()


class ChannelEvents:
    """Hears of servers and channels."""

    def __init__(self, unreachable: UnreachableChannels, background: Background) -> None:
        self._unreachable = unreachable
        self._background = background

    def listen(self, client: discord.Client) -> None:
        """Tell the client what to call; the intent of servers brings all of it.

        https://discord.com/developers/docs/events/gateway#list-of-intents
        """
        for listener in (
            *(self.on_guild_remove, self.on_guild_join),
            *(self.on_guild_channel_delete, self.on_guild_channel_update),
        ):
            client.event(listener)

    def on_ready(self, servers: Collection[int]) -> None:
        """Take in which servers there are, for what was missed."""
        present = {str(server) for server in servers}
        self._background.start(
            self._unreachable.present(Platform.DISCORD, present), "discord servers"
        )

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Take in that the bot was removed from a server, or the server deleted."""
        log.warning("discord server left", server=guild.id)
        work = self._unreachable.workspace_gone(Platform.DISCORD, str(guild.id))
        self._background.start(work, "discord server left")

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Take in that the bot was added to a server."""
        log.info("discord server joined", server=guild.id)
        work = self._unreachable.workspace_back(Platform.DISCORD, str(guild.id))
        self._background.start(work, "discord server joined")

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Take in that a channel was deleted."""
        work = self._unreachable.gone(_channel(channel), Absence.DELETED)
        self._background.start(work, "discord channel deleted")

    async def on_guild_channel_update(
        self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel
    ) -> None:
        """Take in that a channel was changed: its permissions may let the bot in again."""
        if before.overwrites == after.overwrites and before.category_id == after.category_id:
            return
        work = self._unreachable.back(_channel(after), certain=False)
        self._background.start(work, "discord channel changed")


def _channel(channel: discord.abc.GuildChannel) -> Channel:
    return Channel(Platform.DISCORD, str(channel.guild.id), str(channel.id))
