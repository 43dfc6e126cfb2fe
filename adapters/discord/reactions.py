"""Reactions on the bot's messages: heard from raw events, and looked for after a lost session.

Raw events come for messages of any age (https://discord.com/developers/docs/events/gateway-events):
the library's own reaction events come only for messages that it remembers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, TypeAlias

import aiohttp
import discord
import structlog
from cachetools import LRUCache

from adapters.discord.channels import CHANNEL, MEMBER, MESSAGE
from adapters.discord.client import DiscordPublisher, parted, taken_at
from adapters.discord.interactions import member, reference, user
from adapters.discord.permissions import READ_HISTORY
from adapters.discord.rest import translated
from adapters.operations.retry import until_reached
from bot.answer.chat import Chat
from bot.model.channels import Channel, Person, Platform
from bot.model.followups import Present, Reaction, ReactionKind
from bot.model.ports import Limited, OutcomeUnknown, PlatformDown, PublishError
from digest.errors import StoreFailed
from digest.ports import Clock

EMOJI = {"🚩": ReactionKind.FLAG, "👀": ReactionKind.TAKE, "✅": ReactionKind.DONE}

THREADS = (
    discord.ChannelType.public_thread,
    discord.ChannelType.private_thread,
    discord.ChannelType.news_thread,
)

LOOKED_BACK = timedelta(days=8)
"""A thread is archived after a week without a word, and takes no reactions then."""

Places: TypeAlias = dict[tuple[Channel, str | None], dict[str, str]]
"""Messages by their channel and thread: their references by their ids."""

MOST_POSTS = 2_000
MOST_KNOWN = 5_000
PEOPLE_AT_ONCE = 100
MOST_PAGES = 10
"""https://discord.com/developers/docs/resources/message#get-reactions: up to 100 at a time."""

TRANSIENT = (Limited, OutcomeUnknown, PlatformDown, StoreFailed)
"""What ends by itself: it is tried again."""

log = structlog.get_logger()


def reaction_kind(name: str, id: object) -> ReactionKind | None:
    """Return what an emoji says; a server's own emoji says nothing, whatever it is called."""
    return None if id else EMOJI.get(name.removesuffix("\ufe0f"))


