"""Reactions on the bot's messages: heard from raw events, and looked for after a lost session.

Raw events come for messages of any age (https://discord.com/developers/docs/events/gateway-events):
the library's own reaction events come only for messages that it remembers.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any, TypeAlias

import discord
import structlog
from cachetools import LRUCache

from adapters.discord.client import DiscordPublisher, parted, reference, taken_at
from adapters.discord.people import Members, member, user
from adapters.discord.permissions import READ_HISTORY
from adapters.operations.retry import until_reached
from bot.answer.chat import Chat
from bot.model.channels import Channel, Person, Platform
from bot.model.ports import Limited, OutcomeUnknown, PlatformDown, PublishError
from bot.model.reactions import Present, ReactionKind
from digest.errors import StoreFailed
from digest.ports import Clock

EMOJI = {"🚩": ReactionKind.FLAG, "👀": ReactionKind.TAKE, "✅": ReactionKind.DONE}

THREADS = (
    discord.ChannelType.public_thread,
    discord.ChannelType.private_thread,
    discord.ChannelType.news_thread,
)


def reaction_kind(emoji: discord.PartialEmoji) -> ReactionKind | None:
    """Return what an emoji says; a server's own emoji says nothing, whatever it is called."""
    return None if emoji.id else EMOJI.get(emoji.name.removesuffix("\ufe0f"))


LOOKED_BACK = timedelta(days=8)
"""A thread is archived after a week without a word, and takes no reactions then."""

Places: TypeAlias = dict[tuple[Channel, str | None], Mapping[str, str]]
"""Messages by their channel and thread: their references by their ids."""

MOST_POSTS = 2_000
MOST_KNOWN = 5_000
PEOPLE_AT_ONCE = 100
MOST_PAGES = 10
"""https://discord.com/developers/docs/resources/message#get-reactions: up to 100 at a time."""

log = structlog.get_logger()


