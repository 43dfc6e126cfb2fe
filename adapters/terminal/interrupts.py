"""Ctrl-C on the command line: quiet at any time, and in order once something is open."""

import os
import signal

INTERRUPTED = 130
"""128 + SIGINT, as shells report it."""


def end_at_once() -> None:
    """Let Ctrl-C end this process: raised within an import it is a traceback, or lost."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _exit)


def end_in_order() -> None:
    """Let Ctrl-C close what is open: from here on there is something."""
    if signal.getsignal(signal.SIGINT) is _exit:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _exit(*_: object) -> None:
    os._exit(INTERRUPTED)
