"""The commands of a terminal: what each takes, and what does it; all else is a question.

Only what a command needs is imported, once it is understood: help and mistakes answer at once.
"""

import asyncio
import os
import re
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException
from typer.main import get_command

from adapters.terminal.drawing import show
from adapters.terminal.interrupts import end_in_order
from adapters.terminal.options import PAGES, Format, Options
from adapters.terminal.options import app as options_of_all
from adapters.terminal.output import warn
from bot.model.channel_commands import (
    ShowFollowUps,
    parse_chat,
    question_about_bot,
    spelled_out,
)
from bot.model.channels import Channel, Platform
from bot.model.commands import (
    CHANNEL_ROWS,
    CHANNEL_WORDS,
    DEFAULT_WHEN,
    READING_ROWS,
    SHORT_FORMS,
    Command,
    Help,
    HelpRow,
    ShowChange,
    ShowDigest,
    ShowRoundup,
    ShowSpan,
    is_time,
    nearest,
    parse,
    rows_about,
    shown,
)
from bot.model.followups import Which
from bot.model.references import read_repo
from bot.model.replies import (
    AnalysisReply,
    DigestReply,
    FoundReply,
    HelpReply,
    QueryReply,
    Reply,
    RoundupReply,
)
from digest.errors import UsageError
from digest.github_web import use_api
from digest.languages import Language
from digest.models import KNOWN, AnalysedDay
from digest.phrase import Example, Phrase
from digest.query.query import Found
from digest.wording.phrases import SAY
from digest.wording.saying import localized

if TYPE_CHECKING:
    from bot.answer.answers import Answers
    from digest.concern.surface import Surface
    from digest.ports import Progress

Work: TypeAlias = Callable[[], Coroutine[Any, Any, int]]
"""What does a command, and gives the exit status; raises `InfraError`."""

Words: TypeAlias = Annotated[list[str], typer.Argument(default_factory=list)]
Yes: TypeAlias = Annotated[bool, typer.Option("--yes")]
ChannelName: TypeAlias = Annotated[str, typer.Option("--channel")]

ONLY = ("slack", "discord", "worker", "web")
"""What a process can do alone: one platform, all but HTTP, or HTTP."""

FOR_A_SURFACE = (ShowDigest, ShowSpan, ShowRoundup)
"""The questions that take `--for`."""

_IS_CHANNEL = re.compile(r"--channel(=|$)")
_WORKSPACE = re.compile(r"[A-Za-z0-9]{1,64}", re.ASCII)

GIVES = SAY.gives


def _rows(heading: Phrase, *rows: tuple[str, str, Phrase]) -> tuple[HelpRow, ...]:
    """Return rows of help below a heading: forms, examples, and what they give.

    A row is about the command that its form begins with, or about options.
    """
    words = [(form.split()[0], form, example, gives) for form, example, gives in rows]
    return tuple(
        HelpRow("options" if word.startswith("--") else word, form, example, gives, heading)
        for word, form, example, gives in words
    )


ROWS: tuple[HelpRow, ...] = (
    *READING_ROWS,
    *_rows(
        SAY.help.codebase,
        ("surface PATH|URL [--of REPO] [--at REV]", "surface . --of vllm", GIVES.surface),
        (
            "upgrade REPO [FROM..TO] --for SURFACE [--draft]",
            "upgrade vllm v0.15.0..v0.16.0 --for vllm.toml",
            GIVES.upgrade,
        ),
        (
            "between [REPO] GOOD BAD [WORDS] [--for SURFACE]",
            "between v0.15.0 v0.15.1 wrong output --source git:.",
            GIVES.between,
        ),
    ),
    *_rows(
        SAY.help.files,
        (
            "export markdown DIR [WHEN] [REPO…]",
            "export markdown reports-of-my-team week",
            GIVES.export,
        ),
        ("record REPO WHEN FILE", "record sglang 2026-02-11 sglang.json", GIVES.record),
        (
            "evaluate LABELS --clones DIR [--write FILE] [--learn FILE] | --model",
            "evaluate labels --clones clones --write docs/quality.md",
            GIVES.evaluate,
        ),
    ),
    *_rows(
        SAY.help.running,
        ("check", "check", GIVES.check),
        ("db upgrade", "db upgrade", GIVES.db),
        ("demo", "demo", GIVES.demo),
        ("run [--only slack|discord|worker|web]", "run --only slack", GIVES.run),
        ("deliver --at TIME [--send]", "deliver --at 2026-02-12T09:00", GIVES.deliver),
        (
            "subscribe … --channel CHANNEL",
            "subscribe vllm --channel slack:T0123/C0456",
            GIVES.cli_subscribe,
        ),
        ("followups [open|done|all] [--channel CHANNEL]", "followups done", GIVES.cli_followups),
        ("slack manifest", "slack manifest", GIVES.slack),
        ("slack preview REPO [WHEN]", "slack preview sglang 2026-02-11", GIVES.cli_slack),
        ("discord invite", "discord invite", GIVES.discord),
        ("status [--channel CHANNEL]", "status", GIVES.status),
        ("backfill REPO SINCE", "backfill sglang 2026-01-01", GIVES.backfill),
        ("backup FILE", "backup infra.backup", GIVES.backup),
        ("restore FILE [--yes]", "restore infra.backup", GIVES.restore),
        ("forget slack:TEAM|discord:GUILD", "forget slack:T0123", GIVES.forget),
    ),
    *_rows(
        SAY.help.options,
        ("--format text|markdown|json|html", "sglang --format json", GIVES.output),
        ("--lang en|zh · --tz ZONE", "sglang today --tz Asia/Shanghai", GIVES.language_and_zone),
        ("--full | --brief", "sglang --full", GIVES.length),
        ("--for SURFACE", "vllm week --for vllm.toml", GIVES.concerned),
        ("--analysis", "sglang 2026-02-11 --analysis", GIVES.analysis),
        ("--source github|git:PATH_OR_URL|recorded:FILE", ". week --source git:.", GIVES.source),
        ("--no-store · --debug · --version", "sglang --no-store", GIVES.further),
    ),
)
"""The whole table of the terminal."""

