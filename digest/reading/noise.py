"""Items that may be told by count alone, and why."""

import re
from collections.abc import Iterable

from digest.grades import ChangeObject, Noise, Purpose
from digest.models import FileChange, Item, Kind
from digest.reading.change import BUMP, bare, declared
from digest.reading.description import TITLE_READ
from digest.reading.folding import bare_title
from digest.reading.patch import lines as lines_of
from digest.reading.paths import role

SYNC = re.compile(
    r"^merge (?:remote-tracking )?branch |^merge (?:upstream|main|master)\b|^sync (?:with|from) ",
    re.IGNORECASE,
)
STYLE = re.compile(
    r"^(?:style(?:\([^)]{0,40}\))?:|\[(?:style|format|lint|typo|nits?)\]|"
    r"(?:lint|typos?|nits?)\b|(?:auto[- ]?)?format(?:ting)?(?: code| files?| all)?\s{0,3}$|"
    r"sort imports?\b|run (?:pre-commit|linter|formatter)|"
    r"fix(?:es|ed)? (?:an? |some |the |more )?(?:(?:minor|small|tiny) )?"
    r"(?:lint|typos?(?! (?!in\b|on\b|of\b|at\b|across\b|and\b)[a-z]+ )|format(?:ting)?|"
    r"pre-?commit|spelling)\b|"
    r"apply (?:pre-commit|format))|typos? in (?:a )?comments?|^\[?pre-commit",
    re.IGNORECASE,
)
STYLE_LINES = 40
"""Changed lines up to which a title about style is believed."""

_HASH = re.compile(r"\s*(?:#|$)")
_SLASH = re.compile(r"\s*(?://|/\*|\*/|\*\s|\*$|$)")
_COMMENTS = {
    **dict.fromkeys(("py", "pyi", "sh", "yaml", "yml", "toml", "cmake", "txt", "cfg"), _HASH),
    **dict.fromkeys(("c", "cc", "cpp", "cu", "cuh", "h", "hpp", "inl", "rs", "js", "ts"), _SLASH),
}
"""What a line without code looks like, by the ends of names."""

_BY_OBJECT = {
    ChangeObject.DOCS: Noise.DOCS,
    ChangeObject.CI: Noise.CI,
    ChangeObject.TEST: Noise.TESTS,
}


def noise(item: Item, object_: ChangeObject) -> Noise | None:
    """Tell why a change is noise, or None where it is worth its own line.

    Issues and releases never are. A change that someone chose (a submodule moved by hand) is
    not noise either, only what a bot or a bot's words brought.
    """
    if item.kind not in (Kind.COMMIT, Kind.PULL_REQUEST):
        return None
    title = bare_title(item.title)[:TITLE_READ]
    if item.author_is_bot:
        return Noise.BOT
    if SYNC.match(title) or (item.kind is Kind.COMMIT and len(item.parents) > 1):
        return Noise.SYNC
    if BUMP.match(title) and object_ in (ChangeObject.DEPENDENCY, ChangeObject.BUILD):
        return Noise.DEPENDENCY
    if object_ in _BY_OBJECT:
        return _BY_OBJECT[object_]
    text = bare(title) if declared(title).purpose is Purpose.CHORE else title
    if (
        STYLE.search(title) or STYLE.search(text)
    ) and item.additions + item.deletions <= STYLE_LINES:
        return Noise.STYLE
    if item.files and _only_comments(item.files):
        return Noise.DOCS
    return None


def _only_comments(files: Iterable[FileChange]) -> bool:
    """Tell whether every changed line of every file is a comment, or documentation."""
    for file in files:
        comment = _COMMENTS.get(file.path.rpartition(".")[2])
        if role(file.path) is ChangeObject.DOCS:
            continue
        if comment is None or file.patch is None or file.status != "modified":
            return False
        changed = [line.text for line in lines_of(file.patch) if line.sign != " "]
        is_whole = len(changed) == file.additions + file.deletions
        if not is_whole or not all(map(comment.match, changed)):
            return False
    return True
