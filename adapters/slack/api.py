"""Slack's Web API: one place where it is called, and its failures get the bot's words.

Codes: the error tables of https://docs.slack.dev/reference/methods/chat.postMessage and of the
other methods that are called. What Slack says of itself (`internal_error`, `fatal_error`, any 5xx)
leaves open whether it was done: "some aspect of the operation" may have succeeded.
"""

import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, TypeAlias

import aiohttp
import structlog
from cachetools import TTLCache
from slack_sdk.errors import SlackApiError, SlackRequestError
from slack_sdk.http_retry.builtin_async_handlers import AsyncRateLimitErrorRetryHandler
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.webhook.async_client import AsyncWebhookClient

from adapters.operations.retry import seconds_of
from bot.answer.channel_answers import language_of
from bot.model.channels import Person, Platform
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
from digest.languages import Language
from digest.phrase import Phrase
from digest.ports import Clock
from digest.wording.phrases import SAY

SLACK_API = "https://slack.com/api/"
TIMEOUT = 20
"""Seconds for one call, after which its outcome is looked for."""

RETRY_AFTER = 30.0
"""Seconds to wait where Slack limits without saying how long: that of the slowest tier is 60."""

NO_PREVIEWS: dict[str, Any] = {"unfurl_links": False, "unfurl_media": False}
"""https://docs.slack.dev/messaging/unfurling-links-in-messages"""

DIRECT = "D"
"""How the id of a conversation of two begins."""

log = structlog.get_logger()

Failure: TypeAlias = type[ChannelGone | NoPermission | TokenRevoked | MessageGone | Refused]


class MissingScope(NoPermission):
    """The app lacks a right, in whichever channel."""


_REFUSALS: tuple[tuple[Failure, Phrase, str], ...] = (
    (
        TokenRevoked,
        SAY.slack.token,
        "not_authed invalid_auth account_inactive token_revoked token_expired org_login_required "
        "team_access_not_granted",
    ),
    (ChannelGone, SAY.slack.gone, "channel_not_found user_not_found"),
    (ChannelGone, SAY.slack.archived, "is_archived"),
    (NoPermission, SAY.slack.not_in, "not_in_channel user_not_in_channel"),
    (
        NoPermission,
        SAY.slack.may_not_post,
        "restricted_action restricted_action_read_only_channel restricted_action_thread_locked "
        "restricted_action_thread_only_channel restricted_action_non_threadable_channel "
        "user_is_restricted messages_tab_disabled ekm_access_denied cannot_dm_bot user_disabled "
        "user_not_visible",
    ),
    (
        MissingScope,
        SAY.slack.scope,
        "missing_scope not_allowed_token_type no_permission access_denied",
    ),
    (
        MessageGone,
        SAY.slack.message_gone,
        "message_not_found thread_not_found cannot_reply_to_message cant_delete_message "
        "cant_update_message edit_window_closed",
    ),
    (Refused, SAY.slack.too_long, "msg_too_long msg_blocks_too_long"),
    (
        Refused,
        SAY.slack.not_taken,
        "invalid_blocks invalid_blocks_format no_text invalid_arguments invalid_metadata_format "
        "invalid_metadata_schema metadata_too_large invalid_attachments too_many_attachments "
        "invalid_json invalid_charset",
    ),
)
FAILURES = {code: (kind, why) for kind, why, codes in _REFUSALS for code in codes.split()}
LIMITS = ("ratelimited", "rate_limited", "message_limit_exceeded")
ITS_OWN = ("internal_error", "fatal_error", "service_unavailable", "request_timeout")
"""Slack failed, and does not say how far it had come."""


def failure(
    code: str, *, status: int = 200, needed: str = "", retry_after: str = ""
) -> PublishError:
    """Return the error for what Slack answered: its `error`, the status, the scope `needed`."""
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
        return failure(
            str(body.get("error", "")) if "ok" in body else "",  # it is in every answer of Slack's
            status=int(getattr(response, "status_code", 0) or getattr(response, "status", 200)),
            needed=str(body.get("needed", "")),
            retry_after=str(headers.get("Retry-After", "")),
        )
    if isinstance(error, aiohttp.ClientConnectorError | aiohttp.ConnectionTimeoutError):
        return PlatformDown(SAY.slack.not_reached)
    return OutcomeUnknown(SAY.slack.unclear)