BY_THEMSELVES: tuple[HelpRow, ...] = (
    *(
        replace(row, form=f"{row.form} --channel CHANNEL")
        for row in CHANNEL_ROWS
        if row.topic in CHANNEL_WORDS and row.topic != "followups"
    ),
    *(row for row in ROWS if row.topic != "subscribe"),
)
"""The same for help about one of them, where what is said for a channel has a row for each."""

app = typer.Typer(add_completion=False, rich_markup_mode=None)


def answer(words: list[str], options: Options) -> int:
    """Do what one command line says and give the exit status; raises `InfraError`."""
    work = understood(words, options)
    if isinstance(work, HelpReply):
        show(work, options)
        return 0
    from adapters.operations.logs import log_nowhere

    log_nowhere(debug=options.debug)
    end_in_order()
    return asyncio.run(work())


def understood(words: list[str], options: Options) -> Work | HelpReply:
    """Read the words of a command line with the options of one command alone.

    What stands behind `--` is no option. Raises `UsageError`, which shows the right form.
    """
    end = words.index("--") if "--" in words else len(words)
    first = words[0].casefold() if words else ""
    first = first if first in OWN_WORDS else SHORT_FORMS.get(first, first)
    is_in_channel = first == "why" and any(map(_IS_CHANNEL.match, words[:end]))
    if first in OWN_WORDS or is_in_channel:
        return _own([first, *words[1:]], options)
    if unknown := next((word for word in words[:end] if word.startswith("-") and word != "-"), ""):
        raise _unknown_option(unknown.partition("=")[0])
    words = [*words[:end], *words[end + 1 :]]
    # A command line can hold bytes that are no text; they come as lone surrogates.
    typed = " ".join(words).encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    text = spelled_out(typed)
    _refuse_near_miss(words)
    if "://" in text:
        from adapters.wiring.assembly import read_settings

        use_api(read_settings().github_api_url)  # whose pages an address is one of
    command = question_about_bot(text) or parse(text)
    command = replace(command, language=command.language or options.language)
    if options.analysis and not isinstance(command, ShowDigest | ShowChange):
        raise UsageError(SAY.cli.analysis_of)
    if options.surface and not isinstance(command, FOR_A_SURFACE):
        raise UsageError(SAY.cli.other_command("--for", "infra help upgrade"))
    _refuse_format(words[0] if words else "help", options, PAGES)
    if isinstance(command, Help):
        language = command.language or options.language or Language.EN
        rows = BY_THEMSELVES if command.topic else ROWS
        return HelpReply(rows_about(command.topic, rows), language)
    return partial(_ask, command, options)


def _own(words: list[str], options: Options) -> Work:
    try:
        work: Work = get_command(app)(words, standalone_mode=False, obj=options)
    except TyperException as error:
        raise wrong_option(error, words[0]) or _wrong(words[0]) from error
    return work


