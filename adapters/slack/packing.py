"""Pieces packed into as few messages as Slack's limits allow, in order and without loss."""

from collections.abc import Sequence
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
        return piece.block is not None or not self.pieces or self.pieces[-1].block is not None

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
    """Give the blocks of one message; neighbouring rich text shares one."""
    found: list[Json] = []
    together: list[Fragment] = []
    for piece in pieces:
        if piece.block is not None:
            if together:
                found.append(_rich_text(together))
                together = []
            found.append(piece.block)
        together += piece.fragments
    if together:
        found.append(_rich_text(together))
    return found


def _rich_text(fragments: Sequence[Fragment]) -> Json:
    elements: list[Json] = []
    for (kind, level), group in groupby(fragments, lambda each: (each.kind, each.level)):
        parts = [[*each.elements] for each in group]
        if kind == "item":
            items = [{"type": "rich_text_section", "elements": each} for each in parts]
            elements.append(
                {"type": "rich_text_list", "style": "bullet", "indent": level, "elements": items}
            )
        elif kind == "section":
            text = _lines(parts, follows=bool(elements))
            elements.append({"type": "rich_text_section", "elements": text})
        else:
            elements += [{"type": f"rich_text_{kind}", "elements": each} for each in parts]
    return {"type": "rich_text", "elements": elements}


def _lines(sections: Sequence[list[Json]], *, follows: bool) -> list[Json]:
    """Join sections line by line, as Slack does not, with an empty line before headings.

    `follows` tells that they stand below a list or a quotation, where a line has begun already.
    """
    text: list[Json] = []
    headed = False
    for section in sections:
        opens = _is_bold(section[0])
        breaks = (1 if text else 0) + (1 if opens and not headed and (text or follows) else 0)
        if breaks:
            text.append({"type": "text", "text": "\n" * breaks})
        text += section
        headed = all(_is_bold(element) for element in section)
    return text


def _is_bold(element: Json) -> bool:
    return bool(element.get("style", {}).get("bold"))
