"""Blocks of a part as pieces for Slack: what is never parted when messages are packed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import assert_never

from adapters.slack import limits
from adapters.slack.markup import (
    Json,
    escape,
    mrkdwn,
    quoted,
    rich,
    size,
    words_alone,
)
from digest.writing.document import (
    Block,
    Bullets,
    Entry,
    Foreign,
    Hunk,
    Paragraph,
    Quote,
    Runs,
    Strong,
    Table,
    Tone,
    Words,
)
from digest.writing.phrasing import has_links
from digest.writing.visible import revealed

LONGEST_PIECE = limits.MESSAGE - 1_000
"""A piece that is longer is parted after all: nothing is cut, and no message is refused."""

LONGEST_CELL = 1_500
"""A longer cell would make a table unreadable; its row stands below the table as an entry."""

WARNING = "⚠️ "
EMPTY: Json = {"type": "text", "text": " "}


@dataclass(frozen=True, slots=True)
class Fragment:
    """A part of a block of rich text: a section, a quote, a listing, or a list item of a level."""

    kind: str
    elements: tuple[Json, ...]
    level: int = 0


@dataclass(frozen=True, slots=True)
class Piece:
    """Rich-text fragments that stay together, or one whole `block` of another type.

    `joins` tells that it belongs below the piece before it. A piece that `leads` is a
    heading: it never ends a message, and is said again where what it leads goes on in the next.
    `about` are keys of items.
    """

    fragments: tuple[Fragment, ...] = ()
    block: Json | None = None
    about: tuple[str, ...] = ()
    joins: bool = False
    leads: bool = False
    size: int = field(init=False, compare=False)
    """What it counts towards a message's sum; packing asks for it many times."""

    def __post_init__(self) -> None:
        """Measure it once."""
        object.__setattr__(self, "size", _size(self.fragments, self.block))

    @property
    def is_table(self) -> bool:
        """Whether it is a table, of which a message has one."""
        return self.block is not None and self.block["type"] == "table"


def _size(fragments: Sequence[Fragment], block: Json | None) -> int:
    if block is not None:
        return size(block) + limits.ELEMENT * _cells(block)
    return sum(
        size(each.elements) + limits.ELEMENT * (1 + len(each.elements)) for each in fragments
    )


def pieces(blocks: Sequence[Block]) -> list[Piece]:
    """Return the pieces of blocks, in their order."""
    found: list[Piece] = []
    for block in _joined_small(blocks):
        found += _of(block)
    return _leading(found)


def _leading(found: list[Piece]) -> list[Piece]:
    """Mark the paragraphs that something joins: they lead it."""
    marked = []
    for index, piece in enumerate(found):
        follows = index + 1 < len(found) and found[index + 1].joins
        is_text = bool(piece.fragments) and piece.fragments[0].kind == "section"
        header = piece.block is not None and piece.block["type"] == "header"
        leads = (header and index + 1 < len(found)) or (is_text and follows and not piece.joins)
        marked.append(
            Piece(piece.fragments, piece.block, piece.about, piece.joins, True) if leads else piece
        )
    return marked


def _joined_small(blocks: Sequence[Block]) -> Iterator[Block]:
    """Join small paragraphs that follow one another into one, line by line."""

    def is_small(block: Block) -> bool:
        return isinstance(block, Paragraph) and block.tone is Tone.SMALL

    for small, group in groupby(blocks, is_small):
        if not small:
            yield from group
            continue
        runs: list[Runs] = [block.runs for block in group if isinstance(block, Paragraph)]
        together: Runs = runs[0]
        for more in runs[1:]:
            together = (*together, Words("\n"), *more)
        yield Paragraph(together, Tone.SMALL)


def _of(block: Block) -> list[Piece]:
    match block:
        case Paragraph(runs, Tone.LEAD):
            return _header(runs)
        case Paragraph(runs, Tone.SMALL):
            return small(runs)
        case Paragraph(runs, Tone.WARNING):
            return _text((Words(WARNING), *runs))
        case Paragraph(runs):
            return _text(runs)
        case Bullets(entries):
            return [piece for entry in entries for piece in _entry(entry)]
        case Quote(speaker, text, printed=True):
            code = ({"type": "text", "text": revealed(text).rstrip("\n") or " "},)
            return [*_text((Strong(speaker),)), *_parted("preformatted", code, (), True)]
        case Quote(speaker, text):
            heading = _text(speaker, joins=True) if speaker else []
            return [*heading, *_parted("quote", tuple(quoted(text)), (), True)]
        case Hunk(_, text):
            code = ({"type": "text", "text": revealed(text).rstrip("\n") or " "},)
            return [
                *_text((Strong((Foreign(block.path + block.place),)),)),
                *_parted("preformatted", code, (), True),
            ]
        case Table():
            return _table(block)
        case _:
            assert_never(block)


