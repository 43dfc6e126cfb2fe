"""Notes made from definitions: which kind and change they are, and how before and after read."""

import re
from collections.abc import Iterator
from dataclasses import replace

from digest.models import Item, UpgradeNote
from digest.reading.definitions import Definition
from digest.reading.deprecations import Deprecation
from digest.reading.renames import Rename
from digest.reading.units import scaled_unit, unit_of

OWN_VERSION = "\0own version"
"""The key of a project's own version among its dependencies."""

_CHANGE_KIND = {"flag": "default", "config": "default", "field": "default", "image": "dependency"}
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+")
_WHEEL = re.compile(r"^https?://\S{1,500}/[\w.]{1,100}-(\d[\w.+!]{0,40})-[\w.-]{1,200}\.whl$")
"""A wheel by address. https://packaging.python.org/specifications/binary-distribution-format/"""
MAX_EXPRESSION = 400
_WORKED_OUT = re.compile(
    r"(?!True|False|None)(?:[A-Za-z_]\w*\.)*[a-z_]\w*(?:\(.*|\[.*)?|[a-z_]\w*(?:\.\w+)+|"
    r"[A-Za-z_][\w.]*\(.*|[A-Z][A-Z0-9_]+",
    re.DOTALL,
)
"""A name, an attribute of something, a call: not a value, and no member of an enumeration."""
_SILENT = frozenset({"field", "image"})
"""Kinds of which only a change is told."""


def changed_notes(item: Item, old: Definition, new: Definition) -> Iterator[UpgradeNote]:
    """Tell what changed in a definition that stands on both sides."""
    if new.deprecated and not old.deprecated:
        yield _note(item, new.kind, "deprecated", new.name, new.name, new.instead, new)
    if old.choices != new.choices and old.choices and new.choices:
        yield _note(item, "flag", "changed", new.name, old.choices, new.choices, new)
    if old.value == new.value or (not (old.complete and new.complete) and not new.value):
        return
    if (old.inline or new.inline) and not (old.value and new.value):
        # A read without a default says nothing: the default may be given where it is used.
        return
    before, after = old.value, new.value
    if new.kind == "image" and before and after:
        before, after = _versions(before, after)
    elif new.kind == "dependency" and before and after:
        before, after = _of_wheels(before, after)
    elif new.kind in ("flag", "env", "config"):
        after = _explained(after, old.help, new.help)
        units = _units(old, new)
        if units is not None:
            before, after = f"{before} ({units[0]})", f"{new.value} ({units[1]})"
    name = _own_name(item, new)
    if name:
        kind = _CHANGE_KIND.get(new.kind, new.kind)
        yield _note(item, kind, "changed", name, before, after, new)


def removed_note(item: Item, old: Definition) -> UpgradeNote | None:
    """Tell that a definition is gone, if its kind is told at all."""
    if old.kind in _SILENT or old.key == OWN_VERSION or old.inline:
        # That one place no longer reads a variable does not say that none does.
        return None
    before = old.value if old.kind == "dependency" and old.value else old.name
    return _note(item, old.kind, "removed", old.name, before, None, old)


def added_note(item: Item, new: Definition) -> UpgradeNote | None:
    """Tell that a definition is new, with its default, if its kind is told at all."""
    if new.kind in _SILENT or new.kind == "signature" or new.key == OWN_VERSION:
        return None
    if new.inline and not _is_own(item, new):
        return None
    value = None if _is_worked_out(new) else new.value
    note = _note(item, new.kind, "added", new.name, None, value, new)
    return replace(note, inferred=True) if new.inline else note


def _is_worked_out(new: Definition) -> bool:
    """Tell whether a flag's default is a name or call, whose value stands elsewhere."""
    return (
        new.kind == "flag"
        and new.value is not None
        and _WORKED_OUT.fullmatch(new.value[:MAX_EXPRESSION]) is not None
        and f"={new.value}" in new.shape.replace("= ", "=")
    )


def renamed_note(item: Item, rename: Rename) -> UpgradeNote:
    """Tell a new name, with units and values where the diff changes the unit."""
    old, new = rename.old, rename.new
    before, after = old.name, new.name
    units = _units(old, new)
    if units is not None:
        before = f"{old.name} ({', '.join(p for p in (units[0], old.value) if p)})"
        after = f"{new.name} ({', '.join(p for p in (units[1], new.value) if p)})"
    return UpgradeNote(
        new.kind, "renamed", new.name, before, after, new.path, new.line, (item.key,),
        inferred=not rename.stated,
    )  # fmt: skip


def deprecated_note(item: Item, told: Deprecation) -> UpgradeNote:
    """Tell a stated deprecation."""
    return UpgradeNote(
        told.kind, "deprecated", told.name, told.name, told.instead, told.path, told.line,
        (item.key,),
    )  # fmt: skip


def _note(
    item: Item,
    kind: str,
    change: str,
    name: str,
    before: str | None,
    after: str | None,
    at: Definition,
) -> UpgradeNote:
    return UpgradeNote(kind, change, name, before, after, at.path, at.line, (item.key,))


def _is_own(item: Item, new: Definition) -> bool:
    """Tell whether a variable is named after its project; others belong to what it runs on."""
    prefix = new.name.lower().split("_")[0]
    words = _WORD.findall(item.repo.name)
    names = {word.lower() for word in words} | {"".join(word[0] for word in words).lower()}
    folders = {part.lower() for part in re.split(r"[/_-]", new.path.rpartition("/")[0])}
    whole = re.sub(r"[^a-z0-9]", "", item.repo.name.lower())
    return len(prefix) > 1 and (prefix in names | folders or whole.startswith(prefix))


def _own_name(item: Item, new: Definition) -> str:
    """The name of a definition; a project at the root of its repository has the same name."""
    if new.name or new.key != OWN_VERSION:
        return new.name
    return item.repo.name if "/" not in new.path else ""


def _versions(before: str, after: str) -> tuple[str, str]:
    """Leave out of two image tags the variant that both have (`-devel-ubuntu22.04`)."""
    old, _, old_variant = before.partition("-")
    new, _, new_variant = after.partition("-")
    return (old, new) if old_variant == new_variant and old != new else (before, after)


def _of_wheels(before: str, after: str) -> tuple[str, str]:
    """Say two addresses of wheels by the versions in their names, where these differ."""
    old, new = _WHEEL.search(before), _WHEEL.search(after)
    if old is None or new is None or old[1] == new[1]:
        return before, after
    return old[1], new[1]


def _units(old: Definition, new: Definition) -> tuple[str, str] | None:
    """The units of both sides where they are known and differ."""
    unit = unit_of(new.name, new.help)
    if unit is None:
        return None
    before = unit_of(old.name, old.help) or scaled_unit(unit, old.value, new.value)
    return (before, unit) if before is not None and before != unit else None


def _explained(value: str | None, old_help: str, new_help: str) -> str | None:
    """A new default with what a new help text says that it means: `0: one for each card`."""
    if not value or len(value) > 12 or value not in new_help or new_help == old_help:
        return value
    meaning = re.search(
        rf"(?:^|[;,.(]\s?)[`'\"]?{re.escape(value)}[`'\"]?\s?(?:[:=]|means)\s?([^;,.():=]{{2,80}})",
        new_help,
    )
    return f"{value} ({meaning[1].strip()})" if meaning else value
