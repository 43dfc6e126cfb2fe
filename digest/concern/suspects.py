"""The changes of a bisect range, the likeliest cause first: by symptom words, paths and weight."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from digest.concern.weighed_change import WeighedChange
from digest.models import Item

_IN_TITLE, _IN_PATHS, _IN_BODY = 2.0, 2.0, 1.0
_OF_CONCERN = 3.0
"""What a change that surely concerns the codebase is worth: as much as a rare word of a title."""

_WORD = re.compile(r"[a-z0-9]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


@dataclass(frozen=True, slots=True)
class Suspect:
    """A change with its score, the words that it shares with the symptom, and what it touches."""

    item: Item
    score: float
    words: tuple[str, ...]
    weighed: WeighedChange | None = None


def suspects(
    items: Sequence[Item], symptom: str, changes: Mapping[str, WeighedChange]
) -> tuple[Suspect, ...]:
    """Rank the changes of a span, oldest first; of equal score the newest comes first.

    In: the symptom as a person writes it (words, names, paths, an error's text), and what is known
    of the changes by their keys, empty without a surface. A word counts the more, the fewer
    changes of the span have it.
    """
    asked = _words(symptom)
    where = [_where(item) for item in items]
    often = Counter(word for parts in where for word in frozenset().union(*parts.values()) & asked)
    rare = {word: math.log(1 + len(items) / often[word]) for word in often}
    found = []
    for item, parts in zip(items, where, strict=True):
        score = sum(worth * rare[word] for worth, words in parts.items() for word in words & asked)
        weighed = changes.get(item.key)
        if weighed is not None and weighed.matches:
            score += _OF_CONCERN * (1.0 if weighed.breaks else 1 / (1 + math.exp(-weighed.weight)))
        shared = tuple(sorted(frozenset().union(*parts.values()) & asked))
        found.append(Suspect(item, score, shared, weighed))
    return tuple(sorted(reversed(found), key=lambda one: -one.score))


def _where(item: Item) -> dict[float, frozenset[str]]:
    """Return the words of a change by what they are worth; one place has each word."""
    title, body = _words(item.title), _words(item.body)
    paths = _words(" ".join(file.path for file in item.files or ()))
    return {
        _IN_TITLE + _IN_PATHS: title & paths,
        _IN_TITLE: title ^ (title & paths) | paths ^ (title & paths),
        _IN_BODY: body - title - paths,
    }


def _words(text: str) -> frozenset[str]:
    """Return the words of a text in lower case, of names their parts, without the shortest."""
    parts = _WORD.findall(_CAMEL.sub(" ", text).lower().replace("_", " "))
    return frozenset(_stem(part) for part in parts if len(part) > 2)


def _stem(word: str) -> str:
    for end in ("ing", "ed", "es", "s"):
        if word.endswith(end) and len(word) - len(end) > 3:
            return word[: -len(end)]
    return word
