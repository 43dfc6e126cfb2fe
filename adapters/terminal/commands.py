"""What only a terminal can ask, beside the grammar that it shares with chat.

::

    surface PATH|URL · upgrade REPO FROM..TO · between GOOD BAD · record REPO WHEN FILE ·
    export markdown DIR [WHEN] [REPO…] · check · db upgrade · demo
    run [--only slack|discord|worker|web] · deliver --at TIME [--send]
    subscribe … · unsubscribe … · subscriptions · settings     with --channel CHANNEL
    followups [open|done|all|everywhere]                       of all channels without it
    slack manifest · slack preview REPO [WHEN] · discord invite
    status [--channel CHANNEL] · backfill REPO SINCE
    backup FILE · restore FILE [--yes] · forget slack:TEAM|discord:GUILD
"""

import contextlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated, TypeAlias

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException
from typer.main import get_command

from adapters.terminal.options import no_option
from bot.model.channel_commands import ShowFollowUps, parse_chat, question_about_bot
from bot.model.channels import Channel, Platform
from bot.model.commands import (
    CHANNEL_WORDS,
    DEFAULT_WHEN,
    READING_ROWS,
    Command,
    HelpRow,
    is_time,
    nearest,
    of_the_only,
    parse,
    shown,
)
from bot.model.followups import Which
from bot.model.references import read_repo
from digest.errors import UsageError
from digest.languages import Language
from digest.models import KNOWN
from digest.phrase import Example, Phrase
from digest.wording.phrases import SAY

ONLY = ("slack", "discord", "worker", "web")
"""What a process can do alone: one platform, all but HTTP, or HTTP."""

UPGRADE_EXAMPLE = "infra upgrade vllm v0.15.0..v0.16.0 --for SURFACE"

