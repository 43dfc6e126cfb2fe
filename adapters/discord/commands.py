"""The commands as Discord is told of them, and the grammar that is typed elsewhere (pure).

On other platforms one types `subscribe vllm at 09:00`. Here it is chosen: `/infra-channel subscribe
repos:vllm time:09:00`, which is read as the words of the grammar; and what the bot's sentences give
as an example is shown with Discord's options. What Discord has no command for stays as it is.

https://discord.com/developers/docs/interactions/application-commands: names up to 32 characters in
lower case, descriptions up to 100, 25 options and choices, 8,000 characters in a command.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from adapters.discord.markup import Slash
from adapters.discord.permissions import MANAGE_CHANNELS
from bot.compose.chat_reply import ChatReply
from bot.compose.welcome import zones_offered
from bot.model.channel_commands import LEFT_OUT, UPGRADE, Eyes, Quiet, read_upgrade, spelled_out
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
from bot.model.concerns import LISTS, UploadedFile
from bot.model.followups import Which
from bot.model.parts import Part, PartKind
from digest.errors import UsageError
from digest.languages import Language
from digest.models import KNOWN
from digest.phrase import Example, Phrase
from digest.times import DAY_NAMES
from digest.wording.phrases import SAY
from digest.wording.saying import CATALOGUES, localized
from digest.writing.document import Block, Bullets, Code, Entry, Paragraph, Run, Runs, Typed, Words

INFRA = "infra"
SEARCH = "infra-search"
FOLLOWUPS = "followups"
INFRA_UPGRADE = "infra-upgrade"
CHANNEL = "infra-channel"

CHAT_INPUT = 1
ON_MESSAGE = 3
SUB_COMMAND = 1
TEXT = 3
YES_OR_NO = 5
FILE = 11
"""https://discord.com/developers/docs/interactions/application-commands#application-command-object-application-command-option-type"""
ROLE = 8

IN_SERVERS = 0
"""A context: no direct messages, since every answer belongs to a server."""
INSTALLED_ON_SERVER = 0

LONGEST_VALUE = 100
"""Of what autocomplete offers: its name, and its value."""
MOST_CHOICES = 25

Json = dict[str, Any]

SLASH = SAY.slash

FLAG, DEEP_DIVE = localized(SLASH.flag, Language.EN), localized(SLASH.deep_dive, Language.EN)

CHOICES: Mapping[str, Mapping[str, Phrase]] = {
    "language": {each.value: Phrase.as_written(CATALOGUES[each].own_name) for each in Language},
    "quiet": {Quiet.LINE.value: SLASH.quiet_line, Quiet.NOTHING.value: SLASH.quiet_nothing},
    "eyes": {Eyes.OPEN.value: SLASH.eyes_open, Eyes.NOTHING.value: SLASH.eyes_nothing},
    "threads": {"own": SLASH.threads_own, "one": SAY.channels.one_thread},
    "mention_on": {
        "breaks": SAY.channels.what_breaks,
        "security": SAY.channels.security,
        "breaks,security": SLASH.on_both,
        "nothing": SLASH.on_nothing,
    },
    "which": {
        Which.OPEN.value: SLASH.which_open,
        Which.MINE.value: SLASH.which_mine,
        Which.DONE.value: SLASH.which_done,
        Which.ALL.value: SLASH.which_all,
        Which.EVERYWHERE.value: SLASH.which_everywhere,
    },
}
"""Names of what can be chosen for an option, by value; Discord's client shows and types the names,
in its reader's language."""


def _option(
    name: str,
    description: Phrase,
    *,
    required: bool = False,
    typed: bool = False,
    kind: int = TEXT,
    most: int = LONGEST_VALUE,
) -> Json:
    """Return an option with its `CHOICES`, if it has any; `typed` asks for autocomplete.

    `most` is how many characters can be typed, so that no command gets longer than is read.
    """
    option: Json = {
        "type": kind,
        "name": name,
        **_translated("description", description),
    }
    if required:
        option["required"] = True
    if typed:
        option["autocomplete"] = True
    if choices := CHOICES.get(name):
        option["choices"] = [
            {**_translated("name", name), "value": value} for value, name in choices.items()
        ]
    elif kind == TEXT:
        option["max_length"] = most
    return option


def _command(name: str, description: Phrase, options: Sequence[Json], **more: Any) -> Json:
    shown = _sub(name, description, options)
    return shown | {"type": CHAT_INPUT, **_everywhere(), **more}


