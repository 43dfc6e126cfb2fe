"""The program `infra`: from a command line to an exit status.

Everything heavy is imported where it is needed, so that help and mistakes answer at once.
"""

import os
import sys
from importlib.metadata import version
from types import TracebackType
from typing import Annotated

import typer
from typer.exceptions import TyperException

from adapters.terminal.options import Options, checked
from bot.commands import nearest, shown
from digest.errors import InfraError, UsageError

OPTION_NAMES = (
    *("--format", "--lang", "--tz", "--full", "--brief", "--source"),
    *("--no-store", "--debug", "--version", "--help"),
)

INTERRUPTED = 130
"""128 + SIGINT, as shells report it."""

app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)


@app.command(context_settings={"help_option_names": []})
def infra(
    words: Annotated[list[str] | None, typer.Argument()] = None,
    format_name: Annotated[str, typer.Option("--format")] = "text",
    language: Annotated[str | None, typer.Option("--lang")] = None,
    tz: Annotated[str | None, typer.Option("--tz")] = None,
    full: Annotated[bool, typer.Option("--full")] = False,
    brief: Annotated[bool, typer.Option("--brief")] = False,
    source: Annotated[str, typer.Option("--source")] = "github",
    no_store: Annotated[bool, typer.Option("--no-store")] = False,
    debug: Annotated[bool, typer.Option("--debug")] = False,
    show_version: Annotated[bool, typer.Option("--version")] = False,
    show_help: Annotated[bool, typer.Option("--help", "-h")] = False,
) -> int:
    """Say what happened in fast repositories; gives the exit status."""
    if show_version:
        sys.stdout.write(f"infra-digest {version('infra-digest')}\n")
        return 0
    options = checked(
        format_name=format_name,
        language=language,
        tz=tz,
        full=full,
        brief=brief,
        source=source,
        no_store=no_store,
    )
    return _answer(["help", *(words or [])[:1]] if show_help else words or [], options, debug)


def main() -> None:
    """Run the command line of this process and end it."""
    debug = "--debug" in sys.argv[1:]
    if not debug:
        sys.excepthook = _unexpected
    for stream in (sys.stdout, sys.stderr):
        # Titles may hold what the terminal's encoding cannot say, or half a character.
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # real streams
    sys.exit(run(sys.argv[1:], debug=debug))


def run(arguments: list[str], *, debug: bool = False) -> int:
    """Run one command line and give its exit status; errors are told on standard error."""
    try:
        status: int = app(arguments, standalone_mode=False)
        sys.stdout.flush()
    except BrokenPipeError:
        return _reader_left()
    except KeyboardInterrupt:
        return INTERRUPTED
    except TyperException as error:
        sys.stderr.write(f"infra: {_option_fault(error)}\n")
        return UsageError.exit_status
    except InfraError as error:
        if debug:
            raise
        sys.stderr.writelines(f"infra: {line}\n" for line in str(error).splitlines())
        return error.exit_status
    return status


def _answer(words: list[str], options: Options, debug: bool) -> int:
    from adapters.terminal.answering import answer

    return answer(words, options, debug=debug)


def _option_fault(error: TyperException) -> str:
    written = str(getattr(error, "option_name", "") or "")
    if not error.format_message().startswith("No such option"):
        return (
            shown(error.format_message())
            if len(error.format_message()) > 200
            else error.format_message()
        )
    meant = nearest(written, OPTION_NAMES)
    hint = f"did you mean {meant}?" if meant else f"options are {', '.join(OPTION_NAMES)}"
    return f"there is no option {shown(written)}: {hint}"


def _reader_left() -> int:
    # What is still buffered would be written, and fail again, when the interpreter ends.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _unexpected(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    sys.stderr.write(
        f"infra: a fault of this program ({kind.__name__}): run it again with --debug and report "
        "what it prints\n"
    )


if __name__ == "__main__":
    main()
