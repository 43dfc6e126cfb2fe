"""Slack's errors in the bot's words, each with the sentence that says what to do.

Codes: the error tables of https://docs.slack.dev/reference/methods/chat.postMessage and of the
other methods that are called. What Slack says of itself (`internal_error`, `fatal_error`, any 5xx)
leaves open whether it was done: "some aspect of the operation" may have succeeded.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeAlias

import aiohttp
from slack_sdk.errors import SlackApiError

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

Failure: TypeAlias = type[ChannelGone | NoPermission | TokenRevoked | MessageGone | Refused]


class MissingScope(NoPermission):
    """The app lacks a right, in whichever channel."""


RETRY_AFTER = 30.0
"""Seconds to wait where Slack limits without saying how long: that of the slowest tier is 60."""

TOKEN = Phrase(
    "Slack refuses the bot's token: an admin installs the app again and sets SLACK_BOT_TOKEN "
    "to the new one",
    zh="Slack 拒绝了机器人的令牌：请管理员重新安装应用，并更新 SLACK_BOT_TOKEN",
)
GONE = Phrase(
    "Slack shows the bot no such channel: if it is a private one, type /invite @Infra there, "
    "else subscribe in another channel",
    zh="Slack 没有向机器人显示该频道：若是私有频道，请在其中输入 /invite @Infra，"
    "否则请在其他频道订阅",
)
ARCHIVED = Phrase(
    "the channel is archived: unarchive it, or subscribe in another channel",
    zh="频道已归档：请取消归档，或在其他频道订阅",
)
NOT_IN = Phrase(
    "the bot is not in this channel: type /invite @Infra there",
    zh="机器人不在该频道中：请在其中输入 /invite @Infra",
)
MAY_NOT_POST = Phrase(
    "this workspace does not let the bot post here: an admin allows it in the channel's "
    "posting permissions",
    zh="工作区不允许机器人在此发言：请管理员在频道的发言权限中允许",
)
SCOPE = Phrase(
    "the Slack app lacks a right: an admin compares its scopes with `infra slack manifest` and "
    "installs it again",
    zh="Slack 应用缺少权限：请管理员对照 `infra slack manifest` 的权限重新安装",
)
SCOPE_NAMED = Phrase(f"{SCOPE} (missing: {{needed}})", zh=f"{SCOPE.zh}（缺少 {{needed}}）")
UNKNOWN = Phrase(
    "Slack refuses with {code}: an admin looks at the app",
    zh="Slack 以 {code} 拒绝：请管理员查看该应用",
)
MESSAGE_GONE = Phrase("the message does not exist any more", zh="该消息已不存在")
TOO_LONG = Phrase("Slack takes no message as long as this one", zh="Slack 不接受这么长的消息")
UNCLEAR = Phrase("Slack did not answer, or not as it should", zh="Slack 没有回答，或回答有误")
NO_NAME = Phrase(
    "Slack took a message and did not say which it is", zh="Slack 接受了消息，但未说明是哪一条"
)
TOO_LATE = Phrase(
    "the answer came too late for Slack: ask again", zh="回答对 Slack 来说太迟：请再问一次"
)
NOT_TAKEN = Phrase(
    "Slack does not take this message as it is drawn", zh="Slack 不接受这条消息的格式"
)
LIMITED = Phrase("Slack takes no more messages for a while", zh="Slack 暂时不再接受消息")
HALF_DONE = Phrase(
    "Slack failed and does not say whether it was done", zh="Slack 出错，未说明是否已完成"
)
NOT_REACHED = Phrase("Slack cannot be reached", zh="无法连接 Slack")
STOPPED = Phrase(
    "something before Slack refuses with status {status}", zh="Slack 之前的某处以状态 {status} 拒绝"
)

FAILURES: Mapping[str, tuple[Failure, Phrase]] = MappingProxyType(
    {
        **dict.fromkeys(
            (
                *("not_authed", "invalid_auth", "account_inactive", "token_revoked"),
                *("token_expired", "org_login_required", "team_access_not_granted"),
            ),
            (TokenRevoked, TOKEN),
        ),
        **dict.fromkeys(("channel_not_found", "user_not_found"), (ChannelGone, GONE)),
        "is_archived": (ChannelGone, ARCHIVED),
        **dict.fromkeys(("not_in_channel", "user_not_in_channel"), (NoPermission, NOT_IN)),
        **dict.fromkeys(
            (
                *("restricted_action", "restricted_action_read_only_channel"),
                *("restricted_action_thread_only_channel", "restricted_action_thread_locked"),
                *("restricted_action_non_threadable_channel", "user_is_restricted"),
                *("messages_tab_disabled", "ekm_access_denied", "cannot_dm_bot"),
            ),
            (NoPermission, MAY_NOT_POST),
        ),
        **dict.fromkeys(
            ("missing_scope", "not_allowed_token_type", "no_permission", "access_denied"),
            (MissingScope, SCOPE),
        ),
        **dict.fromkeys(
            (
                *("message_not_found", "thread_not_found", "cannot_reply_to_message"),
                *("cant_delete_message", "cant_update_message", "edit_window_closed"),
            ),
            (MessageGone, MESSAGE_GONE),
        ),
        **dict.fromkeys(("msg_too_long", "msg_blocks_too_long"), (Refused, TOO_LONG)),
        **dict.fromkeys(
            (
                *("invalid_blocks", "invalid_blocks_format", "no_text", "invalid_arguments"),
                *("invalid_metadata_format", "invalid_metadata_schema", "metadata_too_large"),
                *("invalid_attachments", "too_many_attachments", "invalid_json", "invalid_charset"),
            ),
            (Refused, NOT_TAKEN),
        ),
    }
)

LIMITS = frozenset({"ratelimited", "rate_limited", "message_limit_exceeded"})
ITS_OWN = frozenset({"internal_error", "fatal_error", "service_unavailable", "request_timeout"})
"""Slack failed, and does not say how far it had come."""


def failure(
    code: str, *, status: int = 200, needed: str = "", retry_after: str = ""
) -> PublishError:
    """Give the error for what Slack answered: its `error`, the HTTP status, the scope `needed`."""
    if code in LIMITS or status == 429:
        return Limited(LIMITED, _seconds(retry_after))
    if code in ITS_OWN or status >= 500:
        return OutcomeUnknown(HALF_DONE)
    if not code and status >= 400:  # Slack itself names every refusal, with status 200
        return PlatformDown(STOPPED, status=status)
    if not code:  # no answer of Slack's: what stands between may have given it after Slack's own
        return OutcomeUnknown(UNCLEAR)
    if code not in FAILURES:
        name = "".join(char for char in code[:60] if char.isalnum() or char == "_")
        # Named by no table: a new one of Slack's. Tried again, and given up after days.
        return PlatformDown(UNKNOWN, code=name or f"status {status}")
    kind, sentence = FAILURES[code]
    if code == "missing_scope" and needed:
        return kind(SCOPE_NAMED, needed=needed[:200])
    return kind(sentence)


def translated(error: SlackApiError | aiohttp.ClientError | TimeoutError) -> PublishError:
    """Give the error for what went wrong while Slack was asked."""
    if isinstance(error, SlackApiError):
        response = error.response
        answer = response if isinstance(response, Mapping) else getattr(response, "data", None)
        said: Mapping[str, object] = answer if isinstance(answer, Mapping) else {}
        headers = getattr(response, "headers", None) or {}
        status = int(getattr(response, "status_code", 0) or getattr(response, "status", 200))
        own = "ok" in said  # in every answer of Slack's
        return failure(
            str(said.get("error", "")) if own else "",
            status=status,
            needed=str(said.get("needed", "")),
            retry_after=str(headers.get("Retry-After", "")),
        )
    if isinstance(error, aiohttp.ClientConnectorError | aiohttp.ConnectionTimeoutError):
        return PlatformDown(NOT_REACHED)
    return OutcomeUnknown(UNCLEAR)


def _seconds(text: str) -> float:
    try:
        return max(float(text), 1.0) if text else RETRY_AFTER
    except ValueError:
        return RETRY_AFTER
