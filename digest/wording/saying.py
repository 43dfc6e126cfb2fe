"""Say why something failed in the language of who reads it."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from functools import cache

from digest.languages import Language
from digest.phrase import AS_WRITTEN, Example, Phrase, Value
from digest.wording import phrases_en, phrases_zh
from digest.wording.phrases import Phrases

PHRASES: Mapping[Language, Phrases[str]] = {
    Language.EN: phrases_en.PHRASES,
    Language.ZH: phrases_zh.PHRASES,
}

_COMMAND = re.compile("\x00([0-9]+)\x00")
"""The place of a command in a sentence, while it is said; no text holds a NUL."""


def said(why: Phrase, language: Language) -> str:
    """Return it as a sentence without a full stop, commands as they are typed."""
    return "".join(pieces(why, language))


def pieces(why: Phrase, language: Language) -> Iterator[str | Example]:
    """Yield a sentence piece by piece, its commands by themselves."""
    commands: list[Example] = []
    text = str(_said(why, language, commands))
    for index, piece in enumerate(_COMMAND.split(text)):
        yield commands[int(piece)] if index % 2 else piece


def _said(value: Value, language: Language, commands: list[Example]) -> str | int:
    match value:
        case Example():
            commands.append(value)
            return f"\x00{len(commands) - 1}\x00"
        case str():
            return value.replace("\x00", "")
        case tuple():
            return PHRASES[language].comma.join(
                str(_said(each, language, commands)) for each in value
            )
        case Phrase():
            values = [_said(each, language, commands) for each in value.values]
            if value.code == AS_WRITTEN:
                return values[0]
            try:
                sentence = _by_code(language)[value.code]
                return str(sentence(*values) if callable(sentence) else sentence)
            except (KeyError, TypeError):  # stored by a version that has other ones
                return PHRASES[language].unknown(value.code)
    return value


@cache
def _by_code(language: Language) -> dict[str, object]:
    """Return all sentences by code, for codes that may come from a file."""
    found: dict[str, object] = {}
    for area in fields(Phrases):
        sentences = getattr(PHRASES[language], area.name)
        if hasattr(sentences, "__dataclass_fields__"):
            for each in fields(sentences):
                found[f"{area.name}.{each.name}"] = getattr(sentences, each.name)
    return found
