"""Warnings whose text is put together: with the names that a loop, or who calls it, gives them.

for name in ("ROCKET_A", "ROCKET_B"):
    logger.warning("%s is deprecated", name)
"""

import ast
import re
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest

from digest.reading.interfaces import grammar

WARNS = ("warn", "warning", "warning_once")
"""What is called to warn."""
_OWN = ("self", "cls")
"""How a method speaks of what it belongs to."""
_IF_SET = re.compile(r"\b(?:environ|getenv|is_set|getattr)\b")
"""In a condition, the question whether somebody sets what is deprecated."""
_UNKNOWN = "…"
"""What stands for a part of a message that only a run knows."""
_UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)
_HEAD = re.compile(r"^(?P<margin>[ \t]*)(?:async )?def (?P<name>\w+)\(", re.M)
_LONGEST = 80
"""Lines of a function, or of a literal, after which it is read no further."""
_MOST_HELPERS = 12
"""Functions of a file that may put a warning together; of more none is read."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message with one of the names that it was filled with, and the line where that stands.

    `is_of_text` tells that this is a line of the whole text, and none of the statement.
    """

    text: str
    name: str
    line: int
    is_of_text: bool = False


@dataclass(frozen=True, slots=True)
class _Hole:
    """A place in a message for the value of a variable, as a flag writes it if `dashed`."""

    variable: str
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class _Template:
    parts: tuple[str | _Hole, ...]

    def filled(self, values: Mapping[str, str]) -> str:
        """Return the text, with a sign in the place of what is not among the values."""
        return "".join(
            part if isinstance(part, str) else _value(part, values) for part in self.parts
        )


def _value(hole: _Hole, values: Mapping[str, str]) -> str:
    value = values.get(hole.variable, _UNKNOWN)
    return value.replace("_", "-") if hole.dashed else value


@dataclass(frozen=True, slots=True)
class _Helper:
    """A function that warns of what it is given: its parameters, and what it says."""

    parameters: tuple[str, ...]
    says: tuple[_Template, ...]


def messages_of_loop(loop: ast.For, text: str) -> Iterator[Message]:
    """Yield what a loop over names that stand in a file's text warns of, each name by itself."""
    targets = loop.target.elts if isinstance(loop.target, ast.Tuple) else [loop.target]
    variables = [one.id for one in targets if isinstance(one, ast.Name)]
    said = list(_said(loop.body))
    if not said or len(variables) != len(targets):
        return
    is_of_text = isinstance(_table(loop.iter), ast.Name)
    for row in _rows(loop.iter, text):
        if len(row) != len(variables):
            continue
        values = {name: str(one.value) for name, one in zip(variables, row, strict=True)}
        lines = {name: one.lineno for name, one in zip(variables, row, strict=True)}
        for template in said:
            for part in template.parts:
                if isinstance(part, _Hole) and part.variable in values:
                    filled, name = template.filled(values), _value(part, values)
                    yield Message(filled, name, lines[part.variable], is_of_text)


def messages_of_call(call: ast.Call, text: str) -> Iterator[Message]:
    """Yield what a function of a file's text warns of when it is called so, by each name."""
    called = call.func
    own = isinstance(called, ast.Attribute) and ast.unparse(called.value) in _OWN
    name = called.attr if isinstance(called, ast.Attribute) and own else ""
    helper = _helpers(text).get(called.id if isinstance(called, ast.Name) else name)
    if helper is None:
        return
    parameters = helper.parameters
    if any(one in _OWN for one in parameters[:1]) is not own:
        return  # a function of the same name, of another class or of none
    parameters = parameters[1:] if own else parameters
    given = [
        *zip(parameters, call.args, strict=False),
        *((keyword.arg or "", keyword.value) for keyword in call.keywords),
    ]
    values: dict[str, str] = {}
    lines: dict[str, int] = {}
    for parameter, node in given:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            values[parameter] = node.value
            lines[parameter] = node.lineno
    for template in helper.says:
        for part in template.parts:
            if isinstance(part, _Hole) and part.variable in values:
                shown = _value(part, values)
                yield Message(template.filled(values), shown, lines[part.variable])


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _said(body: Sequence[ast.stmt], parameters: Sequence[str] = ()) -> Iterator[_Template]:
    """Yield the messages with holes that statements warn by, whatever the parameters are.

    What is said below a condition on one of them, or behind one that returns, is said of some
    names alone.
    """
    nodes = [node for statement in body for node in ast.walk(statement)]
    choices = [one for one in nodes if isinstance(one, ast.If) and _is_choice(one, parameters)]
    within = [(one, list(ast.walk(one))) for one in choices]
    of_some = {id(node) for _, inner in within for node in inner}
    leaves = [one for one, inner in within if any(isinstance(node, ast.Return) for node in inner)]
    last = min((one.lineno for one in leaves), default=None)
    for node in nodes:
        if not isinstance(node, ast.Call) or not node.args or id(node) in of_some:
            continue
        called = node.func
        name = called.attr if isinstance(called, ast.Attribute) else ""
        name = called.id if isinstance(called, ast.Name) else name
        is_of_all = last is None or node.lineno < last
        template = _template(node.args) if name in WARNS and is_of_all else None
        if template is not None:
            yield template


