"""What a channel can be told beside reading: subscriptions, settings and follow-ups.

::

    subscribe REPO… [at 09:00] [tz ZONE] [on daily|weekdays|weekly|mon,wed] [in zh|en]
              [without bots,ci,docs] [paths GLOB…] [topics WORD…] [quiet line|nothing]
              [eyes open|nothing] [publish yes|no] [mention ROLE breaks,security|nothing]
              [one thread|own threads] [show now|later]
    unsubscribe REPO…|all · pause · resume · subscriptions · settings
    followups [mine|open|done|all|everywhere]
    upgrade REPO [FROM..TO]                 tags or SHAs; else what they pin .. the newest release
    concern [LIST WORD,…|add OWNER/NAME of REPO|remove NAME|all]      see bot.model.concerns

Settings come after the repositories, in any order, each once. What a list was set to is cleared by
`without nothing`, `paths all` and `topics all`. A repository that is called like a keyword is
named by `OWNER/NAME`.
"""

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import time
from itertools import dropwhile, filterfalse
from typing import TypeAlias

from bot.model.commands import (
    ABOUT,
    BEGINNINGS,
    CHANNEL_WORDS,
    MAX_CHARS,
    READING_WORDS,
    RESERVED,
    SHOWN_CHARS,
    Help,
    Question,
    example_of,
    nearest,
    parse_question,
    plain_question,
    shown,
    split_language,
    too_long,
)
from bot.model.concerns import ConcernCommand, read_concern
from bot.model.followups import Which
from bot.model.references import read_repo
from bot.model.setting_words import (
    LEFT_OUT,
    NAMED_DAYS,
    Eyes,
    Quiet,
    RoleMention,
    names_days,
    parted_time,
    read_at,
    read_days,
    read_eyes,
    read_language,
    read_mention,
    read_paths,
    read_publish,
    read_quiet,
    read_show,
    read_topics,
    read_without,
    read_zone,
)
from digest.errors import UsageError
from digest.languages import Language
from digest.models import KNOWN
from digest.phrase import Example, Phrase
from digest.times import WEEKDAYS as DAY_NAMES
from digest.windows import names_time
from digest.wording.phrases import SAY

UPGRADE = "upgrade"
UPGRADE_EXAMPLE = "upgrade vllm v0.15.0..v0.16.0"

