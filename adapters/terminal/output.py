"""What goes to standard output and standard error, and what happens when it cannot."""

import os
import sys
from typing import TextIO

from digest.errors import CouldNotLook


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
        message = f"the output cannot be written: {error.strerror}: make room and ask again"
        raise OutputFailed(message) from error


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
