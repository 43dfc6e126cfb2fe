"""What program files of one change stopped importing and using: where many did, plugins have to."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from digest.models import FileChange
from digest.reading.interfaces.definition import snake_case
from digest.reading.interfaces.place import FileLanguage, is_private, place_of

_WIDELY = 3
"""Files, and folders of these, that have to lose an import before a name counts as used by many."""

_FROM = re.compile(r"^(?P<sign>[-+ ])\s*from\s+(?P<module>[\w.]+)\s+import\s+(?P<names>[^#\n]*)")
_WHOLE = re.compile(r"\s*import\s+(?P<module>[\w.]+)")
_LISTED = re.compile(r"^(?P<sign>[-+ ])\s+(?P<name>\w+)(?: as \w+)?,?\s*(?:#.*)?$")


class LostImports:
    """The imports that program files of one change lost or got, by the module and the name.

    What many parts of a program import is what its plugins import too. Tests, examples and tools
    do not count, nor what a file imports of which no patch is known.
    """

    def __init__(self, files: Sequence[FileChange]) -> None:
        self._files = files
        self._paths: dict[str, dict[tuple[str, str], set[str]]] = {}

    def are_wide(self, module: str, names: Sequence[str] = ("",)) -> bool:
        """Tell whether three files, in as many folders, lost an import from a module.

        Of one of these names, or of the module itself where none is given. A package above the
        module may have handed the names on.
        """
        return len(self._folders("-", module, names)) >= _WIDELY

    def came(self, module: str, name: str) -> bool:
        """Tell whether a file got an import of a name from a module."""
        return bool(self._folders("+", module, [name]))

    def _folders(self, sign: str, module: str, names: Sequence[str]) -> set[str]:
        if sign not in self._paths:
            self._paths[sign] = self._read(sign)
        return {
            path.rpartition("/")[0]
            for (where, name), paths in self._paths[sign].items()
            if name in names and _is_of(where, module, is_front=bool(name))
            for path in paths
        }

    def _read(self, sign: str) -> dict[tuple[str, str], set[str]]:
        found: dict[tuple[str, str], set[str]] = {}
        for file in self._files:
            place = place_of(file.path)
            if not file.patch or place is None or place.language is not FileLanguage.PYTHON:
                continue
            for module, name in _imported(file.patch, sign):
                if not is_private(name or module):
                    found.setdefault((module, name), set()).add(file.path)
        return found


def _imported(patch: str, sign: str) -> Iterator[tuple[str, str]]:
    """Give what removed or added lines import: a module, and a name of it or nothing."""
    listing = ""
    for line in patch.split("\n"):
        # Few lines of a patch import anything: most are told by that word alone.
        imports = "import" in line
        if imports and (begun := _FROM.match(line)):
            listing = begun["module"] if "(" in begun["names"] and ")" not in line else ""
            if begun["sign"] == sign:
                yield begun["module"], ""
                for name in re.findall(r"(?<!as )\b\w+", begun["names"]):
                    yield begun["module"], name
        elif imports and line[:1] == sign and (whole := _WHOLE.match(line, 1)):
            yield whole["module"], ""
        elif listing and (listed := _LISTED.match(line)):
            if listed["sign"] == sign:
                yield listing, listed["name"]
        else:
            listing = ""


def _is_of(where: str, module: str, *, is_front: bool) -> bool:
    """Tell whether an import is from a module, be it relative or from a package above it."""
    if where.startswith("."):
        return bool(where.strip(".")) and f".{module}".endswith(f".{where.lstrip('.')}")
    return where == module or (is_front and module.startswith(f"{where}."))


_USE = re.compile(r"(?<!\w)(\w*)(?:\(\))?\.(?=(\w+))")
"""What an object is called, and what it is asked for."""

Uses: TypeAlias = Mapping[str, frozenset[str]]
"""What one side of a patch asks for, and of which objects."""


class LostUses:
    """The uses of members that program files of one change lost: `model_runner.tp_size`.

    What many parts of a program ask an object for is what its plugins ask it for too.
    """

    def __init__(self, files: Sequence[FileChange]) -> None:
        self._uses: dict[str, tuple[Uses, Uses]] | None = None
        self._files = files

    def are_wide(self, owner: str, member: str) -> bool:
        """Tell whether files of three folders stopped to use a member, and none began to.

        In two folders of them the object is called as its class is: many classes have a `size`.
        """
        if self._uses is None:
            self._uses = dict(self._read())
        called = snake_case(owner)

        def is_named(side: Uses) -> bool:
            return any(one == called or one.endswith(f"_{called}") for one in side.get(member, ()))

        of_class: set[str] = set()
        folders: set[str] = set()
        for path, (went, came) in self._uses.items():
            if is_named(came):
                return False
            folder = path.rpartition("/")[0]
            if is_named(went):
                of_class.add(folder)
            elif member in went and member not in came:
                folders.add(folder)
        return len(of_class | folders) >= _WIDELY and len(of_class) >= _WIDELY - 1

    def _read(self) -> Iterator[tuple[str, tuple[Uses, Uses]]]:
        for file in self._files:
            place = place_of(file.path)
            if file.patch and place is not None and place.language is FileLanguage.PYTHON:
                lines = file.patch.split("\n")
                yield file.path, (_uses(lines, "-"), _uses(lines, "+"))


def _uses(lines: Sequence[str], sign: str) -> Uses:
    found: dict[str, set[str]] = {}
    for line in lines:
        if line[:1] == sign and "." in line:
            for called, member in _USE.findall(line, 1):
                found.setdefault(member, set()).add(called)
    return {member: frozenset(objects) for member, objects in found.items()}
