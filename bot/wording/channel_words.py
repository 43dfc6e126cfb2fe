"""A channel in words: its settings, how it is, what happened, and why it was told of an item."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo

from bot.model.channel_commands import (
    DAILY,
    LEFT_OUT,
    MENTIONED_ON,
    MONDAY,
    WEEKDAYS,
    WEEKENDS,
    Eyes,
    Quiet,
    RoleMention,
)
from bot.model.channels import OPERATOR
from bot.model.parts import Mark
from bot.model.records import LogEntry, LogKind
from bot.model.slots import next_due
from bot.model.subscriptions import LEAVES_OUT, Subscription, is_included
from digest.errors import BadWindow
from digest.grades import Noise
from digest.languages import Language
from digest.models import ReadItem
from digest.times import DAY_NAMES, zone_named
from digest.wording.catalogue import Catalogue
from digest.wording.phrases import SAY
from digest.wording.saying import CATALOGUES, localized
from digest.writing.document import Moment, Runs, Words
from digest.writing.phrasing import joined


def mention_words(mention: RoleMention) -> str:
    """Write a mention as `read_mention` reads it; empty for nobody."""
    on = ",".join(word for word, mark in MENTIONED_ON.items() if mark in mention.on)
    return f"{mention.role} {on}" if mention.role else ""


NOISE = {"bots": Noise.BOT, "ci": Noise.CI, "docs": Noise.DOCS}
"""What the words of `LEFT_OUT` leave out."""

LONGEST_LINE = 200
"""Characters of a line about what happened."""


def described(subscription: Subscription, language: Language) -> str:
    """Say in one sentence without its full stop what is told, when, and what is wrong, if it is."""
    words = CATALOGUES[language]
    say = words.channels
    left_out = [words.names.noise[NOISE[word]] for word in LEFT_OUT if word in subscription.without]
    marks = {Mark.BREAKING: say.what_breaks, Mark.SECURITY: say.security}
    mentioned_on = [name for mark, name in marks.items() if mark in subscription.mention.on]
    parts = (
        say.gets(
            words.listed(list(map(str, subscription.repos))),
            _days(subscription, words),
            f"{subscription.at:%H:%M}",
            subscription.tz,
        ),
        say.in_language(CATALOGUES[subscription.language].own_name),
        say.without(words.listed(left_out)) if left_out else "",
        say.paths(" ".join(subscription.paths)) if subscription.paths else "",
        say.topics(" ".join(subscription.topics)) if subscription.topics else "",
        say.nothing_if_quiet if subscription.quiet is Quiet.NOTHING else "",
        say.eyes_open if subscription.eyes is Eyes.OPEN else "",
        say.eyes_nothing if subscription.eyes is Eyes.NOTHING else "",
        say.one_thread if subscription.one_thread else "",
        say.published if subscription.publish else "",
        say.mentioned_on(words.listed(mentioned_on)) if mentioned_on else "",
    )
    line = words.pause.join(filter(None, parts))
    if subscription.paused:
        return say.and_paused(line, words.localized(subscription.paused))
    error = words.localized(subscription.last_error).partition("\n")[0]
    return say.and_failed(line, error) if error else line


def _days(subscription: Subscription, words: Catalogue) -> str:
    if subscription.days == DAILY:
        return words.channels.every_day
    if subscription.days == WEEKDAYS:
        return words.channels.on_weekdays
    days = words.listed([words.dates.weekdays[day] for day in sorted(subscription.days)])
    return words.channels.weekly_on(days) if subscription.weekly else words.channels.on(days)


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
    """Write the days as `read_days` reads them: `weekdays`, `mon,wed`."""
    days = ",".join(DAY_NAMES[day] for day in sorted(subscription.days))
    if subscription.weekly:
        return "weekly" if subscription.days == MONDAY else f"weekly {days}"
    named = {DAILY: "daily", WEEKDAYS: "weekdays", WEEKENDS: "weekends"}
    return named.get(subscription.days, days)


def state(
    subscription: Subscription, now: datetime, language: Language, *, errors: bool = True
) -> Runs:
    """Say it; without `errors`, what went wrong is left out, for where it stands already."""
    last = subscription.last_delivered_date
    say = CATALOGUES[language]
    parts: list[Runs] = [(Words(say.state.last(last) if last else say.state.never),)]
    parts.append(next_morning(subscription, now, language))
    if errors and subscription.last_error and not subscription.paused:
        parts.append((Words(say.localized(SAY.state.wrong(subscription.last_error))),))
    return joined(parts, say.gap)


def next_morning(subscription: Subscription, now: datetime, language: Language) -> Runs:
    """Say when the next morning is, on the channel's own clock; nothing where none comes."""
    try:
        at = next_due(subscription, now)
        zone = zone_named(subscription.tz)
    except BadWindow:  # a zone that this machine does not know any more
        return ()
    if at is None:
        return ()
    written = f"{at.astimezone(zone):%Y-%m-%d %H:%M} {subscription.tz}"
    before, after = CATALOGUES[language].state.next(written).split(written)
    return (Words(before), Moment(written, at), Words(after))


