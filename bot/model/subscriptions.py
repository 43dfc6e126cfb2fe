"""What a channel gets, and when: one subscription for each channel, changed by commands."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from typing import Annotated, TypeVar

from pydantic import Field

from bot.model.channel_commands import DAILY, NOBODY, Eyes, Quiet, RoleMention, Subscribe
from bot.model.channels import Channel, Person
from digest.errors import UsageError
from digest.languages import Language
from digest.models import Repo
from digest.phrase import NOTHING, Example, Phrase
from digest.wording.phrases import SAY
from digest.zones import zone_named


@dataclass(frozen=True, slots=True)
class MissedDays:
    """The days of one repository from `since` (UTC) up to those of the next slot.

    A thread of several repositories goes out without those that fail, and says so. Their days
    are told with the next thread for which they can be looked at, so that no day is left out.
    """

    repo: Repo
    since: datetime


def owed(
    arrears: Sequence[MissedDays], repos: Sequence[Repo], begin: datetime, earliest: datetime
) -> tuple[MissedDays, ...]:
    """Return what a slot has to tell beside its window, which begins at `begin`.

    Nothing before `earliest` is told; repositories that a channel does not get any more are left
    out.
    """
    return tuple(
        MissedDays(each.repo, max(each.since, earliest))
        for each in arrears
        if each.repo in repos and each.since < begin
    )


def left(
    missed: Sequence[MissedDays], unseen: Sequence[Repo], repos: Sequence[Repo], begin: datetime
) -> tuple[MissedDays, ...]:
    """Return the days still missed after a slot in which repositories were `unseen`."""
    since = {each.repo: each.since for each in missed}
    return tuple(MissedDays(repo, since.get(repo, begin)) for repo in unseen if repo in repos)


__all__ = [
    *("Quiet", "Subscription", "changed", "paused", "resumed", "without_repos"),
]

Kind = TypeVar("Kind")

NINE = time(9)
"""When a channel is told that names no time."""

MAX_REPOS = 25
"""Repositories of one channel: a morning that people still read, and a list that any form holds."""


@dataclass(frozen=True, slots=True)
class Subscription:
    """What one channel is told, when, and what is left out.

    `at` is the time on the channel's own clock in the IANA zone `tz`; `days` are weekdays on which
    it is told, 0 is Monday, and never none of them. `weekly` only says that the one day was asked
    for by that word. `without` holds words of `LEFT_OUT`; `paths` are globs and `topics` words to
    follow, none for all. `paused` is why nothing is sent, `last_error` what went wrong
    last. `last_delivered_end` is the end of the last window that was told, and
    `last_delivered_date` the local date of its slot, both stored under their former names.
    `id` is None until it is stored.

    `absence` is a word of `bot.deliver.unreachable_channels.Absence` where the platform made it
    pause; it ends by itself once the channel is back. `complaint` is what the subscriber was told
    last about it, until a thread goes out again; `failing_since` is when sending began to fail,
    `failed_at` when it last did, `asked_at` when an absent channel was last looked at. `said_date`
    is the local date of the last slot that something was posted for, and `quiet_since` the
    beginning of the days on which nothing has happened since. `resumed_at` is when its last pause
    ended, whoever had made it.
    `arrears` are days of single repositories that could not be looked at when the others were told.
    `eyes` is what 👀 does on what nobody flagged, None for what is usual on the platform. `publish`
    has an announcement channel publish its mornings, `mention` is the role that hears of some of
    them; `unmet` names the wishes that could not be met when that was said last.
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
    paused: Phrase = NOTHING
    last_error: Phrase = NOTHING
    last_delivered_end: Annotated[datetime | None, Field(alias="last_told_end")] = None
    last_delivered_date: Annotated[date | None, Field(alias="last_told_date")] = None
    absence: str = ""
    complaint: Phrase = NOTHING
    failing_since: datetime | None = None
    failed_at: datetime | None = None
    asked_at: datetime | None = None
    said_date: date | None = None
    quiet_since: datetime | None = None
    resumed_at: datetime | None = None
    arrears: tuple[MissedDays, ...] = ()
    eyes: Eyes | None = None
    publish: bool = False
    mention: RoleMention = NOBODY
    unmet: frozenset[str] = frozenset()


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
    only: bool = False,
) -> Subscription:
    """Return the subscription after `subscribe`: repositories are added, what is named is changed.

    `repos` are what the command's names mean; with `only`, as a form gives them, they are all.
    `tz` and `language` are for a new subscription that names none. One that its platform stopped
    goes on again; one that a person paused stays so.
    Raises `UsageError` for a new one without repositories, and for more than `MAX_REPOS`.
    """
    before = current or Subscription(
        id=None,
        channel=channel,
        repos=(),
        at=NINE,
        tz=tz,
        days=DAILY,
        weekly=False,
        language=language,
        without=frozenset(),
        paths=(),
        topics=(),
        quiet=Quiet.LINE,
        one_thread=False,
        created_by=person.id,
        created_at=now,
    )
    return replace(
        before,
        repos=_added(() if only else before.repos, repos),
        at=_or(command.at, before.at),
        tz=_or(command.tz, before.tz),
        days=_or(command.days, before.days),
        weekly=before.weekly if command.days is None else command.weekly,
        language=_or(command.language, before.language),
        without=_or(command.without, before.without),
        paths=_or(command.paths, before.paths),
        topics=_or(command.topics, before.topics),
        quiet=_or(command.quiet, before.quiet),
        eyes=command.eyes or before.eyes,
        publish=_or(command.publish, before.publish),
        mention=_or(command.mention, before.mention),
        one_thread=_or(command.one_thread, before.one_thread),
        paused=NOTHING if before.absence else before.paused,
        last_error=NOTHING,
        absence="",
        complaint=NOTHING,
        failing_since=None,
        asked_at=None,
        resumed_at=now if before.absence else before.resumed_at,
    )


