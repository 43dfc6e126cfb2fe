"""What only a terminal can ask, beside the grammar that it shares with chat.

::

    surface PATH|URL · upgrade REPO FROM..TO · between GOOD BAD · record REPO WHEN FILE ·
    export markdown DIR [WHEN] [REPO…] · check · db upgrade · demo
"""

from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from adapters.terminal.bot_commands import (
    BOT_ROWS,
    BOT_WORDS,
    BotCommand,
    InChannel,
    parse_bot_words,
)
from adapters.terminal.operating_commands import (
    OPERATING_ROWS,
    OPERATING_WORDS,
    OperatingCommand,
    parse_operating,
)
from adapters.terminal.options import NO_BOT_OPTIONS, BotOptions
from bot.model.channels import Channel
from bot.model.commands import DEFAULT_WHEN, Command, is_time, nearest, parse, shown
from bot.model.help import READING_ROWS, HelpRow
from bot.model.references import read_repo
from digest.errors import UsageError
from digest.languages import Language
from digest.repos import KNOWN


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
TerminalCommand: TypeAlias = OwnCommand | BotCommand | OperatingCommand

TERMINAL_ROWS: tuple[HelpRow, ...] = (
    HelpRow(
        "surface",
        "surface PATH|URL [--of REPO] [--at REV]",
        "surface . --of vllm",
        {
            Language.EN: "what a codebase uses of a repository, as a file (--format toml or json); "
            "nothing of it runs",
            Language.ZH: "某个代码库用到了某个仓库的哪些东西，写成文件（--format toml 或 json）；"
            "不会运行任何代码",
        },
    ),
    HelpRow(
        "upgrade",
        "upgrade REPO [FROM..TO] --for SURFACE [--draft]",
        "upgrade vllm v0.15.0..v0.16.0 --for vllm.toml",
        {
            Language.EN: "what an upgrade means for a codebase: breaks, behaves otherwise, new, "
            "unchanged; needs --source git:CLONE",
            Language.ZH: "一次升级对某个代码库意味着什么：会出错、行为不同、新增、未变；"
            "需要 --source git:克隆",
        },
    ),
    HelpRow(
        "between",
        "between [REPO] GOOD BAD [WORDS] [--for SURFACE]",
        "between v0.15.0 v0.15.1 wrong output --source git:.",
        {
            Language.EN: "the changes of a bisect range, the likeliest cause first; needs "
            "--source git:CLONE",
            Language.ZH: "二分区间里的变更，最可能的原因在前；需要 --source git:克隆",
        },
    ),
    HelpRow(
        "export",
        "export markdown DIR [WHEN] [REPO…]",
        "export markdown reports-of-my-team week",
        {
            Language.EN: "DIR/reports/DATE.md for each day, and an index in DIR/README.md",
            Language.ZH: "每天写一份 DIR/reports/DATE.md，并更新索引 DIR/README.md",
        },
    ),
    HelpRow(
        "record",
        "record REPO WHEN FILE",
        "record sglang 2026-02-11 sglang.json",
        {
            Language.EN: "what the source gives, in one file for --source recorded:FILE",
            Language.ZH: "把来源给出的内容写进一个文件，供 --source recorded:FILE 使用",
        },
    ),
    HelpRow(
        "evaluate",
        "evaluate LABELS --clones DIR [--write FILE] [--learn FILE] | --model",
        "evaluate labels --clones clones --write docs/quality.md",
        {
            Language.EN: "how well days are told, measured against what editors chose",
            Language.ZH: "对照编辑的选择，衡量日报的好坏",
        },
    ),
    HelpRow(
        "check",
        "check",
        "check",
        {
            Language.EN: "tries configuration, database, network, tokens and model, and says what "
            "to do",
            Language.ZH: "检查配置、数据库、网络、令牌和模型，并说明该怎么做",
        },
    ),
    HelpRow(
        "db",
        "db upgrade",
        "db upgrade",
        {
            Language.EN: "brings the database up to date with this program",
            Language.ZH: "把数据库升级到本程序的版本",
        },
    ),
    HelpRow(
        "demo",
        "demo",
        "demo",
        {
            Language.EN: "a day, and a page of what Slack and Discord show of it, offline",
            Language.ZH: "离线演示：一天的内容，以及它在 Slack 和 Discord 中的样子（网页）",
        },
    ),
)

