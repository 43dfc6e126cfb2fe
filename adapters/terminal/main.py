"""The program `infra`: from a command line to an exit status.

Everything heavy is imported where it is needed, so that help and mistakes answer at once.
"""

import gc
import os
import sys
import traceback
from itertools import pairwise
from types import TracebackType

from typer.exceptions import TyperException

from adapters.terminal.interrupts import INTERRUPTED
from adapters.terminal.options import taken_apart
from adapters.terminal.output import forget_output, make_sound, warn
from digest.errors import InfraError
from digest.languages import Language
from digest.wording.saying import localized


def main() -> None:
    """Run the command line of this process and end it."""
    debug = "--debug" in sys.argv[1:]
    if not debug:
        sys.excepthook = _unexpected
    make_sound()
    # Trees of whole files are very many objects without cycles: looking for some took a tenth.
    gc.set_threshold(50_000, 20, 20)
    sys.exit(run(sys.argv[1:], debug=debug))


def run(arguments: list[str], *, debug: bool = False) -> int:
    """Run one command line and give its exit status; errors are told on standard error."""
    try:
        try:
            call = taken_apart(arguments)
        except TyperException as error:
            from adapters.terminal.commands import wrong_option

            raise wrong_option(error) or error from error
        if isinstance(call, int):
            return call
        from adapters.terminal.commands import answer

        return answer(call.words, call.options)
    except BrokenPipeError:
        forget_output()
        return 0
    except KeyboardInterrupt:
        return INTERRUPTED
    except InfraError as error:
        if debug:
            traceback.print_exc()
        for line in localized(error.why, _language(arguments)).splitlines():
            warn(line)
        return error.exit_status


def _language(arguments: list[str]) -> Language:
    """Return the language that errors are told in: `--lang`, else `INFRA_LANG`, else English."""
    parts = [part for each in arguments for part in each.split("=", 1)]
    after = dict(pairwise(parts)).get("--lang", os.environ.get("INFRA_LANG", ""))
    spoken = {each.value: each for each in Language}
    return spoken.get(after.casefold(), Language.EN)


def _unexpected(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    warn(
        f"a fault of this program ({kind.__name__}): run it again with --debug and report what it "
        "prints"
    )


if __name__ == "__main__":
    main()
