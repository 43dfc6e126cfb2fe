"""The text of a patch as hunks and numbered lines.

The format is git's unified diff (https://git-scm.com/docs/diff-format), also as GitHub's API
cuts it: from the first `@@` on, without file headers. Counts in the hunk header are not needed
and not trusted. Anything that is no hunk yields nothing; nothing here raises.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

MAX_CHARS = 4_000_000
"""How much of one file's patch is read: past it a patch is data or generated code."""

MOST_READ = 200_000
"""Characters of one patch that are searched for a word or a line."""

_HEADER = re.compile(r"@@ -(\d{1,9})(?:,\d{1,9})? \+(\d{1,9})(?:,\d{1,9})? @@ ?(.*)")


class Line(NamedTuple):
    """One line of a hunk; a tuple because a busy day has tens of thousands.

    `sign` is ` `, `+` or `-`; `text` has neither sign nor line end; `old` and `new` are 1-based
    line numbers, None on the side where the line does not stand.
    """

    sign: str
    text: str
    old: int | None
    new: int | None


@dataclass(frozen=True, slots=True)
class DiffHunk:
    """One hunk: the section text after the second `@@`, where it starts, its lines."""

    section: str
    old_start: int
    new_start: int
    lines: tuple[Line, ...]


def hunks(patch: str | None, *, max_chars: int = MAX_CHARS) -> Iterator[DiffHunk]:
    """Read the hunks of one file's patch lazily, whole ones only, up to `max_chars` characters.

    In: a patch of git or GitHub's API, with `\\n` or `\\r\\n`, or None. Out: hunks in order; a
    hunk that begins within the bound is given whole unless it alone passes the bound.
    """
    for raw in raw_hunks(patch, max_chars=max_chars):
        if (hunk := parse_hunk(raw)) is not None:
            yield hunk


def lines(patch: str | None, *, max_chars: int = MAX_CHARS) -> Iterator[Line]:
    """Read all lines of all hunks of a patch, in order."""
    for hunk in hunks(patch, max_chars=max_chars):
        yield from hunk.lines


def raw_hunks(patch: str | None, *, max_chars: int = MAX_CHARS) -> Iterator[str]:
    """Cut a patch into the texts of its hunks, each from its `@@`, without reading lines.

    Cheap enough to look for a word before `parse_hunk` is worth its time.
    """
    if not patch:
        return
    start = 0 if patch.startswith("@@ ") else _after(patch, "\n@@ ", 0, max_chars)
    while 0 <= start < max_chars:
        end = _after(patch, "\n@@ ", start, max_chars)
        if end < 0:
            if len(patch) <= max_chars:
                yield patch[start:]
            return
        yield patch[start : end - 1]
        start = end


def parse_hunk(raw: str) -> DiffHunk | None:
    """Read one hunk from its text, or None where its header is not one."""
    rows = raw.split("\n")
    match = _HEADER.match(rows[0].rstrip("\r"))
    if match is None:
        return None
    if not rows[-1]:
        rows.pop()
    old, new = int(match[1]), int(match[2])
    return DiffHunk(match[3].strip(), old, new, tuple(_numbered(rows[1:], old, new)))


def _after(patch: str, mark: str, start: int, bound: int) -> int:
    found = patch.find(mark, start, bound)
    return -1 if found < 0 else found + 1


def _numbered(rows: list[str], old: int, new: int) -> Iterator[Line]:
    """Number the rows of one hunk; a row that no hunk can hold ends it (`diff --git`)."""
    for row in rows:
        text = row[:-1] if row.endswith("\r") else row
        sign = text[:1]
        if sign == "+":
            yield Line("+", text[1:], None, new)
            new += 1
        elif sign == "-":
            yield Line("-", text[1:], old, None)
            old += 1
        elif sign in (" ", ""):
            # Some tools strip the blank of an empty context line.
            yield Line(" ", text[1:], old, new)
            old += 1
            new += 1
        elif sign != "\\":
            return
