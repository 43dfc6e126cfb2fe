"""Texts of Python as trees, one at a time.

CPython counts how deep it is in the one tree that it makes, and where two threads make trees it may
raise `SystemError`: https://github.com/python/cpython/issues/106905.
"""

import ast
from threading import Lock

_ONE = Lock()


def module(text: str) -> ast.Module:
    """Read a file; raises `SyntaxError`, `ValueError`, `MemoryError` or `RecursionError`."""
    with _ONE:
        return ast.parse(text)


def expression(text: str) -> ast.Expression:
    """Read one expression; raises as `module` does."""
    with _ONE:
        return ast.parse(text, mode="eval")
