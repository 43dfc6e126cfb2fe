"""Whether a file does anything else after a change: comments and white space do nothing."""

import re
from dataclasses import dataclass

from digest.models import FileChange
from digest.reading.patch import hunks

_STRINGS = r"(\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*')"


@dataclass(frozen=True, slots=True)
class _Written:
    """How a language is written.

    `wordless` matches a line without code, `aside` what of a line does nothing, after the strings
    of its first group; `indented` where the depth of a line says something.
    """

    wordless: re.Pattern[str]
    aside: re.Pattern[str]
    indented: bool

    def code(self, line: str) -> str:
        """Return what of a line does something, "" where nothing does."""
        if self.wordless.match(line):
            return ""
        depth = line[: len(line) - len(line.lstrip())] if self.indented else ""
        return depth + self.aside.sub(lambda found: found[1] or "", line)


_HASH = _Written(
    re.compile(r"\s*(?:#|$)"), re.compile(rf"{_STRINGS}|(?<!\S)#.*$|\s+"), indented=True
)
_SLASH = _Written(
    re.compile(r"\s*(?://|/\*|\*/|\*\s|\*$|$)"),
    re.compile(rf"{_STRINGS}|//.*$|/\*.*?\*/|\s+"),
    indented=False,
)
_BY_ENDING = {
    **dict.fromkeys(("py", "pyi", "sh", "yaml", "yml", "toml", "cmake", "txt", "cfg"), _HASH),
    **dict.fromkeys(("c", "cc", "cpp", "cu", "cuh", "h", "hpp", "inl", "rs", "js", "ts"), _SLASH),
}
MOST_LINES = 4_000
"""Changed lines of a file above which its patch is not read for what does nothing."""


def is_without_effect(file: FileChange) -> bool:
    """Tell whether all that a change does to a file is comments and white space."""
    return _is_same(file, wordless_alone=False)


def is_of_comments(file: FileChange) -> bool:
    """Tell whether every line that a change touches is a comment or blank."""
    return _is_same(file, wordless_alone=True)


def _is_same(file: FileChange, *, wordless_alone: bool) -> bool:
    """Tell whether the same code stands in the same order in all hunks, before and after."""
    written = _BY_ENDING.get(file.path.rpartition(".")[2])
    count = file.additions + file.deletions
    if written is None or file.patch is None or file.status != "modified" or count > MOST_LINES:
        return False
    seen = 0
    for hunk in hunks(file.patch):
        before: list[str] = []
        after: list[str] = []
        for line in hunk.lines:
            seen += line.sign != " "
            code = written.code(line.text)
            if code and line.sign != " " and wordless_alone:
                return False
            if code and line.sign != "+":
                before.append(code)
            if code and line.sign != "-":
                after.append(code)
        if before != after:
            return False
    return seen == count
