"""Where upstream defines what a surface names: followed through what packages hand on.

A codebase imports `vllm.LLM`, which `vllm/entrypoints/llm.py` defines; an override of a subclass
replaces what some base above it defines. Both are found by reading the upstream tree as it stood,
and nothing of it runs.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache

from digest.concern.python_file import is_class_name
from digest.concern.surface import Surface, Use, UseKind, is_distinct
from digest.reading.interfaces import grammar
from digest.reading.interfaces.place import module_of


@dataclass(frozen=True, slots=True)
class ClassOutline:
    """A class: its bases as dotted names as written, and its members.

    `types` are the classes of members, as the annotation writes them.
    """

    bases: tuple[str, ...]
    members: frozenset[str]
    types: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Handed:
    """A name that comes from elsewhere: `module` (relative to `level`), empty `name` for itself."""

    module: str
    name: str
    level: int = 0


@dataclass(frozen=True, slots=True)
class UpstreamOutline:
    """A file's own names in order, its classes, and what it imports by the name here.

    `starred` are modules of which every name is handed on. `takes` are the names of the parameters
    of functions and methods, `objects` the classes, as written, of which names are objects.
    """

    own: dict[str, None] = field(default_factory=dict)
    classes: dict[str, ClassOutline] = field(default_factory=dict)
    handed: dict[str, Handed] = field(default_factory=dict)
    starred: list[Handed] = field(default_factory=list)
    takes: dict[str, frozenset[str]] = field(default_factory=dict)
    objects: dict[str, str] = field(default_factory=dict)

    def defines(self, name: str) -> bool:
        """Return whether a qualified name is there, also handed on or as a member of a class."""
        if name in self.own or name in self.handed:
            return True
        owner, _, member = name.rpartition(".")
        return owner in self.classes and member in self.classes[owner].members


@lru_cache(maxsize=512)
def outline_of(text: str) -> UpstreamOutline:
    """Return the outline of a source; one that does not parse defines nothing."""
    found = UpstreamOutline()
    try:
        body = grammar.module(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return found
    is_lazy = any(isinstance(one, ast.FunctionDef) and one.name == "__getattr__" for one in body)
    for node in grammar.statements(body):
        if isinstance(node, ast.Import | ast.ImportFrom):
            _take_import(node, found)
            continue
        found.own.update(dict.fromkeys(names_of(node)))
        if isinstance(node, ast.ClassDef):
            _take_class(node, node.name, found)
        elif isinstance(node, grammar.Function):
            found.takes[node.name] = _taken(node)
        elif isinstance(node, ast.Assign):
            found.handed.update(_by_table(node, is_lazy=is_lazy))
            if isinstance(node.targets[0], ast.Name) and (made := _made(node.value)):
                found.objects.setdefault(node.targets[0].id, made)
    return found


def _made(node: ast.expr) -> str:
    """Return the class, as written, that an expression plainly makes an object of."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name | ast.Attribute):
        return ""
    written = ast.unparse(node.func)
    return written if is_class_name(written.rpartition(".")[2]) else ""


def _taken(node: grammar.Function) -> frozenset[str]:
    return frozenset(one.arg for one in grammar.named_arguments(node))


