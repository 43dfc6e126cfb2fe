"""Pieces of a part packed into as few messages as a platform takes, in order and without loss."""

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar


class Piece(Protocol):
    """What is never parted."""

    @property
    def leads(self) -> bool:
        """Whether it is a heading, which never ends a message."""
        ...

    @property
    def about(self) -> tuple[str, ...]:
        """Keys of the items that it tells of."""
        ...


Own = TypeVar("Own", bound=Piece)


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
    about: tuple[str, ...], messages: Sequence[Sequence[Piece]]
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
