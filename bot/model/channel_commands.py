"""What a channel can be told beside reading: subscriptions, settings and follow-ups.

The forms stand in `bot.model.commands.CHANNEL_ROWS`. Settings come after the repositories, in any
order, each once; Slack's form and Discord's options read the same words. What a list was set to is
cleared by `without nothing`, `paths all` and `topics all`. A repository that is called like a
keyword is named by `OWNER/NAME`. Every reader raises `UsageError` of one line with the nearest
right example.
"""

import calendar
import contextlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import time
from enum import StrEnum
from itertools import dropwhile
from string import ascii_letters, digits
from typing import Any, NamedTuple, TypeAlias

from bot.model.commands import (
    ABOUT,
    BEGINNINGS,
    CHANNEL_WORDS,
    READING_WORDS,
    RESERVED,
    SHORT_FORMS,
    Help,
    InLanguage,
    Question,
    example_of,
    nearest,
    parse_question,
    plain_question,
    refuse_long,
    refuse_more,
    shown,
    split_language,
)
from bot.model.concerns import ConcernCommand, read_concern
from bot.model.followups import Which
from bot.model.parts import Mark
from bot.model.references import read_repo
from digest.errors import BadWindow, UsageError
from digest.languages import Language
from digest.models import KNOWN
from digest.phrase import Example, Phrase
from digest.times import DAY_NAMES, zone_meant
from digest.windows import names_time
from digest.wording.phrases import SAY

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
_PARTED = re.compile(r"[\s,，、;；]+")
_WIDE = {ord(each) + 0xFEE0: each for each in f"{ascii_letters}{digits}#./:-@"}
"""What a Chinese keyboard may give wide: https://www.unicode.org/charts/PDF/UFF00.pdf"""


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
    if not found or (found[3] and not 1 <= int(found[1]) <= 12):
        raise UsageError(SAY.settings.not_a_time(shown(text), Example(f"{behind}at 09:00")))
    hour, minute = int(found[1]), int(found[2] or 0)
    if found[3]:
        hour = hour % 12 + (12 if found[3].casefold() == "pm" else 0)
    if hour > 23 or minute > 59:
        near = Example(f"{behind}at {min(hour, 23):02}:{min(minute, 59):02}")
        raise UsageError(SAY.settings.beyond_clock(shown(text), near))
    return time(hour, minute)


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
    days = frozenset[int]().union(*map(_days, words))
    if not days:
        raise UsageError(SAY.settings.no_days(Example("on weekdays")))
    if weekly and len(days) > 1:
        raise UsageError(SAY.settings.weekly(Example("on weekly"), Example("on weekly mon")))
    return days, weekly


def _days(word: str) -> frozenset[int]:
    if word in NAMED_DAYS:
        return NAMED_DAYS[word]
    first, dash, last = word.replace("..", "-").partition("-")
    begin, end = _day(first), _day(last if dash else first)
    if begin is None or end is None:
        meant = nearest(word, (*NAMED_DAYS, *DAY_NAMES))
        hint = SAY.settings.days(*map(Example, ("on daily", "on weekdays", "on mon,wed")))
        if meant:
            hint = SAY.commands.did_you_mean(Example(f"on {meant}"))
        raise UsageError(SAY.settings.not_a_day(shown(word), hint))
    return frozenset((begin + n) % 7 for n in range((end - begin) % 7 + 1))


def _day(word: str) -> int | None:
    for index, short in enumerate(DAY_NAMES):
        full = calendar.day_name[index].casefold()
        if len(word) >= len(short) and (full.startswith(word) or word == f"{full}s"):
            return index
    return None


def read_without(text: str) -> frozenset[str]:
    """Read words of `LEFT_OUT`; `nothing` gives none."""
    words = _words(text.casefold())
    if len(words) == 1 and words[0] in NONE_WORDS:
        return frozenset()
    for word in words or [text]:
        if word not in LEFT_OUT:
            raise UsageError(_no_choice(word, "without bots,ci,docs", "without nothing"))
    return frozenset(words)