def names_of(node: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement defines or imports where it stands."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            yield node.name
        case ast.Assign():
            for target in node.targets:
                for one in ast.walk(target):
                    if isinstance(one, ast.Name):
                        yield one.id
        case ast.AnnAssign(target=ast.Name(id=name)):
            yield name
        case ast.Import():
            for alias in node.names:
                yield (alias.asname or alias.name).partition(".")[0]
        case ast.ImportFrom():
            for alias in node.names:
                if alias.name != "*":
                    yield alias.asname or alias.name


def _take_import(node: ast.Import | ast.ImportFrom, found: UpstreamOutline) -> None:
    for alias in node.names:
        if isinstance(node, ast.Import):
            here = alias.asname or alias.name.partition(".")[0]
            found.handed.setdefault(here, Handed(alias.name if alias.asname else here, ""))
        elif alias.name == "*":
            found.starred.append(Handed(node.module or "", "", node.level))
        else:
            there = Handed(node.module or "", alias.name, node.level)
            found.handed.setdefault(alias.asname or alias.name, there)


def _take_class(node: ast.ClassDef, name: str, found: UpstreamOutline) -> None:
    members: set[str] = set()
    types: dict[str, str] = {}
    made: dict[str, set[str]] = {}
    for one in grammar.statements(node.body):
        members.update(names_of(one))
        if isinstance(one, ast.ClassDef):
            _take_class(one, f"{name}.{one.name}", found)
        elif isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name):
            types.setdefault(one.target.id, _type(one.annotation))
        elif isinstance(one, grammar.Function):
            found.takes[f"{name}.{one.name}"] = _taken(one)
            if one.returns is not None and any(
                "property" in ast.unparse(mark) for mark in one.decorator_list
            ):
                types.setdefault(one.name, _type(one.returns))
            for attribute, of in _set_on_self(one):
                members.add(attribute)
                if of:
                    made.setdefault(attribute, set()).add(of)
    types = {name: of.pop() for name, of in made.items() if len(of) == 1} | types
    bases = tuple(ast.unparse(base).partition("[")[0] for base in node.bases)
    found.classes[name] = ClassOutline(bases, frozenset(members), types)


_OF_NONE = re.compile(r"^Optional\[(.*)\]$|\s*\|\s*None$|^None\s*\|\s*")


def _type(node: ast.expr) -> str:
    written = ast.unparse(node).strip("'\"")
    return _OF_NONE.sub(lambda found: found[1] or "", written)


def _set_on_self(node: grammar.Function) -> Iterator[tuple[str, str]]:
    """Yield what a method sets on its object, with the class of what it is set to, where known."""
    every = grammar.named_arguments(node)
    given = {one.arg: _type(one.annotation) for one in every if one.annotation is not None}
    for attribute, by, is_whole in attributes_set(node):
        of = ""
        if is_whole and isinstance(by, ast.AnnAssign):
            of = _type(by.annotation)
        elif is_whole and isinstance(by, ast.Assign):
            value = by.value
            of = given.get(value.id, "") if isinstance(value, ast.Name) else _made(value)
        yield attribute.attr, of


def attributes_set(node: ast.AST) -> Iterator[tuple[ast.Attribute, ast.AST, bool]]:
    """Yield `self.name` where a statement, or one within, sets it, with the statement that does.

    The last tells whether its value is the statement's, and not a part of it.
    """
    for one in (node, *statements_in(node)):
        targets = [getattr(one, name, None) for name in ("target", "optional_vars")]
        for target in one.targets if isinstance(one, ast.Assign) else targets:
            for part in ast.walk(target) if target is not None else ():
                if (
                    isinstance(part, ast.Attribute)
                    and isinstance(part.ctx, ast.Store)
                    and isinstance(part.value, ast.Name)
                    and part.value.id == "self"
                ):
                    yield part, one, part is target


