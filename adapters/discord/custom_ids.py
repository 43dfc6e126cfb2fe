"""What a button carries: `infra:<kind>:<value>`, at most 100 characters, so that it lives on.

A longer value is named by a short form, `~` and a part of its SHA-256; the message that is drawn
says which (`DiscordMessage.values`), to be stored beside it.
"""

import hashlib

from adapters.discord import limits
from bot.model.parts import ActionKind

PREFIX = "infra:"
MARK = "~"
DIGITS = 24


def custom_id(kind: ActionKind, value: str) -> str:
    """Give the `custom_id` of a button."""
    head = f"{PREFIX}{kind}:"
    return head + short(value, limits.CUSTOM_ID - len(head))


def menu_id(kind: ActionKind, number: int) -> str:
    """Give the `custom_id` of a message's menu of this number; its options have the values."""
    return f"{PREFIX}{kind}:{MARK}menu{number}"


def short(value: str, room: int) -> str:
    """Give a value as it is if it fits into so many characters, else its short form."""
    if value.isascii() and value.isprintable() and len(value) <= room and value[:1] != MARK:
        return value
    return MARK + hashlib.sha256(value.encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]


def is_short_form(value: str) -> bool:
    """Tell whether this names a value that stands elsewhere."""
    return value.startswith(MARK)


def read_custom_id(text: str) -> tuple[ActionKind, str] | None:
    """Give kind and value (or its short form) of one of our buttons; None for anything else.

    The value of a menu is empty: the chosen option has it.
    """
    kind, colon, value = text.removeprefix(PREFIX).partition(":")
    if not text.startswith(PREFIX) or not colon or kind not in tuple(ActionKind):
        return None
    return ActionKind(kind), "" if value.startswith(f"{MARK}menu") else value
