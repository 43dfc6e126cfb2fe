"""How widely a change shows that a name was imported: by the imports that it had to alter."""

import re
from collections.abc import Sequence

from digest.models import FileChange
from digest.reading.interfaces.place import Language, is_private, place_of

_WIDELY = 3
"""Files, and folders of these, that have to lose an import before a name counts as used by many."""

_LOST = re.compile(
    r"^-\s*from\s+(?P<module>[\w.]+)\s+import\s+(?P<names>[^#\n]*)"
    r"|^-\s*import\s+(?P<whole>[\w.]+)|^-\s+(?P<listed>\w+)(?: as \w+)?,$",
    re.M,
)


class LostImports:
    """The imports that program files of one change lost, by what was imported.

    What many parts of a program import is what its plugins import too. Tests, examples and tools
    do not count, nor what a file imports of which no patch is known.
    """

    def __init__(self, files: Sequence[FileChange]) -> None:
        self._files = files
        self._paths: dict[str, set[str]] | None = None

    def are_wide(self, names: Sequence[str]) -> bool:
        """Tell whether three files, in as many folders, lost an import of one of these names.

        A name is a module's dotted name, or that of a class or function without its module.
        """
        if self._paths is None:
            self._paths = self._read()
        paths = set().union(*(self._paths.get(name, ()) for name in names))
        return len({path.rpartition("/")[0] for path in paths}) >= _WIDELY

    def _read(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for file in self._files:
            place = place_of(file.path)
            if not file.patch or place is None or place.language is not Language.PYTHON:
                continue
            for match in _LOST.finditer(file.patch):
                names = re.findall(r"\w+", match["names"] or match["listed"] or "")
                for name in (match["module"] or match["whole"], *names):
                    if name and not is_private(name):
                        found.setdefault(name, set()).add(file.path)
        return found
