"""One change taken apart by rule: what of it is worth showing, and what its author states of it."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from digest.facts import Evidence, Fact
from digest.grades import ChangeObject
from digest.models import Change, FileChange, Item
from digest.reading.interfaces.facts import functions_touched, is_public_header
from digest.reading.known_facts import fact_note, facts_of_change
from digest.reading.patch import MAX_CHARS, parse_hunk, raw_hunks
from digest.reading.patch import lines as patch_lines
from digest.reading.paths import role
from digest.reading.statements import Statements, statements

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


@dataclass(frozen=True, slots=True)
class ChosenHunk:
    """One hunk, byte for byte with its `@@`; `line` is its first changed one in the new file.

    Of a file that is gone it is that of the old one. `more` counts the lines that were left out,
    where no hunk of a change is short enough to be shown whole.
    """

    path: str
    line: int
    text: str
    more: int = 0


@dataclass(frozen=True, slots=True)
class ChosenHunks:
    """The chosen hunks in the order of the change, and how many there are in all.

    `more` tells that even those are not all: a patch goes on past what is read of it. `left` are
    the paths of files of which a hunk was not chosen, the worthiest first.
    """

    hunks: tuple[ChosenHunk, ...] = ()
    total: int = 0
    more: bool = False
    left: tuple[str, ...] = ()


def worth(path: str) -> int:
    """Tell how much the hunks of a file are worth showing: 0 is most, 4 is least."""
    lowered = path.lower()
    if lowered.endswith(_GENERATED):
        return 4
    found = _WORTH[role(path)]
    return max(found, 1) if lowered.endswith(_CONFIGURATION) else found


def choose(item: Item, shown: Collection[Evidence], *, lines: int) -> ChosenHunks:
    """Choose whole hunks of an item's patches, of together at most `lines` lines.

    Of files of one worth, hunks that `shown` stands in come first. One longer than
    `LONGEST_HUNK` is a new file or data, one click away. Where none is short enough, the most
    telling one is begun. Bytes are those of the patch.
    """
    noted = {(one.path, one.line) for one in shown}
    files = sorted(item.files or (), key=lambda file: worth(file.path))
    counts = {file.path: sum(1 for _ in raw_hunks(file.patch)) for file in files}
    ranked: list[tuple[tuple[int, bool, int, int], ChosenHunk]] = []
    for file in files:
        for text in raw_hunks(file.patch):
            if len(ranked) < MOST_HUNKS and (rank := _rank(file, text, noted)) is not None:
                ranked.append(
                    ((*rank, len(ranked)), ChosenHunk(file.path, _line(file, text), text))
                )
    ranked.sort(key=lambda each: each[0])
    taken: list[ChosenHunk] = []
    left = lines
    for _, hunk in ranked:
        length = hunk.text.rstrip("\n").count("\n") + 1
        if length <= min(left, LONGEST_HUNK):
            taken.append(hunk)
            left -= length
    if not taken and ranked:
        taken = [_begun(ranked[0][1], min(lines, LONGEST_HUNK))]
    places = {file.path: place for place, file in enumerate(item.files or ())}
    taken.sort(key=lambda hunk: (places[hunk.path], hunk.line))
    chosen = Counter(hunk.path for hunk in taken)
    return ChosenHunks(
        tuple(taken),
        sum(counts.values()),
        _goes_on(item),
        tuple(path for path, count in counts.items() if count > chosen[path]),
    )


def everything(item: Item) -> ChosenHunks:
    """Return every hunk there is, whatever its length."""
    hunks = tuple(
        ChosenHunk(file.path, _line(file, text), text)
        for file in item.files or ()
        for text in raw_hunks(file.patch)
    )
    return ChosenHunks(hunks, len(hunks), _goes_on(item))


def _rank(
    file: FileChange, text: str, noted: Collection[tuple[str, int | None]]
) -> tuple[int, bool, int] | None:
    """Rank a hunk, the lowest is worth most; None for one that cannot be read."""
    hunk = parse_hunk("\n".join(text.split("\n", LONGEST_HUNK)[:LONGEST_HUNK]))
    if hunk is None or any(len(line.text) > LONGEST_LINE for line in hunk.lines):
        return None
    changed = [line.new or line.old for line in hunk.lines if line.sign != " "]
    is_noted = any((file.path, number) in noted for number in changed)
    return worth(file.path), not is_noted, -min(len(changed), READABLE)


def _begun(hunk: ChosenHunk, lines: int) -> ChosenHunk:
    rows = hunk.text.rstrip("\n").split("\n")
    return ChosenHunk(hunk.path, hunk.line, "\n".join(rows[:lines]), max(0, len(rows) - lines))


def _goes_on(item: Item) -> bool:
    return any(len(file.patch or "") > MAX_CHARS for file in item.files or ())


def _line(file: FileChange, text: str) -> int:
    """Return the first changed line: where a reader has to look."""
    hunk = parse_hunk("\n".join(text.split("\n", LONGEST_HUNK)[:LONGEST_HUNK]))
    if hunk is None:
        return 0
    gone = file.status == "removed"
    changed = (line.old if gone else line.new for line in hunk.lines if line.sign != " ")
    numbered = next((number for number in changed if number is not None), None)
    return numbered or (hunk.old_start if gone else hunk.new_start)


MOST_NAMES = 15
"""Public names of one kind that are told; the others are counted by the files."""
MOST_TODOS = 5
TODO_READ = 200_000
"""Characters of one file's patch that are looked through for what its author left to do."""