_END = re.compile(r"(?:\w[\w./+-]{0,99})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class AskUpgrade:
    """What an upgrade of `repo` (a name as written) means for the codebases of a channel.

    An empty `base` is what they pin, an empty `head` the newest release.
    """

    repo: str
    base: str = ""
    head: str = ""
    language: Language | None = None


def read_upgrade(words: Sequence[str], language: Language | None = None) -> AskUpgrade:
    """Read what follows `upgrade`; raises `UsageError` of one line with an example."""
    if len(words) == 4 and words[2].casefold() == "to":
        words = (words[0], f"{words[1]}..{words[3]}")
    if len(words) not in (1, 2):
        raise UsageError(SAY.upgrades.of_what(Example(UPGRADE_EXAMPLE)))
    ends = words[1] if len(words) > 1 else ".."
    base, dots, head = ends.partition("..")
    head = head.removeprefix(".")
    if not dots or not (_END.fullmatch(base) and _END.fullmatch(head)) or ".." in head:
        raise UsageError(SAY.upgrades.not_a_span(shown(ends), Example(UPGRADE_EXAMPLE)))
    return AskUpgrade(words[0], base, head, language)


KEYWORDS = {
    "at": "09:00",
    "tz": "Asia/Shanghai",
    "on": "weekdays",
    "in": "zh",
    "without": "bots,ci",
    "paths": "csrc/**",
    "topics": "attention",
    "quiet": "nothing",
    "eyes": "open",
    "publish": "yes",
    "mention": "1234 breaks",
    "one": "thread",
    "own": "threads",
    "show": "later",
}
"""The words that begin a setting, each with an example of what follows."""

THREADS = {keyword: KEYWORDS[keyword] for keyword in ("one", "own")}
LONG_KEYWORDS = tuple(keyword for keyword in KEYWORDS if len(keyword) > 4)
EXAMPLE = "subscribe vllm sglang at 09:00"
LONGEST_EXAMPLE = 100
FILLERS = ("to", "and", "和")
SHORT_FORMS = {
    "sub": "subscribe",
    "unsub": "unsubscribe",
    "subs": "subscriptions",
    "status": "subscriptions",
    "订阅": "subscribe",
    "退订": "unsubscribe",
    "设置": "settings",
    "暂停": "pause",
    "恢复": "resume",
    "跟进": "followups",
    "帮助": "help",
}
"""Words that people type for a command."""

GREETINGS = frozenset(
    {
        *("hi", "hello", "hey", "hi there", "good morning", "thanks", "thank you"),
        *("你好", "您好", "早上好", "谢谢"),
    }
)
"""What people say to a bot before they know what to ask."""

MEANT = {
    **dict.fromkeys(("stop", "quit", "leave", "off"), "unsubscribe all"),
    **dict.fromkeys(("mute", "snooze"), "pause"),
    **dict.fromkeys(("start", "add", "follow"), "subscribe vllm"),
    **dict.fromkeys(("setup", "config", "configure", "time", "hour"), "settings"),
}
"""What is meant by words that people try alone, far from any command as they are spelled."""

_JOINTS = re.compile(r"[\s,，、]+")
_HOW = re.compile(
    r"how (?:do (?:i|we)|can (?:i|we)|to) (?:(?:change|set) (?:the )?)?(\w+)"
    r"(?: (?:a|the|this|it|that|an|change|item|message|digest|thread|bot|here))*[?？]?",
    re.IGNORECASE,
)
"""A question about this bot, where the word is one that it has help about."""
_CLOCK = re.compile(r"([01]?\d|2[0-3]):[0-5]\d|(0?[1-9]|1[0-2])[ap]m", re.ASCII | re.IGNORECASE)
_ALIAS = re.compile(r"[a-z0-9][a-z0-9._-]{0,99}", re.ASCII)


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
class Unsubscribe:
    """Take repositories out of what the channel gets; no `repos` means all."""

    repos: tuple[str, ...] = ()
    language: Language | None = None


@dataclass(frozen=True, slots=True)
class Pause:
    """Send nothing to this channel until it is resumed."""

    language: Language | None = None


@dataclass(frozen=True, slots=True)
class Resume:
    """Go on with a channel, with all days since the last one that was told."""

    language: Language | None = None


@dataclass(frozen=True, slots=True)
class ListSubscriptions:
    """What this channel gets, and when."""

    language: Language | None = None


@dataclass(frozen=True, slots=True)
class ShowSettings:
    """The settings of this channel, to be changed."""

    language: Language | None = None


@dataclass(frozen=True, slots=True)
class ShowFollowUps:
    """The channel's follow-ups."""

    which: Which = Which.OPEN
    language: Language | None = None


@dataclass(frozen=True, slots=True)
class Welcome:
    """What the bot is for, to who asked for nothing yet."""

    language: Language | None = None


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

_AN_HOUR = re.compile(
    r"(?:(?!at )(\S+)(?: (?!at )\S+)? )?(?:at |@ ?)?(\d{1,2}[:：]\d\d(?: ?[ap]m)?|\d{1,2} ?[ap]m)",
    re.ASCII | re.IGNORECASE,
)
"""An hour that is typed as if it could be asked for, alone or behind a repository and a day."""


def parse_chat(text: str) -> Question | ChannelCommand:
    """Read what a person typed in a channel: the grammar of `bot.model.commands`, and this.

    `watch` and `unwatch` are refused, since they would reach every channel. Raises `UsageError` of
    one line with the nearest right example.
    """
    text = spelled_out(text)
    if asks_nothing(text):
        return Welcome()
    words = text.split()
    first = words[0].casefold()
    if first in CHANNEL_WORDS:
        return parse_channel(text)
    if first == UPGRADE:
        words, language = split_language(words)
        return read_upgrade(words[1:], language)
    if first in ("watch", "unwatch"):
        named = shown(words[1]) if len(words) > 1 else "vllm"
        instead = Example(f"{'subscribe' if first == 'watch' else 'unsubscribe'} {named}")
        raise UsageError(SAY.commands.for_command_line(first, instead))
    if meant_by := MEANT.get(text.strip().casefold()):
        raise UsageError(SAY.commands.did_you_mean_command(shown(first), Example(meant_by)))
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
    """Return what was typed with its first word as the command's own, `/infra` left out."""
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
    """Read `how do I subscribe?` as a call for help; None for what is not about this bot.

    Raises `UsageError` for an hour, as `refuse_hour` does.
    """
    refuse_hour(text)
    if how := _HOW.fullmatch(" ".join(text.split())):
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


def parse_channel(text: str) -> ChannelCommand:
    """Read a command that begins with one of `CHANNEL_WORDS`.

    Raises `UsageError` of one line with the nearest right example.
    """
    if len(text) > MAX_CHARS:
        raise too_long(text)
    words = text.split()
    command = words[0].casefold()
    if command == "subscribe":
        return _subscribe(words[1:])
    words, language = split_language(words)
    rest = words[1:]
    match command:
        case "unsubscribe":
            return _unsubscribe(rest, language)
        case "concern":
            return read_concern(rest, language)
        case "followups":
            return ShowFollowUps(_which(rest), language)
        case "pause" | "resume":
            _nothing_after(command, rest)
            return Pause(language) if command == "pause" else Resume(language)
        case "subscriptions":
            _nothing_after(command, rest)
            return ListSubscriptions(language)
        case "settings":
            if rest and rest[0].casefold() in KEYWORDS:
                instead = Example(f"subscribe {shown(' '.join(rest))}")
                raise UsageError(SAY.subscribing.settings_words(Example("settings"), instead))
            _nothing_after(command, rest)
            return ShowSettings(language)
    raise UsageError(SAY.commands.unknown(shown(command), Example(EXAMPLE)))


def _subscribe(words: list[str]) -> Subscribe:
    names, settings = _settings(words)
    given = {keyword: " ".join(values) for keyword, values in settings.items()}
    if not names and not given:
        raise UsageError(SAY.subscribing.no_repositories(Example(EXAMPLE)))
    for keyword in given:
        if keyword in THREADS and given[keyword].casefold() not in ("thread", "threads"):
            example = Example(f"{keyword} {THREADS[keyword]}")
            raise UsageError(SAY.subscribing.no_threads(example))
    if len(given.keys() & THREADS.keys()) > 1:
        raise UsageError(SAY.subscribing.both_threads(Example("one thread")))
    at, behind = parted_time(given.get("at", ""))
    day_words = " ".join(filter(names_days, behind.split()))
    zone_words = " ".join(filterfalse(names_days, behind.split()))
    apart = {key: value for key, value in (("on", day_words), ("tz", zone_words)) if value}
    if apart and not apart.keys() & given.keys():
        given |= {"at": at, **apart}
    days, weekly = read_days(given["on"]) if "on" in given else (None, False)
    return Subscribe(
        repos=read_names(" ".join(names)),
        at=read_at(given["at"]) if "at" in given else None,
        tz=read_zone(given["tz"]) if "tz" in given else None,
        days=days,
        weekly=weekly,
        language=read_language(given["in"]) if "in" in given else None,
        without=read_without(given["without"]) if "without" in given else None,
        paths=read_paths(given["paths"]) if "paths" in given else None,
        topics=read_topics(given["topics"]) if "topics" in given else None,
        quiet=read_quiet(given["quiet"]) if "quiet" in given else None,
        eyes=read_eyes(given["eyes"]) if "eyes" in given else None,
        publish=read_publish(given["publish"]) if "publish" in given else None,
        mention=read_mention(given["mention"]) if "mention" in given else None,
        one_thread="one" in given if given.keys() & THREADS.keys() else None,
        show=read_show(given["show"]) if "show" in given else True,
    )


def _settings(words: list[str]) -> tuple[list[str], dict[str, list[str]]]:
    """Part words into those before the first keyword, and those after each keyword."""
    names: list[str] = []
    settings: dict[str, list[str]] = {}
    values = names
    for word in words:
        keyword = word.casefold()
        if keyword not in KEYWORDS:
            values.append(word)
            continue
        if keyword in settings:
            example = Example(f"{keyword} {KEYWORDS[keyword]}")
            raise UsageError(SAY.subscribing.twice(keyword, example))
        values = settings[keyword] = []
    for keyword, words in settings.items():
        if not words:
            example = Example(f"subscribe vllm {keyword} {KEYWORDS[keyword]}")
            raise UsageError(SAY.subscribing.nothing_follows(keyword, example))
    return names, settings


def read_names(text: str) -> tuple[str, ...]:
    """Return the names of repositories once each, as written; which exist is not known here.

    They are parted by spaces or commas. Raises `UsageError` for what can be no repository.
    """
    by_folded: dict[str, str] = {}
    for word in _JOINTS.split(text):
        if word and word.casefold() not in FILLERS:
            if misplaced := _misplaced(word):
                what, instead = misplaced
                example = " ".join(["subscribe", *by_folded.values(), instead])
                example = example if len(example) <= LONGEST_EXAMPLE else f"subscribe … {instead}"
                why = SAY.subscribing.misplaced(shown(word), what, Example(example))
                raise UsageError(why)
            by_folded.setdefault(word.casefold(), word)
    return tuple(by_folded.values())


def _misplaced(word: str) -> tuple[Phrase, str] | None:
    """Tell what a word is that can be no repository, and what to write instead; or nothing."""
    folded = word.casefold()
    if _CLOCK.fullmatch(word):
        return SAY.subscribing.a_time, f"at {read_at(word):%H:%M}"
    if folded in NAMED_DAYS or folded in DAY_NAMES:
        return SAY.subscribing.a_day, f"on {folded}"
    if folded in LEFT_OUT:
        return SAY.subscribing.no_repository, f"without {folded}"
    if folded in tuple(Language):
        return SAY.subscribing.a_language, f"in {folded}"
    if "*" in word:
        return SAY.subscribing.no_repository, f"paths {shown(word)}"
    if "/" in word and (zone := _zone(word)):
        return SAY.subscribing.a_zone, f"tz {zone}"
    near = difflib.get_close_matches(folded[:SHOWN_CHARS], LONG_KEYWORDS, n=1, cutoff=0.8)
    if near and folded not in KNOWN:
        return SAY.subscribing.no_repository, f"{near[0]} {KEYWORDS[near[0]]}"
    if not _ALIAS.fullmatch(folded) and read_repo(word) is None:
        return SAY.subscribing.no_repository, "vllm"
    return None


def _zone(word: str) -> str:
    try:
        return read_zone(word)
    except UsageError:
        return ""


def _unsubscribe(rest: list[str], language: Language | None) -> Unsubscribe:
    names = [
        word
        for word in _JOINTS.split(" ".join(rest))
        if word and word.casefold() not in (*FILLERS, "from")
    ]
    if not names:
        raise UsageError(
            SAY.subscribing.from_which(Example("unsubscribe vllm"), Example("unsubscribe all"))
        )
    if "all" in map(str.casefold, names):
        if len(names) > 1:
            other = Example(f"unsubscribe {_other(names)}")
            raise UsageError(SAY.subscribing.all_is_all(Example("unsubscribe all"), other))
        return Unsubscribe((), language)
    for name in names:
        if not _ALIAS.fullmatch(name.casefold()) and read_repo(name) is None:
            example = Example("unsubscribe vllm")
            raise UsageError(SAY.subscribing.not_a_repository(shown(name), example))
    return Unsubscribe(tuple(dict.fromkeys(names)), language)


def _other(names: list[str]) -> str:
    return shown(next((name for name in names if name.casefold() != "all"), "vllm"))


def _which(rest: list[str]) -> Which:
    word = " ".join(rest).casefold()
    if not word:
        return Which.OPEN
    try:
        return Which(word)
    except ValueError:
        choices = tuple(which.value for which in Which)
        meant = nearest(word, choices)
        if meant:
            hint = SAY.commands.did_you_mean(Example(f"followups {meant}"))
        else:
            hint = SAY.followups.which(Example("followups mine"))
        raise UsageError(SAY.followups.no_such(shown(word), hint)) from None


def _nothing_after(command: str, rest: list[str]) -> None:
    if rest:
        raise UsageError(SAY.commands.no_more_words(command, Example(command)))
