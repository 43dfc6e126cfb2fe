"""Pieces packed into as few messages as Slack's limits allow, in order and without loss."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from adapters.slack import limits
from adapters.slack.markup import Json
from adapters.slack.pieces import Fragment, Piece

AGAIN: Json = {"type": "text", "text": " …"}
"""Behind a heading that is said again."""


class _Filling:
    """The message that is being filled."""

    def __init__(self, pieces: Sequence[Piece] = ()) -> None:
        self.pieces: list[Piece] = []
        self._size = self._tables = self._blocks = 0
        for piece in pieces:
            self.add(piece)

    def add(self, piece: Piece) -> None:
        self._blocks += self._opens(piece)
        self.pieces.append(piece)
        self._size += piece.size
        self._tables += piece.is_table

    def takes(self, piece: Piece) -> bool:
        """Tell whether a piece fits; whatever it is, it fits into an empty message."""
        return not self.pieces or (
            self._size + piece.size <= limits.MESSAGE
            and self._tables + piece.is_table <= limits.TABLES
            and self._blocks + self._opens(piece) <= limits.BLOCKS
        )

    def _opens(self, piece: Piece) -> bool:
        """Tell whether a piece begins a block."""
        goes_on = bool(self.pieces) and self.pieces[-1].block is None and piece.joins
        return piece.block is not None or not goes_on

    def headings(self) -> list[Piece]:
        """Take the headings from the end: they go with what they lead."""
        taken: list[Piece] = []
        while len(self.pieces) > 1 and self.pieces[-1].leads:
            taken.insert(0, self.pieces.pop())
        return taken


def pack(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """Give the pieces of every message; only headings can be said twice."""
    messages: list[list[Piece]] = []
    filling = _Filling()
    heading: Piece | None = None
    for piece in pieces:
        if piece.leads and piece.fragments:
            heading = piece
        elif not piece.joins and not piece.is_table:
            heading = None
        if not filling.takes(piece):
            carried = filling.headings()
            if not carried and heading is not None and heading is not piece:
                carried = [_again(heading)]
            messages.append(filling.pieces)
            filling = _Filling(carried)
            if not filling.takes(piece):
                filling = _Filling()
        filling.add(piece)
    if filling.pieces:
        messages.append(filling.pieces)
    return messages


def _again(heading: Piece) -> Piece:
    first, *others = heading.fragments
    return replace(
        heading,
        fragments=(replace(first, elements=(*first.elements, AGAIN)), *others),
        joins=False,
    )


def blocks(pieces: Sequence[Piece]) -> list[Json]:
    """Give the blocks of one message; pieces that join share a block of rich text."""
    found: list[Json] = []
    together: list[Fragment] = []
    for piece in pieces:
        if together and (piece.block is not None or not piece.joins):
            found.append(_rich_text(together))
            together = []
        if piece.block is not None:
            found.append(piece.block)
        together += piece.fragments
    if together:
        found.append(_rich_text(together))
    return found


def _rich_text(fragments: Sequence[Fragment]) -> Json:
    return {"type": "rich_text", "elements": list(_elements(fragments))}


def _elements(fragments: Sequence[Fragment]) -> Iterator[Json]:
    for (kind, level), group in groupby(fragments, lambda each: (each.kind, each.level)):
        if kind == "item":
            items = [{"type": "rich_text_section", "elements": [*each.elements]} for each in group]
            yield {
                "type": "rich_text_list",
                "style": "bullet",
                "indent": level,
                "elements": items,
            }
            continue
        for each in group:
            yield {"type": f"rich_text_{kind}", "elements": [*each.elements]}
