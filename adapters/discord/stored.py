"""A drawn message as it is stored, and taken out of the store for sending."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from adapters.discord.render import DiscordMessage
from bot.model.ports import Message

READ_KEPT = 64
"""Payloads kept as they were read, since many channels are told the same."""


@dataclass(frozen=True, slots=True)
class Stored:
    """`body` is sent; `thread_name` and `values` are as in `DiscordMessage`."""

    body: Mapping[str, Any]
    thread_name: str
    values: Mapping[str, str]


def message(drawn: DiscordMessage) -> Message:
    """Give a drawn message for the store, as JSON."""
    kept = {"body": drawn.payload, "thread_name": drawn.thread_name, "values": drawn.values}
    payload = json.dumps(kept, ensure_ascii=False, separators=(",", ":"))
    return Message(payload, drawn.about, drawn.is_parent, drawn.kind)


@lru_cache(READ_KEPT)
def read(payload: str) -> Stored:
    """Read the payload of a stored message; it is shared, and nobody changes it."""
    kept = json.loads(payload)
    return Stored(kept["body"], kept["thread_name"], kept["values"])
