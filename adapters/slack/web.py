"""Slack's Web API: one place where it is called, paced, and its failures get the bot's words."""

import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Mapping
from dataclasses import dataclass
from typing import Any

import aiohttp
from slack_sdk.errors import SlackApiError, SlackRequestError
from slack_sdk.http_retry.builtin_async_handlers import AsyncRateLimitErrorRetryHandler
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.webhook.async_client import AsyncWebhookClient

from adapters.operations.retry import seconds_of
from adapters.slack.errors import translated
from bot.model.ports import Limited, MessageGone, OutcomeUnknown
from digest.wording.phrases import SAY

SLACK_API = "https://slack.com/api/"
TIMEOUT = 20
"""Seconds for one call, after which its outcome is looked for."""


def sdk_log() -> logging.Logger:
    """Return the log of Slack's SDK: its errors. Without a level it writes every call for nothing.

    Its warnings are of settings that it finds in the environment by itself and does not use.
    Payloads are only logged at the level of debugging, which is never set here.
    """
    logger = logging.getLogger("infra.slack.sdk")
    logger.setLevel(logging.ERROR)
    return logger


@dataclass(frozen=True, slots=True)
class Identity:
    """Who the bot is: the workspace of its token, its user and its bot id.

    `enterprise` is the organisation that the workspace belongs to, empty for none.
    """

    team: str
    user: str
    bot: str
    enterprise: str = ""


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
    """Return whether another page of a list follows, which need not be asked for to know it.

    https://docs.slack.dev/apis/web-api/pagination
    """
    return bool((page.get("response_metadata") or {}).get("next_cursor"))


def web_client(token: str, api_url: str = SLACK_API) -> AsyncWebClient:
    """Make a client that never sends anything twice: it only waits where Slack says for how long.

    The SDK's own choice asks again after a dropped connection, which posts a message twice.
    """
    handlers = [AsyncRateLimitErrorRetryHandler(max_retry_count=1)]
    return AsyncWebClient(
        token=token, base_url=api_url, timeout=TIMEOUT, retry_handlers=[*handlers], logger=sdk_log()
    )


def posting_client(token: str, api_url: str = SLACK_API) -> AsyncWebClient:
    """Make a client that asks once: whoever posts decides when to post again."""
    return AsyncWebClient(
        token=token, base_url=api_url, timeout=TIMEOUT, retry_handlers=[], logger=sdk_log()
    )


def keep_alive_session() -> aiohttp.ClientSession:
    """Open what keeps connections for many calls; left to itself, the SDK opens one for each.

    How many there are at a time is limited by who calls. Slack's cookies are left aside.
    """
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


GUEST = ("is_restricted", "is_ultra_restricted", "is_stranger", "deleted")
"""Of a user object: https://docs.slack.dev/reference/objects/user-object"""

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
