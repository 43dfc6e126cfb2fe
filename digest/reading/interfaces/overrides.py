"""Methods that many classes define alike and that take something else now, by the patches alone.

What three files of one change follow with the same method, classes outside have to follow too.
"""

import ast
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TypeAlias

from digest.facts import Evidence, Fact, FactChange, FactKind, Subject
from digest.models import FileChange, Item
from digest.reading.interfaces import grammar
from digest.reading.patch import MOST_READ, Line, parse_hunk, raw_hunks
from digest.reading.paths import RUNTIME, role

_FEWEST_FILES = 3
_PLAIN_BASES = ("ABC", "BaseModel", "Generic", "Module", "Protocol", "object")
"""Classes of other packages, which say nothing of what is derived from here."""
_CLASS = re.compile(r"class (?!_)(\w+)(?:\(([^()]*)\)?)?")
_INTERFACE = re.compile(r"(?:^|, *)(?:(?:abc|typing|typing_extensions)\.)?(?:ABC|Protocol)\b")
_BASE = re.compile(r"(?:^|, *)((?!_)[\w.]+)\b(?! *=)")
_Altered: TypeAlias = tuple[FactChange, str, str | None]
_Arguments: TypeAlias = Mapping[str, str | None]
"""_Arguments of a method in their order, with their defaults."""
_Head: TypeAlias = tuple[_Arguments, str, Line]
_LONGEST_HEAD = 40
"""Lines of a method's head that are read."""
_HEAD = re.compile(r"[ \t]+(?:async )?def (?!_|forward)(\w+)\(")
"""A method that others may define; how a layer is run is asked for by the model that holds it."""


def override_facts(item: Item, told: Sequence[Fact] = ()) -> Iterator[Fact]:
    """Yield arguments that a method took on or lost in three files of a change at least.

    In: the change, and the facts that are known of its classes by name: these are not told again.
    Out: facts of the class that most of them derive from, as far as the patches show one.
    """
    known = {name.rpartition(".")[2] for fact in told for name in fact.names or (fact.name,)}
    files = [
        file
        for file in item.files or ()
        if file.status in ("modified", "renamed")
        and file.path.endswith(".py")
        and role(file.path) in RUNTIME
    ]
    if len(files) < _FEWEST_FILES:
        return
    found: dict[_Altered, dict[str, tuple[str, Evidence]]] = {}
    renames = {
        (_argument_of(fact.name), _argument_of(fact.after or ""))
        for fact in told
        if fact.change is FactChange.RENAMED and fact.subject is Subject.API_ARGUMENT
    }
    for file in files:
        for key, head, evidence in _altered(file, renames):
            found.setdefault(key, {}).setdefault(file.path, (head, evidence))
    for (change, name, after), shown in found.items():
        gone = change is not FactChange.ADDED
        if len(shown) >= _FEWEST_FILES and name not in known:
            owner = _shared([head for head, _ in shown.values()])
            own = [each for head, each in shown.values() if _named(head) == owner]
            lines = [*own, *(each for _, each in shown.values())]
            owner = f"{owner}." if owner else ""
            yield Fact(
                FactKind.INTERFACE, item.key, change, Subject.API_ARGUMENT, f"{owner}{name}",
                before=f"{owner}{name}" if change is FactChange.RENAMED else None,
                after=f"{owner}{after}" if gone and after else after,
                evidence=tuple(lines[:1]),
                must_act=gone or after is None,
                # Where it is not own, the class itself is left as it was, or is not seen.
                inferred=change is FactChange.RENAMED or not own,
            )  # fmt: skip


def _named(head: str) -> str:
    found = _CLASS.match(head)
    return found[1] if found else ""


def _shared(heads: Sequence[str]) -> str:
    """Return what most classes derive from, else an interface or the first of them, or nothing."""
    read = [found for head in heads if (found := _CLASS.match(head))]
    bases = Counter(base.rpartition(".")[2] for one in read for base in _BASE.findall(one[2] or ""))
    named = {base: count for base, count in bases.items() if base not in _PLAIN_BASES}
    most = max(named, key=lambda base: named[base], default="")
    is_shared = bases[most] > 1 or any(one[1] == most for one in read)
    if is_shared:
        return most
    first = sorted(read, key=lambda one: _INTERFACE.search(one[2] or "") is None)
    return first[0][1] if first else ""


