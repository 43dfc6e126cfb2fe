"""One spelling for what is written in many: the form in which texts are compared.

NFKC (https://unicode.org/reports/tr15/) folds full-width letters and digits; hyphens, quotation
marks and spaces have look-alikes that models use freely (U+2011 above all); case says nothing.
"""

import re
import unicodedata

_HYPHENS = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63"), "-")
_QUOTES = {
    **dict.fromkeys(map(ord, "\u2018\u2019\u201a\u201b\u2032\u02bc"), "'"),
    **dict.fromkeys(map(ord, "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\u300c\u300d"), '"'),
}
_ONE_SPELLING = {**_HYPHENS, **_QUOTES}
_STOPS = {ord(stop): f"{stop} " for stop in "，：；。（）！？、"}
"""Stops that stand for themselves and a space: NFKC would join the words around them."""

_MARKS = re.compile(r"`|(?<![A-Za-z0-9])\*|\*(?![A-Za-z0-9])")
"""Marks of Markdown; an asterisk between letters or digits multiplies (`2*3` is not 23)."""

_SPACES = re.compile(r"\s+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_JOINTS = re.compile(r"[_\-./:=()\[\]{},'\"<>@#+]+")


def folded(text: str) -> str:
    """Give NFKC with plain hyphens and quotes and single spaces; case and marks stay."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text.translate(_STOPS)).translate(_ONE_SPELLING)
    return _SPACES.sub(" ", text).strip()


def plain(text: str) -> str:
    """Give the folded text in lower case, without the marks of code and of emphasis."""
    return _SPACES.sub(" ", _MARKS.sub("", folded(text))).strip().lower()


def spread(text: str) -> str:
    """Give the words that names are made of, in lower case: `fusedMoE_path` is fused mo e path."""
    return _SPACES.sub(" ", _JOINTS.sub(" ", _CAMEL.sub(" ", folded(text)))).lower()


def stands(needle: str, text: str, *, part: bool = False) -> bool:
    """Tell whether a text holds a needle as a whole: not as a piece of a longer name or number.

    Letters, digits and `_` continue a name; with `part`, `_` parts names. Digits behind a point
    continue a number or version: `0.6` does not stand in `0.6.4`.
    """
    if not needle:
        return False
    start = text.find(needle)
    while start >= 0:
        end = start + len(needle)
        before, after = text[max(0, start - 2) : start], text[end : end + 2]
        if not _continues(before[::-1], needle[0], part) and not _continues(
            after, needle[-1], part
        ):
            return True
        start = text.find(needle, start + 1)
    return False


def _continues(beside: str, edge: str, part: bool) -> bool:
    if not beside or not _is_word(edge, part):
        return False
    if _is_word(beside[0], part):
        return True
    digits = edge.isdigit() and len(beside) == 2 and beside[1].isdigit()
    return digits and beside[0] in ".,"


def _is_word(character: str, part: bool) -> bool:
    return character.isascii() and (character.isalnum() or (character == "_" and not part))
