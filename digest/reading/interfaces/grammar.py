"""Texts of Python as trees, one at a time, and what every reader of these trees asks of them.

CPython counts how deep it is in the one tree that it makes, and where two threads make trees it may
raise `SystemError`: https://github.com/python/cpython/issues/106905.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from threading import Lock

_ONE = Lock()

UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)
"""What is raised of a text that is no Python, or is nested as no person writes."""

Function = ast.FunctionDef | ast.AsyncFunctionDef
"""A function or a method."""


@dataclass(frozen=True, slots=True)
class Argument:
    """A parameter as it is written: `kind` is `positional`, `keyword` (alone), `*` or `**`."""

    node: ast.arg
    kind: str
    default: ast.expr | None = None


def module(text: str) -> ast.Module:
    """Read a file; raises one of `UNREADABLE`."""
    with _ONE:
        return ast.parse(text)


def expression(text: str) -> ast.Expression:
    """Read one expression; raises as `module` does."""
    with _ONE:
        return ast.parse(text, mode="eval")


def named_arguments(function: Function) -> list[ast.arg]:
    """Return the parameters that have a value of their own, in order: all but `*` and `**`."""
    arguments = function.args
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]


def arguments_of(function: Function) -> Iterator[Argument]:
    """Yield the parameters with their defaults, in order."""
    arguments = function.args
    plain = [*arguments.posonlyargs, *arguments.args]
    defaults: list[ast.expr | None] = [None] * (len(plain) - len(arguments.defaults))
    for one, default in zip(plain, [*defaults, *arguments.defaults], strict=True):
        yield Argument(one, "positional", default)
    if arguments.vararg is not None:
        yield Argument(arguments.vararg, "*")
    for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        yield Argument(one, "keyword", default)
    if arguments.kwarg is not None:
        yield Argument(arguments.kwarg, "**")


def statements(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield statements, those under `if`, `try` and `with` among them."""
    for node in body:
        yield node
        if isinstance(node, ast.If | ast.Try | ast.With):
            yield from statements(node.body)
        if isinstance(node, ast.If | ast.Try):
            yield from statements(node.orelse)
        if isinstance(node, ast.Try):
            yield from statements(node.finalbody)
            for handler in node.handlers:
                yield from statements(handler.body)


MAX_CHARACTERS = 1_000_000
"""A longer file is no source that people write, and is not read."""

_DEEPEST = 4
"""Classes within classes up to which each is cut into its members."""

_TRIPLE = re.compile(r'"""[\s\S]*?"""|' + r"'''[\s\S]*?'''")
_OPENS = re.compile(r"class (\w+)|if True:$")
_JOINS = re.compile(r"(?:else|elif|except|finally)\b")
_NO_BEGINNING = frozenset(("", " ", "\t", "#", ")", "]", "}", "\r"))


@dataclass(frozen=True, slots=True)
class Owner:
    """A class around a statement: its name, its header as written; no name of an `if True`."""

    name: str
    header: str
    indent: int


@dataclass(frozen=True, slots=True)
class Block:
    """A statement with the classes around it, and the line (from 1) on which it begins.

    `header` tells that it is the head of a class alone, whose members are blocks of their own.
    """

    owners: tuple[Owner, ...]
    text: str
    line: int
    indent: int = 0
    header: bool = False

    @property
    def identity(self) -> tuple[object, ...]:
        """What makes two blocks the same, whatever their place in the file."""
        return tuple(owner.name for owner in self.owners), self.text.rstrip()


@dataclass(frozen=True, slots=True)
class Parsed:
    """A block's statements, whose line numbers are to be raised by `offset`."""

    block: Block
    body: Sequence[ast.stmt]
    offset: int

    @property
    def classes(self) -> tuple[Owner, ...]:
        """The classes around the statements, outermost first."""
        return tuple(owner for owner in self.block.owners if owner.name)


def differing(before: str, after: str, *, cut: bool = False) -> tuple[list[Parsed], list[Parsed]]:
    """Return the parsed blocks that only the one side has, and those that only the other has.

    Where a file cannot be cut into statements that parse, it is parsed whole; where that fails
    too (a newer Python, a template), or where a text is `cut` out of a file, the statements that
    parse are given.
    """
    if len(before) > MAX_CHARACTERS or len(after) > MAX_CHARACTERS:
        return [], []
    old, new = _Side(before), _Side(after)
    left, right = old.blocks(), new.blocks()
    while True:
        left, right = _only(left, right), _only(right, left)
        opened = [inner for one in left for inner in old.opened(one)]
        others = [inner for one in right for inner in new.opened(one)]
        if len(opened) == len(left) and len(others) == len(right):
            break
        left, right = opened, others
    if cut:
        return _parts(left), _parts(right)
    with suppress(*UNREADABLE):
        return _parsed(left), _parsed(right)
    with suppress(*UNREADABLE):
        return _whole(before), _whole(after)
    return _parts(left), _parts(right)


