"""Texts of Python as trees, one at a time, and what every reader of these trees asks of them.

CPython counts how deep it is in the one tree that it makes, and where two threads make trees it may
raise `SystemError`: https://github.com/python/cpython/issues/106905.
"""

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress, count, pairwise
from operator import ne
from threading import Lock
from typing import NamedTuple

_ONE = Lock()

Function = ast.FunctionDef | ast.AsyncFunctionDef
"""A function or a method."""


@dataclass(frozen=True, slots=True)
class Argument:
    """A parameter as it is written: `kind` is `positional`, `keyword` (alone), `*` or `**`."""

    node: ast.arg
    kind: str
    default: ast.expr | None = None


UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)
"""What reading a file raises that is no Python of today, or nested beyond all measure."""


def module(text: str) -> ast.Module:
    """Read a file; raises `SyntaxError`, `ValueError`, `MemoryError` or `RecursionError`."""
    with _ONE:
        return ast.parse(text.removeprefix("\ufeff"))


@lru_cache(maxsize=4)  # the sides of one file, which are read one after the other
def lines_of(text: str) -> Sequence[str]:
    """Return the lines of a file."""
    return text.split("\n")


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


_BLOCKS = (ast.stmt, ast.excepthandler, ast.match_case)


def bodies(tree: ast.Module) -> Iterator[Sequence[ast.stmt]]:
    """Yield the statements of a file and of all its classes and functions, none where it is empty.

    Expressions, which are most of a tree, are not looked into: no statement stands in one.
    """
    left: list[ast.AST] = [tree]
    while left:
        node = left.pop()
        if isinstance(node, ast.Module | ast.ClassDef | Function) and node.body:
            yield node.body
        for name in node._fields:
            inner = getattr(node, name)
            if isinstance(inner, list) and inner and isinstance(inner[0], _BLOCKS):
                left += inner


MAX_CHARACTERS = 1_000_000
"""A longer file is no source that people write, and is not read."""

_MANY_BLOCKS = 500
"""Statements that differ above which the whole file is cut and parsed: that is faster then."""

_LONG_BLOCK = 30
"""Lines above which a function or table is cut further."""

_HEADER = re.compile(r"(?:class|def|async def|if|with|try)\b")
_DEFINED = re.compile(r"(?:async\s+)?(class|def)\s+(\w+)")
_JOINS = re.compile(r"(?:else|elif|except|finally)\b")
_NO_BEGINNING = frozenset(("", " ", "\t", "#", ")", "]", "}", "\r"))
_TABLE = re.compile(r"[\w.]+\s*(?::[^=]*)?=\s*\{$")


@dataclass(frozen=True, slots=True)
class Owner:
    """A class, function or other block around a statement: its name, its header as written."""

    kind: str
    name: str
    header: str
    indent: int


_Identity = tuple[object, ...]


class Block(NamedTuple):
    """A statement with the blocks around it, and the line (from 1) on which it begins.

    A tuple because a busy day has tens of thousands.
    `header` tells that it is the head of a block alone, whose members are blocks of their own.
    """

    owners: tuple[Owner, ...]
    text: str
    line: int
    header: bool = False
    table: str = ""
    indent: int = 0
    opened: bool = False

    @property
    def identity(self) -> _Identity:
        """What makes two blocks the same, whatever their place in the file."""
        around = tuple((owner.kind, owner.name) for owner in self.owners)
        return around, self.table, self.text.rstrip()


@dataclass(frozen=True, slots=True)
class Parsed:
    """A block's statements, whose line numbers are to be raised by `offset`."""

    block: Block
    body: Sequence[ast.stmt]
    offset: int


def differing(
    before: str,
    after: str,
    *,
    cut: bool = False,
    matters: Callable[[Block], bool] = lambda _: True,
) -> tuple[list[Parsed], list[Parsed]]:
    """Return the parsed blocks that only the one side has, and those that only the other has.

    Where a file cannot be cut into statements that parse, it is parsed whole; where that fails
    too (Python 2, a template, something generated), it raises as `module` does: with one side
    alone all of it would look new, or gone. It raises `ValueError` for what is too long, too.
    Of texts that are `cut` out of a file, the statements that parse are given, and that matter
    by their words.
    """
    if len(before) > MAX_CHARACTERS or len(after) > MAX_CHARACTERS:
        raise ValueError(f"longer than {MAX_CHARACTERS} characters")
    old, new = _Side(before), _Side(after)
    left, right = _apart_at_the_top(old, new)
    while True:
        further = [side.opened(blocks) for side, blocks in ((old, left), (new, right))]
        if further[0] is None and further[1] is None:
            break
        left, right = _apart(
            left if further[0] is None else further[0],
            right if further[1] is None else further[1],
        )
    if cut:
        return _parts(filter(matters, left)), _parts(filter(matters, right))
    if len(left) + len(right) > _MANY_BLOCKS:
        return _whole(before), _whole(after)
    try:
        return _parsed(left), _parsed(right)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return _whole(before), _whole(after)


