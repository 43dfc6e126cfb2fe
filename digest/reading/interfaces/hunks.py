"""A file of which only hunks are known, compared as far as that is safe.

Without the whole file nothing says what stands outside of the hunks: what they show is told as
inferred, public names and variables that are merely read are not told, and statements that a
hunk cuts are left out.
"""

from collections.abc import Sequence
from dataclasses import replace

from digest.facts import FactChange, Subject
from digest.models import FileChange
from digest.reading.interfaces.comparison import Compared, Difference, compared
from digest.reading.interfaces.definition import Definition, Pair
from digest.reading.interfaces.place import Language, Place
from digest.reading.patch import Hunk, hunks

_UNSAFE = (Subject.API_NAME, Subject.API_ARGUMENT)


def compared_by_hunks(file: FileChange, place: Place) -> Compared | None:
    """Compare the two sides of a file's hunks; None without a patch."""
    found = tuple(hunks(file.patch))
    if not found or place.language is Language.NATIVE or place.path.endswith((".toml", "setup.py")):
        return None
    old, old_lines = _side(found, place, old=True)
    new, new_lines = _side(found, place, old=False)
    pair = Pair(file.previous_path or file.path, file.path, old, new)
    seen = compared(pair, place, cut=True)
    differences = tuple(
        replace(
            one,
            old=_placed(one.old, old_lines),
            new=_placed(one.new, new_lines),
            inferred=True,
        )
        for one in seen.differences
        if _is_safe(one)
    )
    return Compared(place, pair, differences, seen.old, seen.new)


def _is_safe(one: Difference) -> bool:
    definition = one.new or one.old
    if definition is None or one.subject in _UNSAFE or not definition.table:
        return False
    return one.subject is not Subject.CHOICE or one.change is not FactChange.REMOVED


def _placed(one: Definition | None, lines: Sequence[int]) -> Definition | None:
    if one is None or not 0 < one.line <= len(lines):
        return None
    return replace(one, line=lines[one.line - 1])


def _side(found: Sequence[Hunk], place: Place, *, old: bool) -> tuple[str, list[int]]:
    """Return one side of all hunks as a text, and for each of its lines the line of the file."""
    text: list[str] = []
    numbers: list[int] = []
    for hunk in found:
        kept = [
            (line.text, number)
            for line in hunk.lines
            if (number := line.old if old else line.new) is not None
        ]
        margin = min(
            (
                len(line.text) - len(line.text.lstrip(" "))
                for line in hunk.lines
                if line.text.strip()
            ),
            default=0,
        )
        if place.language is Language.PYTHON and margin:
            # What stands within a class is written into one, as the head of the hunk names it.
            within = margin == 4 and hunk.section.startswith("class ")
            text.append(hunk.section if within and hunk.section.endswith(":") else "if True:")
            numbers.append(0)
        text += [line for line, _ in kept]
        numbers += [number for _, number in kept]
    return "\n".join(text), numbers