def without_repos(
    current: Subscription | None, repos: Sequence[Repo], shown: Sequence[Repo]
) -> Subscription | None:
    """Return the subscription after `unsubscribe`; None where nothing is left of it.

    No `repos` means all. Raises `UsageError` where there is nothing to take away; it names those
    that may be `shown`.
    """
    if current is None:
        raise no_subscription()
    has = {_folded(repo) for repo in current.repos}
    for repo in repos:
        if _folded(repo) not in has:
            if not shown:
                raise UsageError(SAY.subscribing.not_subscribed(repo))
            names = tuple(map(str, shown))
            raise UsageError(SAY.subscribing.subscribed_to_others(repo, names))
    gone = {_folded(repo) for repo in repos} or has
    left = tuple(repo for repo in current.repos if _folded(repo) not in gone)
    return replace(current, repos=left) if left else None


def paused(current: Subscription | None, now: datetime) -> Subscription:
    """Return the subscription after `pause`: it stays so until a person resumes it.

    Raises `UsageError` where there is none.
    """
    if current is None:
        raise no_subscription()
    since = now.astimezone(zone_named(current.tz)).date()
    why = SAY.subscribing.paused_since(since)
    return replace(current, paused=why, absence="", complaint=NOTHING, failing_since=None)


def resumed(current: Subscription | None, now: datetime) -> Subscription:
    """Return the subscription after `resume`; raises `UsageError` where there is none."""
    if current is None:
        raise no_subscription()
    return replace(
        current,
        paused=NOTHING,
        last_error=NOTHING,
        absence="",
        complaint=NOTHING,
        failing_since=None,
        resumed_at=now if current.paused else current.resumed_at,
    )


def no_subscription() -> UsageError:
    """Say that a channel has no subscription, and how it gets one."""
    return UsageError(SAY.subscribing.no_subscription(Example("subscribe vllm sglang")))


def _added(repos: tuple[Repo, ...], more: Sequence[Repo]) -> tuple[Repo, ...]:
    by_name = {_folded(repo): repo for repo in (*more, *repos)}
    names = dict.fromkeys(_folded(repo) for repo in (*repos, *more))
    if not names:
        raise UsageError(SAY.subscribing.no_repositories(Example("subscribe vllm sglang")))
    if len(names) > MAX_REPOS:
        raise UsageError(SAY.subscribing.too_many(len(names), MAX_REPOS))
    return tuple(by_name[name] for name in names)


def _folded(repo: Repo) -> str:
    return str(repo).casefold()


def _or(named: Kind | None, before: Kind) -> Kind:
    return before if named is None else named
