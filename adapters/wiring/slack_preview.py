"""What Slack would get, without Slack: the app's manifest, and messages as JSON."""

import json
from importlib.resources import files
from typing import Any
from urllib.parse import quote

from adapters.slack.render import render
from bot.model.parts import Thread

BUILDER = "https://app.slack.com/block-kit-builder/#"
"""https://docs.slack.dev/block-kit: the part after # is the message."""


def slack_manifest() -> str:
    """Give the manifest that a Slack app is made from."""
    return files("adapters.slack").joinpath("manifest.yaml").read_text(encoding="utf-8")


def slack_messages(threads: tuple[Thread, ...]) -> list[dict[str, Any]]:
    """Give the messages of threads as Slack gets them, each with the address that draws it."""
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
