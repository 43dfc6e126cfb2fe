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
class BotOptions:
    """Options that belong to one command each, as written; empty where they were not."""

    only: str = ""
    at: str = ""
    send: bool = False
    channel: str = ""
    yes: bool = False
    clones: str = ""
    write: str = ""
    learn: str = ""
    of: str = ""
    surface: str = ""
    draft: bool = False
    model: bool = False


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
    bot: BotOptions = BotOptions()


NO_BOT_OPTIONS = BotOptions()

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
    bot: BotOptions = NO_BOT_OPTIONS,
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
        bot=bot,
    )


def refuse_strays(options: Options, *, is_digest: bool = False) -> None:
    """Raise `UsageError` for an option that belongs to another command; a digest takes `--for`."""
    written = {
        "--only": (options.bot.only, "run"),
        "--at": (options.bot.at, "deliver"),
        "--send": (options.bot.send, "deliver"),
        "--channel": (options.bot.channel, "subscribe"),
        "--yes": (options.bot.yes, "restore"),
        "--clones": (options.bot.clones, "evaluate"),
        "--write": (options.bot.write, "evaluate"),
        "--learn": (options.bot.learn, "evaluate"),
        "--of": (options.bot.of, "surface"),
        "--for": ("" if is_digest else options.bot.surface, "upgrade"),
        "--draft": (options.bot.draft, "upgrade"),
        "--model": (options.bot.model, "evaluate"),
    }
    for name, (value, command) in written.items():
        if value:
            raise UsageError(SAY.cli.other_command(name, command))


def _one_of(option: str, value: str, values: tuple[str, ...]) -> str:
    if value.casefold() in values:
        return value.casefold()
    meant = nearest(value, values)
    choices = SAY.cli.write(f"{option} {'|'.join(values)}")
    hint = SAY.commands.did_you_mean(Example(meant)) if meant else choices
    raise UsageError(SAY.cli.not_a_value(option, shown(value), hint))
