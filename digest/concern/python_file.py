"""What one Python file binds, defines and uses, by names that are not yet followed elsewhere.

Read from its syntax tree alone: nothing is imported, nothing runs.
"""

import ast
import builtins
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from digest.concern.surface import CodePlace, How, RepositoryNames, Use, UseKind
from digest.reading.interfaces import grammar

SUPER = "<super>"
"""Stands in a dotted name for `super()`."""

_MOST_ATTRIBUTES = 6
"""Of a chain `a.b.c…` that are told; what is reached deeper is another's than the upstream's."""

_CLASS = re.compile(r"_*[A-Z]\w*[a-z]\w*|[A-Z]{2,6}")
_STRING_PATH = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+(?::[A-Za-z_][\w.]*)?")
_NO_MODULE = re.compile(r"\w+\.(?:ai|com|org|io|dev|net|py|log|txt|json|md|so|git|sh|yaml|yml)")
_IMPORT_FAILS = re.compile(
    r"\b(?:ImportError|ModuleNotFoundError|AttributeError|Exception|BaseException)\b"
)
_BUILTINS = frozenset(dir(builtins))
_NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


@dataclass(frozen=True, slots=True)
class TakenArguments:
    """What a function takes: parameters in order without `self`, and where it stands."""

    line: int
    parameters: tuple[str, ...] = ()
    positional: int = 0
    more: bool = False


@dataclass(frozen=True, slots=True)
class NamedUse:
    """A use by a dotted name from the root of the codebase or of another package.

    What is called is `CALLED` here: whether it is a class shows once its name is followed.
    `replacement` is the dotted name that a patched one is replaced by.
    """

    kind: UseKind
    name: str
    line: int
    how: How = How.PLAIN
    keywords: tuple[str, ...] = ()
    positional: int = 0
    more: bool = False
    replacement: str = ""


@dataclass(slots=True)
class ClassRecord:
    """A class: its bases, what it defines, and of which class its attributes are.

    `unsure` are attributes that are set to something of unknown class too. `builds_on` are the
    dotted names that a method calls which end with its own name: `super().__init__` of `__init__`.
    """

    name: str
    line: int
    bases: tuple[str, ...]
    members: dict[str, TakenArguments | int] = field(default_factory=dict)
    own: set[str] = field(default_factory=set)
    unsure: set[str] = field(default_factory=set)
    types: dict[str, tuple[str, ...]] = field(default_factory=dict)
    builds_on: dict[str, list[str]] = field(default_factory=dict)


@dataclass(slots=True)
class PythonFile:
    """One module, `name` being dotted; `bindings` and `types` are of its head."""

    path: str
    name: str
    is_package: bool
    bindings: dict[str, tuple[str, ...]] = field(default_factory=dict)
    types: dict[str, tuple[str, ...]] = field(default_factory=dict)
    stars: list[str] = field(default_factory=list)
    classes: dict[str, ClassRecord] = field(default_factory=dict)
    functions: dict[str, TakenArguments] = field(default_factory=dict)
    found: list[NamedUse] = field(default_factory=list)
    bare: list[NamedUse] = field(default_factory=list)
    """Members of objects of unknown class, by the name of the member alone."""