def _only(blocks: Sequence[Block], others: Sequence[Block]) -> list[Block]:
    there = Counter(block.identity for block in others)
    found = []
    for block in blocks:
        identity = block.identity
        if there[identity] > 0:
            there[identity] -= 1
        else:
            found.append(block)
    return found


def _parts(blocks: Iterable[Block]) -> list[Parsed]:
    found: list[Parsed] = []
    for block in blocks:
        with suppress(*UNREADABLE):
            found += _parsed([block])
    return found


def _whole(text: str) -> list[Parsed]:
    return [Parsed(Block((), text, 1), module(text).body, 0)]


def _parsed(blocks: Sequence[Block]) -> list[Parsed]:
    found = []
    for block in blocks:
        lines = [
            " " * owner.indent + (f"class {owner.name}:" if owner.name else "if True:")
            for owner in block.owners
        ]
        offset = block.line - 1 - len(lines)
        lines.append(block.text)
        if block.header:
            lines.append(" " * (block.indent + 1) + "pass")
        body: Sequence[ast.stmt] = module("\n".join(lines)).body
        for _ in block.owners:
            body = getattr(body[0], "body", ()) if body else ()
        found.append(Parsed(block, body, offset))
    return found


class _Side:
    """One side of a file, cut as far as it has to be: first between the statements at its top."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._inside = bytearray(len(self._lines) + 1)
        if '"""' in text or "'''" in text:
            _mark_strings(text, self._inside)

    def blocks(self) -> list[Block]:
        """Return the statements at the top."""
        return list(self._cut(0, len(self._lines), 0, ()))

    def opened(self, block: Block) -> list[Block]:
        """Return the head and the members of a class, of any other statement itself."""
        indent, owners = block.indent, block.owners
        begin, stop = block.line - 1, block.line + block.text.count("\n")
        head = begin
        while head < stop and self._lines[head][indent : indent + 1] in _NOT_OF_HEAD:
            head += 1
        opens = _OPENS.match(self._lines[head].rstrip(), indent) if head < stop else None
        body = self._body(head, stop, indent) if opens else None
        if block.header or opens is None or body is None or len(owners) >= _DEEPEST:
            return [block]
        depth = len(self._lines[body]) - len(self._lines[body].lstrip(" "))
        if depth <= indent:
            return [block]
        header = "\n".join(self._lines[begin:body])
        owner = Owner(opens[1] or "", header, indent)
        first = [Block(owners, header, begin + 1, indent, header=True)] if owner.name else []
        return [*first, *self._cut(body, stop, depth, (*owners, owner))]

    def _cut(self, start: int, end: int, indent: int, owners: tuple[Owner, ...]) -> Iterator[Block]:
        begins = list(self._beginnings(start, end, indent))
        for begin, stop in pairwise([*begins, end]):
            yield Block(owners, "\n".join(self._lines[begin:stop]), begin + 1, indent)

    def _beginnings(self, start: int, end: int, indent: int) -> Iterator[int]:
        """Yield the lines on which statements begin, decorators with what they adorn."""
        decorated, margin = False, " " * indent
        for number in range(start, end):
            line = self._lines[number]
            if (
                line[indent : indent + 1] in _NO_BEGINNING
                or self._inside[number]
                or line[:indent] != margin
                or _JOINS.match(line, indent)
            ):
                continue
            if not decorated:
                yield number
            decorated = line[indent] == "@"

    def _body(self, head: int, stop: int, indent: int) -> int | None:
        """Return the first line of a class's body, None where its head is not plainly written."""
        lines, end = self._lines, head
        if lines[head].partition("  #")[0].rstrip().endswith("("):
            closes = (at for at in range(head + 1, stop) if lines[at][indent : indent + 1] == ")")
            end = next(closes, head)
        if not lines[end].partition("  #")[0].rstrip().endswith(":"):
            return None
        inner = (at for at in range(end + 1, stop) if lines[at].strip())
        return next((at for at in inner if not lines[at].lstrip().startswith("#")), None)


_NOT_OF_HEAD = frozenset(("@", " ", ")", "]", "}", "#", ""))
"""With what the lines of decorators above a class begin."""


def _mark_strings(text: str, inside: bytearray) -> None:
    """Mark the lines that begin within a triple-quoted string."""
    line = at = 0
    for match in _TRIPLE.finditer(text):
        start = line + text.count("\n", at, match.start())
        line = start + text.count("\n", match.start(), match.end())
        at = match.end()
        for number in range(start + 1, line + 1):
            inside[number] = 1
