"""Plain data to JSON and back where a shape does not tell its kind: blocks, runs, parts.

Every object carries the name of its class, since `Words` and `Foreign` look alike, and a stranger's
text that came back as the product's own could ping people. Enums and moments do, too: while
processes are replaced one by one, those of the version before read what this one writes.
"""

import json
from collections.abc import Callable
from dataclasses import fields
from datetime import datetime
from enum import StrEnum
from threading import Lock
from typing import Any, get_args

from cachetools import LRUCache, cached

from bot.model.channels import Channel, Platform
from bot.model.parts import Action, ActionKind, Part, PartKind
from bot.model.ports import Message
from bot.model.posts import Post, PostState
from digest.errors import BadAnswer
from digest.languages import Language
from digest.wording.phrases import SAY
from digest.writing.document import Block, Entry, Moment, Run, Tone, Typed

KINDS: dict[str, Any] = {
    kind.__name__: kind
    for kind in (
        *(Post, PostState, Message, Channel, Platform, Language),
        *(Part, PartKind, Action, ActionKind),
        *(*get_args(Block), Entry, Tone),
        *(*get_args(Run), Moment, Typed),
    )
}
"""Every class that may be stored, by the name that it is stored under."""

_PLAIN = frozenset({str, int, float, bool, type(None)})
_FIELDS: dict[type, tuple[str, ...]] = {
    kind: ("value",) if issubclass(kind, StrEnum) else tuple(field.name for field in fields(kind))
    for kind in KINDS.values()
}
"""What is stored of each class; asked of the class for each message, it cost a tenth of all."""

KIND = "kind of object"
"""The key of a class's name; no field is called so."""


SHARED = 256
"""Messages and parts of which the JSON is kept: all channels of a morning get the same ones."""


def dump(value: object) -> bytes:
    """Return a value as UTF-8 JSON; `ValueError` for a class that is not among `KINDS`."""
    if not isinstance(value, Post):
        return _json(value).encode()
    given = {name: getattr(value, name) for name in _FIELDS[Post]}
    texts = {
        name: _shared(each)[1] if isinstance(each, Message | Part) else _json(each)
        for name, each in given.items()
    }
    inside = "".join(f',"{name}":{text}' for name, text in texts.items())
    return f'{{"{KIND}":"{Post.__name__}"{inside}}}'.encode()


@cached(LRUCache(SHARED), key=id, lock=Lock())
def _shared(value: object) -> tuple[object, str]:
    # The value is kept beside its JSON: while it is, no other has its identity. Equal ones are not
    # the same: moments are equal in two zones.
    return value, _json(value)


def _json(value: object) -> str:
    return json.dumps(_plain(value), ensure_ascii=True, separators=(",", ":"))


def load(raw: bytes) -> Any:
    """Read what `dump` wrote; fields that came later have their defaults."""
    return _loaded(raw, lambda stored: stored)


def load_message(raw: bytes) -> Message:
    """Read of a stored `Post` what is posted, and not the parts that it draws."""
    message: Message = _loaded(raw, lambda stored: stored["message"])
    return message


def _loaded(raw: bytes, wanted: Callable[[Any], object]) -> Any:
    try:
        return _value(wanted(json.loads(raw)))
    except (ValueError, KeyError, TypeError) as error:
        raise BadAnswer(SAY.database.other_message) from error


def _plain(value: object) -> object:
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is tuple:
        return [_plain(each) for each in value]  # type: ignore[attr-defined] # mypy narrows no `type`
    if isinstance(value, datetime):
        return {KIND: "datetime", "value": value.isoformat()}
    names = _FIELDS.get(kind)
    if names is None:
        raise ValueError(f"{kind.__name__} is not among the kinds that are stored")
    return {KIND: kind.__name__} | {name: _plain(getattr(value, name)) for name in names}


def _value(plain: Any) -> Any:
    if isinstance(plain, list):
        return tuple(_value(each) for each in plain)
    if isinstance(plain, dict):
        if plain[KIND] == "datetime":
            return datetime.fromisoformat(plain["value"])
        kind = KINDS[plain.pop(KIND)]
        given = {name: _value(each) for name, each in plain.items()}
        return kind(given["value"]) if issubclass(kind, StrEnum) else kind(**given)
    return plain