def _is_choice(statement: ast.If, parameters: Sequence[str]) -> bool:
    """Tell whether a condition asks something else of a parameter than whether it is set.

    Where one is not given, something else may be said of the others.
    """
    test = statement.test
    for asked in test.values if isinstance(test, ast.BoolOp) else [test]:
        named = any(isinstance(one, ast.Name) and one.id in parameters for one in ast.walk(asked))
        or_else = bool(statement.orelse) and ast.unparse(asked).endswith(
            (" is None", " is not None")
        )
        if named and not or_else and not _IF_SET.search(ast.unparse(asked)):
            return True
    return False


def _template(arguments: Sequence[ast.expr]) -> _Template | None:
    """Read a message with the values that are put into it; None where it has none."""
    first = arguments[0]
    parts: list[str | _Hole] = []
    if isinstance(first, ast.JoinedStr):
        for value in first.values:
            if isinstance(value, ast.Constant):
                parts.append(str(value.value))
            elif isinstance(value, ast.FormattedValue):
                parts.append(_hole(value.value) or _UNKNOWN)
    elif isinstance(first, ast.Constant) and isinstance(first.value, str):
        texts = re.split(r"%[srd]", first.value)
        holes = [_hole(one) or _UNKNOWN for one in arguments[1:]]
        if len(texts) != len(holes) + 1:
            return None
        parts = [texts[0]]
        for hole, behind in zip(holes, texts[1:], strict=True):
            parts += [hole, behind]
    return _Template(tuple(parts)) if any(isinstance(one, _Hole) for one in parts) else None


def _hole(node: ast.expr) -> _Hole | None:
    match node:
        case ast.Name(id=name):
            return _Hole(name)
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id=name), attr="replace"),
            args=[ast.Constant(value="_"), ast.Constant(value="-")],
        ):
            return _Hole(name, dashed=True)
    return None


def _rows(node: ast.expr, text: str) -> list[list[ast.Constant]]:
    """Return the texts that a loop goes over: of a dict each key, or each with its value."""
    table = _table(node)
    of_pairs = table is not node
    if isinstance(table, ast.Name):
        table = _literal(table.id, text) or table
    rows: list[list[ast.expr]] = []
    if isinstance(table, ast.Dict):
        pairs = zip(table.keys, table.values, strict=True)
        rows = [[key, value] if of_pairs else [key] for key, value in pairs if key is not None]
    elif isinstance(table, ast.List | ast.Tuple | ast.Set):
        rows = [one.elts if isinstance(one, ast.Tuple) else [one] for one in table.elts]
    return [
        [one for one in row if isinstance(one, ast.Constant)]
        for row in rows
        if all(map(_is_text, row))
    ]


def _table(node: ast.expr) -> ast.expr:
    """Return what a loop goes over, without the call of a dict's `items`."""
    match node:
        case ast.Call(func=ast.Attribute(value=table, attr="items"), args=[]):
            return table
    return node


def _literal(name: str, text: str) -> ast.expr | None:
    """Return the list, tuple or dict that a text gives a name, None where it gives none.

    Its lines are those of the text.
    """
    given = re.search(rf"^[ \t]*{re.escape(name)}\b[^=\n]*=[ \t]*(?=[\[({{])", text, re.M)
    if given is None:
        return None
    before = text.count("\n", 0, given.end())
    lines = text[given.end() :].split("\n", _LONGEST)[:_LONGEST]
    for end in range(1, len(lines) + 1):
        if not lines[end - 1].rstrip().endswith(("]", ")", "}")):
            continue
        try:
            found = grammar.expression("\n".join(lines[:end])).body
        except _UNREADABLE:
            continue
        for node in ast.walk(found):
            if isinstance(node, ast.Constant):
                node.lineno += before
        return found
    return None


@lru_cache(maxsize=8)
def _helpers(text: str) -> Mapping[str, _Helper]:
    """Return the functions of a text that warn of what they are given, by name."""
    if "deprecat" not in text or "warn" not in text:
        return {}
    heads = list(_HEAD.finditer(text))
    several = Counter(head["name"] for head in heads)
    bodies = [
        (head, body)
        for head, behind in zip_longest(heads, heads[1:])
        if several[head["name"]] == 1
        and "deprecat" in (body := text[head.start() : behind.start() if behind else len(text)])
        and "warn" in body
        and body.count("\n") <= _LONGEST
    ]
    found: dict[str, _Helper] = {}
    for head, body in bodies if len(bodies) <= _MOST_HELPERS else ():
        try:
            (function, *_) = grammar.module(textwrap.dedent(_own(body, head["margin"]))).body
        except _UNREADABLE:
            continue
        if not isinstance(function, grammar.Function):
            continue
        parameters = tuple(one.arg for one in grammar.named_arguments(function))
        said = tuple(
            template
            for template in _said(function.body, [one for one in parameters if one not in _OWN])
            if any(
                isinstance(part, _Hole) and part.variable in parameters for part in template.parts
            )
        )
        if said:
            found[head["name"]] = _Helper(parameters, said)
    return found


def _own(text: str, margin: str) -> str:
    """Return the lines of a function, without what stands behind it."""
    head, *lines = text.split("\n")
    own = [head]
    for line in lines:
        if (
            line.strip()
            and not line[: len(margin) + 1].isspace()
            and not line.lstrip().startswith(")")
        ):
            break
        own.append(line)
    return "\n".join(own)
