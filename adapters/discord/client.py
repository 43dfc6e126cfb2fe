"""Discord as a publisher: it posts once, and finds what it posted by the mark that it left.

A message carries its nonce, enforced: for some minutes Discord takes it for the same message and
then forgets it. A message with buttons is known by their row's `id`, a number made of the nonce
(https://discord.com/developers/docs/components/reference#anatomy-of-a-component); one without by
what it says, of which a print is kept before it is sent.

A reference is a message's id in a channel, and `THREAD/MESSAGE` below it; a thread has the id of
the message that it hangs on, and is made with its first reply. In a forum all is below it: what
would be a message of the channel is the first one of a post, `POST/POST`.
"""

import contextlib
import hashlib
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypeAlias

import discord
from cachetools import LRUCache

from adapters.discord.channels import (
    ANNOUNCEMENT,
    CHANNEL,
    MEMBER,
    MESSAGE,
    MESSAGES,
    POSTS,
    SERVER,
    TAGS,
    WEEK,
    Forums,
    channel_access,
    everybody_views,
    explained,
    lacking,
    lacking_tags,
    may_make,
    views,
)
from adapters.discord.permissions import (
    CREATE_THREADS,
    MENTION_EVERYONE,
    READ_HISTORY,
    SEND_IN_THREADS,
    SEND_MESSAGES,
    Permission,
    named,
)
from adapters.discord.render import NAMELESS, DiscordMessage, render, render_parts
from adapters.discord.rest import (
    MissingPermission,
    Published,
    Rest,
    ThreadArchived,
    ThreadExists,
    UnknownChannel,
)
from bot.model.channels import Channel
from bot.model.parts import Mark, Part, Thread
from bot.model.ports import (
    ChannelGone,
    MayNotLook,
    Message,
    MessageGone,
    NoPermission,
    OutcomeUnknown,
    TooManyMessages,
    Unmet,
    Wish,
)
from bot.store.records import Values
from digest import codec
from digest.languages import Language
from digest.wording.phrases import SAY

SITE = "https://discord.com/channels"

PAGE = 100
"""https://discord.com/developers/docs/resources/message#get-channel-messages"""
MAX_PAGES = 10
"""Pages looked through for a message; one that was just posted is on the first."""

THREADS_KNOWN = 1_000

IsIt: TypeAlias = Callable[[Mapping[str, Any]], Awaitable[bool]]
"""Tells whether a message of Discord's is the one that is looked for."""


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """`body` is sent; all else is as in `DiscordMessage`."""

    body: Mapping[str, Any]
    thread_name: str
    values: Mapping[str, str]
    marks: tuple[Mark, ...] = ()
    language: Language = Language.EN


def message(drawn: DiscordMessage) -> Message:
    """Return a drawn message for the store, as JSON."""
    more = (drawn.marks, drawn.language) if drawn.is_parent else ()
    stored = StoredMessage(drawn.payload, drawn.thread_name, drawn.values, *more)
    return Message(codec.dump(stored).decode(), drawn.about, drawn.is_parent, drawn.kind)


def read(payload: str) -> StoredMessage:
    """Read the payload of a stored message."""
    return codec.load(StoredMessage, payload)


