"""What went wrong, in the language of who reads it.

Errors are raised in English, as `digest.errors.Sentence`: a form and its values. The form is the
key here. Commands and names inside a sentence stay as they are typed in every language.
"""

from collections.abc import Mapping
from types import MappingProxyType

from digest.errors import InfraError, Phrase, Sentence
from digest.languages import Language
from digest.writing.wording.causes import CAUSES, in_chinese


def told(error: InfraError, language: Language) -> str:
    """Give the one line that a person reads; in English where there is no other."""
    if language is Language.ZH:
        return _in_chinese(error.sentence).splitlines()[0]
    return str(error).splitlines()[0]


def _in_chinese(sentence: Sentence) -> str:
    own = sentence.form.zh if isinstance(sentence.form, Phrase) else ""
    form = own or CHINESE.get(sentence.form)
    if form is None:  # its values may be filled in already
        return in_chinese(str(sentence))
    values = {
        name: _in_chinese(value) if isinstance(value, Sentence) else value
        for name, value in sentence.values.items()
    }
    return form.format(**values) if values else form


CHINESE: Mapping[str, str] = MappingProxyType(
    {
        # commands
        "{count} characters are too many for a command, {most} can be read: vllm yesterday": (
            "命令有 {count} 个字符，过长，最多 {most} 个：vllm yesterday"
        ),
        "there is no command {first}: did you mean {meant}?": (
            "没有 {first} 这个命令：是想输入 {meant} 吗？"
        ),
        "there is no command {command}: subscribe vllm sglang": (
            "没有 {command} 这个命令：subscribe vllm sglang"
        ),
        "{first} is for the command line, here it is: {instead} {named}": (
            "{first} 只用于命令行，这里请用：{instead} {named}"
        ),
        "that is for the command line, here it is: subscribe vllm": (
            "该命令只用于命令行，这里请用：subscribe vllm"
        ),
        "{command} takes no more words: {command}": "{command} 之后不带其他词：{command}",
        "say what to search for: search flash attention": (
            "请写明要搜索什么：search flash attention"
        ),
        "nothing to search for: write `infra search WORDS`": (
            "没有要搜索的词：search flash attention"
        ),
        "say which item: why sglang 18905": "请写明是哪一项：why sglang 18905",
        "help takes one word: help {given}": "help 之后只带一个词：help {given}",
        "there is no help about {topic}: {hint}": "没有关于 {topic} 的帮助：{hint}",
        "topics are {topics}": "可选 {topics}",
        "did you mean {meant}?": "是想输入 {meant} 吗？",
        "no digest is written in {language}, only in en or zh: {example}": (
            "没有 {language} 版，只有 en 和 zh：{example}"
        ),
        "{when} is not a time: {command} yesterday": "{when} 不是时间：{command} yesterday",
        "{when} is not a time: did you mean {meant}?": "{when} 不是时间：是想输入 {meant} 吗？",
        (
            "{when} is neither a time nor a change: {repo} yesterday, {repo} 2026-02-11 or "
            "{repo} '#18905'"
        ): ("{when} 既不是时间也不是变更：{repo} yesterday、{repo} 2026-02-11 或 {repo} '#18905'"),
        "that address belongs to {repo}, not to {asked}: leave {name} out": (
            "该地址属于 {repo}，而不是 {asked}：请去掉 {name}"
        ),
        # repositories
        "there is no repository called {name}: {hint}": "没有名为 {name} 的仓库：{hint}",
        "write OWNER/NAME, or one of {names}": "请写 OWNER/NAME，或 {names} 之一",
        # subscribing
        "say which repositories: {example}": "请写明哪些仓库：{example}",
        "say which repositories: subscribe vllm sglang": "请写明哪些仓库：subscribe vllm sglang",
        "say whether repositories share a thread: {keyword} {given}": (
            "请写明各仓库是否共用讨论串：{keyword} {given}"
        ),
        "repositories have one thread or their own threads, not both: one thread": (
            "各仓库或共用一个讨论串，或各有讨论串，不能兼有：one thread"
        ),
        "{keyword} is said twice: {keyword} {given}": "{keyword} 写了两次：{keyword} {given}",
        "nothing follows {keyword}: {example}": "{keyword} 之后缺少内容：{example}",
        "{word} is {what}: {example}": "{word} {what}：{example}",
        "a time": "是时间",
        "a day": "是星期",
        "a language": "是语言",
        "a time zone": "是时区",
        "no repository": "不是仓库",
        "{name} is no repository: unsubscribe vllm": "{name} 不是仓库：unsubscribe vllm",
        "say from which: unsubscribe vllm, or unsubscribe all": (
            "请写明取消哪些：unsubscribe vllm，或 unsubscribe all"
        ),
        "all is all of them: unsubscribe all, or unsubscribe {other}": (
            "all 就是全部：unsubscribe all，或 unsubscribe {other}"
        ),
        "this channel has no subscription: subscribe vllm sglang": (
            "本频道没有订阅：subscribe vllm sglang"
        ),
        "this channel does not get {repo}": "本频道没有订阅 {repo}",
        "this channel does not get {repo}: it gets {names}": (
            "本频道没有订阅 {repo}，已订阅的是 {names}"
        ),
        (
            "{count} repositories are too many for one channel, it takes {max_repos}: "
            "unsubscribe some, or use a second channel"
        ): "{count} 个仓库过多，一个频道最多 {max_repos} 个：请取消一些，或另用一个频道",
        (
            "only admins and people named in INFRA_MAY_SUBSCRIBE change what this channel gets: "
            "ask one"
        ): "只有管理员和 INFRA_MAY_SUBSCRIBE 中列出的人可以更改本频道的订阅：请联系他们",
        "settings takes no more words: settings, or subscribe {given}": (
            "settings 之后不带其他词：settings，或 subscribe {given}"
        ),
        "say which repositories: vllm sglang": "请写明哪些仓库：vllm sglang",
        # settings
        "{given} is not a time of day: at 09:00": "{given} 不是一天中的时刻：at 09:00",
        "{given} is not a time of day: at {hour:02}:{minute:02}": (
            "{given} 不是一天中的时刻：at {hour:02}:{minute:02}"
        ),
        "{given} is not on a clock of 24 hours: at {near}": "{given} 不在 24 小时之内：at {near}",
        "say on which days: on weekdays": "请写明星期几：on weekdays",
        "weekly is one day of the week: on weekly, or on weekly mon": (
            "weekly 是一周中的一天：on weekly，或 on weekly mon"
        ),
        "on daily, on weekdays or on mon,wed": "on daily、on weekdays 或 on mon,wed",
        "{word} is not a day of the week: {hint}": "{word} 不是星期：{hint}",
        "no digest is written in {language}: in en or in zh": "没有 {language} 版：in en 或 in zh",
        "say what to leave out: without bots,ci,docs": "请写明略去什么：without bots,ci,docs",
        "without bots,ci,docs": "without bots,ci,docs",
        "{word} cannot be left out: {hint}": "{word} 不能略去：{hint}",
        "a quiet day is told by a line or by nothing, not by {given}: quiet nothing": (
            "平静的日子发一行（line）或不发（nothing），不能是 {given}：quiet nothing"
        ),
        "👀 opens a follow-up or does nothing, not {given}: eyes open or eyes nothing": (
            "👀 只能发起跟进（open）或不起作用（nothing），不能是 {given}："
            "eyes open 或 eyes nothing"
        ),
        "yesterday is not shown {given}: show now or show later": (
            "昨天的内容不能以 {given} 显示：show now 或 show later"
        ),
        "say which {name} to follow: {name} {example}": "请写明 {name} 的内容：{name} {example}",
        "{count} {name} are too many, {most} can be followed: {name} {example}": (
            "{name} 有 {count} 项，过多，最多 {most} 项：{name} {example}"
        ),
        "{word} cannot be followed: {name} {example}": "{word} 不能用于 {name}：{name} {example}",
        "no time zone is called {name}: {hint}": "没有名为 {name} 的时区：{hint}",
        "{name} is the time of {one} and of {other}: write one of them": (
            "{name} 既指 {one}，也指 {other}：请写其中之一"
        ),
        "zones have names such as UTC, Asia/Shanghai or Europe/Berlin": (
            "时区名如 UTC、Asia/Shanghai 或 Europe/Berlin"
        ),
        # windows
        "no day is too few: try yesterday": "天数不能为零：请试 yesterday",
        "{words} has one end: write {yesterday}..{today}": (
            "{words} 只有一端：请写 {yesterday}..{today}"
        ),
        "{words} is not a time: {hint}": "{words} 不是时间：{hint}",
        "write one of {forms}": "请写 {forms} 之一",
        "{words} is not a date: write year-month-day, such as {today}": (
            "{words} 不是日期：请写年-月-日，如 {today}"
        ),
        "{words} does not exist, {month_name} {year} has {length} days: try {near_day}": (
            "{words} 不存在，该月有 {length} 天：请试 {near_day}"
        ),
        "{first}..{last} runs backwards: write {last}..{first}": (
            "{first}..{last} 前后颠倒：请写 {last}..{first}"
        ),
        "{last} is still to come, it is {today} in {key}: try {near}": (
            "{last} 尚未到来，{key} 现在是 {today}：请试 {near}"
        ),
        "{first} is before git's first day: start at {first_day} or later": (
            "{first} 早于 git 诞生之日：请从 {first_day} 或之后开始"
        ),
        "{count} days are too many, a digest has at most {max_days}: try {near_first}..{last}": (
            "{count} 天过长，最多 {max_days} 天：请试 {near_first}..{last}"
        ),
        "{today} has only just begun in {key}: try yesterday": (
            "{key} 的 {today} 才刚开始：请试 yesterday"
        ),
        "the calendar of {key} skipped {first}: try {near_day}": (
            "{key} 的日历中没有 {first}：请试 {near_day}"
        ),
        # waiting for repositories
        "{repos}: {why}": "{repos}：{why}",
        "{first}; {second}": "{first}；{second}",
        "{first}, {second}": "{first}、{second}",
        # follow-ups and buttons
        "there are no {word} follow-ups: {hint}": "没有 {word} 这类跟进项：{hint}",
        "followups mine, open, done or all": "followups mine、open、done 或 all",
        "this question is out of date: flag the message again": "该提问已过期：请重新标记该消息",
        "this button is out of date: ask again with a command": "该按钮已过期：请用命令重新查询",
        **CAUSES,
    }
)
