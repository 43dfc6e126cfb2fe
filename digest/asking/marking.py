"""Marks in a prompt that tell a stranger's words from ours, and their undoing (pure).

Spotlighting: data stands between marks that it cannot contain, and its spaces are replaced, so
that a model sees in every word whose it is (https://arxiv.org/abs/2403.14720).
"""

import re
from collections.abc import Callable
from hashlib import sha256
from typing import TypeAlias

MARK = "▁"
"""Stands for a space in a stranger's prose; one character, because it is paid for as a token."""

NAME_LENGTH = 16
"""Hexadecimal digits of a name, 64 bits: one who writes all that is hashed could find a text that
holds a shorter one of its own by trying, and so close the marks."""

Naming: TypeAlias = Callable[[str], str]
"""Gives the name of the marks around a text, which the text does not contain."""

_LINE_PREFIX = re.compile(r"^\s{0,8}h\d{1,5}\+\d{1,7}\|", re.ASCII)


def named_by_content(text: str) -> str:
    """Name marks by a hash of what stands between them: no text holds its own, and equal
    questions stay equal, so that each is paid for once.
    """
    return sha256(text.encode(errors="replace")).hexdigest()[:NAME_LENGTH]


def enclosed(text: str, naming: Naming = named_by_content) -> str:
    """Put a text between its marks, each on its own line."""
    name = naming(text)
    return f"⟦{name}⟧\n{text}\n⟦/{name}⟧"


def marked(prose: str) -> str:
    """Replace the spaces in a stranger's prose; line ends stay."""
    return "\n".join(MARK.join(line.split()) for line in prose.split("\n"))


def unmarked(text: str) -> str:
    """Give a text its spaces again; prose that a model was shown never holds the mark itself."""
    return " ".join(text.replace(MARK, " ").split())


def without_line_prefix(quote: str) -> str:
    """Take away what stands before the lines of a hunk in a prompt; `+`, `-` or a space stay."""
    return "\n".join(_LINE_PREFIX.sub("", line, count=1) for line in quote.split("\n"))