@dataclass(eq=False, repr=False)
class DiscordPublisher:
    """Posts to servers that the bot is on, by REST alone: to `guilds`, or to all for none."""

    rest: Rest
    values: Values
    guilds: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        self.commands: dict[str, str] = {}
        """Ids of the commands by their names, once Discord has told them."""
        self._forums = Forums(self.rest)
        self._threads: LRUCache[str, None] = LRUCache(THREADS_KNOWN)
        self._kinds: LRUCache[str, int] = LRUCache(THREADS_KNOWN)

    def serves(self, guild: str) -> bool:
        """Return whether a server is served."""
        return not self.guilds or guild in self.guilds

    def render(self, thread: Thread) -> tuple[Message, ...]:
        """Draw a thread; every message knows the thread's name, whichever comes first below."""
        return tuple(map(message, render(thread)))

    def render_parts(self, parts: Sequence[Part], language: Language) -> tuple[Message, ...]:
        """Draw parts that are no thread."""
        return tuple(map(message, render_parts(parts, language, self.commands)))

    async def send(self, channel: Channel, payload: str, *, parent: str | None, nonce: str) -> str:
        """Post one message, below `parent` in its thread, and give its reference."""
        stored = read(payload)
        body = marked(stored, nonce)
        await self.values.remember(stored.values)
        if body["components"]:
            return await self._sent(channel, stored, body, parent)
        await self.values.add(_print_name(nonce), printed(body))
        ref = await self._sent(channel, stored, body, parent)
        await self.values.add(_owner_name(ref), nonce)
        return ref

    async def _sent(
        self, channel: Channel, stored: StoredMessage, body: Mapping[str, Any], parent: str | None
    ) -> str:
        place = self._place(channel)
        async with self._explaining(channel):
            has_posts = await self._has_posts(place)
            if parent is None and has_posts:
                name = stored.thread_name or NAMELESS
                post = await self._forums.post(channel, name, body, stored.marks, stored.language)
                return f"{post}/{post}"
            if parent is None:
                return await self._post(place, body, SEND_MESSAGES)
            thread = _thread_of(parent)
            if has_posts:
                self._threads[thread] = None
            return f"{thread}/{await self._reply(place, thread, stored, body)}"

    async def find(
        self, channel: Channel, nonce: str, *, parent: str | None, since: datetime | None = None
    ) -> str | None:
        """Return the reference of the bot's own message with this nonce: newest pages are read.

        One without buttons, which has no mark, is found by what it says; others that say the same
        are known by their nonces.
        """
        print = await self.values.recall(_print_name(nonce))

        async def is_it(message: Mapping[str, Any]) -> bool:
            if not print:
                return _mark_of(message) == mark(nonce)
            owner = _owner_name(message["id"])
            return printed(message) == print and await self.values.recall(owner) in (None, nonce)

        ref = await self._found(channel, is_it, parent, since)
        if ref and print:
            await self.values.add(_owner_name(ref), nonce)
        return ref

    async def _found(
        self, channel: Channel, is_it: IsIt, parent: str | None, since: datetime | None
    ) -> str | None:
        own = await self.rest.user()
        thread = _thread_of(parent) if parent else None
        try:
            if thread is None and await self._has_posts(self._place(channel)):
                return await self._found_post(channel, is_it, since)
            async for each in self.newest(channel, thread, since=since):
                if each.get("author", {}).get("id") == own and await is_it(each):
                    return f"{thread}/{each['id']}" if thread else str(each["id"])
        except UnknownChannel:
            if parent is None:
                raise
        except TooManyMessages:
            raise
        except MayNotLook as error:  # an admin can give it, and then it is found
            raise NoPermission(SAY.discord.lacks(named(READ_HISTORY))) from error
        return None

    async def check(self, channel: Channel) -> None:
        """See that a channel is there, and that the bot may do in it all that it needs to."""
        found = await lacking(self.rest, channel.workspace, self._place(channel))
        if found:
            raise NoPermission(SAY.discord.lacks(named(*found)))

    async def unmet(self, channel: Channel, *, publish: bool, role: str) -> tuple[Unmet, ...]:
        """Return what a channel cannot have as it is: tags, publishing, a role that is notified."""
        place = self._place(channel)
        async with self._explaining(channel):
            if not (publish or role or await self._has_posts(place)):
                return ()
            here = await channel_access(self.rest, channel.workspace, place)
        kind, found = int(here.channel["type"]), []
        self._kinds[place] = kind
        tags = lacking_tags(here.channel, tuple(TAGS.values())) if kind in POSTS else []
        if tags and not may_make(here, len(tags)):
            found.append(Unmet(Wish.TAGS, SAY.discord.no_tags(tags)))
        if publish and kind != ANNOUNCEMENT:
            found.append(Unmet(Wish.PUBLISH, SAY.discord.not_announcement))
        if role:
            known = here.roles.get(role)
            # https://discord.com/developers/docs/resources/message#allowed-mentions-object
            if known is None or role == channel.workspace:
                found.append(Unmet(Wish.MENTION, SAY.discord.no_role))
            elif not (known.get("mentionable") or here.may(MENTION_EVERYONE)):
                found.append(Unmet(Wish.MENTION, SAY.discord.role_silent(known["name"])))
        return tuple(found)

    async def publish(self, channel: Channel, ref: str) -> None:
        """Publish a message of an announcement channel."""
        # https://discord.com/developers/docs/resources/message#crosspost-message
        path, place = f"{MESSAGE}/crosspost", self._place(channel)
        with contextlib.suppress(Published):
            await self.rest.ask("POST", path, needs=SEND_MESSAGES, channel_id=place, message_id=ref)

    async def is_shared(self, channel: Channel, person: str) -> bool:
        """A channel belongs to its server alone; of what it publishes `Visibility` knows.

        Nobody subscribes in direct messages: the commands are shown in servers alone.
        """
        return False

    async def is_public(self, channel: Channel) -> bool:
        """Return whether everybody on the server can view a channel, by the role of everybody."""
        server = await self.rest.ask("GET", SERVER, guild_id=channel.workspace)
        try:
            found = await self.rest.ask("GET", CHANNEL, channel_id=self._place(channel))
        except MissingPermission:
            return True
        return everybody_views(server, found)

    async def is_member(self, channel: Channel, person: str, *, was_there: bool) -> bool:
        """Return whether a person is on the server and can view a channel."""
        try:
            return not await self.has_left(channel, person)
        except (ChannelGone, NoPermission):
            return False

    async def has_left(self, channel: Channel, person: str) -> bool:
        """Return whether somebody is not on the server any more, or cannot view a channel.

        https://docs.discord.com/developers/topics/opcodes-and-status-codes: 10007, Unknown Member.
        That somebody leaves is told by an event to bots with a privileged intent alone.
        """
        guild = channel.workspace
        try:
            member = await self.rest.ask("GET", MEMBER, guild_id=guild, user_id=person)
        except MessageGone:
            return True
        server = await self.rest.ask("GET", SERVER, guild_id=guild)
        found = await self.rest.ask("GET", CHANNEL, channel_id=self._place(channel))
        return not views(server, found, member)

    async def is_stranger(self, channel: Channel, person: str) -> bool:
        """Return whether somebody is on a channel's server no more.

        https://discord.com/developers/docs/resources/guild#get-guild-member: 404 for who left.
        """
        if not person:
            return True
        try:
            await self.rest.ask("GET", MEMBER, guild_id=channel.workspace, user_id=person)
        except MessageGone:
            return True
        return False

    async def newest(
        self, channel: Channel, thread: str | None, since: datetime | None = None
    ) -> AsyncIterator[Mapping[str, Any]]:
        """Yield the messages of a channel or of a thread of it, the newest first.

        None is older than `since`. Raises `PublishError`: `MayNotLook` where the bot lacks Read
        Message History, without which Discord shows an empty channel; `TooManyMessages` after the
        last of those that are read.
        """
        params, here = {"limit": str(PAGE)}, self._place(channel)
        async with self._explaining(channel):
            for number in range(MAX_PAGES):
                found = await self.rest.ask(
                    *("GET", MESSAGES), needs=READ_HISTORY, params=params, channel_id=thread or here
                )
                is_blind = not found and not number
                if is_blind and READ_HISTORY in await lacking(self.rest, channel.workspace, here):
                    raise MayNotLook(SAY.discord.lacks(named(READ_HISTORY)))
                for each in found:
                    if since and taken_at(each["id"]) < since:
                        return
                    yield each
                if len(found) < PAGE:
                    return
                params["before"] = str(found[-1]["id"])
            raise TooManyMessages

    async def edit(self, channel: Channel, ref: str, payload: str) -> None:
        """Replace a message; a thread that sleeps is woken for it."""
        stored = read(payload)
        await self.values.remember(stored.values)
        await self._change("PATCH", channel, ref, stored.body)

    async def delete(self, channel: Channel, ref: str) -> None:
        """Delete a message; a thread that sleeps is woken for it."""
        await self._change("DELETE", channel, ref, None)

    async def link(self, channel: Channel, ref: str) -> str:
        """Return the address of a message."""
        place, id = parted(channel.id, ref)
        return f"{SITE}/{channel.workspace}/{place}/{id}"

    async def ask(self, channel: Channel, person: str, payload: str, *, parent: str | None) -> bool:
        """Discord shows a message to one person alone only as an answer to what they did."""
        return False

    async def direct(self, channel: Channel, person: str) -> Channel:
        """Open the direct messages with a person, once more where they are open."""
        # https://discord.com/developers/docs/resources/user#create-dm
        self._place(channel)
        own = await self.rest.ask("POST", "/users/@me/channels", json={"recipient_id": person})
        return replace(channel, id=str(own["id"]))

    async def tell(self, channel: Channel, person: str, payload: str) -> None:
        """Tell one person in their direct messages with the bot.

        A channel has Discord's own name there in place of `discord:1/2`:
        https://discord.com/developers/docs/reference#message-formatting
        """
        stored, place = read(payload), self._place(channel)
        body = dict(stored.body)
        for written in (str(channel), str(channel).replace(":", "\\:")):
            body["content"] = body["content"].replace(written, f"<#{place}>")
        await self.values.remember(stored.values)
        own = await self.direct(channel, person)
        nonce = secrets.token_hex(12)
        await self._post(own.id, marked(replace(stored, body=body), nonce), SEND_MESSAGES)

    def _place(self, channel: Channel) -> str:
        """Return where a channel is asked for; raises `PublishError` for one that is not served."""
        if not self.serves(channel.workspace):
            raise NoPermission(SAY.discord.not_served)
        return channel.id

    async def _has_posts(self, place: str) -> bool:
        """Return whether a channel has posts alone; asked for once, since a forum stays one."""
        # https://discord.com/developers/docs/resources/channel#modify-channel
        if place not in self._kinds:
            found = await self.rest.ask("GET", CHANNEL, channel_id=place)
            self._kinds[place] = int(found.get("type") or 0)
        return self._kinds[place] in POSTS

    async def _found_post(
        self, channel: Channel, is_it: IsIt, since: datetime | None
    ) -> str | None:
        async with self._explaining(channel):
            async for id, first in self._forums.posts(channel):
                if since and taken_at(id) < since:
                    return None
                if await is_it(first):
                    return f"{id}/{id}"
        return None

    async def _post(self, place: str, body: Mapping[str, Any], needs: Permission) -> str:
        answer = await self.rest.ask("POST", MESSAGES, needs=needs, json=body, channel_id=place)
        if not isinstance(answer, Mapping) or "id" not in answer:
            raise OutcomeUnknown(SAY.discord.no_name)
        return str(answer["id"])

    async def _reply(
        self, place: str, parent: str, stored: StoredMessage, body: Mapping[str, Any]
    ) -> str:
        """Post below a message; a thread that was deleted is made once more."""
        for _ in range(2):
            await self._thread(place, parent, stored.thread_name or NAMELESS)
            try:
                return await self._post(parent, body, SEND_IN_THREADS)
            except ThreadArchived as error:  # a word wakes it, but for one that is locked
                raise NoPermission(SAY.discord.locked) from error
            except UnknownChannel:
                self._threads.pop(parent, None)
        raise MessageGone(SAY.discord.message_gone)

    @contextlib.asynccontextmanager
    async def _explaining(self, channel: Channel) -> AsyncIterator[None]:
        """Name what the bot really lacks where something is not allowed in a channel."""
        try:
            yield
        except MissingPermission as error:
            raise await explained(self.rest, channel.workspace, channel.id, error) from error

    async def _thread(self, place: str, parent: str, name: str) -> None:
        """Make the thread of a message, unless it has one."""
        if parent in self._threads:
            return
        # A thread lives on where its first message was deleted, or where it never had one.
        with contextlib.suppress(ThreadExists, MessageGone):
            await self.rest.ask(
                "POST",
                f"{MESSAGE}/threads",
                needs=CREATE_THREADS,
                json={"name": name, "auto_archive_duration": WEEK},
                channel_id=place,
                message_id=parent,
            )
        self._threads[parent] = None

    async def _change(
        self, method: str, channel: Channel, ref: str, body: Mapping[str, Any] | None
    ) -> None:
        place, id = parted(self._place(channel), ref)
        async with self._explaining(channel):
            try:
                try:
                    await self.rest.ask(method, MESSAGE, json=body, channel_id=place, message_id=id)
                except ThreadArchived:
                    await self._wake(place)
                    await self.rest.ask(method, MESSAGE, json=body, channel_id=place, message_id=id)
            except UnknownChannel as error:
                raise MessageGone(SAY.discord.message_gone) from error

    async def _wake(self, thread: str) -> None:
        awake = {"archived": False}
        try:
            await self.rest.ask(
                "PATCH", CHANNEL, needs=SEND_IN_THREADS, json=awake, channel_id=thread
            )
        except MissingPermission as error:
            found = await self.rest.ask("GET", CHANNEL, channel_id=thread)
            if (found.get("thread_metadata") or {}).get("locked"):
                raise NoPermission(SAY.discord.locked) from error
            raise


