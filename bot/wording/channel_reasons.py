"""Why an item was, or was not, in what one channel was told."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from bot.model.filters import LEAVES_OUT, is_told
from bot.model.setting_words import LEFT_OUT
from bot.model.subscriptions import Subscription
from digest.languages import Language
from digest.models import ReadItem
from digest.wording.saying import CATALOGUES

DAY_SHOWN, WEEK_SHOWN = timedelta(days=2), timedelta(days=8)
"""How far back the first thread of a channel may reach: the day or week before it, in any zone."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A message of a channel that names an item: that of a morning, or an answer (no date)."""

    local_date: date | None
    is_parent: bool
    others: int


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
        return CATALOGUES[language].mentions.not_subscribed(repo)
    if not is_told(read, subscription):
        return CATALOGUES[language].mentions.left_out_by(left_out_by(read, subscription))
    since = {str(each.repo).casefold(): each.since for each in subscription.arrears}
    told_until = since.get(str(repo).casefold(), subscription.last_told_end)
    if told_until is None or read.item.at >= told_until:
        return CATALOGUES[language].mentions.to_come
    if read.item.at < subscription.created_at - (WEEK_SHOWN if subscription.weekly else DAY_SHOWN):
        return CATALOGUES[language].mentions.before
    grade = CATALOGUES[language].names.importance[read.importance]
    return CATALOGUES[language].mentions.by_count(grade)


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
        return CATALOGUES[language].mentions.in_parent(date)
    if mention.others:
        return CATALOGUES[language].mentions.with_others(date, mention.others)
    return CATALOGUES[language].mentions.own_message(date)
