"""What a button carries: `infra:<kind>:<value>`, at most 100 characters, so that it lives on.

A longer value is named by a short form, `~` and a part of its SHA-256; the message that is drawn
says which (`DiscordMessage.values`), to be stored beside it.
"""

from bot.parts import ActionKind


def custom_id(kind: ActionKind, value: str) -> str:
    """Give the `custom_id` of a button."""
    raise NotImplementedError


def short(value: str, room: int) -> str:
    """Give a value as it is if it fits into so many characters, else its short form."""
    raise NotImplementedError


def is_short_form(value: str) -> bool:
    """Tell whether this names a value that stands elsewhere."""
    raise NotImplementedError


def read_custom_id(text: str) -> tuple[ActionKind, str] | None:
    """Give kind and value (or its short form) of one of our buttons; None for anything else.

    The value of a menu is empty: the chosen option has it.
    """
    raise NotImplementedError
