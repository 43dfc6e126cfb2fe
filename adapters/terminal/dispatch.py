"""One command line answered: from words and options to what is printed."""

import asyncio
from typing import TYPE_CHECKING

from adapters.terminal.commands import (
    ROWS,
    UPGRADE_EXAMPLE,
    BotCommand,
    Check,
    Demo,
    Evaluate,
    ExportMarkdown,
    InChannel,
    ListFollowUps,
    OperatingCommand,
    OwnCommand,
    Record,
    ShowBetween,
    ShowSurface,
    ShowUpgrade,
    Status,
    UpgradeDatabase,
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
from digest.concern.ripple_history import RippleHistory
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


def answer(words: list[str], options: Options, *, debug: bool = False) -> int:
    """Answer one command line and give the exit status; raises `InfraError`."""
    command = parse_words(words, of_one=options.source != "github")
    if options.analysis:
        _refuse_analysis(command)
    if options.surface and not isinstance(command, FOR_A_SURFACE):
        raise UsageError(SAY.cli.other_command("--for", "upgrade"))
    if isinstance(command, ShowUpgrade) and not options.surface:
        raise UsageError(SAY.cli.upgrade_for(UPGRADE_EXAMPLE))
    if isinstance(command, BotCommand):
        return _run_bot(command, options, debug)
    if isinstance(command, OperatingCommand):
        return _operate(command, words[0], options, debug)
    if isinstance(command, Help):
        language = command.language or options.language or Language.EN
        show(HelpReply(rows_about(command.topic, ROWS), language), options)
        return 0
    _refuse_format(command, words[0], options.format)
    return asyncio.run(_answer(command, options, debug))


def _refuse_format(command: OwnCommand, word: str, form: Format) -> None:
    """Refuse a form in which nothing would come, which a script would stumble over."""
    is_answer = not isinstance(
        command, Check | UpgradeDatabase | Demo | Record | ExportMarkdown | Evaluate
    )
    if isinstance(command, ShowSurface):
        if form not in (Format.TEXT, Format.TOML, Format.JSON):
            raise UsageError(SAY.cli.surface_format(form))
        return
    if form is Format.CSV:
        raise UsageError(SAY.cli.csv_is_for_followups)
    if form is Format.TOML:
        raise UsageError(SAY.cli.toml_is_for_surfaces)
    if not is_answer and form is not Format.TEXT:
        raise UsageError(SAY.cli.no_format(word.casefold(), form))


def _run_bot(command: BotCommand, options: Options, debug: bool) -> int:
    from adapters.operations.logs import log_nowhere
    from adapters.terminal.bot_commands import do

    forms = [Format.TEXT]
    if isinstance(command, InChannel | ListFollowUps):
        forms.append(Format.JSON)
    if isinstance(command, ListFollowUps):
        forms.append(Format.CSV)
    if options.format not in forms:
        formats = " or ".join(form.value for form in forms)
        raise UsageError(SAY.cli.only_formats(formats, options.format.value))
    log_nowhere(debug=debug)
    return asyncio.run(do(command, options, debug=debug))


def _operate(command: OperatingCommand, word: str, options: Options, debug: bool) -> int:
    from adapters.operations.logs import log_nowhere
    from adapters.terminal.operator_commands import operate

    if options.format is not Format.TEXT and not isinstance(command, Status):
        raise UsageError(SAY.cli.text_alone(word.casefold()))
    log_nowhere(debug=debug)
    return asyncio.run(operate(command, options))


async def _answer(command: OwnCommand, options: Options, debug: bool) -> int:
    from adapters.operations.logs import log_nowhere

    log_nowhere(debug=debug)
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
        case Evaluate(labels, None):
            from adapters.terminal.evaluate import evaluate_model

            return await evaluate_model(labels)
        case Evaluate():
            from adapters.terminal.evaluate import evaluate

            return await evaluate(command, options)
        case ExportMarkdown():
            from adapters.terminal.export import export

            return await export(command, options)
    return await _ask(command, options)


async def _ask(command: Command, options: Options) -> int:
    from adapters.terminal.asker import asker
    from adapters.terminal.output import progress
    from adapters.wiring.run import Choices, running

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


def _refuse_analysis(command: OwnCommand | BotCommand | OperatingCommand) -> None:
    """Refuse the long form of what has none, which would else be told as if it were."""
    if not isinstance(command, ShowDigest | ShowChange | ExportMarkdown):
        raise UsageError(SAY.cli.analysis_of)


def saw_nothing(reply: Reply) -> bool:
    """Return whether nothing at all could be looked at, which is not the same as a quiet day."""
    match reply:
        case RoundupReply(roundup):
            return bool(roundup.failed) and not roundup.digests
        case DigestReply(digest) | AnalysisReply(AnalysedDay(digest)):
            blind = any(gap.what == "everything" for gap in digest.reading.gaps)
            return blind and not digest.reading.items
    return False
