"""Tries the tokens of the platforms that are set up: each answers who the bot is."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from bot.model.channels import Platform
from bot.model.ports import TokenRevoked
from bot.settings import Settings
from digest.errors import BadToken, InfraError


@dataclass(frozen=True, slots=True)
class TokenCheck:
    """How it went with one platform: an exit status, and one sentence."""

    platform: Platform
    status: int
    sentence: str


async def platforms_tried(settings: Settings) -> tuple[TokenCheck, ...]:
    """Try each platform that has a token; nothing is posted, and no error is raised."""
    trials: tuple[tuple[Platform, str, Callable[[Settings], Awaitable[str]]], ...] = (
        (Platform.SLACK, settings.slack_bot_token.get_secret_value(), _slack),
        (Platform.DISCORD, settings.discord_token.get_secret_value(), _discord),
    )
    return tuple([await _tried(name, trial, settings) for name, token, trial in trials if token])


async def _tried(
    platform: Platform, trial: Callable[[Settings], Awaitable[str]], settings: Settings
) -> TokenCheck:
    try:
        return TokenCheck(platform, 0, await trial(settings))
    except TokenRevoked as error:
        return TokenCheck(platform, BadToken.exit_status, str(error))
    except InfraError as error:
        return TokenCheck(platform, error.exit_status, str(error))


async def _slack(settings: Settings) -> str:
    from adapters.slack.app import SlackKeys, tried

    return await tried(
        SlackKeys(
            settings.slack_bot_token.get_secret_value(),
            settings.slack_app_token.get_secret_value(),
            settings.slack_signing_secret.get_secret_value(),
            settings.slack_api_url,
        )
    )


async def _discord(settings: Settings) -> str:
    from adapters.wiring.discord_invitation import invited

    await invited(settings.discord_token.get_secret_value(), settings.discord_api_url)
    return "the token is accepted"
