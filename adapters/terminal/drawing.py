"""Replies and pages in the form that was asked for, on standard output.

What a format needs is imported with it: help draws one of them, and is not to wait for the others.
"""

import shutil
import sys
from collections.abc import Callable

from adapters.terminal.options import Format, Options
from adapters.terminal.output import as_json, say
from bot.compose.pages import page
from bot.model.parts import Part
from bot.model.replies import Reply
from digest.languages import Language
from digest.writing.document import Document

FALLBACK_WIDTH = 100


def show(reply: Reply, options: Options) -> None:
    """Print a reply on standard output, as wide and colourful as what reads it."""
    width, colour = _paper(options)
    say(draw(reply, options, width=width, colour=colour))


def show_page(document: Document, options: Options, as_document: Callable[[], object]) -> None:
    """Print a page that is no reply of chat in the form that was asked for."""
    is_json = options.format is Format.JSON
    say(as_json(as_document()) if is_json else _drawn(document, options.format, *_paper(options)))


def part_text(part: Part, language: Language) -> str:
    """Draw what a channel would get as plain text."""
    return _drawn(Document(language, (), part.blocks, (), ()), Format.TEXT)


def _paper(options: Options) -> tuple[int, bool]:
    is_terminal = sys.stdout.isatty()
    width = shutil.get_terminal_size((FALLBACK_WIDTH, 24)).columns if is_terminal else 0
    return width, is_terminal and options.colour


def draw(reply: Reply, options: Options, *, width: int = 0, colour: bool = False) -> str:
    """Return a reply as text that ends with a line break; width and colour are for text alone.

    JSON holds everything, however much of it is asked for.
    """
    if options.format is not Format.JSON:
        document = page(reply, full=options.full, brief=options.brief, analysis=options.analysis)
        return _drawn(document, options.format, width, colour)
    from adapters.terminal.documents import reply_json

    return as_json(reply_json(reply))


def _drawn(document: Document, form: Format, width: int = 0, colour: bool = False) -> str:
    match form:
        case Format.MARKDOWN:
            from adapters.terminal import markdown

            return markdown.render(document)
        case Format.HTML:
            from adapters.pages import html

            return html.render(document)
    from adapters.terminal import text

    return text.render(document, width=width, colour=colour)
