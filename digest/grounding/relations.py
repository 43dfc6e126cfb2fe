"""What a sentence says that one thing has to do with another: if, because, before, only, both.

A source holds the words of a wrong relation as well as those of the right one: the other branch,
the other order, effect for cause. Code shows relations only to who runs it. So a relation is told
only where prose of the author (title, description, comment, text of a message) states one of its
kind of the same things, and not the other way round.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from digest.grounding.plain import folded
from digest.grounding.source import Diff, Source
from digest.grounding.stems import stem


@dataclass(frozen=True, slots=True)
class Relation:
    """One kind of relation, and how it is said.

    `onward` leads from the first thing to the second (effect because cause, earlier before later),
    `back` from the second to the first. `loosely` are words by which a source may mean it.
    """

    name: str
    onward: re.Pattern[str]
    back: re.Pattern[str]
    loosely: re.Pattern[str]
    chinese: re.Pattern[str]

    def said(self, text: str) -> Iterator[re.Match[str]]:
        """Give where a text in lower case says it."""
        yield from self.onward.finditer(text)
        yield from self.back.finditer(text)

    def is_stated(self, text: str) -> bool:
        """Tell whether a text may mean it."""
        patterns = (self.onward, self.back, self.loosely, self.chinese)
        return any(pattern.search(text) for pattern in patterns)


def _relation(name: str, onward: str, back: str, loosely: str, chinese: str) -> Relation:
    return Relation(
        name,
        re.compile(rf"\b(?:{onward})\b"),
        re.compile(rf"\b(?:{back})\b" if back else r"(?!)"),
        re.compile(rf"\b(?:{loosely})\b"),
        re.compile(chinese),
    )


ONLY = _relation(
    "only", "only|solely|exclusively|alone", "",
    "just|sole|exclusive|except|unless|limit(?:ed|s)?|others?",
    "仅|只(?!是|读|写)|唯一",
)  # fmt: skip
CONDITION = _relation(
    "condition", "if|when|whenever|as long as|in case|provided that|depend(?:s|ing)? on|while", "",
    "where|with|without|for|under|once|until|whose|after|during|on|empty|can",
    "如果|若|当(?!前)|只要|取决于|时(?=[，,])",
)  # fmt: skip
CAUSE = _relation(
    "cause", "because|due to|owing to",
    "so(?! far)|so that|therefore|thus|hence|thereby|as a result|caus(?:es|ed|ing)|"
    "lead(?:s|ing)? to|led to|result(?:s|ed|ing)? in|in order to|why",
    "since|as|which|reason|otherwise|made?|makes|cause|would|could|may|now",
    "因为|由于|因此|所以|导致",
)  # fmt: skip
RELATIONS = (
    CONDITION,
    _relation(
        "exception", "unless|otherwise|except|but|although|though|however|besides|apart from|"
        "other than|even", "",
        "not|no|still|without|yet|unlike|others?|while|else|could|may|stops?|only",
        "除非|否则|除了|除外|但|虽然|尽管|即使",
    ),
    _relation(
        "order", r"before(?= \w)|prior to|until|ahead of|(?<=and )then|(?<=, )then",
        r"after|once(?= \w)|following|as soon as|afterwards",
        "first|later|next|finally|when|wait(?:s|ed|ing)?|end|previously",
        "之前|以前|(?<!提|当|目)前(?=[，,先])|直到|之后|以后|然后|随后|后(?=[，,再才])",
    ),
    CAUSE,
    ONLY,
    _relation(
        "both", "both|either|neither|each other|one another", "",
        "and|two|mutual(?:ly)?|nor", "两者|两个都|互相|彼此",
    ),
    _relation(
        "comparison", "than", "",
        r"over|above|below|under|at (?:most|least)|up to|exceed\w*|within|\w+er|more|less|fewer|"
        r"instead|rather|from|\d+x", "比|不如|(?<!不)(?:超过|多于|少于|大于|小于|高于|低于)",
    ),
    _relation(
        "likeness", r"same|like|unlike|as \w+ as|equals?|identical|match(?:es|ing)?", "",
        r"equal\w*|identical\w*|match\w*|mirror\w*|share\w*|consisten\w*|differ\w*|"
        "unchanged|such as",
        "相同|一样|一致|等于|不同于",
    ),
)  # fmt: skip

_TOKEN = re.compile(r"[a-z0-9_][a-z0-9_.\-]*[a-z0-9_]|[a-z0-9_]", re.ASCII)
_MARKS = re.compile(r"[`*]")
_CLAUSE = re.compile(r"[,;:.](?=\s|$)")
_MARKER = re.compile("|".join(f"{r.onward.pattern}|{r.back.pattern}" for r in RELATIONS))
_SMALL_WORDS = (
    "the a an and or of to in on at by for with from as is are was were be been being it its this "
    "that these those which who also now not no has have had does do did can could may might will "
    "would they their them than so such then if when there still again longer instead author only"
)
_SMALL = frozenset(_SMALL_WORDS.split())
_LEAST = 0.5
"""Share of the words behind a marker, and of those before it, that have to be there."""

_BESIDE = 3
"""Words on either side of an "only" that it may be said of."""


def unstated(text: str, source: Source, near: Diff | None) -> Iterator[str]:
    """Give the relations of an English sentence that no prose of its source states.

    Comments count in the hunk that is quoted (`near`), or in any where prose is. A source in
    Chinese has other words for its things: of it only the relation itself is asked.
    """
    lowered = _MARKS.sub("", folded(text).lower())
    passages = list(_passages(source, near))
    for relation in RELATIONS:
        for found in relation.said(lowered):
            if source.is_chinese and any(relation.is_stated(each) for each, _ in passages):
                continue
            if not any(_states(relation, found, lowered, *each) for each in passages):
                yield found.group()
                break


def added_in_chinese(zh: str, en: str) -> Iterator[str]:
    """Give the relations that a Chinese sentence says and its English one does not."""
    for relation in RELATIONS:
        found = relation.chinese.search(zh)
        if found and not relation.is_stated(en.lower()):
            yield found.group()


def _passages(source: Source, near: Diff | None) -> Iterator[tuple[str, str]]:
    """Give each sentence of the author's prose, and it with what stands beside it."""
    diffs = [near] if near else source.diffs
    remarks = [line for diff in diffs for line in diff.remarks.split("\n") if line]
    wrapped = [" ".join(remarks[place : place + 3]) for place in range(len(remarks))]
    for lines in (source.sentences, wrapped):
        plain = [_MARKS.sub("", line) for line in lines]
        for place, line in enumerate(plain):
            yield line, " ".join((source.title, *plain[max(0, place - 1) : place + 2]))


