"""How people write a channel's settings: times, zones, days, what to leave out and to follow.

Chat, Discord's options and Slack's form read the same words. Every reader raises `UsageError` of
one line with the nearest right example.
"""

import calendar
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import time
from enum import StrEnum

from bot.model.commands import nearest, shown
from bot.model.parts import Mark
from digest.errors import BadWindow, UsageError
from digest.languages import Language
from digest.phrase import Example, Phrase
from digest.times import WEEKDAYS as DAY_NAMES
from digest.wording.phrases import SAY
from digest.zones import zone_meant

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
_ROLE = re.compile(r"(?:<@&)?(\d{1,20})>?", re.ASCII)
_PARTED = re.compile(r"[\s,，、;]+")


class Quiet(StrEnum):
    """What a quiet day is told by: one line, or nothing at all."""

    LINE = "line"
    NOTHING = "nothing"


class Eyes(StrEnum):
    """What 👀 does on what nobody flagged: it opens a follow-up, or nothing at all."""

    OPEN = "open"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class RoleMention:
    """A role of Discord, by its id, and the marks of a day on which it is mentioned; or nobody."""

    role: str = ""
    on: frozenset[Mark] = frozenset()


NOBODY = RoleMention()
MENTIONED_ON = {"breaks": Mark.BREAKING, "security": Mark.SECURITY}


def read_at(text: str, behind: str = "") -> time:
    """Read a time of day: `09:00`, `9`, `9:30pm`; `behind` is what a right example begins with."""
    found = _TIME.fullmatch(text.strip())
    if not found:
        raise UsageError(SAY.settings.not_a_time(shown(text), Example(f"{behind}at 09:00")))
    hour, minute = int(found[1]), int(found[2] or 0)
    half = (found[3] or "").casefold()
    if half and not 1 <= hour <= 12:
        near = Example(f"{behind}at {hour % 24:02}:{minute % 60:02}")
        raise UsageError(SAY.settings.not_a_time(shown(text), near))
    if half:
        hour = hour % 12 + (12 if half == "pm" else 0)
    if hour > 23 or minute > 59:
        hour = 0 if hour == 24 else min(hour, 23)
        near = Example(f"{behind}at {hour:02}:{min(minute, 59):02}")
        raise UsageError(SAY.settings.beyond_clock(shown(text), near))
    return time(hour, minute)


def parted_time(text: str) -> tuple[str, str]:
    """Part `9:00 UTC` into the time and what is said behind it, which is empty for nothing."""
    found = _TIME.match(text)
    time = found[0].rstrip() if found else text
    behind = text[len(time) :]
    return (time, behind.strip()) if behind[:1].isspace() else (text, "")


def read_zone(text: str) -> str:
    """Read a zone as people say it (`Beijing`, `PST`, `UTC+8`) and give its IANA name."""
    try:
        return zone_meant(text).key
    except BadWindow as error:
        raise UsageError(error.why) from error


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
        raise UsageError(SAY.settings.no_days(Example("on weekdays")))
    if weekly and len(days) > 1:
        raise UsageError(SAY.settings.weekly(Example("on weekly"), Example("on weekly mon")))
    return frozenset(days), weekly


def names_days(words: str) -> bool:
    """Return whether words are days, as `read_days` reads them."""
    try:
        read_days(words)
    except UsageError:
        return False
    return True


def _days(word: str) -> frozenset[int]:
    if word in NAMED_DAYS:
        return NAMED_DAYS[word]
    first, dash, last = word.replace("..", "-").partition("-")
    ends = [_day(end) for end in ((first, last) if dash else (first,))]
    if None in ends:
        names = (*NAMED_DAYS, *DAY_NAMES)
        meant = nearest(word, names)
        if meant:
            hint = SAY.commands.did_you_mean(Example(f"on {meant}"))
        else:
            hint = SAY.settings.days(*map(Example, ("on daily", "on weekdays", "on mon,wed")))
        raise UsageError(SAY.settings.not_a_day(shown(word), hint))
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
    examples = tuple(Example(f"in {each}") for each in Language)
    return Language(_choice(text, Language, lambda word: SAY.settings.no_language(word, examples)))


