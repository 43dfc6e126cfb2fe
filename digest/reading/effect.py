"""Whether a file does anything else after a change: comments and white space do nothing.

Where a patch alone does not tell, as in a text of several lines, the file does something else.
"""

import re
from dataclasses import dataclass, field

from digest.models import FileChange
from digest.reading.patch import hunks

_TOKENS = (
    r"\"(?:\\.|[^\"\\])*+\"|'(?:\\.|[^'\\])*+'|(?P<unclosed>[\"'])|(?P<white>\s+)|\w+|\\.?"
    r"|(?P<sign>[-+*/<>=&|:.!~?])(?P=sign)*+|."
)
_TRIPLE = r"\"\"\"|'''"


@dataclass(frozen=True, slots=True)
class _Written:
    """How a language is written.

    `token` matches what stands next on a line, `doubtful` what begins a text that a line cannot be
    told from; `spaced` where white space parts words, `indented` where a line's depth says
    something.
    """

    token: re.Pattern[str]
    doubtful: re.Pattern[str]
    spaced: bool = False
    indented: bool = False


_HASH = re.compile(rf"(?P<comment>(?<!\S)#++(?:\s.*)?$)|{_TOKENS}")
_SLASH = re.compile(rf"(?P<comment>//.*(?<!\\)$)|(?P<opens>/\*)|{_TOKENS}")
_PYTHON = _Written(_HASH, re.compile(_TRIPLE), indented=True)
_SHELL = _Written(_HASH, re.compile(rf"{_TRIPLE}|<<"), spaced=True, indented=True)
_C = _Written(_SLASH, re.compile(r"\b(?:u8|[uUL])?R\"|\b[bc]?r#*+\""))
_BY_ENDING = {
    **dict.fromkeys(("py", "pyi"), _PYTHON),
    **dict.fromkeys(("sh", "yaml", "yml", "toml", "cmake", "txt", "cfg"), _SHELL),
    **dict.fromkeys(("c", "cc", "cpp", "cu", "cuh", "h", "hpp", "inl", "rs"), _C),
}
"""Without JavaScript, whose patterns and templates no line tells from comments and code."""
MOST_LINES = 4_000
"""Changed lines of a file above which its patch is not read for what does nothing."""
LONGEST_LINE = 1_000
"""Characters of a line above which it is data, and not read."""


@dataclass(slots=True)
class _Side:
    """What does something of a hunk's lines before or after, and whether a comment is open."""

    written: _Written
    code: list[str] = field(default_factory=list)
    is_inside: bool = False

    def read(self, line: str) -> str | None:
        """Add what of the next line does something: "" is nothing, None what cannot be told."""
        if len(line) > LONGEST_LINE or self.written.doubtful.search(line):
            return None
        text = line.lstrip()
        is_spaced = self.written.spaced or text.startswith("#")
        tokens: list[str] = []
        at = len(line) - len(text)
        depth = line[:at] if self.written.indented else ""
        while at < len(line):
            if self.is_inside:
                end = line.find("*/", at)
                self.is_inside = end < 0
                at = len(line) if self.is_inside else end + 2
                continue
            found = self.written.token.match(line, at)
            assert found is not None  # any character is a token
            kind, at = found.lastgroup, found.end()
            if kind == "unclosed":
                return None
            if kind == "opens":
                self.is_inside = True
            elif kind != "comment" and (kind != "white" or is_spaced):
                tokens.append(" " if kind == "white" else found[0])
        while tokens and tokens[-1] == " ":
            tokens.pop()
        if not tokens:
            return ""
        self.code.append(depth + "\0".join(tokens))
        return self.code[-1]


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
        before, after = _Side(written), _Side(written)
        for line in hunk.lines:
            seen += line.sign != " "
            for sign, side in (("-", before), ("+", after)):
                if line.sign not in (sign, " "):
                    continue
                code = side.read(line.text)
                if code is None or (code and line.sign != " " and wordless_alone):
                    return False
        if before.code != after.code:
            return False
    return seen == count
