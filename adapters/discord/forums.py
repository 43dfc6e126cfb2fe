"""Forums: a morning thread is a post of its own, whose first message has the post's id.

https://discord.com/developers/docs/resources/channel#start-thread-in-forum-or-media-channel
takes no nonce: a post is made once, and found again by the mark of its first message.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from adapters.discord.channel_access import ChannelAccess, channel_access
from adapters.discord.permissions import (
    ADMINISTRATOR,
    MANAGE_CHANNELS,
    MANAGE_THREADS,
    READ_HISTORY,
    SEND_MESSAGES,
)
from adapters.discord.rest import Rest
from bot.model.channels import Channel
from bot.model.parts import Mark
from bot.model.ports import MessageGone, NoPermission, OutcomeUnknown, PublishError
from digest.languages import Language
from digest.phrase import Phrase
from digest.wording.phrases import SAY
from digest.wording.saying import said

Json = Mapping[str, Any]

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
    """Makes posts, and finds them. Methods raise `PublishError`."""

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
        wanted = [TAGS[mark] for mark in marks]
        tags = await self._tags(here, wanted, language)
        if not tags and int(here.channel.get("flags") or 0) & REQUIRES_TAG:
            tags = await self._tags(here, [PLAIN], language)
            if not tags:
                raise NoPermission(SAY.discord.tag_needed(PLAIN))
        body = {key: message[key] for key in message if key not in ("nonce", "enforce_nonce")}
        made = await self._rest.once(
            "/channels/{channel_id}/threads",
            SEND_MESSAGES,
            json={
                "name": name,
                "auto_archive_duration": WEEK,
                "message": body,
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
        own = await self._rest.user()
        active = await self._rest.ask(
            "GET", "/guilds/{guild_id}/threads/active", guild_id=channel.workspace
        )
        asleep = await self._rest.ask(
            "GET",
            "/channels/{channel_id}/threads/archived/public",
            needs=READ_HISTORY,
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
                yield (
                    id,
                    await self._rest.ask(
                        "GET",
                        "/channels/{channel_id}/messages/{message_id}",
                        needs=READ_HISTORY,
                        channel_id=id,
                        message_id=id,
                    ),
                )
            except MessageGone:
                continue

    async def _tags(
        self, here: ChannelAccess, wanted: Sequence[Phrase], language: Language
    ) -> list[str]:
        """Return ids of tags by their names; what is not there is made where that is allowed."""
        lacks = lacking(here.channel, wanted)
        channel = here.channel
        if lacks and may_make(here, len(lacks)):
            more = [{"name": said(each, language)} for each in lacks]
            try:
                channel = await self._rest.ask(
                    "PATCH",
                    "/channels/{channel_id}",
                    needs=MANAGE_CHANNELS,
                    json={"available_tags": [*_available(channel), *more]},
                    channel_id=str(channel["id"]),
                )
            except PublishError:
                channel = here.channel  # the post is worth more than its tags
        may_moderate = here.allowed & (MANAGE_THREADS.bit | ADMINISTRATOR.bit)
        ids = {
            str(each["name"]).casefold(): str(each["id"])
            for each in _available(channel)
            if may_moderate or not each.get("moderated")
        }
        known = (ids.get(name) for each in wanted for name in _names(each))
        return [id for id in known if id]


def lacking(channel: Json, wanted: Sequence[Phrase]) -> list[Phrase]:
    """Return the tags that a forum does not have, in any language."""
    known = {str(each["name"]).casefold() for each in _available(channel)}
    return [each for each in wanted if known.isdisjoint(_names(each))]


def _names(tag: Phrase) -> list[str]:
    return [said(tag, language) for language in Language]


def may_make(here: ChannelAccess, number: int) -> bool:
    """Return whether the bot may give a forum so many more tags."""
    may = here.allowed & (MANAGE_CHANNELS.bit | ADMINISTRATOR.bit)
    return bool(may) and len(_available(here.channel)) + number <= MOST_TAGS


def _available(channel: Json) -> Sequence[Json]:
    return channel.get("available_tags") or ()
