"""Blocks of a part as pieces for Discord: what is never parted when messages are packed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from adapters.discord import limits
from adapters.discord.markup import (
    JOINER,
    Segment,
    calmed,
    escape,
    is_calm,
    lines,
    marked,
    segments,
    units,
    weight,
    words_alone,
)
from digest.writing.document import (
    Block,
    Bullets,
    Entry,
    Foreign,
    Hunk,
    Link,
    Paragraph,
    Quote,
    Run,
    Runs,
    Strong,
    Table,
    Tone,
    Words,
)
from digest.writing.emphasis import described
from digest.writing.phrasing import has_links
from digest.writing.visible import revealed, visible

LONGEST_PIECE = 3_500
HEAVIEST_PIECE = 7_000
"""A piece of more units or bytes is parted after all: nothing is cut, no message is refused."""

ROOM = 100
"""Of that what is before a line may have."""

LONGEST_CODE = 900
"""Characters of a line of code that stay together; none needs more than four bytes."""

WARNING = "⚠️ "
SMALL = "-# "
BULLET = "- "
INDENT = "  "
QUOTED = "> "
FENCE = "```"
NOTHING = frozenset({"", "–", "—", "-"})
"""Cells that say that there is nothing to say; without a column they need not be shown."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Lines of Markdown that stay together.

    `title` is set where it could be an embed's title. `joins` tells that it belongs below the
    piece before it. A piece that `leads` is a heading: it never ends a message, and is said again
    where what it leads goes on in the next. `about` are keys of items.
    """

    text: str
    about: tuple[str, ...] = ()
    joins: bool = False
    leads: bool = False
    title: str = ""

    @property
    def opens(self) -> bool:
        """Whether an empty line stands before it."""
        return self.text.startswith("**") and not self.joins

    @property
    def is_heading(self) -> bool:
        """Whether all of it stands out."""
        return self.opens and self.text.find("**", 2) == len(self.text) - 2


def pieces(blocks: Sequence[Block], *, titled: bool = False) -> list[Piece]:
    """Return the pieces of blocks, in their order; `titled` if the first paragraph is a title."""
    found = [piece for block in blocks for piece in _of(block)]
    if titled and isinstance(blocks[0], Paragraph) and blocks[0].tone is Tone.PLAIN:
        found[:1] = _title(blocks[0].runs) or found[:1]
    if not all(is_calm(piece.text) for piece in found):
        found = [replace(piece, text=calmed(piece.text)) for piece in found]
    return _leading(found)


def _title(runs: Runs) -> list[Piece]:
    """Return what can be a title: one line, of which at most its one link is lost."""
    plain = tuple(_unlinked(runs))
    title = marked(segments(plain))
    title = title if is_calm(title) else calmed(title)
    if "](" not in title:  # a bracket begins nothing then, and stands at the head of most titles
        title = title.replace(r"\[", "[")
    if sum(map(has_links, ((run,) for run in runs))) > 1 or units(title) > limits.TITLE:
        return []
    return [] if "\n" in title else [Piece(f"## {title}", title=title)]


def _unlinked(runs: Runs) -> Iterator[Run]:
    for run in runs:
        match run:
            case Strong(inner):
                yield from _unlinked(inner)
            case Link(label):
                yield Foreign(label)
            case _:
                yield run


def _leading(found: list[Piece]) -> list[Piece]:
    """Mark the pieces that something joins: they lead it. A title leads whatever follows."""
    return [
        replace(piece, leads=True)
        if index + 1 < len(found)
        and (piece.title or (found[index + 1].joins and not piece.joins and not piece.about))
        else piece
        for index, piece in enumerate(found)
    ]


def _of(block: Block) -> list[Piece]:
    match block:
        case Paragraph(runs, Tone.LEAD):
            return _lead(runs)
        case Paragraph(runs, Tone.SMALL):
            return _lines(runs, SMALL)
        case Paragraph(runs, Tone.WARNING):
            return _lines((Words(WARNING), *runs), "")
        case Paragraph(runs):
            return _lines(runs, "")
        case Bullets(entries):
            return [piece for entry in entries for piece in _entry(entry)]
        case Quote(speaker, text, printed=True):
            return [*_lines((Strong(speaker),), ""), *_code(text)]
        case Quote(speaker, text):
            return _quote(speaker, text)
        case Hunk(_, text):
            where = Strong((Foreign(block.path + block.place),))
            return [*_lines((where,), ""), *_code(text)]
        case Table():
            return _table(block)
        case _:
            assert_never(block)


def _lead(runs: Runs) -> list[Piece]:
    text = words_alone(runs)
    title = escape(visible(text))
    if has_links(runs) or "\n" in text or not title or units(title) > limits.TITLE:
        return _lines((Strong(runs),), "")
    return [Piece(f"## {title}", title=title)]


def _lines(runs: Runs, prefix: str, *, joins: bool = False) -> list[Piece]:
    prefixed = [(prefix, line) for line in lines(segments(runs)) if line]
    return [
        Piece(text, joins=joins or number > 0)
        for number, text in enumerate(_parts(prefixed, prefix))
    ]


def _parts(prefixed: Sequence[tuple[str, Sequence[Segment]]], again: str) -> Iterator[str]:
    """Join lines, each after its prefix, into texts that fit.

    `again` stands before what of a line has to go on in the next text.
    """
    text = ""
    for prefix, line in prefixed:
        for part in _fitting(prefix, line, again):
            longer = f"{text}\n{part}" if text else part
            if text and not _fits(longer):
                yield text
                longer = part
            text = longer
    if text:
        yield text


def _fitting(prefix: str, line: Sequence[Segment], again: str) -> Iterator[str]:
    """Yield a line, in several ones where it is too long for a message."""
    whole = prefix + marked(line)
    if _fits(whole):
        yield whole
        return
    part: list[Segment] = []
    taken = heavy = 0
    for segment in line:
        # Alone it has at least the marks that it has beside others, but for what parts code.
        alone = JOINER + marked([segment])
        taken, heavy = taken + _room(alone), heavy + weight(alone)
        if part and (taken > LONGEST_PIECE - ROOM or heavy > HEAVIEST_PIECE - ROOM):
            yield prefix + marked(part)
            part, prefix = [], again
            taken, heavy = _room(alone), weight(alone)
        part.append(segment)
    yield prefix + marked(part)


def _fits(text: str) -> bool:
    return _room(text) <= LONGEST_PIECE and weight(text) <= HEAVIEST_PIECE


def _room(text: str) -> int:
    """Return the units that a text takes at most, should its underscores be escaped."""
    return units(text) + text.count("_")


def _entry(entry: Entry) -> list[Piece]:
    prefixed = list(_entry_lines(entry, ""))
    keys = entry.keys
    return [Piece(text, about=keys, joins=True) for text in _parts(prefixed, INDENT)]


def _entry_lines(entry: Entry, indent: str) -> Iterator[tuple[str, Sequence[Segment]]]:
    first, *others = lines(segments(entry.runs))
    yield f"{indent}{BULLET}", first or [Segment("…")]
    for line in others:
        yield f"{indent}{INDENT}{BULLET}", line
    for under in entry.under:
        yield from _entry_lines(under, f"{indent}{INDENT}")


def _quote(speaker: Runs, text: str) -> list[Piece]:
    heading = _lines(speaker, "", joins=True) if speaker else []
    prefixed = [(QUOTED, segments(line)) for line in described(text) if words_alone(line).strip()]
    return [*heading, *(Piece(part, joins=True) for part in _parts(prefixed, QUOTED))]


def _code(text: str) -> list[Piece]:
    shown = revealed(text).rstrip("\n").replace("``", f"`{JOINER}`") or " "
    rows: list[str] = []
    found: list[Piece] = []
    for line in shown.split("\n"):
        for start in range(0, max(1, len(line)), LONGEST_CODE):
            part = line[start : start + LONGEST_CODE]
            if rows and not _fits("\n".join((*rows, part))):
                found.append(_block(rows))
                rows = []
            rows.append(part)
    return [*found, _block(rows)]


def _block(rows: Sequence[str]) -> Piece:
    return Piece("\n".join((f"{FENCE}diff", *rows, FENCE)), joins=True)


def _table(table: Table) -> list[Piece]:
    """Return a table, which Discord has none of, as a list below the names of its columns."""
    names = " · ".join(name for name in table.header if name)
    head = _lines((Words(names),), SMALL, joins=True)
    return [*head, *(piece for row in table.rows for piece in _entry(_as_entry(row)))]


def _as_entry(row: Sequence[Runs]) -> Entry:
    runs: Runs = ()
    for cell in row:
        if words_alone(cell).strip() not in NOTHING:
            runs = (*runs, Words(" · "), *cell) if runs else cell
    return Entry(runs)
