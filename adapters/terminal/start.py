"""How the program `infra` begins: before anything is imported that takes a moment."""

import os
import signal
import sys

INTERRUPTED = 130
"""128 + SIGINT, as shells report it."""


def main() -> None:
    """Run the command line of this process and end it; Ctrl-C ends it quietly at any time."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        # Raised within an import, an interrupt is a traceback, or lost.
        signal.signal(signal.SIGINT, _end_at_once)
    try:
        from adapters.terminal.main import main as run_and_exit

        run_and_exit()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


def begin() -> None:
    """Let Ctrl-C close what is open: from here on there is something."""
    if signal.getsignal(signal.SIGINT) is _end_at_once:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _end_at_once(*_: object) -> None:
    os._exit(INTERRUPTED)
