"""Texts of Python as trees, one at a time, and what every reader of these trees asks of them.

CPython counts how deep it is in the one tree that it makes, and where two threads make trees it may
raise `SystemError`: https://github.com/python/cpython/issues/106905.
"""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from threading import Lock

_ONE = Lock()

Function = ast.FunctionDef | ast.AsyncFunctionDef
"""A function or a method."""


@dataclass(frozen=True, slots=True)
class Argument:
    """A parameter as it is written: `kind` is `positional`, `keyword` (alone), `*` or `**`."""

    node: ast.arg
    kind: str
    default: ast.expr | None = None


def module(text: str) -> ast.Module:
    """Read a file; raises `SyntaxError`, `ValueError`, `MemoryError` or `RecursionError`."""
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
