"""Discord's errors in the bot's words, each with the sentence that says what to do.

Codes: https://discord.com/developers/docs/topics/opcodes-and-status-codes. A status of 5xx leaves
open whether it was done. Which permission is missing Discord does not say; the caller knows.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import aiohttp
import discord

from adapters.discord.permissions import EMBED_LINKS, VIEW_CHANNEL, Permission, named
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
from digest.errors import Phrase

RETRY_AFTER = 60.0
"""Seconds to wait where Discord limits without saying how long."""

TOKEN = Phrase(
    "Discord refuses the bot's token: reset it in the Developer Portal under Bot, and set "
    "DISCORD_TOKEN to the new one",
    zh="Discord 拒绝了机器人的令牌：请在 Developer Portal 的 Bot 页重置，并更新 DISCORD_TOKEN",
)
GONE = Phrase(
    "Discord shows the bot no such channel: subscribe in another channel",
    zh="Discord 没有向机器人显示该频道：请在其他频道订阅",
)
NOT_ON_SERVER = Phrase(
    "the bot is not on this server any more: invite it again with the link of infra discord invite",
    zh="机器人已不在该服务器：请用 infra discord invite 给出的链接重新邀请",
)
MAY_NOT = Phrase(
    "the bot lacks {names} in this channel: give it that under Edit Channel, Permissions",
    zh="机器人在该频道缺少权限 {names}：请在“编辑频道”的“权限”中授予",
)
LOCKED = Phrase(
    "the thread is locked: a moderator unlocks it", zh="讨论串（子区）已锁定：请版主解锁"
)
MANY_THREADS = Phrase(
    "this server has as many active threads as it can: close some",
    zh="该服务器的活跃讨论串（子区）已达上限：请关闭一些",
)
NOT_TEXT = Phrase(
    "such a channel takes no morning threads: subscribe in a text channel",
    zh="这类频道不能接收晨报：请在文字频道中订阅",
)
NO_MESSAGES = Phrase(
    "this person takes no direct messages from the bot", zh="此人不接收机器人的私信"
)
MESSAGE_GONE = Phrase(
    "the message or its thread does not exist any more", zh="该消息或其讨论串已不存在"
)
ASLEEP = Phrase("the thread is archived", zh="讨论串（子区）已归档")
HAS_THREAD = Phrase("the message has a thread", zh="该消息已有讨论串")
NOT_TAKEN = Phrase(
    "Discord does not take this message as it is drawn", zh="Discord 不接受这条消息的格式"
)
LIMITED = Phrase("Discord takes no more for a while", zh="Discord 暂时不再接受请求")
UNCLEAR = Phrase("Discord did not answer, or not as it should", zh="Discord 没有回答，或回答有误")
NO_NAME = Phrase(
    "Discord took a message and did not say which it is", zh="Discord 接受了消息，但未说明是哪一条"
)
HALF_DONE = Phrase(
    "Discord failed and does not say whether it was done", zh="Discord 出错，未说明是否已完成"
)
NOT_REACHED = Phrase("Discord cannot be reached", zh="无法连接 Discord")
STOPPED = Phrase(
    "something before Discord refuses with status {status}",
    zh="Discord 之前的某处以状态 {status} 拒绝",
)
UNKNOWN = Phrase(
    "Discord refuses with status {status}: an admin looks at the app",
    zh="Discord 以状态 {status} 拒绝：请管理员查看该应用",
)


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

_SENTENCES: Mapping[int, tuple[type[PublishError], Phrase]] = MappingProxyType(
    {
        UNKNOWN_CHANNEL: (UnknownChannel, GONE),
        10004: (ChannelGone, NOT_ON_SERVER),
        10008: (MessageGone, MESSAGE_GONE),
        50005: (MessageGone, MESSAGE_GONE),
        50007: (NoPermission, NO_MESSAGES),
        50008: (NoPermission, NOT_TEXT),
        50024: (NoPermission, NOT_TEXT),
        50083: (ThreadArchived, ASLEEP),
        160004: (ThreadExists, HAS_THREAD),
        160005: (NoPermission, LOCKED),
        160006: (NoPermission, MANY_THREADS),
        **dict.fromkeys((40005, 50035, 200000), (Refused, NOT_TAKEN)),
    }
)
_LIMITS = frozenset({20016, 20022, 20028, 20029, 30046, 40062})
"""Write limits and slow mode, which come with other statuses than 429."""

_REFUSALS = frozenset({400, 403, 404, 413})
"""Statuses that come from an edge or a proxy where they are a page; Discord's own are JSON."""

MISSING_ACCESS = 50001

EMPTY_MESSAGE = 50006
"""Said of a message whose embeds were taken out, since they are not allowed."""


def failure(
    status: int, code: int = 0, *, needs: Permission | None = None, retry_after: float = 0.0
) -> PublishError:
    """Give the error for what Discord answered; `needs` is what the call asks for."""
    if status == 401:
        return TokenRevoked(TOKEN)
    if status == 429 or code in _LIMITS:
        return Limited(LIMITED, max(retry_after, 1.0) if retry_after else RETRY_AFTER)
    if status >= 500:
        return OutcomeUnknown(HALF_DONE)
    if code in _SENTENCES:
        kind, sentence = _SENTENCES[code]
        return kind(sentence)
    if code == EMPTY_MESSAGE:
        return MissingPermission(MAY_NOT, names=named(EMBED_LINKS))
    match status:
        case 403:
            missing = VIEW_CHANNEL if code == MISSING_ACCESS or needs is None else needs
            return MissingPermission(MAY_NOT, names=named(missing))
        case 404:
            return MessageGone(MESSAGE_GONE)
        case 400 | 413:
            return Refused(NOT_TAKEN)
    # Named by no document: tried again, and given up after days.
    return PlatformDown(UNKNOWN, status=status)


def translated(error: Exception, needs: Permission | None = None) -> PublishError:
    """Give the error for what went wrong while Discord was asked through its library."""
    if isinstance(error, discord.LoginFailure):
        return TokenRevoked(TOKEN)
    if isinstance(error, discord.RateLimited):
        return Limited(LIMITED, max(error.retry_after, 1.0))
    if isinstance(error, discord.HTTPException):
        headers = error.response.headers
        if error.status in _REFUSALS and headers.get("Content-Type", "").startswith("text/"):
            return PlatformDown(STOPPED, status=error.status)
        return failure(error.status, error.code, needs=needs, retry_after=_seconds(headers))
    if isinstance(error, aiohttp.ClientConnectorError | aiohttp.ConnectionTimeoutError):
        return PlatformDown(NOT_REACHED)
    return OutcomeUnknown(UNCLEAR)


def _seconds(headers: Mapping[str, Any]) -> float:
    try:
        return float(headers.get("Retry-After", 0))
    except ValueError:
        return 0.0
