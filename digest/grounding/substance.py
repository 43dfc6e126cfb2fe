"""Whether a sentence is made of its source: most of its words have to come from there.

A third of the sentences that models write hold no name and no number. What vouches for those is
the quote, of which they have to say something, and the share of their words that the source has.
"""

import re
from collections.abc import Sequence

from digest.claims import ClaimKind
from digest.grounding import figures
from digest.grounding.source import Source
from digest.grounding.stems import stem, stems
from digest.grounding.subjects import licensed_words, subjects

LEAST = 0.3
"""Share of the words that mean something: an honest sentence in words of its own has as many."""

LEAST_OF_A_JUDGEMENT = 0.6
"""The same for what a model likes to make up: risks and advice are two to three times less
grounded than descriptions.
"""

_FEW = 3
_SPOKEN = tuple(
    (re.compile(sign), frozenset(stem(word) for word in words.split()))
    for sign, words in (
        (r"\[0\]", "first element entry item index"),
        (r"(?<![\w.])0(?:\.0f?)?(?![\w.])", "zero"),
        (r"[!=]=|\bis none\b|\bif\b|\band\b|\bor\b", "condition check tested compared equal"),
        (r"\bnot \w|!\w|\blen\(|\bany\(|\band \w", "empty missing"),
    )
)
"""What signs of code are called when somebody speaks of them."""

_JUDGEMENTS = frozenset(
    {
        ClaimKind.ACTION,
        ClaimKind.RISK,
        ClaimKind.SECURITY,
        ClaimKind.FOR_DEVELOPERS,
        ClaimKind.FOR_USERS,
        ClaimKind.FOR_MAINTAINERS,
        ClaimKind.MAINTAINABILITY,
    }
)
_WORD = re.compile(r"[a-z][a-z0-9]{2,}|[a-z]{2}(?=-)", re.ASCII)
_CJK = re.compile(r"[\u3400-\u9fff]")
_RUNS = re.compile(r"[\u3400-\u9fff]{2,}")
_EMPTY_WORDS = (
    "the and for with from that this these those its their there then than when where which "
    "while what who whose how why into onto over under after before during between within "
    "without about across along again also but not nor yet can could may might must shall "
    "should will would has have had was were are been being does did done now only just more "
    "most less least very too such same other another each every any all some both either "
    "neither one two three instead rather via per out off one's own non upon until because if "
    "so since as at by in is it of on or to an be do no up we you they them he she his her "
    "our your use uses used using make makes made making let lets get gets set sets case "
    "cases thing way ways so-called like unlike based related relevant existing current "
    "currently previously now new code path paths logic behaviour behavior implementation "
    "feature change changes changed changing add adds added adding remove removes removed "
    "removing fix fixes fixed fixing support supports supported supporting update updates "
    "updated improve improves improved handle handles handled allow allows allowed enable "
    "enables enabled disable disables disabled introduce introduces replace replaces replaced "
    "reduce reduces reduced increase increases increased avoid avoids prevent prevents ensure "
    "ensures provide provides include includes included contain contains bug issue problem "
    "author says reports reported report states asks asked proposes describes notes mentions "
    "take takes taken give gives given pass passes passed receive receives received return returns "
    "returned run runs create creates created creating depend depends call calls keep keeps fall "
    "falls back otherwise second value values next go goes raise raises raised previously "
    "according request pull patch here still already once thus therefore so that them called "
)
_EMPTY = frozenset(stem(word) for word in _EMPTY_WORDS.split())
_TERMS_ANYWHERE_WORDS = "api apis pr prs id ids llm llms gpu gpus cpu bug ok vs ci kv io os "
_TERMS_ANYWHERE = frozenset(_TERMS_ANYWHERE_WORDS.split())


MOSTLY = 0.75
"""Share from which one word in common with the quote is enough."""


def unfounded(rest: str, source: Source, kind: ClaimKind, *, named: bool = False) -> Sequence[str]:
    """Give the words of an English sentence that its source lacks, where they are too many.

    Words that only tell what is done with something (add, fix, use) do not count: they are
    looked at elsewhere. Nor do one or two words beside a name (`named`). A source in Chinese has
    few English words: it is asked for its subjects.
    """
    least = LEAST_OF_A_JUDGEMENT if kind in _JUDGEMENTS else LEAST
    if named and len(_content(rest)) < _FEW:
        return ()
    if is_chinese("\n".join((source.title, *source.paragraphs))):
        least = 0
    return _missing(rest, source) if share(rest, source) < least else ()


def share(rest: str, source: Source) -> float:
    """Give the share of the words that mean something which the source has, 1 where none does."""
    words = _content(rest)
    return 1 - len(_missing(rest, source)) / len(words) if words else 1.0


def _missing(rest: str, source: Source) -> list[str]:
    reworded = {
        stem(each) for said in licensed_words(rest, _everything(source)) for each in said.split("-")
    }
    reworded |= {word for sign, words in _SPOKEN if sign.search(source.changed) for word in words}
    return [word for word in _content(rest) if stem(word) not in source.stems | reworded]


def is_about(rest: str, quote: str, names: Sequence[str], *, checkable: bool) -> bool:
    """Tell whether a sentence says something of its quote, in words, names or subjects.

    One thing in common is enough where names or numbers vouch for the sentence too.
    """
    common = {stem(word) for word in _content(rest)} & stems(quote)
    common |= subjects(rest) & subjects(quote)
    common |= {name for name in names if name.lower() in quote}
    common |= _alike(rest, quote)
    common |= {f"{value} {unit}" for value, unit in figures.numbers(rest) & figures.numbers(quote)}
    needed = 1 if checkable else min(2, max(1, len(_content(rest))))
    return len(common) >= needed


def unknown_latin(rest: str, source: Source, english: str = "") -> str:
    """Give the first Latin word of a Chinese sentence that its source lacks, empty for none.

    `english` is the English sentence in lower case, if it was proven: its words are too.
    """
    proven = set(_WORD.findall(english))
    for found in _WORD.finditer(rest):
        word = found.group()
        if word in proven or word in _TERMS_ANYWHERE:
            continue
        if stem(word) not in source.stems:
            return word
    return ""


def is_known(word: str, source: Source) -> bool:
    """Tell whether a word is one: the source has it, or every text may."""
    return stem(word) in source.stems or stem(word) in _EMPTY or word in _TERMS_ANYWHERE


def is_chinese(text: str) -> bool:
    """Tell of a text in which Chinese characters say as much as Latin words."""
    return len(_CJK.findall(text)) > len(_WORD.findall(text))


def _content(rest: str) -> list[str]:
    return [word for word in _WORD.findall(rest) if stem(word) not in _EMPTY and len(word) > 2]


def _alike(rest: str, quote: str) -> set[str]:
    """Give the pairs of Chinese characters that both have."""
    return _pairs(rest) & _pairs(quote)


def _pairs(text: str) -> set[str]:
    return {run[at : at + 2] for run in _RUNS.findall(text) for at in range(len(run) - 1)}


def _everything(source: Source) -> str:
    return f"{source.words}\n{source.changed_words}"
