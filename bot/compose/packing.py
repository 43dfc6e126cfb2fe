"""Pieces of a part packed into as few messages as a platform takes, in order and without loss."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import TypeVar


@dataclass(frozen=True, kw_only=True)
class MessagePiece:
    """What is never parted.

    `about` are the keys of the items that it tells of. `joins` tells that it belongs below the
    piece before it. One that `leads` is a heading, which never ends a message.
    """

    about: tuple[str, ...] = ()
    joins: bool = False
    leads: bool = False

    @property
    def is_title(self) -> bool:
        """Whether it leads whatever follows."""
        return False


Own = TypeVar("Own", bound=MessagePiece)


def leading(pieces: Sequence[Own]) -> list[Own]:
    """Return pieces with their headings marked: titles, and what something else joins."""
    return [
        replace(piece, leads=True)
        if below and (piece.is_title or (below.joins and not piece.joins and not piece.about))
        else piece
        for piece, below in zip_longest(pieces, pieces[1:])
    ]


def packed(pieces: Sequence[Own], takes: Callable[[Sequence[Own], Own], bool]) -> list[list[Own]]:
    """Return the pieces of each message; headings at the end of one go to the next.

    `takes` tells whether a message of some pieces takes one more. Whatever a piece is, it fits into
    a message of its own.
    """
    messages: list[list[Own]] = []
    filling: list[Own] = []
    for piece in pieces:
        if filling and not takes(filling, piece):
            carried = _headings(filling)
            messages.append(filling)
            if carried and not takes(carried, piece):
                messages.append(carried)
                carried = []
            filling = carried
        filling.append(piece)
    return [*messages, filling] if filling else messages


def keys_by_message(
    about: tuple[str, ...], messages: Sequence[Sequence[MessagePiece]]
) -> list[tuple[str, ...]]:
    """Return the keys of each message of a part `about` items: those of the lines in it.

    A part without such lines has all of them in each. What a part counts and does not name belongs
    to its last message.
    """
    named = [
        tuple(dict.fromkeys(key for piece in message for key in piece.about))
        for message in messages
    ]
    if len(messages) == 1 or not any(named):
        return [about or keys for keys in named]
    left = [key for key in about if not any(key in keys for keys in named)]
    return [*named[:-1], (*named[-1], *left)]


def _headings(filling: list[Own]) -> list[Own]:
    """Take the headings from the end: they go with what they lead."""
    taken: list[Own] = []
    while len(filling) > 1 and filling[-1].leads:
        taken.insert(0, filling.pop())
    return taken
