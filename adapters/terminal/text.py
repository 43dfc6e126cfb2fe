"""Draws a document as text for a terminal or a pipe.

In a terminal with colour, references are links (OSC 8,
https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda). Without colour the addresses
stand at the end, one for each reference. Characters that cannot be seen, escape codes among them,
are dropped (`digest.writing.visible`).
"""

from collections.abc import Iterable
from io import StringIO
from typing import assert_never

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.style import Style
from rich.table import Table as RichTable
from rich.text import Text

from adapters.web.addresses import address
from digest.writing.document import (
    Block,
    Bullets,
    Code,
    Document,
    Entry,
    Foreign,
    Hunk,
    Link,
    Paragraph,
    Quote,
    Run,
    Runs,
    Strong,
    Struck,
    Table,
    Tone,
    Words,
    links,
)
from digest.writing.emphasis import described
from digest.writing.visible import inline, revealed, visible

COLUMN_GAP = 3
TAB = 4
QUOTED = "  │ "
WIDEST_TABLE = 200
"""Columns of a table that a person reads still, where lines may be endless."""
ENDLESS = 1_000_000
"""The width of a line that is never broken."""

NO_STYLE = Style()
CODE = Style(color="cyan")
_TONES = {Tone.PLAIN: "", Tone.LEAD: "bold", Tone.WARNING: "bold yellow", Tone.SMALL: "dim"}


def render(document: Document, *, width: int = 100, colour: bool = False) -> str:
    """Return the page as text that ends with a line break; without colour it holds no escape code.

    `width` is in columns; 0 leaves lines as long as they are.
    """
    page = _Page(width or ENDLESS, colour)
    page.line(_text(document.title, "bold"))
    page.blocks(document.lead)
    for section in document.sections:
        page.line(Text())
        page.line(_text(section.heading, "bold underline"))
        page.blocks(section.blocks)
    if document.footer:
        page.line(Text())
    for paragraph in document.footer:
        page.block(paragraph)
    if not colour and (addresses := _addresses(document)):
        page.line(Text())
        for label, url in addresses:
            page.line(Text(f"{label}  {url}"), whole=True)
    return page.written()


def _addresses(document: Document) -> list[tuple[str, str]]:
    """Return the addresses of a page with the words that lead there, which several may share."""
    found = ((visible(link.label), address(link.url)) for link in links(document))
    return [(label, url) for label, url in dict.fromkeys(found) if url not in ("", label)]


class _Page:
    """Lines written so far, to a console of a stated width."""

    def __init__(self, width: int, colour: bool) -> None:
        self._out = StringIO()
        self._width = width
        self._console = Console(
            file=self._out,
            width=width,
            force_terminal=colour,
            color_system="standard" if colour else None,
            no_color=not colour,
            highlight=False,
            markup=False,
            emoji=False,
            legacy_windows=False,
            _environ={},
        )

    def written(self) -> str:
        lines = self._out.getvalue().split("\n")
        return "\n".join(line.rstrip() for line in lines).strip("\n") + "\n"

    def line(self, text: Text, *, whole: bool = False) -> None:
        self._console.print(text, soft_wrap=whole or self._width == ENDLESS)

    def hung(self, mark: str, text: Text) -> None:
        """Write a line whose later lines stand under its first word."""
        if self._width == ENDLESS:
            self.line(Text(mark) + text)
            return
        room = max(20, self._width - len(mark))
        for index, piece in enumerate(text.wrap(self._console, room)):
            self.line(Text(mark if index == 0 else " " * len(mark)) + piece, whole=True)

    def blocks(self, blocks: tuple[Block, ...]) -> None:
        for block in blocks:
            self.block(block)

    def block(self, block: Block) -> None:
        match block:
            case Paragraph():
                mark = "! " if block.tone is Tone.WARNING else ""
                self.hung(mark, _text(block.runs, _TONES[block.tone]))
            case Bullets():
                for entry in block.entries:
                    self._entry(entry, "")
            case Table():
                self._table(block)
            case Hunk():
                self.line(Text(visible(block.path) + block.place, "bold"))
                self._verbatim(block.text)
            case Quote():
                if block.speaker:
                    self.line(_text(block.speaker))
                self._quote(block)
            case _:
                assert_never(block)

    def _entry(self, entry: Entry, indent: str) -> None:
        self.hung(f"{indent}• ", _text(entry.runs))
        for under in entry.under:
            self._entry(under, indent + "  ")

    def _table(self, table: Table) -> None:
        rows = [[_text(cell) for cell in row] for row in table.rows]
        columns = zip(table.header, *rows, strict=True)
        widths = [max(cell_len(str(cell)) for cell in column) for column in columns]
        if sum(widths) + COLUMN_GAP * (len(widths) - 1) > min(self._width, WIDEST_TABLE):
            if self._width == ENDLESS or table.turns is not None:
                for line in map(table.line, table.rows):
                    self._entry(line, "")
            else:
                self._named_lines(table)
            return
        grid = RichTable(box=box.SIMPLE, pad_edge=False, show_edge=False)
        for name in table.header:
            grid.add_column(Text(name, "bold"), no_wrap=True)
        for row in rows:
            grid.add_row(*row)
        self._console.print(grid)

    def _named_lines(self, table: Table) -> None:
        """Write the first cell of each row, and beside it the others in one line, both wrapped."""
        grid = RichTable.grid(padding=(0, COLUMN_GAP, 0, 0))
        grid.add_column(max_width=self._width * 2 // 5, overflow="fold")
        grid.add_column(overflow="fold")
        others = Table(table.header[1:], ())
        for name, *cells in table.rows:
            grid.add_row(_text(name), _text(others.line(tuple(cells)).runs))
        self._console.print(grid)

    def _verbatim(self, text: str) -> None:
        for line in revealed(text).rstrip("\n").split("\n"):
            style = {"+": "green", "-": "red", "@": "cyan"}.get(line[:1], "")
            self.line(Text(line.expandtabs(TAB), style), whole=True)

    def _quote(self, quote: Quote) -> None:
        shown = revealed(quote.text).rstrip("\n").expandtabs(TAB)
        if quote.printed:
            lines: Iterable[Text] = map(Text, shown.split("\n"))
        else:
            lines = (_text(line, quoted=True) for line in described(shown))
        for line in lines:
            self.line(Text(QUOTED) + line, whole=True)


def _text(runs: Runs, style: str = "", *, quoted: bool = False) -> Text:
    """Draw runs; in a quotation hidden characters are shown already, and spaces are kept."""
    text = Text(style=style)
    for run in runs:
        _append(text, run, NO_STYLE, quoted)
    return text


def _append(text: Text, run: Run, style: Style, quoted: bool) -> None:
    match run:
        case Words():
            text.append(run.text, style)
        case Foreign():
            text.append(run.text if quoted else inline(run.text), style)
        case Code():
            text.append(run.text if quoted else visible(run.text), style + CODE)
        case Link():
            linked = Style(color="blue", link=address(run.url) or None)
            text.append(visible(run.label), style + linked)
        case Strong() | Struck():
            strong = Style(bold=True) if isinstance(run, Strong) else Style(strike=True)
            for inner in run.runs:
                _append(text, inner, style + strong, quoted)
        case _:
            assert_never(run)
