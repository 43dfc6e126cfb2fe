"""Faults that another change of the same day brought: who runs a release never had them.

What a fix takes out is what was wrong. Where all of that came with one change just before, so did
the fault.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta

from digest.models import FileChange, Item
from digest.reading.patch import MOST_READ
from digest.reading.paths import UNREAD, role

LATELY = timedelta(hours=36)
"""How long before its fix a change may have landed."""
_MOST_TAKEN_OUT = 60
"""Lines that a fix takes out; more are a rewrite, whatever it mends."""
_SHORTEST = 10
"""Characters of a line by which it is known again."""
_WORD = re.compile(r"\w")
_REMARKS = {True: ("#", '"""'), False: ("//", "/*", "* ", "*/")}
"""What begins a remark in Python, and elsewhere, where `#define` and `*out = 1` are code."""

_Line = tuple[str, str]
"""The path of a file and a line of it, without its indentation."""


def brought(items: Sequence[Item]) -> Mapping[str, Item]:
    """Return what takes out only what another change brought just before, with that change.

    In: the changes of a window, with patches where they are known. Out: by key. A line that a
    change moved or wrote anew is not its own.
    """
    changes = sorted((one for one in items if one.kind.is_change), key=lambda one: one.at)
    taken = {one.key: lines for one in changes if (lines := _taken_out(one))}
    looked_for = {line for lines in taken.values() for line in lines}
    came: defaultdict[_Line, list[Item]] = defaultdict(list)
    for one in changes:
        for line in _its_own(one, looked_for):
            came[line].append(one)
    found: dict[str, Item] = {}
    for one in changes:
        others = [{each.key: each for each in came[line]} for line in taken.get(one.key, ())]
        before = (
            each
            for key, each in (others[0] if others else {}).items()
            if all(key in other for other in others)
            if each.at < one.at <= each.at + LATELY
        )
        if origin := next(before, None):
            found[one.key] = origin
    return found


def _taken_out(item: Item) -> frozenset[_Line]:
    """Return the lines of code that a change takes out, none of many, nor of short ones alone."""
    found = frozenset(
        (file.path, line)
        for file in item.files or ()
        if role(file.path) not in UNREAD
        for line in {*_lines(file, "-")} - {*_lines(file, "+")}
        if _WORD.search(line) and not line.startswith(_REMARKS[file.path.endswith(".py")])
    )
    is_known = any(len(line) >= _SHORTEST for _, line in found)
    return found if is_known and len(found) <= _MOST_TAKEN_OUT else frozenset()


def _its_own(item: Item, among: set[_Line]) -> Iterator[_Line]:
    """Yield lines that a change adds to a file and takes out of none, each once."""
    files = [file for file in item.files or () if file.patch]
    added = {(file.path, line) for file in files for line in _lines(file, "+")} & among
    if added:
        gone = {line for file in files for line in _lines(file, "-")}
        yield from (each for each in added if each[1] not in gone)


def _lines(file: FileChange, sign: str) -> Iterator[str]:
    for line in (file.patch or "")[:MOST_READ].split("\n"):
        if line[:1] == sign:
            yield line[1:].strip()
