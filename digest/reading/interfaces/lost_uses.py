"""What program files of one change stopped importing and using: where many did, plugins have to."""

import re
from collections.abc import Iterator, Sequence

from digest.models import FileChange
from digest.reading.interfaces.definition import snake_case
from digest.reading.interfaces.place import Language, is_private, place_of

_WIDELY = 3
"""Files, and folders of these, that have to lose an import before a name counts as used by many."""

_FROM = re.compile(r"^(?P<sign>[-+ ])\s*from\s+(?P<module>[\w.]+)\s+import\s+(?P<names>[^#\n]*)")
_WHOLE = re.compile(r"^-\s*import\s+(?P<module>[\w.]+)")
_LISTED = re.compile(r"^(?P<sign>[-+ ])\s+(?P<name>\w+)(?: as \w+)?,?\s*(?:#.*)?$")


class LostImports:
    """The imports that program files of one change lost, by the module and what was imported.

    What many parts of a program import is what its plugins import too. Tests, examples and tools
    do not count, nor what a file imports of which no patch is known.
    """

    def __init__(self, files: Sequence[FileChange]) -> None:
        self._files = files
        self._paths: dict[tuple[str, str], set[str]] | None = None

    def are_wide(self, module: str, names: Sequence[str] = ("",)) -> bool:
        """Tell whether three files, in as many folders, lost an import from a module.

        Of one of these names, or of the module itself where none is given. A package above the
        module may have handed the names on.
        """
        if self._paths is None:
            self._paths = self._read()
        folders = {
            path.rpartition("/")[0]
            for (where, name), paths in self._paths.items()
            if name in names and _is_of(where, module, is_front=bool(name))
            for path in paths
        }
        return len(folders) >= _WIDELY

    def _read(self) -> dict[tuple[str, str], set[str]]:
        found: dict[tuple[str, str], set[str]] = {}
        for file in self._files:
            place = place_of(file.path)
            if not file.patch or place is None or place.language is not Language.PYTHON:
                continue
            for module, name in _lost(file.patch):
                if not is_private(name or module):
                    found.setdefault((module, name), set()).add(file.path)
        return found


def _lost(patch: str) -> Iterator[tuple[str, str]]:
    """Give what removed lines import: a module, and a name of it or nothing."""
    listing = ""
    for line in patch.split("\n"):
        if begun := _FROM.match(line):
            listing = begun["module"] if "(" in begun["names"] and ")" not in line else ""
            if begun["sign"] == "-":
                yield begun["module"], ""
                for name in re.findall(r"(?<!as )\b\w+", begun["names"]):
                    yield begun["module"], name
        elif whole := _WHOLE.match(line):
            yield whole["module"], ""
        elif listing and (listed := _LISTED.match(line)):
            if listed["sign"] == "-":
                yield listing, listed["name"]
        else:
            listing = ""


def _is_of(where: str, module: str, *, is_front: bool) -> bool:
    """Tell whether an import is from a module, be it relative or from a package above it."""
    if where.startswith("."):
        return bool(where.strip(".")) and f".{module}".endswith(f".{where.lstrip('.')}")
    return where == module or (is_front and module.startswith(f"{where}."))


class LostUses:
    """The uses of members that program files of one change lost: `model_runner.tp_size`.

    What many parts of a program ask an object for is what its plugins ask it for too.
    """

    def __init__(self, files: Sequence[FileChange]) -> None:
        self._lines: dict[str, tuple[str, str]] | None = None
        self._files = files

    def are_wide(self, owner: str, member: str) -> bool:
        """Tell whether files of three folders stopped to use a member, and none began to.

        In two folders of them the object is called as its class is: many classes have a `size`.
        """
        if self._lines is None:
            self._lines = dict(self._read())
        used = re.compile(rf"\.{member}\b")
        named = re.compile(rf"\b(?:\w+_)?{snake_case(owner)}(?:\(\))?\.{member}\b")
        of_class: set[str] = set()
        folders: set[str] = set()
        for path, (went, came) in self._lines.items():
            if named.search(came):
                return False
            folder = path.rpartition("/")[0]
            if named.search(went):
                of_class.add(folder)
            elif used.search(went) and not used.search(came):
                folders.add(folder)
        return len(of_class | folders) >= _WIDELY and len(of_class) >= _WIDELY - 1

    def _read(self) -> Iterator[tuple[str, tuple[str, str]]]:
        for file in self._files:
            place = place_of(file.path)
            if file.patch and place is not None and place.language is Language.PYTHON:
                lines = file.patch.split("\n")
                went, came = (
                    "\n".join(line for line in lines if line[:1] == sign) for sign in "-+"
                )
                yield file.path, (went, came)