def wrong_option(error: TyperException, command: str = "") -> UsageError | None:
    """Return what is wrong with an option of a command, in every language; None for its words."""
    name, why = getattr(error, "option_name", ""), error.format_message()
    if not name:
        return None
    if why.startswith("No such option"):
        return _unknown_option(name)
    if "does not take a value" in why:
        return UsageError(SAY.cli.no_value(name))
    rows = sorted(ROWS, key=lambda row: row.topic != command)
    found = (re.search(rf"{name} [^\s\]]+", row.form) for row in rows)
    return UsageError(SAY.cli.needs_value(name, next(form[0] for form in found if form)))


def _unknown_option(name: str) -> UsageError:
    if commands := own_options().get(name):
        rows = ", ".join(f"infra help {each}" for each in commands)
        return UsageError(SAY.cli.other_command(name, rows))
    names = option_names()
    meant = nearest(name, names, cutoff=0.7)
    hint = SAY.commands.did_you_mean(meant) if meant else SAY.cli.options(", ".join(names))
    return UsageError(SAY.cli.no_option(shown(name), hint))


def own_options() -> dict[str, list[str]]:
    """Return the options that only some commands have, with the rows of help about these."""
    group, topics = get_command(app), {row.topic for row in ROWS}
    assert isinstance(group, TyperGroup)
    found: dict[str, list[str]] = {}
    for name, command in group.commands.items():
        for option in _options_of(command.params):
            found.setdefault(option, []).extend([name] if name in topics else [])
    return found


def option_names() -> list[str]:
    """Return every option of the program."""
    return [*_options_of(get_command(options_of_all).params), "--help", *own_options()]


def _options_of(parameters: Sequence[Any]) -> list[str]:
    names = [option for parameter in parameters for option in parameter.opts]
    return [name for name in names if name.startswith("--") and name != "--help"]


def _refuse_near_miss(words: list[str]) -> None:
    """Refuse `exprot markdown DIR`, which would else be read as a repository."""
    if len(words) < 2 or is_time(words[1]):
        return
    meant = nearest(words[0], ("export", "record", "evaluate"))
    # Of these also what is no slip is near: `update vllm`, `upgrades of this week`.
    meant = meant or nearest(words[0], ("upgrade", "between", "surface"), cutoff=0.85)
    if meant and words[0].casefold() not in (meant, f"{meant}s"):
        raise UsageError(SAY.commands.did_you_mean_command(shown(words[0]), Example(meant)))


def _refuse_format(name: str, options: Options, forms: Sequence[Format]) -> None:
    if options.format not in forms:
        raise UsageError(SAY.cli.no_format(name, options.format, "|".join(forms)))


def _wrong(topic: str) -> UsageError:
    """Show how a command is written, as help does."""
    rows = [row for row in ROWS if row.topic == topic]
    form = " | ".join(f"infra {row.form}" for row in rows)
    example = f"infra {rows[0].example}"
    is_plain = form == example
    return UsageError(SAY.cli.write(form) if is_plain else SAY.cli.takes(form, example))


async def _ask(command: Command, options: Options) -> int:
    """Answer a question; 1 where nothing at all could be looked at."""
    from adapters.terminal.output import progress
    from adapters.wiring.assembly import running
    from bot.answer.answers import everybody, with_concerns
    from digest.concern.ripple import RippleHistory

    with progress() as tell:
        async with running(tell, options.source, stored=options.store) as infra:
            surfaces = await _surfaces(infra.answers, command, options.surface, tell)
            asker = options.asker(infra.settings)
            if options.analysis and isinstance(command, ShowDigest):
                reply: Reply = await infra.answers.analysed(command, asker)
            else:
                reply = await infra.answers.answer(command, asker)
            history = RippleHistory(infra.pipeline.stored)
            reply = await with_concerns(reply, surfaces, history, everybody)
    show(reply, options)
    match reply:
        case FoundReply(_, (), lang) | QueryReply(Found(is_blind=True), lang):
            if options.source == "github":
                warn(localized(SAY.cli.searches_source, lang))
    return 1 if saw_nothing(reply) else 0


async def _surfaces(
    answers: "Answers", command: Command, written: str, tell: "Progress"
) -> "tuple[Surface, ...]":
    if not written:
        return ()
    from adapters.terminal.upgrade import given_surfaces, used_of

    if isinstance(command, ShowDigest | ShowSpan):
        repo = str(await answers.repo(command.repo))
        (surface,) = await given_surfaces(written, [repo], tell)
        surface.check_is_of(repo)
        return (surface,)
    return await used_of(written, [str(repo) for repo in await answers.repos()], tell)


