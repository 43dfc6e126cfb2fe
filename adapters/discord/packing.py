"""Pieces packed into as few messages as Discord's limits allow, in order and without loss."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from adapters.discord import limits
from adapters.discord.buttons import Json
from adapters.discord.markup import JOINER, units, weight
from adapters.discord.pieces import WARNING, Piece
from bot.compose.packing import packed

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
    """Join the lines of pieces, with an empty line before what opens, and a warning below it."""
    told: list[str] = []
    headed, is_section = True, False
    for piece in pieces:
        opens = piece.opens or (is_section and piece.text.startswith(WARNING))
        told.append(f"{EMPTY}\n{piece.text}" if opens and not headed else piece.text)
        headed, is_section = piece.leads or piece.is_heading, piece.opens or piece.joins
    return "\n".join(told)


def pack(pieces: Sequence[Piece], rows: Sequence[Json], room: int) -> list[Packed]:
    """Give messages of at most `room` units each; only headings can be said twice.

    Action rows stand below the last of the text, or in messages of their own.
    """
    filled = packed(pieces, lambda filling, piece: _fits([*filling, piece], room), _again)
    return _with_rows([Packed(tuple(each)) for each in filled], rows)


def _fits(pieces: Sequence[Piece], room: int) -> bool:
    together = text(pieces)
    return units(together) <= room and weight(together) <= limits.BYTES - SPARE


def _again(heading: Piece) -> Piece | None:
    return replace(heading, text=f"{heading.text}{AGAIN}", title="") if heading.leads else None


def _with_rows(filled: list[Packed], rows: Sequence[Json]) -> list[Packed]:
    messages = list(filled) or [Packed()]
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
