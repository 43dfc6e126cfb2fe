"""Pieces packed into as few messages as Discord's limits allow, in order and without loss."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from adapters.discord import limits
from adapters.discord.buttons import Json
from adapters.discord.markup import JOINER, units, weight
from adapters.discord.pieces import Piece

EMPTY = JOINER
"""A line of nothing to see; Discord leaves lines out that are truly empty below a list."""

AGAIN = " …"
"""Behind a heading that is said again."""

ROWS = limits.ROWS - 1
"""One row stays free for the buttons that turn pages."""

SPARE = 600
"""Bytes that those buttons may have."""

COMPONENT = 12
"""Bytes that a component adds to its texts, as was measured for one of text."""


@dataclass(frozen=True, slots=True)
class Packed:
    """One message: its pieces of text, and its action rows."""

    pieces: tuple[Piece, ...] = ()
    rows: tuple[Json, ...] = ()

    @property
    def text(self) -> str:
        """All its text, an empty line before what opens."""
        return text(self.pieces)


def text(pieces: Sequence[Piece]) -> str:
    """Join the lines of pieces, with an empty line before what opens."""
    told: list[str] = []
    headed = True
    for piece in pieces:
        told.append(f"{EMPTY}\n{piece.text}" if piece.opens and not headed else piece.text)
        headed = piece.leads or piece.is_heading
    return "\n".join(told)


def pack(pieces: Sequence[Piece], rows: Sequence[Json], room: int) -> list[Packed]:
    """Give messages of at most `room` units each; only headings can be said twice.

    Action rows stand below the last of the text, or in messages of their own.
    """
    messages: list[Packed] = []
    filling: list[Piece] = []
    heading: Piece | None = None
    for piece in pieces:
        if not piece.joins:
            heading = piece if piece.leads else None
        if filling and not _fits([*filling, piece], room):
            carried = _headings(filling)
            if not carried and heading is not None and heading is not piece:
                carried = [_again(heading)]
            messages.append(Packed(tuple(filling)))
            filling = carried if _fits([*carried, piece], room) else []
        filling.append(piece)
    packed = [*messages, Packed(tuple(filling))] if filling else messages
    return _with_rows(packed, rows)


def _fits(pieces: Sequence[Piece], room: int) -> bool:
    together = text(pieces)
    return units(together) <= room and weight(together) <= limits.BYTES - SPARE


def _headings(filling: list[Piece]) -> list[Piece]:
    """Take the headings from the end: they go with what they lead."""
    taken: list[Piece] = []
    while len(filling) > 1 and filling[-1].leads:
        taken.insert(0, filling.pop())
    return taken


def _again(heading: Piece) -> Piece:
    return replace(heading, text=f"{heading.text}{AGAIN}", title="")


def _with_rows(packed: list[Packed], rows: Sequence[Json]) -> list[Packed]:
    messages = list(packed) or [Packed()]
    for row in rows:
        last = messages[-1]
        weight_so_far = weight(last.text) + sum(_row_weight(each) for each in last.rows)
        full = weight_so_far + _row_weight(row) > limits.BYTES - SPARE
        if len(last.rows) == ROWS or (full and (last.rows or last.pieces)):
            messages.append(Packed(rows=(row,)))
        else:
            messages[-1] = replace(last, rows=(*last.rows, row))
    return [message for message in messages if message.pieces or message.rows]


def _row_weight(row: Json) -> int:
    told = (each for part in row["components"] for each in (part, *part.get("options", ())))
    return sum(
        COMPONENT + sum(weight(text) for text in each.values() if isinstance(text, str))
        for each in told
    )
