"""A file of which only hunks are known, compared as far as that is safe.

Without the whole file nothing says what stands outside of the hunks: what they show to come or go
is told as inferred, of functions and classes only what a title names as deprecated or taken by
keyword alone, of variables that are merely read only a new one with a default, and statements
that a hunk cuts are left out.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from digest.facts import FactChange, Subject
from digest.models import FileChange
from digest.reading.interfaces.comparison import Compared, Difference, compared
from digest.reading.interfaces.definition import CUT, Definition, Pair
from digest.reading.interfaces.place import MOST_READ, Language, Place
from digest.reading.patch import Hunk, hunks


def compared_by_hunks(file: FileChange, place: Place) -> Compared | None:
    """Compare the two sides of a file's hunks; None without a patch."""
    found = tuple(hunks(file.patch))
    if not found or place.language is Language.NATIVE:
        return None
    margins = [_margin(hunk) for hunk in found]
    old, old_lines = _side(found, margins, place, old=True)
    new, new_lines = _side(found, margins, place, old=False)
    pair = Pair(file.previous_path or file.path, file.path, old, new)
    seen = compared(pair, place, cut=True)
    differences = tuple(
        replace(
            one,
            old=_placed(one.old, old_lines),
            new=_placed(one.new, new_lines),
            inferred=one.inferred or one.change in (FactChange.ADDED, FactChange.REMOVED),
        )
        for one in seen.differences
        if _is_safe(one, place)
    )
    return Compared(place, pair, differences, seen.old, seen.new)


def sides(file: FileChange, place: Place) -> tuple[str, str]:
    """Return what the hunks of a file show of it before and after."""
    found = tuple(hunks(file.patch, max_chars=MOST_READ))
    margins = [_margin(hunk) for hunk in found]
    old, new = (_side(found, margins, place, old=one)[0] for one in (True, False))
    return old, new


def _is_safe(one: Difference, place: Place) -> bool:
    if one.subject is Subject.API_NAME:
        return one.change is FactChange.DEPRECATED
    if one.subject is Subject.API_ARGUMENT:
        return one.change is FactChange.CHANGED
    if not one.definition.table:
        return one.change is not FactChange.REMOVED or place.environment
    return one.subject is not Subject.CHOICE or one.change is not FactChange.REMOVED


def _placed(one: Definition | None, lines: Sequence[int]) -> Definition | None:
    if one is None or not 0 < one.line <= len(lines):
        return None
    return replace(one, line=lines[one.line - 1])


_SETTINGS = re.compile(r"class \w+(?:Config|Settings|Params|Options|Args)\b.*:")
_SIGNATURE = re.compile(r"(?:async )?def \w+\([^)]*")
_PARAMETER = re.compile(r" +\*{0,2}\w+\s*[:=,].*,\s*|\s+\*?\w*,")


def _around(hunk: Hunk, margin: int) -> tuple[list[str], list[str]]:
    """Return what has to stand around a hunk of Python that it can be read, by git's own head.

    What stands within a class or a list of parameters is written into one. Classes of settings
    are records, whose decorator no hunk shows.
    """
    first = next((line.text for line in hunk.lines if line.text.strip()), "")
    if _SIGNATURE.fullmatch(hunk.section) and _PARAMETER.fullmatch(first):
        closes = any(line.text.startswith(")") for line in hunk.lines)
        return [hunk.section], [] if closes else ["): ..."]
    if not margin:
        return [], []
    # A hunk that begins deeper than it ends begins within something that it does not show.
    deeper = [" " * margin + "if True:"] if first[margin : margin + 1] == " " else []
    if margin == 4 and hunk.section.startswith("class ") and hunk.section.endswith(":"):
        record = ["@dataclass"] if _SETTINGS.fullmatch(hunk.section) else []
        return [*record, hunk.section, *deeper], []
    return ["if True:", *deeper], []


def _margin(hunk: Hunk) -> int:
    """Return how far in the outermost line of a hunk stands."""
    texts = (line.text for line in hunk.lines)
    return min((len(one) - len(one.lstrip(" ")) for one in texts if one.strip()), default=0)


def _side(
    found: Sequence[Hunk], margins: Sequence[int], place: Place, *, old: bool
) -> tuple[str, list[int]]:
    """Return one side of all hunks as a text, and for each of its lines the line of the file."""
    text: list[str] = []
    numbers: list[int] = []
    for hunk, margin in zip(found, margins, strict=True):
        numbered = [
            (line.text, number)
            for line in hunk.lines
            if (number := line.old if old else line.new) is not None
        ]
        if place.language in (Language.SETTINGS, Language.REQUIREMENTS) and hunk.new_start > 1:
            text += [CUT, hunk.section]
            numbers += [0, 0]
        before, behind = _around(hunk, margin) if place.language is Language.PYTHON else ([], [])
        text += [*before, *(line for line, _ in numbered), *behind]
        numbers += [0] * len(before) + [number for _, number in numbered] + [0] * len(behind)
    return "\n".join(text), numbers
