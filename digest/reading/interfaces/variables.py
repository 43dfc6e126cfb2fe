"""Variables that changes may begin to read: whether they are new, a whole tree has to tell.

A file that reads one for the first time shows nothing of the files that read it all along.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from digest.facts import Fact, FactChange, Subject
from digest.models import Item
from digest.reading.interfaces.place import FileLanguage, by_sha, place_of
from digest.reading.patch import MOST_READ
from digest.reading.paths import RUNTIME, role

MOST_ASKED = 200
"""Names of one window that are looked for."""
SEARCHED = (".py", ".cu", ".cuh", ".h", ".hpp", ".cpp", ".cc", ".cxx")
"""Endings of the files of a program that may read a variable."""

_NAME = r"[A-Z][A-Z0-9]*_[A-Z0-9_]+"
_IN_CODE = re.compile(rf"[\"']({_NAME})[\"']|^\s*({_NAME})\s*(?::[^=]*)?=(?!=)")
_SETTING = re.compile(r"=\s*[\w.]*(?:Env|Field|Option|Setting|Var)\w*\(")
"""What is assigned to a name that is a setting, and no constant of a file."""


def asked_for(items: Sequence[Item]) -> tuple[str, tuple[str, ...]]:
    """Return the commit before the first of some changes, and the names that they may begin to use.

    In: changes of one branch with files and patches, commits among them with their parents; an
    empty SHA where no parent is known.
    """
    names = dict.fromkeys(name for item in items for name in _named(item))
    return _base(by_sha(items)), tuple(names)[:MOST_ASKED]


def _base(known: Mapping[str, Item]) -> str:
    """Return the commit that the branch stood at: what merges brought may have begun elsewhere."""
    inner = {sha for one in known.values() for sha in one.parents}
    tips = [sha for sha in known if sha not in inner]
    sha = max(tips, key=lambda tip: known[tip].at, default="")
    while sha in known:
        sha = next(iter(known[sha].parents), "")
    return sha


def _named(item: Item) -> Iterator[str]:
    for file in item.files or ():
        place, patch = place_of(file.path), (file.patch or "")[:MOST_READ]
        if place is None or place.language not in (FileLanguage.PYTHON, FileLanguage.NATIVE):
            continue
        if place.environment or "env" in patch:
            for line in patch.split("\n"):
                if line[:1] == "+":
                    yield from _in_code(line[1:])


def used_in(lines: Iterable[tuple[str, str]], names: Collection[str]) -> dict[str, bool]:
    """Return for each name whether a program has it, as a whole string or as a setting.

    In: lines of a tree that hold any of the names, each with the path of its file. A constant of
    that name is no variable, but in a file of these.
    """
    found: set[str] = set()
    for path, line in lines:
        place = place_of(path)
        if role(path) in RUNTIME:
            is_table = (place is not None and place.environment) or _SETTING.search(line)
            found.update(_in_code(line, assigned=bool(is_table)))
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


def _in_code(line: str, *, assigned: bool = True) -> Iterator[str]:
    if not line.lstrip().startswith(("#", "//")):
        for match in _IN_CODE.finditer(line):
            if match[1] or assigned:
                yield match[1] or match[2]
