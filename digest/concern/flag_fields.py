"""Which field of a configuration a flag is declared by: `--kv-cache-dtype`, `CacheConfig`.

What such a flag takes and its default stand in the class, and a change of them names the flag
nowhere::

    cache_kwargs = get_kwargs(CacheConfig)
    group.add_argument("--kv-cache-dtype", **cache_kwargs["cache_dtype"])
"""

import ast
from collections.abc import Iterable, Iterator, Mapping

from digest.reading.interfaces import grammar
from digest.reading.interfaces.definition import member_name


def flags_by_field(texts: Iterable[str]) -> dict[str, str]:
    """Return flags by the fields that declare them (`cache_config.cache_dtype`), of Python files.

    A file that does not parse declares none.
    """
    found: dict[str, str] = {}
    for text in texts:
        if "add_argument(" in text and "**" in text:
            try:
                found |= _flags_of(grammar.module(text))
            except (SyntaxError, ValueError, MemoryError, RecursionError):
                continue
    return found


def _flags_of(module: ast.Module) -> dict[str, str]:
    classes: dict[str, str] = {}
    fields: dict[str, str] = {}
    found: dict[str, str] = {}
    for node in _in_order(module):
        match node:
            case ast.Assign(
                targets=[ast.Name(id=name)], value=ast.Call(args=[ast.Name(id=of)])
            ) if of.endswith("Config"):
                classes[name] = of
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Subscript() as value):
                for field in _fields_in(value, classes, {}):
                    fields[name] = field
            case ast.Call(
                func=ast.Attribute(attr="add_argument"), args=[ast.Constant(value=str(flag)), *_]
            ) if flag.startswith("--"):
                for word in node.keywords:
                    if word.arg is None:
                        each = _fields_in(word.value, classes, fields)
                        found |= dict.fromkeys(each, flag)
    return found


def _in_order(module: ast.Module) -> list[ast.Assign | ast.Call]:
    """Return the nodes as they stand: what a name is assigned comes before it is given."""
    nodes = [node for node in ast.walk(module) if isinstance(node, ast.Assign | ast.Call)]
    return sorted(nodes, key=lambda node: (node.lineno, node.col_offset))


def _fields_in(
    node: ast.expr, classes: Mapping[str, str], fields: Mapping[str, str]
) -> Iterator[str]:
    """Yield the fields that an expression takes what it gives from."""
    for part in ast.walk(node):
        match part:
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str(field))) if (
                name in classes
            ):
                yield member_name(classes[name], field)
            case ast.Name(id=name) if name in fields:
                yield fields[name]
