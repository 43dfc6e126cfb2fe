"""What a channel is and allows: the bot's permissions in it, and the posts and tags of a forum."""

import contextlib
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from adapters.discord.permissions import (
    ADMINISTRATOR,
    EVERYTHING,
    MANAGE_CHANNELS,
    MANAGE_THREADS,
    READ_HISTORY,
    SEND_MESSAGES,
    VIEW_CHANNEL,
    Permission,
    missing,
    named,
)
from adapters.discord.rest import MissingPermission, Rest
from bot.model.channels import Channel
from bot.model.parts import Mark
from bot.model.ports import ChannelGone, MessageGone, NoPermission, OutcomeUnknown, PublishError
from digest.languages import Language
from digest.phrase import Phrase
from digest.wording.phrases import SAY
from digest.wording.saying import localized

Json = Mapping[str, Any]

SERVER = "/guilds/{guild_id}"
MEMBER = f"{SERVER}/members/{{user_id}}"
CHANNEL = "/channels/{channel_id}"
MESSAGES = f"{CHANNEL}/messages"
MESSAGE = f"{MESSAGES}/{{message_id}}"


@dataclass(frozen=True, slots=True)
class ChannelAccess:
    """A channel as Discord tells of it, what the bot may there, and the server's roles by id."""

    channel: Json
    allowed: int
    roles: Mapping[str, Json]

    def may(self, permission: Permission) -> bool:
        """Return whether the bot may do something there."""
        return bool(self.allowed & (permission.bit | ADMINISTRATOR.bit))


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
    try:
        server = await rest.ask("GET", SERVER, guild_id=guild)
        member = await rest.ask("GET", MEMBER, guild_id=guild, user_id=await rest.user())
    except MissingPermission as error:  # what a server shows to every member
        raise ChannelGone(SAY.discord.not_on_server) from error
    channel = await rest.ask("GET", CHANNEL, channel_id=place)
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


TEXT, ANNOUNCEMENT, FORUM, MEDIA = 0, 5, 15, 16
"""https://discord.com/developers/docs/resources/channel#channel-object-channel-types"""

POSTS = (FORUM, MEDIA)

REQUIRES_TAG = 1 << 4
"""https://discord.com/developers/docs/resources/channel#channel-object-channel-flags"""

MOST_TAGS = 20
MOST_APPLIED = 5
"""https://discord.com/developers/docs/resources/channel#modify-channel"""

TAGS = {
    Mark.BREAKING: SAY.tags.breaking,
    Mark.SECURITY: SAY.tags.security,
    Mark.IMPORTANT: SAY.tags.important,
    Mark.RELEASE: SAY.tags.release,
}
"""How tags are called; one of any language is taken where it is there."""

PLAIN = SAY.tags.plain
"""The tag of a day that has none of the others, where a forum takes no post without."""

WEEK = 10_080
"""Minutes without a word until a thread is archived, the longest there is:
https://discord.com/developers/docs/resources/channel#channel-object"""


class Forums:
    """Makes posts, and finds them: a morning thread is a post of its own.

    Its first message has the post's id. A post takes no nonce: it is made once, and found again by
    the mark of its first message. Methods raise `PublishError`.
    https://discord.com/developers/docs/resources/channel#start-thread-in-forum-or-media-channel
    """

    def __init__(self, rest: Rest) -> None:
        self._rest = rest

    async def post(
        self,
        channel: Channel,
        name: str,
        message: Json,
        marks: Sequence[Mark],
        language: Language,
    ) -> str:
        """Make a post, and give its id, which is that of its first message too."""
        here = await channel_access(self._rest, channel.workspace, channel.id)
        tags = await self._tags(here, [TAGS[mark] for mark in marks], language)
        if not tags and int(here.channel.get("flags") or 0) & REQUIRES_TAG:
            tags = await self._tags(here, [PLAIN], language)
            if not tags:
                raise NoPermission(SAY.discord.tag_needed(PLAIN))
        made = await self._rest.once(
            f"{CHANNEL}/threads",
            SEND_MESSAGES,
            json={
                "name": name,
                "auto_archive_duration": WEEK,
                "message": {
                    key: message[key] for key in message if key not in ("nonce", "enforce_nonce")
                },
                "applied_tags": tags[:MOST_APPLIED],
            },
            channel_id=channel.id,
        )
        if "id" not in made:
            raise OutcomeUnknown(SAY.discord.no_name)
        return str(made["id"])

    async def posts(self, channel: Channel) -> AsyncIterator[tuple[str, Json]]:
        """Yield the bot's own posts with their first messages, the newest first.

        A post whose first message was deleted is left out.
        """
        ask, needs = self._rest.ask, READ_HISTORY
        own = await self._rest.user()
        active = await ask("GET", f"{SERVER}/threads/active", guild_id=channel.workspace)
        asleep = await ask(
            "GET",
            f"{CHANNEL}/threads/archived/public",
            needs=needs,
            params={"limit": "100"},
            channel_id=channel.id,
        )
        found = {
            str(each["id"])
            for each in (*active["threads"], *asleep["threads"])
            if str(each.get("parent_id")) == channel.id and str(each.get("owner_id")) == own
        }
        for id in sorted(found, key=int, reverse=True):
            try:
                first = await ask("GET", MESSAGE, needs=needs, channel_id=id, message_id=id)
            except MessageGone:
                continue
            yield id, first

    async def _tags(
        self, here: ChannelAccess, wanted: Sequence[Phrase], language: Language
    ) -> list[str]:
        """Return ids of tags by their names; what is not there is made where that is allowed."""
        channel, lacks = here.channel, lacking_tags(here.channel, wanted)
        if lacks and may_make(here, len(lacks)):
            more = [{"name": localized(each, language)} for each in lacks]
            with contextlib.suppress(PublishError):  # the post is worth more than its tags
                channel = await self._rest.ask(
                    "PATCH",
                    CHANNEL,
                    needs=MANAGE_CHANNELS,
                    json={"available_tags": [*_available(channel), *more]},
                    channel_id=str(channel["id"]),
                )
        ids = {
            str(each["name"]).casefold(): str(each["id"])
            for each in _available(channel)
            if here.may(MANAGE_THREADS) or not each.get("moderated")
        }
        return [ids[name] for each in wanted for name in _names(each) if name in ids]


def lacking_tags(channel: Json, wanted: Sequence[Phrase]) -> list[Phrase]:
    """Return the tags that a forum does not have, in any language."""
    known = {str(each["name"]).casefold() for each in _available(channel)}
    return [each for each in wanted if known.isdisjoint(_names(each))]


def _names(tag: Phrase) -> list[str]:
    return [localized(tag, language) for language in Language]


def may_make(here: ChannelAccess, number: int) -> bool:
    """Return whether the bot may give a forum so many more tags."""
    return here.may(MANAGE_CHANNELS) and len(_available(here.channel)) + number <= MOST_TAGS


def _available(channel: Json) -> Sequence[Json]:
    return channel.get("available_tags") or ()
