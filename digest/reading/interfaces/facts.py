"""The changes of interfaces as facts, with the lines that show them."""

from collections.abc import Iterator, Mapping, Sequence

from digest.facts import Evidence, Fact, FactChange, FactKind, Side, Subject
from digest.grades import Purpose
from digest.models import FileAt, Item
from digest.reading.change import declared
from digest.reading.description import TITLE_READ, written
from digest.reading.interfaces.changes import Known, settled_differences
from digest.reading.interfaces.comparison import Compared, Difference, compared
from digest.reading.interfaces.definition import SETTING, Definition, Pair
from digest.reading.interfaces.hunks import compared_by_hunks
from digest.reading.interfaces.moves import move_facts
from digest.reading.interfaces.place import place_of
from digest.reading.interfaces.public import Fronts
from digest.reading.interfaces.python import is_literal
from digest.reading.interfaces.wanted import Touched, touched

_AS_WRITTEN = (Subject.CHOICE, Subject.DEPENDENCY, Subject.PLATFORM, Subject.ENV)
_MOST_OF_ITEM = 60
"""Facts of one item that are told; no reader reads as many."""


def interface_facts(
    items: Sequence[Item],
    contents: Mapping[FileAt, str | None],
    commits: Sequence[Item] = (),
) -> tuple[Fact, ...]:
    """Return what the items changed for users, in the order of the items.

    In: changes with files and patches, the files that `wanted` named as far as they could be had
    (None where a file was not there), and the commits that the items were folded from. A file
    that is absent from `contents` is compared by its hunks, and what they show is inferred. Out:
    facts of the kinds `interface`, `requirement`, `move`, and `support` of models by a registry.
    Nothing in any file makes it raise.
    """
    known = _known(items, contents)
    by_item: dict[str, list[Compared]] = {}
    for one in touched(items, commits):
        seen = _bounded(one, contents)
        if seen is not None:
            by_item.setdefault(one.item.key, []).append(seen)
    found: list[Fact] = []
    for item in items:
        files = by_item.get(item.key, [])
        # What an author calls a refactor names the program's own parts.
        known.title = "" if declared(item.title).purpose is Purpose.REFACTOR else item.title
        words = f"{item.title[:TITLE_READ]}\n{written(item.body)}" if files else ""
        differences = settled_differences(files, known, item.files or (), words)
        facts = [fact_of(item.key, one) for one in differences[:_MOST_OF_ITEM]]
        found += facts
        names = {fact.name.rpartition(".")[2] for fact in facts}
        texts = {file.pair.path: file.pair.after or "" for file in files}
        moves = move_facts(item, texts)
        found += [one for one in moves if one.name.rpartition(".")[2] not in names]
    return tuple(found)


def _known(items: Sequence[Item], contents: Mapping[FileAt, str | None]) -> Known:
    fronts = {
        at.path.rpartition("/")[0]: text
        for at, text in contents.items()
        if at.path.endswith("/__init__.py")
    }
    texts = [(at.path, text) for at, text in contents.items() if text]
    settings = [
        text
        for at, text in contents.items()
        if text and (place := place_of(at.path)) and (place.config or place.arguments)
    ]
    return Known(Fronts(fronts), items[0].repo.name if items else "", settings, texts)


def _compared(one: Touched, contents: Mapping[FileAt, str | None]) -> Compared | None:
    """Compare a file whole, or by its hunks where a side was not had or is not there any more."""
    sides = [at for at in (one.before, one.after) if at is not None]
    if not one.ends.after or any(contents.get(at) is None for at in sides):
        # A file that came is whole in its patch; one that would not be asked for is left out.
        was_wanted = not contents or one.after in contents
        shown = one.worth > 1 or one.file.status != "added" or was_wanted
        return compared_by_hunks(one.file, one.place) if shown else None
    before = contents[one.before] if one.before is not None else None
    after = contents[one.after] if one.after is not None else None
    old_path = one.file.previous_path or one.file.path
    return compared(Pair(old_path, one.file.path, before, after), one.place)


def _bounded(one: Touched, contents: Mapping[FileAt, str | None]) -> Compared | None:
    """Compare a file; one that is nested or written beyond all measure differs in nothing."""
    try:
        return _compared(one, contents)
    except (RecursionError, ValueError, MemoryError):
        return None


def fact_of(item: str, one: Difference) -> Fact:
    """Return the fact of a difference that an item made."""
    kind = FactKind.INTERFACE
    if one.subject in (Subject.DEPENDENCY, Subject.PLATFORM):
        kind = FactKind.REQUIREMENT
    elif one.subject is Subject.MODEL:
        kind = FactKind.SUPPORT
    return Fact(
        kind,
        item,
        one.change,
        one.subject,
        _settings(one)[0] if one.subject is Subject.CHOICE else one.name,
        names=_settings(one) if one.subject is Subject.CHOICE and one.names else one.names,
        before=None if _is_gone_model(one) else one.before,
        after=_value_after(one),
        conditions=one.conditions,
        evidence=tuple(_evidence(one)),
        inferred=one.inferred,
        must_act=one.must_act,
    )


def _settings(one: Difference) -> tuple[str, ...]:
    """Return the settings that a choice belongs to, without names that nobody sets by themselves.

    A registry of implementations often holds a choice too, under a name of its own.
    """
    names = one.names or (one.name,)
    settable = tuple(name for name in names if "." in name or name.startswith("--"))
    return settable or names


def _is_gone_model(one: Difference) -> bool:
    return one.subject is Subject.MODEL and one.change is FactChange.REMOVED


def _value_after(one: Difference) -> str | None:
    """Return what a thing is now; the default of a new one only where it stands for itself."""
    if one.subject is Subject.MODEL and one.change is FactChange.ADDED:
        return None
    if one.change is not FactChange.ADDED or one.after is None or one.subject in _AS_WRITTEN:
        return one.after
    if one.new is not None and one.new.shape == SETTING:
        return one.after
    return one.after if is_literal(one.after) else None


def _evidence(one: Difference) -> Iterator[Evidence]:
    sides: tuple[tuple[Definition | None, Side], ...] = ((one.old, "-"), (one.new, "+"))
    for definition, side in sides:
        if definition is None or not definition.quote:
            continue
        if one.change is FactChange.ADDED and side == "-":
            continue
        yield Evidence("diff", definition.quote, definition.path, definition.line, side)
