"""Which hunks of a change are shown first, to a reader and to a model: by what they are worth.

What runs at a user's comes before what builds it, that before tests, documents and lock files. Of
files of one worth the hunks that show a fact come first, then those that change most.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from digest.facts import Evidence
from digest.grades import ChangeObject
from digest.models import FileChange, Item
from digest.reading.patch import MAX_CHARS, Hunk, parse_hunk, raw_hunks
from digest.reading.paths import role

MOST_HUNKS = 2_000
"""Hunks of one change that are weighed, those of the worthiest files; the others are counted."""
LONGEST_HUNK = 400
"""Lines of a hunk that are read: of a longer one they say enough of what it is."""
LONGEST_LINE = 1_000
"""Characters of a line; a hunk with a longer one is generated or minified, and is not shown."""
READABLE = 60
"""Changed lines up to which more says more."""

_WORTH = {
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
_CONFIGURATION = (".toml", ".yaml", ".yml", ".json", ".ini", ".cfg", ".env")
_GENERATED = (".lock", ".sum", "-lock.json", "-lock.yaml", ".lockb", ".snap", ".min.js")
_LAST = 4


@dataclass(frozen=True, slots=True)
class Weighed:
    """One hunk: its text from `@@` on, and as far as it is read.

    `place` orders the hunks of a change as they stand in it. The lowest `rank` is worth most.
    """

    file: FileChange
    text: str
    hunk: Hunk
    lines: int
    place: tuple[int, int]
    rank: tuple[int, int, int, tuple[int, int]]


def worth(path: str) -> int:
    """Tell how much the hunks of a file are worth showing: 0 is most, 4 is least."""
    lowered = path.lower()
    if lowered.endswith(_GENERATED):
        return _LAST
    found = _WORTH[role(path)]
    return max(found, 1) if lowered.endswith(_CONFIGURATION) else found


def weighed(
    files: Sequence[FileChange],
    shown: Collection[Evidence] = (),
) -> tuple[tuple[Weighed, ...], int]:
    """Give the hunks that may be shown, the worthiest first, and how many there are in all."""
    noted = {(one.path, one.line) for one in shown}
    found: list[Weighed] = []
    total = 0
    in_order = sorted(enumerate(files), key=lambda each: (worth(each[1].path), each[0]))
    for number, file in in_order:
        for position, text in enumerate(raw_hunks(file.patch)):
            total += 1
            if len(found) >= MOST_HUNKS:
                continue
            one = _weighed(file, text, noted, (number, position))
            if one is not None:
                found.append(one)
    return tuple(sorted(found, key=lambda each: each.rank)), total


def fitting(
    ranked: Iterable[Weighed], budget: int, cost: Callable[[Weighed], int]
) -> list[Weighed]:
    """Take hunks by their rank while they fit; a smaller one may take the place of a larger."""
    taken: list[Weighed] = []
    for each in ranked:
        if (price := cost(each)) <= budget:
            taken.append(each)
            budget -= price
    return taken


def _weighed(
    file: FileChange,
    text: str,
    noted: Collection[tuple[str, int | None]],
    place: tuple[int, int],
) -> Weighed | None:
    hunk = parse_hunk("\n".join(text.split("\n", LONGEST_HUNK)[:LONGEST_HUNK]))
    if hunk is None or any(len(line.text) > LONGEST_LINE for line in hunk.lines):
        return None
    changed = sum(line.sign != " " for line in hunk.lines)
    has_note = any((file.path, number) in noted for number in _numbers(hunk))
    rank = (worth(file.path), 0 if has_note else 1, -min(changed, READABLE), place)
    return Weighed(file, text, hunk, text.rstrip("\n").count("\n") + 1, place, rank)


def _numbers(hunk: Hunk) -> Iterator[int]:
    for line in hunk.lines:
        if line.sign != " ":
            yield line.new if line.new is not None else line.old or 0


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

    `more` tells that even those are not all: a patch goes on past what is read of it. `left` are
    the paths of files of which a hunk was not chosen, the worthiest first.
    """

    hunks: tuple[ChosenHunk, ...] = ()
    total: int = 0
    more: bool = False
    left: tuple[str, ...] = ()


def choose(item: Item, shown: Collection[Evidence], *, lines: int) -> Choice:
    """Choose whole hunks of an item's patches, of together at most `lines` lines.

    Of files of one worth, hunks that `shown` stands in come first. One longer than
    `LONGEST_HUNK` is a new file or data, one click away. Where none is short enough, the most
    telling one is begun. Bytes are those of the patch.
    """
    ranked, total = weighed(item.files or (), shown)
    short = (each for each in ranked if each.lines <= LONGEST_HUNK)
    chosen = fitting(short, lines, lambda each: each.lines)
    chunks = tuple(_begun(each, lines) for each in ranked[:1])
    if chosen:
        chunks = tuple(_whole(each) for each in sorted(chosen, key=lambda each: each.place))
    return Choice(chunks, total, _goes_on(item), tuple(_left(item, chunks)))


def _left(item: Item, chunks: Sequence[ChosenHunk]) -> Iterator[str]:
    shown = Counter(each.path for each in chunks)
    for file in sorted(item.files or (), key=lambda each: worth(each.path)):
        if sum(1 for _ in raw_hunks(file.patch)) > shown[file.path]:
            yield file.path


def _whole(each: Weighed) -> ChosenHunk:
    return ChosenHunk(each.file.path, _first(each.file, each.hunk), each.text)


def _begun(each: Weighed, lines: int) -> ChosenHunk:
    shown_lines = min(lines, LONGEST_HUNK)
    text = "\n".join(each.text.split("\n", shown_lines)[:shown_lines])
    return ChosenHunk(each.file.path, _first(each.file, each.hunk), text, each.lines - shown_lines)


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


def _start(file: FileChange, raw: str) -> int:
    header = parse_hunk(raw.partition("\n")[0])
    return _first(file, header) if header else 0


def _first(file: FileChange, hunk: Hunk) -> int:
    """Give the first changed line: where a reader has to look."""
    gone = file.status == "removed"
    changed = (line.old if gone else line.new for line in hunk.lines if line.sign != " ")
    numbered = next((number for number in changed if number is not None), None)
    return numbered or (hunk.old_start if gone else hunk.new_start)
