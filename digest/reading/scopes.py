"""In which class and function a line of a Python hunk stands, as far as the hunk shows it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from digest.reading.definitions import Side

_OPENING = re.compile(r"^([ \t]*)(class|def|async def)[ \t]+(\w+)")
_FIELD = re.compile(r"^([ \t]+)([A-Za-z_]\w*)[ \t]*:[ \t]*[^=#\n]{1,300}?=[ \t]*(?=\S)")


@dataclass(frozen=True, slots=True)
class Scope:
    """A class or function that is open at a line, by its indentation."""

    indent: int
    is_class: bool
    name: str


@dataclass(frozen=True, slots=True)
class Field:
    """An annotated class field with a value: offsets are those of the side's text."""

    owner: str
    name: str
    value: str
    start: int
    offset: int


def scopes(side: Side) -> Iterator[tuple[int, tuple[Scope, ...], bool]]:
    """Give each line's index, the scopes it stands in, and whether the outermost one is known.

    A section header names the last line without indentation before the hunk, so a class or
    function named there is open until a line without indentation comes. Where there is none, the
    lines before the first line without indentation stand in unknown scopes.
    """
    stack: list[Scope] = []
    opened = _OPENING.match(side.section)
    if opened is not None:
        stack.append(Scope(0, opened[2] == "class", opened[3]))
    known = opened is not None or (bool(side.lines) and side.number(0) == 1)
    for index, line in enumerate(side.lines):
        text = line.text
        stripped = text.lstrip()
        if not stripped or stripped[0] in "#)]}":
            yield index, tuple(stack), known
            continue
        indent = len(text) - len(stripped)
        while stack and stack[-1].indent >= indent:
            stack.pop()
        if indent == 0:
            known = True
        yield index, tuple(stack), known
        if match := _OPENING.match(text):
            stack.append(Scope(indent, match[2] == "class", match[3]))


def class_fields(side: Side) -> Iterator[Field]:
    """Find the annotated fields of classes that the hunk names."""
    for index, stack, known in scopes(side):
        if not known or len(stack) != 1 or not stack[0].is_class:
            continue
        match = _FIELD.match(side.lines[index].text)
        if match is None or len(match[1]) != stack[0].indent + 4:
            continue
        start = side.starts[index]
        value = side.lines[index].text[match.end() :]
        if value.rstrip().endswith(","):
            continue
        yield Field(stack[0].name, match[2], value, start, start + match.end())
