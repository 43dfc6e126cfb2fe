"""Who is in a channel of Slack, and who is a stranger: guests, who left, other organisations."""

from collections.abc import Mapping
from typing import Any

from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.web import Identity, asked

GUEST = ("is_restricted", "is_ultra_restricted", "is_stranger", "deleted")
"""Of a user object: https://docs.slack.dev/reference/objects/user-object"""

MEMBERS_PAGE = 1_000
"""https://docs.slack.dev/reference/methods/conversations.members: at most 1,000 at a time."""
MEMBERS_PAGES = 20


async def members_of(web: AsyncWebClient, channel: str) -> frozenset[str] | None:
    """Give everybody in a channel, or None for a channel too large to be looked through.

    Raises `PublishError`.
    """
    members: set[str] = set()
    cursor = ""
    for _ in range(MEMBERS_PAGES):
        page = await asked(
            web.conversations_members(channel=channel, limit=MEMBERS_PAGE, cursor=cursor or None)
        )
        members.update(page.get("members") or ())
        cursor = (page.get("response_metadata") or {}).get("next_cursor") or ""
        if not cursor:
            return frozenset(members)
    return None


def is_stranger(user: Mapping[str, Any], own: Identity) -> bool:
    """Tell whether somebody is a guest, left, or is of another organisation, or does not say.

    In an organisation of several workspaces people may belong to another one of them:
    https://docs.slack.dev/enterprise/developing-for-enterprise-orgs
    """
    if any(user.get(key) for key in GUEST):
        return True
    of = user.get("enterprise_user") or {}
    if own.enterprise and of.get("enterprise_id") == own.enterprise:
        return False
    return user.get("team_id") != own.team
