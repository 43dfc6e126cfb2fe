"""What the bot's sentences give as examples, as commands with Discord's options (pure).

The grammar is typed on other platforms: `subscribe vllm at 09:00`. Here it is chosen:
`/infra-channel subscribe repos:vllm time:09:00`. What Discord has no command for stays as it is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from adapters.discord.commands import (
    CHANNEL,
    EYES,
    FOLLOWUPS,
    INFRA,
    INFRA_UPGRADE,
    LANGUAGES,
    MENTIONED_ON,
    QUIET,
    SEARCH,
    THREADS,
    WHICH,
)
from adapters.discord.markup import Slash
from adapters.discord.slash_command import KEYWORDS
from bot.compose.chat_reply import ChatReply
from bot.model.channel_commands import UPGRADE, parse_chat, read_upgrade
from bot.model.commands import (
    CHAT_ROWS,
    Search,
    ShowChange,
    ShowDigest,
    ShowRoundup,
    ShowSpan,
    parse,
)
from bot.model.concerns import LISTS
from bot.model.parts import Part, PartKind
from digest.errors import UsageError
from digest.languages import Language
from digest.models import KNOWN
from digest.wording.saying import said
from digest.writing.document import Block, Bullets, Code, Entry, Paragraph, Run, Runs, Typed, Words

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
            return _reading(example, language)
    except UsageError:
        pass
    return ""


def _reading(example: str, shown_in: Language) -> str:
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
