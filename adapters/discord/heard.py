"""What Discord's library tells, read into the bot's words: who, where, on which message (pure)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import discord

from adapters.discord.answering import Interaction
from adapters.discord.client import reference
from adapters.discord.permissions import may_manage, may_write
from bot.model.channels import Channel, Person, Platform
from bot.model.reactions import ReactionKind

EMOJI = {"🚩": ReactionKind.FLAG, "👀": ReactionKind.TAKE, "✅": ReactionKind.DONE}

THREADS = (
    discord.ChannelType.public_thread,
    discord.ChannelType.private_thread,
    discord.ChannelType.news_thread,
)


@dataclass(frozen=True, slots=True)
class Place:
    """Where something happens: the channel, and the thread of it or the channel itself.

    `holds_threads` tells that morning threads can be posted to the channel, `allowed` what the
    bot may there. `post` is the place where it is a post of a forum.
    """

    channel: Channel
    place: str
    in_thread: bool
    holds_threads: bool
    allowed: int
    post: str | None = None

    def reference(self, message: str) -> str:
        """Give the reference of a message here."""
        return reference(self.place, self.channel.id if self.in_thread else None, message)


@dataclass(frozen=True, slots=True)
class Heard:
    """An interaction: who, where, and what names it."""

    to: Interaction
    place: Place
    person: Person


def heard(interaction: discord.Interaction) -> Heard | None:
    """Read an interaction; None for one that is not of a server."""
    channel = interaction.channel
    if interaction.guild_id is None or channel is None or interaction.channel_id is None:
        return None
    thread = channel if isinstance(channel, discord.Thread) else None
    of = thread.parent if thread else channel
    own = Channel(
        Platform.DISCORD,
        str(interaction.guild_id),
        str(thread.parent_id if thread else interaction.channel_id),
    )
    place = Place(
        own,
        str(interaction.channel_id),
        thread is not None,
        # A parent that is not known yet is taken for one of them: most are.
        holds_threads=of is None or isinstance(of, discord.TextChannel | discord.ForumChannel),
        allowed=interaction.app_permissions.value,
        post=str(interaction.channel_id) if isinstance(of, discord.ForumChannel) else None,
    )
    to = Interaction(str(interaction.application_id), str(interaction.id), interaction.token)
    locale = str(interaction.locale.value)
    return Heard(to, place, _person(interaction, place, locale))


def _person(interaction: discord.Interaction, place: Place, locale: str) -> Person:
    user, guild = interaction.user, place.channel.workspace
    may = interaction.permissions.value
    return Person(
        Platform.DISCORD,
        guild,
        str(user.id),
        user.display_name,
        language=locale.partition("-")[0].casefold() or None,
        is_bot=user.bot,
        may_manage=may_manage(may),
        may_write=may_write(may, in_thread=place.in_thread),
        groups=roles_of(user),
    )


def roles_of(user: discord.User | discord.Member) -> frozenset[str]:
    """Give the roles of a member as settings name them; who is only known as a user has none."""
    return frozenset(f"role:{role.id}" for role in getattr(user, "roles", ()))


def user(data: Mapping[str, Any], guild: str) -> Person:
    """Read a user object, or a member's with its user inside: who it is, not what they may.

    https://discord.com/developers/docs/resources/user#user-object
    """
    own = data.get("user") or data
    name = data.get("nick") or own.get("global_name") or own.get("username")
    id = str(own["id"])
    return Person(Platform.DISCORD, guild, id, str(name or id), is_bot=bool(own.get("bot")))


def reaction_kind(emoji: discord.PartialEmoji) -> ReactionKind | None:
    """Give what an emoji says; a server's own emoji says nothing, whatever it is called."""
    return None if emoji.id else EMOJI.get(emoji.name.removesuffix("\ufe0f"))
