"""What the settings form says, in each language; lengths as `adapters.slack.modal` needs them."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from digest.languages import Language


@dataclass(frozen=True, slots=True)
class ModalWords:
    """No field has a default, so that a phrase which a language lacks is a type error.

    `title`, `save` and `close` have at most 24 characters:
    https://docs.slack.dev/reference/views/modal-views
    """

    title: str
    save: str
    close: str
    new: str
    paused: str
    repos: str
    repos_hint: str
    repos_shown: str
    at: str
    tz: str
    tz_shown: str
    days: str
    weekdays: tuple[str, ...]
    language: str
    languages: Mapping[Language, str]
    without: str
    left_out: Mapping[str, str]
    paths: str
    paths_hint: str
    topics: str
    topics_hint: str
    concern: str
    concern_hint: str
    quiet: str
    quiets: Mapping[str, str]
    eyes: str
    eyes_do: Mapping[str, str]
    eyes_hint: str
    threads: str
    one_thread: str
    own_threads: str
    no_repos: str
    no_time: str
    no_zone: str
    no_days: str


EN = ModalWords(
    title="Infra Digest",
    save="Save",
    close="Cancel",
    new="This channel gets no digest yet. Save, and yesterday's thread comes at once.",
    paused="Paused: {why}. Saving goes on with it.",
    repos="Repositories",
    repos_hint="Short names such as vllm, or OWNER/NAME.",
    repos_shown="Type a name",
    at="Time of day",
    tz="Time zone",
    tz_shown="Type a city, such as Shanghai",
    days="Days",
    weekdays=("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    language="Language",
    languages={Language.EN: "English", Language.ZH: "中文"},
    without="Leave out",
    left_out={"bots": "Changes by bots", "ci": "CI and build", "docs": "Documentation"},
    paths="Only changes to these paths",
    paths_hint="Globs such as csrc/** *.cu; empty for all.",
    topics="Only these topics",
    topics_hint="Words such as attention moe; empty for all.",
    concern="What you use",
    concern_hint="models Qwen3, DeepSeek-V4 hardware MI355 flags --max-num-seqs; also paths, "
    "symbols and pins.",
    quiet="On a day without changes",
    quiets={"line": "Say so in one line", "nothing": "Post nothing"},
    eyes="👀 on what nobody flagged",
    eyes_do={"open": "Opens a follow-up", "nothing": "Does nothing"},
    eyes_hint="It opens one unless you choose.",
    threads="Several repositories",
    one_thread="All in one thread",
    own_threads="A thread for each, after a roundup",
    no_repos="Choose at least one repository.",
    no_time="Choose a time.",
    no_zone="Choose a time zone.",
    no_days="Choose at least one day.",
)

ZH = ModalWords(
    title="Infra Digest",
    save="保存",
    close="取消",
    new="本频道还没有晨报。保存后会立即发送昨天的讨论串。",
    paused="已暂停：{why}。保存后恢复。",
    repos="仓库",
    repos_hint="简称（如 vllm）或 OWNER/NAME。",
    repos_shown="输入名称",
    at="时间",
    tz="时区",
    tz_shown="输入城市，例如 Shanghai",
    days="日期",
    weekdays=("周一", "周二", "周三", "周四", "周五", "周六", "周日"),
    language="语言",
    languages={Language.EN: "English", Language.ZH: "中文"},
    without="略去",
    left_out={"bots": "机器人的变更", "ci": "CI 与构建", "docs": "文档"},
    paths="只看这些路径的变更",
    paths_hint="例如 csrc/** *.cu；留空表示全部。",
    topics="只看这些主题",
    topics_hint="例如 attention moe；留空表示全部。",
    concern="你们用到的东西",
    concern_hint="例如 models Qwen3, DeepSeek-V4 hardware MI355 flags --max-num-seqs；"
    "还有 paths、symbols 和 pins。",
    quiet="没有变更的日子",
    quiets={"line": "用一行说明", "nothing": "什么都不发"},
    eyes="对未标记的内容添加 👀",
    eyes_do={"open": "发起跟进", "nothing": "不起作用"},
    eyes_hint="不选则发起跟进。",
    threads="多个仓库时",
    one_thread="合并为一个讨论串",
    own_threads="先发总览，每个仓库一个讨论串",
    no_repos="请至少选择一个仓库。",
    no_time="请选择时间。",
    no_zone="请选择时区。",
    no_days="请至少选择一天。",
)

WORDS: Mapping[Language, ModalWords] = MappingProxyType({Language.EN: EN, Language.ZH: ZH})