def read_without(text: str) -> frozenset[str]:
    """Read words of `LEFT_OUT`; `nothing` gives none."""
    words = _words(text.casefold())
    if len(words) == 1 and words[0] in NONE_WORDS:
        return frozenset()
    if not words:
        raise UsageError(SAY.settings.leave_out_what(Example("without bots,ci,docs")))
    for word in words:
        if word not in LEFT_OUT:
            meant = nearest(word, LEFT_OUT)
            hint = (
                SAY.commands.did_you_mean(Example(f"without {meant}"))
                if meant
                else Example("without bots,ci,docs")
            )
            raise UsageError(SAY.settings.not_left_out(shown(word), hint))
    return frozenset(words)


def read_paths(text: str) -> tuple[str, ...]:
    """Read globs, as `bot.model.filters` matches them; `all` gives none."""
    return _followed(text, "paths", "csrc/** *.cu")


def read_topics(text: str) -> tuple[str, ...]:
    """Read words in lower case; `all` gives none."""
    return _followed(text.casefold(), "topics", "attention moe")


def read_quiet(text: str) -> Quiet:
    """Read `line` or `nothing`."""
    return Quiet(
        _choice(text, Quiet, lambda word: SAY.settings.quiet(word, Example("quiet nothing")))
    )


def read_eyes(text: str) -> Eyes:
    """Read `open` or `nothing`."""
    both = Example("eyes open"), Example("eyes nothing")
    return Eyes(_choice(text, Eyes, lambda word: SAY.settings.eyes(word, *both)))


def read_show(text: str) -> bool:
    """Read `now` or `later`: whether yesterday is shown before the first morning."""
    both = Example("show now"), Example("show later")
    return _choice(text, ("now", "later"), lambda word: SAY.settings.show(word, *both)) == "now"


def read_publish(text: str) -> bool:
    """Read `yes` or `no`: whether an announcement channel publishes its mornings."""
    both = Example("publish yes"), Example("publish no")
    return _choice(text, ("yes", "no"), lambda word: SAY.settings.publish(word, *both)) == "yes"


def _choice(text: str, words: Iterable[str], wrong: Callable[[str], Phrase]) -> str:
    """Read one of a few words; `wrong` says of another what to write."""
    word = text.strip().casefold()
    if word not in tuple(words):
        raise UsageError(wrong(shown(text)))
    return word


def read_mention(text: str) -> RoleMention:
    """Read a role and what it is mentioned on: `123 breaks,security`; both where none is named.

    `nothing` mentions nobody.
    """
    words = _words(text.casefold())
    if len(words) == 1 and words[0] in NONE_WORDS:
        return NOBODY
    role = _ROLE.fullmatch(words[0]) if words else None
    unknown = [word for word in words[1:] if word not in MENTIONED_ON]
    if role is None or unknown:
        wrong = unknown[0] if role else text
        why = SAY.settings.mention(
            shown(wrong), Example("mention 1234 breaks,security"), Example("mention nothing")
        )
        raise UsageError(why)
    return RoleMention(role[1], frozenset(MENTIONED_ON[word] for word in words[1:] or MENTIONED_ON))


def _followed(text: str, name: str, example: str) -> tuple[str, ...]:
    words, typed = _words(text), Example(f"{name} {example}")
    if len(words) == 1 and words[0].casefold() in NONE_WORDS:
        return ()
    if not any(word.strip("/") for word in words):
        raise UsageError(SAY.settings.follow_what(name, typed))
    if len(words) > MAX_FOLLOWED:
        raise UsageError(SAY.settings.too_many(len(words), name, MAX_FOLLOWED, typed))
    for word in words:
        climbs = name == "paths" and ".." in word.split("/")
        unread = len(word) > MAX_FOLLOWED_CHARS or not word.isprintable() or not word.strip("/")
        if unread or climbs:
            raise UsageError(SAY.settings.not_followed(shown(word), name, typed))
    return tuple(dict.fromkeys(words))


def _words(text: str) -> list[str]:
    return [word for word in _PARTED.split(text) if word]