_IS_CHANNEL = re.compile(r"--channel(=|$)")
_WORKSPACE = re.compile(r"[A-Za-z0-9]{1,64}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Record:
    """Write what a source gives for a window into one JSON file."""

    repo: str
    when: str
    file: Path


@dataclass(frozen=True, slots=True)
class ExportMarkdown:
    """Write one page for each day, and an index; no `repos` means all."""

    folder: Path
    when: str = DEFAULT_WHEN
    repos: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Check:
    """Try configuration, database, network and token."""


@dataclass(frozen=True, slots=True)
class UpgradeDatabase:
    """Bring the database up to date with this program."""


@dataclass(frozen=True, slots=True)
class Demo:
    """Show what the program does without network or configuration."""


@dataclass(frozen=True, slots=True)
class Evaluate:
    """Measure readings against labels, with clones in one folder; without, the model that is set.

    `write` is the page to put the table into, `learn` the file for weights learned from all.
    """

    labels: Path
    clones: Path | None
    write: Path | None = None
    learn: Path | None = None


@dataclass(frozen=True, slots=True)
class ShowSurface:
    """Write what a codebase uses of an upstream repository.

    `of` is empty where the codebase uses one watched repository alone; `revision` where it is
    read as it stands.
    """

    location: str
    of: str = ""
    revision: str = ""


@dataclass(frozen=True, slots=True)
class ShowUpgrade:
    """Tell what an upgrade of `repo` means for a codebase, or with `draft` write its description.

    An empty `base` is what its surface pins, an empty `head` the newest release.
    """

    repo: str
    base: str
    head: str
    draft: bool = False


@dataclass(frozen=True, slots=True)
class ShowBetween:
    """Rank the changes from a good version to a bad one.

    `repo` is empty where the clone or the surface tells it.
    """

    good: str
    bad: str
    symptom: str
    repo: str = ""


@dataclass(frozen=True, slots=True)
class Run:
    """Run the bot until it is asked to end; `only` is empty for everything."""

    only: str = ""


@dataclass(frozen=True, slots=True)
class Deliver:
    """Show what would be told at a time, or send it."""

    at: str
    send: bool = False


@dataclass(frozen=True, slots=True)
class InChannel:
    """A command of a channel, in the name of who runs the bot."""

    text: str
    channel: Channel


@dataclass(frozen=True, slots=True)
class ListFollowUps:
    """Show the follow-ups of a channel, or of all."""

    which: Which
    channel: Channel | None
    language: Language | None = None


@dataclass(frozen=True, slots=True)
class SlackManifest:
    """Print the manifest of the Slack app."""


@dataclass(frozen=True, slots=True)
class SlackPreview:
    """Print a day's messages as Slack gets them."""

    repo: str
    when: str = DEFAULT_WHEN


@dataclass(frozen=True, slots=True)
class DiscordInvite:
    """Print the link that adds the bot to a Discord server."""


@dataclass(frozen=True, slots=True)
class Status:
    """How everything is, or one channel."""

    channel: Channel | None = None


@dataclass(frozen=True, slots=True)
class Backfill:
    """Collect the days of a repository since a date, the newest first."""

    repo: str
    since: date


@dataclass(frozen=True, slots=True)
class Backup:
    """Write the whole database into a file."""

    file: Path
    yes: bool = False


@dataclass(frozen=True, slots=True)
class Restore:
    """Put a backup in place of what the database holds; `yes` also where it holds something."""

    file: Path
    yes: bool = False


@dataclass(frozen=True, slots=True)
class Forget:
    """Delete everything of a workspace."""

    platform: Platform
    workspace: str


BotCommand: TypeAlias = (
    Run | Deliver | InChannel | ListFollowUps | SlackManifest | SlackPreview | DiscordInvite
)
"""What runs the bot, or stands in for a person of a channel."""

TerminalCommand: TypeAlias = (
    Command
    | ShowSurface
    | ShowUpgrade
    | ShowBetween
    | Record
    | ExportMarkdown
    | Check
    | UpgradeDatabase
    | Demo
    | Evaluate
    | BotCommand
    | Status
    | Backfill
    | Backup
    | Restore
    | Forget
)

GIVES = SAY.gives

TERMINAL_ROWS: tuple[HelpRow, ...] = (
    HelpRow(
        "surface", "surface PATH|URL [--of REPO] [--at REV]", "surface . --of vllm", GIVES.surface
    ),
    HelpRow(
        "upgrade",
        "upgrade REPO [FROM..TO] --for SURFACE [--draft]",
        "upgrade vllm v0.15.0..v0.16.0 --for vllm.toml",
        GIVES.upgrade,
    ),
    HelpRow(
        "between",
        "between [REPO] GOOD BAD [WORDS] [--for SURFACE]",
        "between v0.15.0 v0.15.1 wrong output --source git:.",
        GIVES.between,
    ),
    HelpRow(
        "export",
        "export markdown DIR [WHEN] [REPO…]",
        "export markdown reports-of-my-team week",
        GIVES.export,
    ),
    HelpRow(
        "record", "record REPO WHEN FILE", "record sglang 2026-02-11 sglang.json", GIVES.record
    ),
    HelpRow(
        "evaluate",
        "evaluate LABELS --clones DIR [--write FILE] [--learn FILE] | --model",
        "evaluate labels --clones clones --write docs/quality.md",
        GIVES.evaluate,
    ),
    HelpRow("check", "check", "check", GIVES.check),
    HelpRow("db", "db upgrade", "db upgrade", GIVES.db),
    HelpRow("demo", "demo", "demo", GIVES.demo),
)
BOT_ROWS: tuple[HelpRow, ...] = (
    HelpRow("run", "run [--only slack|discord|worker|web]", "run --only slack", GIVES.run),
    HelpRow(
        "deliver", "deliver --at TIME [--send]", "deliver --at 2026-02-12T09:00", GIVES.deliver
    ),
    HelpRow(
        "subscribe",
        "subscribe … | unsubscribe … | pause | resume | subscriptions | settings | "
        "concern … | why … --channel CHANNEL",
        "subscribe vllm --channel slack:T0123/C0456",
        GIVES.cli_subscribe,
    ),
    HelpRow(
        "followups",
        "followups [open|done|all] [--channel CHANNEL]",
        "followups done",
        GIVES.cli_followups,
    ),
    HelpRow("slack", "slack manifest", "slack manifest", GIVES.slack),
    HelpRow(
        "slack", "slack preview REPO [WHEN]", "slack preview sglang 2026-02-11", GIVES.cli_slack
    ),
    HelpRow("discord", "discord invite", "discord invite", GIVES.discord),
)
OPERATING_ROWS: tuple[HelpRow, ...] = (
    HelpRow("status", "status [--channel CHANNEL]", "status", GIVES.status),
    HelpRow("backfill", "backfill REPO SINCE", "backfill sglang 2026-01-01", GIVES.backfill),
    HelpRow("backup", "backup FILE", "backup infra.backup", GIVES.backup),
    HelpRow("restore", "restore FILE [--yes]", "restore infra.backup", GIVES.restore),
    HelpRow("forget", "forget slack:TEAM|discord:GUILD", "forget slack:T0123", GIVES.forget),
)
OPTION_ROWS: tuple[HelpRow, ...] = (
    HelpRow("options", "--format text|markdown|json|html", "sglang --format json", GIVES.output),
    HelpRow(
        "options",
        "--lang en|zh · --tz ZONE",
        "sglang today --tz Asia/Shanghai",
        GIVES.language_and_zone,
    ),
    HelpRow("options", "--full | --brief", "sglang --full", GIVES.length),
    HelpRow("options", "--for SURFACE", "vllm week --for vllm.toml", GIVES.concerned),
    HelpRow("options", "--analysis", "sglang 2026-02-11 --analysis", GIVES.analysis),
    HelpRow(
        "options",
        "--source github|git:PATH_OR_URL|recorded:FILE",
        ". week --source git:.",
        GIVES.source,
    ),
    HelpRow("options", "--no-store · --debug · --version", "sglang --no-store", GIVES.further),
)
ROWS = READING_ROWS + TERMINAL_ROWS + BOT_ROWS + OPERATING_ROWS + OPTION_ROWS
"""The whole table of the terminal."""


def parse_words(words: list[str], *, of_one: bool = False) -> TerminalCommand:
    """Read the words of a command line with the options of one command alone.

    `of_one` says that the source holds one repository, which then may be left out; what stands
    behind `--` is no option. Raises `UsageError`, which shows the right form, and typer's own error
    for an option without its value.
    """
    end = words.index("--") if "--" in words else len(words)
    words, plain = words[:end], words[end:]
    if words and words[0].startswith("--"):  # options may stand before their command, too
        at = first_word(words)
        words = [words[at], *words[:at], *words[at + 1 :]]
    first = words[0].casefold() if words else ""
    is_in_channel = first == "why" and any(map(_IS_CHANNEL.match, words))
    if first in OWN_WORDS or is_in_channel:
        return _own_command([first, *words[1:], *plain])
    for word in words:
        if word.startswith("-") and word != "-":
            raise _unknown_option(word.partition("=")[0])
    words = [*words, *plain[1:]]
    words = of_the_only(words) if of_one else words
    # A command line can hold bytes that are no text; they come as lone surrogates.
    text = " ".join(words).encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    _refuse_near_miss(words)
    return question_about_bot(text) or parse(text)


def own_options() -> dict[str, tuple[str, ...]]:
    """Return the options that only some commands have, with the rows of help about these."""
    rows = {row.topic for row in ROWS}
    found: dict[str, tuple[str, ...]] = {}
    for option, name, _ in _options():
        found[option] = (*found.get(option, ()), *([name] if name in rows else ()))
    return found


def _options() -> Iterator[tuple[str, str, bool]]:
    """Yield each option of a command, the command, and whether it takes a value."""
    group = get_command(app)
    assert isinstance(group, TyperGroup)
    for name, command in group.commands.items():
        for parameter in command.params:
            for option in parameter.opts:
                if option.startswith("--") and option != "--help":
                    yield option, name, not getattr(parameter, "is_flag", False)


def first_word(words: Sequence[str]) -> int:
    """Return where the first word stands that is neither an option nor the value of one, or 0."""
    valued = {option for option, _, takes_value in _options() if takes_value}
    at = 0
    while at < len(words) and words[at].startswith("--"):
        at += 2 if words[at] in valued else 1
    return at if at < len(words) else 0


def _own_command(words: list[str]) -> TerminalCommand:
    try:
        command: TerminalCommand = get_command(app)(words, standalone_mode=False)
    except TyperException as error:
        name = getattr(error, "option_name", "")
        if name and error.format_message().startswith("No such option"):
            raise _unknown_option(name) from error
        raise
    return command


def _unknown_option(name: str) -> UsageError:
    if topics := own_options().get(name):
        rows = ", ".join(f"infra help {topic}" for topic in topics)
        return UsageError(SAY.cli.other_command(name, rows))
    return UsageError(Phrase.as_written(no_option(name)))


def _refuse_near_miss(words: list[str]) -> None:
    """Refuse `exprot markdown DIR`, which would else be read as a repository."""
    if len(words) < 2 or is_time(words[1]):
        return
    meant = nearest(words[0], ("export", "record", "evaluate"))
    if meant and words[0].casefold() != meant:
        raise UsageError(SAY.commands.did_you_mean_command(shown(words[0]), Example(meant)))


app = typer.Typer(
    add_completion=False, rich_markup_mode=None, context_settings={"help_option_names": []}
)
"""The commands of a terminal alone, each with options of its own; `main.infra` takes the others.

Each function reads a command and does nothing yet; what is wrong is said in the reader's language.
"""

Words = Annotated[list[str] | None, typer.Argument()]
At = Annotated[str, typer.Option("--at")]
ChannelName = Annotated[str, typer.Option("--channel")]
Yes = Annotated[bool, typer.Option("--yes")]


@app.command("surface")
def _surface(
    words: Words = None, of: Annotated[str, typer.Option("--of")] = "", at: At = ""
) -> ShowSurface:
    match words:
        case [location]:
            return ShowSurface(location, of, at)
    raise UsageError(SAY.cli.which_codebase)


@app.command("upgrade")
def _upgrade(
    words: Words = None, draft: Annotated[bool, typer.Option("--draft")] = False
) -> ShowUpgrade:
    match words:
        case [repo]:
            return ShowUpgrade(repo, "", "", draft)
        case [repo, span] if ".." in span:
            base, _, head = span.partition("..")
            return ShowUpgrade(repo, base, head.lstrip("."), draft)
    raise UsageError(SAY.cli.upgrade_of(UPGRADE_EXAMPLE))


@app.command("between")
def _between(words: Words = None) -> ShowBetween:
    rest = list(words or ())
    rest = rest[1:] if rest[:1] == ["."] else rest  # the only repository of a source
    repo = rest.pop(0) if rest and (rest[0].casefold() in KNOWN or read_repo(rest[0])) else ""
    if len(rest) < 2:
        raise UsageError(SAY.cli.good_and_bad)
    return ShowBetween(rest[0], rest[1], " ".join(rest[2:]), repo)


@app.command("record")
def _record(words: Words = None) -> Record:
    match words:
        case [repo, *when, file] if is_time(" ".join(when)):
            return Record(repo, " ".join(when).casefold(), Path(file))
    raise UsageError(SAY.cli.record_what)


@app.command("export")
def _export(words: Words = None) -> ExportMarkdown:
    match words:
        case [form, folder, *more] if form.casefold() == "markdown":
            pass
        case _:
            raise UsageError(SAY.cli.export_what)
    length = 2 if more[:1] and more[0].casefold() == "since" else 1
    when = " ".join(more[:length])
    if is_time(when):
        return ExportMarkdown(Path(folder), when.casefold(), tuple(more[length:]))
    return ExportMarkdown(Path(folder), repos=tuple(more))


@app.command("evaluate")
def _evaluate(
    words: Words = None,
    clones: Annotated[str, typer.Option("--clones")] = "",
    write: Annotated[Path | None, typer.Option("--write")] = None,
    learn: Annotated[Path | None, typer.Option("--learn")] = None,
    model: Annotated[bool, typer.Option("--model")] = False,
) -> Evaluate:
    match words:
        case [labels] if model:
            return Evaluate(Path(labels), None)
        case [labels] if clones:
            return Evaluate(Path(labels), Path(clones), write, learn)
        case [_]:
            raise UsageError(SAY.cli.where_clones)
    raise UsageError(SAY.cli.which_labels)


@app.command("check")
def _check(words: Words = None) -> Check:
    _refuse(words, "check")
    return Check()


@app.command("demo")
def _demo(words: Words = None) -> Demo:
    _refuse(words, "demo")
    return Demo()


@app.command("db")
def _db(words: Words = None) -> UpgradeDatabase:
    if [word.casefold() for word in words or ()] != ["upgrade"]:
        raise UsageError(SAY.cli.db_takes)
    return UpgradeDatabase()


@app.command("run")
def _run(words: Words = None, only: Annotated[str, typer.Option("--only")] = "") -> Run:
    _refuse(words, "run")
    return Run(_only(only))


@app.command("deliver")
def _deliver(
    words: Words = None, at: At = "", send: Annotated[bool, typer.Option("--send")] = False
) -> Deliver:
    _refuse(words, "deliver --at 2026-02-12T09:00")
    if not at:
        raise UsageError(SAY.cli.for_when)
    return Deliver(at, send)


@app.command("slack")
def _slack(words: Words = None) -> SlackManifest | SlackPreview:
    match list(words or ()):
        case [what, *rest] if what.casefold() == "manifest":
            _refuse(rest, "slack manifest")
            return SlackManifest()
        case [what, repo, *rest] if what.casefold() == "preview":
            when = " ".join(rest)
            if when and not is_time(when):
                raise UsageError(SAY.cli.preview_when(shown(when), shown(repo)))
            return SlackPreview(repo, when.casefold() or DEFAULT_WHEN)
    raise UsageError(SAY.cli.slack_takes)


@app.command("discord")
def _discord(words: Words = None) -> DiscordInvite:
    if [word.casefold() for word in words or ()] != ["invite"]:
        raise UsageError(SAY.cli.discord_takes)
    return DiscordInvite()


def _in_channel(
    context: typer.Context, words: Words = None, channel: ChannelName = ""
) -> InChannel:
    name = str(context.info_name)
    return _of_channel(name, " ".join((name, *(words or ()))), channel)


for _word in (*CHANNEL_WORDS, "why"):
    if _word != "followups":
        app.command(_word)(_in_channel)


@app.command("followups")
def _followups(words: Words = None, channel: ChannelName = "") -> ListFollowUps | InChannel:
    text = " ".join(("followups", *(words or ())))
    read = parse_chat(text)
    if not isinstance(read, ShowFollowUps):
        return _of_channel("followups", text, channel)
    if read.which is Which.MINE:
        raise UsageError(SAY.cli.nobody_asked)
    return ListFollowUps(read.which, Channel.parse(channel) if channel else None, read.language)


def _of_channel(name: str, text: str, channel: str) -> InChannel:
    if not channel:
        raise UsageError(SAY.cli.which_channel(name))
    return InChannel(text, Channel.parse(channel))


@app.command("status")
def _status(words: Words = None, channel: ChannelName = "") -> Status:
    _refuse(words, "status --channel slack:T/C")
    return Status(Channel.parse(channel) if channel else None)


@app.command("backfill")
def _backfill(words: Words = None) -> Backfill:
    match words:
        case [repo, since]:
            with contextlib.suppress(ValueError):
                return Backfill(repo, date.fromisoformat(since))
    raise UsageError(SAY.cli.backfill_what)


@app.command("backup")
def _backup(words: Words = None, yes: Yes = False) -> Backup:
    return Backup(_file(words, "backup"), yes)


@app.command("restore")
def _restore(words: Words = None, yes: Yes = False) -> Restore:
    return Restore(_file(words, "restore"), yes)


@app.command("forget")
def _forget(words: Words = None) -> Forget:
    text = " ".join(words or ())
    platform, _, workspace = text.partition(":")
    if platform.casefold() not in tuple(Platform) or not _WORKSPACE.fullmatch(workspace):
        raise UsageError(SAY.cli.forget_takes(f"{shown(text)} is no workspace: " if text else ""))
    return Forget(Platform(platform.casefold()), workspace)


OWN_WORDS = frozenset(str(each.name) for each in app.registered_commands) - {"why"}
"""First words of the commands that a terminal alone takes."""


def _only(value: str) -> str:
    if not value or value.casefold() in ONLY:
        return value.casefold()
    meant = nearest(value, ONLY)
    hint = f"did you mean {meant}?" if meant else f"write --only {'|'.join(ONLY)}"
    raise UsageError(SAY.cli.not_a_value("--only", shown(value), hint))


def _refuse(words: Sequence[str] | None, form: str) -> None:
    if words:
        raise UsageError(SAY.cli.no_more_words(form.split()[0], form))


def _file(words: Sequence[str] | None, command: str) -> Path:
    match words:
        case [file]:
            return Path(file)
    raise UsageError(SAY.cli.one_file(command))
