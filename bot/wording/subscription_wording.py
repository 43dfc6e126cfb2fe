"""A channel's settings as a sentence, and as the command that gives them."""

from collections.abc import Sequence

from bot.model.parts import Mark
from bot.model.setting_words import DAILY, LEFT_OUT, MONDAY, WEEKDAYS, WEEKENDS, Eyes, Quiet
from bot.model.subscriptions import Subscription
from bot.wording.settings_form import mention_words
from digest.languages import Language
from digest.windows import WEEKDAYS as WEEKDAY_NAMES
from digest.writing.phrasing import spaced

DAYS = {
    Language.EN: ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"),
    Language.ZH: ("一", "二", "三", "四", "五", "六", "日"),
}
LEFT_OUT_NAMES = {
    Language.EN: {"bots": "bots", "ci": "CI", "docs": "docs"},
    Language.ZH: {"bots": "机器人", "ci": "CI", "docs": "文档"},
}
MENTIONED_ON_NAMES = {
    Language.EN: {Mark.BREAKING: "what breaks", Mark.SECURITY: "security"},
    Language.ZH: {Mark.BREAKING: "不兼容变更", Mark.SECURITY: "安全问题"},
}
LANGUAGE_NAMES = {
    Language.EN: {Language.EN: "in English", Language.ZH: "in Chinese"},
    Language.ZH: {Language.EN: "英文", Language.ZH: "中文"},
}


def described(subscription: Subscription, language: Language) -> str:
    """Say in one sentence without its full stop what is told, when, and what is wrong, if it is."""
    say = _in_chinese if language is Language.ZH else _in_english
    return say(subscription)


def as_command(subscription: Subscription) -> str:
    """Write the `subscribe` command that gives a new channel these settings, all of them named."""
    parts = [
        f"subscribe {' '.join(map(str, subscription.repos))}",
        f"at {subscription.at:%H:%M} tz {subscription.tz}",
        f"on {days_word(subscription)} in {subscription.language}",
        f"without {','.join(sorted(subscription.without)) or 'nothing'}",
        f"paths {' '.join(subscription.paths) or 'all'}",
        f"topics {' '.join(subscription.topics) or 'all'}",
        f"quiet {subscription.quiet}",
        *((f"eyes {subscription.eyes}",) if subscription.eyes else ()),
        *(("publish yes",) if subscription.publish else ()),
        *((f"mention {mention_words(subscription.mention)}",) if subscription.mention.role else ()),
        "one thread" if subscription.one_thread else "own threads",
    ]
    return " ".join(parts)


def days_word(subscription: Subscription) -> str:
    """Write the days as `setting_words.read_days` reads them: `weekdays`, `mon,wed`."""
    days = ",".join(WEEKDAY_NAMES[day] for day in sorted(subscription.days))
    if subscription.weekly:
        return "weekly" if subscription.days == MONDAY else f"weekly {days}"
    named = {DAILY: "daily", WEEKDAYS: "weekdays", WEEKENDS: "weekends"}
    return named.get(subscription.days, days)


def _in_english(subscription: Subscription) -> str:
    parts = [
        f"{_and(list(map(str, subscription.repos)))} {_days_in_english(subscription)} "
        f"at {subscription.at:%H:%M} {subscription.tz}",
        LANGUAGE_NAMES[Language.EN][subscription.language],
    ]
    if subscription.without:
        parts.append(f"without {_and(_left_out(subscription, Language.EN))}")
    if subscription.paths:
        parts.append(f"paths {' '.join(subscription.paths)}")
    if subscription.topics:
        parts.append(f"topics {' '.join(subscription.topics)}")
    if subscription.quiet is Quiet.NOTHING:
        parts.append("nothing on quiet days")
    if subscription.eyes is Eyes.OPEN:
        parts.append("👀 opens a follow-up")
    if subscription.eyes is Eyes.NOTHING:
        parts.append("👀 opens nothing")
    if subscription.one_thread:
        parts.append("all in one thread")
    if subscription.publish:
        parts.append("published to who follows the channel")
    if on := _mentioned_on(subscription, Language.EN):
        parts.append(f"a role mentioned on {_and(on)}")
    said = ", ".join(parts)
    if subscription.paused:
        return f"{said}; paused: {subscription.paused}"
    return f"{said}; last error: {subscription.last_error}" if subscription.last_error else said


def _days_in_english(subscription: Subscription) -> str:
    if subscription.days == DAILY:
        return "every day"
    if subscription.days == WEEKDAYS:
        return "on weekdays"
    named = [DAYS[Language.EN][day] for day in sorted(subscription.days)]
    return f"weekly on {_and(named)}" if subscription.weekly else f"on {_and(named)}"


def _in_chinese(subscription: Subscription) -> str:
    parts = [
        f"{_days_in_chinese(subscription)} {subscription.at:%H:%M}（{subscription.tz}）"
        f"播报 {'、'.join(map(str, subscription.repos))}",
        LANGUAGE_NAMES[Language.ZH][subscription.language],
    ]
    if subscription.without:
        parts.append(spaced(f"不含{'、'.join(_left_out(subscription, Language.ZH))}"))
    if subscription.paths:
        parts.append(f"路径 {' '.join(subscription.paths)}")
    if subscription.topics:
        parts.append(f"主题 {' '.join(subscription.topics)}")
    if subscription.quiet is Quiet.NOTHING:
        parts.append("平静的日子不发")
    if subscription.eyes is Eyes.OPEN:
        parts.append("👀 会发起跟进")
    if subscription.eyes is Eyes.NOTHING:
        parts.append("👀 不会发起跟进")
    if subscription.one_thread:
        parts.append("合并为一个讨论串")
    if subscription.publish:
        parts.append("向关注该频道者发布")
    if on := _mentioned_on(subscription, Language.ZH):
        parts.append(f"遇{'、'.join(on)}时提及身份组")
    said = "，".join(parts)
    if subscription.paused:
        return f"{said}；已暂停：{subscription.paused}"
    return f"{said}；上次出错：{subscription.last_error}" if subscription.last_error else said


def _days_in_chinese(subscription: Subscription) -> str:
    if subscription.days == DAILY:
        return "每天"
    if subscription.days == WEEKDAYS:
        return "工作日"
    return "每周" + "、".join(DAYS[Language.ZH][day] for day in sorted(subscription.days))


def _mentioned_on(subscription: Subscription, language: Language) -> list[str]:
    names = MENTIONED_ON_NAMES[language]
    return [names[mark] for mark in names if mark in subscription.mention.on]


def _left_out(subscription: Subscription, language: Language) -> list[str]:
    return [LEFT_OUT_NAMES[language][word] for word in LEFT_OUT if word in subscription.without]


def _and(words: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))
