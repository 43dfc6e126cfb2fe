"""What a C++ or CUDA file defines for users of a Python package: bound names and variables."""

import re
from collections.abc import Iterator

from digest.facts import Subject
from digest.reading.interfaces.definition import Definition, quoted

_BOUND = re.compile(r"\bm\.def\(\s*\"(\w+)\"")
_ARGUMENT = re.compile(
    r"(?:py|pybind11|nb)::arg\(\"(\w+)\"\)(?:\.noconvert\(\))?(?:\s*=\s*([^,()]+(?:\([^()]*\))?[^,()]*))?"
)
_VARIABLE = re.compile(
    r"\b(?:std::)?get_?env(?:_\w+)?\s*(?:<[^<>]{1,60}>)?\(\s*\"([A-Z][A-Z0-9_]+)\"\s*(?:,\s*([^,()]+(?:\(\))?))?"
)
_CPP_NONE = re.compile(r"std::nullopt|py::none\(\)|nullptr")
MAX_BINDING = 4_000
"""Characters after a bound name in which its arguments stand."""


def native_definitions(path: str, text: str) -> list[Definition]:
    """Return the bound functions with their arguments, and the variables that a file reads."""
    return [*_bound(path, text), *_variables(path, text)]


def _bound(path: str, text: str) -> Iterator[Definition]:
    lines = text.split("\n")
    for match in _BOUND.finditer(text):
        name = match[1]
        line = text.count("\n", 0, match.start(1)) + 1
        yield Definition(Subject.API_NAME, name, path, line, quoted(lines, line), shape="native")
        end = _closing(text, match.start() + len("m.def("))
        for position, found in enumerate(_ARGUMENT.finditer(text, match.end(), end)):
            value = found[2].strip() if found[2] else None
            at = text.count("\n", 0, found.start(1)) + 1
            yield Definition(
                Subject.API_ARGUMENT, f"{name}({found[1]})", path, at, quoted(lines, at),
                owner=name, value=None if value is None else _python(value),
                required=value is None, shape="native", position=position,
            )  # fmt: skip


def _python(value: str) -> str:
    if _CPP_NONE.fullmatch(value):
        return "None"
    return {"true": "True", "false": "False"}.get(value, value)


def _closing(text: str, start: int) -> int:
    depth = 1
    for at in range(start, min(len(text), start + MAX_BINDING)):
        letter = text[at]
        if letter in "({[":
            depth += 1
        elif letter in ")}]":
            depth -= 1
            if not depth:
                return at
    return start


def _variables(path: str, text: str) -> Iterator[Definition]:
    lines = text.split("\n")
    for match in _VARIABLE.finditer(text):
        line = text.count("\n", 0, match.start(1)) + 1
        value = match[2].strip() if match[2] else None
        yield Definition(
            Subject.ENV,
            match[1],
            path,
            line,
            quoted(lines, line),
            value=value,
            shape="native",
            table=False,
        )