def _states(
    relation: Relation, found: re.Match[str], text: str, sentence: str, around: str
) -> bool:
    """Tell whether a sentence states such a relation of the same things, that way round."""
    if not relation.is_stated(sentence):
        return False
    behind, before = _arms(text, found)
    here = _tokens(sentence)
    if _share(behind, here) < _LEAST or _share(before, _tokens(around)) < _LEAST:
        return False
    places = list(relation.said(sentence))
    if relation is ONLY:
        mine = _beside(text, found)
        return not places or any(mine & _beside(sentence, each) for each in places)
    if not places and relation is not CAUSE and before and not before & here:
        return False
    if not places and relation is CONDITION:
        loose = relation.loosely.finditer(sentence)
        return any(behind & _arms(sentence, each)[0] for each in loose)
    return not places or any(_goes(relation, found, text, each, sentence) for each in places)


def _goes(
    relation: Relation, mine: re.Match[str], text: str, theirs: re.Match[str], sentence: str
) -> bool:
    """Tell whether two sentences do not have the two sides of a relation the other way round."""
    first, second = _sides(relation, mine, text)
    there_first, there_second = _sides(relation, theirs, sentence)
    one, other = first - second, second - first
    here, there = there_first - there_second, there_second - there_first
    if not here or not there:
        return True
    right = len(one & here) + len(other & there)
    wrong = len(one & there) + len(other & here)
    return right >= wrong


def _sides(relation: Relation, found: re.Match[str], text: str) -> tuple[set[str], set[str]]:
    behind, before = _arms(text, found)
    return (before, behind) if relation.onward.match(text, found.start()) else (behind, before)


def _arms(text: str, found: re.Match[str]) -> tuple[set[str], set[str]]:
    """Give the words of the clause behind a marker, and of what is said of it."""
    clauses = _CLAUSE.split(text[found.end() :], maxsplit=1)
    inside = _MARKER.split(clauses[0], maxsplit=1)[0]
    begun = text[: found.start()]
    return _tokens(inside), _tokens(begun if begun.strip() else " ".join(clauses[1:]))


def _beside(text: str, found: re.Match[str]) -> set[str]:
    """Give the words that an "only" may be said of: the next ones, or the last where it ends."""
    behind = _in_order(_CLAUSE.split(text[found.end() :], maxsplit=1)[0])
    return set(behind[:_BESIDE] or _in_order(text[: found.start()])[-_BESIDE:])


def _share(words: set[str], there: set[str]) -> float:
    return len(words & there) / len(words) if words else 1.0


def _tokens(text: str) -> set[str]:
    return set(_in_order(text))


def _in_order(text: str) -> list[str]:
    return [
        stem(word) if word.isalpha() else word
        for word in _TOKEN.findall(text)
        if word not in _SMALL
    ]