def _apart_at_the_top(old: "_Side", new: "_Side") -> tuple[list[Block], list[Block]]:
    """Return the statements at the top that only the one side has, and those of the other."""
    # Most of a file stays: what both sides begin and end with is not cut.
    first, behind = _alike(old, new)
    left, right = _apart(old.blocks(first, behind), new.blocks(first, behind))
    end = "\n".join(old.lines[len(old.lines) - behind :])
    apart = [*left, *right]
    if len(apart) > _MANY_BLOCKS or any(one.text.rstrip() in end for one in apart):
        # Of statements that are written alike the last one is told, which may stand there.
        return _apart(old.blocks(), new.blocks())
    return left, right


def _alike(old: "_Side", new: "_Side") -> tuple[int, int]:
    """Return how many lines at the begin and at the end are of whole statements of both sides."""
    sizes = len(old.lines), len(new.lines)
    same = next(compress(count(), map(ne, old.lines, new.lines)), min(sizes))
    first = 0
    if old.inside[:same] == new.inside[:same]:
        begun = pairwise(old.tops(range(same - 1, -1, -1)))
        first = next((begin for begin, above in begun if old.lines[above][0] != "@"), 0)
    differ = map(ne, reversed(old.lines), reversed(new.lines))
    same = next(compress(count(), differ), min(sizes))
    same = min(same, min(sizes) - first)
    last = sizes[0]
    if old.inside[sizes[0] - same : sizes[0]] == new.inside[sizes[1] - same : sizes[1]]:
        begun = pairwise(old.tops(range(sizes[0] - same, sizes[0])))
        last = next((begin for above, begin in begun if old.lines[above][0] != "@"), last)
    return first, sizes[0] - last


def _apart(left: Sequence[Block], right: Sequence[Block]) -> tuple[list[Block], list[Block]]:
    """Return the blocks that only the one side has, and those that only the other has."""
    old, new = ([block.identity for block in side] for side in (left, right))
    return _only(left, old, new), _only(right, new, old)


def _only(
    blocks: Sequence[Block], identities: Sequence[_Identity], others: Sequence[_Identity]
) -> list[Block]:
    there = Counter(others)
    found = []
    for block, identity in zip(blocks, identities, strict=True):
        if there[identity] > 0:
            there[identity] -= 1
        else:
            found.append(block)
    return found


def _parts(blocks: Iterable[Block]) -> list[Parsed]:
    found: list[Parsed] = []
    for block in blocks:
        with suppress(SyntaxError, ValueError, RecursionError, MemoryError):
            found += _parsed([block])
    return found


def _whole(text: str) -> list[Parsed]:
    return [Parsed(Block((), text, 1), module(text).body, 0)]


def _parsed(blocks: Sequence[Block]) -> list[Parsed]:
    found = []
    for block in blocks:
        prefix = [" " * owner.indent + _opening(owner) for owner in block.owners]
        if block.table:
            prefix.append(block.table)
        suffix = "\n}" if block.table else ""
        if block.header:
            width = len(block.text) - len(block.text.lstrip(" "))
            suffix = "\n" + " " * (width + 1) + "pass"
        text = "\n".join([*prefix, block.text]) + suffix
        body: Sequence[ast.stmt] = module(text).body
        for _ in block.owners:
            body = getattr(body[0], "body", ())
            if not body:
                break
        found.append(Parsed(block, body, block.line - 1 - len(prefix)))
    return found


def _opening(owner: Owner) -> str:
    if owner.kind == "class":
        return f"class {owner.name}:"
    return f"def {owner.name}():" if owner.kind == "def" else "if True:"


class _Side:
    """One side of a file, cut as far as it has to be: first between the statements at its top."""

    def __init__(self, text: str) -> None:
        self.lines = lines_of(text)
        self.inside = bytearray(len(self.lines) + 1)
        if '"""' in text or "'''" in text:
            _mark_strings(text, self.inside)

    def blocks(self, first: int = 0, behind: int = 0) -> list[Block]:
        """Return the statements at the top, without lines at the begin and at the end."""
        return list(_cut(self.lines, self.inside, first, len(self.lines) - behind, 0, ()))

    def tops(self, numbers: Iterable[int]) -> Iterator[int]:
        """Yield those of some lines with which a statement at the top or its decorator begins."""
        for number in numbers:
            line = self.lines[number]
            if not (line[:1] in _NO_BEGINNING or self.inside[number] or _JOINS.match(line)):
                yield number

    def opened(self, blocks: Sequence[Block]) -> list[Block] | None:
        """Return the blocks, with the members of those that have some; None if none has."""
        found: list[Block] = []
        changed = False
        for block in blocks:
            inner = [] if block.opened else list(_open(self.lines, self.inside, block))
            changed = changed or len(inner) > 1
            found += inner or [block]
        return found if changed else None


def _mark_strings(text: str, inside: bytearray) -> None:
    """Mark the lines that begin within a triple-quoted string."""
    line = at = 0
    for begin, end in _triple_quoted(text):
        start = line + text.count("\n", at, begin)
        line = start + text.count("\n", begin, end)
        at = end
        inside[start + 1 : line + 1] = b"\1" * (line - start)