def read_paths(text: str) -> tuple[str, ...]:
    """Read globs, as `bot.model.subscriptions` matches them; `all` gives none."""
    return _followed(text, "paths", "csrc/** *.cu")


def read_topics(text: str) -> tuple[str, ...]:
    """Read words in lower case; `all` gives none."""
    return _followed(text.casefold(), "topics", "attention moe")


def _followed(text: str, name: str, example: str) -> tuple[str, ...]:
    words, typed = _words(text) or [text], Example(f"{name} {example}")
    if len(words) == 1 and words[0].casefold() in NONE_WORDS:
        return ()
    if len(words) > MAX_FOLLOWED:
        raise UsageError(SAY.settings.too_many(len(words), name, MAX_FOLLOWED, typed))
    for word in words:
        climbs = name == "paths" and ".." in word.split("/")
        unread = (
            len(word) > MAX_FOLLOWED_CHARS or not word.isprintable() or not word.strip("/,，、;")
        )
        if unread or climbs:
            raise UsageError(SAY.settings.not_followed(shown(word), name, typed))
    return tuple(dict.fromkeys(words))


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
        raise UsageError(_no_choice(wrong, "mention 1234 breaks,security", "mention nothing"))
    return RoleMention(role[1], frozenset(MENTIONED_ON[word] for word in words[1:] or MENTIONED_ON))


def _words(text: str) -> list[str]:
    return [word for word in _PARTED.split(text) if word]


def _no_choice(word: str, *examples: str) -> Phrase:
    return SAY.settings.no_choice(shown(word), tuple(map(Example, examples)))


def _one_of(keyword: str, choices: dict[str, Any]) -> Callable[[str], Any]:
    """Return what reads one word of a few, and gives what it means."""

    def read(text: str) -> Any:
        word = text.strip().casefold()
        if word not in choices:
            raise UsageError(_no_choice(text, *(f"{keyword} {choice}" for choice in choices)))
        return choices[word]

    return read


class Setting(NamedTuple):
    """A setting of `subscribe`: what may follow its keyword, how it is read, and into what."""

    example: str
    fields: tuple[str, ...]
    read: Callable[[str], Any]


SETTINGS = {
    "at": Setting("09:00", ("at",), read_at),
    "tz": Setting("Asia/Shanghai", ("tz",), read_zone),
    "on": Setting("weekdays", ("days", "weekly"), read_days),
    "in": Setting("zh", ("language",), _one_of("in", {each.value: each for each in Language})),
    "without": Setting("bots,ci", ("without",), read_without),
    "paths": Setting("csrc/**", ("paths",), read_paths),
    "topics": Setting("attention", ("topics",), read_topics),
    "quiet": Setting("nothing", ("quiet",), _one_of("quiet", {each.value: each for each in Quiet})),
    "eyes": Setting("open", ("eyes",), _one_of("eyes", {each.value: each for each in Eyes})),
    "publish": Setting("yes", ("publish",), _one_of("publish", {"yes": True, "no": False})),
    "mention": Setting("1234 breaks", ("mention",), read_mention),
    "one": Setting("thread", ("one_thread",), _one_of("one", {"thread": True})),
    "own": Setting("threads", ("one_thread",), _one_of("own", {"threads": False})),
    "show": Setting("later", ("show",), _one_of("show", {"now": True, "later": False})),
}
"""The words that begin a setting."""

UPGRADE = "upgrade"
UPGRADE_EXAMPLE = "upgrade vllm v0.15.0..v0.16.0"
EXAMPLE = "subscribe vllm sglang at 09:00"
LONGEST_EXAMPLE = 100
FILLERS = ("to", "and", "和")
GREETINGS = frozenset(("hi", "hello", "hey", "thanks", "你好", "您好", "谢谢"))
"""What people say to a bot before they know what to ask."""

