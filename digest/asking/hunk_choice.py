"""Which hunks of a change are shown: whole ones, by value, as far as the tokens reach (pure)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from digest.asking.cleaning import clean
from digest.asking.tokens import OTHERS_IN_A_TOKEN, tokens
from digest.evidence import Hunk
from digest.grades import ChangeObject
from digest.models import FileChange
from digest.reading.patch import parse_hunk, raw_hunks
from digest.reading.paths import role

_VALUE = {
    ChangeObject.SOURCE: 0,
    ChangeObject.KERNEL: 0,
    ChangeObject.BUILD: 1,
    ChangeObject.DEPENDENCY: 1,
    ChangeObject.OTHER: 1,
    ChangeObject.TEST: 2,
    ChangeObject.BENCHMARK: 2,
    ChangeObject.EXAMPLE: 3,
    ChangeObject.DOCS: 3,
    ChangeObject.CI: 3,
}
"""Lower is more worth showing: what runs at a user's, what it is built from, the rest."""

_LOCK_VALUE = 4
_LOCK_ENDINGS = (".lock", ".sum", "-lock.json", "-lock.yaml", ".lockb", ".snap", ".min.js")
_CONFIGURATION = (".toml", ".yaml", ".yml", ".json", ".ini", ".cfg", ".env")

PREFIX_TOKENS = 2
"""What stands before each line of a hunk in a prompt (`h3+12|`)."""

MOST_CANDIDATES = 2_000
"""Hunks that are weighed; those after them, in order of value, are only counted."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    value: int
    changed: int
    place: int
    path: str
    raw: str
    cost: int


def value(path: str) -> int:
    """Tell how much the hunks of a file are worth showing: 0 is most, 4 is least."""
    lowered = path.lower()
    if lowered.endswith(_LOCK_ENDINGS):
        return _LOCK_VALUE
    found = _VALUE[role(path)]
    return max(found, 1) if lowered.endswith(_CONFIGURATION) else found


def chosen(files: Sequence[FileChange], budget: int) -> tuple[tuple[Hunk, ...], int]:
    """Choose hunks within a budget of tokens; give them in order, and how many there were.

    Of equal value, a hunk that changes more comes first. One that does not fit is left out whole,
    and a smaller one may take its place. Files without a patch have none.
    """
    total = 0
    candidates: list[_Candidate] = []
    for file in sorted(files, key=lambda each: value(each.path)):
        for raw in raw_hunks(file.patch):
            total += 1
            # Too large by its length alone: not worth reading line by line.
            if len(raw) > budget * OTHERS_IN_A_TOKEN or len(candidates) >= MOST_CANDIDATES:
                continue
            candidates.append(_candidate(file.path, raw, total))
    taken: list[_Candidate] = []
    left = budget
    for each in sorted(candidates, key=lambda one: (one.value, -one.changed, one.place)):
        if each.cost <= left:
            taken.append(each)
            left -= each.cost
    return tuple(_numbered(sorted(taken, key=lambda one: one.place))), total


def _candidate(path: str, raw: str, place: int) -> _Candidate:
    rows = raw.split("\n")[1:]
    changed = sum(row[:1] in ("+", "-") for row in rows)
    cost = tokens(raw) + tokens(path) + PREFIX_TOKENS * len(rows)
    return _Candidate(value(path), changed, place, path, raw, cost)


def _numbered(taken: Sequence[_Candidate]) -> Iterator[Hunk]:
    number = 0
    for each in taken:
        hunk = parse_hunk(each.raw)
        if hunk is None or not hunk.lines:
            continue
        number += 1
        lines = tuple(_shown(line.sign + line.text) for line in hunk.lines)
        yield Hunk(f"h{number}", clean(each.path), hunk.new_start, lines)


def _shown(line: str) -> str:
    return clean(line).replace("\n", " ")