def python_file(path: str, name: str, text: str) -> PythonFile:
    """Read a module; raises `SyntaxError`, or `RecursionError`, `ValueError` and `MemoryError`.

    Those are raised for a text that no compiler takes.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what a stranger's code escapes wrongly is not our matter
        tree = grammar.module(text)
    module = PythonFile(path, name, path.endswith("__init__.py"))
    _Reading(module).read(tree)
    return module


@dataclass(frozen=True, slots=True)
class _Ref:
    """What a name stands for; of an instance, the dotted name of its class."""

    name: str
    instance: bool = False


@dataclass(slots=True)
class _Scope:
    kind: str
    names: dict[str, list[_Ref]] = field(default_factory=dict)
    outer: "_Scope | None" = None
    record: ClassRecord | None = None
    """The class whose body this is, or whose method."""
    dotted: str = ""


class _Reading:
    """One pass over a tree."""

    def __init__(self, module: PythonFile) -> None:
        self._module = module
        self._root = _Scope("module", dotted=module.name)

    def read(self, tree: ast.Module) -> None:
        self._bind(tree.body, self._root)
        for name, refs in self._root.names.items():
            plain = tuple(dict.fromkeys(ref.name for ref in refs if not ref.instance))
            typed = tuple(dict.fromkeys(ref.name for ref in refs if ref.instance))
            own = f"{self._module.name}.{name}"
            if plain and plain != (own,):
                self._module.bindings[name] = tuple(one for one in plain if one != own)
            if typed:
                self._module.types[name] = typed
        self._visit_all(tree.body, self._root, How.PLAIN)

    # What names stand for.

    def _bind(self, body: Sequence[ast.stmt], scope: _Scope) -> None:
        """Bind the names of a scope's own statements: one may be used above its line."""
        unknown: set[str] = set()
        nodes = list(_own_nodes(body))
        for node in nodes:
            if isinstance(node, ast.Import | ast.ImportFrom):
                self._bind_import(node, scope)
            elif isinstance(node, ast.ClassDef | grammar.Function):
                _add(scope, node.name, [_Ref(f"{scope.dotted}.{node.name}")])
        for node in nodes:
            if isinstance(node, ast.Assign) and len(node.targets) == 1:
                target: ast.expr = node.targets[0]
            elif isinstance(node, ast.AnnAssign):
                target = node.target
            else:
                unknown.update(_other_targets(node))
                continue
            value = node.value
            annotation = node.annotation if isinstance(node, ast.AnnAssign) else None
            if not isinstance(target, ast.Name):
                unknown.update(_names_in(target))
                continue
            refs = self._typed(annotation, scope) if annotation is not None else []
            refs = refs or (self._value(value, scope) if value is not None else [])
            is_nothing = isinstance(value, ast.Constant) and value.value is None
            if refs:
                _add(scope, target.id, refs)
            elif not is_nothing:
                unknown.add(target.id)
        for name in unknown:
            # Bound to something else too: of an instance the class is then not sure.
            scope.names[name] = [ref for ref in scope.names.get(name, []) if not ref.instance]

    def _bind_import(self, node: ast.Import | ast.ImportFrom, scope: _Scope) -> None:
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.partition(".")[0]
                _add(scope, alias.asname or top, [_Ref(alias.name if alias.asname else top)])
            return
        base = self._absolute(node)
        for alias in node.names:
            if alias.name == "*":
                self._module.stars.append(base)
            else:
                _add(scope, alias.asname or alias.name, [_Ref(f"{base}.{alias.name}")])

    def _absolute(self, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        parts = self._module.name.split(".")
        gone = node.level - 1 if self._module.is_package else node.level
        parts = parts[: len(parts) - gone] if gone else parts
        return ".".join([*parts, *([node.module] if node.module else [])])

    def _look_up(self, name: str, scope: _Scope) -> list[_Ref]:
        at: _Scope | None = scope
        while at is not None:
            if name in at.names and (at.kind != "class" or at is scope):
                return at.names[name]
            at = at.outer
        if self._module.stars and name not in _BUILTINS:
            return [_Ref(f"{star}.{name}") for star in self._module.stars]
        return []

    def _chain(self, node: ast.expr, scope: _Scope) -> list[_Ref]:
        """Follow `a.b.c` to what `a` stands for; nothing for any other expression."""
        attributes: list[str] = []
        while isinstance(node, ast.Attribute):
            attributes.append(node.attr)
            node = node.value
        refs: list[_Ref] = []
        if isinstance(node, ast.Name):
            refs = self._look_up(node.id, scope)
        elif _is_super(node):
            record = _method_of(scope)
            refs = [_Ref(f"{record.name}.{SUPER}", True)] if record else []
        rest = attributes[::-1][:_MOST_ATTRIBUTES]
        return [_Ref(".".join([ref.name, *rest]), ref.instance) for ref in refs]

    def _value(self, node: ast.expr, scope: _Scope) -> list[_Ref]:
        """Tell what a value is: what another name stands for, or an instance of a class."""
        if isinstance(node, ast.Call):
            made = self._chain(node.func, scope)
            return [_Ref(ref.name, True) for ref in made if _is_class(ref)]
        if isinstance(node, ast.Name | ast.Attribute):
            return self._chain(node, scope)
        return []

    def _typed(self, node: ast.expr, scope: _Scope) -> list[_Ref]:
        """Tell of which class an annotation says that something is; unions with None included."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            try:
                node = grammar.expression(node.value[:300]).body
            except (SyntaxError, ValueError):
                return []
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            sides = [self._typed(node.left, scope), self._typed(node.right, scope)]
            typed = [side for side in sides if side]
            nothing = [one for one in (node.left, node.right) if _is_none(one)]
            return typed[0] if len(typed) == 1 and nothing else []
        if isinstance(node, ast.Subscript):
            outer = _text(node.value).rpartition(".")[2]
            return self._typed(node.slice, scope) if outer in ("Optional", "Final") else []
        if isinstance(node, ast.Name | ast.Attribute):
            return [_Ref(ref.name, True) for ref in self._chain(node, scope) if _is_class(ref)]
        return []

    # What is used.

    def _visit_all(self, nodes: Iterable[ast.AST], scope: _Scope, how: How) -> None:
        for node in nodes:
            self._visit(node, scope, how)

    def _visit(self, node: ast.AST, scope: _Scope, how: How) -> None:
        match node:
            case ast.Import() | ast.ImportFrom():
                self._import(node, scope, how)
            case ast.ClassDef():
                self._class(node, scope, how)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._function(node, scope)
            case ast.If() if "TYPE_CHECKING" in _text(node.test):
                self._visit_all(node.body, scope, How.TYPE_CHECKING)
                self._visit_all(node.orelse, scope, how)
            case ast.Try() if how is not How.TYPE_CHECKING and _answers_a_missing_name(node):
                self._visit_all([*node.body, *node.handlers], scope, How.TRY)
                self._visit_all([*node.orelse, *node.finalbody], scope, how)
            case ast.Assign() | ast.AnnAssign():
                self._assign(node, scope, how)
            case ast.Call():
                self._call(node, scope, how)
            case ast.Attribute():
                self._attribute(node, scope, how)
            case ast.Constant(value=str(text)):
                self._string(text, node.lineno)
            case ast.JoinedStr():
                pass  # its pieces are no whole names
            case _:
                self._visit_all(ast.iter_child_nodes(node), scope, how)

    def _add(self, kind: UseKind, name: str, node: ast.expr | ast.stmt, how: How) -> None:
        self._module.found.append(NamedUse(kind, name, node.lineno, how))

    def _import(self, node: ast.Import | ast.ImportFrom, scope: _Scope, how: How) -> None:
        if how is How.PLAIN and _in_function(scope):
            how = How.LAZY
        if isinstance(node, ast.Import):
            for alias in node.names:
                self._module.found.append(NamedUse(UseKind.MODULE, alias.name, alias.lineno, how))
            return
        base = self._absolute(node)
        self._add(UseKind.MODULE, base, node, how)
        for alias in node.names:
            name = f"{base}.{alias.name}"
            self._module.found.append(NamedUse(UseKind.NAME, name, alias.lineno, how))

    def _class(self, node: ast.ClassDef, scope: _Scope, how: How) -> None:
        self._visit_all(node.decorator_list, scope, how)
        self._visit_all((keyword.value for keyword in node.keywords), scope, how)
        bases: list[str] = []
        for base in node.bases:
            plain = base.value if isinstance(base, ast.Subscript) else base
            bases += [ref.name for ref in self._chain(plain, scope) if not ref.instance]
        record = ClassRecord(f"{scope.dotted}.{node.name}", node.lineno, tuple(bases))
        self._module.classes.setdefault(record.name, record)
        inner = _Scope("class", outer=scope, record=record, dotted=record.name)
        self._bind(node.body, inner)
        for one in _own_nodes(node.body):
            if isinstance(one, grammar.Function):
                record.members.setdefault(one.name, _signature(one, in_class=True))
            elif isinstance(one, ast.Assign):
                names = (name for target in one.targets for name in _names_in(target))
                record.members.update(dict.fromkeys(names, one.lineno))
            elif isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name):
                record.members.setdefault(one.target.id, one.lineno)
        for name, refs in inner.names.items():
            typed = tuple(ref.name for ref in refs if ref.instance)
            if typed:
                record.types[name] = typed
        self._visit_all(node.body, inner, how)

    def _function(self, node: grammar.Function, scope: _Scope) -> None:
        arguments = node.args
        every = grammar.named_arguments(node)
        outside: list[ast.AST] = [*node.decorator_list, *arguments.defaults]
        outside += [one for one in arguments.kw_defaults if one is not None]
        outside += [one.annotation for one in every if one.annotation is not None]
        outside += [node.returns] if node.returns is not None else []
        self._visit_all(outside, scope, How.PLAIN)
        dotted = f"{scope.dotted}.{node.name}"
        if scope.kind == "module":
            self._module.functions.setdefault(dotted, _signature(node, in_class=False))
        record = scope.record
        inner = _Scope("function", outer=scope, record=record, dotted=dotted)
        for one in every:
            typed = self._typed(one.annotation, scope) if one.annotation is not None else []
            inner.names[one.arg] = typed
        for rest in (arguments.vararg, arguments.kwarg):
            if rest is not None:
                inner.names[rest.arg] = []
        decorators = {_text(one) for one in node.decorator_list}
        if scope.kind == "class" and record is not None and every:
            if "classmethod" in decorators or node.name == "__new__":
                inner.names[every[0].arg] = [_Ref(record.name)]
            elif "staticmethod" not in decorators:
                inner.names[every[0].arg] = [_Ref(record.name, True)]
        self._bind(node.body, inner)
        if scope.kind == "class" and record is not None and every:
            self._own_attributes(node, every[0].arg, inner, record)
        self._visit_all(node.body, inner, How.PLAIN)

    def _own_attributes(
        self,
        node: grammar.Function,
        receiver: str,
        scope: _Scope,
        record: ClassRecord,
    ) -> None:
        """Note what a method assigns to `self`, and of which class that is."""
        for one in _own_nodes(node.body):
            if not isinstance(one, ast.Assign | ast.AnnAssign):
                continue
            for target in one.targets if isinstance(one, ast.Assign) else [one.target]:
                for part in target.elts if isinstance(target, ast.Tuple | ast.List) else [target]:
                    if not (isinstance(part, ast.Attribute) and _is_name(part.value, receiver)):
                        continue
                    record.own.add(part.attr)
                    refs = []
                    if isinstance(one, ast.AnnAssign):
                        refs = self._typed(one.annotation, scope)
                    if not refs and part is target and one.value is not None:
                        refs = self._value(one.value, scope)
                    typed = tuple(ref.name for ref in refs if ref.instance)
                    if typed and part.attr not in record.types:
                        record.types[part.attr] = typed
                    elif not typed and isinstance(one.value, ast.Call):
                        record.unsure.add(part.attr)

    def _assign(self, node: ast.Assign | ast.AnnAssign, scope: _Scope, how: How) -> None:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for target in targets:
            if isinstance(target, ast.Attribute):
                self._patched(target, node.value, scope)
                continue
            if isinstance(target, ast.Subscript) and _text(target.value) == "sys.modules":
                key = target.slice
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    self._add(UseKind.PATCHED, key.value, node, How.STRING)
                continue
            self._visit(target, scope, how)
        if isinstance(node, ast.AnnAssign):
            self._visit(node.annotation, scope, how)
        if node.value is not None:
            self._visit(node.value, scope, how)

    def _patched(self, target: ast.Attribute, value: ast.expr | None, scope: _Scope) -> None:
        """Tell `module.name = …` and `Class.method = …`; of an instance it sets a member."""
        new = self._chain(value, scope) if value is not None else []
        replacement = new[0].name if new else ""
        for ref in self._chain(target, scope):
            if ref.instance and isinstance(target.value, ast.Name) and _in_function(scope):
                receiver = _method_of(scope)
                if receiver is not None and ref.name == f"{receiver.name}.{target.attr}":
                    continue  # `self.name = …` is the class's own
            kind = UseKind.MEMBER if ref.instance else UseKind.PATCHED
            self._module.found.append(
                NamedUse(kind, ref.name, target.lineno, replacement=replacement)
            )

    def _attribute(self, node: ast.Attribute, scope: _Scope, how: How) -> None:
        refs = self._chain(node, scope)
        for ref in refs:
            self._add(UseKind.MEMBER if ref.instance else UseKind.NAME, ref.name, node, How.PLAIN)
        if not refs:
            self._module.bare.append(NamedUse(UseKind.MEMBER, node.attr, node.lineno))
            self._visit(node.value, scope, how)

    def _call(self, node: ast.Call, scope: _Scope, how: How) -> None:
        called = _text(node.func)
        arguments = list(node.args)
        if self._by_string(node, called, scope):
            self._visit_all(arguments[2:], scope, how)
            self._visit_all((keyword.value for keyword in node.keywords), scope, how)
            return
        of, bound = node.func, False
        if called.rpartition(".")[2] == "partial" and arguments:
            of, bound, arguments = arguments[0], True, arguments[1:]
        refs = self._chain(of, scope)
        starred = any(isinstance(one, ast.Starred) for one in arguments)
        named = sorted({one.arg for one in node.keywords if one.arg is not None})
        open_ended = bound or starred or any(one.arg is None for one in node.keywords)
        call = NamedUse(
            UseKind.CALLED,
            of.attr if isinstance(of, ast.Attribute) else "",
            of.lineno,
            keywords=tuple(named),
            positional=sum(not isinstance(one, ast.Starred) for one in arguments),
            more=open_ended,
        )
        self._module.found += [replace(call, name=ref.name) for ref in refs]
        record = _method_of(scope)
        if record is not None and call.name and call.name == _method_name(scope, record):
            record.builds_on.setdefault(call.name, []).extend(ref.name for ref in refs)
        if not refs and isinstance(of, ast.Attribute):
            self._module.bare.append(call)
            self._visit(of.value, scope, how)
        elif not refs:
            self._visit(of, scope, how)
        self._visit_all(arguments, scope, how)
        self._visit_all((keyword.value for keyword in node.keywords), scope, how)

    def _by_string(self, node: ast.Call, called: str, scope: _Scope) -> bool:
        """Tell uses whose name is a string: `setattr`, `getattr`, and the patching of tests."""
        last = called.rpartition(".")[2]
        texts = [
            one.value if isinstance(one, ast.Constant) and isinstance(one.value, str) else ""
            for one in node.args[:2]
        ]
        if not texts:
            return False
        patches = last in ("setattr", "delattr") or called.endswith("patch.object")
        if len(texts) == 2 and texts[1].isidentifier():
            if patches or last in ("getattr", "hasattr"):
                return self._attribute_by_string(node, last, texts[1], patches, scope)
            return False
        by_path = last in ("patch", "setattr", "delattr") or called.endswith("patch.dict")
        if not (by_path and _STRING_PATH.fullmatch(texts[0])):
            return False
        self._add(UseKind.PATCHED, texts[0], node, How.STRING)
        self._visit_all(node.args[1:2], scope, How.PLAIN)
        return True

    def _attribute_by_string(
        self, node: ast.Call, last: str, name: str, patches: bool, scope: _Scope
    ) -> bool:
        refs = self._chain(node.args[0], scope)
        new = self._chain(node.args[2], scope) if patches and len(node.args) > 2 else []
        for ref in refs:
            kind = UseKind.MEMBER if ref.instance else UseKind.NAME
            if patches:
                kind = UseKind.PATCHED
            sure = patches or (last == "getattr" and len(node.args) == 2)
            self._module.found.append(
                NamedUse(
                    kind,
                    f"{ref.name}.{name}",
                    node.lineno,
                    How.STRING if sure else How.TRY,
                    replacement=new[0].name if new else "",
                )
            )
        return bool(refs)

    def _string(self, text: str, line: int) -> None:
        """Tell a string that is a dotted path, as `importlib` and registries take it."""
        if len(text) > 200 or "." not in text or not _STRING_PATH.fullmatch(text):
            return
        if _NO_MODULE.fullmatch(text):
            return
        name = text.replace(":", ".")
        is_name = ":" in text or name.rpartition(".")[2][:1].isupper()
        kind = UseKind.NAME if is_name else UseKind.MODULE
        self._module.found.append(NamedUse(kind, name, line, How.STRING))


def _add(scope: _Scope, name: str, refs: Iterable[_Ref]) -> None:
    known = scope.names.setdefault(name, [])
    known += [ref for ref in refs if ref not in known][: 4 - len(known)]


def _own_nodes(body: Sequence[ast.stmt]) -> Iterator[ast.AST]:
    """Yield the nodes of a scope in order, without the inside of functions and classes."""
    waiting: list[ast.AST] = list(reversed(body))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, _NESTED):
            waiting += reversed(list(ast.iter_child_nodes(node)))


def _other_targets(node: ast.AST) -> Iterator[str]:
    """Yield the names that a statement other than a plain assignment binds."""
    match node:
        case ast.Assign():
            for target in node.targets:
                yield from _names_in(target)
        case ast.For() | ast.AsyncFor() | ast.comprehension() | ast.NamedExpr() | ast.AugAssign():
            yield from _names_in(node.target)
        case ast.withitem() if node.optional_vars is not None:
            yield from _names_in(node.optional_vars)


def _names_in(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Tuple | ast.List):
        for one in node.elts:
            yield from _names_in(one)
    elif isinstance(node, ast.Starred):
        yield from _names_in(node.value)


def _signature(node: grammar.Function, *, in_class: bool) -> TakenArguments:
    static = any(_text(one) == "staticmethod" for one in node.decorator_list)
    names = [one.arg for one in grammar.named_arguments(node)]
    positional = len(names) - len(node.args.kwonlyargs)
    if in_class and positional and not static:
        names, positional = names[1:], positional - 1
    more = node.args.vararg is not None or node.args.kwarg is not None
    return TakenArguments(node.lineno, tuple(names), positional, more)


def is_class_name(name: str) -> bool:
    """Return whether the last part of a dotted name is written like a class's."""
    return _CLASS.fullmatch(name.rpartition(".")[2]) is not None


def _is_class(ref: _Ref) -> bool:
    return not ref.instance and is_class_name(ref.name)


def _is_super(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and _is_name(node.func, "super")


def _is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _in_function(scope: _Scope | None) -> bool:
    while scope is not None:
        if scope.kind == "function":
            return True
        scope = scope.outer
    return False


def _method_of(scope: _Scope | None) -> ClassRecord | None:
    while scope is not None and scope.kind != "function":
        scope = scope.outer
    return scope.record if scope is not None else None


def _method_name(scope: _Scope, record: ClassRecord) -> str:
    """Return the method of a class within which a scope is."""
    return scope.dotted.removeprefix(f"{record.name}.").partition(".")[0]


def _answers_a_missing_name(node: ast.Try) -> bool:
    return any(
        handler.type is None or _IMPORT_FAILS.search(_text(handler.type))
        for handler in node.handlers
    )


def _text(node: ast.expr) -> str:
    """Return `a.b.c` of a chain, and of others what is cheap to know: the words within."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if isinstance(node, ast.Name):
        return ".".join([node.id, *reversed(parts)])
    if isinstance(node, ast.Call):
        return _text(node.func)
    if isinstance(node, ast.Tuple):
        return ", ".join(_text(one) for one in node.elts)
    return ""


_DEEPEST = 24
"""Steps that a name is followed: a codebase may lead it round in a circle."""

_MOST_ANSWERS = 4
_SOURCE_ROOTS = ("src/", "python/", "lib/")
_HERE = "<here>"
"""Before the name of a module that is called like one of the upstream's, and is not it."""


def module_name(path: str, upstream: RepositoryNames) -> str:
    """Return the dotted name of a file of the codebase by its path from the root."""
    for root in _SOURCE_ROOTS:
        path = path.removeprefix(root)
    name = re.sub(r"(?:^|/)__init__$", "", re.sub(r"\.pyi?$", "", path)).replace("/", ".")
    return f"{_HERE}.{name}" if upstream.owns(name) or not name else name


@dataclass(slots=True)
class Resolution:
    """The modules of a codebase, and what their names lead to."""

    upstream: RepositoryNames
    files: Sequence[PythonFile]
    _modules: dict[str, PythonFile] = field(default_factory=dict)
    _classes: dict[str, ClassRecord] = field(default_factory=dict)
    _functions: dict[str, TakenArguments] = field(default_factory=dict)
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

    def _use(self, file: PythonFile, found: NamedUse) -> Iterator[Use]:
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
                CodePlace(file.path, found.line),
                found.how,
                keywords=keywords,
                positional=positional,
                more=more,
            )

    def is_unknown(self, found: NamedUse) -> bool:
        """Return whether it is reached through an own class's attribute of unknown type."""
        own = self._own(found.name)
        if own is None or self.names(found.name):
            return False
        record, left = self._class_in(*own)
        first, _, after = left.partition(".")
        if record is None or not after:
            return False
        return first not in record.types or first in record.unsure

    def _patched(self, found: NamedUse) -> list[str]:
        """Return what is patched; a name that a module here imported counts as that module's."""
        if self.upstream.owns(found.name):
            return [found.name]
        owner, _, name = found.name.rpartition(".")
        return [f"{one}.{name}" for one in self.names(owner)]

    def _signature(self, name: str) -> TakenArguments | None:
        own = self._own(name)
        local = f"{own[0].name}.{own[1]}" if own else ""
        if local in self._functions:
            return self._functions[local]
        owner, _, method = local.rpartition(".")
        member = self._classes[owner].members.get(method) if owner in self._classes else None
        return member if isinstance(member, TakenArguments) else None

    def _derived(self, file: PythonFile, record: ClassRecord) -> Iterator[Use]:
        by = record.name.removeprefix(f"{file.name}.")
        for base in record.bases:
            for name in self.names(base):
                yield Use(UseKind.SUBCLASS, name, CodePlace(file.path, record.line), by=by)
        bases = self._upstream_bases(record, set())
        for member, what in record.members.items() if bases else ():
            signature = what if isinstance(what, TakenArguments) else TakenArguments(what)
            below = self._built_on(record, member, set())
            for base in bases:
                name = f"{base}.{member}"
                yield Use(
                    UseKind.OVERRIDE,
                    name,
                    CodePlace(file.path, signature.line),
                    How.ON_TOP if name in below else How.PLAIN,
                    by=by,
                    keywords=signature.parameters,
                    positional=signature.positional,
                    more=signature.more,
                )

    def _built_on(self, record: ClassRecord, member: str, seen: set[str]) -> set[str]:
        """Return the upstream methods that a method calls by its own name.

        Those that a method of the codebase calls which it calls so are among them.
        """
        if record.name in seen:
            return set()
        seen.add(record.name)
        found: set[str] = set()
        for name in record.builds_on.get(member, ()):
            found.update(self.names(name))
            owner = name.rpartition(".")[0]
            skips = owner == f"{record.name}.{SUPER}"
            for own in self._having(record.bases if skips else (owner,), member):
                found |= self._built_on(own, member, seen)
        return found

    def _having(self, names: Iterable[str], member: str) -> Iterator[ClassRecord]:
        """Yield the classes here that define a member: those of the names, or those above them."""
        waiting, seen = [*names], set[str]()
        while waiting:
            for own in self._own_classes(waiting.pop(0), 0):
                if member in own.members:
                    yield own
                elif own.name not in seen:
                    waiting += own.bases
                seen.add(own.name)

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
        if own := self._own(name):
            yield from self._inside(*own, depth)

    def _own(self, name: str) -> tuple[PythonFile, str] | None:
        """Return the module of the codebase that a name begins with, and the rest of the name."""
        at = name
        while at and at not in self._modules:
            at = at.rpartition(".")[0]
        return (self._modules[at], name[len(at) + 1 :]) if at else None

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
        own = self._own(name)
        if own is None or depth > _DEEPEST or self.upstream.owns(name):
            return
        module, rest = own
        if record := module.classes.get(f"{module.name}.{rest}"):
            yield record
            return
        first, _, after = rest.partition(".")
        tail = f".{after}" if after else ""
        for target in module.bindings.get(first, ()):
            yield from self._own_classes(f"{target}{tail}", depth + 1)


def packages_named(files: Mapping[str, object], upstream: RepositoryNames) -> bool:
    """Return whether the codebase is the upstream itself: its package stands at the root."""
    tops = [one.replace(".", "/") for one in upstream.modules]
    return any(f"{root}{top}/__init__.py" in files for top in tops for root in ("", *_SOURCE_ROOTS))
