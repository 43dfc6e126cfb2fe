"""One change taken apart by rule: what of it is worth showing, and what its author states of it."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from digest.facts import Fact
from digest.grades import ChangeObject
from digest.models import Change, FileChange, Item
from digest.reading.hunk_choice import Choice, choose, everything
from digest.reading.interfaces.facts import functions_touched, is_public_header
from digest.reading.known_facts import fact_note, facts_of_change
from digest.reading.patch import lines as patch_lines
from digest.reading.patch import raw_hunks
from digest.reading.paths import role
from digest.reading.statements import Statements, statements

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
class Surface:
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

    choice: Choice
    unread: tuple[str, ...]
    stated: Statements
    surface: tuple[Surface, ...]
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


def _surface(item: Item, facts: Iterable[Fact]) -> tuple[Surface, ...]:
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
        Surface(kind, tuple(shown)[:MOST_NAMES], max(0, len(shown) - MOST_NAMES))
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
