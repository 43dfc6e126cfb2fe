"""The languages that a digest is written in."""

from collections.abc import Mapping
from enum import StrEnum
from typing import TypeAlias


class Language(StrEnum):
    """A language that a digest is written in."""

    EN = "en"
    ZH = "zh"


Text: TypeAlias = Mapping[Language, str]
"""One sentence in every language, or in those in which it could be proven."""


def text_in(text: Text, language: Language) -> str:
    """Return a text in a language, or in one that it was stored in before there was that one."""
    return text[language] if language in text else next(iter(text.values()), "")
