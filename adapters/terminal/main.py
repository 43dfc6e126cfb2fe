"""The program `infra`: from a command line to an exit status.

Everything heavy is imported where it is needed, so that help and mistakes answer at once.
"""

import os
import sys
import traceback
from dataclasses import dataclass
from importlib.metadata import version
from itertools import pairwise
from types import TracebackType
from typing import Annotated

import typer
from typer.exceptions import TyperException
from typer.main import get_command

from adapters.terminal.options import BotOptions, Options, checked
from adapters.terminal.output import forget_output, make_sound, say, warn
from bot.model.commands import nearest, shown
from digest.errors import InfraError, UsageError
from digest.languages import Language
from digest.wording.saying import said

OPTION_NAMES = (
    *("--format", "--lang", "--tz", "--full", "--brief", "--analysis", "--source"),
    *("--only", "--at", "--send", "--channel", "--yes"),
    *("--clones", "--write", "--learn", "--of", "--for", "--draft", "--model"),
    *("--no-store", "--debug", "--version", "--help"),
)

INTERRUPTED = 130
"""128 + SIGINT, as shells report it."""

app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)


@dataclass(frozen=True, slots=True)
class Call:
    """A command line taken apart."""

    words: tuple[str, ...]
    options: Options
    debug: bool = False
    show_version: bool = False


@app.command(context_settings={"help_option_names": []})
def infra(
    words: Annotated[list[str] | None, typer.Argument()] = None,
    format_name: Annotated[str, typer.Option("--format")] = "text",
    language: Annotated[str | None, typer.Option("--lang")] = None,
    tz: Annotated[str | None, typer.Option("--tz")] = None,
    full: Annotated[bool, typer.Option("--full")] = False,
    brief: Annotated[bool, typer.Option("--brief")] = False,
    analysis: Annotated[bool, typer.Option("--analysis")] = False,
    source: Annotated[str, typer.Option("--source")] = "github",
    only: Annotated[str, typer.Option("--only")] = "",
    at: Annotated[str, typer.Option("--at")] = "",
    send: Annotated[bool, typer.Option("--send")] = False,
    channel: Annotated[str, typer.Option("--channel")] = "",
    yes: Annotated[bool, typer.Option("--yes")] = False,
    clones: Annotated[str, typer.Option("--clones")] = "",
    model: Annotated[bool, typer.Option("--model")] = False,
    write: Annotated[str, typer.Option("--write")] = "",
    learn: Annotated[str, typer.Option("--learn")] = "",
    of: Annotated[str, typer.Option("--of")] = "",
    surface: Annotated[str, typer.Option("--for")] = "",
    draft: Annotated[bool, typer.Option("--draft")] = False,
    no_store: Annotated[bool, typer.Option("--no-store")] = False,
    debug: Annotated[bool, typer.Option("--debug")] = False,
    show_version: Annotated[bool, typer.Option("--version")] = False,
    show_help: Annotated[bool, typer.Option("--help", "-h")] = False,
) -> Call:
    """Take a command line apart; nothing is done yet."""
    options = checked(
        format_name=format_name,
        language=language,
        tz=tz,
        full=full,
        brief=brief,
        source=source,
        no_store=no_store,
        analysis=analysis,
        bot=BotOptions(
            only, at, send, channel, yes, clones, write, learn, of, surface, draft, model
        ),
        colour=not os.environ.get("NO_COLOR"),  # https://no-color.org
    )
    typed = tuple(words or ())
    return Call(("help", *typed[:1]) if show_help else typed, options, debug, show_version)


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


def _run(arguments: list[str]) -> int:
    # The command, not the app: an app would put its own hook for tracebacks in place.
    call: Call = get_command(app)(arguments, prog_name="infra", standalone_mode=False)
    if call.show_version:
        say(f"infra-digest {version('infra-digest')}\n")
        return 0
    from adapters.terminal.dispatch import answer

    return answer(list(call.words), call.options, debug=call.debug)


def _option_fault(error: TyperException) -> str:
    written = str(getattr(error, "option_name", ""))
    fault = error.format_message()
    if not fault.startswith("No such option"):
        return fault.rstrip(".").replace("Option '", "'")
    meant = nearest(written, OPTION_NAMES)
    hint = f"did you mean {meant}?" if meant else f"options are {', '.join(OPTION_NAMES)}"
    return f"there is no option {shown(written)}: {hint}"


def _unexpected(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    warn(
        f"a fault of this program ({kind.__name__}): run it again with --debug and report what it "
        "prints"
    )


if __name__ == "__main__":
    main()
