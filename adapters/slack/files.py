"""A file that somebody uploaded to Slack, read with the bot's token.

https://docs.slack.dev/reference/objects/file-object: `url_private_download` is asked with the
token, which is given to Slack alone; it needs `files:read`. Without it Slack answers with a page.
"""

from urllib.parse import urlsplit

import aiohttp
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.errors import translated
from adapters.slack.web import TIMEOUT
from bot.model.concerns import MOST_MEGABYTES
from bot.model.ports import NoPermission
from digest.errors import UsageError
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
            body = bytearray()
            async for piece in answer.content.iter_chunked(1 << 16):
                body += piece
                if len(body) > MOST_MEGABYTES * 1_000_000:
                    raise UsageError(SAY.concerns.too_large(name, MOST_MEGABYTES))
    except (TimeoutError, aiohttp.ClientError) as error:
        raise translated(error) from error
    try:
        return body.decode()
    except UnicodeDecodeError as error:
        raise UsageError(SAY.concerns.not_text(name)) from error


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
