"""Why an item was, or was not, in what one channel was told."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from bot.model.filters import LEAVES_OUT, is_told
from bot.model.setting_words import LEFT_OUT
from bot.model.subscriptions import Subscription
from digest.languages import Language, Text
from digest.models import ReadItem

DAY_SHOWN, WEEK_SHOWN = timedelta(days=2), timedelta(days=8)
"""How far back the first thread of a channel may reach: the day or week before it, in any zone."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A message of a channel that names an item: that of a morning, or an answer (no date)."""

    local_date: date | None
    is_parent: bool
    others: int


OWN_MESSAGE: Text = {
    Language.EN: "In this channel: told on {date} in a message of its own.",
    Language.ZH: "本频道：{date} 以单独一条消息播报。",
}
WITH_OTHERS: Text = {
    Language.EN: "In this channel: told on {date} in one message with {count} others.",
    Language.ZH: "本频道：{date} 与另外 {count} 项在同一条消息中播报。",
}
IN_PARENT: Text = {
    Language.EN: "In this channel: named on {date} in the first message of its thread.",
    Language.ZH: "本频道：{date} 在讨论串的首条消息中提及。",
}
NOT_SUBSCRIBED: Text = {
    Language.EN: "This channel does not get {repo}.",
    Language.ZH: "本频道未订阅 {repo}。",
}
LEFT_OUT_BY: Text = {
    Language.EN: "Not in this channel: left out by {setting}.",
    Language.ZH: "本频道未播报：按设置 {setting} 略去。",
}
TO_COME: Text = {
    Language.EN: "Not yet in this channel: its day comes with the next thread.",
    Language.ZH: "本频道尚未播报：将随下一个讨论串播报。",
}
BY_COUNT: Text = {
    Language.EN: "In this channel: counted, not named (importance: {importance}).",
    Language.ZH: "本频道：仅计入数量，未单独列出（重要性：{importance}）。",
}
IMPORTANCE: dict[Language, dict[str, str]] = {
    Language.EN: {"high": "high", "medium": "medium", "low": "low"},
    Language.ZH: {"high": "高", "medium": "中", "low": "低"},
}
BEFORE: Text = {
    Language.EN: "Not in this channel: it is older than its first thread.",
    Language.ZH: "本频道未播报：早于本频道的首个讨论串。",
}


def told_here(
    read: ReadItem,
    subscription: Subscription | None,
    mentions: Sequence[Mention],
    language: Language,
) -> str:
    """Say it in one sentence; nothing for a channel without a subscription.

    `mentions` are the newest messages first. What a morning told wins over answers.
    """
    if subscription is None:
        return ""
    told = next((each for each in mentions if each.local_date), None)
    if told:
        return _mentioned(told, language)
    repo = read.item.repo
    if str(repo).casefold() not in {str(each).casefold() for each in subscription.repos}:
        return NOT_SUBSCRIBED[language].format(repo=repo)
    if not is_told(read, subscription):
        return LEFT_OUT_BY[language].format(setting=left_out_by(read, subscription))
    since = {str(each.repo).casefold(): each.since for each in subscription.arrears}
    told_until = since.get(str(repo).casefold(), subscription.last_told_end)
    if told_until is None or read.item.at >= told_until:
        return TO_COME[language]
    if read.item.at < subscription.created_at - (WEEK_SHOWN if subscription.weekly else DAY_SHOWN):
        return BEFORE[language]
    grade = IMPORTANCE[language].get(read.importance.value, read.importance.value)
    return BY_COUNT[language].format(importance=grade)


def left_out_by(read: ReadItem, subscription: Subscription) -> str:
    """Give the settings that leave an item out, as they are typed; empty where none does."""
    if is_told(read, subscription):
        return ""
    words = [word for word in LEFT_OUT if word in subscription.without and LEAVES_OUT[word](read)]
    if words:
        return f"without {','.join(words)}"
    paths = f"paths {' '.join(subscription.paths)}" if subscription.paths else ""
    topics = f"topics {' '.join(subscription.topics)}" if subscription.topics else ""
    return " ".join(filter(None, (paths, topics)))


def _mentioned(mention: Mention, language: Language) -> str:
    date = mention.local_date
    if mention.is_parent:
        return IN_PARENT[language].format(date=date)
    if mention.others:
        return WITH_OTHERS[language].format(date=date, count=mention.others)
    return OWN_MESSAGE[language].format(date=date)