async def answered(call: Awaitable[Any]) -> Any:
    """Await a call of the SDK; raises `PublishError` for everything that can go wrong in it."""
    try:
        return await call
    except (SlackApiError, aiohttp.ClientError, TimeoutError) as error:
        raise translated(error) from error
    except (SlackRequestError, AttributeError, ValueError) as error:
        # What a proxy answers with status 200 in plain text or broken bytes, the SDK stumbles over;
        # a file that was not taken it names by its status alone.
        raise OutcomeUnknown(SAY.slack.unclear) from error


async def pages(call: Awaitable[Any]) -> AsyncIterator[Any]:
    """Yield the pages of a list, each asked for when it is wanted; raises `PublishError`."""
    found = aiter(await answered(call))
    with contextlib.suppress(StopAsyncIteration):
        while True:
            yield await answered(anext(found))


def has_more(page: Any) -> bool:
    """Return whether another page follows: https://docs.slack.dev/apis/web-api/pagination."""
    return bool((page.get("response_metadata") or {}).get("next_cursor"))


def sdk_log() -> logging.Logger:
    """Return the log of Slack's SDK: its errors alone, never a payload."""
    logger = logging.getLogger("infra.slack.sdk")
    logger.setLevel(logging.ERROR)
    return logger


def web_client(
    token: str = "", api_url: str = SLACK_API, *, waits_for_limits: bool = False
) -> AsyncWebClient:
    """Make a client that never sends anything twice: whoever posts decides when to post again.

    The SDK's own choice asks again after a dropped connection, which posts a message twice.
    """
    handlers = [AsyncRateLimitErrorRetryHandler(max_retry_count=1)] if waits_for_limits else []
    return AsyncWebClient(
        token=token or None,
        base_url=api_url,
        timeout=TIMEOUT,
        retry_handlers=[*handlers],
        logger=sdk_log(),
    )


def keep_alive_session() -> aiohttp.ClientSession:
    """Open what keeps connections for many calls; left to itself, the SDK opens one for each."""
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0),
        cookie_jar=aiohttp.DummyCookieJar(),
        timeout=aiohttp.ClientTimeout(total=TIMEOUT),
    )


async def respond(url: str, body: Mapping[str, Any]) -> None:
    """Answer by a `response_url`: five times within half an hour.

    https://docs.slack.dev/interactivity/handling-user-interaction; raises `PublishError`, and
    `MessageGone` for an address that is used up.
    """
    hook = AsyncWebhookClient(url, timeout=TIMEOUT, retry_handlers=[], logger=sdk_log())
    answer = await answered(hook.send_dict(dict(body)))
    if answer.status_code == 429:
        wait = {key.casefold(): value for key, value in answer.headers.items()}.get("retry-after")
        raise Limited(SAY.slack.limited, seconds_of(str(wait), 1.0))
    if answer.status_code >= 500:
        raise OutcomeUnknown(SAY.slack.half_done)
    if answer.status_code != 200 or answer.body.strip() not in ("ok", "", '{"ok":true}'):
        raise MessageGone(SAY.slack.too_late)


async def show_alone(
    web: AsyncWebClient,
    channel: str,
    person: str,
    body: Mapping[str, Any],
    *,
    thread: str | None = None,
) -> None:
    """Show a message to one person alone, in a channel or thread; raises `PublishError`."""
    # https://docs.slack.dev/reference/methods/chat.postEphemeral
    call = web.chat_postEphemeral(channel=channel, user=person, thread_ts=thread or None, **body)
    await answered(call)


async def tell_directly(web: AsyncWebClient, person: str, body: Mapping[str, Any]) -> None:
    """Tell a person in their direct messages with the bot; raises `PublishError`.

    A person's id in place of a channel's: https://docs.slack.dev/reference/methods/chat.postMessage
    """
    await answered(web.chat_postMessage(channel=person, **NO_PREVIEWS, **body))


@dataclass(frozen=True, slots=True)
class Identity:
    """Who the bot is: the workspace of its token, its user and its bot id.

    `enterprise` is the organisation that the workspace belongs to, empty for none.
    """

    team: str
    user: str
    bot: str
    enterprise: str = ""


MEMBERS_PAGE = 1_000
"""https://docs.slack.dev/reference/methods/conversations.members: at most 1,000 at a time."""
MEMBERS_PAGES = 20


async def members_of(web: AsyncWebClient, channel: str) -> frozenset[str] | None:
    """Return everybody in a channel, or None for a channel too large to be looked through.

    Raises `PublishError`.
    """
    members: set[str] = set()
    number = 0
    async for page in pages(web.conversations_members(channel=channel, limit=MEMBERS_PAGE)):
        members.update(page.get("members") or ())
        number += 1
        if number == MEMBERS_PAGES and has_more(page):
            return None
    return frozenset(members)


