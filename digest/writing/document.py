"""A page without a medium: what is said, in which order, and which words are whose.

Renderers draw a `Document`; they escape, colour and break lines, but add no fact and leave none
out. `Words` are the product's own; `Foreign` is a stranger's text, kept as it came, which no
renderer may let ping anyone, mask a link or break the page.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TypeAlias, Union

from digest.languages import Language


@dataclass(frozen=True, slots=True)
class Words:
    """Text of the product's own."""

    text: str


@dataclass(frozen=True, slots=True)
class Moment(Words):
    """A time on a channel's clock, which a platform may show on its reader's own."""

    at: datetime


@dataclass(frozen=True, slots=True)
class Foreign:
    """Text written by strangers (titles, logins, labels, quotes), verbatim."""

    text: str


@dataclass(frozen=True, slots=True)
class Code:
    """A name from source code, verbatim: a flag, a path, a version."""

    text: str


@dataclass(frozen=True, slots=True)
class Typed(Code):
    """A command in the grammar of `docs/commands.md`, which a chat shows as it is typed there."""


@dataclass(frozen=True, slots=True)
class Link:
    """A reference such as `#35621` that leads to its page; an empty `url` means plain text.

    A `url` of the form `#anchor` leads to a section of the same page, where the medium can.
    """

    label: str
    url: str


@dataclass(frozen=True, slots=True)
class Strong:
    """Runs that stand out."""

    runs: tuple["Run", ...]


@dataclass(frozen=True, slots=True)
class Struck:
    """Runs that no longer hold, such as the title of a reverted change."""

    runs: tuple["Run", ...]


# Union, because a forward reference in quotes cannot be joined with `|` before Python 3.14.
Run: TypeAlias = Union[Words, Foreign, Code, Link, Strong, Struck]  # noqa: UP007 - reason above
Runs: TypeAlias = tuple[Run, ...]


class Tone(StrEnum):
    """How a paragraph wants to be met."""

    PLAIN = "plain"
    LEAD = "lead"
    WARNING = "warning"
    SMALL = "small"


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Runs in one paragraph."""

    runs: Runs
    tone: Tone = Tone.PLAIN


@dataclass(frozen=True, slots=True)
class Entry:
    """One bullet: its own line, then lines under it, then a quotation of a stranger's words.

    `about` are the keys of the items that it tells, where a medium can ask what it is about.
    """

    runs: Runs
    under: tuple["Entry", ...] = ()
    about: tuple[str, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        """Of what it and the lines under it tell."""
        return (*self.about, *(key for each in self.under for key in each.keys))


@dataclass(frozen=True, slots=True)
class Bullets:
    """A list of entries."""

    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows as long as the header; an empty first cell says the same as the one above it.

    `turns` is the column of what was before, which the next column says what it became.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[Runs, ...], ...]
    turns: int | None = None

    def shown_cells(self, row: tuple[Runs, ...]) -> tuple[bool, ...]:
        """Tell which cells are said where a row stands in one line, without its columns.

        A name that is one of two sides is said there alone; one side that is the name, not again.
        """
        shown = [says(cell) for cell in row]
        if self.turns is None:
            return tuple(shown)
        sides = (self.turns, self.turns + 1)
        turned = self.turned(row) is not None
        for place in range(self.turns):
            for side in sides:
                if shown[place] and _is_named(row[place], row[side]):
                    shown[place if turned else side] = False
        return tuple(shown)

    @property
    def columns(self) -> str:
        """Give the names of the columns in one line."""
        return " · ".join(name for name in self.header if name)

    def line(self, row: tuple[Runs, ...]) -> Entry:
        """Give a row as one line, for a medium without columns; what says nothing is left out."""
        runs: Runs = ()
        for cell, is_shown in zip(row, self.shown_cells(row), strict=True):
            if is_shown:
                runs = (*runs, Words(" · "), *cell) if runs else cell
        return Entry(runs)

    def turned(self, row: tuple[Runs, ...]) -> int | None:
        """Give the place of what something became, where the row says both sides of it."""
        if self.turns is None or not all(map(says, row[self.turns : self.turns + 2])):
            return None
        return self.turns + 1


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines of a diff, byte for byte, of the file `path`; `line` is where a reader looks first."""

    path: str
    text: str
    line: int | None = None

    @property
    def place(self) -> str:
        """Give what stands behind the path: `:251`, or nothing."""
        return f":{self.line}" if self.line else ""