def saw_nothing(reply: Reply) -> bool:
    """Return whether nothing at all could be looked at, which is not the same as a quiet day."""
    match reply:
        case RoundupReply(digest) | DigestReply(digest) | AnalysisReply(AnalysedDay(digest)):
            return digest.is_blind
    return False


def _options(
    context: typer.Context,
    *forms: Format,
    analysis: bool = False,
    surface: bool = False,
    source: bool = False,
) -> Options:
    """Return the options of all commands; refused are those that this one has no use for.

    A script would take what comes for more. Text is given always.
    """
    options: Options = context.obj
    if options.analysis and not analysis:
        raise UsageError(SAY.cli.analysis_of)
    if options.surface and not surface:
        raise UsageError(SAY.cli.other_command("--for", "infra help upgrade"))
    if options.source != "github" and not source:
        raise UsageError(SAY.cli.takes_no_source(str(context.info_name)))
    _refuse_format(str(context.info_name), options, (Format.TEXT, *forms))
    return options


@app.command("surface")
def _surface(
    context: typer.Context,
    location: str,
    of: Annotated[str, typer.Option("--of")] = "",
    at: Annotated[str, typer.Option("--at")] = "",
) -> Work:
    options = _options(context, Format.TOML, Format.JSON)
    from adapters.terminal.upgrade import write_surface

    return partial(write_surface, location, of, at, options)


@app.command("upgrade")
def _upgrade(
    context: typer.Context,
    repo: str,
    ends: Words,
    draft: Annotated[bool, typer.Option("--draft")] = False,
) -> Work:
    options = _options(context, *PAGES, surface=True, source=True)
    span = "..".join(ends)
    base, dots, head = span.partition("..")
    if not options.surface or (span and not dots) or ".." in head.removeprefix("."):
        raise _wrong("upgrade")
    from adapters.terminal.upgrade import show_upgrade

    return partial(show_upgrade, repo, base, head.lstrip("."), options, draft=draft)


@app.command("between")
def _between(context: typer.Context, words: Words) -> Work:
    options = _options(context, *PAGES, surface=True, source=True)
    rest = words[1:] if words[:1] == ["."] else words  # the only repository of a source
    repo = rest.pop(0) if rest and (rest[0].casefold() in KNOWN or read_repo(rest[0])) else ""
    if len(rest) < 2:
        raise _wrong("between")
    from adapters.terminal.upgrade import show_between

    return partial(show_between, repo, (rest[0], rest[1]), " ".join(rest[2:]), options)


@app.command("record")
def _record(context: typer.Context, repo: str, when: list[str], file: Path) -> Work:
    options = _options(context, source=True)
    if not is_time(" ".join(when)):
        raise _wrong("record")
    if os.path.lexists(file):
        raise UsageError(SAY.cli.file_exists(file))
    if not file.parent.is_dir():
        raise UsageError(SAY.cli.no_folder(file.parent))
    from adapters.terminal.export import record

    return partial(record, repo, " ".join(when).casefold(), file, options)


@app.command("export")
def _export(context: typer.Context, form: str, folder: Path, words: Words) -> Work:
    options = _options(context, analysis=True, source=True)
    if form.casefold() != "markdown":
        raise _wrong("export")
    if folder.exists() and not folder.is_dir():
        raise UsageError(SAY.cli.is_a_file(folder))
    length = 2 if words[:1] and words[0].casefold() == "since" else 1
    when = " ".join(words[:length])
    repos = words[length:] if is_time(when) else words
    from adapters.terminal.export import export

    when = when.casefold() if is_time(when) else DEFAULT_WHEN
    return partial(export, folder, when, tuple(repos), options)


@app.command("evaluate")
def _evaluate(
    context: typer.Context,
    labels: Path,
    clones: Annotated[str, typer.Option("--clones")] = "",
    write: Annotated[Path | None, typer.Option("--write")] = None,
    learn: Annotated[Path | None, typer.Option("--learn")] = None,
    model: Annotated[bool, typer.Option("--model")] = False,
) -> Work:
    _options(context)
    if not model and not clones:
        raise _wrong("evaluate")
    from adapters.terminal.evaluate import evaluate, evaluate_model

    if model and (clones or write or learn):
        raise _wrong("evaluate")
    if model:
        return partial(evaluate_model, labels)
    return partial(evaluate, labels, Path(clones), write, learn)


@app.command("check")
def _check(context: typer.Context) -> Work:
    options = _options(context)
    from adapters.terminal.check import check

    return partial(check, options)


@app.command("demo")
def _demo(context: typer.Context) -> Work:
    options = _options(context)
    from adapters.terminal.demo_command import demonstrate

    return partial(demonstrate, options)