def _triple_quoted(text: str) -> Iterator[tuple[int, int]]:
    """Yield where triple-quoted strings begin and end; one that nothing ends is none."""
    at = 0
    following = {mark: text.find(mark) for mark in ('"""', "'''")}
    while found := [(begin, mark) for mark, begin in following.items() if begin >= 0]:
        begin, mark = min(found)
        end = text.find(mark, begin + 3)
        if end < 0:
            del following[mark]
            continue
        yield begin, (at := end + 3)
        for mark, begin in following.items():
            if 0 <= begin < at:
                following[mark] = text.find(mark, at)


def _cut(
    lines: Sequence[str],
    inside: bytearray,
    start: int,
    end: int,
    indent: int,
    owners: tuple[Owner, ...],
) -> Iterator[Block]:
    begins = _beginnings(lines, inside, start, end, indent)
    for number, begin in enumerate(begins):
        stop = begins[number + 1] if number + 1 < len(begins) else end
        yield Block(owners, "\n".join(lines[begin:stop]), begin + 1, indent=indent)


def _beginnings(
    lines: Sequence[str], inside: bytearray, start: int, end: int, indent: int
) -> list[int]:
    """Return the lines on which statements of a depth begin, decorators with what they adorn."""
    begins = []
    decorated = False
    margin = " " * indent
    for number in range(start, end):
        line = lines[number]
        if (
            line[indent : indent + 1] in _NO_BEGINNING
            or inside[number]
            or line[:indent] != margin
            or _JOINS.match(line, indent)
        ):
            continue
        if not decorated:
            begins.append(number)
        decorated = line[indent] == "@"
    return begins


def _open(lines: Sequence[str], inside: bytearray, block: Block) -> Iterator[Block]:
    """Yield the head and the members of a class, a long function or a long table."""
    begin, indent, owners = block.line - 1, block.indent, block.owners
    stop = begin + block.text.count("\n") + 1
    head = begin
    while head < stop and lines[head][indent : indent + 1] == "@":
        head = _next_at(lines, head + 1, stop, indent)
    first = lines[head].rstrip() if head < stop else ""
    if not _HEADER.match(first, indent):
        table = _TABLE.fullmatch(first.strip())
        if table and not owners and stop - begin > _LONG_BLOCK:
            yield from _table(lines, inside, head, stop, first)
        return
    defined = _DEFINED.match(first, indent)
    kind = defined[1] if defined else "block"
    body = _body(lines, head, stop, indent)
    if (
        body is None
        or (kind != "class" and stop - begin <= _LONG_BLOCK)
        or (kind == "block" and any(_JOINS.match(line, indent) for line in lines[body:stop]))
        or len(owners) >= 4
    ):
        return
    depth = len(lines[body]) - len(lines[body].lstrip(" "))
    if depth <= indent:
        return
    header = "\n".join(lines[begin:body])
    owner = Owner(kind, defined[2] if defined else "", header, indent)
    yield Block(owners, header, begin + 1, header=True, opened=True)
    yield from _cut(lines, inside, body, stop, depth, (*owners, owner))


def _next_at(lines: Sequence[str], start: int, stop: int, indent: int) -> int:
    for number in range(start, stop):
        line = lines[number]
        if len(line) > indent and line[:indent].strip() == "" and line[indent] not in " )]}#":
            return number
    return stop


def _body(lines: Sequence[str], head: int, stop: int, indent: int) -> int | None:
    """Return the first line of a block's body, None where its head is not plainly written."""
    first = lines[head].partition("  #")[0].rstrip()
    end = head
    if first.endswith("("):
        end = next(
            (
                number
                for number in range(head + 1, stop)
                if lines[number][indent : indent + 1] == ")" and not lines[number][:indent].strip()
            ),
            stop,
        )
        if end == stop or not lines[end].partition("  #")[0].rstrip().endswith(":"):
            return None
    elif not first.endswith(":"):
        return None
    for number in range(end + 1, stop):
        if lines[number].strip() and not lines[number].lstrip().startswith("#"):
            return number
    return None


def _table(
    lines: Sequence[str], inside: bytearray, head: int, stop: int, first: str
) -> Iterator[Block]:
    last = next((n for n in range(stop - 1, head, -1) if lines[n].startswith("}")), None)
    body = next((n for n in range(head + 1, stop) if lines[n].strip()), None)
    if last is None or body is None or lines[last].rstrip() != "}":
        return
    indent = len(lines[body]) - len(lines[body].lstrip(" "))
    begins = _beginnings(lines, inside, body, last, indent)
    for number, begin in enumerate(begins):
        end = begins[number + 1] if number + 1 < len(begins) else last
        text = "\n".join(lines[begin:end])
        yield Block((), text, begin + 1, table=first.strip(), opened=True)
    if any(line.strip() for line in lines[last + 1 : stop]):
        yield Block((), "\n".join(lines[last + 1 : stop]), last + 2, opened=True)
