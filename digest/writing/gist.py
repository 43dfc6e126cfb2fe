"""A few words of a title, for a list that would else be bare numbers."""

import re
from collections.abc import Collection

from digest.writing.visible import visible

WORDS = 5
"""Titles of so many words stand whole; of longer ones one less, and an ellipsis says so."""

LEAST_WORDS = 2
"""Fewer words than these say nothing by themselves."""

_TAGS = re.compile(r"^(?:\s*[\[【(][^\]】)]{1,40}[\]】)]\s*)+[:：-]?\s*")
_DECLARED = re.compile(r"^\w{2,12}(?:\([^)]{1,40}\))?!?[:：]\s+")
_NUMBER = re.compile(r"\s*\((?:#|GH-)\d{1,9}\)\s*$")
_WORD = re.compile(r"[\w.]+")
_LOOSE = frozenset(
    "a an and by for from in into of on or the to under via when with".split(" ")  # noqa: SIM905 - words read better so
)
_MOST_CHARACTERS = 60


def bare(title: str) -> str:
    """Return a title without its tags, the declared purpose and its number; whole if nothing else.

    `[Bugfix][MoE] fix: Close the door (#12)` is `Close the door`.
    """
    seen = visible(title)
    rest = _NUMBER.sub("", _DECLARED.sub("", _TAGS.sub("", seen)))
    rest = _DECLARED.sub("", rest).strip()
    return rest or seen


def gist(title: str, known: Collection[str] = (), most: int = WORDS) -> str:
    """Return the first few words of a title, without those of `known` (in lower case).

    A title of `most` words stands whole. An ellipsis shows that words are left out; marks that
    the cut would leave open go.
    """
    words = bare(title).split()
    kept = [word for word in words if not _is_known(word, known)]
    if sum(map(_is_telling, kept)) < min(LEAST_WORDS, len(words)):
        kept = words
    told = kept if len(kept) <= most else kept[: most - 1]
    while len(told) > 1 and (
        told[-1].casefold() in _LOOSE or len(" ".join(told)) > _MOST_CHARACTERS
    ):
        told = told[:-1]
    cut = len(told) < len(kept)
    said = " ".join(told)
    if len(said) > _MOST_CHARACTERS:
        said, cut = said[: _MOST_CHARACTERS - 1], True
    said = said.rstrip(",;:-–—(（[") if cut or told is not words else said
    for opened in ("`", "**"):
        if said.count(opened) % 2:
            said = said.replace(opened, "")
    return f"{said}…" if cut else said


def words_of(text: str) -> frozenset[str]:
    """Return the telling words of a text, in lower case."""
    found = (word.strip(".").casefold() for word in _WORD.findall(text))
    return frozenset(word for word in found if len(word) > 1)


def _is_loose(told: list[str]) -> bool:
    return told[-1].casefold() in _LOOSE or len(" ".join(told)) > _MOST_CHARACTERS


def _is_known(word: str, known: Collection[str]) -> bool:
    bare_word = word.strip("`*.,;:()[]\"'").casefold()
    return bare_word in known


def _is_telling(word: str) -> bool:
    return word.strip("`*.,;:()[]").casefold() not in _LOOSE
