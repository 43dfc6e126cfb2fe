"""A file that somebody uploaded to Slack, read with the bot's token.

https://docs.slack.dev/reference/objects/file-object: `url_private_download` is asked with the
token, which is given to Slack alone; it needs `files:read`. Without it Slack answers with a page.
"""

from urllib.parse import urlsplit

import aiohttp
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.errors import translated
from adapters.slack.web import TIMEOUT
from adapters.web.text_file import text_of
from bot.model.ports import NoPermission
from digest.wording.phrases import SAY

SLACK = "slack.com"
SCOPE = "files:read"


async def uploaded(web: AsyncWebClient, url: str, name: str) -> str:
    """Give the text of an uploaded file; raises `PublishError` and `UsageError`."""
    if not _is_slack(url, web.base_url):
        raise NoPermission(SAY.slack.scope_named(SCOPE))
    timeout = aiohttp.ClientTimeout(total=TIMEOUT)
    try:
        async with (
            aiohttp.ClientSession(trust_env=True, timeout=timeout) as session,
            session.get(
                url, headers={"Authorization": f"Bearer {web.token}"}, allow_redirects=False
            ) as answer,
        ):
            if answer.status != 200 or answer.content_type == "text/html":
                raise NoPermission(SAY.slack.scope_named(SCOPE))
            return await text_of(answer, name)
    except (TimeoutError, aiohttp.ClientError) as error:
        raise translated(error) from error


def _is_slack(url: str, api: str) -> bool:
    """Tell whether an address is of Slack, or of the server that stands for it in tests."""
    try:
        asked, known = urlsplit(url), urlsplit(api)
        host = asked.hostname or ""
        if asked[:2] == known[:2]:
            return True
        return asked.scheme == "https" and (host == SLACK or host.endswith(f".{SLACK}"))
    except ValueError:
        return False
