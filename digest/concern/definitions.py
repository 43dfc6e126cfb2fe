"""What a change does to the definitions of Python files: which names, and how others notice.

Only statements that differ are parsed. What a function does inside is `BODY` whatever it is; what
callers and those who derive can see is told apart: parameters, what comes back, bases, fields.
"""

import ast
import copy
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TypeAlias

from digest.concern.upstream_names import Handed, attributes_set, names_of, outline_of
from digest.reading.interfaces import grammar
from digest.reading.interfaces.definition import Pair
from digest.reading.interfaces.grammar import UNREADABLE, Parsed, differing
from digest.reading.interfaces.place import module_of

_MOST_OF_TEXT = 160


class Way(StrEnum):
    """How a definition is not as it was.

    `GONE` names its new place in `after` where the same change has one, and so does `BODY` of what
    is imported now. `BASES` are of a class,
    `VALUE` of a constant or field, `SORT` of an attribute that holds another sort of value, `BODY`
    is all that shows in nothing of these. `CALLS` is a function that calls another one with
    arguments that it did not give before; `before` is empty where it did not call it at all.
    """

    GONE = "gone"
    ADDED = "added"
    ABSTRACT = "abstract"
    SIGNATURE = "signature"
    RETURNS = "returns"
    BASES = "bases"
    VALUE = "value"
    BODY = "body"
    CALLS = "calls"
    SORT = "sort"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter: `kind` is `positional`, `keyword` (alone), `*` or `**`."""

    name: str
    kind: str
    default: str | None = None

    @property
    def required(self) -> bool:
        """Return whether a call has to give it."""
        return self.default is None and self.kind in ("positional", "keyword")


@dataclass(frozen=True, slots=True)
class Signature:
    """What a call of a function gives and gets; `self` and `cls` are left out of a method's."""

    parameters: tuple[Parameter, ...]
    returns: str = ""
    marks: tuple[str, ...] = ()

    def named(self) -> dict[str, Parameter]:
        """Return the parameters by name."""
        return {one.name: one for one in self.parameters}

    def positional(self) -> tuple[str, ...]:
        """Return the names that may be given by position, in order."""
        return tuple(one.name for one in self.parameters if one.kind == "positional")

    def takes_more(self) -> bool:
        """Return whether any keyword may be given."""
        return any(one.kind == "**" for one in self.parameters)


@dataclass(frozen=True, slots=True)
class NamedCall:
    """A call with arguments by name (sorted): the last part of what is called.

    `of` is what stands before it as written: `self.kernel`, a module, nothing of a plain name.
    """

    name: str
    keywords: tuple[str, ...]
    of: str = ""


OWN = frozenset({"self", "cls"})
"""How a method calls its own object and class."""


@dataclass(frozen=True, slots=True)
class Altered:
    """One definition that is not as it was.

    `path` is the file as it was (as it is, of what is new), `name` is qualified within it
    (`Scheduler.schedule`; empty for the module itself), `line` is in the new file, in the old one
    for what is gone. `before` and `after` are short texts to be shown. `old` and `new` are the
    signatures of a function where they differ. `required` tells that a new field has no default,
    `setter` is the method that sets a new attribute, `call` what `CALLS` is about.
    """

    path: str
    name: str
    way: Way
    line: int = 0
    before: str = ""
    after: str = ""
    old: Signature | None = None
    new: Signature | None = None
    required: bool = False
    setter: str = ""
    call: NamedCall | None = None

    @property
    def owner(self) -> str:
        """The class in which it stands, empty for what stands at the top of a file."""
        return self.name.rpartition(".")[0]


@dataclass(frozen=True, slots=True)
class _Set:
    """An attribute that a method sets on its object: where, in which, and to what sort of value."""

    line: int
    setter: str
    sort: str
    text: str


