"""What broke in a window and was mended in it: fixes beside the change that they say broke it.

Only what a fix says in plain words counts (`regression from #12`, `broken by #12`): a number
beside a fix is mostly an issue, a predecessor or a neighbour.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from digest.grades import Purpose
from digest.models import Item, Kind, ReadItem
from digest.reading.description import TITLE_READ, written
from digest.reading.reverts import is_revert

_CHANGE = r"\(?(?:the )?(?:pr|pull request|commit)?[:\s]?\[?#(?P<number>\d{1,9})\b"
"""A reference as the last word of a phrase: `#12`, `PR #12`, `[#12](…)`."""
_FAULT = (
    r"(?:regress(?:ion|ions|ed)|bugs?|errors?|failures?|failing|breakages?|breaks?|crash(?:es)?|"
    r"incompatibility|mistakes?|issues?|problems?|hangs?|deadlocks?|leaks?)"
)
_MADE = r"(?:introduced|caused|brought|triggered|created)"
_BROKEN = r"(?:broken|regressed|dropped|lost)"
_IN_TITLE = tuple(
    re.compile(pattern + _CHANGE, re.IGNORECASE)
    for pattern in (
        rf"\b{_FAULT} (?:in|from|by|since|after|of|with) ",
        rf"\b(?:{_MADE}|{_BROKEN}) (?:in|by|from|since|after|with) ",
        r"\bdue to (?:[\w-]+ ){0,3}",
        r"\b(?:after|since) ",
        r"\b(?:bug-?|hot-?)?fix(?:es|ing)? (?:[\w-]+ ){1,5}(?:in|from) ",
    )
)
_WRAPPED = r"(?: |\r?\n)"
"""A space of a description, which may be the end of a line."""
_IN_TEXT = tuple(
    re.compile(pattern.replace(" ", _WRAPPED), re.IGNORECASE | re.MULTILINE)
    for pattern in (
        rf"\b(?:regress(?:ion|ions|ed)|bugs?|breakages?) (?:in|from|by|since|after) {_CHANGE}",
        rf"\b{_FAULT} (?:(?:that|which) )?(?:(?:was|were|is|are) )?{_MADE} (?:in|by|from|with) "
        rf"{_CHANGE}",
        rf"(?:\bfix(?:es|ing)|\bto fix|^fix) [^.;]{{3,80}}? {_MADE} (?:in|by|from|with) "
        rf"{_CHANGE}",
        rf"\b(?:broken|regressed) (?:in|by|from|since|after|with) {_CHANGE}",
        rf"(?<![\w/]){_CHANGE} (?:(?:accidentally|also|unintentionally|inadvertently) )?"
        rf"(?:broke|breaks|regressed|(?:introduced?|caused?)s? (?:an? )?(?:\w+ ){{0,2}}{_FAULT})\b",
    )
)
_ASIDE = re.compile(
    r"\b(?:not|no|never|nor|un(?:related|affected)|isn't|wasn't|without|fixed|like|same|similar|"
    r"cherry|back-?port\w*|port(?:ed|ing)?|may|might|likely|possibly|probably|perhaps|suspect\w*|"
    r"believe|think|seems?|appears?|guess|minor|"
    r"before|between|follow\w*|typos?|lint\w*|pre-?commit|format\w*|docs?|docstrings?|comments?|"
    r"spelling|upstream|us(?:e|es|ing)|reus\w+|via|through|adopt\w*|switch\w*|appl(?:y|ies|ying)|"
    r"based|extend\w*|report\w*|mention\w*|describ\w*|discuss\w*|found|not(?:ed|iced)|flagged|"
    r"raised|review\w*|nits?|to-?dos?|left-?overs?)\b",
    re.IGNORECASE,
)
"""Words of a clause that denies, guesses, tells of something else than a cause, or of what never
runs."""
_MENDED = re.compile(r"\b(?:was|were|been|already|is|got)(?: since)? fixed\b", re.IGNORECASE)
_CLAUSE_END = re.compile(r"[.;:!?](?=\s)|\n[ \t]*(?:\n|[-*] )")
_READ = 4_000
"""Characters of a description that say what was broken; what follows tells of tests."""
_CLAUSE = 160


@dataclass(frozen=True, slots=True)
class Regression:
    """What a fix mends: the change that brought it, and how long both were apart in seconds."""

    cause: Item
    seconds: int


def regressions(reads: Iterable[ReadItem]) -> dict[str, Regression]:
    """Give, by the key of each fix that names what it mends, the change that brought it.

    In: what was read of a window. The cause is one of its changes that landed before the fix and
    that the fix's title or description says broke something; whatever else is named is none.
    """
    known = list(reads)
    changes = {
        read.item.number: read.item
        for read in known
        if read.item.kind in (Kind.COMMIT, Kind.PULL_REQUEST) and read.item.number is not None
    }
    found: dict[str, Regression] = {}
    for read in known:
        fix = read.item
        if read.purpose is not Purpose.FIX or is_revert(fix):
            continue
        for number in _blamed(fix):
            cause = changes.get(number)
            if cause is not None and cause.key != fix.key and cause.at < fix.at:
                seconds = int((fix.at - cause.at).total_seconds())
                found[fix.key] = Regression(cause, seconds)
                break
    return found


def _blamed(fix: Item) -> Iterator[int]:
    """Yield the numbers of changes that a fix says broke something, the title's first."""
    texts = ((fix.title[:TITLE_READ], _IN_TITLE), (written(fix.body)[:_READ], _IN_TEXT))
    for text, patterns in texts:
        for pattern in patterns:
            for match in pattern.finditer(text):
                if not _ASIDE.search(_clause(text, match)):
                    yield int(match["number"])


def _clause(text: str, match: re.Match[str]) -> str:
    """Return what a clause says up to the end of a match, and of the rest who mended it before."""
    begun = text[max(0, match.start() - _CLAUSE) : match.start()]
    left = text[match.end() : match.end() + _CLAUSE]
    mended = _MENDED.search(_CLAUSE_END.split(left)[0])
    return _CLAUSE_END.split(begun)[-1] + match.group() + (mended.group() if mended else "")