GUEST = ("is_restricted", "is_ultra_restricted", "is_stranger", "deleted")
"""Of a user object: https://docs.slack.dev/reference/objects/user-object"""


def is_stranger(user: Mapping[str, Any], own: Identity) -> bool:
    """Return whether somebody is a guest, left, or is of another organisation, or does not say.

    In an organisation of several workspaces people may belong to another one of them:
    https://docs.slack.dev/enterprise/developing-for-enterprise-orgs
    """
    if any(user.get(key) for key in GUEST):
        return True
    of = user.get("enterprise_user") or {}
    if own.enterprise and of.get("enterprise_id") == own.enterprise:
        return False
    return user.get("team_id") != own.team


PERSON_CACHED = timedelta(hours=1)
MEMBERS_CACHED = timedelta(minutes=10)
MOST_CACHED = 5_000


class People:
    """The people of one workspace, asked for once in a while; `groups` are those settings name."""

    def __init__(
        self,
        web: AsyncWebClient,
        identity: Identity,
        clock: Clock,
        groups: frozenset[str] = frozenset(),
    ) -> None:
        self._web = web
        self._identity = identity
        self._named_groups = sorted(groups)
        self._people: TTLCache[str, Person, datetime]
        self._people = TTLCache(MOST_CACHED, PERSON_CACHED, timer=clock)
        # Of channels and user groups; None for one too large to be looked through.
        self._members: TTLCache[str, frozenset[str] | None, datetime]
        self._members = TTLCache(MOST_CACHED, MEMBERS_CACHED, timer=clock)

    async def person(self, user: str, name: str = "") -> Person:
        """Return a person with zone, language and rights; only the `name` if Slack fails."""
        # https://docs.slack.dev/reference/methods/users.info
        known = self._people.get(user)
        if known is None:
            try:
                answer = await answered(self._web.users_info(user=user, include_locale=True))
            except PublishError as error:
                log.warning("person not known", person=user, reason=str(error))
                team = self._identity.team
                return Person(Platform.SLACK, team, user, name or user, is_stranger=True)
            known = person_from(answer.get("user") or {}, user, self._identity, name)
            self._people[user] = known
        groups = {group for group in self._named_groups if user in await self._in_group(group)}
        return replace(known, groups=frozenset(groups))

    async def _in_group(self, group: str) -> frozenset[str]:
        """Return who is in a user group; one that cannot be looked up has nobody."""
        # https://docs.slack.dev/reference/methods/usergroups.users.list
        members = self._members.get(group)
        if members is None:
            try:
                answer = await answered(self._web.usergroups_users_list(usergroup=group))
            except PublishError as error:
                log.warning("user group not known", group=group, reason=str(error))
                return frozenset()
            members = self._members[group] = frozenset(map(str, answer.get("users") or ()))
        return members

    def language(self, user: str) -> Language:
        """Return the language of a person as far as it is known."""
        known = self._people.get(user)
        return (known and language_of(known)) or Language.EN

    async def is_member(self, user: str, channel: str, *, unless_known: bool = True) -> bool:
        """Return whether a person is in a channel; whoever is in a direct message is.

        `unless_known` is what is told where Slack does not answer. In a channel too large to be
        looked through, everybody is taken to be a member. Somebody who is not among those
        remembered may just have joined, and is looked for again.
        """
        if channel.startswith(DIRECT):
            return True
        known = self._members.get(channel, frozenset())
        if known is None or user in known:
            return True
        try:
            members = self._members[channel] = await members_of(self._web, channel)
        except PublishError as error:
            log.warning("members not known", channel=channel, reason=str(error))
            return unless_known
        return members is None or user in members


def person_from(user: Mapping[str, Any], id: str, own: Identity, name: str = "") -> Person:
    """Read a user object: https://docs.slack.dev/reference/objects/user-object.

    Workflows and Slackbot count as bots. Guests, and people of other workspaces that are not of the
    same organisation, count as strangers, as does who does not say where they belong.
    """
    profile = user.get("profile") or {}
    shown = profile.get("display_name") or profile.get("real_name") or user.get("name")
    stranger = is_stranger(user, own)
    is_admin = any(user.get(key) for key in ("is_admin", "is_owner", "is_primary_owner"))
    return Person(
        Platform.SLACK,
        own.team,
        id,
        str(shown or name or id),
        tz=str(user["tz"]) if user.get("tz") else None,
        language=str(user.get("locale") or "").partition("-")[0].casefold() or None,
        is_bot=bool(user.get("is_bot") or user.get("is_workflow_bot") or id == "USLACKBOT"),
        may_manage=is_admin and not stranger,
        is_stranger=stranger,
    )