_END = re.compile(r"(?:\w[\w./+-]{0,99})?", re.ASCII)
_HOW = re.compile(
    r"how (?:do (?:i|we)|can (?:i|we)|to) (?:(?:change|set) (?:the )?)?(\w+)"
    r"(?: (?:a|the|this|it|that|an|change|item|message|digest|thread|bot|here))*[?？]?",
    re.IGNORECASE,
)
"""A question about this bot, where the word is one that it has help about."""
_AN_HOUR = re.compile(
    r"(?:(?!at )(\S+)(?: (?!at )\S+)? )?(?:at |@ ?)?(\d{1,2}[:：]\d\d(?: ?[ap]m)?|\d{1,2} ?[ap]m)",
    re.ASCII | re.IGNORECASE,
)
"""An hour that is typed as if it could be asked for, alone or behind a repository and a day."""
_ALIAS = re.compile(r"[a-z0-9][a-z0-9._-]{0,99}", re.ASCII)


@dataclass(frozen=True, slots=True)
class AskUpgrade(InLanguage):
    """What an upgrade of `repo` (a name as written) means for the codebases of a channel.

    An empty `base` is what they pin, an empty `head` the newest release.
    """

    repo: str
    base: str = ""
    head: str = ""


def read_upgrade(words: Sequence[str]) -> AskUpgrade:
    """Read what follows `upgrade`: `REPO`, `REPO A..B`, `REPO A B` or `REPO A to B`.

    Raises `UsageError` of one line with an example.
    """
    if len(words) == 4 and words[2].casefold() == "to":
        words = (words[0], words[1], words[3])
    if len(words) == 3 and ".." not in "".join(words[1:]):
        words = (words[0], f"{words[1]}..{words[2]}")
    if len(words) not in (1, 2):
        raise UsageError(SAY.upgrades.of_what(Example(UPGRADE_EXAMPLE)))
    ends = words[1] if len(words) > 1 else ".."
    base, dots, head = ends.partition("..")
    head = head.removeprefix(".")
    if not dots or not (_END.fullmatch(base) and _END.fullmatch(head)) or ".." in head:
        raise UsageError(SAY.upgrades.not_a_span(shown(ends), Example(UPGRADE_EXAMPLE)))
    return AskUpgrade(words[0], base, head)


@dataclass(frozen=True, slots=True)
class Subscribe:
    """Add repositories to what the channel gets, and change what is named.

    `repos` are names as written. Every other field is None where it was not named: `at` is a time
    of the channel's clock, `tz` an IANA name, `days` weekdays with 0 for Monday, `weekly` tells
    that they were asked for by that word, `without` has words of `LEFT_OUT`; an empty `without`,
    `paths` or `topics` clears what was set. `show` tells whether a new channel is
    shown yesterday at once, before its first morning.
    """

    repos: tuple[str, ...] = ()
    at: time | None = None
    tz: str | None = None
    days: frozenset[int] | None = None
    weekly: bool = False
    language: Language | None = None
    without: frozenset[str] | None = None
    paths: tuple[str, ...] | None = None
    topics: tuple[str, ...] | None = None
    quiet: Quiet | None = None
    eyes: Eyes | None = None
    publish: bool | None = None
    mention: RoleMention | None = None
    one_thread: bool | None = None
    show: bool = True


@dataclass(frozen=True, slots=True)
class Unsubscribe(InLanguage):
    """Take repositories out of what the channel gets; no `repos` means all."""

    repos: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pause(InLanguage):
    """Send nothing to this channel until it is resumed."""


@dataclass(frozen=True, slots=True)
class Resume(InLanguage):
    """Go on with a channel, with all days since the last one that was told."""


@dataclass(frozen=True, slots=True)
class ListSubscriptions(InLanguage):
    """What this channel gets, and when."""


@dataclass(frozen=True, slots=True)
class ShowSettings(InLanguage):
    """The settings of this channel, to be changed."""


@dataclass(frozen=True, slots=True)
class ShowFollowUps(InLanguage):
    """The channel's follow-ups."""

    which: Which = Which.OPEN


@dataclass(frozen=True, slots=True)
class Welcome(InLanguage):
    """What the bot is for, to who asked for nothing yet."""


ChannelCommand: TypeAlias = (
    Welcome
    | Subscribe
    | Unsubscribe
    | Pause
    | Resume
    | ListSubscriptions
    | ShowSettings
    | ShowFollowUps
    | ConcernCommand
    | AskUpgrade
)


