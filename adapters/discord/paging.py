"""A long answer, one message at a time, with buttons that turn the page."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from adapters.discord import limits
from adapters.discord.buttons import BUTTON, SECONDARY, Json, row
from adapters.discord.custom_ids import PREFIX, short
from adapters.discord.render import DiscordMessage
from digest.languages import Language
from digest.wording.saying import CATALOGUES

TURN = f"{PREFIX}turn:"
HERE = "here"
"""The button between the others, which only says where one is."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What a button that turns a page says: the page to show (from 0) of which answer.

    `again` is whatever the listener needs to give the answer again, or its short form.
    """

    again: str
    page: int


def page(
    drawn: Sequence[DiscordMessage], number: int, again: str, language: Language
) -> DiscordMessage:
    """Give one page of an answer, counted from 0, with buttons for the pages beside it.

    An answer of one page comes back as it is. A number beyond the last gives the last. The
    buttons of the last page stand on all.
    """
    last = len(drawn) - 1
    number = min(max(number, 0), last)
    wanted = drawn[number]
    if not last:
        return wanted
    own = wanted.payload["components"] or drawn[-1].payload["components"]
    key = short(again, limits.CUSTOM_ID - len(f"{TURN}{last}:"))
    where = CATALOGUES[language].discord.pages(number + 1, len(drawn))
    turns = [
        _button("◀", f"{TURN}{number - 1}:{key}", off=number == 0),
        _button(where, f"{TURN}{HERE}", off=True),
        _button("▶", f"{TURN}{number + 1}:{key}", off=number == last),
    ]
    values = {**wanted.values, **drawn[-1].values}
    if key != again:
        values[key] = again
    payload = {**wanted.payload, "components": [*own, row(turns)]}
    return replace(wanted, payload=payload, values=values)


def read_turn(custom_id: str) -> Turn | None:
    """Read the `custom_id` of a button that turns a page; None for any other."""
    number, colon, again = custom_id.removeprefix(TURN).partition(":")
    if not custom_id.startswith(TURN) or not colon or not (number.isdecimal() and number.isascii()):
        return None
    return Turn(again, int(number))


def _button(label: str, custom_id: str, *, off: bool) -> Json:
    button: Json = {"type": BUTTON, "style": SECONDARY, "label": label, "custom_id": custom_id}
    return button | {"disabled": True} if off else button