@dataclass(slots=True)
class _Seen:
    """What one side of a file's differences defines, and which functions they lie within.

    `within` has the first line and what the statements do; `calls` are by the call and, of what is
    called of the own object, by the class; `ordinary` are classes without bases
    and decorators, whose annotations nothing reads; `partial` those whose keys may be left out.
    """

    nodes: dict[str, tuple[ast.AST, int]] = field(default_factory=dict)
    within: dict[str, tuple[int, list[str]]] = field(default_factory=dict)
    ordinary: set[str] = field(default_factory=set)
    partial: set[str] = field(default_factory=set)
    attributes: dict[str, _Set] = field(default_factory=dict)
    calls: dict[tuple[NamedCall, str], tuple[str, int]] = field(default_factory=dict)

    def lies_within(self, name: str, line: int, body: Sequence[ast.AST]) -> None:
        """Take what a difference within a function, a table or a module does when it runs."""
        deeds = _deeds(body)
        if deeds:
            self.within.setdefault(name, (line, []))[1].extend(deeds)


def altered(pairs: Sequence[Pair]) -> tuple[Altered, ...]:
    """Return what a change does to the definitions of its Python files, in their order.

    In: each file before and after (None where it was not there). A module that became a package
    of the same name is one file. What does not parse alters nothing.
    """
    found: list[Altered] = []
    for pair in _joined(pairs):
        with suppress(RecursionError):  # nested as no person writes
            found += list(_of_pair(pair))
    came = {one.name: one.path for one in found if one.way is Way.ADDED and one.name}
    return tuple(_with_new_place(one, came) for one in found)


def _with_new_place(one: Altered, came: Mapping[str, str]) -> Altered:
    if one.way is not Way.GONE or one.after or one.name not in came or "." in one.name:
        return one
    return replace(one, after=f"{module_of(came[one.name])}.{one.name}")


def _joined(pairs: Sequence[Pair]) -> Iterator[Pair]:
    """Yield the files, with one that went and another that came as the same module in one.

    `mla.py` may have moved to `mla/core.py` and `mla/__init__.py` come: that is `mla` now.
    """
    came = {module_of(pair.path): pair for pair in pairs if pair.before is None}
    left = {
        pair.old_path: other
        for pair in pairs
        if pair.before is not None
        and (pair.after is None or module_of(pair.path) != module_of(pair.old_path))
        and (other := came.get(module_of(pair.old_path))) is not None
    }
    taken = {other.path for other in left.values()}
    for pair in pairs:
        other = left.get(pair.old_path) if pair.before is not None else None
        if other is not None:
            yield Pair(pair.old_path, other.path, pair.before, other.after)
            if pair.after is not None:
                yield Pair(pair.path, pair.path, None, pair.after)
        elif pair.before is not None or pair.path not in taken:
            yield pair


def _of_pair(pair: Pair) -> Iterator[Altered]:
    before, after = pair.before, pair.after
    if before is None and after is None:
        return
    if after is None:
        yield Altered(pair.old_path, "", Way.GONE)
        return
    old_module, module = module_of(pair.old_path), module_of(pair.path)
    if before is None:
        yield Altered(pair.path, "", Way.ADDED)
        for name in outline_of(after).own:
            yield Altered(pair.path, name, Way.ADDED)
        return
    if old_module != module:
        yield Altered(pair.old_path, "", Way.GONE, after=module)
    yield from _of_texts(pair.old_path, before, after)


def _of_texts(path: str, before: str, after: str) -> Iterator[Altered]:
    try:
        left, right = differing(before, after)
    except UNREADABLE:
        return
    if not left and not right:
        return
    old, new = _seen(left), _seen(right)
    sides = _Sides(_Side(before), _Side(after))
    made = _made_otherwise(old, new, before, after)
    gone = [one for one in _gone(path, old, new, sides) if not _is_given(one.name, made)]
    yield from gone
    for owner, (was, now) in made.items():
        if was != now:
            shown = _written(owner, was), _written(owner, now)
            line = new.nodes.get(owner, (None, 0))[1]
            yield Altered(path, f"{owner}.__init__", Way.SIGNATURE, line, *shown, was, now)
    if "def __getattr__" in before:
        yield from _not_handed(path, sides, {one.name for one in gone})
    for name, (node, _) in old.nodes.items():
        there = new.nodes.get(name)
        if there is not None:
            are_read = name.rpartition(".")[0] not in {"", *new.ordinary}
            yield from _changed(path, name, node, there[0], there[1], are_read=are_read)
    came = _came(path, old, new, sides, {one.name for one in gone})
    yield from (one for one in came if not _is_given(one.name, made))
    for name, (line, _) in {**old.within, **new.within}.items():
        did, does = (sorted(side.within.get(name, (0, []))[1]) for side in (old, new))
        if did != does or _in_order(name, before) != _in_order(name, after):
            yield Altered(path, name, Way.BODY, line)
    called = {call.name for call, _ in old.calls}
    given = {(call.name, call.keywords) for call, _ in old.calls}
    for (call, _), (within, line) in new.calls.items():
        if (call.name, call.keywords) not in given:
            before = call.name if call.name in called else ""
            yield Altered(path, within, Way.CALLS, line, before, call.name, call=call)


