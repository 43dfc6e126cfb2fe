"""From a reply to what is printed, in the format that was asked for."""

import shutil
import sys
from collections.abc import Callable

from adapters.terminal.options import Format, Options
from adapters.terminal.output import say
from bot.compose.pages import page
from bot.model.parts import Part
from bot.model.replies import DigestReply, Reply, RoundupReply
from digest.languages import Language
from digest.writing.document import Document

FALLBACK_WIDTH = 100


def show(reply: Reply, options: Options) -> None:
    """Print a reply on standard output, as wide and colourful as what reads it."""
    width, colour = _paper(options)
    text = draw(
        reply,
        options.format,
        full=options.full,
        brief=options.brief,
        analysis=options.analysis,
        width=width,
        colour=colour,
    )
    say(text)


def part_text(part: Part, language: Language) -> str:
    """Draw what a channel would get as plain text."""
    from adapters.terminal.text import render

    return render(Document(language, (), part.blocks, (), ()), width=0)


def show_page(document: Document, options: Options, as_json: Callable[[], str]) -> None:
    """Print a page that is no reply of chat in the form that was asked for."""
    width, colour = _paper(options)
    if options.format is Format.JSON:
        say(_ended(as_json()))
    else:
        say(_drawn(document, options.format, width, colour))


def _paper(options: Options) -> tuple[int, bool]:
    is_terminal = sys.stdout.isatty()
    width = shutil.get_terminal_size((FALLBACK_WIDTH, 24)).columns if is_terminal else 0
    return width, is_terminal and options.colour


def draw(
    reply: Reply,
    form: Format,
    *,
    full: bool = False,
    brief: bool = False,
    analysis: bool = False,
    width: int = 0,
    colour: bool = False,
) -> str:
    """Return a reply as text that ends with a line break.

    JSON holds everything whatever `full` and `brief` say. `width` and `colour` are for text alone.
    """
    if form is Format.JSON:
        return _json(reply)
    document = page(reply, full=full, brief=brief, analysis=analysis)
    return _drawn(document, form, width, colour, inline=brief)


def _drawn(
    document: Document, form: Format, width: int, colour: bool, *, inline: bool = False
) -> str:
    match form:
        case Format.TEXT:
            from adapters.terminal.text import render

            return _ended(render(document, width=width, colour=colour, inline=inline))
        case Format.MARKDOWN:
            from adapters.terminal.markdown import render as render_markdown

            return _ended(render_markdown(document))
        case Format.HTML:
            from adapters.pages.html import render as render_html

            return _ended(render_html(document))
    raise ValueError(f"no page is drawn as {form}")


def _json(reply: Reply) -> str:
    # Not at the top: what checks the schema takes a fifth of the time that help may take.
    from adapters.terminal import digest_json, reply_json

    match reply:
        case DigestReply(digest, language, surfaces, ripples):
            return _ended(digest_json.render(digest, language, surfaces, ripples))
        case RoundupReply(roundup, language, surfaces, ripples):
            return _ended(digest_json.render_roundup(roundup, language, surfaces, ripples))
    return reply_json.render(reply)


def _ended(text: str) -> str:
    return text if text.endswith("\n") else f"{text}\n"