def _header(runs: Runs) -> list[Piece]:
    text = words_alone(runs)
    if has_links(runs) or not text or len(escape(text)) > limits.HEADER:
        return _text((Strong(runs),))
    title = {"type": "plain_text", "text": text, "emoji": False}
    return [Piece(block={"type": "header", "text": title})]


def small(runs: Runs) -> list[Piece]:
    """Return small print: without markup where nothing has to be a link."""
    if has_links(runs):
        text = {"type": "mrkdwn", "text": mrkdwn(runs), "verbatim": True}
    else:
        text = {"type": "plain_text", "text": words_alone(runs), "emoji": False}
    if not text["text"]:
        return []
    if len(escape(str(text["text"]))) > limits.TEXT_OBJECT:
        return _text(runs)
    return [Piece(block={"type": "context", "elements": [text]})]


def _text(runs: Runs, *, joins: bool = False) -> list[Piece]:
    return _parted("section", tuple(rich(runs)), (), joins)


def _entry(entry: Entry) -> list[Piece]:
    fragments = tuple(_fragments(entry, 0))
    keys = entry.keys
    whole = Piece(fragments, about=keys, joins=True)
    if whole.size <= LONGEST_PIECE:
        return [whole]
    return [
        Piece((Fragment("item", tuple(part), fragment.level),), about=keys, joins=True)
        for fragment in fragments
        for part in _parts(fragment.elements)
    ]


def _fragments(entry: Entry, level: int) -> Iterator[Fragment]:
    yield Fragment("item", tuple(rich(entry.runs)) or (EMPTY,), level)
    for under in entry.under:
        yield from _fragments(under, level + 1)


def _parted(
    kind: str, elements: tuple[Json, ...], about: tuple[str, ...], joins: bool
) -> list[Piece]:
    found: list[Piece] = []
    for part in _parts(elements):
        together = joins or bool(found)
        found.append(Piece((Fragment(kind, tuple(part)),), about=about, joins=together))
    return found


def _parts(elements: Sequence[Json]) -> Iterator[list[Json]]:
    """Part elements so that each part fits; texts are broken where nothing else helps."""
    part: list[Json] = []
    filled = 0
    for element in _broken(elements):
        cost = size(element) + limits.ELEMENT
        if part and filled + cost > LONGEST_PIECE:
            yield part
            part, filled = [], 0
        part.append(element)
        filled += cost
    if part:
        yield part


def _broken(elements: Sequence[Json]) -> Iterator[Json]:
    for element in elements:
        text = element["text"]
        if len(text) <= limits.TEXT_OBJECT and size(element) <= LONGEST_PIECE:
            yield element
            continue
        step = limits.TEXT_OBJECT // 5  # the longest escape, `&amp;`, has five characters
        if element["type"] == "link":
            yield element | {"text": text[:step]}
            element, text = {"type": "text", "text": ""}, text[step:]
        for start in range(0, len(text), step):
            yield element | {"text": text[start : start + step]}


def _table(table: Table) -> list[Piece]:
    header = [_cell((Strong((Words(name),)),)) for name in table.header]
    found: list[Piece] = []
    rows: list[list[Json]] = [header]
    filled = _row_size(header)
    beside: list[Piece] = []
    for row in table.rows:
        cells = [_cell(runs) for runs in row]
        if any(size(cell) > LONGEST_CELL for cell in cells):
            beside += _entry(_as_entry(row))
            continue
        cost = _row_size(cells)
        if len(rows) == limits.TABLE_ROWS or filled + cost > LONGEST_PIECE:
            found.append(_as_table(rows))
            rows, filled = [header], _row_size(header)
        rows.append(cells)
        filled += cost
    if len(rows) > 1:
        found.append(_as_table(rows))
    return found + beside


def _as_table(rows: list[list[Json]]) -> Piece:
    columns = [{"is_wrapped": True} for _ in rows[0]]
    return Piece(block={"type": "table", "rows": rows, "column_settings": columns}, joins=True)


def _as_entry(row: Sequence[Runs]) -> Entry:
    runs: Runs = ()
    for cell in row:
        runs = (*runs, Words(" · "), *cell) if runs else cell
    return Entry(runs)


def _cell(runs: Runs) -> Json:
    section = {"type": "rich_text_section", "elements": rich(runs) or [EMPTY]}
    return {"type": "rich_text", "elements": [section]}


def _row_size(cells: Sequence[Json]) -> int:
    return size(cells) + limits.ELEMENT * len(cells)


def _cells(block: Json) -> int:
    return sum(len(row) for row in block.get("rows", ()))
