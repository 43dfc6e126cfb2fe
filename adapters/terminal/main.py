"""The program `infra`: from a command line to an exit status.

Everything heavy is imported where it is needed, so that help and mistakes answer at once.
"""

import os
import sys
import traceback
from importlib.metadata import version
from itertools import pairwise
from types import TracebackType
from typing import Annotated, NamedTuple

import typer
from typer.exceptions import TyperException
from typer.main import get_command

from adapters.terminal.options import (
    Format,
    Options,
    format_of,
    language_of,
    no_option,
    refuse_both,
    source_of,
    zone_of,
)
from adapters.terminal.output import forget_output, make_sound, say, warn
from adapters.terminal.start import INTERRUPTED
from digest.errors import InfraError, UsageError
from digest.languages import Language
from digest.wording.saying import said

app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)


class Call(NamedTuple):
    """A command line taken apart: its words, with the options of one command alone, and others."""

    words: list[str]
    options: Options


def _version(is_asked: bool) -> None:
    if is_asked:
        say(f"infra-digest {version('infra-digest')}\n")
        raise typer.Exit


@app.command(context_settings={"help_option_names": [], "ignore_unknown_options": True})
def infra(
    words: Annotated[list[str] | None, typer.Argument()] = None,
    form: Annotated[Format, typer.Option("--format", parser=format_of)] = Format.TEXT,
    language: Annotated[Language | None, typer.Option("--lang", parser=language_of)] = None,
    tz: Annotated[str | None, typer.Option("--tz", parser=zone_of)] = None,
    full: Annotated[bool, typer.Option("--full")] = False,
    brief: Annotated[bool, typer.Option("--brief")] = False,
    analysis: Annotated[bool, typer.Option("--analysis")] = False,
    source: Annotated[str, typer.Option("--source", parser=source_of)] = "github",
    surface: Annotated[str, typer.Option("--for")] = "",
    no_store: Annotated[bool, typer.Option("--no-store")] = False,
    debug: Annotated[bool, typer.Option("--debug")] = False,
    _asked: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True)] = False,
    show_help: Annotated[bool, typer.Option("--help", "-h")] = False,
) -> Call:
    """Take a command line apart; nothing is done yet.

    Options of one command alone stay among the words: `adapters.terminal.commands` reads them.
    """
    options = Options(
        format=form,
        language=language,
        tz=tz,
        full=full,
        brief=brief,
        source=source,
        store=not no_store,
        analysis=analysis,
        colour=not os.environ.get("NO_COLOR"),  # https://no-color.org
        surface=surface,
        debug=debug,
    )
    refuse_both(options)
    typed = words or []
    return Call(["help", *typed[:1]] if show_help else typed, options)


def main() -> None:
    """Run the command line of this process and end it."""
    debug = "--debug" in sys.argv[1:]
    if not debug:
        sys.excepthook = _unexpected
    make_sound()
    sys.exit(run(sys.argv[1:], debug=debug))


def run(arguments: list[str], *, debug: bool = False) -> int:
    """Run one command line and give its exit status; errors are told on standard error."""
    try:
        return _run(arguments)
    except BrokenPipeError:
        forget_output()
        return 0
    except KeyboardInterrupt:
        return INTERRUPTED
    except TyperException as error:
        warn(_option_fault(error))
        return UsageError.exit_status
    except InfraError as error:
        if debug:
            traceback.print_exc()
        for line in said(error.why, _language(arguments)).splitlines():
            warn(line)
        return error.exit_status


def _language(arguments: list[str]) -> Language:
    """Return the language that errors are told in: `--lang`, else `INFRA_LANG`, else English."""
    after = dict(pairwise(arguments)).get("--lang", os.environ.get("INFRA_LANG", ""))
    spoken = {each.value: each for each in Language}
    return spoken.get(after.casefold(), Language.EN)


def taken_apart(arguments: list[str]) -> Call | int:
    """Take a command line apart, or give the exit status of one that is answered already.

    What stands behind `--` is never an option.
    """
    end = arguments.index("--") if "--" in arguments else len(arguments)
    # The command, not the app: an app would put its own hook for tracebacks in place.
    call: Call | int = get_command(app)(arguments[:end], prog_name="infra", standalone_mode=False)
    if isinstance(call, Call):
        call.words.extend(arguments[end:])
    return call


def _run(arguments: list[str]) -> int:
    call = taken_apart(arguments)
    if isinstance(call, int):
        return call
    from adapters.terminal.commands import answer

    return answer(call.words, call.options)


def _option_fault(error: TyperException) -> str:
    written = str(getattr(error, "option_name", ""))
    fault = error.format_message()
    if not fault.startswith("No such option"):
        return fault.rstrip(".").replace("Option '", "'")
    return no_option(written)


def _unexpected(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    warn(
        f"a fault of this program ({kind.__name__}): run it again with --debug and report what it "
        "prints"
    )


if __name__ == "__main__":
    main()
