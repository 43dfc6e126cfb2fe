"""What a channel gets, and when: one subscription for each channel, changed by commands."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date, datetime, time
from fnmatch import fnmatchcase
from typing import Annotated, Any

from pydantic import Field

from bot.model.channel_commands import DAILY, NOBODY, Eyes, Quiet, RoleMention, Subscribe
from bot.model.channels import Channel, Person
from digest.errors import UsageError
from digest.grades import ChangeObject, Importance, Noise
from digest.languages import Language
from digest.models import Kind, Reading, ReadItem, Repo
from digest.phrase import NOTHING, Example, Phrase
from digest.times import zone_named
from digest.wording.phrases import SAY


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

    `absence` is a word of `bot.deliver.subscriber_notices.Absence` where the platform made it
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


CHOSEN = {each.name for each in fields(Subscribe)} - {"repos", "weekly", "show"}
"""What `subscribe` changes where it names it, called alike there and here."""

_RUNNING: dict[str, Any] = {
    "last_error": NOTHING,
    "complaint": NOTHING,
    "absence": "",
    "failing_since": None,
    "asked_at": None,
}
"""What is known of a channel about which nothing is wrong."""


def begun(
    channel: Channel, person: Person, now: datetime, tz: str, language: Language
) -> Subscription:
    """Return what a channel begins with, to which repositories are added."""
    return Subscription(
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
    before = current or begun(channel, person, now, tz, language)
    named = {name: getattr(command, name) for name in CHOSEN}
    goes_on = _RUNNING | {"paused": NOTHING, "resumed_at": now} if before.absence else _RUNNING
    return replace(
        before,
        repos=_added(() if only else before.repos, repos),
        weekly=before.weekly if command.days is None else command.weekly,
        **{name: value for name, value in named.items() if value is not None},
        **goes_on,
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
    resumed_at = now if current.paused else current.resumed_at
    return replace(current, paused=NOTHING, resumed_at=resumed_at, **_RUNNING)


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


WILDCARDS = frozenset("*?[")


def matches(glob: str, path: str) -> bool:
    """Return whether a path is meant by a glob; the time grows with the product of their lengths.

    Globs are those of CODEOWNERS, without regular expressions that could run away: `*`, `?` and
    `[abc]` stay within a folder, `**` goes through folders. A glob without `/`, but for one at
    its end, is meant at any depth. One that ends without wildcards is also a folder with all
    that is below it
    (https://docs.github.com/en/repositories/managing-your-repositorys-settings-and-features/customizing-your-repository/about-code-owners).
    """
    parts = [part for part in glob.split("/") if part]
    if not parts:
        return False
    if len(parts) == 1 and not glob.startswith("/"):
        parts.insert(0, "**")
    if glob.endswith("/"):
        parts.append("**")
    needed = [
        part
        for part, before in zip(parts, ["", *parts[:-1]], strict=True)
        if not part == before == "**"
    ]
    return _match(needed, path.split("/"))


def _match(parts: list[str], folders: list[str]) -> bool:
    """Walk the path once and keep which parts of the glob it can have come to."""
    whole = len(parts)
    is_folder = not WILDCARDS & set(parts[-1])
    reached = _through({0}, parts)
    for folder in folders:
        if is_folder and whole in reached:
            return True
        on = set()
        for at in reached - {whole}:
            if parts[at] == "**":
                on.add(at)
            elif _fits(folder, parts[at]):
                on.add(at + 1)
        reached = _through(on, parts)
    return whole in reached


def _fits(folder: str, part: str) -> bool:
    return fnmatchcase(folder, part) if WILDCARDS & set(part) else folder == part


def _through(reached: set[int], parts: list[str]) -> set[int]:
    """Add what follows each `**`, which may stand for no folder at all."""
    return reached | {at + 1 for at in reached if at < len(parts) and parts[at] == "**"}


PATHS_READ = 60
"""Files of an item by whose paths a topic is found; more of one change tell nothing new."""
TITLE_READ = 1_000
"""Topics are looked for in so much of a title; GitHub allows 256 characters."""


@dataclass(frozen=True, slots=True)
class Filtered:
    """The items that a channel is told, in their order, and those it is not.

    Every item of the reading stands in exactly one of them, so that counts add up.
    """

    included: tuple[ReadItem, ...]
    excluded: tuple[ReadItem, ...]


def filtered(reading: Reading, subscription: Subscription) -> Filtered:
    """Part the items of a reading into told and excluded ones, by what the channel chose.

    A release is always told. `without` leaves nothing out that is high, or that takes back or is
    taken back. A channel with `paths` or `topics` is told the changes that touch one of the paths
    or speak of one of the topics, and those whose files could not be read; with `topics`, only the
    issues that speak of one.
    """
    included: list[ReadItem] = []
    excluded: list[ReadItem] = []
    known = _known(reading) if subscription.topics else {}
    for read in reading.items:
        words = known.get(read.item.key, ())
        (included if is_included(read, subscription, words) else excluded).append(read)
    return Filtered(tuple(included), tuple(excluded))


def _known(reading: Reading) -> Mapping[str, tuple[str, ...]]:
    """Return what is known of each item in words: what its facts are about, and its story."""
    found: dict[str, tuple[str, ...]] = {}
    for fact in reading.facts:
        words = (fact.name, *fact.names, *fact.who, *fact.conditions)
        found[fact.item] = (*found.get(fact.item, ()), *words)
    for story in reading.stories:
        for key in story.items:
            found[key] = (*found.get(key, ()), story.name)
    return found


def is_included(read: ReadItem, subscription: Subscription, known: Sequence[str] = ()) -> bool:
    """Return whether a channel is told an item; `known` are words of its facts and its story."""
    if read.item.kind is Kind.RELEASE:
        return True
    stays = read.importance is Importance.HIGH or read.reverts or read.reverted_by
    if not stays and any(
        LEAVES_OUT[word](read) for word in subscription.without if word in LEAVES_OUT
    ):
        return False
    return _is_followed(read, subscription, known)


LEAVES_OUT: Mapping[str, Callable[[ReadItem], bool]] = {
    "bots": lambda read: read.noise is Noise.BOT or read.item.author_is_bot,
    "ci": lambda read: read.noise is Noise.CI or read.object is ChangeObject.CI,
    "docs": lambda read: read.noise is Noise.DOCS or read.object is ChangeObject.DOCS,
}
"""What each word of `LEFT_OUT` leaves out."""


def _is_followed(read: ReadItem, subscription: Subscription, known: Sequence[str]) -> bool:
    if _speaks_of(read, subscription.topics, known):
        return True
    item, paths = read.item, subscription.paths
    if item.kind is Kind.ISSUE or not paths:
        return not subscription.topics
    if item.files is None:
        return True
    touched = {path for file in item.files for path in (file.path, file.previous_path) if path}
    return any(matches(glob, path) for glob in paths for path in touched)


def _speaks_of(read: ReadItem, topics: tuple[str, ...], known: Sequence[str]) -> bool:
    """Return whether labels, title, paths, facts or story of an item speak of a topic.

    A topic begins a word, `moe` in `MoE-kernels` and not in `remoe`; Chinese has no such
    beginnings.
    """
    files = read.item.files or ()
    paths = (file.path for file in files[:PATHS_READ])
    folded = " ".join((*known, *read.item.labels, read.item.title[:TITLE_READ], *paths)).casefold()
    return any(
        re.search(rf"(?<![a-z0-9]){re.escape(topic.casefold())}", folded) for topic in topics
    )
