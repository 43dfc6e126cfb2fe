"""Says on a terminal what a slow step is at; silent for anyone else."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from digest.ports import Progress

PATIENCE_SECONDS = 1.0
"""How long a person waits without being told anything: Nielsen's limit for an unbroken thought,
https://www.nngroup.com/articles/response-times-3-important-limits/."""


@contextmanager
def progress(stream: TextIO | None = None) -> Iterator[Progress]:
    """Give what is told each step; it shows on standard error after a second, and goes away."""
    stream = stream or sys.stderr
    if not stream.isatty():
        yield _silent
        return
    line = _Line(stream)
    try:
        yield line.tell
    finally:
        line.end()


def _silent(_step: str) -> None:
    """Tell nobody."""


class _Line:
    """One changing line on a terminal."""

    def __init__(self, stream: TextIO) -> None:
        from rich.console import Console

        self._status = Console(file=stream).status("")
        self._timer = threading.Timer(PATIENCE_SECONDS, self._status.start)
        self._timer.daemon = True
        self._timer.start()

    def tell(self, step: str) -> None:
        from rich.text import Text

        plain = "".join(char if char.isprintable() else "�" for char in step)
        self._status.update(Text(plain, no_wrap=True, overflow="ellipsis"))

    def end(self) -> None:
        self._timer.cancel()
        self._timer.join()
        self._status.stop()