def _argument_of(name: str) -> str:
    return name.rpartition("(")[2].rstrip(")")


def _altered(
    file: FileChange, renames: Collection[tuple[str, str]]
) -> Iterator[tuple[_Altered, str, Evidence]]:
    """Yield the arguments that methods of a file took on or lost.

    With the head of the class, as far as the patch shows it, and the line that shows it. A new one
    comes with its default, one that went with the method that came and takes all of the old ones.
    """
    for raw in raw_hunks((file.patch or "")[:MOST_READ]):
        hunk = parse_hunk(raw) if "def " in raw else None
        if hunk is None:
            continue
        old, new = (
            _heads([line for line in hunk.lines if line.sign in (" ", side)], hunk.section)
            for side in "-+"
        )
        for name in old:
            if name not in new:
                continue
            (was, _, _), (became, head, line) = old[name], new[name]
            evidence = Evidence("diff", line.text.strip(), file.path, line.new, "+")
            if renamed := _renamed(was, became, renames):
                old_name, now = (f"{name}({one})" for one in renamed)
                yield (FactChange.RENAMED, old_name, now), head, evidence
                continue
            for argument, default in became.items():
                if argument not in was:
                    yield (FactChange.ADDED, f"{name}({argument})", default), head, evidence
            takes_all = next(
                (
                    other
                    for other, (taken, _, _) in new.items()
                    if other not in old and other.startswith(f"{name}_") and [*taken] == [*was]
                ),
                None,
            )
            for argument in was:
                if argument not in became:
                    yield (FactChange.REMOVED, f"{name}({argument})", takes_all), head, evidence


def _renamed(
    was: _Arguments, became: _Arguments, renames: Collection[tuple[str, str]]
) -> tuple[str, str] | None:
    """Return the one argument that has another name in its place, and that name.

    They share a word, or are known to have been renamed so elsewhere: else it is another thing.
    """
    if len(was) != len(became):
        return None
    others = [(old, new) for old, new in zip(was, became, strict=True) if old != new]
    if len(others) != 1:
        return None
    old, new = others[0]
    is_alike = (old, new) in renames or not {*old.split("_")}.isdisjoint(new.split("_"))
    is_same = old not in became and new not in was and was[old] == became[new]
    return others[0] if is_alike and is_same else None


def _heads(side: Sequence[Line], section: str) -> dict[str, _Head]:
    """Return the methods of which a side shows one whole head.

    With arguments and defaults, and the head of the class as far as it is shown. One that takes
    any arguments (`*args`) says of none whether it is taken.
    """
    found: dict[str, list[_Head]] = {}
    for at, line in enumerate(side):
        section = line.text if _CLASS.match(line.text) else section
        if not (begun := _HEAD.match(line.text)):
            continue
        text = ""
        for one in side[at : at + _LONGEST_HEAD]:
            text += one.text.strip() + "\n"
            if one.text.rstrip().endswith(":") and text.count("(") == text.count(")"):
                break
        with suppress(SyntaxError, ValueError, RecursionError, MemoryError):
            node = grammar.module(f"{text} pass").body[0]
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                is_open = node.args.vararg or node.args.kwarg
                arguments = {} if is_open else _defaults(node.args)
                found.setdefault(begun[1], []).append((arguments, section, line))
    return {
        name: heads[0]
        for name, heads in found.items()
        if len(heads) == 1 and heads[0][0].keys() & {"self", "cls"}
    }


def _defaults(given: ast.arguments) -> dict[str, str | None]:
    """Return arguments with their defaults, None where there is none."""
    placed = [*given.posonlyargs, *given.args]
    values = [None] * (len(placed) - len(given.defaults)) + [*given.defaults, *given.kw_defaults]
    every = zip((*placed, *given.kwonlyargs), values, strict=True)
    return {one.arg: ast.unparse(value) if value else None for one, value in every}
