"""How people write a channel's settings: times, zones, days, what to leave out and to follow.

Chat, Discord's options and Slack's form read the same words. Every reader raises `UsageError` of
one line with the nearest right example.
"""

import calendar
import re
from datetime import time
from enum import StrEnum

from bot.model.commands import nearest, shown
from digest.errors import BadWindow, Sentence, UsageError
from digest.languages import Language
from digest.windows import WEEKDAYS as DAY_NAMES
from digest.windows import zone_meant

LEFT_OUT = ("bots", "ci", "docs")
"""What a channel can leave out."""

DAILY = frozenset(range(7))
WEEKDAYS = frozenset(range(5))
WEEKENDS = DAILY - WEEKDAYS
MONDAY = frozenset({0})
NAMED_DAYS = {"daily": DAILY, "weekdays": WEEKDAYS, "weekends": WEEKENDS, "weekly": MONDAY}

NONE_WORDS = frozenset({"nothing", "none", "all", "everything"})
"""What clears a list: `without nothing`, `paths all`."""

MAX_FOLLOWED = 20
MAX_FOLLOWED_CHARS = 200

# A clock's reading, with the full-width colon that Chinese keyboards give, too.
_TIME = re.compile(r"(\d{1,2})(?:[:：.h](\d{2}))?(?::00)?\s*(am|pm)?", re.ASCII | re.IGNORECASE)
_PARTED = re.compile(r"[\s,，、;]+")


class Quiet(StrEnum):
    """What a quiet day is told by: one line, or nothing at all."""

    LINE = "line"
    NOTHING = "nothing"


class Eyes(StrEnum):
    """What 👀 does on what nobody flagged: it opens a follow-up, or nothing at all."""

    OPEN = "open"
    NOTHING = "nothing"


def read_at(text: str) -> time:
    """Read a time of day: `09:00`, `9`, `9:30pm`."""
    found = _TIME.fullmatch(text.strip())
    if not found:
        raise UsageError("{given} is not a time of day: at 09:00", given=shown(text))
    hour, minute = int(found[1]), int(found[2] or 0)
    half = (found[3] or "").casefold()
    if half and not 1 <= hour <= 12:
        raise UsageError(
            "{given} is not a time of day: at {hour:02}:{minute:02}",
            given=shown(text),
            hour=hour % 24,
            minute=minute % 60,
        )
    if half:
        hour = hour % 12 + (12 if half == "pm" else 0)
    if hour > 23 or minute > 59:
        near = f"{hour % 24 if hour == 24 else min(hour, 23):02}:{min(minute, 59):02}"
        raise UsageError(
            "{given} is not on a clock of 24 hours: at {near}", given=shown(text), near=near
        )
    return time(hour, minute)


def read_zone(text: str) -> str:
    """Read a zone as people say it (`Beijing`, `PST`, `UTC+8`) and give its IANA name."""
    try:
        return zone_meant(text).key
    except BadWindow as error:
        raise UsageError(error.sentence.form, **error.sentence.values) from error


def read_days(text: str) -> tuple[frozenset[int], bool]:
    """Read `daily`, `weekdays`, `weekends`, `weekly`, `mon,wed` or `mon-fri`.

    The flag tells `weekly`, which is Monday unless a day is named beside it.
    """
    words = _words(text.casefold())
    weekly = "weekly" in words
    if weekly and len(words) > 1:
        words.remove("weekly")
    days: set[int] = set()
    for word in words:
        days |= _days(word)
    if not days:
        raise UsageError("say on which days: on weekdays")
    if weekly and len(days) > 1:
        raise UsageError("weekly is one day of the week: on weekly, or on weekly mon")
    return frozenset(days), weekly


