"""What is known of the last days: how each source was, and what happened to each channel.

A source fails or is silent for unusually long. Silence is measured by the repository's own usual
pace: many a good repository rests for a month.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from digest.phrase import NOTHING, Phrase
from digest.wording.phrases import SAY

FAILING_FOR = timedelta(hours=24)
"""How long a source may fail before who subscribed hears of it."""

SILENT_AT_LEAST = timedelta(days=3)
"""A silence that is shorter is none: that of a weekend with a holiday."""

UNUSUAL = 3
"""How many times as long as the longest silence before."""

KNOWN_FOR = timedelta(days=10)
"""How long a repository has to be known before its pace is judged."""

MOST_LOOKS = 60


@dataclass(frozen=True, slots=True)
class Look:
    """One window that was looked at: how many items it had."""

    start: datetime
    end: datetime
    items: int


@dataclass(frozen=True, slots=True)
class SourceRecord:
    """How a repository was in the last windows that anybody was told, the oldest first.

    `failing_since` is the end of the first window that could not be looked at since. `formerly` are
    the names (`OWNER/NAME`) under which channels were told of it before.
    """

    looks: tuple[Look, ...] = ()
    failing_since: datetime | None = None
    formerly: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LastReport:
    """What one subscription was told of a repository last: each episode is told once."""

    episode: str = ""
    branch: str = ""


@dataclass(frozen=True, slots=True)
class Episode:
    """Something that lasts unusually long; `name` tells it from all others."""

    name: str
    sentence: Phrase


def looked(record: SourceRecord, look: Look) -> SourceRecord:
    """Return a record after a window that was looked at; what is known of its time counts once."""
    start = max(look.start, record.looks[-1].end) if record.looks else look.start
    if start >= look.end:
        return record
    looks = (*record.looks, replace(look, start=start))[-MOST_LOOKS:]
    return replace(record, looks=looks, failing_since=None)


def renamed(record: SourceRecord, before: SourceRecord, name: str) -> SourceRecord:
    """Return the record of a repository that was called `name`, which has one from that time."""
    names = dict.fromkeys((*before.formerly, name, *record.formerly))
    return replace(record, looks=record.looks or before.looks, formerly=tuple(names))


def failed(record: SourceRecord, end: datetime) -> SourceRecord:
    """Return a record after a window that could not be looked at."""
    if record.looks and record.looks[-1].end >= end:
        return record
    return replace(record, failing_since=min(record.failing_since or end, end))


def episode(record: SourceRecord, repo: str, why: Phrase | None, now: datetime) -> Episode | None:
    """Return what who subscribed is to be told of a source, if anything.

    `why` is the reason of the last failure.
    """
    if record.failing_since:
        if now - record.failing_since < FAILING_FOR:
            return None
        since = f"{record.failing_since:%Y-%m-%d}"
        sentence = SAY.sources.failing(repo, since, why or NOTHING)
        return Episode(f"failing {record.failing_since.isoformat()}", sentence)
    if not is_unusually_silent(record):
        return None
    last = record.looks[-1].end
    lasted = silence(record.looks)
    sentence = SAY.sources.silent(repo, lasted // timedelta(days=1), f"{last:%Y-%m-%d %H:%M} UTC")
    return Episode(f"silent {(last - lasted).isoformat()}", sentence)


def is_unusually_silent(record: SourceRecord) -> bool:
    """Return whether the silence at the end is long, and much longer than any before it."""
    looks = record.looks
    lasted = silence(looks)
    if not looks or lasted < SILENT_AT_LEAST:
        return False
    before = [look for look in looks if look.end <= looks[-1].end - lasted]
    if not before or before[-1].end - before[0].start < KNOWN_FOR:
        return False
    longest, run = timedelta(0), timedelta(0)
    for look in before:
        run = timedelta(0) if look.items else run + (look.end - look.start)
        longest = max(longest, run)
    return lasted >= UNUSUAL * longest


def silence(looks: tuple[Look, ...]) -> timedelta:
    """Return how long nothing has happened at the end of some windows."""
    lasted = timedelta(0)
    for look in reversed(looks):
        if look.items:
            break
        lasted += look.end - look.start
    return lasted


MOST_SHOWN = 100
"""Entries of a channel that are looked at; older ones go with their age (`INFRA_KEEP_DAYS`)."""


class LogKind(StrEnum):
    """What an entry is of; its stored name, so never rename one."""

    CHANGED = "changed"
    DELIVERED = "told"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One thing that happened.

    `who` is the name of who changed the channel, empty for a delivery. `what` is what the channel
    gets since, or which date was told, `why` the reason for which it was not.
    """

    at: datetime
    kind: LogKind
    what: str = ""
    who: str = ""
    why: Phrase = NOTHING
