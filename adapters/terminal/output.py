"""What goes to standard output and standard error: text, and slow steps."""

import json
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from digest.errors import CouldNotLook
from digest.ports import Progress
from digest.wording.phrases import SAY

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
