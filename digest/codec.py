"""Models to JSON and back, for the store and for recorded files."""

import json
import re
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError

from digest.errors import BadAnswer
from digest.wording.phrases import SAY

T = TypeVar("T")

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
"""Half of a UTF-16 pair: a `str` may hold one, UTF-8 cannot (https://www.rfc-editor.org/rfc/rfc3629#section-3)."""

_adapters: dict[type[Any], TypeAdapter[Any]] = {}


def _adapter(kind: type[T]) -> TypeAdapter[T]:
    if kind not in _adapters:
        _adapters[kind] = TypeAdapter(kind)
    return _adapters[kind]


def dump(value: object) -> bytes:
    """Give a model as UTF-8 JSON; moments become ISO 8601 in UTC, tuples become arrays.

    A field that has an alias is written and read by that. A lone surrogate in a text, which UTF-8
    cannot hold, becomes U+FFFD.
    """
    adapter = _adapter(type(value))
    try:
        return adapter.dump_json(value, by_alias=True)
    except PydanticSerializationError:
        plain = adapter.dump_python(value, mode="python", by_alias=True)
        sound = _LONE_SURROGATE.sub("\ufffd", _json(plain))
        return sound.encode()


def _json(plain: Any) -> str:
    """JSON text that may still hold lone surrogates."""
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"), default=_moment)


def _moment(value: Any) -> Any:
    return json.loads(_adapter(type(value)).dump_json(value))


def load(kind: type[T], raw: bytes | str) -> T:
    """Read what `dump` wrote; `BadAnswer` names the first place that does not fit."""
    try:
        return _adapter(kind).validate_json(raw)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the whole text"
        message = SAY.files.not_recorded(kind.__name__.lower(), place, first["msg"])
        raise BadAnswer(message) from error
