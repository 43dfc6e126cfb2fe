"""The options of the command line, and their checks."""

from dataclasses import dataclass
from enum import StrEnum

from bot.model.commands import nearest, shown
from digest.errors import UsageError
from digest.languages import Language
from digest.phrase import Example
from digest.windows import zone_meant
from digest.wording.phrases import SAY


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


OPTION_NAMES = (
    *("--format", "--lang", "--tz", "--full", "--brief", "--analysis", "--source"),
    *("--only", "--at", "--send", "--channel", "--yes"),
    *("--clones", "--write", "--learn", "--of", "--for", "--draft", "--model"),
    *("--no-store", "--debug", "--version", "--help"),
)

SOURCE_FORMS = "github, git:PATH_OR_URL or recorded:FILE"


def checked(
    *,
    format_name: str,
    language: str | None,
    tz: str | None,
    full: bool,
    brief: bool,
    source: str,
    no_store: bool,
    analysis: bool = False,
    colour: bool = True,
    surface: str = "",
) -> Options:
    """Return the options, or raise `UsageError` with the nearest right value."""
    if full and brief:
        raise UsageError(SAY.cli.full_or_brief)
    if analysis and brief:
        raise UsageError(SAY.cli.analysis_or_brief)
    kind, colon, place = source.partition(":")
    if source != "github" and not (kind in {"git", "recorded"} and colon and place):
        raise UsageError(SAY.cli.no_source(shown(source), SOURCE_FORMS))
    return Options(
        format=Format(_one_of("--format", format_name, tuple(Format))),
        language=Language(_one_of("--lang", language, tuple(Language))) if language else None,
        tz=zone_meant(tz).key if tz else None,
        full=full,
        brief=brief,
        source=source,
        store=not no_store,
        analysis=analysis,
        colour=colour,
        surface=surface,
    )


def no_option(written: str) -> str:
    """Return the sentence about an option that there is not."""
    meant = nearest(written, OPTION_NAMES)
    hint = f"did you mean {meant}?" if meant else f"options are {', '.join(OPTION_NAMES)}"
    return f"there is no option {shown(written)}: {hint}"


def _one_of(option: str, value: str, values: tuple[str, ...]) -> str:
    if value.casefold() in values:
        return value.casefold()
    meant = nearest(value, values)
    choices = SAY.cli.write(f"{option} {'|'.join(values)}")
    hint = SAY.commands.did_you_mean(Example(meant)) if meant else choices
    raise UsageError(SAY.cli.not_a_value(option, shown(value), hint))
