"""Discord's errors in the bot's words, each with the sentence that says what to do.

Codes: https://discord.com/developers/docs/topics/opcodes-and-status-codes. A status of 5xx leaves
open whether it was done. Which permission is missing Discord does not say; the caller knows.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import aiohttp
import discord

from adapters.discord.permissions import EMBED_LINKS, VIEW_CHANNEL, Permission
from bot.ports import (
    ChannelGone,
    Limited,
    MessageGone,
    NoPermission,
    OutcomeUnknown,
    PlatformDown,
    PublishError,
    Refused,
    TokenRevoked,
)

RETRY_AFTER = 60.0
"""Seconds to wait where Discord limits without saying how long."""

TOKEN = (
    "Discord refuses the bot's token: reset it in the Developer Portal under Bot, and set "
    "DISCORD_TOKEN to the new one"
)
GONE = "Discord shows the bot no such channel: subscribe in another channel"
NOT_ON_SERVER = (
    "the bot is not on this server any more: invite it again with the link of infra discord invite"
)
MAY_NOT = "the bot lacks {names} in this channel: give it that under Edit Channel, Permissions"
LOCKED = "the thread is locked: a moderator unlocks it"
MANY_THREADS = "this server has as many active threads as it can: close some"
NOT_TEXT = "such a channel takes no morning threads: subscribe in a text channel"
NO_MESSAGES = "this person takes no direct messages from the bot"
MESSAGE_GONE = "the message or its thread does not exist any more"
NOT_TAKEN = "Discord does not take this message as it is drawn"
LIMITED = "Discord takes no more for a while"
UNCLEAR = "Discord did not answer, or not as it should"


class ThreadExists(PublishError):
    """The message has its thread already."""


class ThreadArchived(PublishError):
    """The thread sleeps: it is to be woken first."""


class MissingPermission(NoPermission):
    """Something is not allowed here; which it is, Discord does not say."""


class UnknownChannel(ChannelGone):
    """No such channel or thread."""


UNKNOWN_CHANNEL = 10003
ACKNOWLEDGED = 40060
"""An interaction was answered already."""

_SENTENCES: Mapping[int, tuple[type[PublishError], str]] = MappingProxyType(
    {
        UNKNOWN_CHANNEL: (UnknownChannel, GONE),
        10004: (ChannelGone, NOT_ON_SERVER),
        10008: (MessageGone, MESSAGE_GONE),
        50005: (MessageGone, MESSAGE_GONE),
        # Without the permission embeds are taken out, and nothing is left.
        50006: (MissingPermission, MAY_NOT.format(names=EMBED_LINKS.name)),
        50007: (NoPermission, NO_MESSAGES),
        50008: (NoPermission, NOT_TEXT),
        50024: (NoPermission, NOT_TEXT),
        50083: (ThreadArchived, "the thread is archived"),
        160004: (ThreadExists, "the message has a thread"),
        160005: (NoPermission, LOCKED),
        160006: (NoPermission, MANY_THREADS),
        **dict.fromkeys((40005, 50035, 200000), (Refused, NOT_TAKEN)),
    }
)
_LIMITS = frozenset({20016, 20022, 20028, 20029, 30046, 40062})
"""Write limits and slow mode, which come with other statuses than 429."""

MISSING_ACCESS = 50001


def failure(
    status: int, code: int = 0, *, needs: Permission | None = None, retry_after: float = 0.0
) -> PublishError:
    """Give the error for what Discord answered; `needs` is what the call asks for."""
    if status == 401:
        return TokenRevoked(TOKEN)
    if status == 429 or code in _LIMITS:
        return Limited(LIMITED, max(retry_after, 1.0) if retry_after else RETRY_AFTER)
    if status >= 500:
        return OutcomeUnknown("Discord failed and does not say whether it was done")
    kind, sentence = _SENTENCES.get(code, (None, ""))
    if kind:
        return kind(sentence)
    match status:
        case 403:
            missing = VIEW_CHANNEL if code == MISSING_ACCESS or needs is None else needs
            return MissingPermission(MAY_NOT.format(names=missing.name))
        case 404:
            return MessageGone(MESSAGE_GONE)
        case 400 | 413:
            return Refused(NOT_TAKEN)
    return NoPermission(f"Discord refuses with status {status}: an admin looks at the app")


def translated(error: Exception, needs: Permission | None = None) -> PublishError:
    """Give the error for what went wrong while Discord was asked through its library."""
    if isinstance(error, discord.LoginFailure):
        return TokenRevoked(TOKEN)
    if isinstance(error, discord.RateLimited):
        return Limited(LIMITED, max(error.retry_after, 1.0))
    if isinstance(error, discord.HTTPException):
        return failure(
            error.status, error.code, needs=needs, retry_after=_seconds(error.response.headers)
        )
    if isinstance(error, aiohttp.ClientConnectorError | aiohttp.ConnectionTimeoutError):
        return PlatformDown("Discord cannot be reached")
    return OutcomeUnknown(UNCLEAR)


def _seconds(headers: Mapping[str, Any]) -> float:
    try:
        return float(headers.get("Retry-After", 0))
    except ValueError:
        return 0.0
