"""Slack as a publisher: it posts once, and finds what it posted by the mark that it left.

Slack knows no key under which a message is posted only once, so every message carries its nonce as
metadata (https://docs.slack.dev/messaging/message-metadata: readable by every app of the workspace,
and therefore nothing but the nonce). After an unknown outcome `find` looks for it in the channel.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import lru_cache, partial
from typing import Any

from cachetools import LRUCache, TTLCache
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.errors import MissingScope
from adapters.slack.render import SlackMessage, render, render_parts
from adapters.slack.web import (
    SLACK_API,
    Identity,
    answered,
    has_more,
    is_stranger,
    keep_alive_session,
    members_of,
    pages,
    posting_client,
    web_client,
)
from bot.model.channels import Channel, Platform
from bot.model.parts import Part, Thread
from bot.model.ports import (
    ChannelGone,
    Limited,
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

POST_INTERVAL = 1.0
"""Seconds between two messages to one channel."""

BURST = 3
"""Messages that may follow one another without a pause."""

WAITED_HERE = 3.0
"""Seconds that are waited for inside one call; for longer ones another channel goes on."""

PACED_CHANNELS = 5_000


class Pace:
    """Keeps messages apart; `now` and `sleep` are in seconds of a clock that never goes back.

    Slack says of a channel "about one message per second, short bursts tolerated"
    (https://docs.slack.dev/apis/web-api/rate-limits). A refusal holds up its channel alone,
    until the seconds of its `Retry-After` are over.
    """

    def __init__(
        self,
        interval: float = POST_INTERVAL,
        burst: int = BURST,
        *,
        now: Callable[[], float] | None = None,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._interval = interval
        self._burst = burst
        self._now = now or (lambda: asyncio.get_running_loop().time())
        self._sleep = sleep
        self._free_at: LRUCache[str, float] = LRUCache(PACED_CHANNELS)

    async def turn(self, channel: str) -> None:
        """Wait until the channel may get one more message; raises `Limited` where that is long."""
        now = self._now()
        begun = max(self._free_at.get(channel, 0.0), now - self._interval * (self._burst - 1))
        if begun - now > WAITED_HERE:
            raise Limited(SAY.slack.limited, begun - now)
        self._free_at[channel] = begun + self._interval
        if begun > now:
            await self._sleep(begun - now)

    def refused(self, channel: str, retry_after: float) -> None:
        """Keep messages from a channel for the seconds that Slack named."""
        self._free_at[channel] = max(self._free_at.get(channel, 0.0), self._now() + retry_after)


EVENT_TYPE = "infra_post"

PAGE = 200
"""Messages asked for at once: https://docs.slack.dev/reference/methods/conversations.history"""

LOOKED_THROUGH = 2_000
"""Messages looked through for one; apps outside the Marketplace get 15 of them a minute."""


SHARED = ("is_ext_shared", "is_pending_ext_shared")

DIRECT = "D"
"""How the id of a conversation of two begins."""

NOT_SHARED_SECONDS = 20.0
"""Seconds for which a channel counts as not shared, and a person as no stranger, once Slack said
so: who tells many private repositories asks for each. An invitation takes people longer."""

MOST_READ_MESSAGES = 64
"""Payloads kept as they were read, since many channels are told the same."""


class SlackPublisher:
    """Posts to the one workspace that the bot's token belongs to; `close` ends its connections."""

    def __init__(
        self,
        token: str,
        *,
        api_url: str = SLACK_API,
        pace: Pace | None = None,
        web: AsyncWebClient | None = None,
    ) -> None:
        self.web = web or web_client(token, api_url)
        self._posting = posting_client(token, api_url)
        self._pace = pace or Pace()
        self._identity: Identity | None = None
        self._asking = asyncio.Lock()
        self._not_shared: TTLCache[str, None] = TTLCache(5_000, NOT_SHARED_SECONDS)
        self._not_public: TTLCache[str, None] = TTLCache(5_000, NOT_SHARED_SECONDS)

    async def close(self) -> None:
        """Let go of the connections."""
        if self._posting.session:
            await self._posting.session.close()
            self._posting.session = None

    async def identity(self) -> Identity:
        """Return who the bot is, asked for once; raises `PublishError`."""
        async with self._asking:
            if self._identity is None:
                answer = await answered(self.web.auth_test())
                team, user = str(answer.get("team_id", "")), str(answer.get("user_id", ""))
                bot, enterprise = (
                    str(answer.get(key) or "") for key in ("bot_id", "enterprise_id")
                )
                self._identity = Identity(team, user, bot, enterprise)
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
        body = _read(payload)
        await self._pace.turn(place)
        if self._posting.session is None:
            self._posting.session = keep_alive_session()
        try:
            answer = await answered(
                self._posting.chat_postMessage(
                    channel=place,
                    thread_ts=parent,
                    text=body.get("text"),
                    blocks=body.get("blocks"),
                    metadata={"event_type": EVENT_TYPE, "event_payload": {"nonce": nonce}},
                    unfurl_links=False,
                    unfurl_media=False,
                )
            )
        except Limited as limit:
            self._pace.refused(place, limit.retry_after)
            raise
        ts = answer.get("ts")
        if not ts:
            raise OutcomeUnknown(SAY.slack.no_name)
        return str(ts)

    async def find(
        self, channel: Channel, nonce: str, *, parent: str | None, since: datetime | None = None
    ) -> str | None:
        """Return the `ts` of the bot's own message with this nonce: newest messages are read."""
        async for message in self._own(channel, parent, since):
            if nonce_of(message) == nonce:
                return str(message["ts"])
        return None

    async def check(self, channel: Channel) -> None:
        """See that a channel is there, is not archived, and has the bot in it."""
        place = await self._place(channel)
        found = await self._info(place)
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
            return await self.is_stranger(channel, person)
        if place in self._not_shared:
            return False
        found = await self._info(place) or {}
        if found.get("id") != place or any(found.get(key) for key in SHARED):
            return True
        self._not_shared[place] = None
        return False

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

    async def is_public(self, channel: Channel) -> bool:
        """Return whether everybody of the workspace can read a channel, as of now.

        https://docs.slack.dev/reference/objects/conversation-object; what Slack does not show
        counts as public.
        """
        place = await self._place(channel)
        if place.startswith(DIRECT) or place in self._not_public:
            return False
        found = await self._info(place) or {}
        if found.get("id") == place and (found.get("is_private") or found.get("is_mpim")):
            self._not_public[place] = None
            return False
        return True

    async def is_stranger(self, channel: Channel, person: str) -> bool:
        """Return whether somebody is a guest, left, or is of another organisation, as of now.

        https://docs.slack.dev/reference/methods/users.info
        """
        await self._place(channel)
        if person in self._not_shared:
            return False
        if not person:
            return True
        try:
            found = (await answered(self.web.users_info(user=person))).get("user") or {}
        except (ChannelGone, NoPermission):  # nobody whom Slack shows to the bot
            return True
        if found.get("id") != person or is_stranger(found, await self.identity()):
            return True
        self._not_shared[person] = None
        return False

    async def _own(
        self, channel: Channel, parent: str | None, since: datetime | None
    ) -> AsyncIterator[Mapping[str, Any]]:
        """Yield the bot's own messages of a channel or thread, as Slack orders them.

        Raises `MayNotLook` where the app lacks the scopes for it, `TooManyMessages` where more is
        left.
        """
        place = await self._place(channel)
        own = await self.identity()
        seen = 0
        try:
            async for page in pages(self._listed(place, parent, since)):
                messages = page.get("messages") or ()
                seen += max(1, len(messages))
                for message in messages:
                    if message.get("user", own.user) == own.user:
                        yield message
                if seen >= LOOKED_THROUGH and has_more(page):
                    raise TooManyMessages
        except MissingScope as error:
            raise MayNotLook(error.why) from error

    async def edit(self, channel: Channel, ref: str, payload: str) -> None:
        """Replace a message; its mark stays."""
        place = await self._place(channel)
        body = json.loads(payload)
        await answered(
            self.web.chat_update(
                channel=place, ts=ref, text=body.get("text"), blocks=body.get("blocks")
            )
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
        body = json.loads(payload)
        await answered(
            self.web.chat_postEphemeral(
                channel=await self._place(channel),
                user=person,
                thread_ts=parent,
                text=body.get("text"),
                blocks=body.get("blocks"),
            )
        )
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
        """Tell one person in their direct messages with the bot.

        A person's id in place of a channel's: https://docs.slack.dev/reference/methods/chat.postMessage
        """
        body = naming(json.loads(payload), str(channel), await self._place(channel))
        await answered(
            self.web.chat_postMessage(
                channel=person,
                text=body.get("text"),
                blocks=body.get("blocks"),
                unfurl_links=False,
                unfurl_media=False,
            )
        )

    async def _place(self, channel: Channel) -> str:
        """Return Slack's id of a channel, if it is one of this workspace."""
        if channel.platform is not Platform.SLACK:
            raise ChannelGone(SAY.slack.gone)
        if channel.workspace != (await self.identity()).team:
            raise TokenRevoked(SAY.slack.token)
        return channel.id

    def _listed(self, place: str, parent: str | None, since: datetime | None) -> Awaitable[Any]:
        ask = self.web.conversations_history
        if parent is not None:
            ask = partial(self.web.conversations_replies, ts=parent)
        oldest = f"{since.timestamp():.6f}" if since else None
        return ask(channel=place, limit=PAGE, oldest=oldest, include_all_metadata=True)

    async def _info(self, place: str) -> Mapping[str, Any] | None:
        """Return what Slack shows of a channel; None without the right to look at it."""
        try:
            return (await answered(self.web.conversations_info(channel=place))).get("channel") or {}
        except MissingScope:
            return None


def naming(body: Any, written: str, channel: str) -> Any:
    """Return a payload in which a channel has Slack's own name of it in place of `slack:T1/C1`.

    Rich text names a channel by an element of its own:
    https://docs.slack.dev/reference/block-kit/blocks/rich-text-block
    """
    if isinstance(body, list):
        return [named for each in body for named in _elements_naming(each, written, channel)]
    if isinstance(body, dict):
        named = {key: naming(value, written, channel) for key, value in body.items()}
        if isinstance(body.get("text"), str) and "type" not in body:
            named["text"] = body["text"].replace(written, f"<#{channel}>")
        return named
    return body


def _elements_naming(element: Any, written: str, channel: str) -> list[Any]:
    text = element.get("text") if isinstance(element, dict) else None
    if not isinstance(text, str) or element.get("type") != "text" or written not in text:
        return [naming(element, written, channel)]
    parts: list[Any] = []
    for number, part in enumerate(text.split(written)):
        if number:
            parts.append({"type": "channel", "channel_id": channel})
        if part:
            parts.append(element | {"text": part})
    return parts


@lru_cache(MOST_READ_MESSAGES)
def _read(payload: str) -> Mapping[str, Any]:
    """Read a payload; it is shared by many channels, and nobody changes it."""
    body: Mapping[str, Any] = json.loads(payload)
    return body


def _message(drawn: SlackMessage) -> Message:
    payload = json.dumps(drawn.payload, ensure_ascii=False, separators=(",", ":"))
    return Message(payload, drawn.about, drawn.is_parent, drawn.kind)


def nonce_of(message: Mapping[str, Any]) -> str:
    """Return the mark of a message, or nothing for a message that is not one of the bot's posts."""
    metadata = message.get("metadata") or {}
    if metadata.get("event_type") != EVENT_TYPE:
        return ""
    return str((metadata.get("event_payload") or {}).get("nonce", ""))
