"""What a channel gets, and when: one subscription for each channel, changed by commands."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time

from bot.channel_commands import Subscribe
from bot.channels import Channel, Person
from bot.setting_words import Quiet
from digest.models import Language, Repo

DAILY = frozenset(range(7))
WEEKDAYS = frozenset(range(5))
MONDAY = frozenset({0})
NINE = time(9)


@dataclass(frozen=True, slots=True)
class Subscription:
    """What one channel is told, when, and what is left out.

    `at` is the time on the channel's own clock in the IANA zone `tz`; `days` are weekdays on which
    it is told, 0 is Monday, and never none of them. `weekly` only says that the one day was asked
    for by that word. `without` holds words of `LEFT_OUT`; `paths` are globs and `topics` words to
    follow, none for all. `paused` is the sentence why nothing is sent, `last_error` what went wrong
    last. `last_told_end` is the end of the last window that was told, `last_told_date` the local
    date of its slot. `id` is None until it is stored.
    """

    id: int | None
    channel: Channel
    repos: tuple[Repo, ...]
    at: time
    tz: str
    days: frozenset[int]
    weekly: bool
    language: Language
    without: frozenset[str]
    paths: tuple[str, ...]
    topics: tuple[str, ...]
    quiet: Quiet
    one_thread: bool
    created_by: str
    created_at: datetime
    paused: str = ""
    last_error: str = ""
    last_told_end: datetime | None = None
    last_told_date: date | None = None


def changed(
    current: Subscription | None,
    command: Subscribe,
    *,
    repos: Sequence[Repo],
    channel: Channel,
    person: Person,
    now: datetime,
    tz: str,
    language: Language,
) -> Subscription:
    """Give the subscription after `subscribe`: repositories are added, what is named is changed.

    `repos` are what the command's names mean. `tz` and `language` are for a new subscription that
    names none. A paused one goes on again. Raises `UsageError` for a new one without repositories,
    and for more than `MAX_REPOS`.
    """
    raise NotImplementedError


def without_repos(current: Subscription | None, repos: Sequence[Repo]) -> Subscription | None:
    """Give the subscription after `unsubscribe`; None where nothing is left of it.

    No `repos` means all. Raises `UsageError` where there is nothing to take away.
    """
    raise NotImplementedError


def described(subscription: Subscription, language: Language) -> str:
    """Say in one sentence what is told and when."""
    raise NotImplementedError


@dataclass(frozen=True, slots=True)
class ChangePolicy:
    """Who may subscribe and change settings: all members, or only admins and named people.

    `people` are named as `slack:T0123/U0456` or `discord:1234/5678`.
    """

    members: bool = True
    people: frozenset[str] = frozenset()


def may_change(person: Person, policy: ChangePolicy) -> bool:
    """Tell whether a person may subscribe and change the settings of the channel they are in."""
    raise NotImplementedError
