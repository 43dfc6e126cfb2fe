"""Tries what a Slack app is known by; nothing is posted, and no socket is opened."""

from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.app import SlackKeys
from adapters.slack.client import SlackPublisher
from adapters.slack.web import TIMEOUT, asked, sdk_log
from bot.model.ports import NoPermission, TokenRevoked
from digest.errors import BadToken, ConfigurationError
from digest.wording.phrases import SAY


async def tried(keys: SlackKeys) -> str:
    """Say whose the tokens are and how Slack is heard.

    Raises `BadToken`, `PublishError`, and `ConfigurationError` where Slack could not be heard.
    """
    team = (await SlackPublisher(keys.bot_token, api_url=keys.api_url).identity()).team
    if not keys.by_socket and not keys.signing_secret:
        raise ConfigurationError(SAY.slack.no_way_to_hear)
    if not keys.by_socket:
        return f"the token is workspace {team}'s; heard by HTTP, for which the web process runs"
    client = AsyncWebClient(base_url=keys.api_url, timeout=TIMEOUT, logger=sdk_log())
    try:
        # https://docs.slack.dev/reference/methods/apps.connections.open gives an address alone.
        await asked(client.apps_connections_open(app_token=keys.app_token))
    except (TokenRevoked, NoPermission) as error:
        raise BadToken(SAY.slack.bad_app_token) from error
    return f"the token is workspace {team}'s; heard by Socket Mode"