_Made: TypeAlias = Mapping[str, tuple[Signature, Signature]]
"""What the objects of a class were made with, and are, by the class."""


def _made_otherwise(old: _Seen, new: _Seen, before: str, after: str) -> _Made:
    """Return the classes that got or lost an `__init__` where the fields of a record do the same.

    Whoever makes an object of one writes the same before and after, but where they differ.
    """
    sides = ({name for name in side.nodes if name.endswith(".__init__")} for side in (old, new))
    owners = {name.rpartition(".")[0] for name in set.symmetric_difference(*sides)}
    found: dict[str, tuple[Signature, Signature]] = {}
    for owner in sorted(owners):
        was, now = _made_with(owner, before), _made_with(owner, after)
        if was is not None and now is not None:
            found[owner] = was, now
    return found


def _is_given(name: str, made: _Made) -> bool:
    """Return whether a member is what an object is made by, or with before and after."""
    owner, _, member = name.rpartition(".")
    return owner in made and (
        member == "__init__" or all(member in side.named() for side in made[owner])
    )


_RECORDS = frozenset({"dataclass", "define", "frozen", "Struct", "BaseModel", "NamedTuple"})
_BY_KEYWORD = frozenset({"BaseModel"})
"""Bases whose fields are given by keyword alone."""


def _made_with(owner: str, text: str) -> Signature | None:
    """Return what an object of a class is made with, None where another class may say more."""
    with suppress(SyntaxError, ValueError, MemoryError):
        for node in grammar.module(text).body:
            if isinstance(node, ast.ClassDef) and node.name == owner:
                return _of_init(node) or _of_record(node)
    return None


def _of_init(node: ast.ClassDef) -> Signature | None:
    methods = [
        one for one in node.body if isinstance(one, grammar.Function) and one.name == "__init__"
    ]
    return _signature(methods[-1], f"{node.name}.__init__") if methods else None


def _of_record(node: ast.ClassDef) -> Signature | None:
    """Return what a record that stands by itself is made with: its fields, in order."""
    marks = [one for one in node.decorator_list if _called_name(one) in _RECORDS]
    bases = {_called_name(base) for base in node.bases}
    if not (marks or bases) or not bases <= _RECORDS:
        return None
    words = [*node.keywords]
    words += [word for one in marks if isinstance(one, ast.Call) for word in one.keywords]
    alone = any(word.arg == "kw_only" and ast.unparse(word.value) == "True" for word in words)
    kind = "keyword" if alone or bases & _BY_KEYWORD else "positional"
    return Signature(
        tuple(
            Parameter(one.target.id, kind, _value(one) if one.value is not None else None)
            for one in node.body
            if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
            if "ClassVar" not in ast.unparse(one.annotation) and "init=False" not in _value(one)
        )
    )


def _called_name(node: ast.expr) -> str:
    """Return the last part of a base or decorator, also of one that is called."""
    called = node.func if isinstance(node, ast.Call) else node
    return ast.unparse(called).rpartition(".")[2]


def _written(owner: str, made: Signature) -> str:
    """Return how an object is made as one would write it, in one line."""
    parts: list[str] = []
    for one in made.parameters:
        if one.kind == "keyword" and "*" not in parts and not any(p[:1] == "*" for p in parts):
            parts.append("*")
        prefix = one.kind if one.kind.startswith("*") else ""
        parts.append(f"{prefix}{one.name}" + (f"={one.default}" if one.default else ""))
    return _short(f"{owner}({', '.join(parts)})")


