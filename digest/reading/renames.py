"""Which removed definition became which added one."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from digest.models import FileChange
from digest.reading.definitions import Definition
from digest.reading.units import stem, unit_of

TELLING_SHAPE = 24
"""Characters from which an equal rest of two definitions says that they are one."""

MAX_CANDIDATES = 200
"""Definitions of one kind and file that are compared with each other; past it nothing is paired."""

MAX_STATED = 1_000_000
"""Characters of one patch that are looked through for a line with both names."""

_RENAMING = re.compile(
    r"\brenam|\bin place of\b|\binstead of\b|\bis now\b|\bbecomes?\b|\breplac|"
    r"\b(?:takes?|took) its place\b|->|→|⇒|\bto\b|改名|重命名|改为|替换",
    re.IGNORECASE,
)

_PAIRED_KINDS = frozenset({"flag", "env", "config"})


@dataclass(frozen=True, slots=True)
class Rename:
    """One definition that took another's place; `stated` where the diff itself says so."""

    old: Definition
    new: Definition
    stated: bool

    @property
    def keeps_old(self) -> bool:
        """Whether the old name still works, as an alias of the new one."""
        return self.old.name in self.new.aliases


def renames(
    removed: Sequence[Definition],
    added: Sequence[Definition],
    files: Sequence[FileChange],
    words: str = "",
) -> tuple[Rename, ...]:
    """Pair removed with added definitions of the same kind and file, the most alike first.

    `words` is what the author says of the change, its title first, a statement in each line.
    """
    by_place: dict[tuple[str, str], list[Definition]] = defaultdict(list)
    for new in added:
        by_place[new.kind, new.path].append(new)
    places: dict[tuple[str, str], list[Definition]] = defaultdict(list)
    for old in removed:
        places[old.kind, old.path].append(old)
    found: list[Rename] = []
    for place, olds in places.items():
        news = by_place.get(place, [])
        if place[0] in _PAIRED_KINDS and len(olds) * len(news) <= MAX_CANDIDATES**2 // 4:
            found += _paired(olds, news, files, words)
    return tuple(found)


def _paired(
    olds: Sequence[Definition],
    news: Sequence[Definition],
    files: Sequence[FileChange],
    words: str,
) -> list[Rename]:
    alone = len(olds) == 1 and len(news) == 1
    ranked = sorted(
        ((_likeness(old, new, alone=alone), a, b) for a, old in enumerate(olds)
         for b, new in enumerate(news)),
        key=lambda entry: (-entry[0], entry[1], entry[2]),
    )  # fmt: skip
    used_old: set[int] = set()
    used_new: set[int] = set()
    found = []
    for likeness, a, b in ranked:
        if likeness < 0.5:
            break
        if a in used_old or b in used_new:
            continue
        used_old.add(a)
        used_new.add(b)
        old, new = olds[a], news[b]
        kept = old.name in new.aliases or new.name in old.aliases
        stated = kept or is_stated(old.name, new.name, files) or _is_told(old, new, words)
        found.append(Rename(old, new, stated))
    return found


def _likeness(old: Definition, new: Definition, *, alone: bool) -> float:
    if old.name in new.aliases or new.name in old.aliases:
        return 1.0
    if stem(old.name) == stem(new.name) and unit_of(new.name):
        return 0.95
    if old.kind == "config":
        same_parent = old.name.rpartition(".")[0] == new.name.rpartition(".")[0]
        return 0.5 if alone and same_parent and old.value == new.value else 0.0
    shared = _shared_words(old.name, new.name)
    if len(old.shape) >= TELLING_SHAPE and old.shape == new.shape:
        return 0.6 + shared / 4
    if old.help and old.help == new.help:
        return 0.55 + shared / 4
    if old.value == new.value and (shared >= 0.6 or (shared > 0 and _replaces(old, new))):
        return 0.5
    return 0.0


def _replaces(old: Definition, new: Definition) -> bool:
    """Tell whether a definition stands where the other stood, give or take a line."""
    return old.line is not None and new.line is not None and abs(old.line - new.line) <= 2


def _shared_words(old: str, new: str) -> float:
    """How many words two names share, without a first word that all names of a project have."""
    first, second = (re.split(r"[_.-]+", name.lower().strip("-")) for name in (old, new))
    if old.isupper() and first[0] == second[0]:
        first, second = first[1:], second[1:]
    union = {*first, *second}
    return len(set(first) & set(second)) / len(union) if union else 0.0


def _is_told(old: Definition, new: Definition, words: str) -> bool:
    """Tell whether one line of the author's has both names and a word for a rename."""
    before, after = (_whole(one.name.rpartition(".")[2]) for one in (old, new))
    return any(
        _RENAMING.search(line) and before.search(line) and after.search(line)
        for line in words.split("\n")
    )


def _whole(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.-]){re.escape(name)}(?![\w-])")


def is_stated(before: str, after: str, files: Sequence[FileChange]) -> bool:
    """Tell whether one added line has both names, as an alias or a message about them has."""
    pattern, other = _whole(before), _whole(after)
    for file in files:
        patch = file.patch or ""
        if after not in patch:
            continue
        for match in pattern.finditer(patch, 0, MAX_STATED):
            start = patch.rfind("\n", 0, match.start()) + 1
            end = patch.find("\n", match.end())
            line = patch[start : end if end >= 0 else len(patch)]
            if line.startswith("+") and other.search(line):
                return True
    return False
