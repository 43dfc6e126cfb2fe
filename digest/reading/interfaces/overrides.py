"""Methods that many classes define alike and that take something else now, by the patches alone.

What three files of one change follow with the same method, classes outside have to follow too.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress

from digest.facts import Evidence, Fact, FactChange, FactKind, Subject
from digest.models import FileChange, Item
from digest.reading.interfaces import grammar
from digest.reading.patch import Line, hunks
from digest.reading.paths import RUNTIME, role

_FEWEST_FILES = 3
_LONGEST_HEAD = 40
"""Lines of a method's head that are read."""
_HEAD = re.compile(r"[ \t]+(?:async )?def (?!_|forward)(\w+)\(")
"""A method that others may define; how a layer is run is asked for by the model that holds it."""
_PATCH_READ = 200_000


def override_facts(item: Item, told: Sequence[Fact] = ()) -> Iterator[Fact]:
    """Yield arguments that a method took on or lost in three files of a change at least.

    In: the change, and the facts that are known of its classes by name: these are not told again.
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
    found: dict[tuple[FactChange, str, str | None], dict[str, Evidence]] = {}
    for file in files:
        for key, evidence in _altered(file):
            found.setdefault(key, {}).setdefault(file.path, evidence)
    for (change, name, default), shown in found.items():
        if len(shown) >= _FEWEST_FILES and name not in known:
            yield Fact(
                FactKind.INTERFACE, item.key, change, Subject.API_ARGUMENT, name, after=default,
                evidence=tuple(shown.values())[:1], must_act=default is None,
            )  # fmt: skip


def _altered(
    file: FileChange,
) -> Iterator[tuple[tuple[FactChange, str, str | None], Evidence]]:
    """Yield the arguments that methods of a file took on or lost, with the line that shows it.

    A new one comes with its default.
    """
    for hunk in hunks((file.patch or "")[:_PATCH_READ]):
        old, new = (
            _heads([line for line in hunk.lines if line.sign in (" ", side)]) for side in "-+"
        )
        for name in old.keys() & new.keys():
            (was, _), (became, line) = old[name], new[name]
            evidence = Evidence("diff", line.text.strip(), file.path, line.new, "+")
            for argument, default in became.items():
                if argument not in was:
                    yield (FactChange.ADDED, f"{name}({argument})", default), evidence
            for argument in was:
                if argument not in became:
                    yield (FactChange.REMOVED, f"{name}({argument})", None), evidence


def _heads(side: Sequence[Line]) -> dict[str, tuple[dict[str, str | None], Line]]:
    """Return the methods of which a side shows one whole head, with arguments and defaults.

    One that takes any arguments (`*args`) says of none whether it is taken.
    """
    found: dict[str, list[tuple[dict[str, str | None], Line]]] = {}
    for at, line in enumerate(side):
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
                found.setdefault(begun[1], []).append((arguments, line))
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
