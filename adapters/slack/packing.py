"""Pieces packed into as few messages as Slack's limits allow, in order and without loss."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from adapters.slack import limits
from adapters.slack.markup import Json
from adapters.slack.pieces import WARNING, Fragment, Piece
from bot.compose.packing import packed

AGAIN: Json = {"type": "text", "text": " …"}
"""Behind a heading that is said again."""


def pack(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """Give the pieces of every message; only headings can be said twice."""
    return packed(pieces, _takes, _again)


def _takes(filling: Sequence[Piece], piece: Piece) -> bool:
    together = (*filling, piece)
    opened = sum(
        each.block is not None or before is None or before.block is not None
        for before, each in zip((None, *together), together, strict=False)
    )
    return not filling or (
        sum(each.size for each in together) <= limits.MESSAGE
        and sum(each.is_table for each in together) <= limits.TABLES
        and opened <= limits.BLOCKS
    )


def _again(heading: Piece) -> Piece | None:
    if not (heading.leads and heading.fragments):
        return None
    first, *others = heading.fragments
    said = replace(first, elements=(*first.elements, AGAIN))
    return replace(heading, fragments=(said, *others))


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
    """Join sections line by line, as Slack does not, with an empty line before what opens.

    That is a heading, or a warning below what a heading opened.
    `follows` tells that they stand below a list or a quotation, where a line has begun already.
    """
    text: list[Json] = []
    headed, is_section = False, follows
    for section in sections:
        is_apart = is_section and section[0].get("text", "").startswith(WARNING)
        opens = _is_bold(section[0]) or is_apart
        breaks = (1 if text else 0) + (1 if opens and not headed and (text or follows) else 0)
        if breaks:
            text.append({"type": "text", "text": "\n" * breaks})
        text += section
        headed, is_section = all(map(_is_bold, section)), _is_bold(section[0])
    return text


def _is_bold(element: Json) -> bool:
    return bool(element.get("style", {}).get("bold"))
