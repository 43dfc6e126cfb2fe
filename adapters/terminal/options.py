"""The options of the command line, and their checks."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from bot.model.commands import nearest, shown
from digest.errors import UsageError
from digest.languages import Language
from digest.phrase import Example
from digest.times import zone_meant
from digest.wording.phrases import SAY

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


OPTION_NAMES = (
    *("--format", "--lang", "--tz", "--full", "--brief", "--analysis", "--source"),
    *("--only", "--at", "--send", "--channel", "--yes"),
    *("--clones", "--write", "--of", "--for", "--draft", "--model"),
    *("--no-store", "--debug", "--version", "--help"),
)

SOURCE_FORMS = "github, git:PATH_OR_URL or recorded:FILE"


def format_of(value: str) -> Format:
    """Read `--format`, or raise `UsageError` with the nearest right value, as all of these do."""
    return Format(_one_of("--format", value, tuple(Format)))


def language_of(value: str) -> Language | None:
    """Read `--lang`; an empty one is as set."""
    return Language(_one_of("--lang", value, tuple(Language))) if value else None


def zone_of(value: str) -> str | None:
    """Read `--tz`: the IANA name of a zone, however it is written; an empty one is as set."""
    return zone_meant(value).key if value else None


def source_of(value: str) -> str:
    """Read `--source`."""
    kind, colon, place = value.partition(":")
    if value != "github" and not (kind in {"git", "recorded"} and colon and place):
        raise UsageError(SAY.cli.no_source(shown(value), SOURCE_FORMS))
    return value


def refuse_both(options: Options) -> None:
    """Refuse options that exclude each other."""
    if options.full and options.brief:
        raise UsageError(SAY.cli.full_or_brief)
    if options.analysis and options.brief:
        raise UsageError(SAY.cli.analysis_or_brief)


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
