"""The options of the command line, and their checks."""

import os
from dataclasses import dataclass
from enum import StrEnum
from importlib.metadata import version
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer
from typer.main import get_command

from adapters.terminal.output import say
from bot.model.commands import nearest, shown
from digest.errors import UsageError
from digest.languages import Language
from digest.phrase import Example
from digest.times import zone_meant
from digest.wording.phrases import SAY
from digest.writing.visible import visible

if TYPE_CHECKING:
    from bot.answer.answers import Asker
    from bot.settings import Settings


class Format(StrEnum):
    """How an answer is drawn."""

    TEXT = "text"
    MARKDOWN = "markdown"
    JSON = "json"
    HTML = "html"
    TOML = "toml"
    """Of a surface alone."""

    CSV = "csv"
    """Of follow-ups alone."""


PAGES = (Format.TEXT, Format.MARKDOWN, Format.JSON, Format.HTML)
"""How what was asked is drawn."""


@dataclass(frozen=True, slots=True)
class Options:
    """What was asked for beside the words; None means that the settings decide."""

    format: Format = Format.TEXT
    language: Language | None = None
    tz: str | None = None
    full: bool = False
    brief: bool = False
    source: str = "github"
    store: bool = True
    analysis: bool = False
    colour: bool = True
    surface: str = ""
    """A file, a codebase or its address, for which something is looked at."""

    debug: bool = False

    def asker(self, settings: "Settings") -> "Asker":
        """Return zone and language, as asked for or else as set."""
        from bot.answer.answers import Asker  # it takes a while, and help has no need of it

        return Asker(self.tz or settings.tz, self.language or settings.lang)


SOURCE_FORMS = "github, git:PATH_OR_URL or recorded:FILE"


def _format(value: str) -> Format:
    """Read `--format`, or raise `UsageError` with the nearest right value, as all of these do."""
    return Format(_one_of("--format", value, tuple(Format), offered=PAGES))


def _language(value: str) -> Language | None:
    """Read `--lang`; an empty one is as set."""
    return Language(_one_of("--lang", value, tuple(Language))) if value else None


def _zone(value: str) -> str | None:
    """Read `--tz`: the IANA name of a zone, however it is written; an empty one is as set."""
    return zone_meant(value).key if value else None


def _source(value: str) -> str:
    """Read `--source`."""
    kind, colon, place = value.partition(":")
    if value != "github" and not (kind in {"git", "recorded"} and colon and place):
        is_folder = not colon and "/" in value
        raise UsageError(
            SAY.cli.no_source(shown(value), f"git:{visible(value)}" if is_folder else SOURCE_FORMS)
        )
    return value


def _one_of(option: str, value: str, values: tuple[str, ...], offered: tuple[str, ...] = ()) -> str:
    if value.casefold() in values:
        return value.casefold()
    meant = nearest(value, values)
    choices = SAY.cli.write(f"{option} {'|'.join(offered or values)}")
    hint = SAY.commands.did_you_mean(Example(meant)) if meant else choices
    raise UsageError(SAY.cli.not_a_value(option, shown(value), hint))


app = typer.Typer(add_completion=False, rich_markup_mode=None)


class ParsedCommand(NamedTuple):
    """A command line taken apart: its words, with the options of one command alone, and others."""

    words: list[str]
    options: Options


def _version(is_asked: bool) -> None:
    if is_asked:
        say(f"infra-digest {version('infra-digest')}\n")
        raise typer.Exit


@app.command(context_settings={"help_option_names": [], "ignore_unknown_options": True})
def _infra(
    words: Annotated[list[str] | None, typer.Argument()] = None,
    form: Annotated[Format, typer.Option("--format", parser=_format)] = Format.TEXT,
    language: Annotated[Language | None, typer.Option("--lang", parser=_language)] = None,
    tz: Annotated[str | None, typer.Option("--tz", parser=_zone)] = None,
    full: Annotated[bool, typer.Option("--full")] = False,
    brief: Annotated[bool, typer.Option("--brief")] = False,
    analysis: Annotated[bool, typer.Option("--analysis")] = False,
    source: Annotated[str, typer.Option("--source", parser=_source)] = "github",
    surface: Annotated[str, typer.Option("--for")] = "",
    no_store: Annotated[bool, typer.Option("--no-store")] = False,
    debug: Annotated[bool, typer.Option("--debug")] = False,
    _asked: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True)] = False,
    show_help: Annotated[bool, typer.Option("--help", "-h")] = False,
) -> ParsedCommand:
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
    if brief and (full or analysis):
        raise UsageError(SAY.cli.not_with_brief("--full" if full else "--analysis"))
    typed = words or []
    return ParsedCommand(["help", *typed[:1]] if show_help else typed, options)


def taken_apart(arguments: list[str]) -> ParsedCommand | int:
    """Take a command line apart, or give the exit status of one that is answered already.

    What stands behind `--` is never an option.
    """
    end = arguments.index("--") if "--" in arguments else len(arguments)
    # The command, not the app: an app would put its own hook for tracebacks in place.
    call: ParsedCommand | int = get_command(app)(
        arguments[:end], prog_name="infra", standalone_mode=False
    )
    if isinstance(call, ParsedCommand):
        call.words.extend(arguments[end:])
    return call