def person_name(name: str, language: Language) -> str:
    """Return a person's name as it is shown; who runs the bot has one in each language."""
    return localized(SAY.operating.operator, language) if name == OPERATOR else name


def log_line(entry: LogEntry, tz: str, language: Language) -> str:
    """Say one thing with its moment on a zone's clock, and that zone."""
    words = CATALOGUES[language].state
    match entry.kind:
        case LogKind.CHANGED:
            sentence = words.changed(person_name(entry.who, language), entry.what)
        case LogKind.DELIVERED:
            sentence = words.told(entry.what)
        case LogKind.FAILED:
            sentence = words.failed(localized(entry.why, language))
    sentence = sentence if len(sentence) <= LONGEST_LINE else f"{sentence[: LONGEST_LINE - 1]}…"
    try:
        zone: tzinfo = zone_named(tz)
    except BadWindow:  # a zone that this machine does not know any more
        zone = UTC
    return f"{entry.at.astimezone(zone):%Y-%m-%d %H:%M} {zone} {sentence}"


DAY_SHOWN, WEEK_SHOWN = timedelta(days=2), timedelta(days=8)
"""How far back the first thread of a channel may reach: the day or week before it, in any zone."""


@dataclass(frozen=True, slots=True)
class ItemMention:
    """A message of a channel that names an item: that of a morning, or an answer (no date)."""

    local_date: date | None
    is_parent: bool
    others: int


def why_shown_here(
    read: ReadItem,
    subscription: Subscription | None,
    mentions: Sequence[ItemMention],
    language: Language,
) -> str:
    """Say it in one sentence; nothing for a channel without a subscription.

    `mentions` are the newest messages first. What a morning told wins over answers.
    """
    if subscription is None:
        return ""
    mention = next((each for each in mentions if each.local_date), None)
    if mention:
        return _mentioned(mention, language)
    repo = read.item.repo
    if str(repo).casefold() not in {str(each).casefold() for each in subscription.repos}:
        return CATALOGUES[language].mentions.not_subscribed(repo)
    if left_out := _left_out_by(read, subscription):
        return CATALOGUES[language].mentions.left_out_by(left_out)
    since = {str(each.repo).casefold(): each.since for each in subscription.arrears}
    covered_until = since.get(str(repo).casefold(), subscription.last_delivered_end)
    if covered_until is None or read.item.at >= covered_until:
        return CATALOGUES[language].mentions.to_come
    if read.item.at < subscription.created_at - (WEEK_SHOWN if subscription.weekly else DAY_SHOWN):
        return CATALOGUES[language].mentions.before
    grade = CATALOGUES[language].names.importance[read.importance]
    return CATALOGUES[language].mentions.by_count(grade)


def _left_out_by(read: ReadItem, subscription: Subscription) -> str:
    """Return the settings that leave an item out, as they are typed; empty where none does."""
    if is_included(read, subscription):
        return ""
    words = [word for word in LEFT_OUT if word in subscription.without and LEAVES_OUT[word](read)]
    if words:
        return f"without {','.join(words)}"
    paths = f"paths {' '.join(subscription.paths)}" if subscription.paths else ""
    topics = f"topics {' '.join(subscription.topics)}" if subscription.topics else ""
    return " ".join(filter(None, (paths, topics)))


def _mentioned(mention: ItemMention, language: Language) -> str:
    date = mention.local_date
    if mention.is_parent:
        return CATALOGUES[language].mentions.in_parent(date)
    if mention.others:
        return CATALOGUES[language].mentions.with_others(date, mention.others)
    return CATALOGUES[language].mentions.own_message(date)