def parse_chat(text: str) -> Question | ChannelCommand:
    """Read what a person typed in a channel: the grammar of `bot.model.commands`, and this.

    `watch` and `unwatch` are refused, since they would reach every channel. Raises `UsageError` of
    one line with the nearest right example.
    """
    text = spelled_out(text)
    if asks_nothing(text):
        return Welcome()
    refuse_long(text)
    words = text.split()
    first = words[0].casefold()
    if first == "subscribe":
        return _subscribe(words[1:])
    if first in READERS:
        words, language = split_language(words)
        return replace(READERS[first](words[1:]), language=language)
    if first in ("watch", "unwatch"):
        named = shown(words[1]) if len(words) > 1 else "vllm"
        instead = Example(f"{'subscribe' if first == 'watch' else 'unsubscribe'} {named}")
        raise UsageError(SAY.commands.for_command_line(first, instead))
    if question := question_about_bot(text):
        return question
    try:
        return parse_question(text)
    except UsageError:
        meant = nearest(first, (*READING_WORDS, *CHANNEL_WORDS))
        if meant in CHANNEL_WORDS and first not in KNOWN:
            why = SAY.commands.did_you_mean_command(shown(first), example_of(meant))
            raise UsageError(why) from None
        raise


def asks_nothing(text: str) -> bool:
    """Return whether there is no word, or a greeting alone."""
    words = " ".join(re.findall(r"\w+", text)).casefold()
    return not words or words in GREETINGS


def spelled_out(text: str) -> str:
    """Return what was typed with its first word as the command's own, `/infra` left out.

    Wide letters, digits and signs are read as the others.
    """
    text = text.translate(_WIDE)
    words = text.split()
    begun = [*dropwhile(lambda word: word.casefold() == "/infra", words)]
    if long := SHORT_FORMS.get(begun[0].casefold()) if begun else None:
        return " ".join((long, *begun[1:]))
    return text if begun == words else " ".join(begun)


def asked_by_mention(text: str) -> Question:
    """Read a mention where it can only ask.

    Raises `UsageError` as `parse_question` does, and for an order, which has its own command there.
    """
    text = spelled_out(text)
    first = text.partition(" ")[0].casefold()
    if first in CHANNEL_WORDS and not plain_question(text):
        raise UsageError(SAY.chat.mention_asks(Example(first)))
    return parse_question(text)


def question_about_bot(text: str) -> Help | None:
    """Read `how do I subscribe?` or `stop` as a call for help; None for what is not about this bot.

    Raises `UsageError` for an hour, as `refuse_hour` does.
    """
    refuse_hour(text)
    words = " ".join(text.split())
    if words.casefold() in ABOUT:
        return Help(ABOUT[words.casefold()])
    if how := _HOW.fullmatch(words):
        name = how[1].casefold()
        if topic := ABOUT.get(name, name if name in CHANNEL_WORDS else ""):
            return Help(topic)
    return None


def refuse_hour(text: str) -> None:
    """Raise `UsageError` for `vllm at 9:00`: digests are of days, a channel gets them at an hour.

    Of what no clock shows it says that first.
    """
    found = _AN_HOUR.fullmatch(" ".join(text.split()))
    name = (found[1] or "") if found else ""
    if found is None or name.casefold() in RESERVED | BEGINNINGS:
        return
    wanted = "subscribe " if not name or names_time(name) else f"subscribe {name} "
    meant = Example(f"{wanted}at {read_at(found[2], wanted):%H:%M}")
    raise UsageError(SAY.commands.did_you_mean_command(shown(text), meant))


