"""Public functions and classes that a change touches, for a list of names: from hunks alone.

What of them matters to users is told by facts; this is the wider list of an analysis.
"""

import ast
import re
from collections.abc import Iterable, Sequence

from digest.models import FileChange
from digest.reading.interfaces.blocks import Parsed, differing
from digest.reading.interfaces.hunks import sides
from digest.reading.interfaces.place import Language, is_private, place_of

HEADERS = (".h", ".hh", ".hpp", ".cuh")
_PRIVATE_FOLDERS = frozenset({"detail", "details", "internal", "impl"})
_DECLARED = re.compile(
    r"^(?!(?:return|if|while|for|else|throw|case|using|typedef|new|delete|goto)\b)"
    r"[A-Za-z_][^;{}()=\n]{0,200}?[\s*&]([A-Za-z_]\w{0,100})\(([^;{}]{0,2000}?)\)[^;{}()\n]{0,40}[;{]",
    re.M,
)


def functions_touched(file: FileChange) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the public names that a patch takes away or gives other parameters, and those it adds.

    Of C++ none that are added. Methods are named with their class (`Engine.burn`),
    a class by its constructor. A file that goes as a whole takes its names with it and has none.
    """
    place = place_of(file.path)
    if place is None or file.status == "removed" or not file.patch:
        return (), ()
    old, new = sides(file, place)
    before: dict[str, str]
    after: dict[str, str]
    if place.language is Language.PYTHON and place.depth > 1 and not is_private(place.module):
        before, after = (_python(side) for side in differing(old, new, cut=True))
    elif is_public_header(file.path):
        before, after = _cxx(old), _cxx(new)
        after = {name: text for name, text in after.items() if name in before}
    else:
        return (), ()
    altered = tuple(name for name in before if before[name] != after.get(name))
    return altered, tuple(name for name in after if name not in before)


def is_public_header(path: str) -> bool:
    """Tell whether a file is a header of C or C++ for others, by its path."""
    return path.endswith(HEADERS) and not _PRIVATE_FOLDERS & set(path.lower().split("/")[:-1])


def _python(parsed: Iterable[Parsed]) -> dict[str, str]:
    """Return the parameters of the public functions and classes in parts of a file."""
    found: dict[str, str] = {}
    for part in parsed:
        if all(owner.kind == "class" for owner in part.block.owners):
            _declared(part.body, [owner.name for owner in part.block.owners], found)
    return found


def _declared(body: Sequence[ast.stmt], around: list[str], found: dict[str, str]) -> None:
    for node in body:
        if isinstance(node, ast.ClassDef):
            _declared(node.body, [*around, node.name], found)
            name, parameters = [*around, node.name], ""
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            name, parameters = [*around, node.name], ast.unparse(node.args)
            if around and node.name == "__init__":
                name = around
        else:
            continue
        if not any(part.startswith("_") for part in name):
            found.setdefault(".".join(name), parameters)


def _cxx(text: str) -> dict[str, str]:
    return {match[1]: " ".join(match[2].split()) for match in _DECLARED.finditer(text)}
