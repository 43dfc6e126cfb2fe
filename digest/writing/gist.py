"""A few words of a title, for a list that would else be bare numbers."""

import re

from digest.writing.visible import visible

WORDS = 5
"""Titles of so many words stand whole; of longer ones one less, and an ellipsis says so."""

LEAST_WORDS = 3
"""Fewer words than these say too little by themselves."""
LONGEST_NAME = 56
"""Characters of a story's name in a line with others."""
LONGEST_WHOLE = 90
"""A longer name without the end of a phrase does not fit into such a line at all."""

_TAGS = re.compile(r"^(?:\s*[\[【(][^\]】)]{1,40}[\]】)]\s*)+[:：-]?\s*")
_DECLARED = re.compile(r"^\w{2,12}(?:\([^)]{1,40}\))?!?[:：]\s+")
_NUMBER = re.compile(r"\s*\((?:#|GH-)\d{1,9}\)\s*$")
_MARK = re.compile(r"^\s*[*•–-]\s+")
_KIND = re.compile(
    r"^\s*(?:[\[【(]\s*(?:(?:bug|hot)? ?fix|bug|feat(?:ure)?|misc|chore)\s*[\]】)]\s*[:：]?\s*)+",
    re.IGNORECASE,
)
_JOINTS = frozenset(
    "and at by during for from in into on or through to under using via when with".split()  # noqa: SIM905 - words read better so
)
"""Words before which a phrase may end."""
_LOOSE = _JOINTS | {"a", "an", "as", "of", "the"}
_LETTER = re.compile(r"\w")
_MOST_CHARACTERS = 60


def bare(title: str) -> str:
    """Return a title without its tags, the declared purpose and its number; whole if nothing else.

    `[Bugfix][MoE] fix: Close the door (#12)` is `Close the door`.
    """
    seen = _MARK.sub("", visible(title))
    rest = _NUMBER.sub("", _DECLARED.sub("", _TAGS.sub("", seen)))
    rest = _DECLARED.sub("", rest).strip()
    return rest or seen


def without_kind(title: str) -> str:
    """Return a title without marks that merely say what sort of change it is.

    `* [Bugfix][MoE] Close the door` is `[MoE] Close the door`: what a list of fixes says already.
    """
    seen = _MARK.sub("", visible(title))
    return _KIND.sub("", seen).strip() or seen


def gist(title: str, most: int = WORDS) -> str:
    """Return the first few words of a title, up to where a phrase ends if one does there.

    A title of `most` words stands whole. An ellipsis shows that words are left out; marks that
    the cut would leave open go.
    """
    words = bare(title).split()
    told = words if len(words) <= most else _phrase(words, most) or words[: most - 1]
    while len(told) > 1 and (_is_loose(told[-1]) or len(" ".join(told)) > _MOST_CHARACTERS):
        told = told[:-1]
    cut = len(told) < len(words)
    said = " ".join(told)
    if len(said) > _MOST_CHARACTERS:
        said, cut = said[: _MOST_CHARACTERS - 1], True
    said = said.rstrip(",;:-–—(（[") if cut else said
    for opened in ("`", "**"):
        if said.count(opened) % 2:
            said = said.replace(opened, "")
    return f"{said}…" if cut else said


def short_name(name: str) -> str:
    """Return the name of a story in the author's words, up to where a phrase ends.

    Empty where no phrase of it is short enough: a name is never cut inside a phrase.
    """
    said = bare(name)
    if len(said) <= LONGEST_NAME:
        return said
    words, most = said.split(), LONGEST_NAME
    told = _phrase(words, len(words), most) or _phrase(words, len(words), most, least=2)
    if told:
        return " ".join(told).rstrip(",;:")
    return said if len(said) <= LONGEST_WHOLE else ""


def _phrase(
    words: list[str], most: int, characters: int = _MOST_CHARACTERS, least: int = LEAST_WORDS
) -> list[str]:
    """Return the longest beginning that ends where a phrase does; empty where none does."""
    for count in range(min(most, len(words) - 1), least - 1, -1):
        told = words[:count]
        ends = words[count].casefold() in _JOINTS or told[-1].endswith((",", ";", ":"))
        if ends and not _is_loose(told[-1]) and len(" ".join(told)) <= characters:
            said = " ".join(told)
            if all(said.count(left) == said.count(right) for left, right in ("()", "[]", "{}")):
                return told if said.count("`") % 2 == 0 else []
    return []


def _is_loose(word: str) -> bool:
    return word.casefold() in _LOOSE or not _LETTER.search(word)
