"""How the program `infra` begins: before anything is imported that takes a moment."""

import sys

INTERRUPTED = 130
"""128 + SIGINT, as shells report it."""


def main() -> None:
    """Run the command line of this process and end it; Ctrl-C ends it quietly at any time."""
    try:
        from adapters.terminal.main import main as run_and_exit

        run_and_exit()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
