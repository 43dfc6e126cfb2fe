"""Which names of a package are for others: what its fronts (`__init__` files) hand on.

A module deep within a program has public-looking names that nobody outside imports. A name is
public where the package's own front reaches it: from the top, each front names the next one.
"""

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from digest.reading.interfaces import grammar
from digest.reading.interfaces.place import Place, is_private


@dataclass(frozen=True, slots=True)
class Front:
    """What an `__init__` hands on: names, and modules whose every public name it hands on.

    `versioned` tells that it has a `__version__`: it is the top of what is installed by itself.
    """

    names: frozenset[str]
    starred: frozenset[str]
    versioned: bool = False


@dataclass(frozen=True, slots=True)
class Fronts:
    """The texts of the fronts that are known, by folder; None where a folder is known to have none.

    A folder at the top without one only holds packages (`cuda` of `cuda.tile`): those are the top.
    """

    texts: Mapping[str, str | None]

    def hands_on(self, name: str, path: str, place: Place) -> bool:
        """Tell whether the module at `path` defines a public `name`."""
        folder, _, file = path.rpartition("/")
        stem = file.removesuffix(".py")
        package = place.module if place.exports else place.module.rpartition(".")[0]
        if not package or is_private(package) or not self.reaches(folder, package):
            return False
        if place.exports:
            return True
        front = self.front(folder)
        if front is None:
            return False
        if name in front.names:
            return True
        return stem in front.starred and not name.startswith("_")

    def reaches(self, folder: str, package: str) -> bool:
        """Tell whether the package's top names the way down to the folder, front by front.

        The top is the first folder that has a front, or one right below it with a version of its
        own. A folder without a front may only hold packages where `src/` says that modules begin.
        """
        parts = package.split(".")
        folders = folder.split("/")
        named = True
        for depth in range(1, len(parts) + 1):
            above = "/".join(folders[: len(folders) - len(parts) + depth])
            front = self.front(above)
            if front is not None and front.versioned and depth <= 2:
                named = True
            if depth == len(parts):
                break
            text = self.texts.get(above)
            if text is not None:
                named = named and _names_module(text, parts[depth])
            elif depth > 1 or above not in self.texts or len(folders) == len(parts):
                named = False
        return named

    def front(self, folder: str) -> Front | None:
        """Return what the front of a folder hands on, None where it is not known."""
        text = self.texts.get(folder)
        return None if text is None else _read(text)

    def has_name(self, name: str) -> bool:
        """Tell whether a front at the top of a package hands on the name."""
        return any(
            name in front.names
            for folder in self.texts
            if (front := self.front(folder)) is not None
        )


@lru_cache(maxsize=512)
def _names_module(text: str, module: str) -> bool:
    word = re.escape(module)
    return (
        re.search(
            rf"^\s*(?:from|import)\s[^#\n]*\b{word}\b|^\s+{word}(?: as \w+)?,?\s*$"
            rf"|[\"']\.{word}[.:]",
            text,
            re.M,
        )
        is not None
    )


@lru_cache(maxsize=512)
def _read(text: str) -> Front:
    try:
        tree = grammar.module(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Front(frozenset(), frozenset())
    names: set[str] = set()
    starred: set[str] = set()
    versioned = False
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and _assigns(node, "__version__"):
            versioned = True
        if isinstance(node, ast.ImportFrom):
            versioned = versioned or any(alias.name == "__version__" for alias in node.names)
            for alias in node.names:
                name = alias.asname or alias.name
                if name == "*":
                    starred.add((node.module or "").rpartition(".")[2])
                elif not name.startswith("_") and node.level < 2:
                    names.add(name)
        elif isinstance(node, ast.Assign) and _assigns(node, "__all__"):
            names |= {
                one.value
                for one in ast.walk(node.value)
                if isinstance(one, ast.Constant) and isinstance(one.value, str)
            }
    return Front(frozenset(names), frozenset(starred), versioned)


def _assigns(node: ast.Assign, name: str) -> bool:
    return any(isinstance(target, ast.Name) and target.id == name for target in node.targets)
