"""Follows names through a codebase's own modules, aliases and classes to the upstream's."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from digest.concern.python_file import (
    SUPER,
    ClassRecord,
    Found,
    PythonFile,
    Signature,
    is_class_name,
)
from digest.concern.surface import Place, Use, UseKind
from digest.concern.upstreams import Upstream

_DEEPEST = 24
"""Steps that a name is followed: a codebase may lead it round in a circle."""

_MOST_ANSWERS = 4
_SOURCE_ROOTS = ("src/", "python/", "lib/")
_HERE = "<here>"
"""Before the name of a module that is called like one of the upstream's, and is not it."""


def module_name(path: str, upstream: Upstream) -> str:
    """Return the dotted name of a file of the codebase by its path from the root."""
    for root in _SOURCE_ROOTS:
        path = path.removeprefix(root)
    name = re.sub(r"(?:^|/)__init__$", "", re.sub(r"\.pyi?$", "", path)).replace("/", ".")
    return f"{_HERE}.{name}" if upstream.owns(name) or not name else name


@dataclass(slots=True)
class Resolution:
    """The modules of a codebase, and what their names lead to."""

    upstream: Upstream
    files: Sequence[PythonFile]
    _modules: dict[str, PythonFile] = field(default_factory=dict)
    _classes: dict[str, ClassRecord] = field(default_factory=dict)
    _functions: dict[str, Signature] = field(default_factory=dict)
    _known: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        packages = {one.name for one in self.files if one.is_package}
        for one in self.files:
            self._modules.setdefault(one.name, one)
            self._classes.update(one.classes)
            self._functions.update(one.functions)
        for one in self.files:
            parts = one.name.split(".")
            # Where the folder above is no package, what runs there imports from that folder.
            first = len(parts) - 1
            while first > 0 and ".".join(parts[:first]) in packages:
                first -= 1
            short = ".".join(parts[first:])
            if not self.upstream.owns(short):
                self._modules.setdefault(short, one)

    def uses(self) -> Iterator[Use]:
        """Yield each use of the upstream in the codebase, those of one line several times."""
        for file in self.files:
            for found in file.found:
                yield from self._use(file, found)
            for record in file.classes.values():
                yield from self._derived(file, record)

    def _use(self, file: PythonFile, found: Found) -> Iterator[Use]:
        for name in (
            self._patched(found) if found.kind is UseKind.PATCHED else self.names(found.name)
        ):
            keywords, positional, more = found.keywords, found.positional, found.more
            if found.kind is UseKind.PATCHED and found.replacement:
                made = self._signature(found.replacement)
                if made is not None:
                    keywords, positional, more = made.parameters, made.positional, made.more
            made_of = found.kind is UseKind.CALLED and is_class_name(name)
            yield Use(
                UseKind.CONSTRUCTED if made_of else found.kind,
                name,
                Place(file.path, found.line),
                found.how,
                keywords=keywords,
                positional=positional,
                more=more,
            )

    def is_unknown(self, found: Found) -> bool:
        """Return whether it is reached through an own class's attribute of unknown type."""
        if self.names(found.name):
            return False
        for module, rest in self._own(found.name):
            record, left = self._class_in(module, rest)
            first, _, after = left.partition(".")
            if record is not None and after != "":
                return first not in record.types or first in record.unsure
        return False

    def _patched(self, found: Found) -> list[str]:
        """Return what is patched; a name that a module here imported counts as that module's."""
        if self.upstream.owns(found.name):
            return [found.name]
        owner, _, name = found.name.rpartition(".")
        return [f"{one}.{name}" for one in self.names(owner)]

    def _signature(self, name: str) -> Signature | None:
        for place, rest in self._own(name):
            local = f"{place.name}.{rest}"
            if local in self._functions:
                return self._functions[local]
            owner, _, method = local.rpartition(".")
            member = self._classes[owner].members.get(method) if owner in self._classes else None
            if isinstance(member, Signature):
                return member
            for target in place.bindings.get(rest, ()):
                if target != name and target in self._functions:
                    return self._functions[target]
        return None

    def _derived(self, file: PythonFile, record: ClassRecord) -> Iterator[Use]:
        by = record.name.removeprefix(f"{file.name}.")
        for base in record.bases:
            for name in self.names(base):
                yield Use(UseKind.SUBCLASS, name, Place(file.path, record.line), by=by)
        for base in self._upstream_bases(record, set()):
            for member, what in record.members.items():
                signature = what if isinstance(what, Signature) else Signature(what)
                yield Use(
                    UseKind.OVERRIDE,
                    f"{base}.{member}",
                    Place(file.path, signature.line),
                    by=by,
                    keywords=signature.parameters,
                    positional=signature.positional,
                    more=signature.more,
                )

    def _upstream_bases(self, record: ClassRecord, seen: set[str]) -> list[str]:
        if record.name in seen:
            return []
        seen.add(record.name)
        reached: list[str] = []
        for base in record.bases:
            reached += self.names(base)
            for own in self._own_classes(base, 0):
                reached += self._upstream_bases(own, seen)
        return list(dict.fromkeys(reached))

    def names(self, name: str) -> tuple[str, ...]:
        """Return the upstream names that a dotted one leads to; none where it leads elsewhere."""
        if name not in self._known:
            self._known[name] = ()  # a circle ends here
            answers = list(dict.fromkeys(self._follow(name, 0)))[:_MOST_ANSWERS]
            self._known[name] = tuple(answers)
        return self._known[name]

    def _follow(self, name: str, depth: int) -> Iterator[str]:
        if depth > _DEEPEST:
            return
        if self.upstream.owns(name):
            yield name
            return
        for module, rest in self._own(name):
            yield from self._inside(module, rest, depth)

    def _own(self, name: str) -> Iterator[tuple[PythonFile, str]]:
        """Yield the module of the codebase that a name begins with, and the rest of the name."""
        at = name
        while at:
            if at in self._modules:
                yield self._modules[at], name[len(at) + 1 :]
                return
            at = at.rpartition(".")[0]

    def _inside(self, module: PythonFile, rest: str, depth: int) -> Iterator[str]:
        if not rest:
            return
        record, left = self._class_in(module, rest)
        if record is not None:
            yield from self._member(record, left, depth + 1)
            return
        first, _, after = rest.partition(".")
        tail = f".{after}" if after else ""
        for target in (*module.bindings.get(first, ()), *module.types.get(first, ())):
            yield from self._follow(f"{target}{tail}", depth + 1)
        if f"{module.name}.{first}" in self._functions or first in module.bindings:
            return
        for star in module.stars:
            yield from self._follow(f"{star}.{rest}", depth + 1)

    def _class_in(self, module: PythonFile, rest: str) -> tuple[ClassRecord | None, str]:
        """Find the class that the rest of a name begins with; also one within a class."""
        at = rest
        while at:
            record = module.classes.get(f"{module.name}.{at}")
            if record is not None:
                return record, rest[len(at) + 1 :]
            at = at.rpartition(".")[0]
        return None, rest

    def _member(self, record: ClassRecord, rest: str, depth: int) -> Iterator[str]:
        """Follow a member of a class of the codebase: what it does not define is its bases'."""
        if not rest or depth > _DEEPEST:
            return
        first, _, after = rest.partition(".")
        skips = first == SUPER
        if skips:
            first, _, after = after.partition(".")
            rest = f"{first}.{after}" if after else first
        if not skips and first in record.types and after:
            for target in record.types[first]:
                yield from self._follow(f"{target}.{after}", depth + 1)
            return
        if not first or (not skips and (first in record.members or first in record.own)):
            return
        for base in record.bases:
            yield from self._follow(f"{base}.{rest}", depth + 1)

    def _own_classes(self, name: str, depth: int) -> Iterator[ClassRecord]:
        if depth > _DEEPEST or self.upstream.owns(name):
            return
        for module, rest in self._own(name):
            record = module.classes.get(f"{module.name}.{rest}")
            if record is not None:
                yield record
                return
            first, _, after = rest.partition(".")
            tail = f".{after}" if after else ""
            for target in module.bindings.get(first, ()):
                yield from self._own_classes(f"{target}{tail}", depth + 1)


def packages_named(files: Mapping[str, object], upstream: Upstream) -> bool:
    """Return whether the codebase is the upstream itself: its package stands at the root."""
    tops = [one.replace(".", "/") for one in upstream.modules]
    return any(f"{root}{top}/__init__.py" in files for top in tops for root in ("", *_SOURCE_ROOTS))
