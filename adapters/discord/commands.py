"""The commands as Discord is told of them (pure).

https://discord.com/developers/docs/interactions/application-commands: names up to 32 characters in
lower case, descriptions up to 100, 25 options and choices, 8,000 characters in a command.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from adapters.discord.permissions import MANAGE_CHANNELS
from bot.model.channel_commands import LEFT_OUT, Eyes, Quiet
from bot.model.followups import Which
from digest.languages import Language
from digest.phrase import Phrase
from digest.wording.phrases import SAY
from digest.wording.saying import CATALOGUES, said

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

FLAG, DEEP_DIVE = said(SLASH.flag, Language.EN), said(SLASH.deep_dive, Language.EN)

LANGUAGES = {each.value: Phrase.as_written(CATALOGUES[each].own_name) for each in Language}
QUIET = {
    Quiet.LINE.value: SLASH.quiet_line,
    Quiet.NOTHING.value: SLASH.quiet_nothing,
}
EYES = {
    Eyes.OPEN.value: SLASH.eyes_open,
    Eyes.NOTHING.value: SLASH.eyes_nothing,
}
MENTIONED_ON = {
    "breaks": SAY.channels.what_breaks,
    "security": SAY.channels.security,
    "breaks,security": SLASH.on_both,
    "nothing": SLASH.on_nothing,
}
THREADS = {
    "own": SLASH.threads_own,
    "one": SAY.channels.one_thread,
}
WHICH = {
    Which.OPEN.value: SLASH.which_open,
    Which.MINE.value: SLASH.which_mine,
    Which.DONE.value: SLASH.which_done,
    Which.ALL.value: SLASH.which_all,
    Which.EVERYWHERE.value: SLASH.which_everywhere,
}


def _option(
    name: str,
    description: Phrase,
    *,
    required: bool = False,
    typed: bool = False,
    choices: Mapping[str, Phrase] | None = None,
    kind: int = TEXT,
    most: int = LONGEST_VALUE,
) -> Json:
    """Return an option; `typed` asks for autocomplete, `choices` are names by value.

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
    if choices:
        option["choices"] = [
            {**_translated("name", name), "value": value} for value, name in choices.items()
        ]
    elif kind == TEXT:
        option["max_length"] = most
    return option


def _command(name: str, description: Phrase, options: Sequence[Json], **more: Any) -> Json:
    return {
        "type": CHAT_INPUT,
        "name": name,
        **_translated("description", description),
        "options": list(options),
        **_everywhere(),
        **more,
    }


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
        CATALOGUES[each].discord_locale: said(text, each)
        for each in Language
        if each is not Language.EN
    }
    return {key: said(text, Language.EN), f"{key}_localizations": others}


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

_LANGUAGE = _option("language", SLASH.language, choices=LANGUAGES)
_ZONE = _option("tz", SLASH.zone, typed=True)
_TIME = _option("time", SLASH.time, typed=True)
_DAYS = _option("days", SLASH.days, typed=True)
_WITHOUT = _option("without", SLASH.without(LEFT_OUT), typed=True)
_PATHS = _option("paths", SLASH.paths, most=600)
_TOPICS = _option("topics", SLASH.topics, most=300)
_QUIET = _option("quiet", SLASH.quiet, choices=QUIET)
_EYES = _option("eyes", SLASH.eyes, choices=EYES)
_THREADS = _option("threads", SLASH.threads, choices=THREADS)
_PUBLISH = _option("publish", SLASH.publish, kind=YES_OR_NO)
_MENTION = _option("mention", SLASH.mention, kind=ROLE)
_MENTIONED_ON = _option("mention_on", SLASH.mention_on, choices=MENTIONED_ON)
_SHOW = _option("show", SLASH.show, kind=YES_OR_NO)
_SETTINGS = (
    *(_TIME, _ZONE, _DAYS, _LANGUAGE, _WITHOUT, _PATHS, _TOPICS, _QUIET, _EYES, _THREADS),
    *(_PUBLISH, _MENTION, _MENTIONED_ON),
)


def _repos(description: Phrase, *, required: bool = True) -> Json:
    return _option("repos", description, required=required, typed=True, most=600)


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
        (_sub("show", SLASH.followups_show, (_option("which", SLASH.which, choices=WHICH),)),),
    ),
    _command(
        CHANNEL,
        SLASH.channel,
        (
            _sub("subscribe", SLASH.subscribe, (_repos(SLASH.subscribe_repos), *_SETTINGS, _SHOW)),
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
