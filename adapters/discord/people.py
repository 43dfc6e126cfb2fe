"""Who does something on Discord, where, and what they may there."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import aiohttp
import discord
import structlog

from adapters.discord.client import reference
from adapters.discord.errors import translated
from adapters.discord.permissions import may_manage, may_write
from adapters.discord.responder import Interaction
from bot.answer.channel_answers import language_of
from bot.model.channels import Channel, Person, Platform
from digest.languages import Language

log = structlog.get_logger()


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
        """Return the reference of a message here."""
        return reference(self.place, self.channel.id if self.in_thread else None, message)


@dataclass(frozen=True, slots=True)
class Caller:
    """Who did something by an interaction, and where; `to` is what answers it."""

    to: Interaction
    place: Place
    person: Person

    @property
    def language(self) -> Language:
        """The language in which Discord shows itself to the person, English if it is not ours."""
        return language_of(self.person) or Language.EN


def caller_of(interaction: discord.Interaction) -> Caller | None:
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
    may, user = interaction.permissions.value, interaction.user
    person = _person(user, own.workspace, may, in_thread=place.in_thread)
    language = str(interaction.locale.value).partition("-")[0].casefold()
    return Caller(to, place, replace(person, language=language or None))


def _person(
    user: discord.User | discord.Member, guild: str, may: int, *, in_thread: bool
) -> Person:
    return Person(
        Platform.DISCORD,
        guild,
        str(user.id),
        user.display_name,
        is_bot=user.bot,
        may_manage=may_manage(may),
        may_write=may_write(may, in_thread=in_thread),
        # Who is only known as a user has no roles.
        groups=frozenset(f"role:{role.id}" for role in getattr(user, "roles", ())),
    )


def member(
    found: discord.Member, channel: Channel, client: discord.Client, *, in_thread: bool
) -> Person:
    """Return a member with what they may in a channel, and in its threads, which obey it.

    In a channel that is not known nobody may write.
    """
    server = client.get_guild(int(channel.workspace))
    place = server.get_channel(int(channel.id)) if server else None
    may = place.permissions_for(found).value if place else 0
    return _person(found, channel.workspace, may, in_thread=in_thread)


def user(data: Mapping[str, Any], guild: str) -> Person:
    """Read a user object, or a member's with its user inside: who it is, not what they may.

    https://discord.com/developers/docs/resources/user#user-object
    """
    own = data.get("user") or data
    name = data.get("nick") or own.get("global_name") or own.get("username")
    id = str(own["id"])
    return Person(Platform.DISCORD, guild, id, str(name or id), is_bot=bool(own.get("bot")))


class Members:
    """What people may do, looked up once each; for one look at what was missed."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client
        self._known: dict[tuple[str, str], discord.Member | None] = {}

    async def person(self, person: Person, channel: Channel, *, in_thread: bool) -> Person:
        """Return a person with their roles and rights; who is not on the server may do nothing.

        Raises `PublishError` for who cannot be looked up just now.
        """
        key = (channel.workspace, person.id)
        if key not in self._known:
            self._known[key] = await self._looked_up(channel, person)
        found = self._known[key]
        if found is None:
            return replace(person, may_write=False)
        return member(found, channel, self._client, in_thread=in_thread)

    async def _looked_up(self, channel: Channel, person: Person) -> discord.Member | None:
        server = self._client.get_guild(int(channel.workspace))
        try:
            return await server.fetch_member(int(person.id)) if server else None
        except (discord.NotFound, discord.Forbidden) as error:
            log.info("member not looked up", person=person.id, reason=str(error))
            return None
        except (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError) as error:
            raise translated(error) from error
