"""The settings of a channel as a form: every field as a person writes it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from bot.model.channel_commands import (
    DAILY,
    MENTIONED_ON,
    Eyes,
    Quiet,
    RoleMention,
    Subscribe,
    read_at,
    read_paths,
    read_topics,
    read_zone,
)
from bot.model.concerns import read_addition, read_lists
from bot.model.subscriptions import NINE, Subscription
from digest.errors import UsageError
from digest.languages import Language
from digest.phrase import Phrase
from digest.wording.saying import said

Kind = TypeVar("Kind")


@dataclass(frozen=True, slots=True)
class SettingsForm:
    """What a form shows and gives back.

    What a person writes is as `bot.model.channel_commands` reads it: `repos` are names or aliases,
    `at` is `09:00`, `paths` globs and `topics` words, separated by commas or spaces. `days` count
    from Monday; where one stands for a week, it is `weekly`. `eyes` is None for what is usual on
    the platform. `concern` are words as `bot.model.concerns.read_lists` reads them, None for a form
    without that field. `surfaces` are the names of the channel's codebases and files, of which
    `remove` are taken away; `add` is what follows `concern add`. `is_new` tells that the channel
    has no subscription yet, `paused` why it gets nothing, and `state` says in a line what it was
    told last, what comes next, and what went wrong.
    """

    repos: tuple[str, ...]
    at: str
    tz: str
    days: frozenset[int]
    language: Language
    weekly: bool = False
    without: frozenset[str] = frozenset()
    paths: str = ""
    topics: str = ""
    quiet: Quiet = Quiet.LINE
    eyes: Eyes | None = None
    one_thread: bool = False
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
    return SettingsForm(
        repos=tuple(map(str, subscription.repos)),
        at=f"{subscription.at:%H:%M}",
        tz=subscription.tz,
        days=subscription.days,
        language=subscription.language,
        weekly=subscription.weekly,
        without=subscription.without,
        paths=" ".join(subscription.paths),
        topics=" ".join(subscription.topics),
        quiet=subscription.quiet,
        eyes=subscription.eyes,
        one_thread=subscription.one_thread,
        is_new=False,
        paused=said(subscription.paused, language),
    )


def mention_words(mention: RoleMention) -> str:
    """Write a mention as `read_mention` reads it; empty for nobody."""
    on = ",".join(word for word, mark in MENTIONED_ON.items() if mark in mention.on)
    return f"{mention.role} {on}" if mention.role else ""


def blank_form(tz: str, language: Language) -> SettingsForm:
    """Return the form of a channel that has no subscription yet."""
    return SettingsForm((), f"{NINE:%H:%M}", tz, DAILY, language)


def read_form(form: SettingsForm) -> tuple[Subscribe, dict[str, Phrase]]:
    """Return the command that a form means, and one sentence for each field that cannot be."""
    faults: dict[str, Phrase] = {}

    def field(name: str, read: Callable[[str], Kind], text: str) -> Kind | None:
        try:
            return read(text)
        except UsageError as error:
            faults[name] = error.why
            return None

    command = Subscribe(
        repos=form.repos,
        at=field("at", read_at, form.at),
        tz=field("tz", read_zone, form.tz),
        days=form.days,
        weekly=form.weekly,
        language=form.language,
        without=form.without,
        paths=field("paths", read_paths, form.paths.strip() or "all"),
        topics=field("topics", read_topics, form.topics.strip() or "all"),
        quiet=form.quiet,
        eyes=form.eyes,
        one_thread=form.one_thread,
    )
    if form.concern:
        field("concern", read_lists, form.concern)
    if form.add:
        field("add", read_addition, form.add)
    return command, faults
