"""One command line answered: from words and options to what is printed."""

import asyncio
from typing import TYPE_CHECKING

from adapters.terminal.commands import (
    ROWS,
    UPGRADE_EXAMPLE,
    Backfill,
    Backup,
    BotCommand,
    Check,
    Demo,
    Evaluate,
    ExportMarkdown,
    Forget,
    InChannel,
    ListFollowUps,
    Record,
    Restore,
    ShowBetween,
    ShowSurface,
    ShowUpgrade,
    Status,
    TerminalCommand,
    UpgradeDatabase,
    first_word,
    parse_words,
)
from adapters.terminal.formats import show
from adapters.terminal.options import Format, Options
from bot.answer.answers import with_concerns
from bot.model.commands import (
    Command,
    Help,
    ShowChange,
    ShowDigest,
    ShowRoundup,
    ShowSpan,
    rows_about,
)
from bot.model.replies import AnalysisReply, DigestReply, HelpReply, Reply, RoundupReply
from digest.concern.ripple import RippleHistory
from digest.concern.surface import Surface
from digest.errors import UsageError
from digest.languages import Language
from digest.models import AnalysedDay, Repo
from digest.ports import Progress
from digest.wording.phrases import SAY

if TYPE_CHECKING:
    from bot.answer.answers import Answers, Asker


FOR_A_SURFACE = (ShowDigest, ShowSpan, ShowRoundup, ShowUpgrade, ShowBetween)
"""What takes `--for`."""


PAGES = (Format.TEXT, Format.MARKDOWN, Format.JSON, Format.HTML)


def answer(words: list[str], options: Options, *, debug: bool = False) -> int:
    """Answer one command line and give the exit status; raises `InfraError`."""
    command = parse_words(words, of_one=options.source != "github")
    word = words[first_word(words)].casefold() if words else "help"
    _refuse_options(command, word, options)
    if isinstance(command, Help):
        language = command.language or options.language or Language.EN
        show(HelpReply(rows_about(command.topic, ROWS), language), options)
        return 0
    from adapters.operations.logs import log_nowhere

    log_nowhere(debug=debug)
    return asyncio.run(_answer(command, options, debug))


def _refuse_options(command: TerminalCommand, word: str, options: Options) -> None:
    """Refuse options that a command has no use for: a script would take what comes for more."""
    if options.analysis and not isinstance(command, ShowDigest | ShowChange | ExportMarkdown):
        raise UsageError(SAY.cli.analysis_of)
    if options.surface and not isinstance(command, FOR_A_SURFACE):
        raise UsageError(SAY.cli.other_command("--for", "infra help upgrade"))
    if isinstance(command, ShowUpgrade) and not options.surface:
        raise UsageError(SAY.cli.upgrade_for(UPGRADE_EXAMPLE))
    forms = _formats(command)
    if options.format not in forms:
        raise UsageError(SAY.cli.no_format(word, options.format, "|".join(forms)))


def _formats(command: TerminalCommand) -> tuple[Format, ...]:
    """Return the forms in which a command gives something."""
    match command:
        case ShowSurface():
            return (Format.TEXT, Format.TOML, Format.JSON)
        case ListFollowUps():
            return (Format.TEXT, Format.JSON, Format.CSV)
        case InChannel() | Status():
            return (Format.TEXT, Format.JSON)
        case ShowUpgrade() | ShowBetween():
            return PAGES
    return PAGES if isinstance(command, Command) else (Format.TEXT,)


async def _answer(command: TerminalCommand, options: Options, debug: bool) -> int:
    """Do a command; what it needs is imported with it, as that takes a while."""
    match command:
        case Check():
            from adapters.terminal.check import check

            return await check(options)
        case UpgradeDatabase():
            from adapters.terminal.check import upgrade_database

            return await upgrade_database(options)
        case Demo():
            from adapters.terminal.demo_command import demonstrate

            return await demonstrate(options)
        case ShowSurface():
            from adapters.terminal.upgrade import write_surface

            return await write_surface(command, options)
        case ShowUpgrade():
            from adapters.terminal.upgrade import show_upgrade

            return await show_upgrade(command, options)
        case ShowBetween():
            from adapters.terminal.upgrade import show_between

            return await show_between(command, options)
        case Record():
            from adapters.terminal.export import record

            return await record(command, options)
        case Evaluate():
            from adapters.terminal.evaluate import evaluate

            return await evaluate(command)
        case ExportMarkdown():
            from adapters.terminal.export import export

            return await export(command, options)
        case Status() | Backfill() | Backup() | Restore() | Forget():
            from adapters.terminal.operator_commands import operate

            return await operate(command, options)
    if isinstance(command, BotCommand):
        from adapters.terminal.bot_commands import do

        return await do(command, options, debug=debug)
    return await _ask(command, options)


async def _ask(command: Command, options: Options) -> int:
    from adapters.terminal.asker import asker
    from adapters.terminal.output import progress
    from adapters.wiring.assembly import Choices, running

    with progress() as tell:
        choices = Choices(options.source, options.store, ROWS)
        async with running(choices, tell) as infra:
            surfaces: tuple[Surface, ...] = ()
            if options.surface:
                surfaces = await _surfaces(infra.answers, command, options.surface, tell)
            reply = await _reply(infra.answers, command, asker(infra, options), options)
            ripple_history = RippleHistory(infra.pipeline.stored)
            reply = await with_concerns(reply, surfaces, ripple_history, _everybody)
    show(reply, options)
    return 1 if saw_nothing(reply) else 0


async def _everybody(_repo: Repo) -> bool:
    return True


async def _surfaces(
    answers: "Answers", command: Command, written: str, tell: Progress
) -> tuple[Surface, ...]:
    from adapters.terminal.upgrade import given_surface, given_surfaces

    if isinstance(command, ShowDigest | ShowSpan):
        repo = str(await answers.repo(command.repo))
        surface = await given_surface(written, repo, tell)
        surface.check_is_of(repo)
        return (surface,)
    return await given_surfaces(written, [str(repo) for repo in await answers.repos()], tell)


async def _reply(answers: "Answers", command: Command, asking: "Asker", options: Options) -> Reply:
    if options.analysis and isinstance(command, ShowDigest):
        return await answers.analysed(command, asking)
    return await answers.answer(command, asking)


def saw_nothing(reply: Reply) -> bool:
    """Return whether nothing at all could be looked at, which is not the same as a quiet day."""
    match reply:
        case RoundupReply(roundup):
            return bool(roundup.failed) and not roundup.digests
        case DigestReply(digest) | AnalysisReply(AnalysedDay(digest)):
            blind = any(gap.what == "everything" for gap in digest.reading.gaps)
            return blind and not digest.reading.items
    return False