def _gone(path: str, old: _Seen, new: _Seen, sides: "_Sides") -> Iterator[Altered]:
    """Yield what is no longer there; of a class that went, its members are not told."""
    named: set[str] = set()
    for name, (node, line) in old.nodes.items():
        owner = name.rpartition(".")[0]
        # What is defined more than once, and once less now, is still there; so is what a class has
        # that is imported from elsewhere now.
        if name in new.nodes or owner in named or sides.after.defines(name):
            continue
        if sides.after.hands(owner) or _may_come_by_star(name, sides):
            continue
        named.add(name)
        yield Altered(path, name, Way.GONE, line, _shown(node))
    for name, was in old.attributes.items():
        owner, _, attribute = name.rpartition(".")
        stays = name in new.attributes or sides.after.defines(name)
        handed = sides.after.hands(owner) or _may_come_by_star(owner, sides)
        if not stays and not handed and not {name, owner} & named:
            yield Altered(path, name, Way.GONE, was.line, f"self.{attribute}")


def _may_come_by_star(name: str, sides: "_Sides") -> bool:
    """Return whether a public name may be handed on by a `from .core import *` that is new."""
    is_new = {*sides.after.starred} - {*sides.before.starred}
    return bool(is_new) and not name.startswith("_") and not sides.after.defines(name.split(".")[0])


def _not_handed(path: str, sides: "_Sides", gone: Collection[str]) -> Iterator[Altered]:
    """Yield the names that a module looked up when they were asked for, and does not any more."""
    for name in sides.before.handed:
        if name not in gone and not sides.after.defines(name):
            yield Altered(path, name, Way.GONE)


def _came(
    path: str, old: _Seen, new: _Seen, sides: "_Sides", gone: Collection[str]
) -> Iterator[Altered]:
    for name, (node, line) in new.nodes.items():
        if name in old.nodes or sides.before.defines(name) or not _is_known(name, sides):
            continue
        if any(name.startswith(f"{other}.") for other in gone):
            continue
        way = Way.ABSTRACT if _is_abstract(node) else Way.ADDED
        required = _has_to_be_given(name, node, new, sides.after)
        made = _signature(node, name)
        yield Altered(path, name, way, line, "", _shown(node), None, made, required=required)
    for name, now in new.attributes.items():
        was = old.attributes.get(name)
        if was is not None:
            if was.sort and now.sort and was.sort != now.sort:
                yield Altered(path, name, Way.SORT, now.line, was.text, now.text)
        elif not sides.before.defines(name) and _is_known(name, sides):
            attribute = f"self.{name.rpartition('.')[2]}"
            yield Altered(path, name, Way.ADDED, now.line, "", attribute, setter=now.setter)


def _has_to_be_given(name: str, node: ast.AST, side: _Seen, text: "_Side") -> bool:
    """Return whether a member is a field without default, which who makes an object has to give.

    What a class with its own `__init__` annotates is none.
    """
    if not isinstance(node, ast.AnnAssign) or node.value is not None:
        return False
    owner = name.rpartition(".")[0]
    if owner in side.ordinary or text.defines(f"{owner}.__init__"):
        return False
    written = ast.unparse(node.annotation)
    if owner in side.partial:
        return _REQUIRED.search(written) is not None
    return _NOT_GIVEN.search(written) is None


def _is_known(name: str, sides: "_Sides") -> bool:
    """Return whether what is new stands by itself or in a class that was there."""
    owner = name.rpartition(".")[0]
    return not owner or sides.before.has_class(owner) or sides.before.defines(owner)


class _Side:
    """One side of a file, read whole only where its text alone does not tell."""

    def __init__(self, text: str) -> None:
        self._text = text

    def defines(self, name: str) -> bool:
        """Return whether a qualified name is there, also handed on or as a member of a class."""
        is_there = all(part in self._text for part in name.split("."))
        return is_there and outline_of(self._text).defines(name)

    def has_class(self, name: str) -> bool:
        """Return whether a class at the top stands here."""
        return re.search(rf"^class {name}\b", self._text, re.MULTILINE) is not None

    def hands(self, owner: str) -> bool:
        """Return whether a class that does not stand here comes from elsewhere."""
        is_named = bool(owner) and owner in self._text
        return is_named and not self.has_class(owner) and owner in self.handed

    @property
    def handed(self) -> Mapping[str, Handed]:
        """What comes from elsewhere."""
        return outline_of(self._text).handed

    @property
    def starred(self) -> Sequence[Handed]:
        """The modules of which every name is handed on."""
        return outline_of(self._text).starred if "import *" in self._text else ()


