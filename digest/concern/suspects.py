"""The changes of a bisect range, the likeliest cause first: by symptom words, paths and weight."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from digest.concern.weighed_change import WeighedChange
from digest.models import Item

_IN_TITLE, _IN_PATHS, _IN_BODY = 2.0, 2.0, 1.0
_OF_A_NAME = 3.0
"""What a name in the symptom (`GLM-5`, `kv_cache`, `MI300`) is worth beside an ordinary word."""

_OF_CONCERN = 3.0
"""What a change that surely concerns the codebase is worth: as much as a rare word of a title."""

_SHORTEST = 2
"""Letters of what says nothing alone."""
_RUN = re.compile(r"[A-Za-z0-9]+")
_NAME = re.compile(r"(?=[\w.-]*(?:\d|_|[a-zA-Z][A-Z]))[\w.-]+")
_MODEL = re.compile(r"(?=[\w.-]*\d)[a-z]\w*(?:[-_.]\w+)*", re.IGNORECASE)
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
    changes of the span have it, and a name more than a word of any sentence.
    """
    spelled = _spelled(symptom)
    sought = frozenset(spelled)
    named = frozenset[str]().union(*(_words(name) for name in _NAME.findall(symptom)))
    where = [_where(item) for item in items]
    often = Counter(word for parts in where for word in frozenset().union(*parts.values()) & sought)
    rare = {
        word: math.log(1 + len(items) / often[word]) * (_OF_A_NAME if word in named else 1.0)
        for word in often
    }
    found = []
    for item, parts in zip(items, where, strict=True):
        score = sum(worth * rare[word] for worth, words in parts.items() for word in words & sought)
        weighed = changes.get(item.key)
        if weighed is not None and weighed.matches:
            score += _OF_CONCERN * (1.0 if weighed.breaks else 1 / (1 + math.exp(-weighed.weight)))
        shared = sorted(spelled[word] for word in frozenset().union(*parts.values()) & sought)
        found.append(Suspect(item, score, tuple(shared), weighed))
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


_SAY_NOTHING = frozenset(
    {"and", "are", "for", "from", "into", "not", "that", "the", "when", "with"}
)


def _words(text: str) -> frozenset[str]:
    return frozenset(_spelled(text))


def _spelled(text: str) -> dict[str, str]:
    """Return the words of a text by how they are compared, of names their parts, no short ones.

    A name with a number stands whole too: `GLM-5`, `glm_5` and `GLM5` are the same word. Parts
    that are too short to stand alone are one word: `LoRA` is `lora`, `FusedMoERunner` has `moe`.
    """
    found: dict[str, str] = {}
    for run in _RUN.findall(text):
        for is_short, parts in groupby(_CAMEL.split(run), lambda part: len(part) <= _SHORTEST):
            words = " ".join(parts)
            words = words.replace(" ", "") if is_short else words
            found |= {_stem(word.lower()): word for word in words.split() if len(word) > _SHORTEST}
    found |= {re.sub(r"[-_.]", "", name.lower()): name for name in _MODEL.findall(text)}
    return {word: found[word] for word in found if word not in _SAY_NOTHING}


def _stem(word: str) -> str:
    for end in ("ing", "ed", "es", "s"):
        if word.endswith(end) and len(word) - len(end) > 3 and not word.endswith("ss"):
            return word[: -len(end)]
    return word