def mark(nonce: str) -> int:
    """Return the number that marks a message: 31 bits, never 0, which Discord would replace."""
    return int.from_bytes(hashlib.sha256(nonce.encode()).digest()[:4], "big") % (2**31 - 1) + 1


def marked(stored: StoredMessage, nonce: str) -> dict[str, Any]:
    """Return the body of a message with its nonce and its mark."""
    rows = stored.body["components"]
    components = [{**row, "id": mark(nonce)} if row is rows[0] else row for row in rows]
    return {**stored.body, "components": components, "nonce": nonce, "enforce_nonce": True}


def printed(body: Mapping[str, Any]) -> str:
    """Return a print of what a message says, blind to spaces, which Discord trims."""
    texts = [str(body.get("content") or "")]
    for embed in body.get("embeds") or ():
        texts += [str(embed.get(key) or "") for key in ("title", "description", "footer")]
    text = "\0".join("".join(each.split()) for each in texts)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def taken_at(id: str) -> datetime:
    """Return when Discord took a message, which its id tells."""
    return discord.utils.snowflake_time(int(id))


def parted(place: str, ref: str) -> tuple[str, str]:
    """Return the channel or thread, and the message, of a reference in a channel."""
    thread, slash, id = ref.rpartition("/")
    return (thread, id) if slash else (place, ref)


def _thread_of(ref: str) -> str:
    """Return the thread of a parent: its own, or the post that it is in."""
    return ref.partition("/")[0]


def _print_name(nonce: str) -> str:
    return f"sent {nonce}"


def _owner_name(ref: str) -> str:
    """Name the nonce of a message by the last part of its reference, Discord's own id."""
    return f"nonce of {ref.rpartition('/')[2]}"


def _mark_of(shown: Mapping[str, Any]) -> int:
    components = shown.get("components") or [{}]
    return int(components[0].get("id") or 0)
