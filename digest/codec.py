"""Models to JSON and back, for the store and for recorded files."""

from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from digest.errors import BadAnswer

T = TypeVar("T")

_adapters: dict[type[Any], TypeAdapter[Any]] = {}


def _adapter(kind: type[T]) -> TypeAdapter[T]:
    if kind not in _adapters:
        _adapters[kind] = TypeAdapter(kind)
    return _adapters[kind]


def dump(value: object) -> bytes:
    """Give a model as UTF-8 JSON; moments become ISO 8601 in UTC, tuples become arrays."""
    return _adapter(type(value)).dump_json(value)


def load(kind: type[T], raw: bytes | str) -> T:
    """Read what `dump` wrote; `BadAnswer` names the first place that does not fit."""
    try:
        return _adapter(kind).validate_json(raw)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the whole text"
        message = f"not a recorded {kind.__name__.lower()}: {place}: {first['msg']}"
        raise BadAnswer(message) from error
