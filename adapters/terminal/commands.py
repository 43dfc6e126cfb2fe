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

import re
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TypeAlias

from adapters.terminal.options import NO_BOT_OPTIONS, BotOptions
from bot.model.channel_commands import ShowFollowUps, parse_chat
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
from digest.phrase import Example
from digest.wording.phrases import SAY

ONLY = ("slack", "discord", "worker", "web")
"""What a process can do alone: one platform, all but HTTP, or HTTP."""

BOT_WORDS = ("run", "deliver", "slack", "discord", *CHANNEL_WORDS)
"""First words of the commands that run the bot and that stand in for a person of a channel."""

OPERATING_WORDS = ("status", "backfill", "backup", "restore", "forget")
"""First words of what whoever runs the bot does with it."""

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

    `surface` is the file of a surface, a codebase or its address. An empty `base` is what the
    surface pins, an empty `head` the newest release.
    """

    repo: str
    base: str
    head: str
    surface: str
    draft: bool = False


@dataclass(frozen=True, slots=True)
class ShowBetween:
    """Rank the changes from a good version to a bad one; `surface` is empty without one.

    `repo` is empty where the clone or the surface tells it.
    """

    good: str
    bad: str
    symptom: str
    surface: str = ""
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


OwnCommand: TypeAlias = (
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
)
BotCommand: TypeAlias = (
    Run | Deliver | InChannel | ListFollowUps | SlackManifest | SlackPreview | DiscordInvite
)
OperatingCommand: TypeAlias = Status | Backfill | Backup | Restore | Forget
TerminalCommand: TypeAlias = OwnCommand | BotCommand | OperatingCommand

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


def parse_words(
    words: list[str], bot: BotOptions = NO_BOT_OPTIONS, *, of_one: bool = False
) -> TerminalCommand:
    """Read the words of a command line; `UsageError` shows the right form.

    Of the options, only those that belong to the commands that run the bot are read here.
    `of_one` says that the source holds one repository, which then may be left out.
    """
    if words and words[0].casefold() in OPERATING_WORDS:
        return _operating_command(words, bot)
    if words and words[0].casefold() == "why" and bot.channel:
        return InChannel(" ".join(words), Channel.parse(bot.channel))
    if words and words[0].casefold() in BOT_WORDS:
        return _bot_command(words, bot)
    own = _own_command(words, bot)
    if own is not None:
        return own
    words = of_the_only(words) if of_one else words
    # A command line can hold bytes that are no text; they come as lone surrogates.
    text = " ".join(words).encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    _refuse_near_miss(words)
    return parse(text)


def _own_command(words: list[str], bot: BotOptions) -> OwnCommand | None:
    first, rest = words[0].casefold() if words else "", words[1:]
    match first:
        case "surface":
            return _surface(rest, bot)
        case "upgrade":
            return _upgrade(rest, bot)
        case "between":
            return _between(rest, bot)
        case "record":
            return _record(rest)
        case "export":
            return _export(rest)
        case "evaluate":
            return _evaluate(rest, bot)
        case "check" | "demo":
            _refuse(rest, first)
            return Check() if first == "check" else Demo()
        case "db":
            if [word.casefold() for word in rest] != ["upgrade"]:
                raise UsageError(SAY.cli.db_takes)
            return UpgradeDatabase()
    return None


def _surface(rest: list[str], options: BotOptions) -> ShowSurface:
    if len(rest) != 1:
        raise UsageError(SAY.cli.which_codebase)
    return ShowSurface(rest[0], options.of, options.at)


_UPGRADE = "infra upgrade vllm v0.15.0..v0.16.0 --for SURFACE"


def _upgrade(rest: list[str], options: BotOptions) -> ShowUpgrade:
    if not rest or len(rest) > 2 or (len(rest) == 2 and ".." not in rest[1]):
        raise UsageError(SAY.cli.upgrade_of(_UPGRADE))
    if not options.surface:
        raise UsageError(SAY.cli.upgrade_for(_UPGRADE))
    base, _, head = rest[1].partition("..") if len(rest) == 2 else ("", "", "")
    return ShowUpgrade(rest[0], base, head.lstrip("."), options.surface, options.draft)


def _between(rest: list[str], options: BotOptions) -> ShowBetween:
    repo = rest.pop(0) if rest and (rest[0].casefold() in KNOWN or read_repo(rest[0])) else ""
    if len(rest) < 2:
        raise UsageError(SAY.cli.good_and_bad)
    return ShowBetween(rest[0], rest[1], " ".join(rest[2:]), options.surface, repo)


def _record(rest: list[str]) -> Record:
    if len(rest) < 3 or not is_time(" ".join(rest[1:-1])):
        raise UsageError(SAY.cli.record_what)
    return Record(rest[0], " ".join(rest[1:-1]).casefold(), Path(rest[-1]))


def _export(rest: list[str]) -> ExportMarkdown:
    match rest:
        case [form, folder, *more] if form.casefold() == "markdown":
            pass
        case _:
            raise UsageError(SAY.cli.export_what)
    length = 2 if more[:1] and more[0].casefold() == "since" else 1
    when = " ".join(more[:length])
    if is_time(when):
        return ExportMarkdown(Path(folder), when.casefold(), tuple(more[length:]))
    return ExportMarkdown(Path(folder), repos=tuple(more))


def _evaluate(rest: list[str], options: BotOptions) -> Evaluate:
    if len(rest) != 1:
        raise UsageError(SAY.cli.which_labels)
    if options.model:
        return Evaluate(Path(rest[0]), None)
    if not options.clones:
        raise UsageError(SAY.cli.where_clones)
    write, learn = options.write, options.learn
    return Evaluate(
        Path(rest[0]),
        Path(options.clones),
        Path(write) if write else None,
        Path(learn) if learn else None,
    )


def _refuse_near_miss(words: list[str]) -> None:
    """Refuse `exprot markdown DIR`, which would else be read as a repository."""
    if len(words) < 2 or is_time(words[1]):
        return
    meant = nearest(words[0], ("export", "record", "evaluate"))
    if meant and words[0].casefold() != meant:
        raise UsageError(SAY.commands.did_you_mean_command(shown(words[0]), Example(meant)))


def _bot_command(words: list[str], options: BotOptions) -> BotCommand:
    first, rest, channel = words[0].casefold(), words[1:], options.channel
    match first:
        case "run":
            _refuse(rest, "run")
            return Run(_only(options.only))
        case "deliver":
            _refuse(rest, "deliver --at 2026-02-12T09:00")
            if not options.at:
                raise UsageError(SAY.cli.for_when)
            return Deliver(options.at, options.send)
        case "slack":
            return _slack(rest)
        case "discord":
            if [word.casefold() for word in rest] != ["invite"]:
                raise UsageError(SAY.cli.discord_takes)
            return DiscordInvite()
    read = parse_chat(" ".join(words)) if first == "followups" else None
    if isinstance(read, ShowFollowUps):
        if read.which is Which.MINE:
            raise UsageError(SAY.cli.nobody_asked)
        return ListFollowUps(read.which, Channel.parse(channel) if channel else None, read.language)
    if not channel:
        raise UsageError(SAY.cli.which_channel(first))
    return InChannel(" ".join(words), Channel.parse(channel))


def _slack(rest: list[str]) -> BotCommand:
    match [word.casefold() for word in rest[:1]]:
        case ["manifest"]:
            _refuse(rest[1:], "slack manifest")
            return SlackManifest()
        case ["preview"] if len(rest) > 1:
            when = " ".join(rest[2:])
            if when and not is_time(when):
                raise UsageError(SAY.cli.preview_when(shown(when), shown(rest[1])))
            return SlackPreview(rest[1], when.casefold() or DEFAULT_WHEN)
    raise UsageError(SAY.cli.slack_takes)


def _only(value: str) -> str:
    if not value or value.casefold() in ONLY:
        return value.casefold()
    meant = nearest(value, ONLY)
    hint = f"did you mean {meant}?" if meant else f"write --only {'|'.join(ONLY)}"
    raise UsageError(SAY.cli.not_a_value("--only", shown(value), hint))


def _refuse(rest: list[str], form: str) -> None:
    if rest:
        raise UsageError(SAY.cli.no_more_words(form.split()[0], form))


def _operating_command(words: list[str], options: BotOptions) -> OperatingCommand:
    rest, channel, yes = words[1:], options.channel, options.yes
    match words[0].casefold():
        case "status":
            _refuse(rest, "status --channel slack:T/C")
            return Status(Channel.parse(channel) if channel else None)
        case "backfill":
            return _backfill(rest)
        case "backup":
            return Backup(_file(rest, "backup"), yes)
        case "restore":
            return Restore(_file(rest, "restore"), yes)
        case _:
            return _forget(rest)


def _backfill(rest: list[str]) -> Backfill:
    try:
        repo, since = rest
        return Backfill(repo, date.fromisoformat(since))
    except ValueError:
        raise UsageError(SAY.cli.backfill_what) from None


def _file(rest: list[str], command: str) -> Path:
    if len(rest) != 1:
        raise UsageError(SAY.cli.one_file(command))
    return Path(rest[0])


def _forget(rest: list[str]) -> Forget:
    platform, _, workspace = rest[0].partition(":") if len(rest) == 1 else ("", "", "")
    if platform.casefold() not in tuple(Platform) or not _WORKSPACE.fullmatch(workspace):
        given = f"{shown(' '.join(rest))} is no workspace: " if rest else ""
        raise UsageError(SAY.cli.forget_takes(given))
    return Forget(Platform(platform.casefold()), workspace)