@app.command("db")
def _db(context: typer.Context, word: str) -> Work:
    options = _options(context)
    if word.casefold() != "upgrade":
        raise _wrong("db")
    from adapters.terminal.check import upgrade_database

    return partial(upgrade_database, options)


@app.command("run")
def _run(
    context: typer.Context,
    only: Annotated[str, typer.Option("--only")] = "",
) -> Work:
    options, only = _options(context), only.casefold()
    if only not in ("", *ONLY):
        raise _wrong("run")
    from adapters.terminal.bot_commands import run

    return partial(run, only, debug=options.debug)


@app.command("deliver")
def _deliver(
    context: typer.Context,
    at: Annotated[str, typer.Option("--at")],
    send: Annotated[bool, typer.Option("--send")] = False,
) -> Work:
    options = _options(context)
    from adapters.terminal.bot_commands import deliver

    return partial(deliver, at, options, send=send)


@app.command("slack")
def _slack(context: typer.Context, word: str, words: Words) -> Work:
    options = _options(context, source=True)
    from adapters.terminal import bot_commands

    match [word.casefold(), *words]:
        case ["manifest"]:
            return bot_commands.manifest
        case ["preview", repo, *rest] if not rest or is_time(" ".join(rest)):
            when = " ".join(rest).casefold() or DEFAULT_WHEN
            return partial(bot_commands.preview, repo, when, options)
    raise _wrong("slack")


@app.command("discord")
def _discord(context: typer.Context, word: str) -> Work:
    _options(context)
    if word.casefold() != "invite":
        raise _wrong("discord")
    from adapters.terminal.bot_commands import invite

    return invite


def _in_channel(context: typer.Context, words: Words, channel: ChannelName = "") -> Work:
    options, name = _options(context, Format.JSON), str(context.info_name)
    if not channel:
        raise UsageError(SAY.cli.which_channel(name))
    from adapters.terminal.bot_commands import in_channel

    return partial(in_channel, " ".join((name, *words)), Channel.parse(channel), options)


for _word in (*CHANNEL_WORDS, "why"):
    if _word != "followups":
        # `concern flags --tp` names a flag of the codebase.
        settings = {"ignore_unknown_options": _word == "concern"}
        app.command(_word, context_settings=settings)(_in_channel)


@app.command("followups")
def _followups(context: typer.Context, words: Words, channel: ChannelName = "") -> Work:
    options = _options(context, Format.JSON, Format.CSV)
    try:
        read = parse_chat(" ".join(("followups", *words)))
    except UsageError as error:
        raise _wrong("followups") from error
    if not isinstance(read, ShowFollowUps) or read.which is Which.MINE:
        raise _wrong("followups")
    from adapters.terminal.bot_commands import list_followups

    where = Channel.parse(channel) if channel else None
    return partial(list_followups, read, where, options)


@app.command("status")
def _status(context: typer.Context, channel: ChannelName = "") -> Work:
    options = _options(context, Format.JSON)
    from adapters.terminal.operator_commands import status

    return partial(status, Channel.parse(channel) if channel else None, options)


@app.command("backfill")
def _backfill(
    context: typer.Context,
    repo: str,
    since: Annotated[datetime, typer.Argument(formats=["%Y-%m-%d"])],
) -> Work:
    options = _options(context, source=True)
    from adapters.terminal.operator_commands import backfill

    return partial(backfill, repo, since.date(), options)


@app.command("backup")
def _backup(context: typer.Context, file: Path, yes: Yes = False) -> Work:
    options = _options(context)
    if file.exists() and not yes:
        raise UsageError(SAY.cli.backup_exists(file))
    if not file.parent.is_dir():
        raise UsageError(SAY.cli.no_folder(file.parent))
    from adapters.terminal.operator_commands import write_backup

    return partial(write_backup, file, options)


@app.command("restore")
def _restore(context: typer.Context, file: Path, yes: Yes = False) -> Work:
    options = _options(context)
    from adapters.terminal.operator_commands import restore_backup

    return partial(restore_backup, file, options, yes=yes)


@app.command("forget")
def _forget(context: typer.Context, name: str) -> Work:
    options = _options(context)
    platform, _, workspace = name.partition(":")
    if platform.casefold() not in tuple(Platform) or not _WORKSPACE.fullmatch(workspace):
        raise _wrong("forget")
    from adapters.terminal.operator_commands import forget_workspace

    return partial(forget_workspace, Platform(platform.casefold()), workspace, options)


OWN_WORDS = frozenset(str(each.name) for each in app.registered_commands) - {"why"}
"""First words of the commands that a terminal alone takes."""
