"""How upgrade notes are said: what happened to which name, from what to what, and where."""

from collections.abc import Sequence

from digest.models import Item, UpgradeNote
from digest.writing.document import Code, Runs, Words
from digest.writing.entries import SPACE, references
from digest.writing.phrasing import fill, joined, spaced
from digest.writing.upgrading import moved, twins
from digest.writing.visible import visible
from digest.writing.wording.catalogue import Catalogue


def note_name(note: UpgradeNote, say: Catalogue) -> str:
    """Say what happened to which kind of thing: "flag removed"."""
    kind = say.names.note_kinds.get(note.kind, note.kind)
    template = say.names.note.get(note.change, "{kind} " + note.change)
    said = spaced(template.format(kind=kind))
    return said + say.say.inferred if note.inferred else said


def note_place(note: UpgradeNote) -> Runs:
    """Give file and line of an upgrade note."""
    return _place(note.path, note.line)


def _place(path: str, line: int | None) -> Runs:
    return (Code(path),) if line is None else (Code(path), Words(f":{line}"))


def notes(group: Sequence[UpgradeNote], say: Catalogue, cited: Sequence[Item]) -> Runs:
    """Give the notes of one change in one line; what is the same of several names is said once."""
    told: list[Runs] = []
    last = ""
    for alike in twins(group):
        name = note_name(alike[0], say)
        label: Runs = (Words(name + say.colon),) if name != last else ()
        told.append((*label, *_same(alike, say)))
        last = name
    source = (SPACE, *references(cited)) if cited else ()
    return (*joined(told, say.semicolon), *source)


def _same(alike: Sequence[UpgradeNote], say: Catalogue) -> Runs:
    """Say the names of notes that share their values, these values, and every place.

    A name is left out only where the values that are shown hold it.
    """
    first = alike[0]
    before, after = first.before, first.after
    named = [note.name for note in alike]
    if len(alike) > 1 and (packages := moved(first)):
        before, after = packages
        named = [name.rpartition(".")[2] for name in named]
    change: Runs = ()
    if before is not None and after is not None and visible(before) and visible(after):
        change = fill(say.say.note_from_to, before=Code(before), after=Code(after))
        named = [name for name in named if not any(_holds(v, name) for v in (before, after))]
    elif first.change == "changed" and after is not None and visible(after):
        change = fill(say.say.note_to, after=Code(after))
    names = joined(((Code(name),) for name in dict.fromkeys(named)), say.comma)
    told = (*names, *((SPACE,) if names and change else ()), *change)
    places = dict.fromkeys((note.path, note.line) for note in alike if note.path)
    where = joined((_place(path, line) for path, line in places), say.comma)
    pause = (Words(say.pause),) if where else ()
    return (*told, *pause, *where)


def _holds(value: str, name: str) -> bool:
    """Tell whether a value is the name, alone or as `NAME (unit, default)`."""
    return value == name or value.startswith(f"{name} (")
