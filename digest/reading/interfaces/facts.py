"""The changes of interfaces as facts, with the lines that show them."""

import ast
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from digest.facts import Evidence, Fact, FactChange, FactKind, Side, Subject
from digest.grades import Purpose
from digest.models import FileAt, FileChange, Item
from digest.reading.change import declared
from digest.reading.interfaces.changes import known_around, settled_differences
from digest.reading.interfaces.comparison import compared
from digest.reading.interfaces.definition import CUT, SETTING, Definition, Pair, plain_name
from digest.reading.interfaces.difference import Compared, Difference
from digest.reading.interfaces.extra_config import extra_config_facts
from digest.reading.interfaces.grammar import UNREADABLE, Parsed, differing
from digest.reading.interfaces.moves import move_facts, words_of
from digest.reading.interfaces.overrides import override_facts
from digest.reading.interfaces.place import (
    FileLanguage,
    Place,
    Touched,
    is_private,
    place_of,
    touched,
)
from digest.reading.interfaces.python import is_literal
from digest.reading.interfaces.supported import supported_facts
from digest.reading.interfaces.wire_versions import wire_version_facts
from digest.reading.patch import MOST_READ, DiffHunk, hunks

_AS_WRITTEN = (Subject.CHOICE, Subject.DEPENDENCY, Subject.PLATFORM, Subject.ENV)
_MOST_OF_ITEM = 60
"""Facts of one item that are told; no reader reads as many."""


def interface_facts(
    items: Sequence[Item],
    contents: Mapping[FileAt, str | None],
    commits: Sequence[Item] = (),
    unread: Callable[[str], None] = lambda _: None,
) -> tuple[Fact, ...]:
    """Return what the items changed for users, in the order of the items.

    In: changes with files and patches, the files that `wanted` named as far as they could be had
    (None where a file was not there), and the commits that the items were folded from. A file
    that is absent from `contents` is compared by its hunks, and what they show is inferred. Out:
    facts of the kinds `interface`, `requirement`, `move`, and `support` of models by a registry.
    Nothing in any file makes it raise; the paths of those that cannot be read are given to
    `unread`.
    """
    known = known_around(contents, items[0].repo.name if items else "")
    by_item: dict[str, list[Compared]] = {}
    shas: dict[str, tuple[str, str]] = {}
    for one in touched(items, commits):
        shas[one.item.key] = one.ends.before, one.ends.after
        seen = _bounded(one, contents)
        if isinstance(seen, Compared):
            by_item.setdefault(one.item.key, []).append(seen)
        elif seen is not None:
            unread(one.file.path)
    found: list[Fact] = []
    for item in items:
        files = by_item.get(item.key, [])
        change = replace(
            known,
            files=files,
            patches=item.files or (),
            shas=shas.get(item.key, ()),
            words=words_of(item) if files else "",
            # What an author calls a refactor names the program's own parts.
            title="" if declared(item.title).purpose is Purpose.REFACTOR else item.title,
        )
        differences = settled_differences(change)
        facts = [fact_of(item.key, one) for one in differences[:_MOST_OF_ITEM]]
        found += facts
        names = {_member_name(name) for fact in facts for name in fact.names or (fact.name,)}
        now = shas.get(item.key, ("", ""))[1]
        texts = {
            file.pair.path: file.pair.after or ""
            for file in files
            if contents.get(FileAt(now, file.pair.path))
        }
        readers: tuple[Callable[[], Iterable[Fact]], ...] = (
            partial(move_facts, item, texts),
            partial(wire_version_facts, item),
            partial(extra_config_facts, item, texts),
            partial(supported_facts, item),
            partial(override_facts, item, facts),
        )
        shown = (one for reader in readers for one in _readable(reader))
        found += [left for one in shown if (left := _without(one, names)) is not None]
    return tuple(found)


def _member_name(name: str) -> str:
    """Return what names of one thing share, of an argument with what it is given to."""
    function, _, argument = name.partition("(")
    return f"{function}.{argument.rstrip(')')}" if argument else plain_name(name)


def _without(fact: Fact, told: Collection[str]) -> Fact | None:
    """Return a fact without the names that another one is about, None where none is left."""
    every = fact.names or (fact.name,)
    left = tuple(
        name
        for name in every
        if plain_name(name) not in told and ".".join(name.split(".")[-2:]) not in told
    )
    if not left or left == every or fact.change is not FactChange.REMOVED:
        return fact if left else None
    leaves = [name.rpartition(".")[2] for name in left]
    shown = tuple(one for one in fact.evidence if any(leaf in one.quote for leaf in leaves))
    name = left[0] if len(left) == 1 else fact.name
    names = left if len(left) > 1 else ()
    return replace(fact, name=name, names=names, before=name, evidence=shown or fact.evidence)


