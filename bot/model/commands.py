"""What a person can ask, the one grammar that chat and terminal share, and its table for help.

The forms stand in `READING_ROWS`, each with `[in zh|en]`. Where words could mean two things, these
rules decide, in this order:

1. A command word is a command; a repository of that name is asked for as `OWNER/NAME`.
2. What looks like a time is a time; a tag that looks like a date is asked for as `tag/2026-02-11`.
3. Up to six digits are a pull request or issue, seven to forty are a commit: GitHub's largest
   repositories are at six. `pr/N` and `commit/SHA` say which.
4. Letters a-f and digits, four to forty of them, are a commit.
5. What holds a number with a point is a release; any other tag is asked for as `tag/NAME`.
6. What is no command and looks like a question in plain words is one (`plain_question`).
7. The last two words `in zh` or `in en` are the language, also of a search.
"""

import difflib
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TypeAlias

from bot.model.references import Reference, read_address, read_reference, read_repo
from digest.errors import UsageError
from digest.languages import Language
from digest.models import KNOWN, Repo
from digest.phrase import Example, Phrase
from digest.query.reading import SILENT
from digest.windows import names_time
from digest.wording.phrases import SAY
from digest.writing.visible import visible

TIME_WORDS = ("today", "yesterday", "week")
DEFAULT_WHEN = "yesterday"
"""The day that is told when nobody says when: the last one that is over."""

READING_WORDS = ("all", "search", "repos", "watch", "unwatch", "why", "help")
CHANNEL_WORDS = (
    *("subscribe", "unsubscribe", "pause", "resume", "subscriptions", "followups", "settings"),
    "concern",
)
TERMINAL_WORDS = (
    *("run", "deliver", "backfill", "status", "check", "demo", "record"),
    *("export", "backup", "restore", "forget", "db", "slack", "discord"),
    *("surface", "upgrade", "between"),
)
SETTING_WORDS = (
    *("at", "tz", "on", "in", "without", "paths", "topics", "quiet", "eyes"),
    *("publish", "mention", "one", "own", "show"),
)
SETTING_VALUES = (
    *("daily", "weekdays", "weekends", "weekly", "mon", "tue", "wed", "thu", "fri", "sat", "sun"),
    *("bots", "ci", "docs", "to", "and", "nothing", *Language),
)
RESERVED = frozenset(
    (*READING_WORDS, *CHANNEL_WORDS, *TERMINAL_WORDS, *SETTING_WORDS, *SETTING_VALUES)
)
"""Words of commands that no alias may take, on any platform."""

MAX_CHARS = 2_000
"""Longer than any command; Discord's messages and Slack's command texts end there too."""
SHOWN_CHARS = 40

AN_ITEM = "sglang 18905"
"""The item of examples: of another repository the number would be none, or something else."""

_EXAMPLES = {
    "subscribe": "subscribe vllm",
    "unsubscribe": "unsubscribe vllm",
    "search": "search flash attention",
    "why": f"why {AN_ITEM}",
    "watch": "watch pytorch/pytorch",
    "unwatch": "unwatch pytorch",
    "upgrade": "upgrade vllm v0.15.0..v0.16.0",
}

_TIME = re.compile(r"since( .*)?|\S*\s*\.\.+\s*\S*", re.ASCII | re.IGNORECASE)
_SPAN = re.compile(r"(?:from )?(\S+?)(?:\s*\.\.\.?\s*| to )(\S+)", re.IGNORECASE)
_VERSIONS = re.compile(r"(v?\d+\.\d[\w.+-]*)\s+(v?\d+\.\d[\w.+-]*)", re.ASCII)
_LIKE_A_DAY = re.compile(
    r"today|yesterday|(mon|tue|wed|thu|fri|sat|sun)[a-z]*|[\d/-]*[/-][\d/-]*|20\d\d[01]\d[0-3]\d",
    re.IGNORECASE,
)
SEVERAL = 3
"""Words from which on what is no command is a question, not a misspelt command."""

BEGINNINGS = frozenset(
    (
        *("what", "which", "how", "who", "when", "where", "did", "does", "do", "is", "are", "was"),
        *("were", "has", "have", "any", "anything", "show", "tell", "list", "give", "what's"),
        *("summarize", "summarise"),
    )
)
_AUXILIARIES = frozenset(("is", "are", "was", "were", "did", "does", "do", "has", "have", "can"))
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_CHINESE = re.compile("[\u3400-\u9fff]")
_ADDRESS = re.compile(r"://|^\S+#\d|^\S+ in \S+$")
"""An address, or a language: what is wrong with it is told as of a command."""