def _sub(name: str, description: Phrase, options: Sequence[Json] = ()) -> Json:
    return {
        "type": SUB_COMMAND,
        "name": name,
        **_translated("description", description),
        "options": list(options),
    }


def _on_message(name: Phrase) -> Json:
    return {"type": ON_MESSAGE, **_translated("name", name), **_everywhere()}


def _translated(key: str, text: Phrase) -> Json:
    """Say a name or description in English, and in every other language beside it."""
    others = {
        CATALOGUES[each].discord_locale: localized(text, each)
        for each in Language
        if each is not Language.EN
    }
    return {key: localized(text, Language.EN), f"{key}_localizations": others}


def _everywhere() -> Json:
    return {"contexts": [IN_SERVERS], "integration_types": [INSTALLED_ON_SERVER]}


LISTS_OF_WORDS = {
    "models": SLASH.concern_models,
    "hardware": SLASH.concern_hardware,
    "flags": SLASH.concern_flags,
    "paths": SLASH.concern_paths,
    "symbols": SLASH.concern_symbols,
    "pins": SLASH.concern_pins,
}
"""What each list of words holds."""

_LANGUAGE = _option("language", SLASH.language)
_SETTINGS = (
    _option("time", SLASH.time, typed=True),
    _option("tz", SLASH.zone, typed=True),
    _option("days", SLASH.days, typed=True),
    _LANGUAGE,
    _option("without", SLASH.without(LEFT_OUT), typed=True),
    _option("paths", SLASH.paths, most=600),
    _option("topics", SLASH.topics, most=300),
    _option("quiet", SLASH.quiet),
    _option("eyes", SLASH.eyes),
    _option("threads", SLASH.threads),
    _option("publish", SLASH.publish, kind=YES_OR_NO),
    _option("mention", SLASH.mention, kind=ROLE),
    _option("mention_on", SLASH.mention_on),
)


def _repos(description: Phrase) -> Json:
    return _option("repos", description, required=True, typed=True, most=600)


COMMANDS: tuple[Json, ...] = (
    _command(
        INFRA,
        SLASH.infra,
        (
            _option("repo", SLASH.repo, typed=True),
            _option("when", SLASH.when, typed=True),
            _option("change", SLASH.change, typed=True),
            _LANGUAGE,
            _option("share", SLASH.share, kind=YES_OR_NO),
        ),
    ),
    _command(
        SEARCH,
        SLASH.search,
        (
            _option("words", SLASH.words, required=True, most=500),
            _option("repo", SLASH.only_repo, typed=True),
        ),
    ),
    _command(
        FOLLOWUPS,
        SLASH.followups,
        (_sub("show", SLASH.followups_show, (_option("which", SLASH.which),)),),
    ),
    _command(
        CHANNEL,
        SLASH.channel,
        (
            _sub(
                "subscribe",
                SLASH.subscribe,
                (
                    _repos(SLASH.subscribe_repos),
                    *_SETTINGS,
                    _option("show", SLASH.show, kind=YES_OR_NO),
                ),
            ),
            _sub("unsubscribe", SLASH.unsubscribe, (_repos(SLASH.unsubscribe_repos),)),
            _sub("pause", SLASH.pause),
            _sub("resume", SLASH.resume),
            _sub(
                "concern",
                SLASH.concern,
                (
                    *(_option(name, what, most=400) for name, what in LISTS_OF_WORDS.items()),
                    _option("add", SLASH.concern_add, most=500),
                    _option("file", SLASH.concern_file, kind=FILE),
                    _option("of", SLASH.concern_of),
                    _option("remove", SLASH.concern_remove),
                ),
            ),
            _sub("list", SLASH.subscriptions),
            _sub("settings", SLASH.settings, _SETTINGS),
        ),
        default_member_permissions=MANAGE_CHANNELS.bit,
    ),
    _command(
        INFRA_UPGRADE,
        SLASH.upgrade,
        (
            _option("repo", SLASH.upgrade_repo, required=True, typed=True),
            _option("from", SLASH.upgrade_from),
            _option("to", SLASH.upgrade_to),
            _LANGUAGE,
        ),
    ),
    _on_message(SLASH.flag),
    _on_message(SLASH.deep_dive),
)
"""Everything that the bot can be asked by command."""


def ids(present: Any) -> dict[str, str]:
    """Return the ids of commands that are typed, by their names, as Discord lists them."""
    return {
        str(each["name"]): str(each["id"])
        for each in (present if isinstance(present, list) else ())
        if each.get("type", CHAT_INPUT) == CHAT_INPUT and str(each.get("id", "")).isdecimal()
    }