@dataclass(frozen=True, slots=True)
class _Sides:
    before: _Side
    after: _Side


def _seen(blocks: Iterable[Parsed]) -> _Seen:
    found = _Seen()
    for parsed in blocks:
        names: list[str] = []
        function = ""
        for owner in parsed.block.owners:
            if owner.kind == "class":
                names.append(owner.name)
                if _ORDINARY.match(owner.header):
                    found.ordinary.add(".".join(names))
                elif _PARTIAL.search(owner.header):
                    found.partial.add(".".join(names))
            elif owner.kind == "def":
                names.append(owner.name)
                function = ".".join(names)
                break
        line = parsed.block.line
        if names:
            _take_attributes(found, parsed, names[0], function.rpartition(".")[2])
        _take_calls(found, parsed, function or ".".join(names))
        if function or parsed.block.table:
            name = function or parsed.block.table.partition("=")[0].partition(":")[0].strip()
            found.lies_within(name, line, parsed.body)
            continue
        _take(found, parsed.body, ".".join(names), parsed.offset, header=parsed.block.header)
    return found


def _take_attributes(found: _Seen, parsed: Parsed, owner: str, function: str) -> None:
    """Take what methods set on their object: it is read by who knows the object."""
    for node in parsed.body:
        setter = function or getattr(node, "name", "")
        for attribute, by, is_whole in attributes_set(node):
            value = getattr(by, "value", None)
            plain = value if is_whole and isinstance(value, ast.expr) else None
            short = _short(ast.unparse(plain)) if plain else ""
            found.attributes.setdefault(
                f"{owner}.{attribute.attr}",
                _Set(attribute.lineno + parsed.offset, setter, _sort(plain), short),
            )


def _sort(node: ast.expr | None) -> str:
    """Return what sort of value an expression plainly is, empty where that is not to be seen."""
    match node:
        case ast.List() | ast.ListComp():
            return "list"
        case ast.Dict() | ast.DictComp():
            return "dict"
        case ast.Set() | ast.SetComp():
            return "set"
        case ast.Tuple():
            return "tuple"
        case ast.Constant(value=value) if value is not None:
            return type(value).__name__
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name
    return ""


def _take_calls(found: _Seen, parsed: Parsed, owner: str) -> None:
    """Take calls that give arguments by name; of one with `**` it is not known which it gives."""
    for node in parsed.body:
        for one in ast.walk(node):
            if isinstance(one, ast.Call) and one.keywords:
                keywords = [word.arg for word in one.keywords if word.arg is not None]
                of, _, name = ast.unparse(one.func).rpartition(".")
                if len(keywords) == len(one.keywords) and name.isidentifier():
                    call = NamedCall(name, tuple(sorted(keywords)), _short(of))
                    of_class = owner.partition(".")[0] if of in OWN else ""
                    at = owner, one.lineno + parsed.offset
                    found.calls.setdefault((call, of_class), at)


def _take(
    found: _Seen, body: Sequence[ast.stmt], owner: str, offset: int, *, header: bool = False
) -> None:
    for node in grammar.statements(body):
        line = node.lineno + offset
        for name in names_of(node):
            key = f"{owner}.{name}" if owner else name
            found.nodes.setdefault(key, (node, line))
        if isinstance(node, ast.ClassDef) and not header:
            inner = f"{owner}.{node.name}" if owner else node.name
            if not _heads(node):
                found.ordinary.add(inner)
            elif any(_PARTIAL.match(ast.unparse(word)) for word in node.keywords):
                found.partial.add(inner)
            _take(found, node.body, inner, offset)
        elif not isinstance(node, ast.If | ast.Try | ast.With) and not any(
            True for _ in names_of(node)
        ):
            found.lies_within(owner, line, [node])


def _is_text(node: object) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_abstract(node: ast.AST) -> bool:
    return any("abstract" in ast.unparse(one) for one in getattr(node, "decorator_list", ()))