_TAG = re.compile(r"(tag/)?[\w][\w./+-]{0,99}", re.ASCII)
_ALIAS = re.compile(r"[a-z][a-z0-9._-]{0,38}", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class InLanguage:
    """A command whose answer may be wanted in a `language`, None for the usual one."""

    language: Language | None = None


@dataclass(frozen=True, slots=True)
class ShowDigest(InLanguage):
    """What happened in a repository; `when` is read by `digest.windows`."""

    repo: str
    when: str = DEFAULT_WHEN


@dataclass(frozen=True, slots=True)
class ShowSpan(InLanguage):
    """What changed for a user between two versions: `base` and `head` are tags or SHAs."""

    repo: str
    base: str
    head: str


@dataclass(frozen=True, slots=True)
class ShowRoundup(InLanguage):
    """What happened in every known and watched repository, or, `own`, in those of the channel."""

    when: str = DEFAULT_WHEN
    own: bool = False


@dataclass(frozen=True, slots=True)
class ShowChange(InLanguage):
    """One change, issue or release; `ref` is `#35621`, a SHA in lower case, or a tag."""

    repo: str
    ref: str


@dataclass(frozen=True, slots=True)
class Search(InLanguage):
    """Items already told that hold these words."""

    words: str


@dataclass(frozen=True, slots=True)
class Ask(InLanguage):
    """A question in plain words, of what is stored; see `digest.query`."""

    words: str


@dataclass(frozen=True, slots=True)
class ListRepos(InLanguage):
    """The repositories known by alias."""


@dataclass(frozen=True, slots=True)
class Watch(InLanguage):
    """Take a repository into the roundup, under an alias of its own."""

    repo: Repo
    alias: str


@dataclass(frozen=True, slots=True)
class Unwatch(InLanguage):
    """Take an alias, in lower case, out of the roundup again."""

    alias: str


@dataclass(frozen=True, slots=True)
class Why(InLanguage):
    """The reasons and points of one item; `ref` as in `ShowChange`."""

    repo: str
    ref: str


@dataclass(frozen=True, slots=True)
class Help(InLanguage):
    """What can be asked; `topic` is a command word or empty."""

    topic: str = ""


Question: TypeAlias = (
    ShowDigest | ShowSpan | ShowRoundup | ShowChange | Search | Ask | ListRepos | Why | Help
)
"""What can only ask: whoever reads words as one of these cannot change anything by them."""

Command: TypeAlias = Question | Watch | Unwatch


def parse(text: str) -> Command:
    """Read what a person typed; `UsageError` gives the nearest right example.

    Names of repositories stay as written: which ones exist is not known here. Nothing at all is a
    call for help.
    """
    refuse_long(text)
    words, language = split_language(text.split())
    match words:
        case [first, *rest] if first.casefold() == "watch":
            return replace(_watch(rest), language=language)
        case [first, *rest] if first.casefold() == "unwatch":
            if len(rest) != 1:
                raise UsageError(SAY.repositories.which_alias)
            return Unwatch(rest[0].casefold(), language=language)
    return parse_question(text)


def parse_question(text: str) -> Question:
    """Read what a person typed where they can only ask; raises `UsageError` as `parse` does.

    What is no command and looks like a question is one, see `plain_question`.
    """
    refuse_long(text)
    words, language = split_language(text.split())
    try:
        command = replace(_command(words), language=language)
    except UsageError:
        if question := plain_question(text):
            return question
        raise
    is_of_repo = not isinstance(command, ShowDigest) or _names_repo(command.repo)
    return command if is_of_repo else plain_question(text) or command


def _span_of(*words: str) -> ShowSpan | None:
    """Read `what changed in vllm v0.15.0..v0.16.0`: a span, a repository, and silent words."""
    rest = [word.strip("?,") for word in words if word.strip("?").casefold() not in SILENT]
    ends = [found for word in rest if ".." in word and (found := span_ends(word))]
    names = [word for word in rest if ".." not in word]
    is_one = len(rest) == 2 and len(names) == len(ends) == 1
    return ShowSpan(names[0], *ends[0]) if is_one else None


def plain_question(text: str) -> Ask | None:
    """Read a question in plain words; None for what may be a misspelt command or repository.

    A question ends with a question mark, begins as questions do, is Chinese, or is several words
    of which the first is near no command, and the last near no time.
    """
    words, language = split_language(text.split())
    if not words or not any(letter.isalnum() for letter in text):
        return None
    is_question = words[-1][-1] in "?？" or _CHINESE.search(text) is not None
    first = words[0].casefold()
    if first in RESERVED:
        is_question |= first == "why" and words[1:2] != [] and words[1] in _AUXILIARIES
    elif first in BEGINNINGS and len(words) > 1:
        is_question = True
    elif not is_question and len(words) >= SEVERAL:
        near = nearest(words[0], (*READING_WORDS, *CHANNEL_WORDS)) or _near_upgrade(words)
        is_question = (first in KNOWN or not near) and not _ADDRESS.search(text)
    return Ask(" ".join(words), language=language) if is_question else None


def _near_upgrade(words: Sequence[str]) -> str:
    """Return the command that a slip before two versions is for; also questions speak of upgrades.

    `upgade vllm v0.15.0..v0.16.0`.
    """
    of_versions = any(".." in word for word in words[1:])
    return nearest(words[0], ("upgrade",), cutoff=0.8) if of_versions else ""


def _names_repo(name: str) -> bool:
    """Return whether a word can be the name of a repository."""
    return not _CHINESE.search(name) and name[-1] not in "?？"


def _command(words: list[str]) -> Question:
    if not words:
        return Help()
    time = " ".join(words)
    if all(names_time(end) for end in time.split("..")):
        return ShowRoundup(time.casefold(), own=True)
    first, rest = words[0], words[1:]
    match first.casefold():
        case "all":
            when = " ".join(rest)
            if when and not is_time(when):
                raise UsageError(SAY.windows.not_a_time(shown(when), Example("all yesterday")))
            return ShowRoundup(when.casefold() or DEFAULT_WHEN)
        case "search":
            if not rest:
                raise UsageError(SAY.commands.no_words(example_of("search")))
            return Search(" ".join(rest))
        case "repos":
            refuse_more("repos", rest)
            return ListRepos()
        case "why":
            return _why(rest)
        case "help":
            return Help(rest[0].casefold() if rest else "")
    return _about_repo(first, rest)


def refuse_long(text: str) -> None:
    """Raise `UsageError` for a text that is longer than any command."""
    if len(text) > MAX_CHARS:
        example = Example("vllm yesterday")
        raise UsageError(SAY.commands.too_long(len(text), MAX_CHARS, example))


def refuse_more(command: str, rest: Sequence[str]) -> None:
    """Raise `UsageError` where something follows a command that takes no more words."""
    if rest:
        raise UsageError(SAY.commands.no_more_words(command, Example(command)))


SHORT = 3
"""Letters of words that are like many others: *hey* is no slip for *why*."""


def nearest(word: str, candidates: Iterable[str], *, cutoff: float = 0.6) -> str:
    """Return the likeliest candidate in its own spelling, or an empty string."""
    by_folded = {candidate.casefold(): candidate for candidate in candidates}
    typed = word[:SHOWN_CHARS].casefold()
    near = difflib.get_close_matches(typed, by_folded, n=1, cutoff=cutoff)
    if not near or (len(typed) <= SHORT and near[0][0] != typed[0]):
        return ""
    return by_folded[near[0]]


def example_of(word: str) -> Example:
    """Return a command word with what it needs to be typed as it stands."""
    return Example(_EXAMPLES.get(word, word))


def shown(text: str) -> str:
    """Return what a person wrote so that it cannot disturb the one line it is told in."""
    plain = "".join(
        char if char.isprintable() and (char.isspace() or visible(char)) else "�"
        for char in text[:SHOWN_CHARS]
    )
    return f"{plain}…" if len(text) > SHOWN_CHARS else plain


def is_time(words: str) -> bool:
    """Return whether words claim to be a time, right or wrong."""
    return bool(_TIME.fullmatch(words)) or names_time(words)


def span_ends(words: str) -> tuple[str, str] | None:
    """Read `FROM..TO` or `FROM to TO` of tags or SHAs; None for days, which are a time.

    Two versions need nothing between them.
    """
    found = _SPAN.fullmatch(words.strip()) or _VERSIONS.fullmatch(words.strip())
    if found is None:
        return None
    base, head = found[1], found[2]
    if any(_LIKE_A_DAY.fullmatch(end) or names_time(end) for end in (base, head)):
        return None
    is_end = all(read_reference(end) or _TAG.fullmatch(end) for end in (base, head))
    return (base.removeprefix("tag/"), head.removeprefix("tag/")) if is_end else None


def split_language(words: list[str]) -> tuple[list[str], Language | None]:
    """Part `in zh` or `in en` at the end from the words before it."""
    if len(words) > 1 and words[-2].casefold() == "in" and words[-1].casefold() in tuple(Language):
        return words[:-2], Language(words[-1].casefold())
    return words, None


def _watch(rest: list[str]) -> Watch:
    example = "watch pytorch/pytorch as torch"
    match rest:
        case [name]:
            written = ""
        case [name, word, written] if word.casefold() == "as":
            pass
        case _:
            raise UsageError(SAY.repositories.watch_which(example))
    repo = read_repo(name)
    if repo is None:
        raise UsageError(SAY.repositories.not_owner_name(shown(name), example))
    alias = (written or repo.name).casefold()
    if alias in RESERVED or is_time(alias):
        raise UsageError(SAY.repositories.alias_is_word(alias, repo))
    if not _ALIAS.fullmatch(alias):
        raise UsageError(SAY.repositories.alias_letter(shown(alias), example))
    return Watch(repo, alias)


def _why(rest: list[str]) -> Why:
    match rest:
        case [name, word]:
            found = _reference_in(name, word)
        case [word]:
            found = read_address(word)
        case _:
            found = None
    if found is None or not found.ref:
        raise UsageError(SAY.commands.no_item(example_of("why")))
    return Why(found.repo, found.ref)


def _corrected(word: str, rest: Sequence[str]) -> Example:
    """Return a command with the right word for a mistyped one, else an example of it."""
    text = " ".join((word, *rest))
    if not rest or shown(text) != text:
        return example_of(word)
    with suppress(UsageError):
        if not _near_upgrade([word, *rest]):
            parse(text)
        return Example(text)
    return example_of(word)


def _about_repo(first: str, rest: list[str]) -> Question:
    if span := _span_of(first, *rest):
        return span
    address = read_address(first)
    if address and address.ref and not rest:
        return ShowChange(address.repo, address.ref)
    name = address.repo if address and not address.ref else first
    if not rest:
        return ShowDigest(name)
    # Two days beside each other are the first and the last one.
    is_pair = len(rest) == 2 and all(map(_DAY.fullmatch, rest))
    when = ("..".join if is_pair else " ".join)(rest)
    if ends := span_ends(when):
        return ShowSpan(name, *ends)
    if is_time(when):
        return ShowDigest(name, when.casefold())
    if len(rest) == 1 and (found := _reference_in(name, when)):
        return ShowChange(found.repo, found.ref)
    meant = nearest(first, READING_WORDS) or _near_upgrade([first, *rest])
    if meant and first.casefold() not in KNOWN:
        raise UsageError(SAY.commands.did_you_mean_command(shown(first), _corrected(meant, rest)))
    if meant := nearest(when, TIME_WORDS):
        example = Example(f"{shown(first)} {meant}")
        raise UsageError(SAY.commands.not_this_time(shown(when), example))
    is_repo = name.casefold() in KNOWN or read_repo(name)
    repo = shown(name) if is_repo else nearest(name, KNOWN) or next(iter(KNOWN))
    examples = (Example(f"{repo} yesterday"), Example(f"{repo} 2026-02-11"), Example(AN_ITEM))
    raise UsageError(SAY.commands.neither_time_nor_change(shown(when), *examples))


def _reference_in(name: str, word: str) -> Reference | None:
    """Read a change of the repository `name`; an address names its own."""
    if address := read_address(word):
        return address if address.ref else None
    ref = read_reference(word)
    return Reference(name, ref) if ref else None


@dataclass(frozen=True, slots=True)
class HelpRow:
    """One command: its topic, its form, one example that works, what it gives, and its heading."""

    topic: str
    form: str
    example: str
    gives: Phrase
    heading: Phrase = SAY.help.reading


GIVES = SAY.gives

READING_ROWS: tuple[HelpRow, ...] = (
    HelpRow("repo", "REPO [WHEN]", "sglang 2026-02-11", GIVES.repo),
    HelpRow("span", "REPO FROM..TO", "vllm v0.15.0..v0.16.0", GIVES.span),
    HelpRow("change", "REPO N | pr/N | #N | SHA | vX.Y | URL", "sglang 18905", GIVES.change),
    HelpRow("all", "all [WHEN] | WHEN", "all week", GIVES.all),
    HelpRow("search", "search WORDS", "search flash attention", GIVES.search),
    HelpRow("ask", "QUESTION", "what broke for MI300 since monday", GIVES.ask),
    HelpRow("repos", "repos", "repos", GIVES.repos),
    HelpRow("watch", "watch OWNER/NAME [as ALIAS]", "watch pytorch/pytorch as torch", GIVES.watch),
    HelpRow("unwatch", "unwatch ALIAS", "unwatch torch", GIVES.unwatch),
    HelpRow("why", "why REPO N", "why sglang 18905", GIVES.why),
    HelpRow("help", "help [TOPIC]", "help change", GIVES.help),
)

_ROWS_OF_A_CHANNEL: tuple[HelpRow, ...] = (
    HelpRow(
        "subscribe",
        "subscribe REPO… [at 09:00] [tz ZONE] [on daily|weekdays|weekly|mon,wed] [in zh|en] "
        "[without bots,ci,docs] [paths GLOB…] [topics WORD…] [quiet line|nothing] "
        "[eyes open|nothing] [publish yes|no] [mention ROLE breaks,security|nothing] "
        "[one thread|own threads] [show now|later]",
        "subscribe vllm sglang at 09:00 on weekdays tz Asia/Shanghai in zh without bots,ci",
        GIVES.subscribe,
    ),
    HelpRow("unsubscribe", "unsubscribe REPO…|all", "unsubscribe sglang", GIVES.unsubscribe),
    HelpRow("pause", "pause", "pause", GIVES.pause),
    HelpRow("resume", "resume", "resume", GIVES.resume),
    HelpRow("subscriptions", "subscriptions", "subscriptions", GIVES.subscriptions),
    HelpRow(
        "followups", "followups [mine|open|done|all|everywhere]", "followups mine", GIVES.followups
    ),
    HelpRow(
        "concern",
        "concern [models|hardware|flags|paths|symbols|pins WORD,…] "
        "[add OWNER/NAME of REPO|https://…] [remove NAME|all]",
        "concern models Qwen3, DeepSeek-V4 hardware MI355",
        GIVES.concern,
    ),
    HelpRow(
        "upgrade", "upgrade REPO [FROM..TO]", "upgrade vllm v0.15.0..v0.16.0", GIVES.channel_upgrade
    ),
    HelpRow("settings", "settings", "settings", GIVES.settings),
)
CHANNEL_ROWS = tuple(replace(row, heading=SAY.help.channel) for row in _ROWS_OF_A_CHANNEL)

CHAT_ROWS = (
    *(row for row in READING_ROWS if row.topic not in ("watch", "unwatch", "help")),
    *CHANNEL_ROWS,
    *(row for row in READING_ROWS if row.topic == "help"),
)
"""The table of a channel, where repositories are not watched but subscribed."""

WHEN = "today · yesterday · 2026-02-11 · 2026-02-09..2026-02-11 · week · since fri"
LANGUAGES = "in en · in zh"


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

ABOUT = {
    **dict.fromkeys(("flag", "flags", "take", "done"), "followups"),
    **dict.fromkeys(("at", "hour", "time", "tz", "zone", "language"), "subscribe"),
    **dict.fromkeys(("start", "add", "follow", "setup", "config", "configure"), "subscribe"),
    **dict.fromkeys(("stop", "end", "quit", "leave", "off"), "unsubscribe"),
    **dict.fromkeys(("mute", "snooze"), "pause"),
}
"""Topics by words that people ask help about, or type alone."""


def rows_about(topic: str, rows: tuple[HelpRow, ...]) -> tuple[HelpRow, ...]:
    """Return the row of a topic, or all rows for no topic; `UsageError` suggests the nearest."""
    if not topic:
        return rows
    for named in (topic, ABOUT.get(topic), SHORT_FORMS.get(topic)):
        if found := tuple(row for row in rows if row.topic == named):
            return found
    topics = tuple(dict.fromkeys(row.topic for row in rows))
    meant = nearest(topic, topics)
    other = SAY.commands.topics(topics)
    hint = SAY.commands.did_you_mean(Example(f"help {meant}")) if meant else other
    raise UsageError(SAY.commands.no_help(shown(topic), hint))
