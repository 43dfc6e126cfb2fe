"""Who is in a channel of Slack."""

from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.web import asked

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