def _days(word: str) -> frozenset[int]:
    if word in NAMED_DAYS:
        return NAMED_DAYS[word]
    first, dash, last = word.replace("..", "-").partition("-")
    ends = [_day(end) for end in ((first, last) if dash else (first,))]
    if None in ends:
        names = (*NAMED_DAYS, *DAY_NAMES)
        meant = nearest(word, names)
        other = Sentence("on daily, on weekdays or on mon,wed")
        hint = Sentence("did you mean {meant}?", meant=f"on {meant}") if meant else other
        raise UsageError("{word} is not a day of the week: {hint}", word=shown(word), hint=hint)
    begin, end = ends[0] or 0, ends[-1] or 0
    return frozenset((begin + n) % 7 for n in range((end - begin) % 7 + 1))


def _day(word: str) -> int | None:
    for index, short in enumerate(DAY_NAMES):
        full = calendar.day_name[index].casefold()
        if len(word) >= len(short) and (full.startswith(word) or word == f"{full}s"):
            return index
    return None


def read_language(text: str) -> Language:
    """Read `en` or `zh`."""
    try:
        return Language(text.strip().casefold())
    except ValueError:
        raise UsageError(
            "no digest is written in {language}: in en or in zh", language=shown(text)
        ) from None


def read_without(text: str) -> frozenset[str]:
    """Read words of `LEFT_OUT`; `nothing` gives none."""
    words = _words(text.casefold())
    if len(words) == 1 and words[0] in NONE_WORDS:
        return frozenset()
    if not words:
        raise UsageError("say what to leave out: without bots,ci,docs")
    for word in words:
        if word not in LEFT_OUT:
            meant = nearest(word, LEFT_OUT)
            other = Sentence("without bots,ci,docs")
            hint = Sentence("did you mean {meant}?", meant=f"without {meant}") if meant else other
            raise UsageError("{word} cannot be left out: {hint}", word=shown(word), hint=hint)
    return frozenset(words)


def read_paths(text: str) -> tuple[str, ...]:
    """Read globs, as `bot.model.globs` matches them; `all` gives none."""
    return _followed(text, "paths", "csrc/** *.cu")


def read_topics(text: str) -> tuple[str, ...]:
    """Read words in lower case; `all` gives none."""
    return _followed(text.casefold(), "topics", "attention moe")


def read_quiet(text: str) -> Quiet:
    """Read `line` or `nothing`."""
    try:
        return Quiet(text.strip().casefold())
    except ValueError:
        raise UsageError(
            "a quiet day is told by a line or by nothing, not by {given}: quiet nothing",
            given=shown(text),
        ) from None


def read_eyes(text: str) -> Eyes:
    """Read `open` or `nothing`."""
    try:
        return Eyes(text.strip().casefold())
    except ValueError:
        raise UsageError(
            "👀 opens a follow-up or does nothing, not {given}: eyes open or eyes nothing",
            given=shown(text),
        ) from None


def read_show(text: str) -> bool:
    """Read `now` or `later`: whether yesterday is shown before the first morning."""
    said = text.strip().casefold()
    if said not in ("now", "later"):
        raise UsageError(
            "yesterday is not shown {given}: show now or show later", given=shown(text)
        )
    return said == "now"


def _followed(text: str, name: str, example: str) -> tuple[str, ...]:
    words = _words(text)
    if len(words) == 1 and words[0].casefold() in NONE_WORDS:
        return ()
    if not any(word.strip("/") for word in words):
        raise UsageError("say which {name} to follow: {name} {example}", name=name, example=example)
    if len(words) > MAX_FOLLOWED:
        raise UsageError(
            "{count} {name} are too many, {most} can be followed: {name} {example}",
            count=len(words),
            name=name,
            most=MAX_FOLLOWED,
            example=example,
        )
    for word in words:
        climbs = name == "paths" and ".." in word.split("/")
        unread = len(word) > MAX_FOLLOWED_CHARS or not word.isprintable() or not word.strip("/")
        if unread or climbs:
            raise UsageError(
                "{word} cannot be followed: {name} {example}",
                word=shown(word),
                name=name,
                example=example,
            )
    return tuple(dict.fromkeys(words))


def _words(text: str) -> list[str]:
    return [word for word in _PARTED.split(text) if word]
