"""The table of commands: one row for each, from which help and docs/commands.md are made."""

from dataclasses import dataclass

from bot.model.commands import nearest, shown
from digest.errors import UsageError
from digest.languages import Language, Text
from digest.phrase import Example
from digest.wording.phrases import SAY


@dataclass(frozen=True, slots=True)
class HelpRow:
    """One command: its topic, its form, one example that works, and what it gives."""

    topic: str
    form: str
    example: str
    gives: Text


def _gives(en: str, zh: str) -> Text:
    return {Language.EN: en, Language.ZH: zh}


READING_ROWS: tuple[HelpRow, ...] = (
    HelpRow(
        "repo",
        "REPO [WHEN]",
        "sglang 2026-02-11",
        _gives(
            "what happened in a repository; yesterday unless you say when",
            "某个仓库发生了什么；不写时间就是昨天",
        ),
    ),
    HelpRow(
        "span",
        "REPO FROM..TO",
        "vllm v0.15.0..v0.16.0",
        _gives(
            "what changed for a user between two versions: tags or SHAs",
            "两个版本（标签或 SHA）之间对使用者有什么变化",
        ),
    ),
    HelpRow(
        "change",
        "REPO N | pr/N | #N | SHA | vX.Y | URL",
        "sglang 18905",
        _gives(
            "one change, issue or release: what changed for users, files, hunks, related",
            "单个变更、Issue 或发布：对使用者有什么变化、文件、补丁、相关项",
        ),
    ),
    HelpRow(
        "all",
        "all [WHEN]",
        "all week",
        _gives("every repository, busiest first", "所有仓库，最忙的在前"),
    ),
    HelpRow(
        "search",
        "search WORDS",
        "search flash attention",
        _gives("items already collected that hold these words", "在已收集的条目中查找这些词"),
    ),
    HelpRow(
        "ask",
        "QUESTION",
        "what broke for MI300 since monday",
        _gives(
            "a question in plain words, of the days that are stored: the last seven, or the time "
            "in it",
            "用平常的话提问，在已存的日子里查找：默认最近七天，也可写时间",
        ),
    ),
    HelpRow(
        "repos",
        "repos",
        "repos",
        _gives("the repositories known by alias", "有别名的仓库"),
    ),
    HelpRow(
        "watch",
        "watch OWNER/NAME [as ALIAS]",
        "watch pytorch/pytorch as torch",
        _gives("one more repository, under an alias", "再加一个仓库，并给它一个别名"),
    ),
    HelpRow(
        "unwatch",
        "unwatch ALIAS",
        "unwatch torch",
        _gives("that repository is left out again", "不再关注该仓库"),
    ),
    HelpRow(
        "why",
        "why REPO N",
        "why sglang 18905",
        _gives(
            "why an item is graded as it is, point by point", "某一项为何如此分级，逐条给出分数"
        ),
    ),
    HelpRow(
        "help",
        "help [TOPIC]",
        "help change",
        _gives("this table, or one row of it", "这张表，或其中一行"),
    ),
)

CHANNEL_ROWS: tuple[HelpRow, ...] = (
    HelpRow(
        "subscribe",
        "subscribe REPO… [at 09:00] [tz ZONE] [on daily|weekdays|weekly|mon,wed] [in zh|en] "
        "[without bots,ci,docs] [paths GLOB…] [topics WORD…] [quiet line|nothing] "
        "[eyes open|nothing] [publish yes|no] [mention ROLE breaks,security|nothing] "
        "[one thread|own threads] [show now|later]",
        "subscribe vllm sglang at 09:00 on weekdays tz Asia/Shanghai in zh without bots,ci",
        _gives(
            "a thread every morning in this channel; again, it adds repositories and changes "
            "what you name",
            "每天早上在本频道发一个讨论串；再次订阅会增加仓库并修改所写的设置",
        ),
    ),
    HelpRow(
        "unsubscribe",
        "unsubscribe REPO…|all",
        "unsubscribe sglang",
        _gives("these repositories are told no more in this channel", "本频道不再播报这些仓库"),
    ),
    HelpRow(
        "pause",
        "pause",
        "pause",
        _gives(
            "nothing more is posted in this channel until it is resumed", "本频道暂停接收，直到恢复"
        ),
    ),
    HelpRow(
        "resume",
        "resume",
        "resume",
        _gives(
            "this channel goes on, with one thread over the days since the last",
            "本频道恢复接收，其间的内容合为一个讨论串补发",
        ),
    ),
    HelpRow(
        "subscriptions",
        "subscriptions",
        "subscriptions",
        _gives("what this channel is told, and when", "本频道订阅了什么、何时播报"),
    ),
    HelpRow(
        "followups",
        "followups [mine|open|done|all|everywhere]",
        "followups mine",
        _gives(
            "what was flagged here: 🚩 flag, 👀 take, ✅ done; everywhere: and mine elsewhere",
            "本频道的跟进项：🚩 标记，👀 接手，✅ 完成；everywhere 还包括我在其他频道的",
        ),
    ),
    HelpRow(
        "concern",
        "concern [models|hardware|flags|paths|symbols|pins WORD,…] "
        "[add OWNER/NAME of REPO] [remove NAME|all]",
        "concern models Qwen3, DeepSeek-V4 hardware MI355",
        _gives(
            "what concerns this channel: words by hand, and public codebases that are read daily",
            "什么与本频道有关：手写的词，以及每天读取的公开代码库",
        ),
    ),
    HelpRow(
        "upgrade",
        "upgrade REPO [FROM..TO]",
        "upgrade vllm v0.15.0..v0.16.0",
        _gives(
            "what an upgrade means for the codebases that concern this channel: what breaks, "
            "behaves "
            "otherwise, is new; else from what they pin to the newest release",
            "一次升级对与本频道有关的代码库意味着什么：会出错的、行为不同的、新增的；默认从所"
            "钉版本到最新发布",
        ),
    ),
    HelpRow(
        "settings",
        "settings",
        "settings",
        _gives(
            "the settings of this channel, to be changed, and what happened to it lately",
            "查看和修改本频道的设置，以及最近发生的事",
        ),
    ),
)

CHAT_ROWS = (
    *(row for row in READING_ROWS if row.topic not in ("watch", "unwatch", "help")),
    *CHANNEL_ROWS,
    *(row for row in READING_ROWS if row.topic == "help"),
)
"""The table of a channel, where repositories are not watched but subscribed."""

WHEN = "today · yesterday · 2026-02-11 · 2026-02-09..2026-02-11 · week · since fri"
LANGUAGES = "in en · in zh"


def rows_about(topic: str, rows: tuple[HelpRow, ...]) -> tuple[HelpRow, ...]:
    """Give the row of a topic, or all rows for no topic; `UsageError` suggests the nearest."""
    if not topic:
        return rows
    found = tuple(row for row in rows if row.topic == topic)
    if found:
        return found
    topics = tuple(dict.fromkeys(row.topic for row in rows))
    meant = nearest(topic, topics)
    other = SAY.commands.topics(topics)
    hint = SAY.commands.did_you_mean(Example(f"help {meant}")) if meant else other
    raise UsageError(SAY.commands.no_help(shown(topic), hint))
