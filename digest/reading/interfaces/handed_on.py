"""Names that a package's front hands on, with the modules that define them: also lazily.

`from .parts.engine import Engine`; the same under `if TYPE_CHECKING` beside a `__getattr__`; or
what is imported once it is asked for: `{"Engine": ".parts.engine:Engine"}`,
`Engine = Lazy("rocket.parts.engine", "Engine")`.
"""

import ast
from collections.abc import Iterator, Sequence
from functools import lru_cache

from digest.reading.interfaces import grammar

_LAZY = ("__getattr__", "LazyModule")
"""What a front has that hands on what it does not import at once."""


@lru_cache(maxsize=32)  # each keeps its text
def origins(text: str, package: str) -> frozenset[tuple[str, str]]:
    """Return the public names of a front, each with the dotted name of the module that has it.

    In: the text of the `__init__` of `package`. A name may have several: what a table of strings
    does not begin with a dot may be meant from the package or from the top. Nothing of a front that
    cannot be read, nor what it hands on under another name.
    """
    try:
        tree = grammar.module(text)
    except grammar.UNREADABLE:
        return frozenset()
    is_lazy = any(word in text for word in _LAZY)
    found: set[tuple[str, str]] = set()
    listed: list[ast.expr] = []
    for node in _run(tree.body, is_lazy=is_lazy):
        if isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            found |= {(one.name, module) for one in node.names if one.asname in (None, one.name)}
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            target = node.targets[0].id
            listed += [node.value] if target == "__all__" else []
            found |= set(_called(target, node.value))
            found |= set(_tabled(node.value)) if is_lazy else set()
    among = _written_out(listed)
    return frozenset(
        (name, whole)
        for name, module in found
        if not name.startswith("_") and (among is None or name in among)
        for whole in _whole(module, package)
    )


def _run(body: Sequence[ast.stmt], *, is_lazy: bool) -> Iterator[ast.stmt]:
    """Yield the statements that run where a name is asked for; types alone are handed to nobody."""
    for node in body:
        if isinstance(node, ast.If) and _is_for_types(node.test) and not is_lazy:
            yield from _run(node.orelse, is_lazy=is_lazy)
        elif isinstance(node, ast.If | ast.Try | ast.With) or (
            isinstance(node, ast.FunctionDef) and node.name == "__getattr__"
        ):
            inner = [one for one in ast.iter_child_nodes(node) if isinstance(one, ast.stmt)]
            yield from _run(inner, is_lazy=is_lazy)
        else:
            yield node


def _is_for_types(test: ast.expr) -> bool:
    names = (getattr(one, "id", getattr(one, "attr", "")) for one in ast.walk(test))
    return "TYPE_CHECKING" in names


def _called(target: str, value: ast.expr) -> Iterator[tuple[str, str]]:
    """Read `Engine = Lazy("rocket.parts.engine", "Engine")`."""
    match value:
        case ast.Call(args=[ast.Constant(value=str(module)), ast.Constant(value=str(name)), *_]):
            if name == target:
                yield name, module


def _tabled(value: ast.expr) -> Iterator[tuple[str, str]]:
    """Read a dict of names with their modules, or of modules with their names."""
    if not isinstance(value, ast.Dict):
        return
    for key, given in zip(value.keys, value.values, strict=True):
        match key, given:
            case ast.Constant(value=str(name)), ast.Constant(value=str(written)):
                module, _, its_name = written.partition(":")
                if its_name in ("", name):
                    yield from ((name, module), (name, f".{module}"))
            case ast.Constant(value=str(module)), ast.List(elts=names):
                for one in names:
                    if isinstance(one, ast.Constant) and isinstance(one.value, str):
                        yield from ((one.value, module), (one.value, f".{module}"))


def _written_out(listed: Sequence[ast.expr]) -> frozenset[object] | None:
    """Return what a front writes out that it hands on, None where it does not do so once."""
    if len(listed) != 1 or not isinstance(listed[0], ast.List | ast.Tuple):
        return None
    return frozenset(one.value for one in listed[0].elts if isinstance(one, ast.Constant))


def _whole(module: str, package: str) -> Iterator[str]:
    """Yield the whole dotted name of a module as a front of `package` writes it."""
    written = module.lstrip(".")
    up = len(module) - len(written)
    if not up:
        yield module
        return
    around = package.split(".")
    if up <= len(around):
        yield ".".join([*around[: len(around) - up + 1], *filter(None, [written])])
