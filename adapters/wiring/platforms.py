"""Platforms before the bot runs: tokens tried, Discord's invitation, what Slack would get.

Their libraries are imported where they are needed: each takes a while.
"""

import json
from collections.abc import Awaitable, Callable
from functools import partial
from importlib.resources import files
from typing import Any
from urllib.parse import quote

from bot.model.channels import Platform
from bot.model.parts import Thread
from bot.model.ports import TokenRevoked
from bot.settings import Settings
from digest.errors import BadToken
from digest.phrase import Phrase
from digest.wording.phrases import SAY


def platform_checks(settings: Settings) -> dict[Platform, Callable[[], Awaitable[Phrase]]]:
    """Return what tries each platform that has a token, and says how it is heard.

    Nothing is posted. Each raises `BadToken`, and `InfraError` for what else is wrong.
    """
    checks: dict[Platform, Callable[[], Awaitable[Phrase]]] = {}
    if settings.slack_bot_token.get_secret_value():
        checks[Platform.SLACK] = partial(_slack, settings)
    if settings.discord_token.get_secret_value():
        checks[Platform.DISCORD] = partial(_discord, settings)
    return checks


async def _slack(settings: Settings) -> Phrase:
    from adapters.slack.app import tried

    return await tried(settings)


async def _discord(settings: Settings) -> Phrase:
    await invited(settings.discord_token.get_secret_value(), settings.discord_api_url)
    return SAY.checks.discord_accepted


async def invited(token: str, api_url: str) -> str:
    """Return the link by which an admin adds the bot to a server, asked of Discord itself.

    Raises `BadToken` for a token that Discord refuses, and `PublishError`.
    """
    from adapters.discord.permissions import invitation
    from adapters.discord.rest import Rest, point_at

    point_at(api_url)
    rest = Rest(token)
    try:
        application = await rest.ask("GET", "/applications/@me")
    except TokenRevoked as error:
        raise BadToken(error.why) from error
    finally:
        await rest.close()
    return invitation(str(application["id"]))


BUILDER = "https://app.slack.com/block-kit-builder/#"
"""https://docs.slack.dev/block-kit: the part after # is the message."""


def slack_manifest() -> str:
    """Return the manifest that a Slack app is made from."""
    return files("adapters.slack").joinpath("manifest.yaml").read_text(encoding="utf-8")


def slack_messages(threads: tuple[Thread, ...]) -> list[dict[str, Any]]:
    """Return the messages of threads as Slack gets them, each with the address that draws it."""
    from adapters.slack.render import render

    return [
        {
            "kind": message.kind.value,
            "is_parent": message.is_parent,
            "about": list(message.about),
            "payload": dict(message.payload),
            "builder": BUILDER + quote(json.dumps({"blocks": message.payload.get("blocks", [])})),
        }
        for thread in threads
        for message in render(thread)
    ]
