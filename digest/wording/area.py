"""What a file of sentences is made of: areas, whose fields say what they say in English."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from enum import Enum
from typing import Any, Generic, ParamSpec, Self, TypeVar, dataclass_transform, get_origin, overload

Sentence = TypeVar("Sentence")
"""Text, in a language; a `Phrase`, in `SAY`."""

Values = ParamSpec("Values")
Words = TypeVar("Words", bound=Mapping[str, str] | tuple[str, ...])
Word = TypeVar("Word")


@overload
def says(english: str) -> Any: ...
@overload
def says(english: Callable[Values, str]) -> Callable[Values, Any]: ...
@overload
def says(english: Words) -> Words: ...
def says(english: object) -> object:
    """Declare a field with its English, which is no default: another language has to fill it.

    `Any` stands for `Sentence`, of which a function that is given none of it can return none.
    """
    return field(metadata={"english": english})


@dataclass_transform(frozen_default=True, field_specifiers=(says,))
class Area:
    """Words that belong together: each subclass is a frozen dataclass without defaults."""

    def __init_subclass__(cls) -> None:
        """Make a dataclass of it; what nobody compares or prints is not made at each start."""
        super().__init_subclass__()
        dataclass(frozen=True, repr=False, eq=False)(cls)

    @classmethod
    def english(cls) -> Self:
        """Return it in English: what its fields say, and the areas within it in English."""
        kind: Any = cls
        said = {each.name: each.metadata["english"] for each in fields(kind) if each.metadata}
        types = {each.name: get_origin(each.type) or each.type for each in fields(kind)}
        within = {name: area.english() for name, area in types.items() if hasattr(area, "english")}
        words: Self = kind(**said, **within)
        return words


class Keyed(Area, Generic[Word]):
    """Words by the members of an enumeration: a field for each, by its name in lower case."""

    def __getitem__(self, key: Enum) -> Word:
        found: Word = getattr(self, key.name.lower())
        return found
