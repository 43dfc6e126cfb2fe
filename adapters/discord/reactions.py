"""Reactions on the bot's messages: heard from raw events, and looked for after a lost session.

Raw events come for messages of any age (https://discord.com/developers/docs/events/gateway-events):
the library's own reaction events come only for messages that it remembers.
"""

from collections import OrderedDict
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import discord
import structlog

from adapters.discord.client import DiscordPublisher, parted, reference, taken_at
from adapters.discord.heard import EMOJI, THREADS, member, reaction_kind, roles_of
from adapters.discord.permissions import READ_HISTORY, may_manage, may_write
from bot.answer.chat import Chat
from bot.model.channels import Channel, Person, Platform
from bot.model.missed_reactions import Present
from bot.model.ports import PublishError
from bot.model.reactions import ReactionKind
from digest.errors import StoreFailed
from digest.ports import Clock

LOOKED_BACK = timedelta(days=8)
"""A thread is archived after a week without a word, and takes no reactions then."""

MOST_POSTS = 2_000
MOST_KNOWN = 5_000
PEOPLE_AT_ONCE = 100
MOST_PAGES = 10
"""https://discord.com/developers/docs/resources/message#get-reactions: up to 100 at a time."""

log = structlog.get_logger()


class Reactions:
    """Takes in reactions."""

    def __init__(self, chat: Chat, publisher: DiscordPublisher, clock: Clock) -> None:
        self._chat = chat
        self._publisher = publisher
        self._rest = publisher.rest
        self._clock = clock
        self._parents: OrderedDict[int, str] = OrderedDict()
        self._people: OrderedDict[tuple[str, int], Person] = OrderedDict()

    async def on_reaction(
        self, event: discord.RawReactionActionEvent, client: discord.Client, *, added: bool
    ) -> None:
        """Take in a reaction that came or went; raises `StoreFailed` or `PublishError`."""
        kind = reaction_kind(event.emoji)
        own = client.user.id if client.user else 0
        if kind is None or event.guild_id is None or event.user_id == own:
            return
        at = self._clock()
        channel, message = await self._place(
            event.guild_id, event.channel_id, event.message_id, client
        )
        in_thread = str(event.channel_id) != channel.id
        person = await self._person(event, channel.workspace, client, in_thread=in_thread)
        sign = "+" if added else "-"
        await self._chat.react(
            kind,
            channel,
            message,
            person,
            added=added,
            at=at,
            event_id=f"{message} {sign}{kind} {person.id} {at.isoformat()}",
        )

    async def on_clear(
        self,
        event: discord.RawReactionClearEvent | discord.RawReactionClearEmojiEvent,
        client: discord.Client,
    ) -> None:
        """Take in that a moderator took reactions away: all of them, or those of an emoji."""
        if event.guild_id is None:
            return
        emoji = getattr(event, "emoji", None)
        kind = reaction_kind(emoji) if emoji else None
        if emoji and kind is None:
            return
        channel, message = await self._place(
            event.guild_id, event.channel_id, event.message_id, client
        )
        gone: Present = {each: () for each in ((kind,) if kind else ReactionKind)}
        await self._chat.reconcile(channel, message, gone, self._clock())

    async def reconcile(self) -> None:
        """Look at the reactions of a week's messages, since events may have been missed."""
        try:
            posts = await self._chat.posted(Platform.DISCORD, MOST_POSTS)
        except StoreFailed as error:
            log.warning("reactions not looked at", reason=str(error))
            return
        places: dict[tuple[Channel, str | None], dict[str, str]] = {}
        since = self._clock() - LOOKED_BACK
        for channel, ref in posts:
            place, id = parted(channel.id, ref)
            if taken_at(id) >= since:
                thread = place if place != channel.id else None
                places.setdefault((channel, thread), {})[id] = ref
        for (channel, thread), messages in places.items():
            try:
                await self._look(channel, thread, messages)
            except (PublishError, StoreFailed) as error:
                log.info("reactions not looked at", channel=str(channel), reason=str(error))

    async def _look(
        self, channel: Channel, thread: str | None, messages: Mapping[str, str]
    ) -> None:
        oldest = taken_at(min(messages, key=int))
        async for each in self._publisher.newest(channel, thread, since=oldest):
            ref = messages.get(str(each["id"]))
            if ref:
                present = await self._present(channel, thread or channel.id, each)
                await self._chat.reconcile(channel, ref, present, self._clock())

    async def _present(self, channel: Channel, place: str, message: Mapping[str, Any]) -> Present:
        present: dict[ReactionKind, list[Person]] = {kind: [] for kind in ReactionKind}
        for each in message.get("reactions") or ():
            emoji = each.get("emoji") or {}
            kind = EMOJI.get(str(emoji.get("name") or "").removesuffix("\ufe0f"))
            if kind and not emoji.get("id"):
                own = await self._who(place, str(message["id"]), str(emoji["name"]))
                people = [member(data, channel.workspace) for data in own]
                if self._chat.names_followers:
                    people = [await self._with_roles(each) for each in people]
                present[kind] += people
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
    ) -> tuple[Channel, str]:
        """Give the channel of a message, whose thread may be asleep and not known, and its name."""
        parent = self._parents.get(place)
        if parent is None:
            parent = await self._parent(guild, place, client)
            _keep(self._parents, place, parent)
        channel = Channel(Platform.DISCORD, str(guild), parent or str(place))
        return channel, reference(str(place), parent or None, str(message))

    async def _parent(self, guild: int, place: int, client: discord.Client) -> str:
        """Give the channel of a thread; nothing for what is a channel itself."""
        server = client.get_guild(guild)
        thread = server.get_thread(place) if server else None
        if thread:
            return str(thread.parent_id)
        if server and server.get_channel(place):
            return ""
        found = await self._rest.ask("GET", "/channels/{channel_id}", channel_id=str(place))
        is_thread = found.get("type") in {kind.value for kind in THREADS}
        return str(found["parent_id"]) if is_thread else ""

    async def _person(
        self,
        event: discord.RawReactionActionEvent,
        guild: str,
        client: discord.Client,
        *,
        in_thread: bool,
    ) -> Person:
        """Give who reacts; who takes back is known by what they did before, or asked for."""
        key = (guild, event.user_id)
        if event.member:
            user = event.member
            may = _allowed(event, client)
            person = Person(
                Platform.DISCORD,
                guild,
                str(user.id),
                user.display_name,
                is_bot=user.bot,
                may_manage=may is not None and may_manage(may),
                may_write=may is None or may_write(may, in_thread=in_thread),
                groups=roles_of(user),
            )
        elif key in self._people:
            return self._people[key]
        else:
            id = str(event.user_id)
            return await self._with_roles(Person(Platform.DISCORD, guild, id, id))
        _keep(self._people, key, person)
        return person

    async def _with_roles(self, person: Person) -> Person:
        """Give a person with their roles, as far as they can be looked up; who left has none."""
        key = (person.workspace, int(person.id))
        if key in self._people:
            return self._people[key]
        path = "/guilds/{guild_id}/members/{user_id}"
        try:
            data = await self._rest.ask("GET", path, guild_id=person.workspace, user_id=person.id)
        except PublishError:
            return person
        known = member(data, person.workspace)
        _keep(self._people, key, known)
        return known


def _allowed(event: discord.RawReactionActionEvent, client: discord.Client) -> int | None:
    """Give what who reacts may where they do; None where that channel is not known.

    Of a thread it is what its channel says.
    """
    server = client.get_guild(event.guild_id) if event.guild_id else None
    place = server.get_channel_or_thread(event.channel_id) if server else None
    of = place.parent if isinstance(place, discord.Thread) else place
    if of is None or event.member is None:
        return None
    return of.permissions_for(event.member).value


def _keep(known: OrderedDict[Any, Any], key: Any, value: Any) -> None:
    known[key] = value
    known.move_to_end(key)
    while len(known) > MOST_KNOWN:
        known.popitem(last=False)
