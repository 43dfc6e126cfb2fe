"""A page that shows messages as they look on Slack and on Discord, side by side.

They are drawn from the same parts that both platforms draw: what a platform does with a part that
is too long for it, and how it escapes a stranger's text, is not seen here.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import assert_never

from adapters.pages.html import template
from bot.model.parts import ActionKind, Part
from digest.languages import Language
from digest.wording.saying import CATALOGUES
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
from digest.writing.emphasis import described
from digest.writing.visible import revealed

OPEN_MESSAGES = 4
"""Messages of a scene that are seen at once; the others are unfolded."""

PICTURE_WIDTH = 640
_KINDS = {Tone.LEAD: "title", Tone.SMALL: "small"}


@dataclass(frozen=True, slots=True)
class ChatLine:
    """A line of a message: `text`, `title`, `heading`, `small`, `bullet`, `quote` or `code`."""

    kind: str
    runs: Runs
    level: int = 0


@dataclass(frozen=True, slots=True)
class ShownMessage:
    """A message at a time of the day; `colour` is the bar of its frame on Discord, if it has one.

    `above` stands over that frame.
    """

    part: Part
    time: str
    in_thread: bool = False
    reactions: tuple[str, ...] = ()
    colour: str = ""
    above: str = ""

    @property
    def lines(self) -> tuple[ChatLine, ...]:
        """What the message says, line by line."""
        lines = [line for block in self.part.blocks for line in _lines(block)]
        return (*lines, *([ChatLine("small", self.part.state)] if self.part.state else []))

    @property
    def buttons(self) -> tuple[tuple[str, bool], ...]:
        """The buttons by their labels; what most people press stands out."""
        return tuple((each.label, each.kind is ActionKind.FLAG) for each in self.part.actions)


@dataclass(frozen=True, slots=True)
class Scene:
    """What both platforms show at one moment."""

    title: str
    note: str
    messages: Sequence[ShownMessage]


@dataclass(frozen=True, slots=True)
class ChatPage:
    """A whole page; `more` leads to the messages that are folded, `texts` are titled."""

    title: str
    intro: str
    more: str
    scenes: Sequence[Scene]
    texts: Sequence[tuple[str, str]]
    open_messages: int = OPEN_MESSAGES


def _lines(block: Block) -> Iterator[ChatLine]:
    match block:
        case Paragraph(runs, tone):
            warning = (Words("⚠️ "),) if tone is Tone.WARNING else ()
            is_heading = all(isinstance(run, Strong) for run in runs)
            kind = _KINDS.get(tone, "heading" if is_heading else "text")
            yield ChatLine(kind, (*warning, *runs))
        case Bullets(entries):
            for entry in entries:
                yield from _entry(entry, 0)
        case Table():
            for row in block.rows:
                yield from _entry(block.line(row), 0)
        case Quote(speaker, text):
            if speaker:
                yield ChatLine("text", speaker)
            yield from (ChatLine("quote", line) for line in described(text) if line)
        case Hunk(_, text):
            yield ChatLine("text", (Strong((Foreign(block.path + block.place),)),))
            yield from (ChatLine("code", (Words(line),)) for line in revealed(text).splitlines())
        case _:
            assert_never(block)


def _entry(entry: Entry, level: int) -> Iterator[ChatLine]:
    yield ChatLine("bullet", entry.runs, level)
    for under in entry.under:
        yield from _entry(under, level + 1)


def render(page: ChatPage, language: Language) -> str:
    """Return the page as one HTML file that asks for nothing from outside."""
    return template("chat.html.jinja").render(page=page, language=CATALOGUES[language].html_tag)


def picture(
    shown: Sequence[ShownMessage], platform: str, title: str, height: int, language: Language
) -> str:
    """Return messages of a platform, in lower case, as an SVG that asks for nothing from outside.

    Nothing measures how high they are: what does not fit into `height` pixels fades out.
    """
    return template("chat.svg.jinja").render(
        shown=shown,
        platform=platform,
        title=title,
        width=PICTURE_WIDTH,
        height=height,
        language=CATALOGUES[language].html_tag,
    )
