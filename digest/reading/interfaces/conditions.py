"""Conditions as code writes them: what has to hold in a branch, and what follows from what.

`loaf in ["rye", "oat"]` holds where `loaf == "oat"` does, and `is_hot() or is_warm()` where either
does. Everything else is a text that is the same or another one.
"""

import ast
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from digest.reading.interfaces import grammar

_NOT = "not "
_LISTS = (ast.List, ast.Tuple, ast.Set)

Conditions = tuple[str, ...]


def held(test: ast.expr) -> Conditions:
    """Return what holds where a test does, each condition by itself."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return tuple(one for value in test.values for one in held(value))
    return (ast.unparse(test),)


def failed(test: ast.expr) -> Conditions:
    """Return what holds where a test does not."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return held(test.operand)
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or):
        return tuple(one for value in test.values for one in failed(value))
    return (ast.unparse(ast.UnaryOp(ast.Not(), test)),)


@lru_cache(maxsize=4096)
def opposite(condition: str) -> Conditions:
    """Return what holds where a condition does not."""
    return failed(grammar.expression(condition).body)


@dataclass(frozen=True)
class Held:
    """Conditions that hold together."""

    conditions: frozenset[str]

    def gives(self, condition: str) -> bool:
        """Tell whether a condition holds as well: it, one of its parts, or a shorter list."""
        if condition in self.conditions:
            return True
        parts = {*_parts(condition)}
        if len(parts) > 1 and (
            not parts.isdisjoint(self.conditions) or any(one <= parts for one in self._choices)
        ):
            return True
        fails = condition.startswith(_NOT)
        of, values = listed(condition.removeprefix(_NOT))
        others = self._lists.get((fails, of), ()) if of else ()
        return any({*values} <= one if fails else one <= {*values} for one in others)

    @cached_property
    def _choices(self) -> Sequence[set[str]]:
        return [{*_parts(one)} for one in self.conditions if " or " in one]

    @cached_property
    def _lists(self) -> Mapping[tuple[bool, str], Sequence[set[str]]]:
        found: defaultdict[tuple[bool, str], list[set[str]]] = defaultdict(list)
        for one in self.conditions:
            of, values = listed(one.removeprefix(_NOT))
            if of:
                found[one.startswith(_NOT), of].append({*values})
        return found


def beyond(wide: str, narrow: str) -> str:
    """Return what a condition takes beside a narrower one; empty where it is no wider."""
    (of, values), (same, few) = listed(wide), listed(narrow)
    if of and of == same and {*few} < {*values}:
        return as_one(of, [one for one in values if one not in few])
    parts, fewer = _parts(wide), _parts(narrow)
    if {*fewer} < {*parts}:
        return " or ".join(one for one in parts if one not in fewer)
    return ""


def as_one(of: str, values: Sequence[str]) -> str:
    """Return a condition that something is one of some values."""
    return f"{of} == {values[0]}" if len(values) == 1 else f"{of} in [{', '.join(values)}]"


def contradict(one: str, other: str) -> bool:
    """Tell whether one of two conditions fails where the other holds."""
    if opposite(one) == (other,) or opposite(other) == (one,):
        return True
    (of, values), (same, others) = listed(one), listed(other)
    return bool(of) and of == same and {*values}.isdisjoint(others)


@lru_cache(maxsize=4096)
def listed(condition: str) -> tuple[str, Sequence[str]]:
    """Return what a condition asks to be one of some values, and these; of others nothing."""
    if " in " in condition or " == " in condition:
        body = grammar.expression(condition).body
        if isinstance(body, ast.Compare) and len(body.ops) == 1:
            left, right = ast.unparse(body.left), body.comparators[0]
            if isinstance(body.ops[0], ast.Eq) and isinstance(right, ast.Constant):
                return left, (ast.unparse(right),)
            if isinstance(body.ops[0], ast.In) and isinstance(right, _LISTS):
                return left, tuple(map(ast.unparse, right.elts))
    return "", ()


@lru_cache(maxsize=4096)
def _parts(condition: str) -> Sequence[str]:
    """Return of what any makes a condition hold: of `a or b` both."""
    if " or " in condition:
        body = grammar.expression(condition).body
        if isinstance(body, ast.BoolOp) and isinstance(body.op, ast.Or):
            return tuple(map(ast.unparse, body.values))
    return (condition,)
