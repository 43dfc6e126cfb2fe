"""What an author writes beside the code of a change: comments and docstrings.

Only what is new is read, sentence by sentence: what stood there before, or stands elsewhere now,
tells nothing of the change.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from digest.grades import ChangeObject
from digest.models import FileChange
from digest.reading.patch import DiffHunk, Line, parse_hunk, raw_hunks
from digest.reading.paths import role
from digest.reading.sentence import split_sentences

LONGEST_LINE = 400
"""Characters of a line above which it is data, and not read."""
MOST_CHARS = 200_000
"""Characters of one patch that are read."""
_LIKE_C = re.compile(r"\.(?:cuh?|hip|h|hpp|cc|cpp|c|inl|rs|jinja)$")
_HASH = re.compile(r"#+(?!!)\s*(.*)$")
_SLASH = re.compile(r"(?://+!?|/\*+|\*(?![/\w(*]))\s*(.*?)\s*(?:\*/)?$")
_QUOTES = '"""'
_OPENS = re.compile(rf"[rR]?{_QUOTES}")
_UNQUOTED = re.compile(rf"^[rR]?{_QUOTES}|{_QUOTES}$")
_ASSIGNED = re.compile(rf"[=(\[,] ?[rRfFbB]{{0,2}}{_QUOTES}\\?")
_SAME = 50
"""Characters at one end of a sentence by which it is known again elsewhere."""


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence that is new beside code, with the file and the line on which it begins."""

    text: str
    file: FileChange
    line: int | None
    is_test: bool


@dataclass(slots=True)
class _Block:
    """The lines of one comment as far as they are read; `new` tells which the change brought."""

    texts: list[str] = field(default_factory=list)
    new: list[bool] = field(default_factory=list)
    line: int | None = None

    def add(self, text: str, line: Line) -> None:
        text = " ".join(text.split())
        if text:
            self.texts.append(text)
            self.new.append(line.sign == "+")
            self.line = self.line or line.new

    def sentences(self) -> Iterator[str]:
        """Yield the sentences most of whose letters are new."""
        whole = " ".join(self.texts) if any(self.new) else ""
        marks = "".join(
            ("+" if new else " ") * (len(text) + 1)
            for text, new in zip(self.texts, self.new, strict=True)
        )
        at = 0
        for sentence in split_sentences(whole):
            at = whole.find(sentence, at)
            if 2 * marks.count("+", at, at + len(sentence)) > len(sentence):
                yield sentence
            at += len(sentence)


def notes(files: Iterable[FileChange], worth: re.Pattern[str]) -> Iterator[Note]:
    """Yield the new sentences of the files, in their order.

    In: files with their patches, and what a hunk has to hold to be read at all.
    """
    files = [file for file in files if file.patch]
    gone: str | None = None
    for file in files:
        is_test = role(file.path) is ChangeObject.TEST
        for raw in raw_hunks(file.patch, max_chars=MOST_CHARS):
            if not worth.search(raw) or (hunk := parse_hunk(raw)) is None:
                continue
            for block in _blocks(hunk, file.path):
                for sentence in block.sentences():
                    if gone is None:
                        gone = _gone(files)
                    if sentence[:_SAME] not in gone and sentence[-_SAME:] not in gone:
                        yield Note(sentence, file, block.line, is_test)


def _gone(files: Iterable[FileChange]) -> str:
    """Return the words of all comments that the files lost, as one text."""
    lines = (
        line[1:].strip().lstrip("#/*! ")
        for file in files
        for line in (file.patch or "")[:MOST_CHARS].split("\n")
        if line[:1] == "-"
    )
    return " ".join(" ".join(line.split()) for line in lines if line)


def _blocks(hunk: DiffHunk, path: str) -> Iterator[_Block]:
    """Yield the comments and docstrings of a hunk as it stands after the change."""
    is_python = path.endswith((".py", ".pyi"))
    mark = _SLASH if _LIKE_C.search(path) else _HASH
    block = _Block()
    # A docstring that began above the hunk is read as code: no line tells where one is.
    is_doc = is_text = False
    may_open = hunk.new_start <= 1
    for line in hunk.lines:
        text = line.text.strip()
        if line.sign == "-" or len(line.text) > LONGEST_LINE:
            continue
        quotes = text.count(_QUOTES) if is_python else 0
        found = None if is_doc or is_text else mark.match(text)
        if is_doc or (not is_text and _OPENS.match(text) and (may_open or text != _QUOTES)):
            block.add(_UNQUOTED.sub("", text), line)
            is_doc ^= quotes == 1
            ends = not text or (quotes > 0 and not is_doc)
        elif found and found[1]:
            block.add(found[1], line)
            ends = False
        else:
            ends = True
            is_text ^= quotes == 1 and (is_text or _ASSIGNED.search(text) is not None)
        may_open = text.endswith(":")
        if ends:
            yield block
            block = _Block()
    yield block
