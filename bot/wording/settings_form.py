"""The settings of a channel as a form: every field as a person writes it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from bot.model.channel_commands import Subscribe
from bot.model.concerns import read_addition, read_lists
from bot.model.setting_words import (
    MENTIONED_ON,
    NAMED_DAYS,
    RoleMention,
    read_at,
    read_days,
    read_eyes,
    read_language,
    read_paths,
    read_quiet,
    read_topics,
    read_without,
    read_zone,
)
from bot.model.subscriptions import NINE, Subscription
from digest.errors import UsageError
from digest.languages import Language
from digest.phrase import Phrase
from digest.windows import WEEKDAYS as DAY_NAMES
from digest.wording.saying import said

Kind = TypeVar("Kind")


@dataclass(frozen=True, slots=True)
class SettingsForm:
    """What a form shows and gives back, in the words of `bot.model.setting_words`.

    `repos` are names or aliases; `at` is `09:00`, `days` `daily`, `weekdays`, `weekly` or
    `mon,wed`; `language` `en` or `zh`; `without` words of `LEFT_OUT`; `paths` globs and `topics`
    words, separated by commas or spaces; `quiet` `line` or `nothing`; `eyes` `open`, `nothing`, or
    empty for what is usual on the platform. `publish` and `mention` (`1234 breaks`) are Discord's
    alone, and no form changes them. `concern` are words as
    `bot.model.concerns.read_lists` reads them, None for a form without that field. `surfaces` are
    the names of the channel's codebases and files, of which `remove` are taken away; `add` is what
    follows `concern add`. `is_new` tells
    that the channel has no subscription yet, `paused` why it gets nothing, and `state` says in a
    line what it was told last, what comes next, and what went wrong.
    """

    repos: tuple[str, ...]
    at: str
    tz: str
    days: str
    language: str
    without: tuple[str, ...] = ()
    paths: str = ""
    topics: str = ""
    quiet: str = "line"
    eyes: str = ""
    one_thread: bool = False
    publish: bool = False
    mention: str = ""
    concern: str | None = None
    surfaces: tuple[str, ...] = ()
    remove: tuple[str, ...] = ()
    add: str = ""
    is_new: bool = True
    paused: str = ""
    state: str = ""


FormFaults = Mapping[str, Phrase]
"""One sentence for each field of `SettingsForm` that cannot be, by the field's name."""


def as_form(subscription: Subscription, language: Language) -> SettingsForm:
    """Return the form of a channel's settings as they are."""
    days = ",".join(DAY_NAMES[day] for day in sorted(subscription.days))
    named = {days_: name for name, days_ in NAMED_DAYS.items() if name != "weekly"}
    return SettingsForm(
        repos=tuple(map(str, subscription.repos)),
        at=f"{subscription.at:%H:%M}",
        tz=subscription.tz,
        days=f"weekly {days}" if subscription.weekly else named.get(subscription.days, days),
        language=subscription.language.value,
        without=tuple(sorted(subscription.without)),
        paths=" ".join(subscription.paths),
        topics=" ".join(subscription.topics),
        quiet=subscription.quiet.value,
        eyes=subscription.eyes.value if subscription.eyes else "",
        one_thread=subscription.one_thread,
        publish=subscription.publish,
        mention=mention_words(subscription.mention),
        is_new=False,
        paused=said(subscription.paused, language),
    )


def mention_words(mention: RoleMention) -> str:
    """Write a mention as `read_mention` reads it; empty for nobody."""
    on = ",".join(word for word, mark in MENTIONED_ON.items() if mark in mention.on)
    return f"{mention.role} {on}" if mention.role else ""


def blank_form(tz: str, language: Language) -> SettingsForm:
    """Return the form of a channel that has no subscription yet."""
    return SettingsForm((), f"{NINE:%H:%M}", tz, "daily", language.value)


def read_form(form: SettingsForm) -> tuple[Subscribe, dict[str, Phrase]]:
    """Return the command that a form means, and one sentence for each field that cannot be."""
    faults: dict[str, Phrase] = {}

    def field(name: str, read: Callable[[str], Kind], text: str) -> Kind | None:
        try:
            return read(text)
        except UsageError as error:
            faults[name] = error.why
            return None

    days = field("days", read_days, form.days)
    command = Subscribe(
        repos=form.repos,
        at=field("at", read_at, form.at),
        tz=field("tz", read_zone, form.tz),
        days=days[0] if days else None,
        weekly=bool(days and days[1]),
        language=field("language", read_language, form.language),
        without=field("without", read_without, ",".join(form.without) or "nothing"),
        paths=field("paths", read_paths, form.paths.strip() or "all"),
        topics=field("topics", read_topics, form.topics.strip() or "all"),
        quiet=field("quiet", read_quiet, form.quiet),
        eyes=field("eyes", read_eyes, form.eyes) if form.eyes else None,
        one_thread=form.one_thread,
    )
    if form.concern:
        field("concern", read_lists, form.concern)
    if form.add:
        field("add", read_addition, form.add)
    return command, faults
