"""What goes to standard output and standard error: replies in a format, and slow steps.

What a format needs is imported with it: help draws one of them, and is not to wait for the others.
"""

import json
import os
import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

from adapters.terminal.options import Format, Options
from bot.compose.pages import page
from bot.model.parts import Part
from bot.model.replies import Reply
from digest.errors import CouldNotLook
from digest.languages import Language
from digest.ports import Progress
from digest.wording.phrases import SAY
from digest.writing.document import Document

PATIENCE_SECONDS = 1.0
"""How long a person waits without being told anything: Nielsen's limit for an unbroken thought,
https://www.nngroup.com/articles/response-times-3-important-limits/."""


class OutputFailed(CouldNotLook):
    """Standard output could not be written."""


def say(text: str) -> None:
    """Write to standard output at once.

    Raises `BrokenPipeError` where the reader left, which is no error, and `OutputFailed`.
    """
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        forget_output()
        raise OutputFailed(SAY.cli.output_failed(error.strerror)) from error


def as_json(document: object) -> str:
    """Return a document for programs as JSON that ends with a line break."""
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def warn(sentence: str) -> None:
    """Write one line to standard error."""
    sys.stderr.write(f"infra: {sentence}\n")


def make_sound() -> None:
    """Let no character and no closed stream stop the output of this process."""
    sys.stdout = _sound(sys.stdout)
    sys.stderr = _sound(sys.stderr)


def forget_output() -> None:
    """Drop what is still buffered, which would fail again when the interpreter ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def _sound(stream: TextIO | None) -> TextIO:
    if stream is None:  # the shell closed it: `infra … >&-`
        return open(os.devnull, "w", encoding="utf-8")
    # Titles may hold what the terminal's encoding cannot say, or half a character.
    stream.reconfigure(errors="backslashreplace")  # type: ignore[attr-defined]  # a real stream
    return stream


@contextmanager
def progress(stream: TextIO | None = None) -> Iterator[Progress]:
    """Give what is told each step; it shows on standard error after a second, and goes away."""
    stream = stream or sys.stderr
    if not stream.isatty():
        yield lambda _step: None
        return
    from rich.console import Console
    from rich.text import Text

    status = Console(file=stream).status("")
    timer = threading.Timer(PATIENCE_SECONDS, status.start)
    timer.daemon = True
    timer.start()

    def tell(step: str) -> None:
        plain = "".join(char if char.isprintable() else "�" for char in step)
        status.update(Text(plain, no_wrap=True, overflow="ellipsis"))

    try:
        yield tell
    finally:
        timer.cancel()
        timer.join()
        status.stop()


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
