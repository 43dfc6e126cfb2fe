"""A drawn message as it is stored, and taken out of the store for sending."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from adapters.discord.render import DiscordMessage
from bot.model.parts import Mark
from bot.model.ports import Message
from digest.languages import Language

READ_KEPT = 64
"""Payloads kept as they were read, since many channels are told the same."""


@dataclass(frozen=True, slots=True)
class Stored:
    """`body` is sent; all else is as in `DiscordMessage`."""

    body: Mapping[str, Any]
    thread_name: str
    values: Mapping[str, str]
    marks: tuple[Mark, ...] = ()
    language: Language = Language.EN


def message(drawn: DiscordMessage) -> Message:
    """Give a drawn message for the store, as JSON."""
    kept = {
        "body": drawn.payload,
        "thread_name": drawn.thread_name,
        "values": drawn.values,
        **({"marks": drawn.marks, "language": drawn.language} if drawn.is_parent else {}),
    }
    payload = json.dumps(kept, ensure_ascii=False, separators=(",", ":"))
    return Message(payload, drawn.about, drawn.is_parent, drawn.kind)


@lru_cache(READ_KEPT)
def read(payload: str) -> Stored:
    """Read the payload of a stored message; it is shared, and nobody changes it."""
    kept = json.loads(payload)
    return Stored(
        *(kept["body"], kept["thread_name"], kept["values"]),
        marks=tuple(map(Mark, kept.get("marks", ()))),
        language=Language(kept.get("language", Language.EN)),
    )