def _changed(
    path: str, name: str, old: ast.AST, new: ast.AST, line: int, *, are_read: bool
) -> Iterator[Altered]:
    """Yield how a definition differs; `are_read` tells whether annotations of fields count."""
    if isinstance(old, grammar.Function) and isinstance(new, grammar.Function):
        yield from _function(path, name, old, new, line)
    elif isinstance(old, ast.ClassDef) and isinstance(new, ast.ClassDef):
        if _heads(old) != _heads(new):
            marked = ast.dump(ast.Tuple(old.bases)) == ast.dump(ast.Tuple(new.bases))
            shown = _shown(old, marked=marked), _shown(new, marked=marked)
            yield Altered(path, name, Way.BASES, line, *shown)
    elif isinstance(old, ast.Import | ast.ImportFrom) or isinstance(
        new, ast.Import | ast.ImportFrom
    ):
        # Handed on from elsewhere now: whoever imports it here still finds it.
        if type(old) is not type(new):
            yield Altered(path, name, Way.BODY, line, "", _handed_by(new, name))
    elif isinstance(old, ast.Assign | ast.AnnAssign) and isinstance(
        new, ast.Assign | ast.AnnAssign
    ):
        before, after = _value(old), _value(new)
        types = [_annotation(one) for one in (old, new)]
        if before != after:
            yield Altered(path, name, Way.VALUE, line, before, after)
        elif _deed(old) != _deed(new) or (are_read and types[0] != types[1]):
            yield Altered(path, name, Way.BODY, line)
    else:
        yield Altered(path, name, Way.SIGNATURE, line, _shown(old), _shown(new))


def _handed_by(node: ast.AST, name: str) -> str:
    """Return what a name stands for by an import with the whole name of a module."""
    if not isinstance(node, ast.ImportFrom) or node.level or not node.module:
        return ""
    found = next((one.name for one in node.names if (one.asname or one.name) == name), "")
    return f"{node.module}.{found}" if found else ""


def _function(
    path: str, name: str, old: grammar.Function, new: grammar.Function, line: int
) -> Iterator[Altered]:
    before, after = _signature(old, name), _signature(new, name)
    if before is None or after is None:
        return
    shown = _shown(old), _shown(new)
    deeds = _deeds(old.body)
    if deeds and deeds == _deeds(new.body):
        # It does what it did: what it gives was only written down rightly.
        after = replace(after, returns=before.returns)
    if before.parameters != after.parameters or before.marks != after.marks:
        if _is_abstract(new) and not _is_abstract(old):
            yield Altered(path, name, Way.ABSTRACT, line, *shown, before, after)
        yield Altered(path, name, Way.SIGNATURE, line, *shown, before, after)
    elif before.returns and after.returns and not _holds(after.returns, before.returns):
        yield Altered(path, name, Way.RETURNS, line, *shown, before, after)
    if deeds != _deeds(new.body):
        yield Altered(path, name, Way.BODY, line)


def _holds(after: str, before: str) -> bool:
    """Tell whether what a function gives may still be all that it gave: mostly it is, by default.

    Whether that is so for a call its body says: who calls it is told that it works otherwise.
    """
    return set(before.split(" | ")) <= set(after.split(" | "))


def _heads(node: ast.ClassDef) -> list[str]:
    return [ast.dump(one) for one in (*node.bases, *node.keywords, *node.decorator_list)]


def _deeds(body: Iterable[object]) -> list[str]:
    """Return what statements do when they run: nothing of it are annotations and docstrings."""
    return [_deed(one) for one in body if not (_is_text(one) or _is_nothing(one))]


def _in_order(name: str, text: str) -> list[str]:
    """Return what a function does from its first statement to its last; nothing of a table."""
    body: Sequence[ast.stmt] = ()
    with suppress(SyntaxError, ValueError, MemoryError):
        body = grammar.module(text).body if name else ()
    for part in name.split("."):
        body = next((getattr(one, "body", ()) for one in body if _name(one) == part), ())
    return _deeds(body)


def _name(node: ast.stmt) -> str:
    return node.name if isinstance(node, ast.ClassDef | grammar.Function) else ""


def _is_nothing(node: object) -> bool:
    return isinstance(node, ast.Pass) or (isinstance(node, ast.AnnAssign) and node.value is None)


def _deed(node: object) -> str:
    match node:
        case ast.ClassDef():
            return ast.dump(node)  # its annotations may be fields
        case ast.AnnAssign(target=target, value=value):
            return f"Assign([{_deed(target)}],{_deed(value)})"
        case ast.AST():
            parts = (_deed(v) for name, v in ast.iter_fields(node) if name not in _NOT_RUN)
            return f"{type(node).__name__}({','.join(parts)})"
        case list():
            return f"[{','.join(_deeds(node))}]"
    return repr(node)