def statements_in(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the statements within one, at any depth, with clauses and arguments; no expression."""
    for one in ast.iter_child_nodes(node):
        if not isinstance(one, ast.expr):
            yield one
            yield from statements_in(one)


def _by_table(node: ast.Assign, *, is_lazy: bool) -> dict[str, Handed]:
    """Return the names of a table of lazy imports: `{"LLM": ".entrypoints.llm:LLM"}`.

    Of a module that `is_lazy` a plain word is a module below its own: `{"cdiv": "math_utils"}`.
    """
    if not isinstance(node.value, ast.Dict):
        return {}
    found = {}
    for key, value in zip(node.value.keys, node.value.values, strict=True):
        if (
            isinstance(key, ast.Constant)
            and isinstance(key.value, str)
            and isinstance(value, ast.Constant)
            and isinstance(value.value, str)
            and key.value.isidentifier()
        ):
            module, colon, name = value.value.partition(":")
            level = len(module) - len(module.lstrip("."))
            plain = module.lstrip(".")
            if is_lazy and not level and value.value.isidentifier():
                level = 1
            if (colon or level or "." in plain) and plain.replace(".", "").isidentifier():
                found[key.value] = Handed(plain, name or key.value, level)
    return found


_DEEPEST = 12
"""Hands through which a name is followed, and bases above a class."""

Key = tuple[str, str]
"""A file of the upstream tree and a qualified name in it, empty for the module itself."""

IMPORTED = frozenset(
    {
        UseKind.MODULE,
        UseKind.NAME,
        UseKind.SUBCLASS,
        UseKind.OVERRIDE,
        UseKind.PATCHED,
        UseKind.CONSTRUCTED,
        UseKind.CALLED,
        UseKind.MEMBER,
    }
)
"""How what was imported, or reached through that, is used."""


REPLACED = frozenset({UseKind.OVERRIDE, UseKind.PATCHED})
"""How a codebase puts its own in the place of something."""

_READ = frozenset({UseKind.MEMBER, UseKind.CALLED})
_NAMED_USES = frozenset({UseKind.MEMBER, UseKind.CALLED, UseKind.OVERRIDE, UseKind.PATCHED})


class Tie(StrEnum):
    """How a definition belongs to a use.

    `IS` is what the use names, `VIA` a place that hands it on, `BASE` a class above the one named,
    `NAMED` a member of that name, where the class of the object is not known.
    """

    IS = "is"
    VIA = "via"
    BASE = "base"
    NAMED = "named"


@dataclass(frozen=True, slots=True)
class Hold:
    """A use of the surface that a definition upstream holds up."""

    use: Use
    tie: Tie


@dataclass(frozen=True, slots=True)
class Stand:
    """What of the codebase stands in the place of an upstream function, and takes less.

    `less` are the parameters that the function has and what is in its place has not.
    """

    use: Use
    at: Key
    less: frozenset[str]


@dataclass(frozen=True, slots=True)
class UpstreamNames:
    """A surface held against an upstream tree.

    `holds` are the uses by the definition that they stand on, `lost` names that the tree does not
    have, `overrides` the members that a class of the codebase (`by`) defines anew. `lacking` is
    what stands in the place of upstream functions and takes less, by the name by which they are
    called; `replaced` the classes that are derived from and the functions that
    are patched, by that name too. `owners` are the classes, of files that names lead to, that have
    a member which is used by its name alone.
    """

    surface: Surface
    holds: Mapping[Key, tuple[Hold, ...]]
    lost: tuple[Use, ...]
    overrides: Mapping[str, frozenset[str]]
    by_path: Mapping[str, tuple[tuple[str, Hold], ...]]
    bare: Mapping[str, tuple[Use, ...]]
    members: frozenset[str]
    lacking: Mapping[str, tuple[Stand, ...]]
    replaced: Mapping[str, tuple[Use, ...]]
    owners: Mapping[str, tuple[Key, ...]]


class UpstreamTree:
    """An upstream tree: its paths, and the texts of files as far as they were read.

    `wanted` collects the files that were asked for and are not there yet.
    """

    def __init__(self, paths: Iterable[str], texts: Mapping[str, str | None]) -> None:
        self._texts = texts
        self._modules: dict[str, str] = {}
        for path in paths:
            if path.endswith(".py") and (module := module_of(path)):
                shortest = self._modules.get(module)
                if shortest is None or len(path) < len(shortest):
                    self._modules[module] = path
        self.wanted: set[str] = set()

    def text(self, path: str) -> str | None:
        """Return the text of a file, None where it is not known."""
        if path not in self._texts:
            self.wanted.add(path)
            return None
        return self._texts[path]

    def outline(self, path: str) -> UpstreamOutline:
        """Return the outline of a file; one that is not known defines nothing."""
        return outline_of(self.text(path) or "")

    def read(self) -> Iterator[tuple[str, str]]:
        """Yield the files that were read, with their texts."""
        yield from ((path, text) for path, text in self._texts.items() if text)

    def split(self, name: str) -> tuple[str, tuple[str, ...]] | None:
        """Return the file of the longest module that begins a dotted name, and the rest of it."""
        parts = name.split(".")
        for length in range(len(parts), 0, -1):
            path = self._modules.get(".".join(parts[:length]))
            if path is not None:
                return path, tuple(parts[length:])
        return None

    def follow(self, name: str, seen: frozenset[str] = frozenset()) -> Iterator[tuple[Key, Tie]]:
        """Yield the places that hand a dotted name on, and the one that defines it at last.

        Nothing is yielded of a name that the tree does not have, nor of one `seen` on the way.
        """
        found = self.split(name)
        if found is None or len(seen) > _DEEPEST or name in seen:
            return
        path, rest = found
        if not rest:
            yield (path, ""), Tie.IS
            return
        outline, head = self.outline(path), rest[0]
        seen |= {name}
        if head in outline.handed:
            target = self._target(path, outline.handed[head])
            further = list(self.follow(".".join([target, *rest[1:]]), seen))
            yield (path, head), Tie.VIA if further or self.split(target) else Tie.IS
            yield from further
        elif head in outline.own:
            yield from self._member(path, rest, seen)
        else:
            for star in outline.starred:
                target = self._target(path, star)
                further = list(self.follow(".".join([target, *rest]), seen))
                if further:
                    yield from further
                    return

    def _member(
        self, path: str, rest: tuple[str, ...], seen: frozenset[str]
    ) -> Iterator[tuple[Key, Tie]]:
        """Yield the class or function, or the member of the class or of one above it."""
        if len(rest) == 1:
            yield (path, rest[0]), Tie.IS
            return
        owner, member = rest[0], rest[1]
        made_of = self.outline(path).objects.get(owner)
        if made_of:
            yield from self.follow(".".join([module_of(path), made_of, *rest[1:]]), seen)
            return
        for key in [(path, owner), *self.above(path, owner)]:
            classes = self.outline(key[0]).classes
            if key[1] in classes and member in classes[key[1]].members:
                if len(rest) == 2:
                    yield (key[0], f"{key[1]}.{member}"), Tie.IS
                else:
                    yield from self._of_type(key, member, rest[2:], seen)
                return

    def _of_type(
        self, owner: Key, member: str, rest: tuple[str, ...], seen: frozenset[str]
    ) -> Iterator[tuple[Key, Tie]]:
        """Go on from a member to the class that its annotation names."""
        written = self.outline(owner[0]).classes[owner[1]].types.get(member, "")
        if written.replace(".", "").isidentifier():
            module = module_of(owner[0])
            yield from self.follow(".".join([module, written, *rest]), seen)

    def above(self, path: str, name: str) -> list[Key]:
        """Return the classes above one, nearest first."""
        found: list[Key] = []
        waiting = [(path, name)]
        while waiting and len(found) < _DEEPEST * 2:
            at, here = waiting.pop(0)
            classes = self.outline(at).classes
            for base in classes[here].bases if here in classes else ():
                key = self._class(at, base)
                # A base that upstream imports from elsewhere (`ABC`) is not its own.
                if key is not None and key not in found and self._is_class(key):
                    found.append(key)
                    waiting.append(key)
        return found

    def _is_class(self, key: Key) -> bool:
        text = self.text(key[0])
        return text is None or key[1] in outline_of(text).classes

    def _class(self, path: str, written: str) -> Key | None:
        """Return where a base, as the file writes it, is defined."""
        module = module_of(path)
        last = None
        for key, tie in self.follow(f"{module}.{written}"):
            if tie is Tie.IS:
                last = key
        return last

    @staticmethod
    def _target(path: str, handed: Handed) -> str:
        if not handed.level:
            base = handed.module
        else:
            parts = module_of(path).split(".")
            is_front = path.endswith("/__init__.py")
            up = handed.level - (1 if is_front else 0)
            parts = parts[: len(parts) - up] if up else parts
            base = ".".join([*parts, handed.module] if handed.module else parts)
        return f"{base}.{handed.name}" if handed.name else base


def held(surface: Surface, tree: UpstreamTree) -> UpstreamNames:
    """Hold a surface against a tree; `tree.wanted` names the files that are needed and lacking."""
    holds: defaultdict[Key, dict[Hold, None]] = defaultdict(dict)
    lost: list[Use] = []
    known: dict[str, list[tuple[Key, Tie]]] = {}
    bare: defaultdict[str, list[Use]] = defaultdict(list)
    for use in surface.uses:
        if use.kind not in IMPORTED:
            continue
        if "." not in use.name and use.kind in _READ:
            bare[use.name].append(use)
            continue
        if use.name not in known:
            known[use.name] = list(tree.follow(use.name))
        found = known[use.name]
        for key, tie in found:
            holds[key][Hold(use, tie)] = None
        if not any(tie is Tie.IS for _, tie in found):
            lost.append(use)
            if use.kind in _READ:
                bare[use.name.rpartition(".")[2]].append(use)
        elif use.kind is UseKind.SUBCLASS:
            for base in tree.above(*found[-1][0]):
                holds[base][Hold(use, Tie.BASE)] = None
    by_path: defaultdict[str, list[tuple[str, Hold]]] = defaultdict(list)
    for (path, name), group in holds.items():
        by_path[path] += [(name, hold) for hold in group]
    return UpstreamNames(
        surface,
        {key: tuple(group) for key, group in holds.items()},
        tuple(lost),
        _overrides(surface),
        {path: tuple(group) for path, group in by_path.items()},
        {name: tuple(group) for name, group in bare.items()},
        frozenset(use.name.rpartition(".")[2] for use in surface.uses if use.kind in _NAMED_USES),
        _lacking(holds, tree),
        _replaced(holds),
        _owners(bare, tree),
    )


def _owners(names: Mapping[str, object], tree: UpstreamTree) -> dict[str, tuple[Key, ...]]:
    found: defaultdict[str, list[Key]] = defaultdict(list)
    for path, text in tree.read():
        for owner, outline in outline_of(text).classes.items():
            for name in outline.members & names.keys():
                found[name].append((path, owner))
    return {name: tuple(owners) for name, owners in found.items()}


def _replaced(holds: Mapping[Key, Iterable[Hold]]) -> dict[str, tuple[Use, ...]]:
    """Return what has something of the codebase in its place, by its distinct name.

    Who derives from a class of a plugin's host, or patches a function, has its own run wherever
    the host makes or calls one.
    """
    found: defaultdict[str, list[Use]] = defaultdict(list)
    for (_, name), group in holds.items():
        for hold in group:
            is_class = hold.use.kind is UseKind.SUBCLASS and is_class_name(name)
            is_function = hold.use.kind is UseKind.PATCHED and is_distinct(name)
            if hold.tie is Tie.IS and "." not in name and (is_class or is_function):
                found[name].append(hold.use)
    return {name: tuple(group) for name, group in found.items()}


def _lacking(
    holds: Mapping[Key, Iterable[Hold]], tree: UpstreamTree
) -> dict[str, tuple[Stand, ...]]:
    """Return what stands in the place of a function and takes less, by how that is called."""
    found: defaultdict[str, list[Stand]] = defaultdict(list)
    for (path, name), group in holds.items():
        takes = tree.outline(path).takes.get(name, frozenset())
        owner, _, last = name.rpartition(".")
        called = owner.rpartition(".")[2] if last == "__init__" else last
        for hold in group:
            use = hold.use
            if use.kind not in REPLACED or hold.tie is not Tie.IS or use.more:
                continue
            less = takes - {*use.keywords, "self", "cls"}
            if less and (use.kind is UseKind.OVERRIDE or use.keywords):
                found[called].append(Stand(use, (path, name), less))
    return {name: tuple(group) for name, group in found.items()}


def _overrides(surface: Surface) -> dict[str, frozenset[str]]:
    found: defaultdict[str, set[str]] = defaultdict(set)
    for use in surface.uses:
        if use.kind is UseKind.OVERRIDE and use.by:
            found[use.by].add(use.name.rpartition(".")[2])
    return {by: frozenset(names) for by, names in found.items()}