@dataclass(frozen=True, slots=True)
class Quote:
    """A stranger's own sentences; `speaker` says whose they are.

    `printed` ones are a table or output, whose columns stand under each other.
    """

    speaker: Runs
    text: str
    printed: bool = False


Block: TypeAlias = Paragraph | Bullets | Table | Hunk | Quote


@dataclass(frozen=True, slots=True)
class Section:
    """A heading of `level` 2 to 4 with an anchor (`a-z0-9-`, unique in its page), and blocks.

    What is `folded` is opened by who wants it, where the medium can. `about` are the keys of the
    items that it tells.
    """

    heading: Runs
    anchor: str
    blocks: tuple[Block, ...]
    level: int = 2
    folded: bool = False
    about: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that items of a page can be chosen by, as `Stories`, and the keys of these."""

    label: str
    keys: frozenset[str]


@dataclass(frozen=True, slots=True)
class Filter:
    """What the items of a page can be chosen by, where a medium can: each in its own right.

    Labels of `authors` are strangers' words.
    """

    kinds: tuple[Choice, ...]
    grades: tuple[Choice, ...]
    authors: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """A whole page: title, what comes before the first section, sections, and the small print.

    `concerned` are keys and addresses of items that concern a codebase, where a page is made for
    one: a medium that can shows what tells of them alone.
    """

    language: Language
    title: Runs
    lead: tuple[Block, ...]
    sections: tuple[Section, ...]
    footer: tuple[Paragraph, ...]
    concerned: frozenset[str] = frozenset()
    filter: Filter | None = None


NOTHING = "–"
"""What a cell holds that has nothing to say."""
ARROW = " → "
"""Between what was before and what it became, where they stand in one line."""

_PLACE = re.compile("#[a-z0-9-]{1,300}")


def is_place(url: str) -> bool:
    """Tell whether a link leads to a section of its own page."""
    return _PLACE.fullmatch(url) is not None


def says(cell: Runs) -> bool:
    """Tell whether a cell says anything."""
    return cell not in ((), (Words(""),), (Foreign(""),), (Words(NOTHING),))


def _is_named(name: Runs, side: Runs) -> bool:
    """Tell whether one side is the name itself, alone or as `NAME (unit, default)`."""
    match name, side:
        case (Code(known),), (Code(said),):
            return said == known or said.startswith(f"{known} (")
    return name == side


def walk(part: object) -> Iterator[Entry | Run]:
    """Yield every entry and run of a page or a part of one, each before what it holds.

    Headings of sections and the small print are aside.
    """
    match part:
        case Document(_, title, lead, sections):
            yield from walk((title, lead, sections))
        case Section(_, _, blocks):
            yield from walk(blocks)
        case Paragraph(runs) | Quote(runs):
            yield from walk(runs)
        case Bullets(entries):
            yield from walk(entries)
        case Table(_, rows):
            yield from walk(rows)
        case Entry(runs, under):
            yield part
            yield from walk((runs, under))
        case Strong(runs) | Struck(runs):
            yield part
            yield from walk(runs)
        case Words() | Foreign() | Code() | Link():
            yield part
        case tuple():
            for each in part:
                yield from walk(each)


def links(part: object) -> Iterator[Link]:
    """Yield the links of a page or a part of one, in their order."""
    return (run for run in walk(part) if isinstance(run, Link))


def keys_in(blocks: Iterable[Block]) -> tuple[str, ...]:
    """Give the keys of the items that lists tell, each once, in their order."""
    found = (each.about for each in walk(tuple(blocks)) if isinstance(each, Entry))
    return tuple(dict.fromkeys(key for about in found for key in about))


def anchors(document: Document) -> frozenset[str]:
    """Give the anchors that the links of a page lead to."""
    return frozenset(link.url[1:] for link in links(document) if is_place(link.url))
