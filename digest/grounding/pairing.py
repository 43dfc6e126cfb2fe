"""Whether a claim says the same in both languages."""

import re
from collections.abc import Iterator

from digest.grounding import direction, figures, names, negation, sides
from digest.grounding.atoms import AtomKind, Sentence

_EXACT = frozenset(
    {AtomKind.CODE, AtomKind.PATH, AtomKind.SHA, AtomKind.NUMBER, AtomKind.VERSION, AtomKind.NAME}
)
_OPPOSED = (
    ("enable", "disable"), ("faster", "slower"), ("reduce", "increase"), ("upgrade", "downgrade"),
    ("add", "remove"), ("merge", "revert"),
)  # fmt: skip
_DRAFT_OR_TARGET = (re.compile(r"\bdraft\b|草稿"), re.compile(r"\btarget\b|目标(?=模型)"))
_PLAIN_NOT = re.compile(r"\b(?:not(?! only)|without|never|cannot)\b|n't\b")
_PLAIN_NOT_ZH = re.compile(
    "[不未没无非勿禁拒省否]|去[掉除]|移除|取消|(?<!避)免|失败|从来|除外|避免(?=[^，。]*$)"
)
_OUTRIGHT_ZH = re.compile(
    "不在|不遵循|未(?!来|知)|没有|不(?:支持|使用|包含|返回|启用|兼容|接受|允许|安装|绑定|需要|影响)"
)
_NEGATED = re.compile(
    r"\b(?:not|no|nothing|unset|never|without|cannot|neither|nor|unless|except|instead|rather|longer|less|lack\w*|"
    r"un[a-z]{4,}|non\w*|in(?:compat|valid|correct|consist)\w*|mis\w+|missing|absent|otherwise|avoid\w*|"
    r"prevent\w*|fail\w*|stop\w*|disab\w+|remov\w+|drop\w*|wrong\w*|skip\w*|exclud\w*|reject\w*|"
    r"independent\w*|outside|beyond|before|bypass\w*|default|pending|still|yet|only|empty|zero)\b|n't\b"
)
_JOINED = re.compile(r"[a-z]+-[A-Z]{2,}s?")
"""A word before a short form: one language may say it in its own words (multi-CTA, 多 CTA)."""

_AS_BEFORE = re.compile(r"\b(?:still|keep|remain|stay|continu|unchanged|as before|yet|until|while)")
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
    yield from _opposites(en_text.lower(), zh_text.lower())
    if _PLAIN_NOT.search(en.rest) and not _PLAIN_NOT_ZH.search(zh_text):
        yield "not"
    if _OUTRIGHT_ZH.search(zh.rest) and not _NEGATED.search(en_text.lower()):
        yield "not"
    if sides.sides_differ(en_text, zh_text):
        yield "turned round"


def _opposites(en: str, zh: str) -> Iterator[str]:
    for first, second in (*direction.OPPOSITES, _DRAFT_OR_TARGET):
        for mine, theirs in ((first, second), (second, first)):
            if _says_alone(mine, theirs, en) and _says_alone(theirs, mine, zh):
                yield "the opposite"


def _says_alone(mine: re.Pattern[str], theirs: re.Pattern[str], text: str) -> bool:
    return bool(mine.search(text)) and not theirs.search(text)


def _exact(sentence: Sentence) -> frozenset[str]:
    return frozenset(
        atom.text.lower().removesuffix("()").removeprefix("non-")
        for atom in sentence.atoms
        if atom.kind in _EXACT and not _JOINED.fullmatch(atom.text)
    )


def _values(sentence: Sentence) -> frozenset[tuple[str, str]]:
    return frozenset((str(value), unit) for value, unit in figures.values(sentence.rest))
