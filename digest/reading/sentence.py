"""The author's best sentence for a reader: what a change does for whom, not how; copied exactly.

It comes from what was added to a changelog, from the description, or from the docstring of what is
added, in this order. It is whole or not there, and is never cut. What was only moved was said
before and says nothing of the change. An error text is none: readers took it for the author's word.
"""

import re
from itertools import pairwise

from digest.models import Item, Kind, Sentence
from digest.reading.change import bare, is_release
from digest.reading.changelog import added_entries
from digest.reading.description import TITLE_READ
from digest.reading.folding import bare_title
from digest.reading.passages import passages
from digest.reading.paths import RUNTIME, role
from digest.reading.quote import ENDS, is_meaningful, split_sentences

LONGEST = 240
"""Characters of a sentence that a line of its own can hold."""
_HOLLOW = re.compile(
    r"^(?:this|the) (?:pr|pull request|change|commit|patch)(?: simply| just)? "
    r"(?:adds?|fix(?:es)?|implements?|introduces?|updates?|refactors?|moves?|removes?|is)\b.{0,40}$|"
    r"^(?:this|that|such) (?!pr\b|pull|change|commit|patch|kernel|model|feature|option|flag|fix).*|"
    r"^(?:please )?(?:refer to|see)\b.*|^merge with\b.*|"
    r"^(?:as|per|see|same|test(?:s|ed)?|note|todo|follow|part)\b.{0,50}$|"
    r"^(?:this|the) (?:kernel|feature|option|flag|fix|model|backend) (?:now )?supports? .{0,40}$|"
    r"^(?:fix(?:es)?|address(?:es)?|resolves?|closes?)(?: the)?(?: \w+){0,3} "
    r"(?:from|in|of|for|by) #\d+\W*$|"
    r"^(?:i|we) (?:just )?(?:add|chang|fix|mov|remov|updat)e?d (?:it|that|the|this)\b.{0,20}$|"
    r"^(?:draft|wip|initial progress)\b.*|^(?:in |pr |pull request )#\d+,?.*|"
    r".*\b(?:review (?:feedback|comments?)|code ?rabbit|gemini code assist|copilot|"
    r"not part of this (?:pr|change)|in a (?:follow-?up|separate|later|future) (?:pr|change)|"
    r"separate pr)\b.*|"
    r"^(?:all )?measure(?:d|ments?)\b.*|^(?:pipecleaned|verified|validated|benchmarked|reproduced|"
    r"ran|built|checked) (?:on|with|by|in|that|against|locally|end)\b.*|"
    r"^(?:touches|changes|updates) (?:docs|tests|comments)\b.*",
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
_DOCSTRING = re.compile(r"^\+\s+\"\"\"([A-Z][^\"]{30,200}\.)(?:\"\"\")?\s*$")
_USERS = re.compile(r"\buser[- ]facing change", re.IGNORECASE)
_YES = re.compile(r"yes\b[\s.,:;!–—-]*", re.IGNORECASE)
_LONG_WORD = re.compile(r"[a-z0-9]{5,}")
_DEFINED = re.compile(r"^\+class [A-Z]\w*[^#]*:\s*$")
"""A public class: what single functions do is how, not what for."""
MOST_LINES = 4_000
"""Lines of one patch that are read for a docstring."""


def best_sentence(item: Item, quoted: str, seen: str = "") -> Sentence | None:
    """Return the author's best sentence about a change, None where none stands alone.

    In: a change, issue or release with its description and, where known, its patches, what
    `quote` gives of its description, and words of the description that say what somebody has
    `seen`, empty where none do. Out: a sentence that is a piece of its source but for runs of
    white space.
    """
    if item.kind is Kind.RELEASE or (item.kind is not Kind.ISSUE and is_release(item)):
        return None
    title = bare(bare_title(item.title[:TITLE_READ]))
    return (
        _of_changelog(item, title)
        or _of_users(item, title)
        or _of_body(seen, title)
        or _of_body(quoted, title)
        or _of_docstring(item, title)
    )


def _of_changelog(item: Item, title: str) -> Sentence | None:
    for path, entry in added_entries(item):
        text = next(iter(split_sentences(entry)), "")
        if text[-1:] in (".", "!", "。") and _is_good(text, title):
            return Sentence(text, "changelog", path)
    return None


def _of_users(item: Item, title: str) -> Sentence | None:
    """What an author answers whom a template asks whether users will notice the change."""
    for passage in passages(item.body):
        if _USERS.search(passage.heading) and (yes := _YES.match(passage.text)):
            answer = " ".join(passage.text[yes.end() :].split())
            found = next((one for one in split_sentences(answer) if one[-1] in ENDS), "")
            if found and _is_good(found, title):
                return Sentence(found, "body")
    return None


def _of_body(quoted: str, title: str) -> Sentence | None:
    sentences = split_sentences(quoted)
    candidates = [one for one in sentences if one[-1] in ENDS and _is_good(one, title)]
    if not candidates:
        return None
    best = max(candidates, key=lambda one: bool(_FOR_WHOM.search(one)) - bool(_HOW.search(one)))
    return Sentence(best, "body")


def _of_docstring(item: Item, title: str) -> Sentence | None:
    gone = ""
    for file in item.files or ():
        if role(file.path) not in RUNTIME or not file.patch or not file.path.endswith(".py"):
            continue
        lines = file.patch.split("\n")[:MOST_LINES]
        for above, line in pairwise(lines):
            match = _DOCSTRING.match(line)
            if match is None or not _DEFINED.match(above):
                continue
            text = match.group(1)
            gone = gone or _removed(item)
            about = {word for word in _LONG_WORD.findall(title.lower()) if word in text.lower()}
            if about and _FOR_WHOM.search(text) and text not in gone and _is_good(text, title):
                return Sentence(text, "docstring", file.path)
    return None


def _removed(item: Item) -> str:
    """The lines that a change takes out: what stands among them was moved, not said anew."""
    patches = (file.patch.split("\n")[:MOST_LINES] for file in item.files or () if file.patch)
    return "\n".join(line for lines in patches for line in lines if line[:1] == "-")


def fits_a_line(text: str) -> bool:
    """Tell whether a sentence can stand on a line: short, and no scrap of a table."""
    return len(text) <= LONGEST and not _SCRAP.search(text)


def is_hollow(text: str) -> bool:
    """Tell whether a sentence of a change says nothing to a reader: how it was measured, say."""
    return _HOLLOW.match(text) is not None


def _is_good(text: str, title: str) -> bool:
    if not fits_a_line(text) or is_hollow(text):
        return False
    return is_meaningful(text, title)
