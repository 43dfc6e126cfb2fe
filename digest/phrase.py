"""Phrase something failed, or could not be looked at: a code with its values, in no language."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self, TypeAlias

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema


class Example(str):
    """A command that somebody can type next, in the grammar of `docs/commands.md`.

    A platform with commands of its own shows it as one of those.
    """

    __slots__ = ()


Value: TypeAlias = "str | int | Phrase | tuple[Value, ...]"
"""What a sentence has values of: text, a number, a command, a reason, or several."""

AS_WRITTEN = ""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A sentence of `digest.wording.phrases` by its `code`, `github.no_repo`, and its values.

    The empty code is text in one language alone: what older versions stored, and what only the
    command line and the log say.
    """

    code: str
    values: tuple[Value, ...] = ()

    @classmethod
    def of(cls, code: str, /, *values: object) -> Self:
        """Take values of any kind: what is no `Value` becomes its text."""
        return cls(code, tuple(map(_plain, values)))

    def __bool__(self) -> bool:
        """Tell whether there is anything to say."""
        return self != NOTHING

    @classmethod
    def as_written(cls, text: str) -> Self:
        """Return what says a text as it stands, in every language."""
        return cls(AS_WRITTEN, (text,))

    @classmethod
    def read(cls, stored: object) -> Self:
        """Read what `stored` gave, or a sentence of an older version; `ValueError` for else."""
        match stored:
            case cls():
                return stored
            case str():
                return cls.as_written(stored.rstrip(".。"))
            case {"code": str(code), "values": [*values]}:
                return cls(code, tuple(map(_read, values)))
        raise ValueError("neither a reason nor its text")

    def stored(self) -> dict[str, object] | str:
        """Return it as JSON has it."""
        if self.code == AS_WRITTEN:
            return str(self.values[0])
        return {"code": self.code, "values": list(map(_stored, self.values))}

    @classmethod
    def __get_pydantic_core_schema__(cls, _: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Let pydantic read and write it as `read` and `stored` do."""
        return core_schema.no_info_plain_validator_function(
            cls.read,
            serialization=core_schema.plain_serializer_function_ser_schema(cls.stored),
        )


NOTHING = Phrase(AS_WRITTEN, ("",))
"""What stands where nothing is to be said; stored as an empty text."""


def _plain(value: object) -> Value:
    match value:
        case str() | int() | Phrase():
            return value
        case tuple() | list():
            return tuple(map(_plain, value))
    return str(value)


def _stored(value: Value) -> object:
    match value:
        case Example():
            return {"command": str(value)}
        case Phrase():
            return value.stored() if value.code else {"code": AS_WRITTEN, "values": [*value.values]}
        case tuple():
            return list(map(_stored, value))
    return value


def _read(stored: object) -> Value:
    match stored:
        case str() | int():
            return stored
        case {"command": str(text)}:
            return Example(text)
        case Mapping():
            return Phrase.read(stored)
        case Sequence():
            return tuple(map(_read, stored))
    raise ValueError("no value of a reason")
