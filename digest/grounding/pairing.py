"""Whether a claim says the same in both languages."""

import re
from collections.abc import Iterator

from digest.grounding import figures, names, negation
from digest.grounding.atoms import AtomKind, Sentence

_EXACT = frozenset(
    {AtomKind.CODE, AtomKind.PATH, AtomKind.SHA, AtomKind.NUMBER, AtomKind.VERSION, AtomKind.NAME}
)
_OPPOSED = (
    ("enable", "disable"), ("faster", "slower"), ("reduce", "increase"), ("upgrade", "downgrade"),
    ("add", "remove"), ("merge", "revert"),
)  # fmt: skip
_AS_BEFORE = re.compile(r"\b(?:still|keep|remain|stay|continu|unchanged|as before|yet|until)")
_TOLD_IN_BOTH = frozenset(
    {
        "significantly",
        "all",
        "always",
        "never",
        "certainly",
        "default",
        "revert",
        "deprecate",
        "security",
    }
    | {"recommend", "experimental", "break", "faster", "slower", "critical", "best"}
)


def differences(
    en: Sentence, zh: Sentence, en_text: str, zh_text: str, strong: tuple[frozenset[str], ...]
) -> Iterator[str]:
    """Give what one language says and the other does not: names, numbers, strong words, a not.

    `strong` are the strong words by name, English first. A word that claims much may be left out
    in Chinese, never put in.
    """
    yield from sorted(_exact(en) ^ _exact(zh))
    yield from (f"{value} {unit}".strip() for value, unit in _values(en) ^ _values(zh))
    yield from sorted(names.named(en_text.lower()) ^ names.named(zh_text.lower()))
    english, chinese = strong
    yield from sorted((chinese - english) & _TOLD_IN_BOTH)
    for one, other in _OPPOSED:
        for mine, theirs in ((one, other), (other, one)):
            if mine in english - chinese and theirs in chinese - english:
                yield theirs
    if "as before" in chinese and not _AS_BEFORE.search(en.rest):
        yield "as before"
    if not negation.same_sign(en.rest, zh.rest):
        yield "not"


def _exact(sentence: Sentence) -> frozenset[str]:
    return frozenset(
        atom.text.lower().removesuffix("()") for atom in sentence.atoms if atom.kind in _EXACT
    )


def _values(sentence: Sentence) -> frozenset[tuple[str, str]]:
    return frozenset((str(value), unit) for value, unit in figures.values(sentence.rest))