TIMES = tuple(f"{hour:02}:{minute:02}" for hour in range(24) for minute in (0, 30))
DAYS = ("daily", "weekdays", "weekly", "weekends", *DAY_NAMES, "mon,wed,fri")
WITHOUT = (*LEFT_OUT, ",".join(LEFT_OUT), "nothing")
DAYS_BACK = 7

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
    """Read the data of an interaction."""
    # https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-object
    options = data.get("options") or []
    sub = ""
    if options and options[0].get("type") == 1:
        sub, options = str(options[0]["name"]), options[0].get("options") or []
    focused = next((str(each["name"]) for each in options if each.get("focused")), "")
    values = {str(each["name"]): each.get("value") for each in options}
    files = (data.get("resolved") or {}).get("attachments") or {}
    return SlashCommand(str(data.get("name")), sub, values, focused, files)


@dataclass(frozen=True, slots=True)
class Asked:
    """Words of the grammar; of a question, whatever they say, nothing is changed."""

    text: str
    is_question: bool = False


def read(command: SlashCommand) -> Asked | UploadedFile:
    """Return a command as it is typed; raises `UsageError` for options that do not go together.

    `/infra` and `/infra-search` can only ask. An option that says nothing is as if it was not
    given, and no other one takes its place.
    """
    text = command.text
    match command.command, command.sub:
        case "infra", _:
            return Asked(_reading(command), is_question=True)
        case "infra-search", _:
            words, repo = text("words"), text("repo")
            if words.endswith(("?", "？")):  # Discord has no other place to type one
                return Asked(_words(words, repo), is_question=True)
            return Asked(_words("search", words, _if(repo, "repo:")), is_question=True)
        case "infra-upgrade", _:
            span = f"{text('from')}..{text('to')}"
            return Asked(_words(UPGRADE, text("repo"), span, _if(text("language"), "in ")))
        case "followups", _:
            return Asked(_words("followups", text("which")))
        case "infra-channel", "concern" if text("file"):
            if len(command.options) > 1:
                raise UsageError(SAY.concerns.one_at_a_time)
            file = command.files.get(text("file")) or {}
            return UploadedFile(str(file.get("filename") or "file"), str(file.get("url") or ""))
        case "infra-channel", _:
            return Asked(_channel(command))
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
    return _words(repo, when or change, _if(command.text("language"), "in "))


def _channel(command: SlashCommand) -> str:
    text = command.text
    match command.sub:
        case "pause" | "resume":
            return command.sub
        case "list":
            return "subscriptions"
        case "unsubscribe":
            return _words("unsubscribe", text("repos"))
        case "concern":
            return _concern(command)
        case sub if sub not in ("subscribe", "settings"):
            raise UsageError(SAY.discord.old_command)
    settings = [_if(text(option), f"{keyword} ") for option, keyword in KEYWORDS.items()]
    settings.append({"": "", "one": "one thread"}.get(text("threads"), "own threads"))
    if (publish := command.options.get("publish")) is not None:
        settings.append(f"publish {'yes' if publish else 'no'}")
    settings.append(_if(_words(text("mention"), text("mention_on")), "mention "))
    if command.options.get("show") is False:
        settings.append("show later")
    if command.sub == "settings" and not any(settings):
        return "settings"
    return _words("subscribe", text("repos"), *settings)


def _concern(command: SlashCommand) -> str:
    """Return one of three: what is added, what is removed, or lists of words; none shows them."""
    lists = _words(*(_if(command.text(name), f"{name} ") for name in LISTS))
    add, of, remove = command.text("add"), command.text("of"), command.text("remove")
    if sum(map(bool, (add, remove, lists))) > 1 or (of and not add):
        raise UsageError(SAY.concerns.one_at_a_time)
    if add:
        return _words("concern add", add, _if(of, "of "))
    return _words("concern", _if(remove, "remove "), lists)


def _words(*parts: str) -> str:
    return " ".join(part for part in parts if part)


def _if(value: str, before: str) -> str:
    return f"{before}{value}" if value else ""


def completed(typed: str, names: Sequence[str]) -> list[str]:
    """Return what the last of several names can become, the others as they are."""
    head, _, last = typed.replace(",", " ").rpartition(" ")
    before, wanted = head.split(), last.casefold()
    taken = {each.casefold() for each in before}
    found = [name for name in names if wanted in name.casefold() and name.casefold() not in taken]
    found.sort(key=lambda name: not name.casefold().startswith(wanted))
    whole = [" ".join((*before, name)) for name in found]
    return _fitting(dict.fromkeys((*whole, *((typed,) if typed.strip() else ()))))


