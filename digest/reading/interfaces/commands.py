"""Defaults of what a package's own command measures with: `rocket bench launch --runs`.

Nobody's service depends on them, but figures of before and after do.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from digest.facts import Evidence, Fact, FactChange, FactKind, Subject
from digest.models import FileChange, Item
from digest.reading.interfaces import grammar
from digest.reading.interfaces.place import module_of
from digest.reading.interfaces.python import stands_for_itself
from digest.reading.patch import Line, hunks

_MODULE = re.compile(r"(?P<package>\w+)\.benchmarks?\.(?P<name>[a-z]\w*)")
"""Where a package keeps the parts of its command, each with the name of its file."""
_ADDS = re.compile(r"def add_cli_args\(")
"""What gives a part of a command its flags; a script makes a parser of its own."""
_CALL = re.compile(r"\s*[\w.]*add_argument\(")
_LONGEST = 30
"""Lines of a call after which it is read no further."""
_UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)


@dataclass(frozen=True, slots=True)
class _Default:
    """The default of a flag, where it stands."""

    value: ast.expr
    line: Line


def command_facts(item: Item) -> Iterator[Fact]:
    """Yield the changed defaults of a command of the package that is no server, by the patches.

    It is called after the package, as its repository is; nobody has to act.
    """
    for file in item.files or ():
        if file.status != "modified" or not file.patch or "add_cli_args" not in file.patch:
            continue
        part = _MODULE.fullmatch(module_of(file.path))
        if part is None or part["package"] != item.repo.name.lower().replace("-", "_"):
            continue
        command = f"{part['package']} bench {part['name'].replace('_', '-')}"
        yield from _of_file(item.key, file, command)


def _of_file(key: str, file: FileChange, command: str) -> Iterator[Fact]:
    for hunk in hunks(file.patch):
        if not _ADDS.search("\n".join((hunk.section, *(line.text for line in hunk.lines)))):
            continue
        old, new = (
            _defaults([line for line in hunk.lines if line.sign in (" ", sign)]) for sign in "-+"
        )
        for name in (name for name in old if name in new):
            was, became = old[name], new[name]
            before, after = ast.unparse(was.value), ast.unparse(became.value)
            if before == after or not all(stands_for_itself(one.value) for one in (was, became)):
                continue
            yield Fact(
                FactKind.INTERFACE, key, FactChange.DEFAULT, Subject.FLAG, f"{command} {name}",
                before=before, after=after,
                evidence=(
                    Evidence("diff", was.line.text.strip(), file.path, was.line.old, "-"),
                    Evidence("diff", became.line.text.strip(), file.path, became.line.new, "+"),
                ),
            )  # fmt: skip


def _defaults(lines: Sequence[Line]) -> dict[str, _Default]:
    """Return the defaults of the flags that a side of a hunk has the whole calls of."""
    found: dict[str, _Default] = {}
    for at, line in enumerate(lines):
        if not _CALL.match(line.text):
            continue
        for end in range(at + 1, min(at + _LONGEST, len(lines)) + 1):
            if not lines[end - 1].text.rstrip().endswith(")"):
                continue
            try:
                text = "\n".join(one.text for one in lines[at:end])
                call = grammar.expression(text.strip()).body
            except _UNREADABLE:
                continue
            if isinstance(call, ast.Call):
                found |= _default_of(call, lines[at:end])
            break
    return found


def _default_of(call: ast.Call, lines: Sequence[Line]) -> dict[str, _Default]:
    given = [keyword.value for keyword in call.keywords if keyword.arg == "default"]
    names = [one.value for one in call.args if isinstance(one, ast.Constant)]
    flags = [name for name in names if isinstance(name, str) and name.startswith("--")]
    return {name: _Default(value, lines[value.lineno - 1]) for name in flags for value in given}