def _subscribe(words: list[str]) -> Subscribe:
    names: list[str] = []
    given: dict[str, list[str]] = {}
    values = names
    for word in words:
        if (keyword := word.casefold()) not in SETTINGS:
            values.append(word)
            continue
        if keyword in given:
            raise UsageError(SAY.subscribing.twice(keyword, _example(keyword)))
        values = given[keyword] = []
    if not names and not given:
        raise UsageError(SAY.subscribing.no_repositories(Example(EXAMPLE)))
    fields: dict[str, Any] = {}
    for keyword, values in given.items():
        setting = SETTINGS[keyword]
        if not values:
            example = Example(f"subscribe vllm {_example(keyword)}")
            raise UsageError(SAY.subscribing.nothing_follows(keyword, example))
        if setting.fields[0] in fields:
            raise UsageError(SAY.subscribing.twice(keyword, _example(keyword)))
        read = setting.read(" ".join(values))
        fields |= zip(setting.fields, read if len(setting.fields) > 1 else (read,), strict=True)
    return Subscribe(repos=_read_names(" ".join(names)), **fields)


def _example(keyword: str) -> Example:
    return Example(f"{keyword} {SETTINGS[keyword].example}")


def _read_names(text: str) -> tuple[str, ...]:
    """Return the names of repositories once each, as written; which exist is not known here.

    They are parted by spaces or commas. Raises `UsageError` for what can be no repository.
    """
    by_folded: dict[str, str] = {}
    for word in _words(text):
        if word.casefold() in FILLERS:
            continue
        if instead := _instead_of(word):
            example = " ".join(["subscribe", *by_folded.values(), instead])
            example = example if len(example) <= LONGEST_EXAMPLE else f"subscribe … {instead}"
            raise UsageError(SAY.subscribing.not_a_repository(shown(word), Example(example)))
        by_folded.setdefault(word.casefold(), word)
    return tuple(by_folded.values())


def _instead_of(word: str) -> str:
    """Return what to write in place of a word that can be no repository, or nothing."""
    if word.casefold() in KNOWN:
        return ""
    for keyword in ("at", "on", "without", "in", *(("tz",) if "/" in word else ())):
        with contextlib.suppress(UsageError):
            SETTINGS[keyword].read(word)
            return f"{keyword} {word}"
    if "*" in word:
        return f"paths {shown(word)}"
    long = [keyword for keyword in SETTINGS if len(keyword) > 4]
    if keyword := nearest(word, long, cutoff=0.8):
        return _example(keyword)
    return "" if _may_be_repo(word) else "vllm"


def _may_be_repo(word: str) -> bool:
    return _ALIAS.fullmatch(word.casefold()) is not None or read_repo(word) is not None


def _unsubscribe(rest: list[str]) -> Unsubscribe:
    names = [word for word in _words(" ".join(rest)) if word.casefold() not in (*FILLERS, "from")]
    is_all = "all" in map(str.casefold, names)
    if not names or (is_all and len(names) > 1):
        both = Example("unsubscribe vllm"), Example("unsubscribe all")
        raise UsageError(SAY.subscribing.from_which(*both))
    for name in names:
        if not _may_be_repo(name):
            example = Example("unsubscribe vllm")
            raise UsageError(SAY.subscribing.not_a_repository(shown(name), example))
    return Unsubscribe(() if is_all else tuple(dict.fromkeys(names)))


def _followups(rest: list[str]) -> ShowFollowUps:
    word = " ".join(rest).casefold()
    if word and word not in tuple(Which):
        hint = SAY.followups.which(Example("followups mine"))
        raise UsageError(SAY.followups.no_such(shown(word), hint))
    return ShowFollowUps(Which(word or Which.OPEN))


def _alone(word: str, command: ChannelCommand) -> Callable[[list[str]], ChannelCommand]:
    """Return the reader of a command that takes no more words."""

    def read(rest: list[str]) -> ChannelCommand:
        refuse_more(word, rest)
        return command

    return read


READERS: dict[str, Callable[[list[str]], ChannelCommand]] = {
    "unsubscribe": _unsubscribe,
    "pause": _alone("pause", Pause()),
    "resume": _alone("resume", Resume()),
    "subscriptions": _alone("subscriptions", ListSubscriptions()),
    "followups": _followups,
    "settings": _alone("settings", ShowSettings()),
    "concern": read_concern,
    UPGRADE: read_upgrade,
}
"""What reads the words behind the first one of a command; `subscribe` reads its language itself."""
