"""The author's best sentence for a reader: what a change does for whom, not how; copied exactly.

It comes from what was added to a changelog, from the description, or from an error that the change
makes a user read, in this order. It is whole or not there, and is never cut.
"""

import re

from digest.models import Item, Kind, Sentence
from digest.reading.change import bare, is_release
from digest.reading.description import TITLE_READ
from digest.reading.folding import bare_title
from digest.reading.paths import RUNTIME, role
from digest.reading.quote import ENDS, is_telling, quote, split_sentences

LONGEST = 240
"""Characters of a sentence that a line of its own can hold."""
_CHANGELOG = re.compile(r"(?:^|/)(?:changelog|changes|history|news)[\w.-]*\.(?:md|rst)$", re.I)
_BULLET = re.compile(r"^\+\s{0,4}[-*+] (\S.*)$")
_HOLLOW = re.compile(
    r"^(?:this|the) (?:pr|pull request|change|commit|patch)(?: simply| just)? "
    r"(?:adds?|fix(?:es)?|implements?|introduces?|updates?|refactors?|moves?|removes?|is)\b.{0,40}$|"
    r"^(?:this|that|such) (?!pr\b|pull|change|commit|patch|kernel|model|feature|option|flag|fix).*|"
    r"^(?:as|per|see|same|test(?:s|ed)?|note|todo|follow|part)\b.{0,50}$",
    re.IGNORECASE,
)
_SCRAP = re.compile(
    r"\||\b[0-9a-f]{9,40}\b|^\W*\d[\d.,% x×]*\W|"
    r"\b(?:TPS|tok/s|ms)\b.{0,200}\b(?:TPS|tok/s|ms)\b.{0,100}\d"
)
"""What was left of a table, a hash, or a row of figures."""
_HOW = re.compile(
    r"\b(?:refactor\w*|rename\w*|helper|dataclass|unit tests?|this file|line \d+|"
    r"we (?:now )?(?:move|call|pass|add|use)|`[\w./]+\.py`)\b",
    re.IGNORECASE,
)
_FOR_WHOM = re.compile(
    r"\b(?:users?|when|if|without|now|no longer|so that|allows?|supports?|causes?d?|leads? to|"
    r"results? in|fails?|crash\w*|wrong|incorrect|hang\w*|faster|slower|instead of|because|"
    r"requires?|default\w*|previously|only|must|silently)\b|当|导致|支持|避免",
    re.IGNORECASE,
)
_ERROR = re.compile(
    r"^\+\s*(?:raise \w+(?:Error|Exception)\(|logger\.(?:warning|error)(?:_once)?\()\s*"
    r"\"([^\"{}\\%]{30,200}[.!])\"\s*\)?,?\s*$"
)
_DEMANDS = re.compile(
    r"\b(?:requires?|only|not supported|(?:does|do)(?:n't| not) support|instead|must)\b",
    re.IGNORECASE,
)
"""What makes an error worth reading before it is met: it says what is not possible, or how."""
MOST_LINES = 4_000
"""Lines of one patch that are read for a changelog or an error."""


def best_sentence(item: Item) -> Sentence | None:
    """Return the author's best sentence about a change, None where none stands alone.

    In: a change, issue or release with its description and, where known, its patches. Out: a
    sentence that is a piece of its source but for runs of white space.
    """
    if item.kind is Kind.RELEASE:
        return None
    title = bare(bare_title(item.title[:TITLE_READ]))
    return (
        None
        if item.kind is not Kind.ISSUE and is_release(item)
        else (_of_changelog(item, title) or _of_body(item, title) or _of_error(item))
    )


def _of_changelog(item: Item, title: str) -> Sentence | None:
    for file in item.files or ():
        if not _CHANGELOG.search(file.path) or not file.patch:
            continue
        bullets = [
            match.group(1).strip()
            for line in file.patch.split("\n")[:MOST_LINES]
            if (match := _BULLET.match(line))
        ]
        if len(bullets) > 3:
            continue  # a release's changelog, not this change's
        for text in bullets:
            if text[-1] in ".!。" and _is_good(text, title):
                return Sentence(text, "changelog", file.path)
    return None


def _of_body(item: Item, title: str) -> Sentence | None:
    sentences = split_sentences(quote(item))
    told = [one for one in sentences if one[-1] in ENDS and _is_good(one, title)]
    if not told:
        return None
    best = max(told, key=lambda one: bool(_FOR_WHOM.search(one)) - bool(_HOW.search(one)))
    return Sentence(best, "body")


def _of_error(item: Item) -> Sentence | None:
    for file in item.files or ():
        if role(file.path) not in RUNTIME or not file.patch:
            continue
        for line in file.patch.split("\n")[:MOST_LINES]:
            if (match := _ERROR.match(line)) and _DEMANDS.search(match.group(1)):
                return Sentence(match.group(1), "error", file.path)
    return None


def _is_good(text: str, title: str) -> bool:
    if len(text) > LONGEST or _HOLLOW.match(text) or _SCRAP.search(text):
        return False
    return is_telling(text, title)
