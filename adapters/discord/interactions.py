"""Who does something on Discord and where, and how an interaction is answered.

https://discord.com/developers/docs/interactions/receiving-and-responding: the first response within
three seconds, everything else within fifteen minutes, by the interaction's own token. These calls
are outside the bot's limits. An edit that is repeated says the same; a follow-up that is repeated
stands there twice, so it is only asked for again after a limit, which says that it is not there,
and only where no edit can say it.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import aiohttp
import discord
import structlog

from adapters.discord.permissions import may_manage, may_write
from adapters.discord.rest import Acknowledged, Rest
from bot.answer.channel_answers import language_of
from bot.model.channels import Channel, Person, Platform, Visit
from bot.model.ports import Limited, OutcomeUnknown, PlatformDown, PublishError
from digest.languages import Language

DEFERRED = 5
DEFERRED_EDIT = 6
CHOICES = 8
EPHEMERAL = 1 << 6
"""https://discord.com/developers/docs/resources/message#message-object-message-flags"""

FIRST_WITHIN = 2.5
"""Seconds for the first response with all its tries; Discord waits three."""
PAUSES = (0.1, 0.5, 2.0, 5.0)
"""Seconds between tries."""
LONGEST_WAIT = 60.0
"""Seconds that a limit is waited for."""

CALLBACK = "/interactions/{id}/{webhook_token}/callback"
FOLLOW_UP = "/webhooks/{webhook_id}/{webhook_token}"
ORIGINAL = f"{FOLLOW_UP}/messages/@original"

Json = Mapping[str, Any]

log = structlog.get_logger()


def reference(place: str, channel: str, id: str) -> str:
    """Return the reference of a message in a channel, or in a thread of it."""
    return id if place == channel else f"{place}/{id}"


@dataclass(frozen=True, slots=True)
class Interaction:
    """What names an interaction."""

    application: str
    id: str
    token: str


class Responder:
    """Talks to the one person behind an interaction. What comes back says whether it was taken."""

    def __init__(self, rest: Rest) -> None:
        self._rest = rest

    async def defer(self, to: Interaction) -> bool:
        """Promise an answer for the person alone; False where Discord takes none any more."""
        return await self._first(to, {"type": DEFERRED, "data": {"flags": EPHEMERAL}})

    async def defer_edit(self, to: Interaction) -> bool:
        """Say that a press was heard: the message may be edited, or stays."""
        return await self._first(to, {"type": DEFERRED_EDIT})

    async def offer(self, to: Interaction, choices: Sequence[str | tuple[str, str]]) -> bool:
        """Offer choices to somebody who types: values, or names with values."""
        pairs = [each if isinstance(each, tuple) else (each, each) for each in choices]
        shown = [{"name": name, "value": value} for name, value in pairs]
        return await self._first(to, {"type": CHOICES, "data": {"choices": shown}})

    async def show(self, to: Interaction, body: Json) -> bool:
        """Fill in what was promised, or replace the message that a button is on."""
        return await self._tried(self._sending(to, "PATCH", ORIGINAL, json=body))

    async def withdraw(self, to: Interaction) -> bool:
        """Take back a promise that there is nothing to say to."""
        return await self._tried(self._sending(to, "DELETE", ORIGINAL))

    async def attach(self, to: Interaction, name: str, content: bytes) -> bool:
        """Send a file to the person alone."""
        # https://discord.com/developers/docs/reference#uploading-files

        async def send() -> None:
            form = aiohttp.FormData()  # of one request
            form.add_field("payload_json", json.dumps({"flags": EPHEMERAL}))
            form.add_field("files[0]", content, filename=name, content_type="text/html")
            await self._sending(to, "POST", FOLLOW_UP, form=form)()

        return await self._tried(send, repeats=False)

    async def add(self, to: Interaction, body: Json) -> bool:
        """Say something more to the person alone."""
        body = {**body, "flags": int(body.get("flags") or 0) | EPHEMERAL}
        return await self._tried(self._sending(to, "POST", FOLLOW_UP, json=body), repeats=False)

    async def _first(self, to: Interaction, body: Json) -> bool:
        """Return the first response; one that Discord has already is as good."""
        try:
            async with asyncio.timeout(FIRST_WITHIN):
                return await self._tried(self._sending(to, "POST", CALLBACK, json=body))
        except TimeoutError:
            log.warning("discord interaction not answered in time")
            return False

    def _sending(
        self, to: Interaction, method: str, path: str, **content: Any
    ) -> Callable[[], Awaitable[None]]:
        ask = partial(self._rest.respond, method, path, **content)
        return partial(ask, id=to.id, webhook_id=to.application, webhook_token=to.token)

    async def _tried(self, send: Callable[[], Awaitable[None]], *, repeats: bool = True) -> bool:
        """Send, and again after pauses and short limits; `repeats` tells that it may come twice."""
        for pause in (*PAUSES, None):
            try:
                await send()
            except Acknowledged:
                return True
            except PublishError as error:
                wait = error.retry_after if isinstance(error, Limited) else 0.0
                may_repeat = repeats and isinstance(error, OutcomeUnknown | PlatformDown)
                again = may_repeat or 0.0 < wait <= LONGEST_WAIT
                if pause is None or not again:
                    log.info("discord answer not shown", reason=str(error))
                    return False
                await asyncio.sleep(max(pause, wait))
            else:
                return True
        raise AssertionError("the last try returns")


