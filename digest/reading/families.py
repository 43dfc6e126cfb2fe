"""Which family reads which file, and what they find in one file's patch."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from digest.grades import ChangeObject
from digest.models import FileChange
from digest.reading import defaults, dependencies, environment, flags
from digest.reading import deprecations as statements
from digest.reading import signatures as functions
from digest.reading.definitions import MAX_DEFINITIONS, Definition, Reader, Side
from digest.reading.modules import NOT_PACKAGES, module_name
from digest.reading.patch import parse_hunk, raw_hunks
from digest.reading.paths import RUNTIME, UNREAD, role

MAX_READ = 1_000_000
"""Characters of one file's patch that are read for notes; past it a patch is data or generated."""

CODE = (".py", ".c", ".cc", ".cpp", ".cu", ".cuh", ".h", ".hh", ".hpp", ".rs")
SHELL = (".sh", ".bash")

_FOREIGN = frozenset(
    {
        "third_party", "thirdparty", "3rdparty", "vendor", "_vendor", "submodules",
        "node_modules", "generated",
    }
)  # fmt: skip
_GENERATED = ("_pb2.py", "_pb2_grpc.py", ".pb.h", ".pb.cc", ".lock")
_FIELD_LINE = re.compile(r"^([ +-])[ \t]+(\w+)[ \t]*:[^=\n]{1,200}=[ \t]*([^\n]{1,300})$", re.M)
_SYMBOL = re.compile(r"[A-Z]\w*\.([A-Za-z_]\w*)$")


@dataclass(frozen=True, slots=True)
class FileFindings:
    """All definitions on both sides of one file, and the deprecations that it states."""

    old: list[Definition] = field(default_factory=list)
    new: list[Definition] = field(default_factory=list)
    deprecations: list[statements.Deprecation] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Family:
    """A reader with the marks without which a hunk has nothing for it (none: always read)."""

    read: Reader
    marks: tuple[str, ...] = ()


_FLAGS = _Family(flags.flags, flags.MARKS)
_ENVIRONMENT = _Family(environment.environment, environment.MARKS)
_FIELDS = _Family(defaults.class_defaults, (": ",))
_SETTINGS = _Family(defaults.settings)
_DEPENDENCIES = _Family(dependencies.dependencies)
_SIGNATURES = _Family(functions.signatures, ("(",))


class _FieldValues:
    """The literal values of annotated fields on one side of a patch, read when first asked for."""

    __slots__ = ("_patch", "_sign", "_values")

    def __init__(self, patch: str, sign: str) -> None:
        self._patch, self._sign = patch, sign
        self._values: dict[str, str | None] | None = None

    def value(self, name: str) -> str | None:
        """The value of a field, or None where the patch shows none."""
        if self._values is None:
            self._values = {}
            for match in _FIELD_LINE.finditer(self._patch, 0, MAX_READ):
                if match[1] in (" ", self._sign):
                    self._values.setdefault(match[2], defaults.literal_value(match[3]))
        return self._values.get(name)


def find(file: FileChange, *, signatures: bool) -> FileFindings | None:
    """Read one file's patch, or give None where its path says that there is nothing to read."""
    if not file.patch or _is_foreign(file.path):
        return None
    families = tuple(_families(file, signatures))
    deprecates = file.path.endswith(".py") and role(file.path) in RUNTIME
    if not families and not deprecates:
        return None
    found = FileFindings()
    fields = {"-": _FieldValues(file.patch, "-"), "+": _FieldValues(file.patch, "+")}
    for raw in raw_hunks(file.patch, max_chars=MAX_READ):
        wanted = [f for f in families if not f.marks or any(mark in raw for mark in f.marks)]
        stated = deprecates and any(mark in raw for mark in statements.MARKS)
        if not (wanted or stated) or len(found.new) + len(found.old) > 2 * MAX_DEFINITIONS:
            continue
        hunk = parse_hunk(raw)
        if hunk is None:
            continue
        old = Side.of(hunk, "-", file.previous_path or file.path)
        new = Side.of(hunk, "+", file.path)
        for family in wanted:
            found.old.extend(_resolved(family.read(old), fields["-"]))
            found.new.extend(_resolved(family.read(new), fields["+"]))
        if stated:
            found.deprecations.extend(_new_deprecations(new, old))
    return found


def _new_deprecations(new: Side, old: Side) -> Iterator[statements.Deprecation]:
    for told in statements.deprecations(new):
        bare = told.name.rpartition(".")[2]
        was = any(
            line.sign == "-" and bare in line.text and "eprecat" in line.text for line in old.lines
        )
        if not was:
            yield told


def _is_foreign(path: str) -> bool:
    folders = set(path.lower().split("/")[:-1])
    return bool(folders & _FOREIGN) or path.endswith(_GENERATED)


def _families(file: FileChange, signatures: bool) -> Iterator[_Family]:
    path = file.path
    kind = role(path)
    if kind in UNREAD:
        return
    name = path.rpartition("/")[2].lower()
    if file.status not in ("added", "removed"):
        # A manifest, image or configuration that comes or goes whole is not a list of notes.
        if dependencies.is_manifest(path):
            yield _DEPENDENCIES
        if "dockerfile" in name or name == "setup.py":
            yield _ENVIRONMENT
        if defaults.is_configuration(path):
            yield _SETTINGS
    if kind not in RUNTIME or path.split("/")[0] in NOT_PACKAGES:
        return
    if name.endswith(CODE) and kind is not ChangeObject.KERNEL:
        # What a kernel's file parses is for trying that kernel alone.
        yield _FLAGS
    if name.endswith(CODE) or name.endswith(SHELL):
        yield _ENVIRONMENT
    if defaults.has_config_classes(path):
        yield _FIELDS
    if signatures and file.status != "removed" and _is_public(path, kind):
        yield _SIGNATURES


def _is_public(path: str, kind: ChangeObject) -> bool:
    return path.endswith(functions.HEADERS) or module_name(path) is not None


def _resolved(found: Iterable[Definition], fields: _FieldValues) -> Iterator[Definition]:
    """Replace a default that names a class field by the field's value, if the patch shows it."""
    for definition in found:
        symbol = _SYMBOL.match(definition.value or "") if definition.kind == "flag" else None
        if symbol is None:
            yield definition
            continue
        value = fields.value(symbol[1]) if definition.changed else None
        yield replace(definition, value=value, complete=value is not None)