class Reactions:
    """Takes in reactions."""

    def __init__(
        self, chat: Chat, publisher: DiscordPublisher, clock: Clock, pauses: Sequence[float]
    ) -> None:
        """`pauses` are the seconds between looks at what could not be looked at."""
        self._chat = chat
        self._pauses = pauses
        self._publisher = publisher
        self._rest = publisher.rest
        self._clock = clock
        self._parents: LRUCache[int, str] = LRUCache(MOST_KNOWN)
        self._names: LRUCache[tuple[str, int], str] = LRUCache(MOST_KNOWN)
        self._lookups: dict[int, asyncio.Task[str]] = {}

    def let_go(self) -> None:
        """Give up every lookup of a place: to be called as a client is closed."""
        for lookup in self._lookups.values():
            lookup.cancel()

    async def on_reaction(
        self, event: discord.RawReactionActionEvent, client: discord.Client, *, added: bool
    ) -> None:
        """Handle a reaction that came or went; raises `PublishError`.

        Discord tells it once: it is asked until it says where that was or the client is closed,
        and what cannot be stored is looked at again on its message.
        """
        kind = reaction_kind(event.emoji)
        own = client.user.id if client.user else 0
        if kind is None or event.guild_id is None or event.user_id == own:
            return
        if not self._publisher.serves(str(event.guild_id)):
            return
        at = self._clock()
        place = await self._place(event.guild_id, event.channel_id, event.message_id, client)
        if place is None or client.is_closed():
            return  # the session that follows looks by itself
        channel, message = place
        in_thread = str(event.channel_id) != channel.id
        person = await self._person(event, channel, client, in_thread=in_thread)
        sign = "+" if added else "-"
        try:
            await self._chat.react(
                kind,
                channel,
                message,
                person,
                added=added,
                at=at,
                event_id=f"{message} {sign}{kind} {person.id} {at.isoformat()}",
            )
        except StoreFailed as error:
            log.warning("reaction not kept", channel=str(channel), reason=str(error))
            thread = str(event.channel_id) if in_thread else None
            await asyncio.sleep(self._pauses[0])
            await self._look_until({(channel, thread): {str(event.message_id): message}}, client)

    async def on_clear(
        self,
        event: discord.RawReactionClearEvent | discord.RawReactionClearEmojiEvent,
        client: discord.Client,
    ) -> None:
        """Note that a moderator took reactions away: all of them, or those of an emoji."""
        if event.guild_id is None:
            return
        emoji = getattr(event, "emoji", None)
        kind = reaction_kind(emoji) if emoji else None
        if emoji and kind is None:
            return
        at = self._clock()
        place = await self._place(event.guild_id, event.channel_id, event.message_id, client)
        if place is None:
            return  # the session that follows looks by itself
        channel, message = place
        gone: Present = {each: () for each in ((kind,) if kind else ReactionKind)}
        await self._chat.followups.reconcile(channel, message, gone, at, _nobody_came)

    async def reconcile(self, client: discord.Client) -> None:
        """Look at the reactions of a week's messages, since events may have been missed.

        What Discord does not show just now is looked at again.
        """
        try:
            posts = await self._chat.posted(Platform.DISCORD, MOST_POSTS)
        except StoreFailed as error:
            log.warning("reactions not looked at", reason=str(error))
            return
        found: dict[tuple[Channel, str | None], dict[str, str]] = {}
        since = self._clock() - LOOKED_BACK
        for channel, ref in posts:
            place, id = parted(channel.id, ref)
            if taken_at(id) >= since:
                thread = place if place != channel.id else None
                found.setdefault((channel, thread), {})[id] = ref
        await self._look_until({**found}, client)

    async def _look_until(self, places: Places, client: discord.Client) -> None:
        """Look at messages by their places until all could be looked at, or no pause is left."""
        for pause in (*self._pauses, None):
            places = await self._looked(places, Members(client))
            if not places or pause is None:
                return
            await asyncio.sleep(pause)
            if client.is_closed():
                return  # the session that follows looks by itself

    async def _looked(self, places: Places, members: Members) -> Places:
        """Look at messages by their places, and return those to be looked at again."""
        left: Places = {}
        for (channel, thread), messages in places.items():
            try:
                await self._look(channel, thread, messages, members)
            except (PublishError, StoreFailed) as error:
                log.info("reactions not looked at", channel=str(channel), reason=str(error))
                if isinstance(error, Limited | OutcomeUnknown | PlatformDown | StoreFailed):
                    left[channel, thread] = messages
        return left

    async def _look(
        self,
        channel: Channel,
        thread: str | None,
        messages: Mapping[str, str],
        members: Members,
    ) -> None:
        failed: list[PublishError] = []

        async def who(person: Person) -> Person:
            try:
                return await members.person(person, channel, in_thread=thread is not None)
            except PublishError as error:
                failed.append(error)
                return replace(person, may_write=False)  # it counts once they can be looked up

        oldest = taken_at(min(messages, key=int))
        async for each in self._publisher.newest(channel, thread, since=oldest):
            ref = messages.get(str(each["id"]))
            if ref:
                present = await self._present(channel, thread or channel.id, each)
                await self._chat.followups.reconcile(channel, ref, present, self._clock(), who)
        if failed:
            raise failed[0]

    async def _present(self, channel: Channel, place: str, message: Mapping[str, Any]) -> Present:
        present: dict[ReactionKind, list[Person]] = {kind: [] for kind in ReactionKind}
        for each in message.get("reactions") or ():
            emoji = each.get("emoji") or {}
            kind = EMOJI.get(str(emoji.get("name") or "").removesuffix("\ufe0f"))
            if kind and not emoji.get("id"):
                own = await self._who(place, str(message["id"]), str(emoji["name"]))
                present[kind] += [user(data, channel.workspace) for data in own]
        return present

    async def _who(self, place: str, message: str, emoji: str) -> list[Mapping[str, Any]]:
        found: list[Mapping[str, Any]] = []
        params = {"limit": str(PEOPLE_AT_ONCE)}
        for _ in range(MOST_PAGES):
            page = await self._rest.ask(
                "GET",
                "/channels/{channel_id}/messages/{message_id}/reactions/{emoji}",
                needs=READ_HISTORY,
                params=params,
                channel_id=place,
                message_id=message,
                emoji=emoji,
            )
            found += page
            if len(page) < PEOPLE_AT_ONCE:
                break
            params["after"] = str(page[-1]["id"])
        return found

    async def _place(
        self, guild: int, place: int, message: int, client: discord.Client
    ) -> tuple[Channel, str] | None:
        """Return channel of a message, whose thread may be asleep and not known, and its name.

        None where the client was closed before that was known.
        """
        parent = self._parents.get(place)
        if parent is None:
            parent = await self._looked_up(place, client)
        if parent is None:
            return None
        channel = Channel(Platform.DISCORD, str(guild), parent or str(place))
        return channel, reference(str(place), parent or None, str(message))

    async def _looked_up(self, place: int, client: discord.Client) -> str | None:
        """Return what `_parent` does, asked once for all who wait; None for a closed client."""
        if client.is_closed():
            return None
        lookup = self._lookups.get(place)
        if lookup is None:
            lookup = asyncio.create_task(self._parent_until_reached(place, client))
            self._lookups[place] = lookup
            lookup.add_done_callback(lambda _: self._lookups.pop(place))
        await asyncio.wait({lookup})  # who is cancelled takes it from nobody else
        return None if lookup.cancelled() else lookup.result()

    async def _parent_until_reached(self, place: int, client: discord.Client) -> str:
        parent = await until_reached(
            lambda: self._parent(place, client),
            Platform.DISCORD,
            self._pauses,
            (OutcomeUnknown, PlatformDown),
        )
        self._parents[place] = parent
        return parent

    async def _parent(self, place: int, client: discord.Client) -> str:
        """Return the channel of a thread; nothing for what is a channel itself."""
        if known := client.get_channel(place):
            return str(known.parent_id) if isinstance(known, discord.Thread) else ""
        found = await self._rest.ask("GET", "/channels/{channel_id}", channel_id=str(place))
        is_thread = found.get("type") in {kind.value for kind in THREADS}
        return str(found["parent_id"]) if is_thread else ""

    async def _person(
        self,
        event: discord.RawReactionActionEvent,
        channel: Channel,
        client: discord.Client,
        *,
        in_thread: bool,
    ) -> Person:
        """Return who reacts; who takes back, which everybody may, has a name and no rights."""
        key, id = (channel.workspace, event.user_id), str(event.user_id)
        if event.member:
            self._names[key] = event.member.display_name
            return member(event.member, channel, client, in_thread=in_thread)
        if key not in self._names:
            path = "/guilds/{guild_id}/members/{user_id}"
            try:
                data = await self._rest.ask("GET", path, guild_id=channel.workspace, user_id=id)
            except PublishError:  # who left the server
                return Person(Platform.DISCORD, channel.workspace, id, id)
            self._names[key] = user(data, channel.workspace).name
        return Person(Platform.DISCORD, channel.workspace, id, self._names[key])


async def _nobody_came(person: Person) -> Person:
    return person
