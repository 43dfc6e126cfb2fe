"""What the bot lacks in a channel, looked up where Discord only says that something is missing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from adapters.discord.errors import MissingPermission
from adapters.discord.permissions import (
    ADMINISTRATOR,
    EVERYTHING,
    VIEW_CHANNEL,
    Permission,
    missing,
    named,
)
from adapters.discord.rest import Rest
from bot.model.ports import ChannelGone, NoPermission, PublishError
from digest.wording.phrases import SAY

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ChannelAccess:
    """A channel as Discord tells of it, what the bot may there, and the server's roles by id."""

    channel: Json
    allowed: int
    roles: Mapping[str, Json]


async def explained(rest: Rest, guild: str, place: str, refused: MissingPermission) -> PublishError:
    """Return the error that names what the bot lacks in a channel of a server.

    Where nothing is seen to be missing, or it cannot be looked up, the refusal stays as it is: it
    names what the call asks for.
    """
    try:
        found = await lacking(rest, guild, place)
    except ChannelGone as error:
        return error
    except PublishError:
        return refused
    return NoPermission(SAY.discord.lacks(named(*found))) if found else refused


async def lacking(rest: Rest, guild: str, place: str) -> tuple[Permission, ...]:
    """Return what the bot lacks in a channel of a server, of all that it needs.

    Raises `ChannelGone` where it is not on the server, and `PublishError`.
    """
    try:
        return missing((await channel_access(rest, guild, place)).allowed)
    except MissingPermission:
        return (VIEW_CHANNEL,)


async def channel_access(rest: Rest, guild: str, place: str) -> ChannelAccess:
    """Look at a channel of a server.

    Raises `ChannelGone` where the bot is not on the server, `MissingPermission` where it does not
    see the channel, and `PublishError`.
    """
    path = "/guilds/{guild_id}"
    try:
        server = await rest.ask("GET", path, guild_id=guild)
        member = await rest.ask(
            "GET", f"{path}/members/{{user_id}}", guild_id=guild, user_id=await rest.user()
        )
    except MissingPermission as error:  # what a server shows to every member
        raise ChannelGone(SAY.discord.not_on_server) from error
    channel = await rest.ask("GET", "/channels/{channel_id}", channel_id=place)
    roles = {str(role["id"]): role for role in server["roles"]}
    return ChannelAccess(channel, allowed(server, channel, member), roles)


def everybody_views(server: Json, channel: Json) -> bool:
    """Return whether a member without any role of their own can view a channel."""
    return views(server, channel, {"user": {"id": ""}, "roles": ()})


def views(server: Json, channel: Json, member: Json) -> bool:
    """Return whether a member can view a channel."""
    return bool(allowed(server, channel, member) & VIEW_CHANNEL.bit)


def allowed(server: Json, channel: Json, member: Json) -> int:
    """Compute what a member may in a channel: roles first, then what the channel says otherwise.

    Of that, what it says of everybody counts first, then of the member's roles together, then of
    the member: https://discord.com/developers/docs/topics/permissions#permission-overwrites
    The role of everybody has the server's own id.
    """
    everybody, own = str(server["id"]), str(member["user"]["id"])
    held = {str(role) for role in member["roles"]}
    may = 0
    for role in server["roles"]:
        if str(role["id"]) in held | {everybody}:
            may |= int(role["permissions"])
    if may & ADMINISTRATOR.bit:
        return EVERYTHING
    overwrites: Sequence[Json] = channel.get("permission_overwrites") or ()
    for group in ({everybody}, held, {own}):
        of_group = [each for each in overwrites if str(each["id"]) in group]
        for each in of_group:
            may &= ~int(each["deny"])
        for each in of_group:
            may |= int(each["allow"])
    return may if may & VIEW_CHANNEL.bit else 0
