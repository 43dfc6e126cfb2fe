"""Discord's errors in the bot's words, each with the sentence that says what to do.

Codes: https://discord.com/developers/docs/topics/opcodes-and-status-codes. A status of 5xx leaves
open whether it was done. Which permission is missing Discord does not say; the caller knows.
"""

from collections.abc import Mapping
from types import MappingProxyType

import aiohttp
import discord

from adapters.discord.permissions import EMBED_LINKS, VIEW_CHANNEL, Permission, named
from adapters.operations.retry import seconds_of
from bot.model.ports import (
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
from digest.phrase import Phrase
from digest.wording.phrases import SAY

RETRY_AFTER = 60.0
"""Seconds to wait where Discord limits without saying how long."""


class ThreadExists(PublishError):
    """The message has its thread already."""


class ThreadArchived(PublishError):
    """The thread sleeps: it is to be woken first."""


class Published(PublishError):
    """The message is published already."""


class Acknowledged(PublishError):
    """The interaction was answered already."""


class MissingPermission(NoPermission):
    """Something is not allowed here; which it is, Discord does not say."""


class UnknownChannel(ChannelGone):
    """No such channel or thread."""


_SENTENCES: Mapping[int, tuple[type[PublishError], Phrase]] = MappingProxyType(
    {
        10003: (UnknownChannel, SAY.discord.gone),
        10004: (ChannelGone, SAY.discord.not_on_server),
        10008: (MessageGone, SAY.discord.message_gone),
        50005: (MessageGone, SAY.discord.message_gone),
        50007: (NoPermission, SAY.discord.no_messages),
        50008: (NoPermission, SAY.discord.not_text),
        50024: (NoPermission, SAY.discord.not_text),
        50083: (ThreadArchived, SAY.discord.thread_archived),
        40033: (Published, SAY.discord.not_taken),
        40060: (Acknowledged, SAY.discord.not_taken),
        40067: (NoPermission, SAY.discord.tag_needed("digest")),
        160004: (ThreadExists, SAY.discord.has_thread),
        160005: (NoPermission, SAY.discord.locked),
        160006: (NoPermission, SAY.discord.many_threads),
        **dict.fromkeys((40005, 50035, 200000), (Refused, SAY.discord.not_taken)),
    }
)
_LIMITS = frozenset({20016, 20022, 20028, 20029, 30046, 40062})
"""Write limits and slow mode, which come with other statuses than 429."""

_REFUSALS = frozenset({400, 403, 404, 413})
"""Statuses that come from an edge or a proxy where they are a page; Discord's own are JSON."""

MISSING_ACCESS = 50001

INTERACTION_OVER = 50027
"""The token of an interaction counts no more; Discord says so with 401, as of the bot's token."""

EMPTY_MESSAGE = 50006
"""Said of a message whose embeds were taken out, since they are not allowed."""


def failure(
    status: int, code: int = 0, *, needs: Permission | None = None, retry_after: float = 0.0
) -> PublishError:
    """Return the error for what Discord answered; `needs` is what the call asks for."""
    if code == INTERACTION_OVER:
        return MessageGone(SAY.discord.message_gone)
    if status == 401:
        return TokenRevoked(SAY.discord.token)
    if status == 429 or code in _LIMITS:
        return Limited(SAY.discord.limited, max(retry_after, 1.0) if retry_after else RETRY_AFTER)
    if status >= 500:
        return OutcomeUnknown(SAY.discord.half_done)
    if code in _SENTENCES:
        kind, sentence = _SENTENCES[code]
        return kind(sentence)
    if code == EMPTY_MESSAGE:
        return MissingPermission(SAY.discord.lacks(named(EMBED_LINKS)))
    match status:
        case 403:
            missing = VIEW_CHANNEL if code == MISSING_ACCESS or needs is None else needs
            return MissingPermission(SAY.discord.lacks(named(missing)))
        case 404:
            return MessageGone(SAY.discord.message_gone)
        case 400 | 413:
            return Refused(SAY.discord.not_taken)
    # Named by no document: tried again, and given up after days.
    return PlatformDown(SAY.discord.refuses(status))


def page_of(status: int, retry_after: float = 0.0) -> PublishError:
    """Return the error for an answer that is no JSON: of what stands before Discord."""
    if status in _REFUSALS:
        return PlatformDown(SAY.discord.stopped(status))
    return failure(status, retry_after=retry_after)


def translated(error: Exception, needs: Permission | None = None) -> PublishError:
    """Return the error for what went wrong while Discord was asked through its library."""
    if isinstance(error, discord.LoginFailure):
        return TokenRevoked(SAY.discord.token)
    if isinstance(error, discord.RateLimited):
        return Limited(SAY.discord.limited, max(error.retry_after, 1.0))
    if isinstance(error, discord.HTTPException):
        headers = error.response.headers
        if headers.get("Content-Type", "").startswith("text/") and error.status in _REFUSALS:
            return page_of(error.status)
        return failure(
            error.status,
            error.code,
            needs=needs,
            retry_after=seconds_of(headers.get("Retry-After", ""), 0.0),
        )
    if isinstance(error, aiohttp.ClientConnectorError | aiohttp.ConnectionTimeoutError):
        return PlatformDown(SAY.discord.not_reached)
    return OutcomeUnknown(SAY.discord.unclear)
