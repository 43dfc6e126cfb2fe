"""Slack as a publisher: it posts once, and finds what it posted by the mark that it left.

Slack knows no key under which a message is posted only once, so every message carries its nonce as
metadata (https://docs.slack.dev/messaging/message-metadata: readable by every app of the workspace,
and therefore nothing but the nonce). After an unknown outcome `find` looks for it in the channel.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any

from cachetools import LRUCache

from adapters.slack.api import (
    DIRECT,
    NO_PREVIEWS,
    SLACK_API,
    Identity,
    MissingScope,
    answered,
    has_more,
    is_stranger,
    keep_alive_session,
    members_of,
    pages,
    show_alone,
    tell_directly,
    web_client,
)
from adapters.slack.render import SlackMessage, render, render_parts
from bot.model.channels import Channel
from bot.model.parts import Part, Thread
from bot.model.ports import (
    ChannelGone,
    MayNotLook,
    Message,
    NoPermission,
    OutcomeUnknown,
    TokenRevoked,
    TooManyMessages,
    Unmet,
)
from digest.languages import Language
from digest.wording.phrases import SAY

EVENT_TYPE = "infra_post"

PAGE = 200
"""Messages asked for at once: https://docs.slack.dev/reference/methods/conversations.history"""

LOOKED_THROUGH = 2_000
"""Messages looked through for one; apps outside the Marketplace get 15 of them a minute."""

POST_INTERVAL = 1.0
BURST = 3
"""Slack takes "about one message per second" of a channel, "short bursts tolerated":
https://docs.slack.dev/apis/web-api/rate-limits"""

SHARED = ("is_ext_shared", "is_pending_ext_shared")


