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

Failure: TypeAlias = type[ChannelGone | NoPermission | TokenRevoked | MessageGone | Refused]


class MissingScope(NoPermission):
    """The app lacks a right, in whichever channel."""


RETRY_AFTER = 30.0
"""Seconds to wait where Slack limits without saying how long: that of the slowest tier is 60."""


FAILURES: Mapping[str, tuple[Failure, Phrase]] = MappingProxyType(
    {
        **dict.fromkeys(
            (
                *("not_authed", "invalid_auth", "account_inactive", "token_revoked"),
                *("token_expired", "org_login_required", "team_access_not_granted"),
            ),
            (TokenRevoked, SAY.slack.token),
        ),
        **dict.fromkeys(("channel_not_found", "user_not_found"), (ChannelGone, SAY.slack.gone)),
        "is_archived": (ChannelGone, SAY.slack.archived),
        **dict.fromkeys(
            ("not_in_channel", "user_not_in_channel"), (NoPermission, SAY.slack.not_in)
        ),
        **dict.fromkeys(
            (
                *("restricted_action", "restricted_action_read_only_channel"),
                *("restricted_action_thread_only_channel", "restricted_action_thread_locked"),
                *("restricted_action_non_threadable_channel", "user_is_restricted"),
                *("messages_tab_disabled", "ekm_access_denied", "cannot_dm_bot"),
                *("user_disabled", "user_not_visible"),  # who left, of conversations.open
            ),
            (NoPermission, SAY.slack.may_not_post),
        ),
        **dict.fromkeys(
            ("missing_scope", "not_allowed_token_type", "no_permission", "access_denied"),
            (MissingScope, SAY.slack.scope),
        ),
        **dict.fromkeys(
            (
                *("message_not_found", "thread_not_found", "cannot_reply_to_message"),
                *("cant_delete_message", "cant_update_message", "edit_window_closed"),
            ),
            (MessageGone, SAY.slack.message_gone),
        ),
        **dict.fromkeys(("msg_too_long", "msg_blocks_too_long"), (Refused, SAY.slack.too_long)),
        **dict.fromkeys(
            (
                *("invalid_blocks", "invalid_blocks_format", "no_text", "invalid_arguments"),
                *("invalid_metadata_format", "invalid_metadata_schema", "metadata_too_large"),
                *("invalid_attachments", "too_many_attachments", "invalid_json", "invalid_charset"),
            ),
            (Refused, SAY.slack.not_taken),
        ),
    }
)

LIMITS = frozenset({"ratelimited", "rate_limited", "message_limit_exceeded"})
ITS_OWN = frozenset({"internal_error", "fatal_error", "service_unavailable", "request_timeout"})
"""Slack failed, and does not say how far it had come."""


def failure(
    code: str, *, status: int = 200, needed: str = "", retry_after: str = ""
) -> PublishError:
    """Return error for what Slack answered: its `error`, the HTTP status, the scope `needed`."""
    if code in LIMITS or status == 429:
        return Limited(SAY.slack.limited, seconds_of(retry_after, RETRY_AFTER))
    if code in ITS_OWN or status >= 500:
        return OutcomeUnknown(SAY.slack.half_done)
    if not code and status >= 400:  # Slack itself names every refusal, with status 200
        return PlatformDown(SAY.slack.stopped(status))
    if not code:  # no answer of Slack's: what stands between may have given it after Slack's own
        return OutcomeUnknown(SAY.slack.unclear)
    if code not in FAILURES:
        name = "".join(char for char in code[:60] if char.isalnum() or char == "_")
        # Named by no table: a new one of Slack's. Tried again, and given up after days.
        return PlatformDown(SAY.slack.refuses(name or f"status {status}"))
    kind, sentence = FAILURES[code]
    if code == "missing_scope" and needed:
        return kind(SAY.slack.scope_named(needed[:200]))
    return kind(sentence)


def translated(error: SlackApiError | aiohttp.ClientError | TimeoutError) -> PublishError:
    """Return the error for what went wrong while Slack was asked."""
    if isinstance(error, SlackApiError):
        response = error.response
        answer = response if isinstance(response, Mapping) else getattr(response, "data", None)
        body: Mapping[str, object] = answer if isinstance(answer, Mapping) else {}
        headers = getattr(response, "headers", None) or {}
        status = int(getattr(response, "status_code", 0) or getattr(response, "status", 200))
        own = "ok" in body  # in every answer of Slack's
        return failure(
            str(body.get("error", "")) if own else "",
            status=status,
            needed=str(body.get("needed", "")),
            retry_after=str(headers.get("Retry-After", "")),
        )
    if isinstance(error, aiohttp.ClientConnectorError | aiohttp.ConnectionTimeoutError):
        return PlatformDown(SAY.slack.not_reached)
    return OutcomeUnknown(SAY.slack.unclear)