_TEXT = (".py", ".pyi", ".typed")
_TODO = re.compile(r"(?:#|//|/\*|--|<!--).{0,20}\b(?:TODO|FIXME|XXX)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Left:
    """A line that the change adds and that says what is left to do, as it stands in the file."""

    path: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class PublicNames:
    """Names that people downstream use, by kind (`flag`, `env`, `function`, `header` …)."""

    kind: str
    names: tuple[str, ...]
    more: int = 0


@dataclass(frozen=True, slots=True)
class Analysis:
    """A change taken apart.

    `unread` are paths of files of which no hunk was read. `tests` and `benchmarks` are files of
    these roles; `left` are lines that say what is still to do.
    """

    choice: ChosenHunks
    unread: tuple[str, ...]
    stated: Statements
    surface: tuple[PublicNames, ...]
    tests: tuple[FileChange, ...]
    benchmarks: tuple[FileChange, ...]
    left: tuple[Left, ...]


def analysis(change: Change, *, lines: int | None) -> Analysis:
    """Take a change apart; `lines` bounds the hunks that are chosen, None gives all of them."""
    item = change.read.item
    files = item.files or ()
    facts = facts_of_change(change)
    shown = [one for fact in facts for one in fact.evidence]
    choice = everything(item) if lines is None else choose(item, shown, lines=lines)
    return Analysis(
        choice=choice,
        unread=tuple(file.path for file in files if _is_unread(file)),
        stated=statements(item),
        surface=_surface(item, facts),
        tests=_of_role(files, ChangeObject.TEST),
        benchmarks=_of_role(files, ChangeObject.BENCHMARK),
        left=tuple(_left(files)),
    )


def _is_unread(file: FileChange) -> bool:
    """Tell whether no hunk of a file was read: there is none, or the first one is too long.

    Of Python that has no changed line nothing is missing: it is empty, or only its mode changed.
    """
    is_empty = file.path.endswith(_TEXT) and not file.additions + file.deletions
    hunk = next(raw_hunks(file.patch), None)
    return hunk is None and not is_pure_rename(file) and not is_empty


def is_pure_rename(file: FileChange) -> bool:
    """Tell whether a file only has another name."""
    return file.status == "renamed" and not file.patch and not file.additions + file.deletions


def _of_role(files: tuple[FileChange, ...], wanted: ChangeObject) -> tuple[FileChange, ...]:
    return tuple(file for file in files if role(file.path) is wanted)


def _surface(item: Item, facts: Iterable[Fact]) -> tuple[PublicNames, ...]:
    """Give the public names that a change adds, changes, renames or takes away."""
    names: dict[str, dict[str, None]] = {}
    for fact in facts:
        note = fact_note(fact)
        if note is not None:
            kind = "function" if note.kind == "signature" else note.kind
            renamed = (fact.after,) if note.change == "renamed" and fact.after else ()
            for name in (*(fact.names or (fact.name,)), *renamed):
                names.setdefault(kind, {}).setdefault(name)
    for file in item.files or ():
        if is_public_header(file.path) and "include" in file.path.lower().split("/")[:-1]:
            names.setdefault("header", {}).setdefault(file.path)
    touched = [functions_touched(file) for file in item.files or ()]
    altered = [name for names_, _ in touched for name in names_]
    for name in (*altered, *(name for _, added in touched for name in added)):
        names.setdefault("function", {}).setdefault(name)
    return tuple(
        PublicNames(kind, tuple(shown)[:MOST_NAMES], max(0, len(shown) - MOST_NAMES))
        for kind, shown in ((kind, _outermost(names)) for kind, names in names.items())
    )


def _outermost(names: Iterable[str]) -> list[str]:
    """Leave out the methods of a class that is named itself."""
    known = set(names)
    return [name for name in names if name.rpartition(".")[0] not in known]


def _left(files: tuple[FileChange, ...]) -> Iterator[Left]:
    count = 0
    for file in files:
        if not file.patch or role(file.path) in (ChangeObject.DOCS, ChangeObject.DEPENDENCY):
            continue
        removed = set()
        added = []
        for line in patch_lines(file.patch, max_chars=TODO_READ):
            if line.sign != " " and _TODO.search(line.text[:400]):
                if line.sign == "-":
                    removed.add(line.text.strip())
                else:
                    added.append(line)
        for line in added:
            # What only moved was left by somebody else.
            if line.text.strip() in removed or line.new is None:
                continue
            yield Left(file.path, line.new, line.text.strip())
            count += 1
            if count == MOST_TODOS:
                return
