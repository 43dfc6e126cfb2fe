"""Actions of a part as Discord's buttons, and as menus where a choice has many.

A button carries `infra:<kind>:<value>`, at most 100 characters, so that it lives on. A longer value
is named by a short form, `~` and a part of its SHA-256; the message that is drawn says which
(`DiscordMessage.values`), to be stored beside it.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from adapters.discord import limits
from adapters.discord.markup import address, shortened
from bot.model.parts import Action, ActionKind, menus_and_buttons
from digest.writing.visible import visible

PREFIX = "infra:"
MARK = "~"
DIGITS = 24


def custom_id(kind: ActionKind, value: str) -> str:
    """Return the `custom_id` of a button."""
    head = f"{PREFIX}{kind}:"
    return head + short(value, limits.CUSTOM_ID - len(head))


def menu_id(kind: ActionKind, number: int) -> str:
    """Return the `custom_id` of a message's menu of this number; its options have the values."""
    return f"{PREFIX}{kind}:{MARK}menu{number}"


def short(value: str, room: int) -> str:
    """Return a value as it is if it fits into so many characters, else its short form."""
    if value.isascii() and value.isprintable() and len(value) <= room and value[:1] != MARK:
        return value
    return MARK + hashlib.sha256(value.encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]


def is_short_form(value: str) -> bool:
    """Return whether this names a value that stands elsewhere."""
    return value.startswith(MARK)


def read_custom_id(text: str) -> tuple[ActionKind, str] | None:
    """Return kind and value (or its short form) of one of our buttons; None for anything else.

    The value of a menu is empty: the chosen option has it.
    """
    kind, colon, value = text.removeprefix(PREFIX).partition(":")
    if not text.startswith(PREFIX) or not colon or kind not in tuple(ActionKind):
        return None
    return ActionKind(kind), "" if value.startswith(f"{MARK}menu") else value


Json: TypeAlias = dict[str, Any]

# https://docs.discord.com/developers/components/reference#component-object-component-types
ROW = 1
BUTTON = 2
MENU = 3

# https://docs.discord.com/developers/components/reference#button-button-styles
PRIMARY = 1
SECONDARY = 2
LINK = 5

FIRST = {ActionKind.SHOW_ALL, ActionKind.SHOW_REST, ActionKind.FLAG}
"""What most people press stands out."""

LONGEST_CHOICE = 70
"""Units of an option's label, about what Discord shows on a line."""

MANY_CHOICES = 50
SHORT_CHOICE = 36
"""So many are named shortly, each value by its short form, that a hundred fit into a message:
a question that is answered is one message to take back."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Action rows, and the values in them that are named by a short form."""

    rows: tuple[Json, ...]
    values: Mapping[str, str]


def rows(wanted: Sequence[Action]) -> Rows:
    """Return the action rows of a part; what is wanted twice is there once."""
    values: dict[str, str] = {}
    chosen, buttons = menus_and_buttons(wanted)
    menus = [menu for kind, choices in chosen.items() for menu in _menus(kind, choices, values)]
    return Rows((*menus, *_buttons(buttons, values)), values)


def _buttons(wanted: Sequence[Action], values: dict[str, str]) -> tuple[Json, ...]:
    made: dict[str, Json] = {}
    for each in wanted:
        if each.kind is ActionKind.PAGE:
            url = address(each.value)
            if url and len(url) <= limits.URL:
                made[url] = _button(each, LINK) | {"url": url}
            continue
        own = custom_id(each.kind, each.value)
        _, value = read_custom_id(own) or (None, "")
        if is_short_form(value):
            values[value] = each.value
        style = PRIMARY if each.kind in FIRST else SECONDARY
        made[own] = _button(each, style) | {"custom_id": own}
    buttons = list(made.values())
    step = limits.BUTTONS
    return tuple(row(buttons[start : start + step]) for start in range(0, len(buttons), step))


def row(components: Sequence[Json]) -> Json:
    """Return an action row."""
    return {"type": ROW, "components": list(components)}


def _button(action: Action, style: int) -> Json:
    label = shortened(visible(action.label), limits.LABEL) or "…"
    return {"type": BUTTON, "style": style, "label": label}


def _menus(kind: ActionKind, choices: Sequence[Action], values: dict[str, str]) -> tuple[Json, ...]:
    options: dict[str, Json] = {}
    many = len(choices) > MANY_CHOICES
    for each in choices:
        value = short(each.value, 0 if many else limits.OPTION)
        if is_short_form(value):
            values[value] = each.value
        room = SHORT_CHOICE if many else LONGEST_CHOICE
        label = shortened(visible(each.label), room) or "…"
        options[value] = {"label": label, "value": value}
    menu = list(options.values())
    step = limits.OPTIONS
    return tuple(
        row([_menu(menu_id(kind, start // step + 1), menu[start : start + step], start, len(menu))])
        for start in range(0, len(menu), step)
    )


def _menu(own_id: str, options: Sequence[Json], start: int, total: int) -> Json:
    """Return a menu; one of several says which of all it holds."""
    menu: Json = {"type": MENU, "custom_id": own_id, "options": list(options)}
    if len(options) == total:
        return menu
    first, last = start + 1, start + len(options)
    shown = f"{first}–{last}" if last > first else f"{first}"
    return menu | {"placeholder": f"{shown} / {total}"}
