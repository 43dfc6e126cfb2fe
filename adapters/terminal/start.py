"""How the program `infra` begins: before anything is imported that takes a moment."""

import sys

from adapters.terminal.interrupts import INTERRUPTED, end_at_once


def main() -> None:
    """Run the command line of this process and end it; Ctrl-C ends it quietly at any time."""
    end_at_once()
    try:
        from adapters.terminal.main import main as run_and_exit

        run_and_exit()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