@dataclass(eq=False, repr=False)
class Reactions:
    """Takes in reactions; `pauses` are seconds between tries at what cannot be done now."""

    chat: Chat
    publisher: DiscordPublisher
    clock: Clock
    pauses: Sequence[float]

    def __post_init__(self) -> None:
        self._rest = self.publisher.rest
        self._parents: LRUCache[int, str] = LRUCache(MOST_KNOWN)

    async def on_reaction(
        self, event: discord.RawReactionActionEvent, client: discord.Client, *, added: bool
    ) -> None:
        """Handle a reaction that came or went, which Discord tells once; raises `PublishError`."""
        kind = reaction_kind(event.emoji.name, event.emoji.id)
        own = client.user.id if client.user else 0
        if kind is None or event.guild_id is None or event.user_id == own:
            return
        guild, at = str(event.guild_id), self.clock()
        if not self.publisher.serves(guild):
            return

        async def take() -> None:
            if client.is_closed():
                return  # the session that follows looks by itself
            channel, message = await self._place(guild, event.channel_id, event.message_id, client)
            in_thread = str(event.channel_id) != channel.id
            person = await self._person(event, channel, client, in_thread=in_thread)
            reaction = Reaction(kind, person, added, about=(), at=at, message=message)
            await self.chat.followups.react(reaction, channel)

        await until_reached(take, Platform.DISCORD, self.pauses, TRANSIENT)

    async def on_clear(
        self,
        event: discord.RawReactionClearEvent | discord.RawReactionClearEmojiEvent,
        client: discord.Client,
    ) -> None:
        """Note that a moderator took reactions away: all of them, or those of an emoji."""
        emoji = getattr(event, "emoji", None)
        kind = reaction_kind(emoji.name, emoji.id) if emoji else None
        if event.guild_id is None or (emoji and kind is None):
            return
        guild, at = str(event.guild_id), self.clock()
        gone: Present = {each: () for each in ((kind,) if kind else ReactionKind)}

        async def take() -> None:
            if client.is_closed():
                return  # the session that follows looks by itself
            channel, message = await self._place(guild, event.channel_id, event.message_id, client)
            await self.chat.followups.reconcile(channel, message, gone, at, _nobody_came)

        await until_reached(take, Platform.DISCORD, self.pauses, TRANSIENT)

    async def reconcile(self, client: discord.Client) -> None:
        """Look at the reactions of a week's messages, since events may have been missed.

        What Discord does not show just now is looked at again.
        """
        places: Places = {}
        since = self.clock() - LOOKED_BACK

        async def look() -> None:
            if client.is_closed():
                return
            if not places:
                for channel, ref in await self.chat.posted(Platform.DISCORD, MOST_POSTS):
                    place, id = parted(channel.id, ref)
                    if taken_at(id) >= since:
                        thread = place if place != channel.id else None
                        places.setdefault((channel, thread), {})[id] = ref
            await self._look(places, client)

        await until_reached(look, Platform.DISCORD, self.pauses, TRANSIENT)

    async def _look(self, places: Places, client: discord.Client) -> None:
        """Look at messages, and forget those that need no further look; raises what ends."""
        known: dict[tuple[str, str], discord.Member | None] = {}
        left: Exception | None = None
        for (channel, thread), messages in tuple(places.items()):
            try:
                await self._look_at(channel, thread, messages, client, known)
            except TRANSIENT as error:
                left = error
                continue
            except PublishError as error:
                log.info("reactions not looked at", channel=str(channel), reason=str(error))
            del places[channel, thread]
        if left:
            raise left

    async def _look_at(
        self,
        channel: Channel,
        thread: str | None,
        messages: Mapping[str, str],
        client: discord.Client,
        known: dict[tuple[str, str], discord.Member | None],
    ) -> None:
        failed: list[PublishError] = []

        async def who(person: Person) -> Person:
            """Return a person with their roles and rights; who is not there may do nothing."""
            key = (channel.workspace, person.id)
            try:
                if key not in known:
                    known[key] = await _looked_up(channel, person, client)
            except PublishError as error:
                failed.append(error)  # it counts once they can be looked up
            found = known.get(key)
            if found is None:
                return replace(person, may_write=False)
            return member(found, channel, client, in_thread=thread is not None)

        oldest = taken_at(min(messages, key=int))
        async for each in self.publisher.newest(channel, thread, since=oldest):
            if ref := messages.get(str(each["id"])):
                present = await self._present(channel, thread or channel.id, each)
                await self.chat.followups.reconcile(channel, ref, present, self.clock(), who)
        if failed:
            raise failed[0]

    async def _present(self, channel: Channel, place: str, message: Mapping[str, Any]) -> Present:
        present: dict[ReactionKind, list[Person]] = {kind: [] for kind in ReactionKind}
        unread: set[ReactionKind] = set()
        for each in message.get("reactions") or ():
            emoji = each.get("emoji") or {}
            name = str(emoji.get("name") or "")
            if kind := reaction_kind(name, emoji.get("id")):
                own = await self._who(place, str(message["id"]), name)
                if own is None:
                    unread.add(kind)  # nobody is taken to have taken it back
                else:
                    present[kind] += [user(data, channel.workspace) for data in own]
        return {kind: people for kind, people in present.items() if kind not in unread}

    async def _who(self, place: str, message: str, emoji: str) -> list[Mapping[str, Any]] | None:
        """Return who reacted with an emoji; None for more people than are read."""
        found: list[Mapping[str, Any]] = []
        params = {"limit": str(PEOPLE_AT_ONCE)}
        for _ in range(MOST_PAGES):
            page = await self._rest.ask(
                "GET",
                f"{MESSAGE}/reactions/{{emoji}}",
                needs=READ_HISTORY,
                params=params,
                channel_id=place,
                message_id=message,
                emoji=emoji,
            )
            found += page
            if len(page) < PEOPLE_AT_ONCE:
                return found
            params["after"] = str(page[-1]["id"])
        return None

    async def _place(
        self, guild: str, place: int, message: int, client: discord.Client
    ) -> tuple[Channel, str]:
        """Return channel of a message, whose thread may be asleep and not known, and its name."""
        parent = self._parents.get(place)
        if parent is None:
            parent = self._parents[place] = await self._parent(place, client)
        channel = Channel(Platform.DISCORD, guild, parent or str(place))
        return channel, reference(str(place), channel.id, str(message))

    async def _parent(self, place: int, client: discord.Client) -> str:
        """Return the channel that a thread is of, or nothing for a channel."""
        if known := client.get_channel(place):
            return str(known.parent_id) if isinstance(known, discord.Thread) else ""
        found = await self._rest.ask("GET", CHANNEL, channel_id=str(place))
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
        if event.member:
            return member(event.member, channel, client, in_thread=in_thread)
        guild, id = channel.workspace, str(event.user_id)
        try:
            return user(await self._rest.ask("GET", MEMBER, guild_id=guild, user_id=id), guild)
        except PublishError:  # who left the server
            return Person(Platform.DISCORD, guild, id, id)


async def _nobody_came(person: Person) -> Person:
    return person


async def _looked_up(
    channel: Channel, person: Person, client: discord.Client
) -> discord.Member | None:
    """Return a member of a channel's server, None for who is none; raises `PublishError`."""
    server = client.get_guild(int(channel.workspace))
    try:
        return await server.fetch_member(int(person.id)) if server else None
    except (discord.NotFound, discord.Forbidden) as error:
        log.info("member not looked up", person=person.id, reason=str(error))
        return None
    except (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError) as error:
        raise translated(error) from error
