"""What a Python file defines and hands on, by name: enough to follow a name to where it is made."""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import TypeGuard

from digest.concern.python_file import is_class_name
from digest.reading.interfaces import grammar


@dataclass(frozen=True, slots=True)
class ClassOutline:
    """A class: its bases as dotted names as written, and its members with their lines.

    `types` are the classes of members, as the annotation writes them.
    """

    bases: tuple[str, ...]
    members: Mapping[str, int]
    types: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Handed:
    """A name that comes from elsewhere: `module` (relative to `level`), empty `name` for itself."""

    module: str
    name: str
    level: int = 0


@dataclass(frozen=True, slots=True)
class Outline:
    """A file's own names with their lines, its classes, and what it imports by the name here.

    `starred` are modules of which every name is handed on. `takes` are the names of the parameters
    of functions and methods, `objects` the classes, as written, of which names are objects.
    """

    own: Mapping[str, int]
    classes: Mapping[str, ClassOutline]
    handed: Mapping[str, Handed]
    starred: tuple[Handed, ...] = ()
    takes: Mapping[str, frozenset[str]] = field(default_factory=dict)
    objects: Mapping[str, str] = field(default_factory=dict)

    def defines(self, name: str) -> bool:
        """Return whether a qualified name is there, also handed on or as a member of a class."""
        if name in self.own or name in self.handed:
            return True
        owner, _, member = name.rpartition(".")
        return owner in self.classes and member in self.classes[owner].members


_EMPTY = Outline(MappingProxyType({}), MappingProxyType({}), MappingProxyType({}))


@lru_cache(maxsize=512)
def outline_of(text: str) -> Outline:
    """Return the outline of a source; one that does not parse defines nothing."""
    try:
        tree = grammar.module(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return _EMPTY
    own: dict[str, int] = {}
    classes: dict[str, ClassOutline] = {}
    handed: dict[str, Handed] = {}
    starred: list[Handed] = []
    takes: dict[str, frozenset[str]] = {}
    objects: dict[str, str] = {}
    is_lazy = any(
        isinstance(node, ast.FunctionDef) and node.name == "__getattr__" for node in tree.body
    )
    for node in grammar.statements(tree.body):
        if isinstance(node, ast.Import | ast.ImportFrom):
            _take_import(node, handed, starred)
            continue
        for name in names_of(node):
            own.setdefault(name, node.lineno)
        if isinstance(node, ast.ClassDef):
            _take_class(node, node.name, classes, takes)
        elif isinstance(node, grammar.Function):
            takes[node.name] = _taken(node)
        elif isinstance(node, ast.Assign):
            handed |= _by_table(node, is_lazy=is_lazy)
            if isinstance(node.targets[0], ast.Name) and (made := _made(node.value)):
                objects.setdefault(node.targets[0].id, made)
    return Outline(own, classes, handed, tuple(starred), takes, objects)


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


def _take_import(
    node: ast.Import | ast.ImportFrom, handed: dict[str, Handed], starred: list[Handed]
) -> None:
    for alias in node.names:
        if isinstance(node, ast.Import):
            here = alias.asname or alias.name.partition(".")[0]
            handed.setdefault(here, Handed(alias.name if alias.asname else here, ""))
        elif alias.name == "*":
            starred.append(Handed(node.module or "", "", node.level))
        else:
            there = Handed(node.module or "", alias.name, node.level)
            handed.setdefault(alias.asname or alias.name, there)


def _take_class(
    node: ast.ClassDef,
    name: str,
    classes: dict[str, ClassOutline],
    takes: dict[str, frozenset[str]],
) -> None:
    members: dict[str, int] = {}
    types: dict[str, str] = {}
    made: dict[str, set[str]] = {}
    for one in grammar.statements(node.body):
        for member in names_of(one):
            members.setdefault(member, one.lineno)
        if isinstance(one, ast.ClassDef):
            _take_class(one, f"{name}.{one.name}", classes, takes)
        elif isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name):
            types.setdefault(one.target.id, _type(one.annotation))
        elif isinstance(one, grammar.Function):
            takes[f"{name}.{one.name}"] = _taken(one)
            if one.returns is not None and any(
                "property" in ast.unparse(mark) for mark in one.decorator_list
            ):
                types.setdefault(one.name, _type(one.returns))
            for attribute, line, of in _set_on_self(one):
                members.setdefault(attribute, line)
                if of:
                    made.setdefault(attribute, set()).add(of)
    types = {name: of.pop() for name, of in made.items() if len(of) == 1} | types
    bases = tuple(ast.unparse(base).partition("[")[0] for base in node.bases)
    classes[name] = ClassOutline(bases, members, types)


_OF_NONE = re.compile(r"^Optional\[(.*)\]$|\s*\|\s*None$|^None\s*\|\s*")


def _type(node: ast.expr) -> str:
    written = ast.unparse(node).strip("'\"")
    return _OF_NONE.sub(lambda found: found[1] or "", written)


def _set_on_self(node: grammar.Function) -> Iterator[tuple[str, int, str]]:
    """Yield what a method sets on its object, with the class of what it is set to, where known."""
    every = grammar.named_arguments(node)
    given = {one.arg: _type(one.annotation) for one in every if one.annotation is not None}
    for one in statements_in(node):
        if isinstance(one, ast.Assign):
            targets, value = one.targets, one.value
            of = given.get(value.id, "") if isinstance(value, ast.Name) else _made(value)
        elif isinstance(one, ast.AnnAssign):
            targets, of = [one.target], _type(one.annotation)
        else:
            targets = [target for name in _SET if (target := getattr(one, name, None)) is not None]
            of = ""
        for target in targets:
            for part in ast.walk(target):
                if _is_of_self(part):
                    yield part.attr, part.lineno, of if part is target else ""


_SET = ("target", "optional_vars")


def _is_of_self(node: ast.AST) -> TypeGuard[ast.Attribute]:
    return (
        isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Store)
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
    )


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
