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
    first = alike[0]
    before, after = first.before, first.after
    named_alike = [note.name for note in alike if not _names_itself(note)]
    if len(alike) > 1 and (packages := moved(first)):
        before, after = packages
        named_alike = [note.name.rpartition(".")[2] for note in alike]
    names = joined(((Code(name),) for name in dict.fromkeys(named_alike)), say.comma)
    told: Runs = names
    if before is not None and after is not None and visible(before) and visible(after):
        change = fill(say.say.note_from_to, before=Code(before), after=Code(after))
        told = (*names, SPACE, *change) if names else change
    elif not names:
        told = (Code(first.name),)
    elif first.change == "changed" and after is not None and visible(after):
        told = (*names, SPACE, *fill(say.say.note_to, after=Code(after)))
    places = dict.fromkeys((note.path, note.line) for note in alike if note.path)
    where = joined((_place(path, line) for path, line in places), say.comma)
    pause = (Words(say.pause),) if where else ()
    return (*told, *pause, *where)


def _names_itself(note: UpgradeNote) -> bool:
    """Tell whether a value holds the name, alone or as `NAME (unit, default)`."""
    values = (value for value in (note.before, note.after) if value is not None)
    return any(value == note.name or value.startswith(f"{note.name} (") for value in values)
