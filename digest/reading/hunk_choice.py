"""Which hunks of a change are shown first: whole ones, by what they are worth to a reader.

What runs at a user's comes before what builds it, that before tests, documents and lock files. In
one role the hunks with an upgrade note come first, then those that change most, as far as they
are short enough to be read.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from digest.grades import ChangeObject
from digest.models import FileChange, Item, UpgradeNote
from digest.reading.patch import MAX_CHARS, Hunk, parse_hunk, raw_hunks
from digest.reading.paths import role

MOST_HUNKS = 2_000
"""Hunks of one change that are weighed; what has more is generated."""
LONGEST_HUNK = 400
"""Lines of a hunk that is shown whole; a longer one is a new file or data, one click away."""
LONGEST_LINE = 1_000
"""Characters of a line; a hunk with a longer one is generated or minified."""
READABLE = 60
"""Changed lines up to which more says more."""

_WORTH = {
    ChangeObject.SOURCE: 0,
    ChangeObject.KERNEL: 0,
    ChangeObject.BUILD: 1,
    ChangeObject.DEPENDENCY: 1,
    ChangeObject.OTHER: 1,
    ChangeObject.EXAMPLE: 2,
    ChangeObject.BENCHMARK: 2,
    ChangeObject.TEST: 2,
    ChangeObject.CI: 3,
    ChangeObject.DOCS: 3,
}
_LOCKS = (".lock", "-lock.json", "-lock.yaml", "go.sum")
_LAST = 4


@dataclass(frozen=True, slots=True)
class ChosenHunk:
    """One hunk, byte for byte with its `@@`; `line` is its first one in the new file.

    Of a file that is gone it is the first line in the old one. `more` counts the lines that were
    left out, where no hunk of a change is short enough to be shown whole.
    """

    path: str
    line: int
    text: str
    more: int = 0


@dataclass(frozen=True, slots=True)
class Choice:
    """The chosen hunks in the order of the change, and how many there are in all.

    `more` tells that even those are not all: a patch goes on past what is read of it.
    """

    hunks: tuple[ChosenHunk, ...] = ()
    total: int = 0
    more: bool = False


@dataclass(frozen=True, slots=True)
class _Weighed:
    hunk: ChosenHunk
    lines: int
    rank: tuple[int, int, int]
    place: int


def choose(item: Item, notes: Collection[UpgradeNote], *, lines: int) -> Choice:
    """Choose whole hunks of an item's patches, of together at most `lines` lines.

    Where none is short enough, the most telling one is begun. Bytes are those of the patch.
    """
    noted = {(note.path, note.line) for note in notes}
    weighed: list[_Weighed] = []
    total = 0
    for file in item.files or ():
        for raw in raw_hunks(file.patch):
            total += 1
            if total > MOST_HUNKS:
                continue
            one = _weighed(file, raw, noted, total)
            if one is not None:
                weighed.append(one)
    left = lines
    chosen: list[_Weighed] = []
    ranked = sorted(weighed, key=lambda each: (each.rank, each.place))
    for one in ranked:
        if one.lines <= min(left, LONGEST_HUNK):
            chosen.append(one)
            left -= one.lines
    if not chosen:
        return Choice(tuple(_begun(one, lines) for one in ranked[:1]), total, _goes_on(item))
    in_order = sorted(chosen, key=lambda each: each.place)
    return Choice(tuple(one.hunk for one in in_order), total, _goes_on(item))


def _begun(one: _Weighed, lines: int) -> ChosenHunk:
    kept = min(lines, LONGEST_HUNK)
    text = "\n".join(one.hunk.text.split("\n", kept)[:kept])
    return ChosenHunk(one.hunk.path, one.hunk.line, text, one.lines - kept)


def everything(item: Item) -> Choice:
    """Give every hunk there is, whatever its length."""
    hunks = tuple(
        ChosenHunk(file.path, _start(file, raw), raw)
        for file in item.files or ()
        for raw in raw_hunks(file.patch)
    )
    return Choice(hunks, len(hunks), _goes_on(item))


def _goes_on(item: Item) -> bool:
    return any(len(file.patch or "") > MAX_CHARS for file in item.files or ())


def _weighed(
    file: FileChange, raw: str, noted: Collection[tuple[str, int | None]], place: int
) -> _Weighed | None:
    count = raw.rstrip("\n").count("\n") + 1
    # Of a very long one the beginning says enough of what it is.
    hunk = parse_hunk("\n".join(raw.split("\n", LONGEST_HUNK)[:LONGEST_HUNK]))
    if hunk is None or any(len(line.text) > LONGEST_LINE for line in hunk.lines):
        return None
    changed = sum(1 for line in hunk.lines if line.sign != " ")
    has_note = any((file.path, number) in noted for number in _numbers(hunk))
    rank = (_worth(file.path), 0 if has_note else 1, -min(changed, READABLE))
    return _Weighed(ChosenHunk(file.path, _first(file, hunk), raw), count, rank, place)


def _worth(path: str) -> int:
    return _LAST if path.lower().endswith(_LOCKS) else _WORTH[role(path)]


def _numbers(hunk: Hunk) -> Iterator[int]:
    for line in hunk.lines:
        if line.sign != " ":
            yield line.new if line.new is not None else line.old or 0


def _start(file: FileChange, raw: str) -> int:
    header = parse_hunk(raw.partition("\n")[0])
    return _first(file, header) if header else 0


def _first(file: FileChange, hunk: Hunk) -> int:
    """Give the first changed line: where a reader has to look."""
    gone = file.status == "removed"
    changed = (line.old if gone else line.new for line in hunk.lines if line.sign != " ")
    numbered = next((number for number in changed if number is not None), None)
    return numbered or (hunk.old_start if gone else hunk.new_start)