@dataclass(frozen=True, slots=True)
class Caller:
    """Who did something by an interaction, and where; `to` is what answers it.

    `place` is the channel itself, or a thread of it. `holds_threads` tells that morning threads can
    be posted to the channel, `allowed` what the bot may there. `post` is the place where it is a
    post of a forum.
    """

    to: Interaction
    person: Person
    channel: Channel
    place: str
    holds_threads: bool
    allowed: int
    post: str | None

    @property
    def visit(self) -> Visit:
        """The person, and the channel."""
        return Visit(self.channel, self.person)

    @property
    def thread(self) -> str:
        """The thread where something happens, empty for the channel itself."""
        return "" if self.place == self.channel.id else self.place

    @property
    def language(self) -> Language:
        """The language in which Discord shows itself to the person, English if it is not ours."""
        return language_of(self.person) or Language.EN

    def reference(self, message: str) -> str:
        """Return the reference of a message here."""
        return reference(self.place, self.channel.id, message)


def caller_of(interaction: discord.Interaction) -> Caller | None:
    """Read an interaction; None for one that is not of a server."""
    where, guild = interaction.channel, interaction.guild_id
    if guild is None or where is None or interaction.channel_id is None:
        return None
    thread = where if isinstance(where, discord.Thread) else None
    of, here = thread.parent if thread else where, str(interaction.channel_id)
    may = interaction.permissions.value
    person = _person(interaction.user, str(guild), may, in_thread=thread is not None)
    language = str(interaction.locale.value).partition("-")[0].casefold()
    return Caller(
        Interaction(str(interaction.application_id), str(interaction.id), interaction.token),
        replace(person, language=language or None),
        Channel(Platform.DISCORD, str(guild), str(thread.parent_id) if thread else here),
        here,
        # A parent that is not known yet is taken for one of them: most are.
        holds_threads=of is None or isinstance(of, discord.TextChannel | discord.ForumChannel),
        allowed=interaction.app_permissions.value,
        post=here if isinstance(of, discord.ForumChannel) else None,
    )


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
    """Read a user object, or a member's with its user inside: who it is, not what they may."""
    # https://discord.com/developers/docs/resources/user#user-object
    own = data.get("user") or data
    name = data.get("nick") or own.get("global_name") or own.get("username")
    id = str(own["id"])
    return Person(Platform.DISCORD, guild, id, str(name or id), is_bot=bool(own.get("bot")))