class SlackPublisher:
    """Posts to the one workspace that the bot's token belongs to; `close` ends its connections."""

    def __init__(
        self, token: str, *, api_url: str = SLACK_API, interval: float = POST_INTERVAL
    ) -> None:
        """`interval` is the seconds between two messages to one channel, but for short bursts."""
        self.web = web_client(token, api_url, waits_for_limits=True)
        self._posting = web_client(token, api_url)
        self._identity: Identity | None = None
        self._interval = interval
        self._free_at: LRUCache[str, float] = LRUCache(5_000)

    async def close(self) -> None:
        """Let go of the connections."""
        if self._posting.session:
            await self._posting.session.close()
            self._posting.session = None

    async def identity(self) -> Identity:
        """Return who the bot is, asked for once; raises `PublishError`."""
        if self._identity is None:
            answer = await answered(self.web.auth_test())
            names = ("team_id", "user_id", "bot_id", "enterprise_id")
            self._identity = Identity(*(str(answer.get(name) or "") for name in names))
        return self._identity

    def render(self, thread: Thread) -> tuple[Message, ...]:
        """Draw a thread."""
        return tuple(map(_message, render(thread)))

    def render_parts(self, parts: Sequence[Part], language: Language) -> tuple[Message, ...]:
        """Draw parts that are no thread."""
        return tuple(map(_message, render_parts(parts, language)))

    async def send(self, channel: Channel, payload: str, *, parent: str | None, nonce: str) -> str:
        """Post one message, and give its `ts`."""
        place = await self._place(channel)
        await self._turn(place)
        if self._posting.session is None:
            self._posting.session = keep_alive_session()
        answer = await answered(
            self._posting.chat_postMessage(
                channel=place,
                thread_ts=parent,
                metadata={"event_type": EVENT_TYPE, "event_payload": {"nonce": nonce}},
                **NO_PREVIEWS,
                **json.loads(payload),
            )
        )
        if not answer.get("ts"):
            raise OutcomeUnknown(SAY.slack.no_name)
        return str(answer["ts"])

    async def _turn(self, place: str) -> None:
        """Wait until a channel may get one more message."""
        now = asyncio.get_running_loop().time()
        begun = max(self._free_at.get(place, 0.0), now - self._interval * (BURST - 1))
        self._free_at[place] = begun + self._interval
        await asyncio.sleep(max(begun - now, 0.0))

    async def find(
        self, channel: Channel, nonce: str, *, parent: str | None, since: datetime | None = None
    ) -> str | None:
        """Return the `ts` of the bot's own message with this nonce.

        Raises `MayNotLook` where the app lacks the scopes for it, `TooManyMessages` where more is
        left than is read.
        """
        place = await self._place(channel)
        own = (await self.identity()).user
        list_messages = self.web.conversations_history
        if parent is not None:
            list_messages = partial(self.web.conversations_replies, ts=parent)
        oldest = f"{since.timestamp():.6f}" if since else None
        seen = 0
        try:
            async for page in pages(
                list_messages(channel=place, limit=PAGE, oldest=oldest, include_all_metadata=True)
            ):
                messages = page.get("messages") or ()
                for message in messages:
                    if message.get("user", own) == own and nonce_of(message) == nonce:
                        return str(message["ts"])
                seen += max(1, len(messages))
                if seen >= LOOKED_THROUGH and has_more(page):
                    raise TooManyMessages
        except MissingScope as error:
            raise MayNotLook(error.why) from error
        return None

    async def check(self, channel: Channel) -> None:
        """See that a channel is there, is not archived, and has the bot in it."""
        found = await self._info(await self._place(channel))
        if found is None:
            return  # direct messages are posted to without the right to look at them
        if found.get("is_archived"):
            raise ChannelGone(SAY.slack.archived)
        if not found.get("is_member"):
            raise NoPermission(SAY.slack.not_in)

    async def unmet(self, channel: Channel, *, publish: bool, role: str) -> tuple[Unmet, ...]:
        """Slack has neither tags nor anything to publish; `Subscribing` refuses to ask for it."""
        return ()

    async def publish(self, channel: Channel, ref: str) -> None:
        """Slack has nobody who follows a channel from elsewhere."""

    async def is_shared(self, channel: Channel, person: str) -> bool:
        """Return whether a channel is shared with another organisation, or is about to be.

        https://docs.slack.dev/apis/slack-connect/using-slack-connect: `is_ext_shared`, and
        `is_pending_ext_shared` once somebody was invited. A conversation of two is if `person` is a
        stranger; what Slack does not show counts as shared.
        """
        place = await self._place(channel)
        if place.startswith(DIRECT):
            try:
                return await self.is_stranger(channel, person)
            except MissingScope:
                return True
        found = await self._info(place) or {}
        return found.get("id") != place or any(found.get(key) for key in SHARED)

    async def is_public(self, channel: Channel) -> bool:
        """Return whether everybody of the workspace can read a channel, as of now.

        https://docs.slack.dev/reference/objects/conversation-object; what Slack does not show
        counts as public.
        """
        place = await self._place(channel)
        if place.startswith(DIRECT):
            return False
        found = await self._info(place) or {}
        is_private = found.get("is_private") or found.get("is_mpim")
        return found.get("id") != place or not is_private

    async def is_stranger(self, channel: Channel, person: str) -> bool:
        """Return whether somebody is a guest, left, or is of another organisation, as of now."""
        # https://docs.slack.dev/reference/methods/users.info
        await self._place(channel)
        if not person:
            return True
        try:
            found = (await answered(self.web.users_info(user=person))).get("user") or {}
        except MissingScope:
            raise
        except (ChannelGone, NoPermission):  # nobody whom Slack shows to the bot
            return True
        return found.get("id") != person or is_stranger(found, await self.identity())

    async def is_member(self, channel: Channel, person: str, *, was_there: bool) -> bool:
        """Return whether a person is in a channel; True for one too large to be looked through.

        Who is in a conversation of two Slack does not say without another scope.
        """
        place = await self._place(channel)
        if place.startswith(DIRECT):
            return was_there
        members = await members_of(self.web, place)
        return members is None or person in members

    async def has_left(self, channel: Channel, person: str) -> bool:
        """Return whether somebody is deactivated, unknown to the workspace, or out of a channel.

        Slack promises nowhere that who is deactivated is no member, so that is asked first:
        `deleted`, or `user_not_found`, of https://docs.slack.dev/reference/methods/users.info.
        """
        await self._place(channel)
        try:
            found = (await answered(self.web.users_info(user=person))).get("user") or {}
        except ChannelGone:
            return True
        return bool(found.get("deleted")) or not await self.is_member(
            channel, person, was_there=True
        )

    async def edit(self, channel: Channel, ref: str, payload: str) -> None:
        """Replace a message; its mark stays.

        Left to itself an edit reads names in the text as a client does, which a new message does
        not: https://docs.slack.dev/reference/methods/chat.update
        """
        place, body = await self._place(channel), json.loads(payload)
        await answered(
            self.web.chat_update(channel=place, ts=ref, parse="none", link_names=False, **body)
        )

    async def delete(self, channel: Channel, ref: str) -> None:
        """Delete a message."""
        await answered(self.web.chat_delete(channel=await self._place(channel), ts=ref))

    async def link(self, channel: Channel, ref: str) -> str:
        """Return the address of a message."""
        place = await self._place(channel)
        answer = await answered(self.web.chat_getPermalink(channel=place, message_ts=ref))
        return str(answer.get("permalink") or "")

    async def ask(self, channel: Channel, person: str, payload: str, *, parent: str | None) -> bool:
        """Show a message to one person alone: https://docs.slack.dev/reference/methods/chat.postEphemeral."""
        place = await self._place(channel)
        await show_alone(self.web, place, person, json.loads(payload), thread=parent)
        return True

    async def direct(self, channel: Channel, person: str) -> Channel:
        """Open the direct messages with a person.

        https://docs.slack.dev/reference/methods/conversations.open. Where the app is not given the
        right to, their own id stands for it: what is posted there cannot be looked for.
        """
        await self._place(channel)
        try:
            answer = await answered(self.web.conversations_open(users=person))
        except MissingScope:
            return replace(channel, id=person)
        opened = answer.get("channel") or {}
        return replace(channel, id=str(opened.get("id") or person))

    async def tell(self, channel: Channel, person: str, payload: str) -> None:
        """Tell one person a sentence in their direct messages with the bot, by its plain text."""
        text = str(json.loads(payload).get("text")).replace(
            str(channel), f"<#{await self._place(channel)}>"
        )
        await tell_directly(self.web, person, {"text": text})

    async def _place(self, channel: Channel) -> str:
        """Return Slack's id of a channel, if it is one of this workspace."""
        if channel.workspace != (await self.identity()).team:
            raise TokenRevoked(SAY.slack.token)
        return channel.id

    async def _info(self, place: str) -> Mapping[str, Any] | None:
        """Return what Slack shows of a channel; None without the right to look at it."""
        try:
            return (await answered(self.web.conversations_info(channel=place))).get("channel") or {}
        except MissingScope:
            return None


def _message(drawn: SlackMessage) -> Message:
    payload = json.dumps(drawn.payload, ensure_ascii=False, separators=(",", ":"))
    return Message(payload, drawn.about, drawn.is_parent, drawn.kind)


def nonce_of(message: Mapping[str, Any]) -> str:
    """Return the mark of a message, or nothing for a message that is not one of the bot's posts."""
    metadata = message.get("metadata") or {}
    if metadata.get("event_type") != EVENT_TYPE:
        return ""
    return str((metadata.get("event_payload") or {}).get("nonce", ""))
