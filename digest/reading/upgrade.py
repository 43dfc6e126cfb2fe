"""Upgrade notes: what a change asks of the people downstream, read from its patches.

Each family (flags, environment, settings, dependencies, signatures) finds definitions on both
sides of the hunks. What stands on both sides alike is no change; what left one file and came to
another was moved. A note says what the diff shows; where a hunk does not show to which name a
changed line belongs, there is none.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from digest.models import FileChange, Item, UpgradeNote
from digest.reading.defaults import is_configuration
from digest.reading.definitions import Definition, differences
from digest.reading.deprecations import Deprecation
from digest.reading.description import TITLE_READ, written
from digest.reading.families import MAX_READ, FileFindings, find
from digest.reading.folding import brings_main
from digest.reading.modules import module_name, module_notes
from digest.reading.notes import (
    added_note,
    changed_notes,
    deprecated_note,
    removed_note,
    renamed_note,
)
from digest.reading.paths import RUNTIME, role
from digest.reading.renames import Rename, renames

_MENTIONED_KINDS = frozenset({"env", "dependency", "image", "signature"})
"""Kinds that stand in many files under one name: new only where no other file knew them."""

MAX_ADDED = 1_000
"""Additions, and removals, of one item that are told; no change that people wrote has as many."""

_HANDED_ON = re.compile(r"^\+[^\n#]{0,200}\badd_(?:cli_|\w{1,30}_)?args?\(", re.M)


@dataclass(slots=True)
class _Changes:
    """The differences of all files of one item."""

    changed: list[tuple[Definition, Definition]] = field(default_factory=list)
    removed: list[Definition] = field(default_factory=list)
    added: list[Definition] = field(default_factory=list)
    known_before: set[tuple[str, str]] = field(default_factory=set)
    known_after: set[tuple[str, str]] = field(default_factory=set)
    deprecated: list[Deprecation] = field(default_factory=list)


def settings_notes(item: Item) -> tuple[UpgradeNote, ...]:
    """Read what changed in files of settings alone (`config/default.yaml`), from their hunks.

    Those of tests, examples, CI, documentation and Docker set nothing for a user.
    """
    if not any(_sets(file.path) for file in item.files or ()):
        return ()
    return tuple(
        note
        for note in upgrade_notes(item)
        if note.kind in ("default", "config") and _sets(note.path)
    )


def with_old_name(item: Item, note: UpgradeNote) -> UpgradeNote:
    """Return the note of a renamed setting as deprecated where the change warns of its old name."""
    old = (note.before or "").rpartition(".")[2]
    if note.change != "renamed" or not old:
        return note
    name = rf"\b{re.escape(old)}\b"
    warned = re.compile(rf"^\+.*(?:{name}.*deprecat|deprecat.*{name})", re.IGNORECASE)
    if not any(
        warned.search(line)
        for file in item.files or ()
        if role(file.path) in RUNTIME
        for line in (file.patch or "")[:MAX_READ].split("\n")
    ):
        return note
    return replace(note, change="deprecated", name=note.before or note.name)


def _sets(path: str) -> bool:
    return is_configuration(path) and role(path) in RUNTIME


def upgrade_notes(item: Item, *, signatures: bool = False) -> tuple[UpgradeNote, ...]:
    """Read the upgrade notes of one item from its files; never raises on any patch.

    In: a change with its files (an item without files, or an issue, has no notes), and whether
    changed and removed public signatures are wanted too (deprecations always are). A merge that
    brings the main branch into another has none: main had it all. Out: notes in
    the order of path and line, each citing the item, with before and after as the diff has them.
    """
    files = item.files or ()
    if not files or brings_main(item):
        return ()
    changes = _gathered(files, signatures)
    notes = [*module_notes(item), *_told(item, changes, files)]
    # The last of one statement stays: the first that says what came, else the first.
    told = sorted(reversed(notes), key=lambda note: note.after is not None)
    unique = {_statement(note): note for note in told}
    return tuple(sorted(unique.values(), key=lambda note: (note.path, note.line or 0, note.name)))


def _statement(note: UpgradeNote) -> tuple[str | None, ...]:
    """What makes two notes one: where a thing is deprecated in two places, it is once."""
    said = () if note.change == "deprecated" else (note.before, note.after)
    return note.kind, note.change, note.name, *said


def _gathered(files: Sequence[FileChange], signatures: bool) -> _Changes:
    changes = _Changes()
    for file in files:
        found = find(file, signatures=signatures)
        if found is not None:
            _add(changes, found)
    _settle_moves(changes)
    return changes


def _add(changes: _Changes, found: FileFindings) -> None:
    between = differences(found.old, found.new)
    changes.changed += between.changed
    changes.removed += between.removed
    changes.added += between.added
    changes.known_before.update(definition.identity for definition in found.old)
    changes.known_after.update(definition.identity for definition in found.new)
    changes.deprecated += found.deprecations


def _settle_moves(changes: _Changes) -> None:
    """Pair what left one file with what came to another under the same name."""
    arrived = {definition.identity: definition for definition in reversed(changes.added)}
    left = {definition.identity: definition for definition in reversed(changes.removed)}
    for identity in arrived.keys() & left.keys():
        old, new = left[identity], arrived[identity]
        if old.value != new.value and old.kind not in ("signature", "config"):
            changes.changed.append((old, new))
    moved = arrived.keys() & left.keys()
    changes.removed = [
        definition
        for definition in changes.removed
        if definition.identity not in moved
        and not (definition.kind in _MENTIONED_KINDS and definition.identity in changes.known_after)
    ]
    changes.added = [
        definition
        for definition in changes.added
        if definition.identity not in moved
        and not (
            definition.kind in _MENTIONED_KINDS and definition.identity in changes.known_before
        )
    ]


def _told(item: Item, changes: _Changes, files: Sequence[FileChange]) -> Iterator[UpgradeNote]:
    words = f"{item.title[:TITLE_READ]}\n{written(item.body)}"
    paired = renames(changes.removed, changes.added, files, words)
    gone = {id(rename.old) for rename in paired}
    came = {id(rename.new) for rename in paired}
    deprecated = {(told.kind, told.name) for told in changes.deprecated}
    flag_names = {new.name for _, new in changes.changed if new.kind == "flag"}
    for rename in paired:
        deprecated.discard((rename.old.kind, rename.old.name))
        if rename.keeps_old:
            yield from _alias_notes(item, rename)
        else:
            yield renamed_note(item, rename)
    for old, new in changes.changed:
        if new.kind == "field" and _flag_of(new) in flag_names:
            continue
        yield from changed_notes(item, old, new)
    whole = {file.path for file in files if file.status == "removed" and module_name(file.path)}
    regrouped = {file.path for file in files if _registers_elsewhere(file)}
    for old in changes.removed[:MAX_ADDED]:
        if old.kind == "flag" and (old.path in regrouped or _is_field_now(old, files)):
            continue
        if old.kind == "flag" and old.path in whole:
            # The flags of a script go with it, and the module is told.
            continue
        if id(old) not in gone and (note := removed_note(item, old)) is not None:
            yield note
    yield from _added(item, [new for new in changes.added if id(new) not in came], files)
    for told in changes.deprecated:
        if (told.kind, told.name) in deprecated:
            yield deprecated_note(item, told)


def _alias_notes(item: Item, rename: Rename) -> Iterator[UpgradeNote]:
    """Tell a name that came beside one that still works: nobody has to change anything for it."""
    if rename.new.name not in rename.old.aliases:
        note = added_note(item, rename.new)
        if note is not None:
            yield note
    yield from changed_notes(item, rename.old, rename.new)


def _added(
    item: Item, added: Sequence[Definition], files: Sequence[FileChange]
) -> Iterator[UpgradeNote]:
    registered = {new.identity for new in added if not new.inline}
    for new in added[:MAX_ADDED]:
        if (new.inline and new.identity in registered) or _is_mentioned_before(new, files):
            continue
        if (note := added_note(item, new)) is not None:
            yield note


def _registers_elsewhere(file: FileChange) -> bool:
    """Tell whether added lines hand a parser to something that may declare flags again."""
    return file.status != "removed" and (
        _HANDED_ON.search(file.patch or "", 0, MAX_READ) is not None
    )


def _is_field_now(flag: Definition, files: Sequence[FileChange]) -> bool:
    """Tell whether a flag became a field of a class that flags are made from."""
    name = flag.name.lstrip("-").replace("-", "_")
    if not name.isidentifier():
        return False
    field_line = re.compile(rf"^\+[ \t]+{name}[ \t]*:", re.M)
    return any(
        file.path.endswith(".py") and name in (file.patch or "") and
        field_line.search(file.patch or "", 0, MAX_READ) is not None for file in files
    )  # fmt: skip


def _flag_of(definition: Definition) -> str:
    return "--" + definition.name.rpartition(".")[2].replace("_", "-")


def _is_mentioned_before(definition: Definition, files: Sequence[FileChange]) -> bool:
    """Tell whether a variable stands on a line of any file that was there before."""
    if definition.kind != "env":
        return False
    name = definition.name
    for file in files:
        patch = file.patch or ""
        at = patch.find(name, 0, MAX_READ)
        while at >= 0:
            end = at + len(name)
            word = not (patch[at - 1 : at].isalnum() or patch[at - 1 : at] == "_") and not (
                patch[end : end + 1].isalnum() or patch[end : end + 1] == "_"
            )
            start = patch.rfind("\n", 0, at) + 1
            if word and patch[start : start + 1] in (" ", "-"):
                return True
            at = patch.find(name, end, MAX_READ)
    return False