def zones(typed: str) -> list[str]:
    """Return zones that somebody may be typing, the likeliest first."""
    return _fitting(zones_offered(typed))


def recent_days(typed: str, now: datetime, tz: str) -> list[str]:
    """Return times that hold what was typed: words, then the last days."""
    today = now.astimezone(ZoneInfo(tz)).date()
    back = [(today - timedelta(days=number)).isoformat() for number in range(1, DAYS_BACK + 1)]
    fixed = ("yesterday", "today", "week", "last 3 days", "this week", "last week")
    names = (*fixed, *DAY_NAMES, *(f"since {day}" for day in DAY_NAMES), *back)
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
        Entry((Typed(row.example), Words(f" – {localized(row.gives, language)}")))
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
        written += _pressable(run.text, language, ids) if isinstance(run, Typed) else (run,)
    return tuple(written)


def _pressable(typed: str, language: Language, ids: Mapping[str, str]) -> Runs:
    """Return a command as it is pressed, with the options that are then chosen."""
    command = as_options(typed, language)
    words = command.split(" ")
    name = words[0].removeprefix("/")
    length = 2 if name in (CHANNEL, FOLLOWUPS) else 1
    if name not in ids or len(words) < length:
        return (Code(command),) if command else (Words(typed),)
    slash = Slash(f"<{' '.join(words[:length])}:{ids[name]}>")
    options = " ".join(words[length:])
    return (slash, Words(" "), Code(options)) if options else (slash,)


def as_options(example: str, language: Language) -> str:
    """Return a typed command, or a setting of one, with Discord's options; nothing for any other.

    `language` is the one in which choices are named.
    """
    words = example.replace("'", "").split()
    first = words[0].casefold() if words else ""
    if first in COMMAND_NAMES:
        return " ".join(words)
    if len(words) < 2:
        return BARE.get(first, "")
    try:
        if first in OPTIONS or first in OTHERS:
            return " ".join(_settings(words, language))
        if first in BARE and first != "search":
            return _of_channel(first, words[1:], language)
        if first == UPGRADE:
            upgrade = read_upgrade(words[1:])
            ends = _words(_if(upgrade.base, "from:"), _if(upgrade.head, "to:"))
            return _words(f"/{INFRA_UPGRADE} repo:{upgrade.repo}", ends)
        if first in KNOWN or "/" in first or first in ("all", "search"):
            return _question(" ".join(words), language)
    except UsageError:
        pass
    return ""


def _question(example: str, shown_in: Language) -> str:
    match parse(example):
        case ShowDigest(repo, when, language=language):
            options = f"repo:{repo} when:{when}"
        case ShowSpan(repo, base, head, language=language):
            options = f"repo:{repo} when:{base}..{head}"
        case ShowChange(repo, ref, language=language):
            options = f"repo:{repo} change:{ref.removeprefix('#')}"
        case ShowRoundup(when, language=language):
            options = f"repo:all when:{when}"
        case Search(words):
            return f"/{SEARCH} words:{words}"
        case _:
            return ""
    named = _chosen("language", language.value, shown_in) if language else ""
    return _words(f"/{INFRA}", options, named)


def _of_channel(first: str, words: Sequence[str], language: Language) -> str:
    command = BARE[first]
    match first:
        case "followups":
            return f"{command} {_chosen('which', ' '.join(words), language)}"
        case "concern":
            names = (*LISTS, "add", "of", "remove")
            lists = (f"{word}:" if word.casefold() in names else f"{word} " for word in words)
            return f"{command} {''.join(lists)}".rstrip()
        case "unsubscribe":
            return f"{command} repos:{' '.join(words)}"
    options = _settings(("repos", *words), language)
    # Without a repository, which `subscribe` asks for here, settings are changed by their own.
    has_repos = not options or options[0].startswith("repos:")
    return _words(command if has_repos else BARE["settings"], *options)


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
            return _chosen("threads", keyword, language)
        case "show":
            return f"show:{value.casefold() == 'now'}"
        case "publish":
            return f"publish:{value.casefold() == 'yes'}"
        case "mention":
            role, _, on = value.partition(" ")
            if role == "nothing":
                return _chosen("mention_on", role, language)
            return f"mention:{role} {_chosen('mention_on', on or 'breaks,security', language)}"
    return _chosen(OPTIONS.get(keyword, keyword), value, language)


def _chosen(name: str, value: str, language: Language) -> str:
    choice = CHOICES.get(name, {}).get(value)
    return f"{name}:{localized(choice, language) if choice else value}"
