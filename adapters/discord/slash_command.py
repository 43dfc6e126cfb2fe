"""What somebody asked by a command's options, in the words of the grammar (pure)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from adapters.discord.commands import (
    CHANNEL,
    FOLLOWUPS,
    INFRA,
    INFRA_UPGRADE,
    LONGEST_VALUE,
    MOST_CHOICES,
    SEARCH,
)
from bot.compose.welcome import zones_offered
from bot.model.channel_commands import SHORT_FORMS, UPGRADE
from bot.model.commands import CHANNEL_WORDS, shown
from bot.model.concerns import LISTS
from bot.model.setting_words import LEFT_OUT
from digest.errors import UsageError
from digest.phrase import Example
from digest.windows import WEEKDAYS
from digest.wording.phrases import SAY

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
    text: str = ""


def read(command: SlashCommand) -> QuestionText | CommandText | UploadedFile:
    """Return a command as it is typed; raises `UsageError` for options that do not go together.

    `/infra` and `/infra-search` can only ask. An option that says nothing is as if it was not
    given, and no other one takes its place.
    """
    match command.command, command.sub:
        case str(name), _ if name == INFRA:
            return QuestionText(_reading(command))
        case str(name), _ if name == SEARCH:
            repo = command.text("repo")
            return QuestionText(
                _words("search", command.text("words"), f"repo:{repo}" if repo else "")
            )
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
    if repo.partition(" ")[0].casefold() in (*CHANNEL_WORDS, *SHORT_FORMS):
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