def _compared(one: Touched, contents: Mapping[FileAt, str | None]) -> Compared | None:
    """Compare a file whole, or by its hunks where a side was not had or is not there any more."""
    sides = [at for at in (one.before, one.after) if at is not None]
    if not one.ends.after or any(contents.get(at) is None for at in sides):
        # A file that came is whole in its patch; one that would not be asked for is left out.
        was_wanted = not contents or one.after in contents
        shown = one.worth > 2 or one.file.status != "added" or was_wanted
        return compared_by_hunks(one.file, one.place) if shown else None
    before = contents[one.before] if one.before is not None else None
    after = contents[one.after] if one.after is not None else None
    old_path = one.file.previous_path or one.file.path
    return compared(Pair(old_path, one.file.path, before, after), one.place)


def _readable(reader: Callable[[], Iterable[Fact]]) -> tuple[Fact, ...]:
    """Return facts of patches; what is nested or written beyond all measure gives none."""
    try:
        return tuple(reader())
    except UNREADABLE:
        return ()


def _bounded(one: Touched, contents: Mapping[FileAt, str | None]) -> Compared | Exception | None:
    """Compare a file; of one that does not parse, or is nested beyond all measure, say why not."""
    try:
        return _compared(one, contents)
    except UNREADABLE as error:
        return error


def fact_of(item: str, one: Difference) -> Fact:
    """Return the fact of a difference that an item made."""
    kind = FactKind.INTERFACE
    if one.subject in (Subject.DEPENDENCY, Subject.PLATFORM):
        kind = FactKind.REQUIREMENT
    elif one.subject is Subject.MODEL:
        kind = FactKind.SUPPORT
    return Fact(
        kind,
        item,
        one.change,
        one.subject,
        _settings(one)[0] if one.subject is Subject.CHOICE else one.name,
        names=_settings(one) if one.subject is Subject.CHOICE and one.names else one.names,
        before=None if _is_gone_model(one) else one.before,
        after=_value_after(one),
        conditions=one.conditions,
        evidence=tuple(_evidence(one)),
        inferred=one.inferred,
        must_act=one.must_act,
    )


def _settings(one: Difference) -> tuple[str, ...]:
    """Return the settings that a choice belongs to, without names that nobody sets by themselves.

    A registry of implementations often holds a choice too, under a name of its own.
    """
    names = one.names or (one.name,)
    settable = tuple(name for name in names if "." in name or name.startswith("--"))
    # Nobody writes the name of a type: `FuelMethods`.
    written = tuple(name for name in names if name.islower())
    return settable or written or names


def _is_gone_model(one: Difference) -> bool:
    return one.subject is Subject.MODEL and one.change is FactChange.REMOVED


def _value_after(one: Difference) -> str | None:
    """Return what a thing is now; the default of a new one only where it stands for itself."""
    if one.subject is Subject.MODEL and one.change is FactChange.ADDED:
        return None
    if one.change is FactChange.ADDED and one.new is not None and one.new.worked_out:
        return one.after if one.conditions else None
    if one.change is not FactChange.ADDED or one.after is None or one.subject in _AS_WRITTEN:
        return one.after
    if one.subject is Subject.API_NAME:
        return one.after  # what it is deprecated for
    if one.new is not None and one.new.shape == SETTING:
        return one.after
    return one.after if is_literal(one.after) else None


def _evidence(one: Difference) -> Iterator[Evidence]:
    sides: tuple[tuple[Definition | None, Side], ...] = ((one.old, "-"), (one.new, "+"))
    for definition, side in sides:
        if side == "+" and one.within is not None:
            yield one.within
        if definition is None or not definition.quote:
            continue
        if one.change is FactChange.ADDED and side == "-":
            continue
        yield Evidence("diff", definition.quote, definition.path, definition.line, side)


def compared_by_hunks(file: FileChange, place: Place) -> Compared | None:
    """Compare the two sides of a file's hunks; None without a patch."""
    found = tuple(hunks(file.patch))
    if not found or place.language in (FileLanguage.NATIVE, FileLanguage.RUST):
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


def _around(hunk: DiffHunk, margin: int) -> tuple[list[str], list[str]]:
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


def _margin(hunk: DiffHunk) -> int:
    """Return how far in the outermost line of a hunk stands."""
    texts = (line.text for line in hunk.lines)
    return min((len(one) - len(one.lstrip(" ")) for one in texts if one.strip()), default=0)


def _side(
    found: Sequence[DiffHunk], margins: Sequence[int], place: Place, *, old: bool
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
        if (
            place.language in (FileLanguage.SETTINGS, FileLanguage.REQUIREMENTS)
            and hunk.new_start > 1
        ):
            text += [CUT, hunk.section]
            numbers += [0, 0]
        before, behind = (
            _around(hunk, margin) if place.language is FileLanguage.PYTHON else ([], [])
        )
        text += [*before, *(line for line, _ in numbered), *behind]
        numbers += [0] * len(before) + [number for _, number in numbered] + [0] * len(behind)
    return "\n".join(text), numbers


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
    if place.language is FileLanguage.PYTHON and place.depth > 1 and not is_private(place.module):
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