_NOT_RUN = frozenset({"annotation", "returns", "type_comment"})
_ORDINARY = re.compile(r"\s*class\s+\w+\s*(?:\(\s*\))?\s*:")
_PARTIAL = re.compile(r"\btotal\s*=\s*False\b")
_REQUIRED = re.compile(r"\bRequired\[")
_NOT_GIVEN = re.compile(r"\b(?:NotRequired|ClassVar)\b")


def _value(node: ast.Assign | ast.AnnAssign) -> str:
    return _short(ast.unparse(_plain(node.value))) if node.value is not None else ""


def _plain(node: ast.expr) -> ast.expr:
    """Return the default that a field is declared with: `Field(default=1, ge=1)` is 1."""
    if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2].lower() == "field":
        for word in node.keywords:
            if word.arg == "default":
                return word.value
        if node.args and not isinstance(node.args[0], ast.Starred):
            return node.args[0]
    return node


def _short(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= _MOST_OF_TEXT else plain[: _MOST_OF_TEXT - 1] + "…"


def _shown(node: ast.AST, *, marked: bool = False) -> str:
    """Return the head of a definition in one line, of a class with decorators where asked."""
    if isinstance(node, grammar.Function):
        word = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
        gives = f" -> {ast.unparse(node.returns)}" if node.returns else ""
        return _short(f"{word} {node.name}({ast.unparse(node.args)}){gives}")
    if isinstance(node, ast.ClassDef):
        bases = ", ".join([*map(ast.unparse, node.bases), *map(ast.unparse, node.keywords)])
        marks = "".join(f"@{ast.unparse(one)} " for one in node.decorator_list if marked)
        return _short(marks + (f"class {node.name}({bases})" if bases else f"class {node.name}"))
    return _short(ast.unparse(node))


def _signature(node: ast.AST, name: str) -> Signature | None:
    if not isinstance(node, grammar.Function):
        return None
    marks = [
        mark
        for one in node.decorator_list
        if (mark := ast.unparse(one)) in ("staticmethod", "classmethod", "property")
        or mark.endswith("cached_property")
    ]
    if isinstance(node, ast.AsyncFunctionDef):
        marks.append("async")
    parameters = [
        Parameter(one.node.arg, one.kind, _short(ast.unparse(one.default)) if one.default else None)
        for one in grammar.arguments_of(node)
    ]
    if "." in name and "staticmethod" not in marks:
        parameters = parameters[1:]
    gives = _type(node.returns) if node.returns else ""
    return Signature(tuple(parameters), gives, tuple(marks))


def _annotation(node: ast.Assign | ast.AnnAssign) -> str:
    return _type(node.annotation) if isinstance(node, ast.AnnAssign) else ""


def _type(node: ast.expr) -> str:
    """Return an annotation in the one way in which all that mean the same are written."""
    return ast.unparse(_Plainly().visit(copy.deepcopy(node)))


def _is_told_beside(node: ast.expr) -> bool:
    """Return whether a part of an annotation is for a parser or a page, and no type.

    A `Field` may ask for a range as well.
    """
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str)
    return isinstance(node, ast.Call) and _called_name(node) != "Field"


class _Plainly(ast.NodeTransformer):
    """Writes `"Optional[List[X]]"` as `list[X] | None`, and `Annotated[X, Arg(…)]` as `X`."""

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        try:
            found = grammar.expression(node.value).body if isinstance(node.value, str) else node
        except (SyntaxError, ValueError):
            return node
        return node if isinstance(found, ast.Constant) else self.visit(found)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        name = ast.unparse(node.value).rpartition(".")[2]
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else []
        if name != "Literal" and parts[1:] and all(map(_is_told_beside, parts[1:])):
            return parts[0]
        if name not in ("Optional", "Union"):
            return node
        of = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
        of += [ast.Constant(None)] if name == "Optional" else []
        found = of[0]
        for one in of[1:]:
            found = ast.BinOp(found, ast.BitOr(), one)
        return found

    def visit_Name(self, node: ast.Name) -> ast.AST:
        is_old = node.id in ("Dict", "List", "Tuple", "Type", "Set", "FrozenSet")
        return ast.Name(node.id.lower()) if is_old else node
