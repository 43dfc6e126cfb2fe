"""Discord's options as words of the grammar, and commands of the grammar as options (pure).

The grammar is typed on other platforms: `subscribe vllm at 09:00`. Here it is chosen:
`/infra-channel subscribe repos:vllm time:09:00`. What Discord has no command for stays as it is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from adapters.discord.commands import (
    CHANNEL,
    EYES,
    FOLLOWUPS,
    INFRA,
    INFRA_UPGRADE,
    LANGUAGES,
    LONGEST_VALUE,
    MENTIONED_ON,
    MOST_CHOICES,
    QUIET,
    SEARCH,
    THREADS,
    WHICH,
)
from adapters.discord.markup import Slash
from bot.compose.chat_reply import ChatReply
from bot.compose.welcome import zones_offered
from bot.model.channel_commands import LEFT_OUT, UPGRADE, parse_chat, read_upgrade, spelled_out
from bot.model.commands import (
    CHANNEL_WORDS,
    CHAT_ROWS,
    Search,
    ShowChange,
    ShowDigest,
    ShowRoundup,
    ShowSpan,
    parse,
    shown,
)
from bot.model.concerns import LISTS
from bot.model.parts import Part, PartKind
from digest.errors import UsageError
from digest.languages import Language
from digest.models import KNOWN
from digest.phrase import Example
from digest.times import WEEKDAYS
from digest.wording.phrases import SAY
from digest.wording.saying import said
from digest.writing.document import Block, Bullets, Code, Entry, Paragraph, Run, Runs, Typed, Words

TIMES = tuple(f"{hour:02}:{minute:02}" for hour in range(24) for minute in (0, 30))
DAYS = ("daily", "weekdays", "weekly", "weekends", *WEEKDAYS, "mon,wed,fri")
WITHOUT = (*LEFT_OUT, ",".join(LEFT_OUT), "nothing")
DAYS_BACK = 7

CHANNEL_SUBS = ("subscribe", "unsubscribe", "pause", "resume", "list", "settings", "concern")

KEYWORDS = {
    "time": "at",
    "tz": "tz",
    "days": "on",
    "language": "in",
    "without": "without",
    "paths": "paths",
    "topics": "topics",
    "quiet": "quiet",
    "eyes": "eyes",
}
"""The words of the grammar that begin what an option says."""


@dataclass(frozen=True, slots=True)
class SlashCommand:
    """A command: its name, the subcommand or nothing, and its options by name.

    `focused` is the option that somebody is typing, for autocomplete. `files` are what options of
    files stand for, by their values.
    """

    command: str
    sub: str
    options: Mapping[str, Any]
    focused: str = ""
    files: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def text(self, name: str) -> str:
        """Return an option on one line; empty where it is not said."""
        return " ".join(str(self.options.get(name) or "").split())


def read_interaction(data: Mapping[str, Any]) -> SlashCommand:
    """Read the data of an interaction.

    https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-object
    """
    options = data.get("options") or []
    sub = ""
    if options and options[0].get("type") == 1:
        sub, options = str(options[0]["name"]), options[0].get("options") or []
    focused = next((str(each["name"]) for each in options if each.get("focused")), "")
    values = {str(each["name"]): each.get("value") for each in options}
    files = (data.get("resolved") or {}).get("attachments") or {}
    return SlashCommand(str(data.get("name")), sub, values, focused, files)


@dataclass(frozen=True, slots=True)
class QuestionText:
    """Words that are read as a question, whatever they say: nothing is changed by them."""

    text: str


@dataclass(frozen=True, slots=True)
class CommandText:
    """A command of a channel: its first word is ours, people fill in what follows."""

    text: str


@dataclass(frozen=True, slots=True)
class UploadedFile:
    """A file that somebody uploaded with a command: its name, and where Discord has it."""

    name: str
    url: str


def read(command: SlashCommand) -> QuestionText | CommandText | UploadedFile:
    """Return a command as it is typed; raises `UsageError` for options that do not go together.

    `/infra` and `/infra-search` can only ask. An option that says nothing is as if it was not
    given, and no other one takes its place.
    """
    match command.command, command.sub:
        case str(name), _ if name == INFRA:
            return QuestionText(_reading(command))
        case str(name), _ if name == SEARCH:
            words, repo = command.text("words"), command.text("repo")
            if words.endswith(("?", "？")):  # Discord has no other place to type one
                return QuestionText(_words(words, repo))
            return QuestionText(_words("search", words, f"repo:{repo}" if repo else ""))
        case str(name), _ if name == INFRA_UPGRADE:
            language = command.text("language")
            span = f"{command.text('from')}..{command.text('to')}"
            return CommandText(
                _words(UPGRADE, command.text("repo"), span, f"in {language}" if language else "")
            )
        case str(name), _ if name == FOLLOWUPS:
            return CommandText(_words("followups", command.text("which")))
        case str(name), "concern" if name == CHANNEL and command.text("file"):
            if len(command.options) > 1:
                raise UsageError(SAY.concerns.one_at_a_time)
            file = command.files.get(command.text("file")) or {}
            return UploadedFile(str(file.get("filename") or "file"), str(file.get("url") or ""))
        case str(name), sub if name == CHANNEL and sub in CHANNEL_SUBS:
            return CommandText(_channel(command))
    raise UsageError(SAY.discord.old_command)


def _reading(command: SlashCommand) -> str:
    repo, when, change = command.text("repo"), command.text("when"), command.text("change")
    if not repo and change:
        raise UsageError(
            SAY.commands.no_item(Example(f"/{INFRA} repo:vllm change:{shown(change)}"))
        )
    if not repo and not when:
        return ""  # what the bot is for
    repo = repo or "all"
    if spelled_out(repo).partition(" ")[0].casefold() in CHANNEL_WORDS:
        raise UsageError(
            SAY.discord.not_a_repository(shown(repo), Example(f"/{CHANNEL}"), Example("vllm"))
        )
    if when and change:
        example = Example(f"/{INFRA} repo:{shown(repo)} when:{shown(when)}")
        raise UsageError(SAY.discord.not_both(example))
    language = command.text("language")
    return _words(repo, when or change, f"in {language}" if language else "")


def _channel(command: SlashCommand) -> str:
    match command.sub:
        case "pause" | "resume":
            return command.sub
        case "list":
            return "subscriptions"
        case "unsubscribe":
            return _words("unsubscribe", command.text("repos"))
        case "concern":
            return _concern(command)
    settings = [
        f"{keyword} {command.text(option)}"
        for option, keyword in KEYWORDS.items()
        if command.text(option)
    ]
    threads = command.text("threads")
    if threads:
        settings.append("one thread" if threads == "one" else "own threads")
    if (publish := command.options.get("publish")) is not None:
        settings.append(f"publish {'yes' if publish else 'no'}")
    role, on = command.text("mention"), command.text("mention_on")
    if role or on:
        settings.append(_words("mention", role, on))
    if command.options.get("show") is False:
        settings.append("show later")
    if command.sub == "settings" and not settings:
        return "settings"
    return _words("subscribe", command.text("repos"), *settings)


def _concern(command: SlashCommand) -> str:
    """Return one of three: what is added, what is removed, or lists of words; none shows them."""
    lists = [f"{name} {command.text(name)}" for name in LISTS if command.text(name)]
    add, of, remove = command.text("add"), command.text("of"), command.text("remove")
    if sum(map(bool, (add, remove, lists))) > 1 or (of and not add):
        raise UsageError(SAY.concerns.one_at_a_time)
    if add:
        return _words("concern add", add, f"of {of}" if of else "")
    return _words("concern remove", remove) if remove else _words("concern", *lists)


def _words(*parts: str) -> str:
    return " ".join(part for part in parts if part)


def completed(typed: str, names: Sequence[str]) -> list[str]:
    """Return what the last of several names can become, the others as they are."""
    head, space, last = typed.replace(",", " ").rpartition(" ")
    before = head.split()
    wanted = last.casefold()
    free = [name for name in names if name.casefold() not in {each.casefold() for each in before}]
    begin = [name for name in free if name.casefold().startswith(wanted)]
    hold = [name for name in free if wanted in name.casefold() and name not in begin]
    prefix = " ".join(before) + " " if space and before else ""
    found = [prefix + name for name in (*begin, *hold)]
    return _fitting(dict.fromkeys((*found, *((typed,) if typed.strip() else ()))))


def zones(typed: str) -> list[str]:
    """Return zones that somebody may be typing, the likeliest first."""
    return _fitting(zones_offered(typed))


def days(typed: str, now: datetime, tz: str) -> list[str]:
    """Return times that hold what was typed: words, then the last days."""
    today = now.astimezone(ZoneInfo(tz)).date()
    back = [(today - timedelta(days=number)).isoformat() for number in range(1, DAYS_BACK + 1)]
    fixed = ("yesterday", "today", "week", "last 3 days", "this week", "last week")
    names = (*fixed, *WEEKDAYS, *(f"since {day}" for day in WEEKDAYS), *back)
    return matching(typed, names)


def matching(typed: str, names: Sequence[str]) -> list[str]:
    """Return the names that hold what was typed, and what was typed if it is none of them."""
    wanted = " ".join(typed.casefold().split())
    found = [name for name in names if wanted in name.casefold()]
    return _fitting(found or ([typed] if wanted else []))


def _fitting(names: Any) -> list[str]:
    return [name for name in names if 0 < len(name) <= LONGEST_VALUE][:MOST_CHOICES]


OPTIONS = {keyword: option for option, keyword in KEYWORDS.items()}
"""The option that says what a word of the grammar begins."""

NAMES = {
    "language": LANGUAGES,
    "quiet": QUIET,
    "eyes": EYES,
    "threads": THREADS,
    "which": WHICH,
    "mention_on": MENTIONED_ON,
}
"""Choices are typed by their names, which Discord's client has in its reader's language."""

OTHERS = ("one", "own", "show", "publish", "mention")
"""Words of the grammar that options say in another way."""

COMMAND_NAMES = tuple(f"/{name}" for name in (INFRA, SEARCH, FOLLOWUPS, CHANNEL, INFRA_UPGRADE))

BARE = {
    "subscribe": f"/{CHANNEL} subscribe",
    "unsubscribe": f"/{CHANNEL} unsubscribe",
    "pause": f"/{CHANNEL} pause",
    "resume": f"/{CHANNEL} resume",
    "subscriptions": f"/{CHANNEL} list",
    "settings": f"/{CHANNEL} settings",
    "concern": f"/{CHANNEL} concern",
    "followups": f"/{FOLLOWUPS} show",
    "search": f"/{SEARCH}",
}
"""Commands by the word that they begin with."""


def help_reply(language: Language) -> ChatReply:
    """Return what can be asked here, with examples; without what Discord has no command for."""
    entries = tuple(
        Entry((Typed(row.example), Words(f" – {said(row.gives, language)}")))
        for row in CHAT_ROWS
        if as_options(row.example, language)
    )
    return ChatReply((Part(PartKind.ANSWER, (Bullets(entries),), summary=INFRA),), language)


def in_options(part: Part, language: Language, ids: Mapping[str, str]) -> Part:
    """Return a part with its commands as Discord has them.

    `ids` are the ids of commands by their names: such a command can be pressed.
    """
    return replace(part, blocks=tuple(_block(each, language, ids) for each in part.blocks))


def _block(block: Block, language: Language, ids: Mapping[str, str]) -> Block:
    match block:
        case Paragraph(runs):
            return replace(block, runs=_runs(runs, language, ids))
        case Bullets(entries):
            lines = (replace(each, runs=_runs(each.runs, language, ids)) for each in entries)
            return Bullets(tuple(lines))
    return block


def _runs(runs: Runs, language: Language, ids: Mapping[str, str]) -> Runs:
    written: list[Run] = []
    for run in runs:
        written += _command(run.text, language, ids) if isinstance(run, Typed) else (run,)
    return tuple(written)


def _command(typed: str, language: Language, ids: Mapping[str, str]) -> Runs:
    """Return a command as it is pressed, with the options that are then chosen."""
    command = as_options(typed, language)
    words = command.split(" ")
    name = words[0].removeprefix("/")
    if name not in ids:
        return (Code(command),) if command else (Words(typed),)
    length = 2 if name in (CHANNEL, FOLLOWUPS) else 1
    if len(words) < length:
        return (Code(command),)
    slash = Slash(f"</{' '.join(words[:length]).removeprefix('/')}:{ids[name]}>")
    options = " ".join(words[length:])
    return (slash, Words(" "), Code(options)) if options else (slash,)


def as_options(example: str, language: Language) -> str:
    """Return a typed command, or a setting of one, with Discord's options; nothing for any other.

    `language` is the one in which choices are named.
    """
    words = example.replace("'", "").split()
    example = " ".join(words)
    if words and words[0] in COMMAND_NAMES:
        return example
    first = words[0].casefold() if words else ""
    if len(words) == 1:
        return BARE.get(first, "")
    try:
        if first in OPTIONS or first in OTHERS:
            parse_chat(f"subscribe vllm {example}")
            return " ".join(_settings(words, language))
        if first in BARE and first != "search":
            parse_chat(example)
            return _of_channel(first, words[1:], language)
        if first == UPGRADE:
            upgrade = read_upgrade(words[1:])
            ends = {"from": upgrade.base, "to": upgrade.head}
            options = "".join(f" {name}:{end}" for name, end in ends.items() if end)
            return f"/{INFRA_UPGRADE} repo:{upgrade.repo}{options}"
        if first in KNOWN or "/" in first or first in ("all", "search"):
            return _question(example, language)
    except UsageError:
        pass
    return ""


def _question(example: str, shown_in: Language) -> str:
    match parse(example):
        case ShowDigest(repo, when, language):
            options = [f"repo:{repo}", f"when:{when}"]
        case ShowSpan(repo, base, head, language):
            options = [f"repo:{repo}", f"when:{base}..{head}"]
        case ShowChange(repo, ref, language):
            options = [f"repo:{repo}", f"change:{ref.removeprefix('#')}"]
        case ShowRoundup(when, language):
            options = ["repo:all", f"when:{when}"]
        case Search(words):
            return f"/{SEARCH} words:{words}"
        case _:
            return ""
    if language:
        options.append(_option("language", language.value, shown_in))
    return f"/{INFRA} {' '.join(options)}"


def _of_channel(first: str, words: Sequence[str], language: Language) -> str:
    if first == "followups":
        return f"{BARE[first]} {_option('which', ' '.join(words), language)}"
    if first == "concern":
        lists: list[str] = []
        for word in words:
            is_name = word.casefold() in (*LISTS, "add", "of", "remove")
            lists.append(f"{word}:" if is_name else word)
        return f"{BARE[first]} {' '.join(lists).replace(': ', ':')}"
    if first == "unsubscribe":
        return f"{BARE[first]} repos:{' '.join(words)}"
    options = _settings(("repos", *words), language)
    # Without a repository, which `subscribe` asks for here, settings are changed by their own.
    name = first if options[0].startswith("repos:") else "settings"
    return f"{BARE[name]} {' '.join(options)}"


def _settings(words: Sequence[str], language: Language) -> list[str]:
    """Return the options that words of the grammar say, in their order."""
    found: list[tuple[str, list[str]]] = []
    for word in words:
        keyword = word.casefold()
        if keyword in OPTIONS or keyword in ("repos", *OTHERS):
            found.append((keyword, []))
        else:
            found[-1][1].append(word)
    return [_setting(keyword, " ".join(values), language) for keyword, values in found if values]


def _setting(keyword: str, value: str, language: Language) -> str:
    match keyword:
        case "one" | "own":
            return _option("threads", keyword, language)
        case "show":
            return f"show:{value.casefold() == 'now'}"
        case "publish":
            return f"publish:{value.casefold() == 'yes'}"
        case "mention":
            role, _, on = value.partition(" ")
            named = () if role == "nothing" else (f"mention:{role}",)
            on = on or (role if not named else "breaks,security")
            return " ".join((*named, _option("mention_on", on, language)))
    return _option(OPTIONS.get(keyword, keyword), value, language)


def _option(name: str, value: str, language: Language) -> str:
    choice = NAMES.get(name, {}).get(value)
    return f"{name}:{said(choice, language) if choice else value}"
