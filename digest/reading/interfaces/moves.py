"""Modules that moved: one fact for a change, with the common old and new prefix."""

from collections import Counter
from collections.abc import Iterator, Sequence

from digest.facts import Evidence, Fact, FactChange, FactKind, Subject
from digest.models import FileChange, Item
from digest.reading.interfaces.place import Language, module_of, place_of


def move_facts(item: Item) -> list[Fact]:
    """Return the fact that an item moved modules; what it says is in `moved_modules`."""
    return moved_modules(item.key, item.files or ())


def moved_modules(key: str, files: Sequence[FileChange]) -> list[Fact]:
    """Return the fact that modules moved among the files of an item, none where none did.

    Read from the list of files alone: git's own word for a file that is the same elsewhere. What
    is no user's (tests, examples, tools) is left out. Moved modules are the program's own unless
    something documents them, so nobody must act.
    """
    pairs = list(_moved(files))
    if not pairs:
        return []
    old, new = _way(pairs)
    paths = {module_of(file.path): file for file in files if file.status == "renamed"}
    evidence = tuple(
        Evidence("diff", file.previous_path or "", file.path, None, "")
        for _, other in pairs[:5]
        if (file := paths.get(other)) is not None
    )
    return [
        Fact(
            FactKind.MOVE,
            key,
            FactChange.MOVED,
            Subject.MODULE,
            name=old,
            names=tuple(one for one, _ in pairs) if len(pairs) > 1 else (),
            before=old,
            after=new,
            evidence=evidence,
        )
    ]


def _moved(files: Sequence[FileChange]) -> Iterator[tuple[str, str]]:
    for file in files:
        if file.status != "renamed" or not file.previous_path:
            continue
        place = place_of(file.previous_path)
        if place is None or place.language is not Language.PYTHON or place_of(file.path) is None:
            continue
        old, new = module_of(file.previous_path), module_of(file.path)
        if old and new and old != new:
            yield old, new


def _way(pairs: Sequence[tuple[str, str]]) -> tuple[str, str]:
    """Return from where to where modules moved: what most of them left and came to."""
    if len(pairs) == 1:
        return pairs[0]
    ways = Counter(_trimmed(old, new) for old, new in pairs)
    (way, often) = ways.most_common(1)[0]
    if often * 2 > len(pairs):
        return way
    old = _common([one for one, _ in pairs])
    new = _common([other for _, other in pairs])
    return (old, new) if old and new else way


def _trimmed(old: str, new: str) -> tuple[str, str]:
    """Leave out the names at the end that stayed."""
    before, after = old.split("."), new.split(".")
    while len(before) > 1 and len(after) > 1 and before[-1] == after[-1]:
        before, after = before[:-1], after[:-1]
    return ".".join(before), ".".join(after)


def _common(modules: Sequence[str]) -> str:
    parts = [module.split(".") for module in modules]
    shared = []
    for level in zip(*parts, strict=False):
        if len(set(level)) > 1:
            break
        shared.append(level[0])
    return ".".join(shared)
