"""A long answer, one message at a time, with buttons that turn the page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from adapters.discord.render import DiscordMessage
from digest.models import Language


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

    An answer of one page comes back as it is. A number beyond the last gives the last.
    """
    raise NotImplementedError


def read_turn(custom_id: str) -> Turn | None:
    """Read the `custom_id` of a button that turns a page; None for any other."""
    raise NotImplementedError