OPTION_ROWS: tuple[HelpRow, ...] = (
    HelpRow(
        "options",
        "--format text|markdown|json|html",
        "sglang --format json",
        {Language.EN: "how the answer is drawn", Language.ZH: "输出格式"},
    ),
    HelpRow(
        "options",
        "--lang en|zh · --tz ZONE",
        "sglang today --tz Asia/Shanghai",
        {Language.EN: "language and zone, else as set", Language.ZH: "语言和时区，默认按设置"},
    ),
    HelpRow(
        "options",
        "--full | --brief",
        "sglang --full",
        {
            Language.EN: "every item by its title; the headline alone",
            Language.ZH: "列出每一项的标题；只要提要",
        },
    ),
    HelpRow(
        "options",
        "--for SURFACE",
        "vllm week --for vllm.toml",
        {
            Language.EN: "of a digest, what concerns a codebase comes first; else see upgrade",
            Language.ZH: "日报：先列出与某个代码库有关的内容；upgrade 和 between：针对它",
        },
    ),
    HelpRow(
        "options",
        "--analysis",
        "sglang 2026-02-11 --analysis",
        {
            Language.EN: "the long form: of one change, or of a repository's day with its contents",
            Language.ZH: "长篇分析：单个变更，或某个仓库的一天（带目录）",
        },
    ),
    HelpRow(
        "options",
        "--source github|git:PATH_OR_URL|recorded:FILE",
        ". week --source git:.",
        {
            Language.EN: "where to look: any clone works too",
            Language.ZH: "数据来源：任何克隆也可以",
        },
    ),
    HelpRow(
        "options",
        "--no-store · --debug · --version",
        "sglang --no-store",
        {
            Language.EN: "keep nothing; log to standard error; which version this is",
            Language.ZH: "不保存；日志写到标准错误；显示版本",
        },
    ),
)

ROWS = READING_ROWS + TERMINAL_ROWS + BOT_ROWS + OPERATING_ROWS + OPTION_ROWS
"""The whole table of the terminal."""


def parse_words(words: list[str], bot: BotOptions = NO_BOT_OPTIONS) -> TerminalCommand:
    """Read the words of a command line; `UsageError` shows the right form.

    Of the options, only those that belong to the commands that run the bot are read here.
    """
    if words and words[0].casefold() in OPERATING_WORDS:
        return parse_operating(words, channel=bot.channel, yes=bot.yes)
    if words and words[0].casefold() == "why" and bot.channel:
        return InChannel(" ".join(words), Channel.parse(bot.channel))
    if words and words[0].casefold() in BOT_WORDS:
        return parse_bot_words(words, only=bot.only, at=bot.at, send=bot.send, channel=bot.channel)
    own = _own_command(words, bot)
    if own is not None:
        return own
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
            _nothing_after(first, rest)
            return Check() if first == "check" else Demo()
        case "db":
            if [word.casefold() for word in rest] != ["upgrade"]:
                raise UsageError("the database can be upgraded: infra db upgrade")
            return UpgradeDatabase()
    return None


def _nothing_after(command: str, rest: list[str]) -> None:
    if rest:
        raise UsageError(f"{command} takes no more words: infra {command}")


def _surface(rest: list[str], options: BotOptions) -> ShowSurface:
    if len(rest) != 1:
        raise UsageError("say which codebase: infra surface PATH|URL --of vllm")
    return ShowSurface(rest[0], options.of, options.at)


_UPGRADE = "infra upgrade vllm v0.15.0..v0.16.0 --for SURFACE"


def _upgrade(rest: list[str], options: BotOptions) -> ShowUpgrade:
    if not rest or len(rest) > 2 or (len(rest) == 2 and ".." not in rest[1]):
        raise UsageError(f"say of which repository, from where to where: {_UPGRADE}")
    if not options.surface:
        raise UsageError(f"say for which codebase, as made by infra surface: {_UPGRADE}")
    base, _, head = rest[1].partition("..") if len(rest) == 2 else ("", "", "")
    return ShowUpgrade(rest[0], base, head.lstrip("."), options.surface, options.draft)


def _between(rest: list[str], options: BotOptions) -> ShowBetween:
    repo = rest.pop(0) if rest and (rest[0].casefold() in KNOWN or read_repo(rest[0])) else ""
    if len(rest) < 2:
        raise UsageError("say which version was good and which is bad: infra between GOOD BAD")
    return ShowBetween(rest[0], rest[1], " ".join(rest[2:]), options.surface, repo)


def _record(rest: list[str]) -> Record:
    if len(rest) < 3 or not is_time(" ".join(rest[1:-1])):
        raise UsageError(
            "say what to record, and where: infra record sglang 2026-02-11 sglang.json"
        )
    return Record(rest[0], " ".join(rest[1:-1]).casefold(), Path(rest[-1]))


def _export(rest: list[str]) -> ExportMarkdown:
    match rest:
        case [form, folder, *more] if form.casefold() == "markdown":
            pass
        case _:
            raise UsageError("say what to write, and where: infra export markdown DIR")
    length = 2 if more[:1] and more[0].casefold() == "since" else 1
    when = " ".join(more[:length])
    if is_time(when):
        return ExportMarkdown(Path(folder), when.casefold(), tuple(more[length:]))
    return ExportMarkdown(Path(folder), repos=tuple(more))


def _evaluate(rest: list[str], options: BotOptions) -> Evaluate:
    if len(rest) != 1:
        raise UsageError("say which labels: infra evaluate LABELS --clones DIR")
    if options.model:
        return Evaluate(Path(rest[0]), None)
    if not options.clones:
        raise UsageError(
            "say where the clones are (DIR/OWNER+NAME): infra evaluate LABELS --clones DIR"
        )
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
        message = f"there is no command {shown(words[0])}: did you mean {meant}?"
        raise UsageError(message)
