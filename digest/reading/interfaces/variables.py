"""Variables that changes may begin to read: whether they are new, a whole tree has to tell.

A file that reads one for the first time shows nothing of the files that read it all along.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from digest.facts import Fact, FactChange, Subject
from digest.models import Item
from digest.reading.interfaces.place import Language, by_sha, place_of
from digest.reading.patch import MOST_READ
from digest.reading.paths import RUNTIME, role

MOST_ASKED = 200
"""Names of one window that are looked for."""
SEARCHED = (".py", ".cu", ".cuh", ".h", ".hpp", ".cpp", ".cc", ".cxx")
"""Endings of the files of a program that may read a variable."""

_NAME = r"[A-Z][A-Z0-9]*_[A-Z0-9_]+"
_IN_CODE = re.compile(rf"[\"']({_NAME})[\"']|^\s*({_NAME})\s*(?::[^=]*)?=(?!=)")


def asked_for(items: Sequence[Item]) -> tuple[str, tuple[str, ...]]:
    """Return the commit before the first of some changes, and the names that they may begin to use.

    In: changes with files and patches, commits among them with their parents; an empty SHA where
    no parent is known.
    """
    known = by_sha(items)
    roots = [
        (one.at, one.parents[0])
        for one in known.values()
        if one.parents and one.parents[0] not in known
    ]
    names = dict.fromkeys(name for item in items for name in _named(item))
    return min(roots, default=(None, ""), key=lambda root: root[0])[1], tuple(names)[:MOST_ASKED]


def _named(item: Item) -> Iterator[str]:
    for file in item.files or ():
        place, patch = place_of(file.path), (file.patch or "")[:MOST_READ]
        if place is None or place.language not in (Language.PYTHON, Language.NATIVE):
            continue
        if place.environment or "env" in patch:
            for line in patch.split("\n"):
                if line[:1] == "+":
                    yield from _in_code(line[1:])


def used_in(lines: Iterable[tuple[str, str]], names: Collection[str]) -> dict[str, bool]:
    """Return for each name whether a program has it, as a whole string or by assigning it.

    In: lines of a tree that hold any of the names, each with the path of its file.
    """
    found = {name for path, line in lines if role(path) in RUNTIME for name in _in_code(line)}
    return {name: name in found for name in names}


def as_searched(facts: Iterable[Fact], had: Mapping[str, bool]) -> Iterator[Fact]:
    """Yield facts without new variables that the program had before; the others are new indeed.

    In: facts of all changes from the moment on before which it was looked for.
    """
    for fact in facts:
        is_new = fact.subject is Subject.ENV and fact.change is FactChange.ADDED
        known = had.get(fact.name) if is_new else None
        if not known:
            yield fact if known is None else replace(fact, inferred=False)


def _in_code(line: str) -> Iterator[str]:
    if not line.lstrip().startswith(("#", "//")):
        yield from (match[1] or match[2] for match in _IN_CODE.finditer(line))
