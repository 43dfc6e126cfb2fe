"""Public functions whose parameters change or that go away."""

import re
from collections.abc import Iterator

from digest.reading.definitions import Definition, Side, arguments, calls, limited
from digest.reading.scopes import scopes

HEADERS = (".h", ".hh", ".hpp", ".cuh")

_PYTHON = re.compile(r"^[ \t]*(?:async )?def[ \t]+(\w+)[ \t]*\(", re.M)
_CXX = re.compile(r"^([A-Za-z_][^;{}()=\n]{0,200}?[\s*&])([A-Za-z_]\w{0,100})\(", re.M)
_NOT_TYPES = re.compile(r"^(?:return|if|while|for|else|throw|case|using|typedef|new|delete|goto)\b")
_PRIVATE_FOLDERS = frozenset({"detail", "details", "internal", "impl"})


def signatures(side: Side) -> Iterator[Definition]:
    """Find the public functions that one side of a hunk declares, with their parameters."""
    if side.path.endswith(".py"):
        return limited(_python(side))
    if side.path.endswith(HEADERS) and not _PRIVATE_FOLDERS & set(side.path.split("/")):
        return limited(_cxx(side))
    return iter(())


def _python(side: Side) -> Iterator[Definition]:
    found = {side.index(match.start(1)): (match, end) for match, end in calls(_PYTHON, side.text)}
    for index, stack, known in scopes(side):
        if index not in found or not known or not all(scope.is_class for scope in stack):
            continue
        match, end = found[index]
        names = [*(scope.name for scope in stack), match[1]]
        if len(names) > 1 and names[-1] == "__init__":
            names.pop()
        if any(name.startswith("_") for name in names):
            continue
        yield from _function(side, ".".join(names), match.start(), match.end(), end)


def _cxx(side: Side) -> Iterator[Definition]:
    for match, end in calls(_CXX, side.text):
        if _NOT_TYPES.match(match[1]) or match[1].lstrip().startswith("#"):
            continue
        yield from _function(side, match[2], match.start(), match.end(), end)


def _function(side: Side, name: str, start: int, inside: int, end: int) -> Iterator[Definition]:
    found = arguments(side.text, inside, end)
    if found.closed:
        parameters = f"({' '.join(', '.join(found.texts).split())})"
        line, changed = side.span(start, found.end)
        yield Definition("signature", name, parameters, side.path, line, changed)
