"""The commands as Discord is told of them, and whether it has them so already (pure).

https://discord.com/developers/docs/interactions/application-commands: names up to 32 characters in
lower case, descriptions up to 100, 25 options and choices, 8,000 characters in a command.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from adapters.discord.permissions import MANAGE_CHANNELS
from bot.model.followups import Which
from bot.model.setting_words import LEFT_OUT, Eyes, Quiet
from digest.languages import Language

INFRA = "infra"
SEARCH = "infra-search"
FOLLOWUPS = "followups"
INFRA_UPGRADE = "infra-upgrade"
CHANNEL = "infra-channel"
FLAG = "Flag for follow-up"
DEEP_DIVE = "Deep dive"

CHAT_INPUT = 1
ON_MESSAGE = 3
SUB_COMMAND = 1
TEXT = 3
YES_OR_NO = 5
ROLE = 8

IN_SERVERS = 0
"""A context: no direct messages, since every answer belongs to a server."""
INSTALLED_ON_SERVER = 0

LONGEST_VALUE = 100
"""Of what autocomplete offers: its name, and its value."""
MOST_CHOICES = 25

Json = dict[str, Any]

Names = Mapping[Language, str]
"""How a choice is called, by the language of the client that shows it."""


def _names(en: str, zh: str) -> Names:
    return {Language.EN: en, Language.ZH: zh}


LANGUAGES = {
    Language.EN.value: _names("English", "English"),
    Language.ZH.value: _names("中文", "中文"),
}
QUIET = {
    Quiet.LINE.value: _names("one line", "用一行说明"),
    Quiet.NOTHING.value: _names("nothing", "什么都不发"),
}
EYES = {
    Eyes.OPEN.value: _names("opens a follow-up", "发起跟进"),
    Eyes.NOTHING.value: _names("does nothing", "不起作用"),
}
MENTIONED_ON = {
    "breaks": _names("what breaks", "不兼容变更"),
    "security": _names("security", "安全问题"),
    "breaks,security": _names("what breaks, and security", "不兼容变更和安全问题"),
    "nothing": _names("nothing", "不提及"),
}
THREADS = {
    "own": _names("each repository its own", "每个仓库一个讨论串"),
    "one": _names("all in one thread", "合并为一个讨论串"),
}
WHICH = {
    Which.OPEN.value: _names("open", "未完成"),
    Which.MINE.value: _names("mine", "我的"),
    Which.DONE.value: _names("done", "已完成"),
    Which.ALL.value: _names("all", "全部"),
    Which.EVERYWHERE.value: _names("everywhere", "所有频道"),
}


def _option(
    name: str,
    description: str,
    zh: str,
    *,
    required: bool = False,
    typed: bool = False,
    choices: Mapping[str, Names] | None = None,
    kind: int = TEXT,
    most: int = LONGEST_VALUE,
) -> Json:
    """Give an option; `typed` asks for autocomplete, `choices` are names by value.

    `most` is how many characters can be typed, so that no command gets longer than is read.
    """
    option: Json = {
        "type": kind,
        "name": name,
        "description": description,
        "description_localizations": {"zh-CN": zh},
    }
    if required:
        option["required"] = True
    if typed:
        option["autocomplete"] = True
    if choices:
        option["choices"] = [
            {
                "name": names[Language.EN],
                "name_localizations": {"zh-CN": names[Language.ZH]},
                "value": value,
            }
            for value, names in choices.items()
        ]
    elif kind == TEXT:
        option["max_length"] = most
    return option


def _command(name: str, description: str, zh: str, options: Sequence[Json], **more: Any) -> Json:
    return {
        "type": CHAT_INPUT,
        "name": name,
        "description": description,
        "description_localizations": {"zh-CN": zh},
        "options": list(options),
        **_everywhere(),
        **more,
    }


def _sub(name: str, description: str, zh: str, options: Sequence[Json] = ()) -> Json:
    return {
        "type": SUB_COMMAND,
        "name": name,
        "description": description,
        "description_localizations": {"zh-CN": zh},
        "options": list(options),
    }


def _on_message(name: str, zh: str) -> Json:
    return {
        "type": ON_MESSAGE,
        "name": name,
        "name_localizations": {"zh-CN": zh},
        **_everywhere(),
    }


def _everywhere() -> Json:
    return {"contexts": [IN_SERVERS], "integration_types": [INSTALLED_ON_SERVER]}


LISTS_OF_WORDS = {
    "models": ("Models, with commas: Qwen3, DeepSeek-V4", "模型：Qwen3, DeepSeek-V4"),
    "hardware": ("Hardware: MI355, SM120", "硬件：MI355, SM120"),
    "flags": ("Flags and variables: --max-num-seqs, VLLM_USE_V1", "参数和环境变量"),
    "paths": ("Files and folders upstream: vllm/v1/core", "上游的文件和目录"),
    "symbols": ("Classes and functions: SchedulerInterface", "类和函数"),
    "pins": ("Versions: flashinfer==0.6.3", "版本：flashinfer==0.6.3"),
}
"""What each list of words holds, in English and Chinese."""

_LANGUAGE = _option(
    "language",
    "The language of the digest",
    "晨报的语言",
    choices=LANGUAGES,
)
_ZONE = _option("tz", "The channel's time zone: Asia/Shanghai", "频道的时区", typed=True)
_TIME = _option("time", "When the morning thread comes: 09:00", "晨报的时间：09:00", typed=True)
_DAYS = _option("days", "On which days: daily, weekdays, weekly or mon,wed", "哪几天", typed=True)
_WITHOUT = _option(
    "without", f"What to leave out: {', '.join(LEFT_OUT)}", "不看什么：bots、ci、docs", typed=True
)
_PATHS = _option(
    "paths", "Only changes to these files: csrc/** docs/*.md", "只看涉及这些文件的变更", most=600
)
_TOPICS = _option(
    "topics", "Only changes about these words: attention", "只看与这些词有关的变更", most=300
)
_QUIET = _option("quiet", "How a quiet day is told", "没有动静的日子怎么说", choices=QUIET)
_EYES = _option(
    "eyes",
    "What 👀 does on what nobody flagged (nothing if you don't say)",
    "对未标记的内容添加 👀 时（默认不起作用）",
    choices=EYES,
)
_THREADS = _option(
    "threads", "One thread for all, or one each", "一个讨论串还是各自一个", choices=THREADS
)
_PUBLISH = _option(
    "publish",
    "In an announcement channel: publish to servers that follow it",
    "在公告频道中：发布到关注它的服务器",
    kind=YES_OR_NO,
)
_MENTION = _option(
    "mention", "A role to mention, only on what you choose", "要提及的身份组", kind=ROLE
)
_MENTIONED_ON = _option(
    "mention_on", "When the role is mentioned", "何时提及", choices=MENTIONED_ON
)
_SHOW = _option(
    "show",
    "Show yesterday's thread at once (yes if you don't say)",
    "马上发出昨天的晨报（默认是）",
    kind=YES_OR_NO,
)
_SETTINGS = (
    *(_TIME, _ZONE, _DAYS, _LANGUAGE, _WITHOUT, _PATHS, _TOPICS, _QUIET, _EYES, _THREADS),
    *(_PUBLISH, _MENTION, _MENTIONED_ON),
)


def _repos(description: str, zh: str, *, required: bool = True) -> Json:
    return _option("repos", description, zh, required=required, typed=True, most=600)


COMMANDS: tuple[Json, ...] = (
    _command(
        INFRA,
        "What happened in a repository, or one change of it",
        "某个仓库发生了什么，或其中一项变更",
        (
            _option(
                "repo",
                "A repository: vllm, or all",
                "仓库：vllm，或 all",
                typed=True,
            ),
            _option("when", "A day or days: yesterday, 2026-02-11, week", "哪天", typed=True),
            _option(
                "change", "A number, SHA or tag: 35621, v0.15.1", "编号、SHA 或标签", typed=True
            ),
            _LANGUAGE,
            _option(
                "share", "Show the answer to the whole channel", "让整个频道看到", kind=YES_OR_NO
            ),
        ),
    ),
    _command(
        SEARCH,
        "Search what was told",
        "搜索已播报的内容",
        (
            _option("words", "What to look for", "要找的词", required=True, most=500),
            _option("repo", "Only in this repository", "只在这个仓库里找", typed=True),
        ),
    ),
    _command(
        FOLLOWUPS,
        "Changes that somebody follows up",
        "有人跟进的变更",
        (
            _sub(
                "show",
                "Show the follow-ups of this channel",
                "列出本频道的跟进",
                (
                    _option(
                        "which",
                        "Open ones if you don't say",
                        "默认列出未完成的",
                        choices=WHICH,
                    ),
                ),
            ),
        ),
    ),
    _command(
        CHANNEL,
        "What this channel gets every morning",
        "本频道每天早上收到什么",
        (
            _sub(
                "subscribe",
                "Get a morning thread about repositories",
                "订阅仓库的晨报",
                (_repos("Repositories: vllm sglang", "仓库：vllm sglang"), *_SETTINGS, _SHOW),
            ),
            _sub(
                "unsubscribe",
                "Get no more about repositories",
                "取消订阅",
                (_repos("Repositories: vllm, or all", "仓库：vllm，或 all"),),
            ),
            _sub("pause", "Post nothing more here until resumed", "暂停接收，直到恢复"),
            _sub("resume", "Go on, with what was due meanwhile", "恢复接收，并补发其间内容"),
            _sub(
                "concern",
                "What you use: words, or a public codebase that is read every day",
                "你们用到什么：手写的词，或每天读取的公开代码库",
                (
                    *(
                        _option(name, f"{what}; nothing clears them", zh, most=400)
                        for name, (what, zh) in LISTS_OF_WORDS.items()
                    ),
                    _option("add", "A public codebase: OWNER/NAME", "公开代码库：OWNER/NAME"),
                    _option("of", "What it uses: vllm", "它用到的仓库：vllm"),
                    _option("remove", "Take away: words, a name, or all", "移除：名称或 all"),
                ),
            ),
            _sub("list", "Show what this channel gets, and when", "列出本频道的订阅"),
            _sub(
                "settings",
                "Show the settings of this channel, or change them",
                "查看或修改设置",
                _SETTINGS,
            ),
        ),
        default_member_permissions=MANAGE_CHANNELS.bit,
    ),
    _command(
        INFRA_UPGRADE,
        "What an upgrade means for the codebases of this channel",
        "一次升级对本频道的代码库意味着什么",
        (
            _option("repo", "The repository: vllm", "仓库：vllm", required=True, typed=True),
            _option(
                "from",
                "A tag or SHA; what you pin if you don't say",
                "标签或 SHA（默认所钉的版本）",
            ),
            _option(
                "to",
                "A tag or SHA; the newest release if you don't say",
                "标签或 SHA（默认最新发布）",
            ),
            _LANGUAGE,
        ),
    ),
    _on_message(FLAG, "标记跟进"),
    _on_message(DEEP_DIVE, "深入了解"),
)
"""Everything that the bot can be asked by command."""


def are_known(present: Sequence[Mapping[str, Any]]) -> bool:
    """Tell whether Discord has these very commands, and no others."""
    return _by_name(present) == _by_name(COMMANDS)


def ids(present: Any) -> dict[str, str]:
    """Give the ids of commands that are typed, by their names, as Discord lists them."""
    return {
        str(each["name"]): str(each["id"])
        for each in (present if isinstance(present, list) else ())
        if each.get("type", CHAT_INPUT) == CHAT_INPUT and str(each.get("id", "")).isdecimal()
    }


def _by_name(commands: Sequence[Mapping[str, Any]]) -> dict[tuple[int, str], Any]:
    return {(each.get("type", CHAT_INPUT), each["name"]): _compared(each) for each in commands}


def _compared(command: Mapping[str, Any]) -> tuple[Any, ...]:
    """Give what is ours of a command or option; Discord adds ids, and leaves out what is empty."""
    return (
        command.get("type", CHAT_INPUT),
        command["name"],
        command.get("description") or "",
        command.get("name_localizations") or {},
        command.get("description_localizations") or {},
        bool(command.get("required")),
        bool(command.get("autocomplete")),
        command.get("max_length") or 0,
        [
            (each["name"], each.get("name_localizations") or {}, each["value"])
            for each in command.get("choices") or ()
        ],
        str(command.get("default_member_permissions") or ""),  # asked as a number, told as text
        sorted(command.get("contexts") or ()),
        sorted(command.get("integration_types") or ()),
        [_compared(each) for each in command.get("options") or ()],
    )
